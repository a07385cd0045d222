//! Commands that leave the folder: a file where the author says, text on the clipboard.

use std::path::{Path, PathBuf};

use promptdeck_service::wire::Failure;
use promptdeck_service::{ServiceError, Studio};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;

use super::Answer;
use crate::clipboard::Clipboard;

/// Asks where to write; none when the author closed the dialog.
fn ask(app: &AppHandle, name: &str) -> Option<PathBuf> {
    let chosen = app
        .dialog()
        .file()
        .set_title("Export model JSON")
        .add_filter("Model JSON", &["json"])
        .set_file_name(name)
        .blocking_save_file()?;
    chosen.into_path().ok()
}

/// Asks, writes, and gives the path.
fn export(
    app: &AppHandle,
    name: &str,
    write: impl FnOnce(&Path) -> Result<(), ServiceError>,
) -> Answer<Option<String>> {
    let Some(path) = ask(app, name) else {
        return Ok(None);
    };
    write(&path)?;
    Ok(Some(path.display().to_string()))
}

// Not on the main thread, which has to draw the dialog meanwhile.
#[tauri::command(async)]
pub fn export_file(
    app: AppHandle,
    studio: State<'_, Studio>,
    document: &str,
) -> Answer<Option<String>> {
    let stem = document.strip_suffix(".json").unwrap_or(document);
    export(&app, &format!("{stem}.model.json"), |path| {
        studio.export_to(document, path)
    })
}

#[tauri::command(async)]
pub fn export_snapshot(
    app: AppHandle,
    studio: State<'_, Studio>,
    id: u32,
) -> Answer<Option<String>> {
    let name = format!("snapshot-{id}.model.json");
    export(&app, &name, |path| studio.export_snapshot_to(id, path))
}

#[tauri::command(async)]
pub fn copy(clipboard: State<'_, Clipboard>, text: String) -> Answer<()> {
    clipboard.put(text).map_err(|fault| {
        let message =
            format!("the clipboard refused: {fault}; select the text and copy it by hand");
        Failure::new("clipboard", message)
    })
}
