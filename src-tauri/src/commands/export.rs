//! Commands that write outside the registries folder: to a file of the author's choice, or to the
//! clipboard.

use std::path::Path;

use promptdeck_service::command::Command;
use promptdeck_service::wire::{Exported, Failure};
use promptdeck_service::{ServiceError, Studio};
use tauri::{AppHandle, Manager as _};
use tauri_plugin_dialog::DialogExt;

use super::{Answer, execute};
use crate::clipboard::Clipboard;
use crate::dialog;

/// Asks for a path and writes the file; `None` if the author cancels the dialog.
async fn export(
    app: AppHandle,
    command: Command,
    name: &str,
    write: impl FnOnce(&Studio, &Path) -> Result<Exported, ServiceError> + Send + 'static,
) -> Answer<Option<Exported>> {
    let dialog = app
        .dialog()
        .file()
        .set_title("Export model JSON")
        .add_filter("Model JSON", &["json"])
        .set_file_name(name);
    let Some(path) = dialog::pick(|answer| dialog.save_file(answer)).await else {
        return Ok(None);
    };
    execute(app, command, move |studio| write(studio, &path).map(Some)).await
}

#[tauri::command]
pub async fn export_file(app: AppHandle, document: String) -> Answer<Option<Exported>> {
    let stem = document.strip_suffix(".json").unwrap_or(&document);
    let name = format!("{stem}.model.json");
    let write = move |studio: &Studio, path: &Path| studio.export_to(&document, path);
    export(app, Command::ExportFile, &name, write).await
}

#[tauri::command]
pub async fn export_snapshot(app: AppHandle, id: u32) -> Answer<Option<Exported>> {
    let name = format!("snapshot-{id}.model.json");
    let write = move |studio: &Studio, path: &Path| studio.export_snapshot_to(id, path);
    export(app, Command::ExportSnapshot, &name, write).await
}

#[tauri::command]
pub async fn copy(app: AppHandle, text: String) -> Answer<()> {
    let clipboard = app.clone();
    let put = move |_: &_| {
        let put = clipboard.state::<Clipboard>().put(text);
        Ok(put.map_err(|fault| fault.to_string()))
    };
    execute(app, Command::Copy, put).await?.map_err(|fault| {
        let message =
            format!("the clipboard is not available: {fault}; select the text and copy it");
        Failure::new("clipboard", message)
    })
}
