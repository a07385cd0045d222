//! Commands about the folder of registries and the window's settings, and the first of all.

use promptdeck_service::command::Command;
use promptdeck_service::executor::Executor;
use promptdeck_service::wire::{Beginning, Event, Imported, Settings, View, Workspace};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager as _};

use super::{Answer, execute};
use crate::events::Events;
use crate::keystroke::Edited;
use crate::late::Late;

/// Events go to the page that started last, and answers to edits and questions of an earlier one to
/// nobody.
#[tauri::command]
pub async fn start(app: AppHandle, page: Channel<Event>) -> Answer<Beginning> {
    app.state::<Late<Edited>>().forget();
    app.state::<Executor>().cancel_all();
    app.state::<Events>().listen(page);
    execute(app, Command::Start, |studio| Ok(studio.begin())).await
}

#[tauri::command]
pub async fn workspace(app: AppHandle) -> Answer<Workspace> {
    execute(app, Command::Workspace, |studio| Ok(studio.workspace())).await
}

#[tauri::command]
pub async fn new_registry(app: AppHandle, title: String) -> Answer<String> {
    execute(app, Command::NewRegistry, move |studio| {
        studio.new_registry(&title)
    })
    .await
}

#[tauri::command]
pub async fn duplicate_registry(app: AppHandle, file: String) -> Answer<String> {
    execute(app, Command::DuplicateRegistry, move |studio| {
        studio.duplicate_registry(&file)
    })
    .await
}

#[tauri::command]
pub async fn import_registry(app: AppHandle, name: String, text: String) -> Answer<Imported> {
    execute(app, Command::ImportRegistry, move |studio| {
        studio.import_registry(&name, &text)
    })
    .await
}

#[tauri::command]
pub async fn save_settings(app: AppHandle, settings: Settings) -> Answer<()> {
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
