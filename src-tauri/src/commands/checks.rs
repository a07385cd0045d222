//! Commands on files of checks.

use std::collections::BTreeMap;

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Change, CheckAdded, ChecksChange, ChecksReport, ChecksSaved, Choice, EditGroup, NewCheck,
    OpenChecks,
};
use tauri::AppHandle;

use super::{Answer, execute, execute_cancellable};

#[tauri::command]
pub async fn open_checks(app: AppHandle, registry: String) -> Answer<OpenChecks> {
    execute(app, Command::OpenChecks, move |studio| {
        studio.open_checks(&registry)
    })
    .await
}

#[tauri::command]
pub async fn apply_checks(
    app: AppHandle,
    document: String,
    group: EditGroup,
) -> Answer<ChecksChange> {
    execute(app, Command::ApplyChecks, move |studio| {
        studio.apply_checks(&document, &group)
    })
    .await
}

#[tauri::command]
pub async fn undo_checks(app: AppHandle, document: String) -> Answer<ChecksChange> {
    execute(app, Command::UndoChecks, move |studio| {
        studio.undo_checks(&document)
    })
    .await
}

#[tauri::command]
pub async fn redo_checks(app: AppHandle, document: String) -> Answer<ChecksChange> {
    execute(app, Command::RedoChecks, move |studio| {
        studio.redo_checks(&document)
    })
    .await
}

#[tauri::command]
pub async fn save_checks(app: AppHandle, document: String) -> Answer<ChecksSaved> {
    execute(app, Command::SaveChecks, move |studio| {
        studio.save_checks(&document)
    })
    .await
}

#[tauri::command]
pub async fn resolve_checks(
    app: AppHandle,
    document: String,
    choices: BTreeMap<String, Choice>,
) -> Answer<ChecksChange> {
    execute(app, Command::ResolveChecks, move |studio| {
        studio.resolve_checks(&document, &choices)
    })
    .await
}

#[tauri::command]
pub async fn run_checks(app: AppHandle, registry: String) -> Answer<ChecksReport> {
    execute_cancellable(app, Command::RunChecks, move |studio, cancel| {
        studio.run_checks(&registry, cancel)
    })
    .await
}

#[tauri::command]
pub async fn keep_check(app: AppHandle, registry: String, check: NewCheck) -> Answer<CheckAdded> {
    execute(app, Command::KeepCheck, move |studio| {
        studio.keep_check(&registry, &check)
    })
    .await
}

#[tauri::command]
pub async fn open_check_roll(
    app: AppHandle,
    registry: String,
    index: u32,
    seed: u64,
) -> Answer<Change> {
    execute(app, Command::OpenCheckRoll, move |studio| {
        studio.open_check_roll(&registry, index, seed)
    })
    .await
}
