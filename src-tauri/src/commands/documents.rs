//! Commands on one open document: editing, rolling, locking, saving.

use std::collections::BTreeMap;

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Alternatives, Change, Choice, EditGroup, EntrySplit, InsertionEffect, ModelJson, OpenDocument,
    PromptEditRequest, SaveReport, Slot, Variant, VariantCount, Verdict,
};
use serde_json::Value;
use tauri::{AppHandle, Manager as _};

use super::{Answer, execute, execute_cancellable};
use crate::deferred_replies::DeferredReplies;
use crate::edit_protocol::{self, EditReply};

#[tauri::command]
pub async fn open(app: AppHandle, file: String) -> Answer<OpenDocument> {
    execute(app, Command::Open, move |studio| {
        studio.open_document(&file)
    })
    .await
}

#[tauri::command]
pub async fn close(app: AppHandle, document: String) -> Answer<()> {
    execute(app, Command::Close, move |studio| {
        studio.close(&document);
        Ok(())
    })
    .await
}

#[tauri::command]
pub async fn apply(app: AppHandle, document: String, group: EditGroup) -> Answer<Change> {
    execute(app, Command::Apply, move |studio| {
        studio.apply(&document, &group)
    })
    .await
}

#[tauri::command]
pub async fn edit_prompt(
    app: AppHandle,
    document: String,
    request: PromptEditRequest,
) -> Answer<Change> {
    execute(app, Command::EditPrompt, move |studio| {
        studio.edit_prompt(&document, &request)
    })
    .await
}

#[tauri::command]
pub async fn rename_variable(
    app: AppHandle,
    document: String,
    base: u32,
    section: String,
    index: u32,
    name: String,
) -> Answer<Change> {
    execute(app, Command::RenameVariable, move |studio| {
        studio.rename_variable(&document, base, &section, index, &name)
    })
    .await
}

#[tauri::command]
pub async fn alternatives(
    app: AppHandle,
    document: String,
    segment: u32,
) -> Answer<Option<Alternatives>> {
    execute(app, Command::Alternatives, move |studio| {
        studio.alternatives(&document, segment)
    })
    .await
}

/// The result of an edit that took longer than a frame.
#[tauri::command]
pub async fn applied(app: AppHandle, ticket: u32) -> EditReply {
    let handle = app.clone();
    let take = move |_: &_| Ok(handle.state::<DeferredReplies<EditReply>>().take(ticket));
    let answer = execute(app, Command::Applied, take).await?;
    answer.unwrap_or_else(|| Err(edit_protocol::lost_reply()))
}

#[tauri::command]
pub async fn undo(app: AppHandle, document: String) -> Answer<Change> {
    execute(app, Command::Undo, move |studio| studio.undo(&document)).await
}

#[tauri::command]
pub async fn redo(app: AppHandle, document: String) -> Answer<Change> {
    execute(app, Command::Redo, move |studio| studio.redo(&document)).await
}

#[tauri::command]
pub async fn roll(app: AppHandle, document: String) -> Answer<Change> {
    execute(app, Command::Roll, move |studio| studio.roll(&document)).await
}

#[tauri::command]
pub async fn use_seed(app: AppHandle, document: String, seed: u64) -> Answer<Change> {
    execute(app, Command::UseSeed, move |studio| {
        studio.use_seed(&document, seed)
    })
    .await
}

#[tauri::command]
pub async fn use_last_seed(app: AppHandle, document: String) -> Answer<Change> {
    execute(app, Command::UseLastSeed, move |studio| {
        studio.use_last_seed(&document)
    })
    .await
}

#[tauri::command]
pub async fn lock_seed(app: AppHandle, document: String, locked: bool) -> Answer<Change> {
    execute(app, Command::LockSeed, move |studio| {
        studio.lock_seed(&document, locked)
    })
    .await
}

#[tauri::command]
pub async fn lock(app: AppHandle, document: String, slots: Option<Vec<Slot>>) -> Answer<Change> {
    execute(app, Command::Lock, move |studio| {
        studio.lock(&document, slots.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn save(app: AppHandle, document: String) -> Answer<SaveReport> {
    execute(app, Command::Save, move |studio| studio.save(&document)).await
}

#[tauri::command]
pub async fn resolve(
    app: AppHandle,
    document: String,
    choices: BTreeMap<String, Choice>,
) -> Answer<Change> {
    execute(app, Command::Resolve, move |studio| {
        studio.resolve(&document, &choices)
    })
    .await
}

#[tauri::command]
pub async fn revert(app: AppHandle, document: String) -> Answer<Change> {
    execute(app, Command::Revert, move |studio| studio.revert(&document)).await
}

#[tauri::command]
pub async fn model_json(app: AppHandle, document: String) -> Answer<ModelJson> {
    execute(app, Command::ModelJson, move |studio| {
        studio.model_json(&document)
    })
    .await
}

#[tauri::command]
pub async fn look_ups(app: AppHandle, document: String, typed: String) -> Answer<Vec<String>> {
    execute(app, Command::LookUps, move |studio| {
        studio.look_ups(&document, &typed)
    })
    .await
}

#[tauri::command]
pub async fn section_index(
    app: AppHandle,
    document: String,
    section: String,
    value: Value,
) -> Answer<Option<u32>> {
    execute(app, Command::SectionIndex, move |studio| {
        studio.section_index(&document, &section, &value)
    })
    .await
}

#[tauri::command]
pub async fn entry_splits(
    app: AppHandle,
    document: String,
    section: String,
    value: Value,
    item: u32,
) -> Answer<Vec<EntrySplit>> {
    execute(app, Command::EntrySplits, move |studio| {
        studio.entry_splits(&document, &section, &value, item)
    })
    .await
}

#[tauri::command]
pub async fn variant_count(app: AppHandle, document: String) -> Answer<VariantCount> {
    execute_cancellable(app, Command::VariantCount, move |studio, cancel| {
        studio.variant_count(&document, cancel)
    })
    .await
}

#[tauri::command]
pub async fn roll_variants(
    app: AppHandle,
    document: String,
    seed: u64,
    count: u32,
) -> Answer<Vec<Variant>> {
    execute_cancellable(app, Command::RollVariants, move |studio, cancel| {
        studio.roll_variants(&document, seed, count, cancel)
    })
    .await
}

#[tauri::command]
pub async fn try_insertion(
    app: AppHandle,
    document: String,
    entry: String,
    index: u32,
) -> Answer<InsertionEffect> {
    execute_cancellable(app, Command::TryInsertion, move |studio, cancel| {
        studio.try_insertion(&document, &entry, index, cancel)
    })
    .await
}

#[tauri::command]
pub async fn try_policy(app: AppHandle, document: String, text: String) -> Answer<Verdict> {
    execute_cancellable(app, Command::TryPolicy, move |studio, cancel| {
        studio.try_policy(&document, &text, cancel)
    })
    .await
}
