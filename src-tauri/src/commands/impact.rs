//! Commands on the impact of edits.

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Comparison, EditImpact, Impact, ImpactParams, ProfileProgress, Side, SnapshotImpact,
};
use tauri::AppHandle;

use super::{Answer, execute, execute_cancellable};

#[tauri::command]
pub async fn compare_roll(
    app: AppHandle,
    document: String,
    left: Side,
    right: Side,
    seed: u64,
) -> Answer<Comparison> {
    execute(app, Command::CompareRoll, move |studio| {
        studio.compare_roll(&document, &left, &right, seed)
    })
    .await
}

#[tauri::command]
pub async fn edit_impact(
    app: AppHandle,
    document: String,
    seed: u64,
    budget: Option<u32>,
) -> Answer<Option<EditImpact>> {
    execute_cancellable(app, Command::EditImpact, move |studio, cancel| {
        studio.edit_impact(&document, seed, budget, cancel)
    })
    .await
}

#[tauri::command]
pub async fn impact_progress(app: AppHandle) -> Answer<Option<ProfileProgress>> {
    execute(app, Command::ImpactProgress, |studio| {
        Ok(studio.impact_progress())
    })
    .await
}

#[tauri::command]
pub async fn measure_impact(
    app: AppHandle,
    document: String,
    params: ImpactParams,
) -> Answer<Impact> {
    execute_cancellable(app, Command::MeasureImpact, move |studio, cancel| {
        studio.measure_impact(&document, &params, cancel)
    })
    .await
}

#[tauri::command]
pub async fn snapshot_impact(app: AppHandle, document: String) -> Answer<SnapshotImpact> {
    execute_cancellable(app, Command::SnapshotImpact, move |studio, cancel| {
        studio.snapshot_impact(&document, cancel)
    })
    .await
}

#[tauri::command]
pub async fn stop_impact(app: AppHandle) -> Answer<()> {
    execute(app, Command::StopImpact, |studio| {
        studio.stop_impact();
        Ok(())
    })
    .await
}
