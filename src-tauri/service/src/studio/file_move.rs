//! A registry that gets another name, together with its checks and what the store has of both, in a way that a kill
//! cannot leave half done: the move is noted in the store before the file is touched, and finished
//! at the next start.

use std::path::{Path, PathBuf};

use promptdeck_checks::checks_name;
use promptdeck_store::{Store, files};
use serde::{Deserialize, Serialize};

use crate::calls::folder;
use crate::store_handle::file_settings;
use crate::{ServiceError, path_text, snapshots};

/// Name of the setting in which a move is noted.
const NOTE: &str = "moving";

/// A move of a registry within a folder, with its file of checks.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileMove {
    /// The folder.
    folder: String,
    #[serde(flatten)]
    registry: Names,
    /// The file of checks, which need not exist. Notes of earlier versions have none.
    #[serde(default)]
    checks: Option<Names>,
}

/// A file before and after its move.
#[derive(Debug, Serialize, Deserialize)]
struct Names {
    /// Names in the folder.
    from: String,
    to: String,
    /// Keys in the store.
    from_key: String,
    to_key: String,
}

impl Names {
    fn new(folder: &Path, from: &str, to: &str) -> Self {
        // A link stands for what it leads to, under each of its names.
        let from_path = folder.join(from);
        let is_link = from_path.is_symlink();
        let from_key = snapshots::key(&from_path);
        Self {
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

    fn relocate(&self, folder: &Path) -> Result<(), ServiceError> {
        let moved = files::relocate(&folder.join(&self.from), &folder.join(&self.to));
        moved.map_err(|fault| match fault.code() {
            "file_exists" => ServiceError::NameTaken(self.to.clone()),
            _ => fault.into(),
        })
    }

    /// Moves the file to its old name again; returns whether it is there.
    fn back(&self, folder: &Path) -> bool {
        files::relocate(&folder.join(&self.to), &folder.join(&self.from)).is_ok()
    }

    fn is_at_old_name(&self, folder: &Path) -> bool {
        folder.join(&self.from).symlink_metadata().is_ok()
    }

    /// Moves what the store has of the file.
    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        let settings = file_settings(&self.from_key, &self.to_key);
        Ok(store.move_file(&self.from_key, &self.to_key, &settings)?)
    }
}

impl FileMove {
    /// A move that has not begun.
    pub(crate) fn new(folder: &Path, from: &str, to: &str) -> Self {
        let checks = checks_name(from).zip(checks_name(to));
        Self {
            folder: path_text::encode(folder),
            registry: Names::new(folder, from, to),
            checks: checks.map(|(from, to)| Names::new(folder, &from, &to)),
        }
    }

    fn folder(&self) -> PathBuf {
        path_text::decode(&self.folder)
    }

    /// Notes the move, moves the registry and its checks, and then what the store has of them.
    pub(crate) fn run(&self, store: &Store) -> Result<(), ServiceError> {
        store.set_setting(NOTE, &serde_json::to_string(self)?)?;
        let folder = self.folder();
        if let Err(fault) = self.registry.relocate(&folder) {
            store.forget_setting(NOTE)?;
            return Err(fault);
        }
        let checks = self.checks.as_ref();
        let moving = checks.filter(|checks| checks.is_at_old_name(&folder));
        let moved = moving.map_or(Ok(()), |checks| checks.relocate(&folder));
        let checks_moved = moving.is_some() && moved.is_ok();
        moved.and_then(|()| self.follow(store)).inspect_err(|_| {
            // What the store has stays with the old name, and so do the files. If that fails too,
            // the note is there to go by.
            let back = !checks_moved || checks.is_some_and(|checks| checks.back(&folder));
            if self.registry.back(&folder) && back {
                let _ = store.forget_setting(NOTE);
            }
        })
    }

    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        self.registry.follow(store)?;
        self.checks
            .as_ref()
            .map_or(Ok(()), |checks| checks.follow(store))
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
            let registry = &noted.registry;
            let moved = !folder.join(&registry.from).exists() && folder.join(&registry.to).exists();
            if moved {
                if let Some(checks) = &noted.checks {
                    // A file of the new name, which another program made, is left alone.
                    let _ = checks.relocate(&folder);
                }
                noted.follow(store)?;
                for path in folder::files(&folder) {
                    // One that cannot be changed names the old file, which the window shows.
                    let new_name =
                        |name: &str| (name == registry.from).then(|| registry.to.clone());
                    let _ = folder::retarget(&path, &new_name);
                }
            }
        }
        Ok(store.forget_setting(NOTE)?)
    }
}
