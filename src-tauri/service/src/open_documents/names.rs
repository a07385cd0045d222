//! Open documents whose files get another name, go to the trash and come back, and what becomes of
//! them when another folder is opened.

use std::collections::HashMap;
use std::mem;
use std::path::Path;
use std::sync::PoisonError;

use super::{FileDocument, OpenDocuments, Shared, lock};
use crate::ServiceError;
use crate::snapshots;

impl<T: FileDocument> OpenDocuments<T> {
    /// Gives the file of a document, open or not, another name. No draft is written and no edit
    /// made meanwhile; `rename` moves the file and what the store has of it.
    pub(crate) fn rename(
        &self,
        (from, from_path): (&str, &Path),
        (to, to_path): (&str, &Path),
        rename: impl FnOnce() -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let _no_drafts = self.drafts.pause();
        let keys = [snapshots::key(from_path), snapshots::key(to_path)];
        let Ok(open) = self.get(from) else {
            return rename();
        };
        let mut document = lock(&open);
        rename()?;
        document.copy_mut().follow(to, to_path);
        // The store has the draft under its new key; the next one is written as a whole.
        for key in &keys {
            self.drafts.start_over(key);
        }
        drop(document);
        let mut by_name = self.write();
        by_name.remove(from);
        by_name.insert(to.to_owned(), open);
        Ok(())
    }

    /// Closes a document that was opened for a moment, with its steps to undo, unless it has edits to
    /// save.
    pub(crate) fn drop_clean(&self, document: &str) {
        if self.modified(document) == Some(false) {
            self.save_draft(document);
            if let Some(open) = self.write().remove(document) {
                let key = snapshots::key(lock(&open).copy().path());
                self.drafts.start_over(&key);
            }
        }
    }

    /// Takes a document out while `delete` moves its file away. It stays if that fails.
    pub(crate) fn take<R>(
        &self,
        document: &str,
        delete: impl FnOnce() -> Result<R, ServiceError>,
    ) -> Result<(R, Option<Shared<T>>), ServiceError> {
        let _no_drafts = self.drafts.pause();
        let open = self.get(document).ok();
        let locked = open.as_ref().map(|open| lock(open));
        let done = delete()?;
        drop(locked);
        self.write().remove(document);
        Ok((done, open))
    }

    /// Puts a document back that was taken out, unless one of that name is open.
    pub(crate) fn put_back(&self, document: &str, open: Shared<T>) {
        self.write().entry(document.to_owned()).or_insert(open);
    }

    /// Puts the documents of a folder away and takes those of another out again, their steps to undo
    /// with them. Drafts are written first; an unsaved document is put away whether that worked or
    /// not.
    pub(crate) fn change_folder(&self, from: &Path, to: &Path) {
        self.save_drafts();
        let mut parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        let entering = parked.remove(to).unwrap_or_default();
        let mut left = mem::replace(&mut *self.write(), entering);
        left.retain(|_, open| {
            let open = lock(open);
            open.copy().has_history() || open.copy().modified()
        });
        if !left.is_empty() {
            parked.insert(from.to_owned(), left);
        }
    }

    /// Writes the drafts of folders that were left: the store may have been busy then.
    pub(super) fn save_parked_drafts(&self) {
        let Ok(store) = self.store_handle.store() else {
            return;
        };
        let parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        for open in parked.values().flat_map(HashMap::values) {
            // Nobody is left to tell of a fault: the window closes.
            let _ = self.drafts.save(&store, open);
        }
    }
}
