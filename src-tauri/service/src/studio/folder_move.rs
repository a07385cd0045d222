//! A sub-folder that gets another name, together with what the store has of the files in it, in a
//! way that a kill cannot leave half done, as for a single file (`file_move`).

use std::path::{Path, PathBuf};

use promptdeck_store::{Store, files};
use serde::{Deserialize, Serialize};

use crate::calls::folder;
use crate::store_handle::file_setting_kinds;
use crate::{ServiceError, path_text, snapshots};

/// Name of the setting in which a move is noted.
const NOTE: &str = "moving folder";

/// A move of a sub-folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FolderMove {
    /// The open folder.
    folder: String,
    /// Names in the folder.
    from: String,
    to: String,
    /// What the keys of the files in the store begin with.
    from_key: String,
    to_key: String,
}

impl FolderMove {
    /// A move that has not begun.
    pub(crate) fn new(folder: &Path, from: &str, to: &str) -> Self {
        Self {
            folder: path_text::encode(folder),
            from_key: snapshots::key(&folder.join(from)),
            to_key: snapshots::key(&folder.join(to)),
            from: from.to_owned(),
            to: to.to_owned(),
        }
    }

    /// The name of a file or sub-folder after the move, if it moves.
    pub(crate) fn new_name(&self, name: &str) -> Option<String> {
        let rest = name.strip_prefix(&*self.from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", self.to))
    }

    /// Refuses a name under which the store has work that the files would inherit.
    pub(crate) fn check(&self, store: &Store) -> Result<(), ServiceError> {
        if store.folder_has_history(&self.to_key)? {
            return Err(ServiceError::NameKept(self.to.clone()));
        }
        Ok(())
    }

    fn paths(&self) -> (PathBuf, PathBuf) {
        let folder = path_text::decode(&self.folder);
        (folder.join(&self.from), folder.join(&self.to))
    }

    /// Notes the move, moves the folder, and then what the store has of its files.
    pub(crate) fn run(&self, store: &Store) -> Result<(), ServiceError> {
        store.set_setting(NOTE, &serde_json::to_string(self)?)?;
        let (from, to) = self.paths();
        if let Err(fault) = files::relocate(&from, &to) {
            store.forget_setting(NOTE)?;
            return Err(match fault.code() {
                "file_exists" => ServiceError::NameTaken(self.to.clone()),
                _ => fault.into(),
            });
        }
        self.follow(store).inspect_err(|_| {
            // What the store has stays with the old name, and so does the folder. If that fails too,
            // the note is there to go by.
            if files::relocate(&to, &from).is_ok() {
                let _ = store.forget_setting(NOTE);
            }
        })
    }

    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        Ok(store.move_folder(&self.from_key, &self.to_key, &file_setting_kinds())?)
    }

    /// Forgets the note. One that stays is of no harm: the move is found to be done.
    pub(crate) fn done(&self, store: &Store) {
        let _ = store.forget_setting(NOTE);
    }

    /// Finishes the move that a program was killed in. One that had not begun is forgotten.
    pub(crate) fn finish(store: &Store) -> Result<(), ServiceError> {
        let Some(note) = store.setting(NOTE)? else {
            return Ok(());
        };
        if let Ok(noted) = serde_json::from_str::<Self>(&note) {
            let (from, to) = noted.paths();
            if !from.exists() && to.exists() {
                noted.follow(store)?;
                for path in folder::files(&path_text::decode(&noted.folder)) {
                    // One that cannot be changed names the old file, which the window shows.
                    let _ = folder::retarget(&path, &|name| noted.new_name(name));
                }
            }
        }
        Ok(store.forget_setting(NOTE)?)
    }
}
