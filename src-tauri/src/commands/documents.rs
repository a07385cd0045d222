//! Commands about one open document: editing, rolling, locking, saving.

use std::collections::BTreeMap;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Applied, Change, Choice, ModelJson, OpenDocument, SaveReport, Slot, Variant, VariantCount,
    Verdict,
};
use tauri::State;

use super::{Answer, answer};
use crate::keystroke::{self, Edited};
use crate::late::Late;

#[tauri::command(async)]
pub fn open(studio: State<'_, Studio>, file: &str) -> Answer<OpenDocument> {
    answer(studio.open_document(file))
}

#[tauri::command(async)]
pub fn close(studio: State<'_, Studio>, document: &str) {
    studio.close(document);
}

#[tauri::command(async)]
pub fn apply(studio: State<'_, Studio>, document: &str, group: Applied) -> Answer<Change> {
    answer(studio.apply(document, &group))
}

/// The answer to an edit that took longer than a frame.
#[tauri::command(async)]
pub fn applied(late: State<'_, Late<Edited>>, ticket: u32) -> Edited {
    late.redeem(ticket)
        .unwrap_or_else(|| Err(keystroke::lost()))
}

#[tauri::command(async)]
pub fn undo(studio: State<'_, Studio>, document: &str) -> Answer<Change> {
    answer(studio.undo(document))
}

#[tauri::command(async)]
pub fn redo(studio: State<'_, Studio>, document: &str) -> Answer<Change> {
    answer(studio.redo(document))
}

#[tauri::command(async)]
pub fn roll(studio: State<'_, Studio>, document: &str) -> Answer<Change> {
    answer(studio.roll(document))
}

#[tauri::command(async)]
pub fn use_seed(studio: State<'_, Studio>, document: &str, seed: u64) -> Answer<Change> {
    answer(studio.use_seed(document, seed))
}

#[tauri::command(async)]
pub fn use_last_seed(studio: State<'_, Studio>, document: &str) -> Answer<Change> {
    answer(studio.use_last_seed(document))
}

#[tauri::command(async)]
pub fn lock_seed(studio: State<'_, Studio>, document: &str, locked: bool) -> Answer<Change> {
    answer(studio.lock_seed(document, locked))
}

#[tauri::command(async)]
pub fn lock(studio: State<'_, Studio>, document: &str, slots: Option<Vec<Slot>>) -> Answer<Change> {
    answer(studio.lock(document, slots.as_deref()))
}

#[tauri::command(async)]
pub fn save(studio: State<'_, Studio>, document: &str) -> Answer<SaveReport> {
    answer(studio.save(document))
}

#[tauri::command(async)]
pub fn resolve(
    studio: State<'_, Studio>,
    document: &str,
    choices: BTreeMap<String, Choice>,
) -> Answer<Change> {
    answer(studio.resolve(document, &choices))
}

#[tauri::command(async)]
pub fn revert(studio: State<'_, Studio>, document: &str) -> Answer<Change> {
    answer(studio.revert(document))
}

#[tauri::command(async)]
pub fn model_json(studio: State<'_, Studio>, document: &str) -> Answer<ModelJson> {
    answer(studio.model_json(document))
}

#[tauri::command(async)]
pub fn variant_count(studio: State<'_, Studio>, document: &str) -> Answer<VariantCount> {
    answer(studio.variant_count(document))
}

#[tauri::command(async)]
pub fn roll_variants(
    studio: State<'_, Studio>,
    document: &str,
    seed: u64,
    count: u32,
) -> Answer<Vec<Variant>> {
    answer(studio.roll_variants(document, seed, count))
}

#[tauri::command(async)]
pub fn try_policy(studio: State<'_, Studio>, document: &str, text: &str) -> Answer<Verdict> {
    answer(studio.try_policy(document, text))
}
