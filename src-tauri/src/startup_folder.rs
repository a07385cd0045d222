//! Chooses the registries folder that the window opens.

use std::env;
use std::path::{Path, PathBuf};

use promptdeck_service::{ServiceError, workspace};
use tauri::Manager as _;

/// Environment variable with the folder; an argument takes precedence.
const FOLDER_VARIABLE: &str = "PROMPTDECK_REGISTRIES";

/// The folder given as an argument or in the environment, or `registries` in the current folder.
/// Otherwise `Promptdeck` in the user's documents folder, filled with the samples on first use.
pub fn choose(app: &tauri::App) -> Result<PathBuf, ServiceError> {
    let named = env::args_os()
        .nth(1)
        .or_else(|| env::var_os(FOLDER_VARIABLE));
    if let Some(folder) = named.filter(|folder| !folder.is_empty()) {
        return Ok(absolute(Path::new(&folder)));
    }
    let here = absolute(Path::new("registries"));
    if here.is_dir() {
        return Ok(here);
    }
    let paths = app.path();
    let documents = paths.document_dir().or_else(|_| paths.home_dir());
    let folder = documents.unwrap_or_default().join("Promptdeck");
    if let Ok(samples) = paths.resource_dir() {
        workspace::seed(&folder, &samples.join("registries"))?;
    }
    Ok(folder)
}

/// Makes a path absolute; returns it unchanged if there is no current folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
