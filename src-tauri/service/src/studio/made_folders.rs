//! Sub-folders that this studio made: undoing that takes away what it put there and nothing else.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use super::folders::failed;
use crate::ServiceError;
use crate::studio::Studio;
use crate::workspace::{is_inside, join};

/// Paths below a folder, relative to it.
type Contents = BTreeSet<PathBuf>;

/// The sub-folders by path, each with what the studio put there when it made them.
#[derive(Default)]
pub(crate) struct MadeFolders(Mutex<HashMap<PathBuf, Contents>>);

impl MadeFolders {
    fn get(&self) -> MutexGuard<'_, HashMap<PathBuf, Contents>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a sub-folder with what it holds at first.
    pub(super) fn note(&self, folder: PathBuf, contents: Contents) {
        self.get().insert(folder, contents);
    }
}

impl Studio {
    /// Takes away a sub-folder that [`Studio::new_folder`] or [`Studio::duplicate_folder`] made: an
    /// empty one is removed, a copy moved to the system's trash.
    ///
    /// # Errors
    /// If it holds anything that the studio did not put there when it made it, or a registry with
    /// unsaved edits whose file is gone; nothing is changed then. Also if it cannot be removed.
    pub fn discard_folder(&self, name: &str) -> Result<(), ServiceError> {
        let path = self.inner.sub_folder_path(name)?;
        let made_by_us = self.inner.made_folders.get().get(&path).cloned();
        let made_by_us = made_by_us.unwrap_or_default();
        let refused = |holds: &str| ServiceError::FolderInUse {
            folder: name.to_owned(),
            holds: holds.to_owned(),
        };
        let found = contents(&path).map_err(|fault| failed("read the folder", &path, fault))?;
        if let Some(other) = found.difference(&made_by_us).next() {
            return Err(refused(&join(name, &other.to_string_lossy())));
        }
        if found.is_empty() {
            let unsaved = self.inner.sessions.modified_names();
            if let Some(document) = unsaved.iter().find(|document| is_inside(document, name)) {
                return Err(refused(document));
            }
            fs::remove_dir(&path).map_err(|fault| failed("remove the folder", &path, fault))?;
        } else {
            self.delete_folder(name)?;
        }
        self.inner.made_folders.get().remove(&path);
        Ok(())
    }
}

/// Everything in a folder and in the folders below it, hidden files included.
pub(super) fn contents(folder: &Path) -> io::Result<Contents> {
    let mut found = Contents::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path);
        }
    }
    Ok(found)
}
