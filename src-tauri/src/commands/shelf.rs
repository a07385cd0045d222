//! Commands about the folder of registries and the window's settings, and the first of all.

use promptdeck_service::Studio;
use promptdeck_service::wire::{Beginning, Event, Imported, Settings, View, Workspace};
use tauri::State;
use tauri::ipc::Channel;

use super::{Answer, answer};
use crate::events::Events;
use crate::keystroke::Edited;
use crate::late::Late;

/// Events go to the page that started last, and answers to edits of an earlier one to nobody.
#[tauri::command(async)]
pub fn start(
    studio: State<'_, Studio>,
    events: State<'_, Events>,
    late: State<'_, Late<Edited>>,
    page: Channel<Event>,
) -> Beginning {
    late.forget();
    events.listen(page);
    studio.begin()
}

#[tauri::command(async)]
pub fn workspace(studio: State<'_, Studio>) -> Workspace {
    studio.workspace()
}

#[tauri::command(async)]
pub fn new_registry(studio: State<'_, Studio>, title: &str) -> Answer<String> {
    answer(studio.new_registry(title))
}

#[tauri::command(async)]
pub fn duplicate_registry(studio: State<'_, Studio>, file: &str) -> Answer<String> {
    answer(studio.duplicate_registry(file))
}

#[tauri::command(async)]
pub fn import_registry(studio: State<'_, Studio>, name: &str, text: &str) -> Answer<Imported> {
    answer(studio.import_registry(name, text))
}

#[tauri::command(async)]
pub fn save_settings(studio: State<'_, Studio>, settings: Settings) -> Answer<()> {
    answer(studio.save_settings(&settings))
}

#[tauri::command(async)]
pub fn view(studio: State<'_, Studio>, file: &str) -> Answer<View> {
    answer(studio.view(file))
}

#[tauri::command(async)]
pub fn save_view(studio: State<'_, Studio>, file: &str, view: View) -> Answer<()> {
    answer(studio.save_view(file, &view))
}
