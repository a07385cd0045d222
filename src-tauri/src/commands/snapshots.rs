//! Commands on snapshots.

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Change, Comparison, Granularity, Side, SnapshotPage, SnapshotQuery, SnapshotSummary,
};
use tauri::AppHandle;

use super::{Answer, execute};

#[tauri::command]
pub async fn snapshots(app: AppHandle, query: SnapshotQuery) -> Answer<SnapshotPage> {
    execute(app, Command::Snapshots, move |studio| {
        studio.snapshots(&query)
    })
    .await
}

#[tauri::command]
pub async fn take_snapshot(
    app: AppHandle,
    document: String,
    name: Option<String>,
) -> Answer<SnapshotSummary> {
    execute(app, Command::TakeSnapshot, move |studio| {
        studio.take_snapshot(&document, name.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn switch_snapshot(app: AppHandle, document: String, id: u32) -> Answer<Change> {
    execute(app, Command::SwitchSnapshot, move |studio| {
        studio.switch_snapshot(&document, id)
    })
    .await
}

#[tauri::command]
pub async fn describe_snapshot(
    app: AppHandle,
    id: u32,
    name: String,
    note: String,
) -> Answer<SnapshotSummary> {
    execute(app, Command::DescribeSnapshot, move |studio| {
        studio.describe_snapshot(id, &name, &note)
    })
    .await
}

#[tauri::command]
pub async fn pin_snapshot(app: AppHandle, id: u32, key: Option<u8>) -> Answer<SnapshotSummary> {
    execute(app, Command::PinSnapshot, move |studio| {
        studio.pin_snapshot(id, key)
    })
    .await
}

#[tauri::command]
pub async fn duplicate_snapshot(app: AppHandle, id: u32) -> Answer<SnapshotSummary> {
    execute(app, Command::DuplicateSnapshot, move |studio| {
        studio.duplicate_snapshot(id)
    })
    .await
}

#[tauri::command]
pub async fn delete_snapshot(app: AppHandle, id: u32) -> Answer<()> {
    execute(app, Command::DeleteSnapshot, move |studio| {
        studio.delete_snapshot(id)
    })
    .await
}

#[tauri::command]
pub async fn undelete_snapshot(app: AppHandle, id: u32) -> Answer<SnapshotSummary> {
    execute(app, Command::UndeleteSnapshot, move |studio| {
        studio.undelete_snapshot(id)
    })
    .await
}

#[tauri::command]
pub async fn compare(
    app: AppHandle,
    document: String,
    left: Side,
    right: Side,
    granularity: Granularity,
) -> Answer<Comparison> {
    execute(app, Command::Compare, move |studio| {
        studio.compare(&document, &left, &right, granularity)
    })
    .await
}
