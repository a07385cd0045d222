//! Commands of the dialog that creates a registry: blank, from a starter, or from an imported document.

use promptdeck_service::command::Command;
use promptdeck_service::wire::{NewRegistry, NewRegistryOptions, SourceChange, SourceView};
use promptdeck_service::{ServiceError, Studio};
use tauri::AppHandle;
use tauri::ipc::{InvokeBody, Request};
use tauri_plugin_dialog::DialogExt;

use super::{Answer, execute};
use crate::dialog;

/// The header with the name of a source, as JSON in ASCII: headers hold nothing else.
const NAME_HEADER: &str = "name";

#[tauri::command]
pub async fn new_registry_options(app: AppHandle) -> Answer<NewRegistryOptions> {
    execute(
        app,
        Command::NewRegistryOptions,
        Studio::new_registry_options,
    )
    .await
}

/// The body is the document as bytes, which the page passes on without reading them.
#[tauri::command]
pub async fn read_source(app: AppHandle, request: Request<'_>) -> Answer<SourceView> {
    let name = request.headers().get(NAME_HEADER);
    let name = name.and_then(|value| serde_json::from_slice(value.as_bytes()).ok());
    let name: String = name.unwrap_or_default();
    let bytes = match request.body() {
        InvokeBody::Raw(bytes) => bytes.clone(),
        InvokeBody::Json(_) => return Err(ServiceError::Nothing("read").into()),
    };
    execute(app, Command::ReadSource, move |studio| {
        studio.read_source(&name, bytes)
    })
    .await
}

#[tauri::command]
pub async fn change_source(
    app: AppHandle,
    number: u32,
    change: SourceChange,
) -> Answer<SourceView> {
    execute(app, Command::ChangeSource, move |studio| {
        studio.change_source(number, &change)
    })
    .await
}

/// Asks for a folder of wildcards and reads the source with it; `None` if the author cancels the dialog.
#[tauri::command]
pub async fn choose_wildcards(app: AppHandle, number: u32) -> Answer<Option<SourceView>> {
    let find = |studio: &Studio| studio.path_of("");
    let open = execute(app.clone(), Command::ChooseWildcards, find).await?;
    let dialog = app
        .dialog()
        .file()
        .set_title("Choose the folder of wildcards")
        .set_directory(open);
    let Some(folder) = dialog::pick(|answer| dialog.pick_folder(answer)).await else {
        return Ok(None);
    };
    execute(app, Command::ChooseWildcards, move |studio| {
        studio.use_wildcards(number, &folder).map(Some)
    })
    .await
}

#[tauri::command]
pub async fn forget_source(app: AppHandle, number: u32) -> Answer<()> {
    execute(app, Command::ForgetSource, move |studio| {
        studio.forget_source(number);
        Ok(())
    })
    .await
}

#[tauri::command]
pub async fn new_registry(
    app: AppHandle,
    content: NewRegistry,
    folder: String,
    name: String,
) -> Answer<String> {
    execute(app, Command::NewRegistry, move |studio| {
        studio.new_registry(&content, &folder, &name)
    })
    .await
}
