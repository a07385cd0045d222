//! Commands about call documents and the requests made of them.

use std::collections::BTreeMap;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Applied, CallChange, CallEntry, CallSaved, Change, Choice, OpenCall, RequestOrder, RequestShown,
};
use tauri::State;

use super::{Answer, answer};

#[tauri::command(async)]
pub fn calls(studio: State<'_, Studio>) -> Answer<Vec<CallEntry>> {
    answer(studio.calls())
}

#[tauri::command(async)]
pub fn new_call(studio: State<'_, Studio>, registry: &str) -> Answer<String> {
    answer(studio.new_call(registry))
}

#[tauri::command(async)]
pub fn open_call(studio: State<'_, Studio>, document: &str) -> Answer<OpenCall> {
    answer(studio.open_call(document))
}

#[tauri::command(async)]
pub fn apply_call(studio: State<'_, Studio>, document: &str, group: Applied) -> Answer<CallChange> {
    answer(studio.apply_call(document, &group))
}

#[tauri::command(async)]
pub fn undo_call(studio: State<'_, Studio>, document: &str) -> Answer<CallChange> {
    answer(studio.undo_call(document))
}

#[tauri::command(async)]
pub fn redo_call(studio: State<'_, Studio>, document: &str) -> Answer<CallChange> {
    answer(studio.redo_call(document))
}

#[tauri::command(async)]
pub fn save_call(studio: State<'_, Studio>, document: &str) -> Answer<CallSaved> {
    answer(studio.save_call(document))
}

#[tauri::command(async)]
pub fn resolve_call(
    studio: State<'_, Studio>,
    document: &str,
    choices: BTreeMap<String, Choice>,
) -> Answer<CallChange> {
    answer(studio.resolve_call(document, &choices))
}

#[tauri::command(async)]
pub fn use_call(studio: State<'_, Studio>, document: &str, call: Option<&str>) -> Answer<Change> {
    answer(studio.use_call(document, call))
}

#[tauri::command(async)]
pub fn request(
    studio: State<'_, Studio>,
    document: &str,
    order: RequestOrder,
) -> Answer<RequestShown> {
    answer(studio.request(document, &order))
}
