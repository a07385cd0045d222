//! Commands about runs and the connections they are made through.

use std::io;

use promptdeck_service::wire::{
    Change, ConnectionEntry, Connections, RunBegun, RunDetail, RunHistory, RunOrder,
};
use promptdeck_service::{ServiceError, Studio};
use tauri::async_runtime::spawn_blocking;
use tauri::{AppHandle, Manager, State};

use super::{Answer, answer};

/// Works where blocking is allowed: whatever opens a connection waits for the network or the
/// keyring, which the threads of the window's own runtime must not.
async fn blocking<T: Send + 'static>(
    app: AppHandle,
    work: impl FnOnce(&Studio) -> Result<T, ServiceError> + Send + 'static,
) -> Answer<T> {
    match spawn_blocking(move || answer(work(&app.state::<Studio>()))).await {
        Ok(answer) => answer,
        Err(fault) => answer(Err(ServiceError::Thread(io::Error::other(
            fault.to_string(),
        )))),
    }
}

#[tauri::command(async)]
pub fn connections(studio: State<'_, Studio>) -> Answer<Connections> {
    answer(studio.connections())
}

#[tauri::command]
pub async fn keep_connection(
    app: AppHandle,
    connection: ConnectionEntry,
    before: Option<String>,
) -> Answer<ConnectionEntry> {
    blocking(app, move |studio| {
        studio.keep_connection(&connection, before.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn forget_connection(app: AppHandle, name: String) -> Answer<()> {
    blocking(app, move |studio| studio.forget_connection(&name)).await
}

#[tauri::command]
pub async fn set_key(app: AppHandle, name: String, key: String) -> Answer<ConnectionEntry> {
    blocking(app, move |studio| studio.set_key(&name, &key)).await
}

#[tauri::command(async)]
pub fn use_model(studio: State<'_, Studio>, name: &str, model: &str) -> Answer<ConnectionEntry> {
    answer(studio.use_model(name, model))
}

#[tauri::command]
pub async fn models(app: AppHandle, name: String) -> Answer<Vec<String>> {
    blocking(app, move |studio| studio.models(&name)).await
}

#[tauri::command]
pub async fn try_connection(
    app: AppHandle,
    connection: ConnectionEntry,
    before: Option<String>,
    key: Option<String>,
) -> Answer<Vec<String>> {
    blocking(app, move |studio| {
        studio.try_connection(&connection, before.as_deref(), key.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn start_runs(app: AppHandle, document: String, order: RunOrder) -> Answer<RunBegun> {
    blocking(app, move |studio| studio.start_runs(&document, &order)).await
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
