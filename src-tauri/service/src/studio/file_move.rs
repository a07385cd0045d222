//! One file that gets another name, together with what the store has of it, in a way that a kill
//! cannot leave half done: the move is noted in the store before the file is touched, and finished
//! at the next start.

use std::path::{Path, PathBuf};

use promptdeck_store::{Store, files};
use serde::{Deserialize, Serialize};

use crate::calls::folder;
use crate::store_handle::file_settings;
use crate::{ServiceError, path_text, snapshots};

/// Name of the setting in which a move is noted.
const NOTE: &str = "moving";

/// A move of a file within a folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileMove {
    /// The folder.
    folder: String,
    /// Names in the folder.
    from: String,
    to: String,
    /// Keys in the store.
    from_key: String,
    to_key: String,
}

impl FileMove {
    /// A move that has not begun.
    pub(crate) fn new(folder: &Path, from: &str, to: &str) -> Self {
        // A link stands for what it leads to, under each of its names.
        let from_path = folder.join(from);
        let is_link = from_path.is_symlink();
        let from_key = snapshots::key(&from_path);
        Self {
            folder: path_text::encode(folder),
            from: from.to_owned(),
            to: to.to_owned(),
            to_key: if is_link {
                from_key.clone()
            } else {
                snapshots::key(&folder.join(to))
            },
            from_key,
        }
    }

    fn folder(&self) -> PathBuf {
        path_text::decode(&self.folder)
    }

    /// Notes the move, moves the file, and then what the store has of it.
    pub(crate) fn run(&self, store: &Store) -> Result<(), ServiceError> {
        store.set_setting(NOTE, &serde_json::to_string(self)?)?;
        let folder = self.folder();
        if let Err(fault) = files::relocate(&folder.join(&self.from), &folder.join(&self.to)) {
            store.forget_setting(NOTE)?;
            return Err(match fault.code() {
                "file_exists" => ServiceError::NameTaken(self.to.clone()),
                _ => fault.into(),
            });
        }
        self.follow(store).inspect_err(|_| {
            // What the store has stays with the old name, and so does the file. If that fails too,
            // the note is there to go by.
            let back = files::relocate(&folder.join(&self.to), &folder.join(&self.from));
            if back.is_ok() {
                let _ = store.forget_setting(NOTE);
            }
        })
    }

    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        let settings = file_settings(&self.from_key, &self.to_key);
        Ok(store.move_file(&self.from_key, &self.to_key, &settings)?)
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
            let folder = noted.folder();
            let moved = !folder.join(&noted.from).exists() && folder.join(&noted.to).exists();
            if moved {
                noted.follow(store)?;
                for path in folder::files(&folder) {
                    // One that cannot be changed names the old file, which the window shows.
                    let _ = folder::retarget(&path, &noted.from, &noted.to);
                }
            }
        }
        Ok(store.forget_setting(NOTE)?)
    }
}
