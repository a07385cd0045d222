//! What an author does with the sub-folders: new, rename, duplicate. Whatever belongs to the files
//! in one follows it, as it follows a single file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use promptdeck_store::{StoreError, files};

use super::folder_move::FolderMove;
use super::made_folders::contents;
use super::noted_move::NotedMove as _;
use crate::studio::Studio;
use crate::wire::Moved;
use crate::workspace::{check_folder_name, is_inside, join, parts};
use crate::{ServiceError, file_version, snapshots};

/// Maximum number of files that are duplicated with a folder.
const MOST_FILES: usize = 2000;

impl Studio {
    /// Creates a sub-folder and returns its name.
    ///
    /// # Errors
    /// If the name cannot be used or the folder cannot be created.
    pub fn new_folder(&self, name: &str) -> Result<String, ServiceError> {
        let name = check_folder_name(name)?;
        let path = self.inner.folder.sub_folder(name)?;
        match fs::create_dir(&path) {
            Ok(()) => {
                self.inner.made_folders.note(path, BTreeSet::new());
                Ok(name.to_owned())
            }
            Err(fault) if fault.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(ServiceError::NameTaken(name.to_owned()))
            }
            Err(fault) => Err(failed("create the folder", &path, fault)),
        }
    }

    /// The name of a sub-folder after it is renamed.
    pub(super) fn renamed_folder(&self, from: &str, name: &str) -> Result<String, ServiceError> {
        let to = join(parts(from).0, check_folder_name(name)?);
        self.inner.sub_folder_path(from)?;
        let path = self.inner.folder.sub_folder(&to)?;
        match from != to && path.symlink_metadata().is_ok() {
            true => Err(ServiceError::NameTaken(to)),
            false => Ok(to),
        }
    }

    /// Gives a sub-folder another name within the folder it is in, and returns its name now.
    ///
    /// # Errors
    /// If the name cannot be used or is taken, or the folder cannot be renamed; nothing is changed
    /// then.
    pub fn rename_folder(&self, from: &str, name: &str) -> Result<Moved, ServiceError> {
        let to = self.renamed_folder(from, name)?;
        if from == to {
            return Ok(Moved {
                file: to,
                behind: Vec::new(),
            });
        }
        // Without the store, what it has of the files would stay behind under the old name.
        let store = self.inner.store_handle.store()?;
        let folder_move = FolderMove::new(&self.inner.folder.path(), from, &to);
        folder_move.check(&store)?;
        let new_name = |file: &str| folder_move.new_name(file);
        let folder = self.inner.folder.path();
        let move_checks = || {
            let run = || folder_move.run(&store);
            self.inner.checks.rename_in(&folder, &new_name, run)
        };
        let move_all = || {
            let runs = &self.inner.active_runs;
            runs.rename_in(&folder, &new_name, move_checks)
        };
        let move_all = || self.inner.calls.rename_in(&folder, &new_name, move_all);
        self.inner
            .sessions
            .rename_in(&folder, &new_name, move_all)?;
        for (document, _) in self.inner.sessions.all() {
            if is_inside(&document, &to) {
                self.inner.requests.forget(&document);
            }
        }
        self.inner.remember_names(&new_name);
        let not_retargeted = self.retarget_calls(&new_name);
        folder_move.done(&store);
        Ok(Moved {
            file: to,
            behind: not_retargeted,
        })
    }

    /// Copies a sub-folder with the files in it and returns the copy's name. Links and hidden
    /// files are left out. The copy appears as a whole.
    ///
    /// # Errors
    /// If a file cannot be read, the folder holds too many files, or the copy cannot be written.
    pub fn duplicate_folder(&self, name: &str) -> Result<String, ServiceError> {
        let from = self.inner.sub_folder_path(name)?;
        let (parent, last) = parts(name);
        let parent_path = self.inner.folder.sub_folder(parent)?;
        let created = tempfile::Builder::new()
            .prefix(".promptdeck-copy-")
            .tempdir_in(&parent_path)
            .map_err(|fault| failed("create a folder in", &parent_path, fault))?;
        let whole = created.path().join("copy");
        let mut left = MOST_FILES;
        copy(&from, &whole, &mut left)?;
        let copies = contents(&whole).map_err(|fault| failed("read the folder", &whole, fault))?;
        for number in 1..1000 {
            let copied = match number {
                1 => format!("{last} copy"),
                number => format!("{last} copy {number}"),
            };
            let copied = join(parent, check_folder_name(&copied)?);
            let path = self.inner.folder.sub_folder(&copied)?;
            let store = self.inner.store_handle.store();
            let has_history = |store: std::sync::Arc<promptdeck_store::Store>| {
                store.folder_has_history(&snapshots::key(&path))
            };
            if store.is_ok_and(|store| has_history(store).unwrap_or(false)) {
                continue;
            }
            match files::relocate(&whole, &path) {
                Ok(()) => {
                    self.inner.made_folders.note(path, copies);
                    return Ok(copied);
                }
                Err(fault) if fault.code() == "file_exists" => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(ServiceError::NameTaken(format!("{name} copy")))
    }
}

impl super::Inner {
    /// The path of a sub-folder that exists.
    pub(super) fn sub_folder_path(&self, name: &str) -> Result<std::path::PathBuf, ServiceError> {
        let path = self.folder.sub_folder(name)?;
        let exists = path.symlink_metadata().is_ok_and(|found| found.is_dir());
        if name.is_empty() || !exists {
            return Err(ServiceError::BadFolder(name.to_owned()));
        }
        Ok(path)
    }
}

fn copy(from: &Path, to: &Path, left: &mut usize) -> Result<(), ServiceError> {
    fs::create_dir(to).map_err(|fault| failed("create the folder", to, fault))?;
    let reading = |fault| failed("read the folder", from, fault);
    for entry in fs::read_dir(from).map_err(reading)? {
        let entry = entry.map_err(reading)?;
        let kind = entry.file_type().map_err(reading)?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy(&entry.path(), &target, left)?;
        } else if kind.is_file() {
            *left = left
                .checked_sub(1)
                .ok_or(ServiceError::LargeFolder(MOST_FILES))?;
            files::create(&target, &file_version::bytes(&entry.path())?)?;
        }
    }
    Ok(())
}

pub(super) fn failed(action: &'static str, path: &Path, source: std::io::Error) -> ServiceError {
    ServiceError::Store(StoreError::File {
        action,
        path: path.to_owned(),
        source,
    })
}
