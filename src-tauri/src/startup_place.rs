//! Chooses the registries folder that the window opens, and the registry in it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use promptdeck_service::{ServiceError, workspace};
use tauri::Manager as _;

/// Environment variable with the folder; an argument takes precedence.
const FOLDER_VARIABLE: &str = "PROMPTDECK_REGISTRIES";

/// What the window opens.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub folder: PathBuf,
    /// The registry to open first; the one that was open last if there is none.
    pub file: Option<String>,
}

/// The folder or file given as an argument or in the environment, or `registries` in the current
/// folder. Otherwise `Promptdeck` in the user's documents folder, filled with the samples on first
/// use.
pub fn choose(app: &tauri::App) -> Result<Place, ServiceError> {
    let argument = env::args_os().nth(1);
    if let Some(place) = named(argument).or_else(|| named(env::var_os(FOLDER_VARIABLE))) {
        return Ok(place);
    }
    let registries_dir = absolute(Path::new("registries"));
    if registries_dir.is_dir() {
        return Ok(whole(registries_dir));
    }
    let paths = app.path();
    let documents = paths.document_dir().or_else(|_| paths.home_dir());
    let folder = documents.unwrap_or_default().join("Promptdeck");
    if let Ok(resources) = paths.resource_dir() {
        workspace::seed(&folder, &resources.join("registries"))?;
    }
    Ok(whole(folder))
}

/// A file is opened in its folder; anything else is a folder, which need not exist.
fn named(path: Option<OsString>) -> Option<Place> {
    let path = absolute(Path::new(&path.filter(|path| !path.is_empty())?));
    match (path.is_file(), path.parent(), path.file_name()) {
        (true, Some(folder), Some(name)) => Some(Place {
            folder: folder.to_owned(),
            file: Some(name.to_string_lossy().into_owned()),
        }),
        _ => Some(whole(path)),
    }
}

fn whole(folder: PathBuf) -> Place {
    Place { folder, file: None }
}

/// Makes a path absolute; returns it unchanged if there is no current folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_opened_in_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("night shift.json");
        std::fs::write(&file, "{}").expect("written");
        let check = |path: &Path, file: Option<&str>| {
            let place = named(Some(path.into())).expect("a place");
            assert_eq!(place.file.as_deref(), file);
            place.folder
        };
        assert_eq!(check(&file, Some("night shift.json")), folder.path());
        assert_eq!(check(folder.path(), None), folder.path());
        let later = folder.path().join("later");
        assert_eq!(check(&later, None), later);
        assert_eq!(named(Some(OsString::new())), None);
        assert_eq!(named(None), None);
    }
}
