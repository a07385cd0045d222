//! Commands about snapshots.

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, Comparison, Granularity, Side, SnapshotPage, SnapshotQuery, SnapshotSummary,
};
use tauri::State;

use super::{Answer, answer};

#[tauri::command(async)]
pub fn snapshots(studio: State<'_, Studio>, query: SnapshotQuery) -> Answer<SnapshotPage> {
    answer(studio.snapshots(&query))
}

#[tauri::command(async)]
pub fn take_snapshot(
    studio: State<'_, Studio>,
    document: &str,
    name: Option<&str>,
) -> Answer<SnapshotSummary> {
    answer(studio.take_snapshot(document, name))
}

#[tauri::command(async)]
pub fn switch_snapshot(studio: State<'_, Studio>, document: &str, id: u32) -> Answer<Change> {
    answer(studio.switch_snapshot(document, id))
}

#[tauri::command(async)]
pub fn describe_snapshot(
    studio: State<'_, Studio>,
    id: u32,
    name: &str,
    note: &str,
) -> Answer<SnapshotSummary> {
    answer(studio.describe_snapshot(id, name, note))
}

#[tauri::command(async)]
pub fn pin_snapshot(
    studio: State<'_, Studio>,
    id: u32,
    key: Option<u8>,
) -> Answer<SnapshotSummary> {
    answer(studio.pin_snapshot(id, key))
}

#[tauri::command(async)]
pub fn duplicate_snapshot(studio: State<'_, Studio>, id: u32) -> Answer<SnapshotSummary> {
    answer(studio.duplicate_snapshot(id))
}

#[tauri::command(async)]
pub fn delete_snapshot(studio: State<'_, Studio>, id: u32) -> Answer<()> {
    answer(studio.delete_snapshot(id))
}

#[tauri::command(async)]
pub fn undelete_snapshot(studio: State<'_, Studio>, id: u32) -> Answer<SnapshotSummary> {
    answer(studio.undelete_snapshot(id))
}

#[tauri::command(async)]
pub fn compare(
    studio: State<'_, Studio>,
    document: &str,
    left: Side,
    right: Side,
    granularity: Granularity,
) -> Answer<Comparison> {
    answer(studio.compare(document, &left, &right, granularity))
}
