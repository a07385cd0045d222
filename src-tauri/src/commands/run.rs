//! Commands on runs and connections.

use promptdeck_service::Studio;
use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Change, ConnectionEntry, Connections, RunDetail, RunHistory, RunParams, RunStarted,
};
use tauri::AppHandle;

use super::{Answer, execute};

#[tauri::command]
pub async fn connections(app: AppHandle) -> Answer<Connections> {
    execute(app, Command::Connections, Studio::connections).await
}

#[tauri::command]
pub async fn keep_connection(
    app: AppHandle,
    connection: ConnectionEntry,
    before: Option<String>,
) -> Answer<ConnectionEntry> {
    execute(app, Command::KeepConnection, move |studio| {
        studio.keep_connection(&connection, before.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn forget_connection(app: AppHandle, name: String) -> Answer<()> {
    execute(app, Command::ForgetConnection, move |studio| {
        studio.forget_connection(&name)
    })
    .await
}

#[tauri::command]
pub async fn set_key(app: AppHandle, name: String, key: String) -> Answer<ConnectionEntry> {
    execute(app, Command::SetKey, move |studio| {
        studio.set_key(&name, &key)
    })
    .await
}

#[tauri::command]
pub async fn use_model(app: AppHandle, name: String, model: String) -> Answer<ConnectionEntry> {
    execute(app, Command::UseModel, move |studio| {
        studio.use_model(&name, &model)
    })
    .await
}

#[tauri::command]
pub async fn models(app: AppHandle, name: String) -> Answer<Vec<String>> {
    execute(app, Command::Models, move |studio| studio.models(&name)).await
}

#[tauri::command]
pub async fn try_connection(
    app: AppHandle,
    connection: ConnectionEntry,
    before: Option<String>,
    key: Option<String>,
) -> Answer<Vec<String>> {
    execute(app, Command::TryConnection, move |studio| {
        studio.try_connection(&connection, before.as_deref(), key.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn start_runs(app: AppHandle, document: String, params: RunParams) -> Answer<RunStarted> {
    execute(app, Command::StartRuns, move |studio| {
        studio.start_runs(&document, &params)
    })
    .await
}

#[tauri::command]
pub async fn stop_runs(app: AppHandle, batch: u32) -> Answer<()> {
    execute(app, Command::StopRuns, move |studio| {
        studio.stop_runs(batch);
        Ok(())
    })
    .await
}

#[tauri::command]
pub async fn runs(app: AppHandle, document: String, offset: u32, limit: u32) -> Answer<RunHistory> {
    execute(app, Command::Runs, move |studio| {
        studio.runs(&document, offset, limit)
    })
    .await
}

#[tauri::command]
pub async fn run(app: AppHandle, id: u32) -> Answer<RunDetail> {
    execute(app, Command::Run, move |studio| studio.run(id)).await
}

#[tauri::command]
pub async fn forget_run(app: AppHandle, id: u32) -> Answer<()> {
    execute(app, Command::ForgetRun, move |studio| studio.forget_run(id)).await
}

#[tauri::command]
pub async fn reopen_run(app: AppHandle, document: String, id: u32) -> Answer<Change> {
    execute(app, Command::ReopenRun, move |studio| {
        studio.reopen_run(&document, id)
    })
    .await
}
