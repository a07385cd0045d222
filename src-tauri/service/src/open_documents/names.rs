//! Open documents whose files get another name, go to the trash and come back, and what becomes of
//! them when another folder is opened.

use std::mem;
use std::path::Path;
use std::sync::PoisonError;

use super::{FileDocument, OpenDocuments, Shared, lock};
use crate::ServiceError;
use crate::calls::folder::NewName;
use crate::file_version::FileVersion;
use crate::snapshots;
use crate::wire::Edit;

/// Open documents with their names.
pub(crate) type Named<T> = Vec<(String, Shared<T>)>;

/// An open document whose file gets another name.
struct Renamed<T> {
    from: String,
    to: String,
    /// Keys in the store, before and after.
    keys: [String; 2],
    document: Shared<T>,
}

impl<T: FileDocument> OpenDocuments<T> {
    /// Gives the files of documents of a folder other names. No draft is written and no edit made
    /// meanwhile; `rename` moves the files and what the store has of them.
    pub(crate) fn rename_in(
        &self,
        folder: &Path,
        new_name: &NewName<'_>,
        rename: impl FnOnce() -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let _no_drafts = self.drafts.pause();
        let mut open: Vec<Renamed<T>> = self
            .all()
            .into_iter()
            .filter_map(|(from, document)| {
                let to = new_name(&from)?;
                let keys = [&from, &to].map(|name| snapshots::key(&folder.join(name)));
                Some(Renamed {
                    from,
                    to,
                    keys,
                    document,
                })
            })
            .collect();
        // Two renames at once lock in the same order.
        open.sort_by(|one, other| one.from.cmp(&other.from));
        let mut locked: Vec<_> = open.iter().map(|renamed| lock(&renamed.document)).collect();
        rename()?;
        for (renamed, document) in open.iter().zip(&mut locked) {
            document
                .copy_mut()
                .follow(&renamed.to, &folder.join(&renamed.to));
            // The store has the draft under its new key; the next one is written as a whole.
            for key in &renamed.keys {
                self.drafts.start_over(key);
            }
        }
        drop(locked);
        let mut by_name = self.write();
        for renamed in &open {
            by_name.remove(&renamed.from);
        }
        by_name.extend(
            open.into_iter()
                .map(|renamed| (renamed.to, renamed.document)),
        );
        Ok(())
    }

    /// Has a document follow the new names of files that it refers to. `renamed` gives for an edit
    /// that sets an old name the one that sets the new; `write` has the file and the draft follow
    /// and returns what the file holds then. The document follows even if its file cannot;
    /// `on_change` takes the change of an open one.
    pub(crate) fn follow_names(
        &self,
        document: &str,
        path: &Path,
        renamed: &dyn Fn(&Edit) -> Option<Edit>,
        write: impl FnOnce() -> Result<Option<FileVersion>, ServiceError>,
        on_change: impl FnOnce(T::Change),
    ) -> Result<(), ServiceError> {
        let _no_drafts = self.drafts.pause();
        let Ok(open) = self.get(document) else {
            return write().map(drop);
        };
        let mut open = lock(&open);
        // What another program wrote is not taken for what is written here.
        self.compare_with_file(&mut open);
        let (file, written) = match write() {
            Ok(file) => (file, Ok(())),
            Err(fault) => (None, Err(fault)),
        };
        self.drafts.start_over(&snapshots::key(path));
        let base = open.copy().revision();
        let edits = open.copy_mut().follow_names(renamed, file)?;
        if !edits.is_empty() {
            on_change(open.answer(base, edits));
        }
        // A version in conflict is read again.
        self.compare_with_file(&mut open);
        written
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

    /// Takes documents out while `delete` moves their files away. They stay if that fails.
    pub(crate) fn take<R>(
        &self,
        is_deleted: &dyn Fn(&str) -> bool,
        delete: impl FnOnce() -> Result<R, ServiceError>,
    ) -> Result<(R, Named<T>), ServiceError> {
        let _no_drafts = self.drafts.pause();
        let mut open = self.all();
        open.retain(|(name, _)| is_deleted(name));
        open.sort_by(|(one, _), (other, _)| one.cmp(other));
        let locked: Vec<_> = open.iter().map(|(_, document)| lock(document)).collect();
        let done = delete()?;
        drop(locked);
        let mut by_name = self.write();
        for (name, _) in &open {
            by_name.remove(name);
        }
        Ok((done, open))
    }

    /// Puts documents back that were taken out, unless some of their names are open.
    pub(crate) fn put_back(&self, open: Named<T>) {
        let mut by_name = self.write();
        for (name, document) in open {
            by_name.entry(name).or_insert(document);
        }
    }

    /// Puts the documents of the folder that is left away and takes those of another out again, their
    /// steps to undo with them: what both folders hold stays open, under the name that `name_in` gives
    /// for its path. Drafts are written first; an unsaved document is put away whether that worked or
    /// not.
    pub(crate) fn change_folder(&self, name_in: &dyn Fn(&Path) -> Option<String>) {
        self.save_drafts();
        let mut parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        // No document is locked under the lock of the map.
        let left = mem::take(&mut *self.write());
        for open in left.into_values() {
            let path = {
                let open = lock(&open);
                let is_wanted = open.copy().has_history() || open.copy().modified();
                is_wanted.then(|| open.copy().path().to_owned())
            };
            parked.extend(path.map(|path| (path, open)));
        }
        let entering = parked.extract_if(|path, _| name_in(path).is_some());
        let mut entered = Named::new();
        for (path, open) in entering {
            if let Some(name) = name_in(&path) {
                lock(&open).copy_mut().follow(&name, &path);
                entered.push((name, open));
            }
        }
        self.write().extend(entered);
    }

    /// Writes the drafts of folders that were left: the store may have been busy then.
    pub(super) fn save_parked_drafts(&self) {
        let Ok(store) = self.store_handle.store() else {
            return;
        };
        let parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        for open in parked.values() {
            // A fault cannot be reported: the window closes.
            let _ = self.drafts.save(&store, open);
        }
    }
}
