//! Commands of the *Chat* tab. Paths come from the system's file dialog, never from the page.

use promptdeck_service::Studio;
use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    ChatForm, ChatInspection, ChatModel, ChatOpening, ChatReport, ChatSetup, ChatSlot,
    ChatTemplate, ChatTrial,
};
use tauri::{AppHandle, Manager as _};
use tauri_plugin_dialog::DialogExt;

use super::{Answer, execute, execute_cancellable};
use crate::dialog;

#[tauri::command]
pub async fn chat(app: AppHandle, document: String) -> Answer<ChatOpening> {
    execute(app, Command::Chat, move |studio| studio.chat(&document)).await
}

#[tauri::command]
pub async fn save_chat(app: AppHandle, document: String, setup: ChatSetup) -> Answer<()> {
    execute(app, Command::SaveChat, move |studio| {
        studio.save_chat(&document, &setup)
    })
    .await
}

#[tauri::command]
pub async fn render_chat(app: AppHandle, document: String, setup: ChatSetup) -> Answer<ChatReport> {
    execute(app, Command::RenderChat, move |studio| {
        studio.render_chat(&document, &setup)
    })
    .await
}

#[tauri::command]
pub async fn inspect_chat(
    app: AppHandle,
    document: String,
    setup: ChatSetup,
) -> Answer<ChatInspection> {
    execute_cancellable(app, Command::InspectChat, move |studio, cancel| {
        studio.inspect_chat(&document, &setup, cancel)
    })
    .await
}

#[tauri::command]
pub async fn compare_chat(
    app: AppHandle,
    document: String,
    setup: ChatSetup,
    other: ChatTemplate,
) -> Answer<Vec<ChatTrial>> {
    execute_cancellable(app, Command::CompareChat, move |studio, cancel| {
        studio.compare_chat(&document, &setup, &other, cancel)
    })
    .await
}

#[tauri::command]
pub async fn copied_chat(
    app: AppHandle,
    document: String,
    setup: ChatSetup,
    form: ChatForm,
) -> Answer<String> {
    execute(app, Command::CopiedChat, move |studio| {
        studio.copied_chat(&document, &setup, form)
    })
    .await
}

/// Asks for a template, a GGUF file or, if `folder` is set, a model folder; `None` if the author
/// cancels the dialog.
#[tauri::command]
pub async fn choose_chat_model(
    app: AppHandle,
    document: String,
    slot: ChatSlot,
    folder: bool,
) -> Answer<Option<ChatModel>> {
    let owner = document.clone();
    let find = move |studio: &Studio| studio.chat_model_folder(&owner, slot);
    let before = execute(app.clone(), Command::ChooseChatModel, find).await?;
    let dialog = match before.or_else(|| app.path().home_dir().ok()) {
        Some(folder) => app.dialog().file().set_directory(folder),
        None => app.dialog().file(),
    };
    let chosen = if folder {
        dialog::pick(|answer| dialog.pick_folder(answer)).await
    } else {
        let dialog = dialog
            .add_filter(
                "Chat templates and models",
                &["jinja", "jinja2", "j2", "txt", "json", "gguf"],
            )
            .add_filter("All files", &["*"]);
        dialog::pick(|answer| dialog.pick_file(answer)).await
    };
    let Some(path) = chosen else {
        return Ok(None);
    };
    execute(app, Command::ChooseChatModel, move |studio| {
        studio.choose_chat_model(&document, slot, &path).map(Some)
    })
    .await
}
