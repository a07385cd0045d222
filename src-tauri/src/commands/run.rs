//! Commands about runs and the connections they are made through.

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, ConnectionEntry, Connections, RunBegun, RunDetail, RunHistory, RunOrder,
};
use tauri::State;

use super::{Answer, answer};

#[tauri::command(async)]
pub fn connections(studio: State<'_, Studio>) -> Answer<Connections> {
    answer(studio.connections())
}

#[tauri::command(async)]
pub fn keep_connection(
    studio: State<'_, Studio>,
    connection: ConnectionEntry,
    before: Option<&str>,
) -> Answer<ConnectionEntry> {
    answer(studio.keep_connection(&connection, before))
}

#[tauri::command(async)]
pub fn forget_connection(studio: State<'_, Studio>, name: &str) -> Answer<()> {
    answer(studio.forget_connection(name))
}

#[tauri::command(async)]
pub fn set_key(studio: State<'_, Studio>, name: &str, key: &str) -> Answer<ConnectionEntry> {
    answer(studio.set_key(name, key))
}

#[tauri::command(async)]
pub fn use_model(studio: State<'_, Studio>, name: &str, model: &str) -> Answer<ConnectionEntry> {
    answer(studio.use_model(name, model))
}

#[tauri::command(async)]
pub fn models(studio: State<'_, Studio>, name: &str) -> Answer<Vec<String>> {
    answer(studio.models(name))
}

#[tauri::command(async)]
pub fn try_connection(
    studio: State<'_, Studio>,
    connection: ConnectionEntry,
    before: Option<&str>,
    key: Option<&str>,
) -> Answer<Vec<String>> {
    answer(studio.try_connection(&connection, before, key))
}

#[tauri::command(async)]
pub fn start_runs(studio: State<'_, Studio>, document: &str, order: RunOrder) -> Answer<RunBegun> {
    answer(studio.start_runs(document, &order))
}

#[tauri::command(async)]
pub fn stop_runs(studio: State<'_, Studio>, order: u32) {
    studio.stop_runs(order);
}

#[tauri::command(async)]
pub fn runs(
    studio: State<'_, Studio>,
    document: &str,
    offset: u32,
    limit: u32,
) -> Answer<RunHistory> {
    answer(studio.runs(document, offset, limit))
}

#[tauri::command(async)]
pub fn run(studio: State<'_, Studio>, id: u32) -> Answer<RunDetail> {
    answer(studio.run(id))
}

#[tauri::command(async)]
pub fn forget_run(studio: State<'_, Studio>, id: u32) -> Answer<()> {
    answer(studio.forget_run(id))
}

#[tauri::command(async)]
pub fn reopen_run(studio: State<'_, Studio>, document: &str, id: u32) -> Answer<Change> {
    answer(studio.reopen_run(document, id))
}
