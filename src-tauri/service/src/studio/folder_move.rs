//! A sub-folder that gets another name, together with what the store has of the files in it.

use std::path::{Path, PathBuf};

use promptdeck_store::Store;
use serde::{Deserialize, Serialize};

use super::noted_move::{NotedMove, Rename};
use crate::store_handle::file_setting_kinds;
use crate::{ServiceError, path_text, snapshots};

/// A move of a sub-folder.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FolderMove {
    /// The open folder.
    folder: String,
    #[serde(flatten)]
    sub_folder: Rename,
}

impl FolderMove {
    /// A move that has not begun.
    pub(crate) fn new(folder: &Path, from: &str, to: &str) -> Self {
        Self {
            folder: path_text::encode(folder),
            sub_folder: Rename {
                from_key: snapshots::key(&folder.join(from)),
                to_key: snapshots::key(&folder.join(to)),
                from: from.to_owned(),
                to: to.to_owned(),
            },
        }
    }

    /// Refuses a name under which the store has work that the files would inherit.
    pub(crate) fn check(&self, store: &Store) -> Result<(), ServiceError> {
        if store.folder_has_history(&self.sub_folder.to_key)? {
            return Err(ServiceError::NameKept(self.sub_folder.to.clone()));
        }
        Ok(())
    }
}

impl NotedMove for FolderMove {
    const NOTE: &'static str = "moving folder";

    fn folder(&self) -> PathBuf {
        path_text::decode(&self.folder)
    }

    fn main(&self) -> &Rename {
        &self.sub_folder
    }

    fn companion(&self) -> Option<&Rename> {
        None
    }

    fn new_name(&self, name: &str) -> Option<String> {
        let Rename { from, to, .. } = &self.sub_folder;
        let rest = name.strip_prefix(&**from)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
    }

    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        let Rename {
            from_key, to_key, ..
        } = &self.sub_folder;
        Ok(store.move_folder(from_key, to_key, &file_setting_kinds())?)
    }
}
