//! The batches of runs in progress: how each is stopped, and which document it is of, under the name
//! that the document has by now.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::calls::folder::NewName;
use crate::studio::Inner;
use crate::{ServiceError, snapshots};

/// The document that runs are of.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunDocument {
    /// Its folder for the page, which may show another one by now.
    pub folder: String,
    /// Its name for the page.
    pub name: String,
    /// Key of its file in the store.
    pub key: String,
}

/// The batches of runs in progress by number, each with its stop flag.
#[derive(Debug, Default)]
pub(crate) struct ActiveRuns {
    last: Mutex<u32>,
    stops: Mutex<HashMap<u32, Arc<AtomicBool>>>,
    documents: RwLock<HashMap<u32, RunDocument>>,
    /// Ids of the runs in progress in this process.
    live: Mutex<HashSet<i64>>,
}

/// A batch in progress. It ends when this is dropped, also by a panic; there are no events of it any
/// more then.
pub(super) struct ActiveBatch {
    inner: Arc<Inner>,
    pub number: u32,
    pub stop: Arc<AtomicBool>,
}

impl ActiveBatch {
    pub fn begin(inner: &Arc<Inner>, document: RunDocument) -> Self {
        let active = &inner.active_runs;
        let mut last = lock_ignoring_poison(&active.last);
        *last += 1;
        let number = *last;
        drop(last);
        let stop = Arc::new(AtomicBool::new(false));
        active.stops().insert(number, Arc::clone(&stop));
        active.documents_mut().insert(number, document);
        Self {
            inner: Arc::clone(inner),
            number,
            stop,
        }
    }
}

impl Drop for ActiveBatch {
    fn drop(&mut self) {
        let active = &self.inner.active_runs;
        active.stops().remove(&self.number);
        active.documents_mut().remove(&self.number);
    }
}

/// A run that is live from the moment it has an id until this is dropped, also by a panic.
pub(super) struct LiveGuard<'a> {
    pub active: &'a ActiveRuns,
    pub id: &'a Cell<Option<i64>>,
}

impl Drop for LiveGuard<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.get() {
            self.active.live().remove(&id);
        }
    }
}

impl ActiveRuns {
    pub(super) fn stops(&self) -> MutexGuard<'_, HashMap<u32, Arc<AtomicBool>>> {
        lock_ignoring_poison(&self.stops)
    }

    pub(crate) fn live(&self) -> MutexGuard<'_, HashSet<i64>> {
        lock_ignoring_poison(&self.live)
    }

    fn documents(&self) -> RwLockReadGuard<'_, HashMap<u32, RunDocument>> {
        let documents = self.documents.read();
        documents.unwrap_or_else(PoisonError::into_inner)
    }

    fn documents_mut(&self) -> RwLockWriteGuard<'_, HashMap<u32, RunDocument>> {
        let documents = self.documents.write();
        documents.unwrap_or_else(PoisonError::into_inner)
    }

    /// The document of a batch.
    pub(super) fn document(&self, batch: u32) -> RunDocument {
        self.documents().get(&batch).cloned().unwrap_or_default()
    }

    /// Writes something of a batch under the key that its document has; the document gets no other
    /// name meanwhile.
    pub(super) fn write_under<R>(&self, batch: u32, write: impl FnOnce(&RunDocument) -> R) -> R {
        let documents = self.documents();
        write(documents.get(&batch).unwrap_or(&RunDocument::default()))
    }

    /// Gives documents of a folder other names, which their runs follow. `rename` moves the files and
    /// what the store has of them.
    pub(crate) fn rename_in(
        &self,
        folder: &Path,
        new_name: &NewName<'_>,
        rename: impl FnOnce() -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let mut documents = self.documents_mut();
        let of_folder = |document: &&mut RunDocument| {
            snapshots::key(&folder.join(&document.name)) == document.key
        };
        let moving: Vec<(&mut RunDocument, String)> = documents
            .values_mut()
            .filter(of_folder)
            .filter_map(|document| new_name(&document.name).map(|to| (document, to)))
            .collect();
        rename()?;
        for (document, to) in moving {
            document.key = snapshots::key(&folder.join(&to));
            document.name = to;
        }
        Ok(())
    }
}

/// Locks data that is consistent even after a panic, since each change is a single step.
fn lock_ignoring_poison<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
