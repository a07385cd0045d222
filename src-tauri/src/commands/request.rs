//! Commands on call documents and their requests.

use std::collections::BTreeMap;

use promptdeck_service::Studio;
use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    CallChange, CallEntry, CallSaved, Change, Choice, EditGroup, OpenCall, PastedMessages,
    RequestParams, RequestView,
};
use tauri::AppHandle;

use super::{Answer, execute};

#[tauri::command]
pub async fn calls(app: AppHandle) -> Answer<Vec<CallEntry>> {
    execute(app, Command::Calls, Studio::calls).await
}

#[tauri::command]
pub async fn new_call(app: AppHandle, registry: String, name: Option<String>) -> Answer<String> {
    execute(app, Command::NewCall, move |studio| {
        studio.new_call(&registry, name.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn read_messages(app: AppHandle, text: String) -> Answer<PastedMessages> {
    execute(app, Command::ReadMessages, move |_| {
        promptdeck_service::read_messages(&text)
    })
    .await
}

#[tauri::command]
pub async fn open_call(app: AppHandle, document: String) -> Answer<OpenCall> {
    execute(app, Command::OpenCall, move |studio| {
        studio.open_call(&document)
    })
    .await
}

#[tauri::command]
pub async fn apply_call(app: AppHandle, document: String, group: EditGroup) -> Answer<CallChange> {
    execute(app, Command::ApplyCall, move |studio| {
        studio.apply_call(&document, &group)
    })
    .await
}

#[tauri::command]
pub async fn undo_call(app: AppHandle, document: String) -> Answer<CallChange> {
    execute(app, Command::UndoCall, move |studio| {
        studio.undo_call(&document)
    })
    .await
}

#[tauri::command]
pub async fn redo_call(app: AppHandle, document: String) -> Answer<CallChange> {
    execute(app, Command::RedoCall, move |studio| {
        studio.redo_call(&document)
    })
    .await
}

#[tauri::command]
pub async fn save_call(app: AppHandle, document: String) -> Answer<CallSaved> {
    execute(app, Command::SaveCall, move |studio| {
        studio.save_call(&document)
    })
    .await
}

#[tauri::command]
pub async fn resolve_call(
    app: AppHandle,
    document: String,
    choices: BTreeMap<String, Choice>,
) -> Answer<CallChange> {
    execute(app, Command::ResolveCall, move |studio| {
        studio.resolve_call(&document, &choices)
    })
    .await
}

#[tauri::command]
pub async fn use_call(app: AppHandle, document: String, call: Option<String>) -> Answer<Change> {
    execute(app, Command::UseCall, move |studio| {
        studio.use_call(&document, call.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn request(
    app: AppHandle,
    document: String,
    params: RequestParams,
) -> Answer<RequestView> {
    execute(app, Command::Request, move |studio| {
        studio.request(&document, &params)
    })
    .await
}
