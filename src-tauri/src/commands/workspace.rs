//! Commands on the settings, and the command that starts the window.

use promptdeck_service::command::Command;
use promptdeck_service::executor::Executor;
use promptdeck_service::wire::{Event, Settings, StartupState, View, Workspace};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager as _};

use super::{Answer, execute};
use crate::deferred_replies::DeferredReplies;
use crate::early_start::EarlyStart;
use crate::edit_protocol::EditReply;
use crate::events::Events;

/// Events go to the page that started last. Replies to requests of an earlier page are dropped.
#[tauri::command]
pub async fn start(app: AppHandle, page: Channel<Event>) -> Answer<StartupState> {
    app.state::<DeferredReplies<EditReply>>().forget();
    app.state::<Executor>().cancel_all();
    app.state::<Events>().listen(page);
    let early = app.clone();
    let state = execute(app.clone(), Command::Start, move |studio| {
        Ok(early.state::<EarlyStart>().state(studio))
    })
    .await?;
    zoom(&app, &state.workspace.settings);
    Ok(state)
}

/// The page has drawn the window. What would have delayed that begins now: the dictionary is read on
/// the thread that hands the page its script.
#[tauri::command]
pub async fn started(app: AppHandle) -> Answer<()> {
    let settings = execute(app.clone(), Command::Started, |studio| Ok(studio.started())).await?;
    switch_spell_check(&app, &settings);
    Ok(())
}

/// On other systems the web view checks spelling wherever the page allows it.
fn switch_spell_check(app: &AppHandle, settings: &Settings) {
    #[cfg(target_os = "linux")]
    crate::spell_check::switch(app, settings.spell_check);
    #[cfg(not(target_os = "linux"))]
    let _ = (app, settings);
}

/// Zooms the windows as the settings say, within the bounds of [`Settings::zoom`].
fn zoom(app: &AppHandle, settings: &Settings) {
    for window in app.webview_windows().into_values() {
        // Fails only for a closed window.
        drop(window.set_zoom(f64::from(settings.zoom.clamp(50, 300)) / 100.0));
    }
}

#[tauri::command]
pub async fn workspace(app: AppHandle) -> Answer<Workspace> {
    execute(app, Command::Workspace, |studio| Ok(studio.workspace())).await
}

#[tauri::command]
pub async fn save_settings(app: AppHandle, settings: Settings) -> Answer<()> {
    switch_spell_check(&app, &settings);
    zoom(&app, &settings);
    execute(app, Command::SaveSettings, move |studio| {
        studio.save_settings(&settings)
    })
    .await
}

#[tauri::command]
pub async fn view(app: AppHandle, file: String) -> Answer<View> {
    execute(app, Command::View, move |studio| studio.view(&file)).await
}

#[tauri::command]
pub async fn save_view(app: AppHandle, file: String, view: View) -> Answer<()> {
    execute(app, Command::SaveView, move |studio| {
        studio.save_view(&file, &view)
    })
    .await
}
