//! Moves registries and sub-folders to the system's trash. Each deletion can be undone, which
//! restores its open documents with their unsaved edits and undo steps.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use promptdeck_store::StoreError;
use promptdeck_store::files::{self, Trashed};

use crate::ServiceError;
use crate::checks::{self, ChecksFile};
use crate::debouncer::JobOutcome;
use crate::open_documents::{FileDocument, Named, OpenDocuments};
use crate::session::Session;
use crate::studio::Studio;
use crate::wire::Deleted;
use crate::workspace::is_inside;

/// The deletions that can be undone.
#[derive(Default)]
pub(crate) struct Deletions(Mutex<ById>);

#[derive(Default)]
struct ById {
    /// Number of the last deletion.
    last: u32,
    entries: HashMap<u32, DeletedEntry>,
}

/// A registry with its checks, or a sub-folder.
struct DeletedEntry {
    /// Name in the folder.
    name: String,
    /// The folder: another one may be open by now.
    folder: PathBuf,
    trashed: Trashed,
    /// The file of checks of a registry, if there was one: name, and place in the trash.
    checks: Option<(String, Trashed)>,
    /// The documents that were open, with their steps to undo.
    open: Named<Session>,
    open_checks: Named<ChecksFile>,
}

impl Deletions {
    fn get(&self) -> MutexGuard<'_, ById> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file of a folder was deleted and can still be restored.
    pub(super) fn holds(&self, folder: &Path, file: &str) -> bool {
        self.get().entries.values().any(|deleted| {
            deleted.folder == folder && (deleted.name == file || is_inside(file, &deleted.name))
        })
    }
}

impl Studio {
    /// Moves a registry and its file of checks to the system's trash. Unsaved edits stay in the
    /// store, and come back with them.
    ///
    /// # Errors
    /// If unsaved edits cannot be stored, or the file cannot be moved to the trash; it is where it
    /// was then.
    pub fn delete_registry(&self, file: &str) -> Result<Deleted, ServiceError> {
        let path = self.inner.folder.file(file)?;
        let (checks, checks_path) = checks::file(&self.inner.folder, file)?;
        self.delete(file, &|name| name == file || name == checks, || {
            let (trashed, of_checks) = trash_both(&path, &checks_path)?;
            Ok((trashed, of_checks.map(|trashed| (checks.clone(), trashed))))
        })
    }

    /// Moves a sub-folder with all that is in it to the system's trash, as a registry.
    ///
    /// # Errors
    /// If unsaved edits cannot be stored, or the folder cannot be moved to the trash; it is where it
    /// was then.
    pub fn delete_folder(&self, folder: &str) -> Result<Deleted, ServiceError> {
        let path = self.inner.sub_folder_path(folder)?;
        self.delete(folder, &|name| is_inside(name, folder), || {
            Ok((files::trash(&path)?, None))
        })
    }

    fn delete(
        &self,
        name: &str,
        is_deleted: &dyn Fn(&str) -> bool,
        trash: impl FnOnce() -> Result<(Trashed, Option<(String, Trashed)>), ServiceError>,
    ) -> Result<Deleted, ServiceError> {
        store_drafts(&self.inner.sessions, is_deleted)?;
        store_drafts(&self.inner.checks, is_deleted)?;
        let take = || self.inner.checks.take(is_deleted, trash);
        let (((trashed, checks), open_checks), open) =
            self.inner.sessions.take(is_deleted, take)?;
        for (document, _) in &open {
            self.inner.requests.forget(document);
        }
        let deleted = DeletedEntry {
            name: name.to_owned(),
            folder: self.inner.folder.path(),
            trashed,
            checks,
            open,
            open_checks,
        };
        let mut deletions = self.inner.deletions.get();
        deletions.last += 1;
        let id = deletions.last;
        deletions.entries.insert(id, deleted);
        Ok(Deleted {
            id,
            file: name.to_owned(),
        })
    }

    /// Takes the registry with its checks, or the sub-folder, of a deletion out of the trash again,
    /// and returns its name.
    ///
    /// # Errors
    /// If it was restored already, a file of one of the names is there again, or one is not in the
    /// trash any more.
    pub fn restore_registry(&self, id: u32) -> Result<String, ServiceError> {
        let mut deletions = self.inner.deletions.get();
        let Entry::Occupied(mut entry) = deletions.entries.entry(id) else {
            return Err(ServiceError::Nothing("restore"));
        };
        let deleted = entry.get_mut();
        let moved_aside = |name: &str, fault: StoreError| match fault.code() {
            "file_exists" => ServiceError::NameTaken(name.to_owned()),
            _ => fault.into(),
        };
        // The checks come first: if they cannot, the registry waits for them in the trash.
        if let Some((name, checks)) = &deleted.checks {
            checks.restore().map_err(|fault| moved_aside(name, fault))?;
        }
        if let Err(fault) = deleted.trashed.restore() {
            let fault = moved_aside(&deleted.name, fault);
            // They belong together, so the checks go back.
            if let Some((name, checks)) = &mut deleted.checks
                && let Ok(again) = files::trash(&deleted.folder.join(name))
            {
                *checks = again;
            }
            return Err(fault);
        }
        let deleted = entry.remove();
        if deleted.folder == self.inner.folder.path() {
            self.inner.sessions.put_back(deleted.open);
            self.inner.checks.put_back(deleted.open_checks);
        }
        Ok(deleted.name)
    }
}

/// Stores the unsaved edits of documents that are deleted.
fn store_drafts<T: FileDocument>(
    documents: &OpenDocuments<T>,
    is_deleted: &dyn Fn(&str) -> bool,
) -> Result<(), ServiceError> {
    for (name, _) in documents.all() {
        if is_deleted(&name)
            && documents.save_draft(&name) == JobOutcome::TryAgain
            && documents.modified(&name) != Some(false)
        {
            return Err(ServiceError::DraftNotStored(name));
        }
    }
    Ok(())
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
