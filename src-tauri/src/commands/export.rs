//! Commands that write outside the registries folder: to a file of the author's choice, or to the
//! clipboard.

use std::path::Path;

use promptdeck_service::command::Command;
use promptdeck_service::wire::{Exported, Failure, PromptFile, PromptFileFormat, PromptFileSource};
use promptdeck_service::{ServiceError, Studio};
use tauri::{AppHandle, Manager as _};
use tauri_plugin_dialog::DialogExt;

use super::{Answer, execute};
use crate::clipboard::Clipboard;
use crate::dialog;

/// A kind of file, as the dialog names it.
struct FileKind {
    title: &'static str,
    filter: &'static str,
    extension: &'static str,
}

const MODEL_JSON: FileKind = FileKind {
    title: "Export model JSON",
    filter: "Model JSON",
    extension: "json",
};

impl From<PromptFileFormat> for FileKind {
    fn from(format: PromptFileFormat) -> Self {
        match format {
            PromptFileFormat::Dotprompt => Self {
                title: "Export dotprompt file",
                filter: "dotprompt",
                extension: "prompt",
            },
            PromptFileFormat::Prompty => Self {
                title: "Export Prompty file",
                filter: "Prompty",
                extension: "prompty",
            },
        }
    }
}

/// Asks for a path and writes the file; `None` if the author cancels the dialog. It proposes a name
/// in the folder of the document with that name, or in the folder of registries.
async fn export(
    app: AppHandle,
    command: Command,
    kind: FileKind,
    name: &str,
    write: impl FnOnce(&Studio, &Path) -> Result<Exported, ServiceError> + Send + 'static,
) -> Answer<Option<Exported>> {
    let (folder, stem) = name.rsplit_once('/').unwrap_or(("", name));
    let inside = folder.to_owned();
    let find = move |studio: &Studio| studio.path_of(&inside);
    let folder = execute(app.clone(), command, find).await?;
    let dialog = app
        .dialog()
        .file()
        .set_title(kind.title)
        .add_filter(kind.filter, &[kind.extension])
        .set_directory(folder)
        .set_file_name(format!("{stem}.{}", kind.extension));
    let Some(path) = dialog::pick(|answer| dialog.save_file(answer)).await else {
        return Ok(None);
    };
    execute(app, command, move |studio| write(studio, &path).map(Some)).await
}

/// The name of a document's file without its extension.
fn stem(document: &str) -> &str {
    document.strip_suffix(".json").unwrap_or(document)
}

#[tauri::command]
pub async fn export_file(app: AppHandle, document: String) -> Answer<Option<Exported>> {
    let name = format!("{}.model", stem(&document));
    let write = move |studio: &Studio, path: &Path| studio.export_to(&document, path);
    export(app, Command::ExportFile, MODEL_JSON, &name, write).await
}

#[tauri::command]
pub async fn export_snapshot(app: AppHandle, id: u32) -> Answer<Option<Exported>> {
    let name = format!("snapshot-{id}.model");
    let write = move |studio: &Studio, path: &Path| studio.export_snapshot_to(id, path);
    export(app, Command::ExportSnapshot, MODEL_JSON, &name, write).await
}

#[tauri::command]
pub async fn prompt_file(
    app: AppHandle,
    source: PromptFileSource,
    format: PromptFileFormat,
) -> Answer<PromptFile> {
    execute(app, Command::PromptFile, move |studio| {
        studio.prompt_file(&source, format)
    })
    .await
}

#[tauri::command]
pub async fn export_prompt_file(
    app: AppHandle,
    source: PromptFileSource,
    format: PromptFileFormat,
) -> Answer<Option<Exported>> {
    let name = match &source {
        PromptFileSource::Document { document, .. } => stem(document).to_owned(),
        PromptFileSource::Snapshot { id } => format!("snapshot-{id}"),
    };
    let write =
        move |studio: &Studio, path: &Path| studio.export_prompt_file_to(&source, format, path);
    export(app, Command::ExportPromptFile, format.into(), &name, write).await
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
