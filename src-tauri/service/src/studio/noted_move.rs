//! Moves of files and sub-folders that a kill cannot leave half done: a move is noted in the store
//! before anything is renamed, and finished at the next start. `file_move` and `folder_move` say what
//! is renamed and what the store has of it.

use std::path::{Path, PathBuf};

use promptdeck_store::{Store, files};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ServiceError;
use crate::calls::folder;

/// A file or sub-folder before and after its move.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Rename {
    /// Names in the folder.
    pub from: String,
    pub to: String,
    /// Keys in the store; of a sub-folder, what the keys of its files begin with.
    pub from_key: String,
    pub to_key: String,
}

impl Rename {
    fn paths(&self, folder: &Path) -> (PathBuf, PathBuf) {
        (folder.join(&self.from), folder.join(&self.to))
    }

    fn apply(&self, folder: &Path) -> Result<(), ServiceError> {
        let (from, to) = self.paths(folder);
        files::relocate(&from, &to).map_err(|fault| match fault.code() {
            "file_exists" => ServiceError::NameTaken(self.to.clone()),
            _ => fault.into(),
        })
    }

    /// Returns whether the old name is in use again.
    fn revert(&self, folder: &Path) -> bool {
        let (from, to) = self.paths(folder);
        files::relocate(&to, &from).is_ok()
    }
}

/// A move, as it is noted in the store.
pub(crate) trait NotedMove: Serialize + DeserializeOwned {
    /// Name of the setting in which the move is noted.
    const NOTE: &'static str;

    /// The open folder.
    fn folder(&self) -> PathBuf;

    /// What has to exist and gives the move its name.
    fn main(&self) -> &Rename;

    /// What moves along if it exists.
    fn companion(&self) -> Option<&Rename>;

    /// The name of a file or sub-folder after the move, if it moves.
    fn new_name(&self, name: &str) -> Option<String>;

    /// Moves what the store has.
    fn follow(&self, store: &Store) -> Result<(), ServiceError>;

    /// Notes the move, renames on disk, and then moves what the store has.
    fn run(&self, store: &Store) -> Result<(), ServiceError> {
        store.set_setting(Self::NOTE, &serde_json::to_string(self)?)?;
        let folder = self.folder();
        let companion = self.companion().filter(|companion| {
            let (from, _) = companion.paths(&folder);
            from.symlink_metadata().is_ok()
        });
        let mut renamed = Vec::new();
        let moved = [Some(self.main()), companion]
            .into_iter()
            .flatten()
            .try_for_each(|each| {
                each.apply(&folder)?;
                renamed.push(each);
                Ok(())
            })
            .and_then(|()| self.follow(store));
        moved.inspect_err(|_| {
            // What the store has stays with the old names, and so do the files. If that fails too,
            // the note is there to go by.
            let mut reverted = true;
            for each in renamed {
                reverted &= each.revert(&folder);
            }
            if reverted {
                self.done(store);
            }
        })
    }

    /// Forgets the note. One that stays is of no harm: the move is found to be done.
    fn done(&self, store: &Store) {
        let _ = store.forget_setting(Self::NOTE);
    }

    /// Finishes the move that a program was killed in. One that had not begun is forgotten.
    fn finish(store: &Store) -> Result<(), ServiceError> {
        let Some(note) = store.setting(Self::NOTE)? else {
            return Ok(());
        };
        if let Ok(recorded_move) = serde_json::from_str::<Self>(&note) {
            let folder = recorded_move.folder();
            let (from, to) = recorded_move.main().paths(&folder);
            if !from.exists() && to.exists() {
                if let Some(companion) = recorded_move.companion() {
                    // A file of the new name, which another program made, is left alone.
                    let _ = companion.apply(&folder);
                }
                recorded_move.follow(store)?;
                for path in folder::files(&folder) {
                    let Some(document) = folder::document_of(&folder, &path) else {
                        continue;
                    };
                    // One that cannot be changed names the old file, which the window shows.
                    let call = (document.as_str(), path.as_path());
                    let _ = folder::retarget(store, call, &|name| recorded_move.new_name(name));
                }
            }
        }
        Ok(store.forget_setting(Self::NOTE)?)
    }
}
