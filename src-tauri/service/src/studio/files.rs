//! What an author does with the files of the folder: new, rename, duplicate, move to a sub-folder,
//! delete and undo that.
//!
//! A file keeps its checks, its snapshots, its draft, its runs, its view and its undo steps under
//! every name, and the call documents that name it follow.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use promptdeck_checks::checks_name;
use promptdeck_store::StoreError;
use promptdeck_store::files::{self, Trashed};
use serde_json::Value;

use super::file_move::FileMove;
use crate::checks::{self, ChecksFile};
use crate::debouncer::Outcome;
use crate::open_documents::{FileDocument as _, Shared, lock};
use crate::session::Session;
use crate::studio::Studio;
use crate::wire::{Deleted, Edit, Moved};
use crate::workspace::{check_folder_name, check_title, file_stem, parts};
use crate::{ServiceError, file_version, snapshots, tree};

/// The last deletion, which can be undone.
#[derive(Default)]
pub(crate) struct LastDeletion(Mutex<Deletion>);

#[derive(Default)]
struct Deletion {
    /// Number of the last deletion.
    id: u32,
    file: Option<DeletedFile>,
}

struct DeletedFile {
    /// Name in the folder.
    name: String,
    /// The folder: another one may be open by now.
    folder: PathBuf,
    trashed: Trashed,
    /// The document, if it was open, with its steps to undo.
    open: Option<Shared<Session>>,
    checks: DeletedChecks,
}

/// The checks of a deleted registry.
struct DeletedChecks {
    name: String,
    /// The file, if there was one.
    trashed: Option<Trashed>,
    /// The document, if it was open.
    open: Option<Shared<ChecksFile>>,
}

impl LastDeletion {
    fn get(&self) -> MutexGuard<'_, Deletion> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
            let own = name.map(PathBuf::from);
            let is_free = |path: &PathBuf| path.symlink_metadata().is_err() && !self.is_kept(path);
            !self.is_kept(path) && own.as_ref().is_none_or(is_free)
        };
        let copy = folder.duplicate(file, &is_free)?;
        if let Some(bytes) = checks {
            let (_, path) = checks::file(folder, &copy)?;
            files::create(&path, &bytes)?;
        }
        Ok(copy)
    }

    /// Creates a sub-folder and returns its name.
    ///
    /// # Errors
    /// If the name cannot be used or the folder cannot be created.
    pub fn new_folder(&self, name: &str) -> Result<String, ServiceError> {
        let name = check_folder_name(name)?;
        let path = self.inner.folder.sub_folder(name)?;
        match fs::create_dir(&path) {
            Ok(()) => Ok(name.to_owned()),
            Err(fault) if fault.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(ServiceError::NameTaken(name.to_owned()))
            }
            Err(source) => Err(ServiceError::Store(StoreError::File {
                action: "make the folder",
                path,
                source,
            })),
        }
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
        let name = name.map_or_else(|| format!("{}.json", file_stem(title)), str::to_owned);
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
        let to = match folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        let from_path = self.inner.folder.file(file)?;
        let to_path = self.inner.folder.file(&to)?;
        if from_path == to_path {
            return Ok(Moved {
                file: to,
                behind: Vec::new(),
            });
        }
        let (checks, checks_path) = checks::file(&self.inner.folder, file)?;
        let (to_checks, to_checks_path) = checks::file(&self.inner.folder, &to)?;
        for (name, path) in [(&to, &to_path), (&to_checks, &to_checks_path)] {
            if path.symlink_metadata().is_ok() {
                return Err(ServiceError::NameTaken(name.clone()));
            }
        }
        // Without the store, what it has of the file would stay behind under the old name.
        let store = self.inner.store_handle.store()?;
        for (name, path) in [(&to, &to_path), (&to_checks, &to_checks_path)] {
            if store.has_history(&snapshots::key(path))? {
                return Err(ServiceError::NameKept(name.clone()));
            }
        }
        let file_move = FileMove::new(&self.inner.folder.path(), file, &to);
        let move_both = || {
            let (from, to) = ((&*checks, &*checks_path), (&*to_checks, &*to_checks_path));
            self.inner.checks.rename(from, to, || file_move.run(&store))
        };
        self.inner
            .sessions
            .rename((file, &from_path), (&to, &to_path), move_both)?;
        self.inner.requests.forget(file);
        self.inner.remember_name(file, &to);
        let behind = self.retarget_calls(file, &to);
        file_move.done(&store);
        Ok(Moved { file: to, behind })
    }

    /// Sets the title of a registry, as an edit.
    fn retitle(&self, file: &str, title: &str) -> Result<(), ServiceError> {
        let was_open = self.inner.session(file).is_ok();
        let path = self.inner.folder.file(file)?;
        // A file that cannot be read has no title to set.
        let Ok((session, _)) = self.inner.sessions.open(file, &path, |_| ()) else {
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

    /// Moves a registry and its file of checks to the system's trash. Unsaved edits stay in the
    /// store, and come back with them.
    ///
    /// # Errors
    /// If unsaved edits cannot be stored, or the file cannot be moved to the trash; it is where it
    /// was then.
    pub fn delete_registry(&self, file: &str) -> Result<Deleted, ServiceError> {
        let path = self.inner.folder.file(file)?;
        let stored = self.inner.sessions.save_draft(file);
        if stored == Outcome::TryAgain && self.inner.sessions.modified(file) != Some(false) {
            return Err(ServiceError::DraftNotStored(file.to_owned()));
        }
        let (checks, checks_path) = checks::file(&self.inner.folder, file)?;
        let stored = self.inner.checks.save_draft(&checks);
        if stored == Outcome::TryAgain && self.inner.checks.modified(&checks) != Some(false) {
            return Err(ServiceError::DraftNotStored(checks));
        }
        let delete = || {
            self.inner
                .checks
                .take(&checks, || trash_both(&path, &checks_path))
        };
        let (((trashed, checks_trashed), checks_open), open) =
            self.inner.sessions.take(file, delete)?;
        self.inner.requests.forget(file);
        let mut last = self.inner.deletion.get();
        last.id += 1;
        last.file = Some(DeletedFile {
            name: file.to_owned(),
            folder: self.inner.folder.path(),
            trashed,
            open,
            checks: DeletedChecks {
                name: checks,
                trashed: checks_trashed,
                open: checks_open,
            },
        });
        Ok(Deleted {
            id: last.id,
            file: file.to_owned(),
        })
    }

    /// Takes the registry that was deleted last and its checks out of the trash again, and returns
    /// its name.
    ///
    /// # Errors
    /// If another one was deleted since, a file of one of the names is there again, or one is not in
    /// the trash any more.
    pub fn restore_registry(&self, id: u32) -> Result<String, ServiceError> {
        let mut last = self.inner.deletion.get();
        if last.id != id {
            return Err(ServiceError::Nothing("restore"));
        }
        let deleted = last.file.as_ref().ok_or(ServiceError::Nothing("restore"))?;
        let taken = |name: &str, fault: StoreError| match fault.code() {
            "file_exists" => ServiceError::NameTaken(name.to_owned()),
            _ => fault.into(),
        };
        // The checks come first: if they cannot, the registry waits for them in the trash.
        if let Some(checks) = &deleted.checks.trashed {
            let name = &deleted.checks.name;
            checks.restore().map_err(|fault| taken(name, fault))?;
        }
        if let Err(fault) = deleted.trashed.restore() {
            let fault = taken(&deleted.name, fault);
            // They belong together, so the checks go back.
            if deleted.checks.trashed.is_some() {
                let path = deleted.folder.join(&deleted.checks.name);
                let again = files::trash(&path).ok();
                if let Some(deleted) = last.file.as_mut().filter(|_| again.is_some()) {
                    deleted.checks.trashed = again;
                }
            }
            return Err(fault);
        }
        let Some(deleted) = last.file.take() else {
            return Err(ServiceError::Nothing("restore"));
        };
        if deleted.folder == self.inner.folder.path() {
            if let Some(open) = deleted.open {
                self.inner.sessions.put_back(&deleted.name, open);
            }
            if let Some(open) = deleted.checks.open {
                self.inner.checks.put_back(&deleted.checks.name, open);
            }
        }
        Ok(deleted.name)
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

/// Moves a registry and its checks, if it has any, to the trash; both or neither.
fn trash_both(registry: &Path, checks: &Path) -> Result<(Trashed, Option<Trashed>), ServiceError> {
    let trashed = files::trash(registry)?;
    if checks.symlink_metadata().is_err() {
        return Ok((trashed, None));
    }
    match files::trash(checks) {
        Ok(checks) => Ok((trashed, Some(checks))),
        Err(fault) => {
            trashed.restore()?;
            Err(fault.into())
        }
    }
}
