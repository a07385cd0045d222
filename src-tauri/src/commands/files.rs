//! Commands on the files of the folder and on other folders.

use promptdeck_service::Studio;
use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    DamagedSaved, DamagedText, Deleted, Failure, Moved, NamePurpose, Places, RegistrySize,
    StartupState,
};
use tauri::AppHandle;
use tauri_plugin_dialog::DialogExt;

use super::{Answer, execute, execute_cancellable};
use crate::dialog;

#[tauri::command]
pub async fn places(app: AppHandle) -> Answer<Places> {
    execute(app, Command::Places, |studio| Ok(studio.places())).await
}

/// Asks for a folder and returns the path to open it by; `None` if the author cancels the dialog.
#[tauri::command]
pub async fn choose_folder(app: AppHandle) -> Answer<Option<String>> {
    let find = |studio: &Studio| studio.path_of("");
    let open = execute(app.clone(), Command::ChooseFolder, find).await?;
    // The next folder is most likely beside the open one.
    let beside = open.parent().unwrap_or(&open);
    let dialog = app
        .dialog()
        .file()
        .set_title("Open a folder of registries")
        .set_directory(beside);
    let Some(folder) = dialog::pick(|answer| dialog.pick_folder(answer)).await else {
        return Ok(None);
    };
    execute(app, Command::ChooseFolder, move |studio| {
        studio.choose_folder(&folder).map(Some)
    })
    .await
}

#[tauri::command]
pub async fn open_folder(
    app: AppHandle,
    folder: String,
    file: Option<String>,
) -> Answer<StartupState> {
    execute(app, Command::OpenFolder, move |studio| {
        studio.open_folder(&folder, file.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn forget_folder(app: AppHandle, folder: String) -> Answer<()> {
    execute(app, Command::ForgetFolder, move |studio| {
        studio.forget_folder(&folder);
        Ok(())
    })
    .await
}

#[tauri::command]
pub async fn open_damaged(app: AppHandle, file: String) -> Answer<DamagedText> {
    execute(app, Command::OpenDamaged, move |studio| {
        studio.open_damaged(&file)
    })
    .await
}

#[tauri::command]
pub async fn keep_damaged(
    app: AppHandle,
    file: String,
    text: String,
    version: String,
) -> Answer<Option<Failure>> {
    execute(app, Command::KeepDamaged, move |studio| {
        studio.keep_damaged(&file, text, version)
    })
    .await
}

#[tauri::command]
pub async fn save_damaged(
    app: AppHandle,
    file: String,
    text: String,
    version: String,
    replaces_other: bool,
) -> Answer<DamagedSaved> {
    execute(app, Command::SaveDamaged, move |studio| {
        studio.save_damaged(&file, &text, &version, replaces_other)
    })
    .await
}

/// The file or sub-folder that a typed name would make.
#[tauri::command]
pub async fn check_name(app: AppHandle, purpose: NamePurpose, typed: String) -> Answer<String> {
    execute(app, Command::CheckName, move |studio| {
        studio.check_name(&purpose, &typed)
    })
    .await
}

#[tauri::command]
pub async fn new_folder(app: AppHandle, name: String) -> Answer<String> {
    execute(app, Command::NewFolder, move |studio| {
        studio.new_folder(&name)
    })
    .await
}

#[tauri::command]
pub async fn rename_folder(app: AppHandle, folder: String, name: String) -> Answer<Moved> {
    execute(app, Command::RenameFolder, move |studio| {
        studio.rename_folder(&folder, &name)
    })
    .await
}

#[tauri::command]
pub async fn duplicate_folder(app: AppHandle, folder: String) -> Answer<String> {
    execute(app, Command::DuplicateFolder, move |studio| {
        studio.duplicate_folder(&folder)
    })
    .await
}

#[tauri::command]
pub async fn delete_folder(app: AppHandle, folder: String) -> Answer<Deleted> {
    execute(app, Command::DeleteFolder, move |studio| {
        studio.delete_folder(&folder)
    })
    .await
}

#[tauri::command]
pub async fn discard_folder(app: AppHandle, folder: String) -> Answer<()> {
    execute(app, Command::DiscardFolder, move |studio| {
        studio.discard_folder(&folder)
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
pub async fn rename_registry(
    app: AppHandle,
    file: String,
    title: String,
    name: Option<String>,
) -> Answer<Moved> {
    execute(app, Command::RenameRegistry, move |studio| {
        studio.rename_registry(&file, &title, name.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn move_registry(app: AppHandle, file: String, folder: String) -> Answer<Moved> {
    execute(app, Command::MoveRegistry, move |studio| {
        studio.move_registry(&file, &folder)
    })
    .await
}

#[tauri::command]
pub async fn delete_registry(app: AppHandle, file: String) -> Answer<Deleted> {
    execute(app, Command::DeleteRegistry, move |studio| {
        studio.delete_registry(&file)
    })
    .await
}

#[tauri::command]
pub async fn restore_registry(app: AppHandle, id: u32) -> Answer<String> {
    execute(app, Command::RestoreRegistry, move |studio| {
        studio.restore_registry(id)
    })
    .await
}

#[tauri::command]
pub async fn registry_sizes(app: AppHandle, files: Vec<String>) -> Answer<Vec<RegistrySize>> {
    execute_cancellable(app, Command::RegistrySizes, move |studio, cancel| {
        studio.registry_sizes(&files, cancel)
    })
    .await
}

/// Shows a registry or a sub-folder in the system's file manager; the folder if the name is empty.
#[tauri::command]
pub async fn reveal(app: AppHandle, file: String) -> Answer<()> {
    let revealed = execute(app, Command::Reveal, move |studio| {
        let path = studio.path_of(&file)?;
        let result = tauri_plugin_opener::reveal_item_in_dir(&path);
        Ok(result.map_err(|fault| (path, fault.to_string())))
    })
    .await?;
    revealed.map_err(|(path, fault)| {
        let message = format!(
            "no file manager could be opened: {fault}; the place is {}",
            path.display()
        );
        Failure::new("no_file_manager", message)
    })
}
