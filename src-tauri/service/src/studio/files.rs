//! What an author does with the files of the folder: rename, duplicate, move to a sub-folder.
//!
//! A file keeps its checks, its snapshots, its draft, its runs, its view and its undo steps under
//! every name, and the call documents that name it follow.

use std::path::{Path, PathBuf};

use promptdeck_checks::checks_name;
use promptdeck_store::files;
use serde_json::Value;

use super::file_move::FileMove;
use super::noted_move::NotedMove as _;
use crate::checks;
use crate::open_documents::{FileDocument as _, lock};
use crate::studio::Studio;
use crate::wire::{Edit, Moved};
use crate::workspace::{check_title, join, parts, titled_file_name};
use crate::{ServiceError, file_version, snapshots, tree};

impl Studio {
    /// The name of a path that leads to a registry of the folder.
    #[must_use]
    pub fn own_file(&self, path: &Path) -> Option<String> {
        let folder = self.inner.folder.path().canonicalize().ok()?;
        let path = path.canonicalize().ok()?;
        let name = path.strip_prefix(folder).ok()?.to_str()?;
        self.inner.folder.is_readable(name).then(|| name.to_owned())
    }

    /// Copies a registry file and its file of checks, and returns the copy's name.
    ///
    /// # Errors
    /// If a file cannot be read or a copy cannot be written.
    pub fn duplicate_registry(&self, file: &str) -> Result<String, ServiceError> {
        let folder = &self.inner.folder;
        let (_, checks) = checks::file(folder, file)?;
        let checks = match checks.symlink_metadata() {
            Ok(_) => Some(file_version::bytes(&checks)?),
            Err(_) => None,
        };
        let is_free = |path: &Path| {
            let name = path.to_str().and_then(checks_name);
            let checks_path = name.map(PathBuf::from);
            let is_free = |path: &PathBuf| path.symlink_metadata().is_err() && !self.is_kept(path);
            !self.is_kept(path) && checks_path.as_ref().is_none_or(is_free)
        };
        let copy = folder.duplicate(file, &is_free)?;
        if let Some(bytes) = checks {
            let (_, path) = checks::file(folder, &copy)?;
            files::create(&path, &bytes)?;
        }
        Ok(copy)
    }

    /// Gives a registry another title, and its file this name in the same folder, or the one that
    /// follows from the title. The title is an edit, which is saved with the rename unless other
    /// edits wait to be saved; it is no step to undo, since undo would leave the file its name. A
    /// file that is not a registry gets the name only.
    ///
    /// # Errors
    /// If the title or the name cannot be used, or the file cannot be renamed; nothing is changed
    /// then.
    pub fn rename_registry(
        &self,
        file: &str,
        title: &str,
        name: Option<&str>,
    ) -> Result<Moved, ServiceError> {
        let title = check_title(title)?;
        let (folder, _) = parts(file);
        let name = match name {
            Some(name) => name.to_owned(),
            None => titled_file_name(title)?,
        };
        let mut moved = self.move_to(file, folder, &name)?;
        // The file has its name by now, so this is no reason to say that nothing was done.
        if let Err(fault) = self.retitle(&moved.file, title) {
            moved.behind.push(fault.to_string());
        }
        Ok(moved)
    }

    /// Moves a registry to a sub-folder, or to the folder itself if the name is empty.
    ///
    /// # Errors
    /// If there is no such folder, a file of that name is there, or the file cannot be moved.
    pub fn move_registry(&self, file: &str, folder: &str) -> Result<Moved, ServiceError> {
        let (_, name) = parts(file);
        if !self.inner.folder.sub_folder(folder)?.is_dir() {
            return Err(ServiceError::BadFolder(folder.to_owned()));
        }
        self.move_to(file, folder, name)
    }

    fn move_to(&self, file: &str, folder: &str, name: &str) -> Result<Moved, ServiceError> {
        let to = join(folder, name);
        self.check_new_name(file, &to)?;
        if file == to {
            return Ok(Moved {
                file: to,
                behind: Vec::new(),
            });
        }
        let (checks, _) = checks::file(&self.inner.folder, file)?;
        let (to_checks, _) = checks::file(&self.inner.folder, &to)?;
        // Without the store, what it has of the file would stay behind under the old name.
        let store = self.inner.store_handle.store()?;
        let file_move = FileMove::new(&self.inner.folder.path(), file, &to);
        let whole = self.inner.folder.path();
        let new_name = |name: &str| (name == file).then(|| to.clone());
        let move_both = || {
            let new_name = |name: &str| (name == checks).then(|| to_checks.clone());
            let run = || file_move.run(&store);
            self.inner.checks.rename_in(&whole, &new_name, run)
        };
        let move_all = || {
            let runs = &self.inner.active_runs;
            runs.rename_in(&whole, &new_name, move_both)
        };
        self.inner.sessions.rename_in(&whole, &new_name, move_all)?;
        self.inner.requests.forget(file);
        self.inner.remember_names(&new_name);
        let not_retargeted = self.retarget_calls(&new_name);
        file_move.done(&store);
        Ok(Moved {
            file: to,
            behind: not_retargeted,
        })
    }

    /// Checks that a registry can have another name.
    pub(super) fn check_new_name(&self, from: &str, to: &str) -> Result<(), ServiceError> {
        let folder = &self.inner.folder;
        folder.file(from)?;
        if from == to {
            return Ok(());
        }
        let (checks, checks_path) = checks::file(folder, to)?;
        let names = [(to, folder.file(to)?), (checks.as_str(), checks_path)];
        for (name, path) in &names {
            if path.symlink_metadata().is_ok() {
                return Err(ServiceError::NameTaken((*name).to_owned()));
            }
        }
        let store = self.inner.store_handle.store()?;
        for (name, path) in &names {
            if store.has_history(&snapshots::key(path))? {
                return Err(ServiceError::NameKept((*name).to_owned()));
            }
        }
        Ok(())
    }

    /// Sets the title of a registry, as an edit.
    fn retitle(&self, file: &str, title: &str) -> Result<(), ServiceError> {
        let was_open = self.inner.session(file).is_ok();
        let path = self.inner.folder.file(file)?;
        // A file that cannot be read has no title to set.
        let Ok(session) = self.inner.sessions.open(file, &path) else {
            return Ok(());
        };
        let (before, is_modified) = {
            let session = lock(&session);
            let registry = tree::registry(session.copy().tree());
            (registry.get("title").cloned(), session.copy().modified())
        };
        if before.as_ref().and_then(Value::as_str) != Some(title) {
            let edit = Edit::Set {
                path: vec!["registry".into(), "title".into()],
                value: title.into(),
            };
            self.with(file, |session| session.amend(vec![edit]))?;
            if !is_modified {
                self.save(file)?;
            }
        }
        if !was_open && !is_modified {
            self.inner.sessions.drop_clean(file);
        }
        Ok(())
    }

    /// The path of a registry, of a sub-folder, or of the folder itself if the name is empty.
    ///
    /// # Errors
    /// If the name leads elsewhere.
    pub fn path_of(&self, name: &str) -> Result<PathBuf, ServiceError> {
        let file = self.inner.folder.file(name);
        file.or_else(|_| self.inner.folder.sub_folder(name))
    }

    /// Whether the store has snapshots or unsaved edits of a file that had this name.
    pub(crate) fn is_kept(&self, path: &Path) -> bool {
        let store = self.inner.store_handle.store();
        store.is_ok_and(|store| store.has_history(&snapshots::key(path)).unwrap_or(false))
    }
}
