//! A registry that gets another name, together with its checks and what the store has of both.

use std::path::{Path, PathBuf};

use promptdeck_checks::checks_name;
use promptdeck_store::Store;
use serde::{Deserialize, Serialize};

use super::noted_move::{NotedMove, Rename};
use crate::store_handle::file_settings;
use crate::{ServiceError, path_text, snapshots};

/// A move of a registry within a folder, with its file of checks.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileMove {
    /// The folder.
    folder: String,
    #[serde(flatten)]
    registry: Rename,
    /// The file of checks, which need not exist. Notes of earlier versions have none.
    #[serde(default)]
    checks: Option<Rename>,
}

impl FileMove {
    /// A move that has not begun.
    pub(crate) fn new(folder: &Path, from: &str, to: &str) -> Self {
        let checks = checks_name(from).zip(checks_name(to));
        Self {
            folder: path_text::encode(folder),
            registry: rename(folder, from, to),
            checks: checks.map(|(from, to)| rename(folder, &from, &to)),
        }
    }
}

fn rename(folder: &Path, from: &str, to: &str) -> Rename {
    // A link is treated as its target, under each of its names.
    let from_path = folder.join(from);
    let is_link = from_path.is_symlink();
    let from_key = snapshots::key(&from_path);
    Rename {
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

impl NotedMove for FileMove {
    const NOTE: &'static str = "moving";

    fn folder(&self) -> PathBuf {
        path_text::decode(&self.folder)
    }

    fn main(&self) -> &Rename {
        &self.registry
    }

    fn companion(&self) -> Option<&Rename> {
        self.checks.as_ref()
    }

    fn new_name(&self, name: &str) -> Option<String> {
        (name == self.registry.from).then(|| self.registry.to.clone())
    }

    fn follow(&self, store: &Store) -> Result<(), ServiceError> {
        for Rename {
            from_key, to_key, ..
        } in [Some(&self.registry), self.checks.as_ref()]
            .into_iter()
            .flatten()
        {
            store.move_file(from_key, to_key, &file_settings(from_key, to_key))?;
        }
        Ok(())
    }
}
