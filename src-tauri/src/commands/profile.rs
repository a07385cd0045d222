//! Commands on the profile of a document.

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    Change, Profile, ProfileParams, ProfileProgress, RollFilter, RollList, SampleParams,
    SampledRolls,
};
use tauri::AppHandle;

use super::{Answer, execute, execute_cancellable};

#[tauri::command]
pub async fn measure_profile(
    app: AppHandle,
    document: String,
    params: ProfileParams,
) -> Answer<Profile> {
    execute_cancellable(app, Command::MeasureProfile, move |studio, cancel| {
        studio.measure_profile(&document, &params, cancel)
    })
    .await
}

#[tauri::command]
pub async fn profile_progress(app: AppHandle) -> Answer<Option<ProfileProgress>> {
    execute(app, Command::ProfileProgress, |studio| {
        Ok(studio.profile_progress())
    })
    .await
}

#[tauri::command]
pub async fn profile_rolls(
    app: AppHandle,
    document: String,
    params: ProfileParams,
    filter: RollFilter,
    from: u32,
) -> Answer<RollList> {
    execute_cancellable(app, Command::ProfileRolls, move |studio, cancel| {
        studio.profile_rolls(&document, &params, &filter, from, cancel)
    })
    .await
}

#[tauri::command]
pub async fn sample_rolls(
    app: AppHandle,
    document: String,
    params: SampleParams,
) -> Answer<SampledRolls> {
    execute_cancellable(app, Command::SampleRolls, move |studio, cancel| {
        studio.sample_rolls(&document, &params, cancel)
    })
    .await
}

#[tauri::command]
pub async fn use_sampled(app: AppHandle, document: String, params: SampleParams) -> Answer<Change> {
    execute(app, Command::UseSampled, move |studio| {
        studio.use_sampled(&document, &params)
    })
    .await
}

#[tauri::command]
pub async fn stop_profile(app: AppHandle) -> Answer<()> {
    execute(app, Command::StopProfile, |studio| {
        studio.stop_profile();
        Ok(())
    })
    .await
}
