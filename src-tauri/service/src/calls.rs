//! Call documents, the conversations kept beside the registries: opened, edited with undo, saved,
//! watched and drafted as registries are. What is made of one is [`crate::request`]'s.

pub(crate) mod document;
pub(crate) mod folder;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use promptdeck_chat::timestamp::Moment;
use promptdeck_store::watch::Watch;

use crate::open_documents::{FileDocument as _, lock};
use crate::studio::Inner;
use crate::wire::{
    CallChange, CallEntry, CallSaved, Choice, DraftNote, EditGroup, Event, OpenCall,
};
use crate::{ServiceError, Studio, clock, list_reader, snapshots};
use document::CallDocument;

impl Studio {
    /// The call documents of the folder, by name.
    pub fn calls(&self) -> Result<Vec<CallEntry>, ServiceError> {
        self.watch_calls();
        let listing = folder::list(&self.inner.folder, &self.inner.call_catalog)?;
        if listing.unread {
            list_reader::start(&self.inner)?;
        }
        let mut entries = listing.entries;
        let modified_files = match self.inner.store_handle.store() {
            Ok(store) => store.modified_files()?,
            Err(_) => Vec::new(),
        };
        for entry in &mut entries {
            let now = self.inner.calls.modified(&entry.document);
            // One that is being worked on is as its draft says: a list waits for nobody.
            entry.modified = now.unwrap_or_else(|| {
                folder::file(&self.inner.folder, &entry.document)
                    .is_ok_and(|path| modified_files.contains(&snapshots::key(&path)))
            });
        }
        Ok(entries)
    }

    /// Makes a call document about a registry of the folder, and gives its name.
    pub fn new_call(&self, registry: &str) -> Result<String, ServiceError> {
        let made = folder::create(&self.inner.folder, registry)?;
        self.watch_calls();
        Ok(made)
    }

    /// Opens a call document, with its draft when there is one.
    pub fn open_call(&self, document: &str) -> Result<OpenCall, ServiceError> {
        self.watch_calls();
        let path = folder::file(&self.inner.folder, document)?;
        let (call, draft) = self.inner.calls.open(document, &path, |_| ())?;
        Ok(opened(&lock(&call), draft))
    }

    /// Watches the folder of call documents as soon as there is one.
    fn watch_calls(&self) {
        let mut watch = self
            .watch_calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if watch.is_none() {
            let watcher = Arc::clone(&self.inner);
            let path = folder::path(&self.inner.folder);
            *watch = Watch::folder(&path, move || watcher.look_at_calls()).ok();
        }
    }

    fn with_call<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut CallDocument) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let answer = self.inner.calls.with(document, work)?;
        self.drafting.touch(document);
        self.show_arguments(document);
        Ok(answer)
    }

    /// Applies a group of edits the page has made.
    pub fn apply_call(
        &self,
        document: &str,
        group: &EditGroup,
    ) -> Result<CallChange, ServiceError> {
        self.with_call(document, |call| call.apply(group))
    }

    /// Takes back the last step.
    pub fn undo_call(&self, document: &str) -> Result<CallChange, ServiceError> {
        self.with_call(document, CallDocument::undo)
    }

    /// Brings back the last step that was taken back.
    pub fn redo_call(&self, document: &str) -> Result<CallChange, ServiceError> {
        self.with_call(document, CallDocument::redo)
    }

    /// Ends a conflict with a side for each part that differs.
    pub fn resolve_call(
        &self,
        document: &str,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<CallChange, ServiceError> {
        self.with_call(document, |call| self.inner.calls.resolve(call, choices))
    }

    /// Writes the document, atomically; nothing when nothing changed. Answers with a conflict
    /// instead when the file has changed.
    pub fn save_call(&self, document: &str) -> Result<CallSaved, ServiceError> {
        let saved = self.with_call(document, |call| {
            Ok(CallSaved {
                written: self.inner.calls.save(call)?,
                status: call.status(),
                conflict: call.conflict(),
            })
        })?;
        self.inner.calls.save_draft(document);
        Ok(saved)
    }
}

impl Inner {
    /// Brings the files of the open call documents and the list of files up to date.
    fn look_at_calls(&self) {
        self.calls.look_at_files();
        self.emit(Event::WorkspaceChanged);
    }
}

fn opened(call: &CallDocument, draft: Option<DraftNote>) -> OpenCall {
    OpenCall {
        document: call.copy().document().to_owned(),
        tree: call.copy().tree().clone(),
        status: call.status(),
        draft,
        conflict: call.conflict(),
    }
}

/// The time of day for calls that don't say.
pub(crate) fn now() -> Moment {
    // A clock outside the calendar stands still at its beginning.
    Moment::from_unix_ms(clock::now_signed()).unwrap_or_default()
}
