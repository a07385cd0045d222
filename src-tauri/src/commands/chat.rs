//! Commands of the *Chat* tab. Paths come from the system's dialog, never from the page.

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    ChatForm, ChatInspection, ChatModel, ChatOpening, ChatReport, ChatSetup, ChatSlot,
    ChatTemplate, ChatTrial,
};
use tauri::{AppHandle, Manager as _, State};
use tauri_plugin_dialog::DialogExt;

use super::{Answer, answer};

#[tauri::command(async)]
pub fn chat(studio: State<'_, Studio>, document: &str) -> Answer<ChatOpening> {
    answer(studio.chat(document))
}

#[tauri::command(async)]
pub fn save_chat(studio: State<'_, Studio>, document: &str, setup: ChatSetup) -> Answer<()> {
    answer(studio.save_chat(document, &setup))
}

#[tauri::command(async)]
pub fn render_chat(
    studio: State<'_, Studio>,
    document: &str,
    setup: ChatSetup,
) -> Answer<ChatReport> {
    answer(studio.render_chat(document, &setup))
}

#[tauri::command(async)]
pub fn inspect_chat(
    studio: State<'_, Studio>,
    document: &str,
    setup: ChatSetup,
) -> Answer<ChatInspection> {
    answer(studio.inspect_chat(document, &setup))
}

#[tauri::command(async)]
pub fn compare_chat(
    studio: State<'_, Studio>,
    document: &str,
    setup: ChatSetup,
    other: ChatTemplate,
) -> Answer<Vec<ChatTrial>> {
    answer(studio.compare_chat(document, &setup, &other))
}

#[tauri::command(async)]
pub fn copied_chat(
    studio: State<'_, Studio>,
    document: &str,
    setup: ChatSetup,
    form: ChatForm,
) -> Answer<String> {
    answer(studio.copied_chat(document, &setup, form))
}

/// Asks for a template, a GGUF file or, on wish, a model folder; none when the author closed the
/// dialog. Not on the main thread, which has to draw the dialog meanwhile.
#[tauri::command(async)]
pub fn choose_chat_model(
    app: AppHandle,
    studio: State<'_, Studio>,
    document: &str,
    slot: ChatSlot,
    folder: bool,
) -> Answer<Option<ChatModel>> {
    let before = answer(studio.chat_model_folder(document, slot))?;
    let dialog = match before.or_else(|| app.path().home_dir().ok()) {
        Some(folder) => app.dialog().file().set_directory(folder),
        None => app.dialog().file(),
    };
    let chosen = if folder {
        dialog.blocking_pick_folder()
    } else {
        dialog
            .add_filter(
                "Chat templates and models",
                &["jinja", "jinja2", "j2", "txt", "json", "gguf"],
            )
            .add_filter("All files", &["*"])
            .blocking_pick_file()
    };
    let Some(path) = chosen.and_then(|chosen| chosen.into_path().ok()) else {
        return Ok(None);
    };
    answer(studio.choose_chat_model(document, slot, &path)).map(Some)
}
