//! Call documents: conversations stored beside the registries. They are opened, edited with undo,
//! saved, watched and drafted like registries. [`crate::request`] builds requests from them.

pub(crate) mod document;
pub(crate) mod folder;
pub(crate) mod pasted;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use promptdeck_chat::timestamp::Moment;
use promptdeck_store::watch::Watch;
use serde_json::{Map, Value};

use crate::open_documents::{FileDocument as _, Saved, lock};
use crate::panics::READING_CHANGES;
use crate::studio::Inner;
use crate::wire::{
    CallChange, CallEntry, CallSaved, Choice, DraftNote, Edit, EditGroup, Event, OpenCall,
};
use crate::{ServiceError, Studio, clock, draft_writer, list_reader, snapshots};
use document::CallDocument;
use folder::NewName;

impl Studio {
    /// The call documents of the folder, by name.
    ///
    /// # Errors
    /// If the folder cannot be read.
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
            let now = self.inner.calls.look(&entry.document, |call| {
                let is_modified = call.copy().modified();
                (
                    is_modified,
                    is_modified.then(|| folder::registry_of(&entry.document, call.call())),
                )
            });
            // A document in use is listed by its draft, since a list must not wait for a lock.
            let (is_modified, registry) = now.unwrap_or_else(|| {
                let path = folder::file(&self.inner.folder, &entry.document);
                let has_draft =
                    path.is_ok_and(|path| modified_files.contains(&snapshots::key(&path)));
                (has_draft, None)
            });
            entry.modified = is_modified;
            if let Some(registry) = registry {
                entry.registry = registry;
            }
        }
        Ok(entries)
    }

    /// Creates a call document for a registry of the folder, and returns its file name. `name` is as
    /// the author typed it; without one, the document is named after the registry.
    ///
    /// # Errors
    /// If there is no such registry, the name is no file name or taken, or the file cannot be
    /// written.
    pub fn new_call(&self, registry: &str, name: Option<&str>) -> Result<String, ServiceError> {
        self.new_call_with(registry, name, Map::new())
    }

    /// The same with the fields of `content`.
    pub(crate) fn new_call_with(
        &self,
        registry: &str,
        name: Option<&str>,
        content: Map<String, Value>,
    ) -> Result<String, ServiceError> {
        let created = folder::create(&self.inner.folder, registry, name, content)?;
        self.watch_calls();
        Ok(created)
    }

    /// Opens a call document and restores its draft, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or is not a call document.
    pub fn open_call(&self, document: &str) -> Result<OpenCall, ServiceError> {
        self.watch_calls();
        let path = folder::file(&self.inner.folder, document)?;
        let call = self.inner.calls.open(document, &path)?;
        let opened = {
            let mut call = lock(&call);
            let draft = call.copy_mut().take_draft_note();
            opened(&call, draft)
        };
        if opened.status.modified {
            self.autosave_later(document);
        }
        Ok(opened)
    }

    /// Watches the folder of call documents once it exists.
    fn watch_calls(&self) {
        let mut watch = self
            .watch_calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if watch.is_none() {
            let watcher = Arc::clone(&self.inner);
            let path = folder::path(&self.inner.folder);
            *watch = Watch::folder(&path, move || {
                watcher.catch(READING_CHANGES, || watcher.look_at_calls());
            })
            .ok();
        }
    }

    pub(crate) fn with_call<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut CallDocument) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.inner.pause.edit_begins();
        let answer = self.inner.calls.with(document, work)?;
        self.drafting.touch(document);
        for registry in self.inner.show_arguments(document) {
            self.analysis.touch(&registry);
        }
        Ok(answer)
    }

    /// Applies a group of edits from the page.
    ///
    /// # Errors
    /// If the document is not open, or the edits do not fit its revision or its tree.
    pub fn apply_call(
        &self,
        document: &str,
        group: &EditGroup,
    ) -> Result<CallChange, ServiceError> {
        self.with_call(document, |call| call.apply(group))
    }

    /// Undoes the last step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to undo.
    pub fn undo_call(&self, document: &str) -> Result<CallChange, ServiceError> {
        self.with_call(document, CallDocument::undo)
    }

    /// Repeats the last undone step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to redo.
    pub fn redo_call(&self, document: &str) -> Result<CallChange, ServiceError> {
        self.with_call(document, CallDocument::redo)
    }

    /// Resolves a conflict with a side for each part that differs. A version on disk that is not taken
    /// as it is stays as a copy beside the file.
    ///
    /// # Errors
    /// If the document is not open or has no conflict.
    pub fn resolve_call(
        &self,
        document: &str,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<CallChange, ServiceError> {
        self.with_call(document, |call| {
            self.inner.calls.resolve_with_copy(call, choices)
        })
    }

    /// Replaces the file atomically unless it is unchanged. If the file has changed on disk, writes
    /// nothing and returns the conflict.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn save_call(&self, document: &str) -> Result<CallSaved, ServiceError> {
        let saved = self.with_call(document, |call| {
            let Saved {
                written,
                damaged_copy,
            } = self.inner.calls.save(call)?;
            Ok(CallSaved {
                written,
                status: call.status(),
                conflict: call.conflict(),
                kept: damaged_copy,
            })
        })?;
        self.inner.calls.save_draft(document);
        Ok(saved)
    }
}

impl Studio {
    /// The registries of a folder, by file name, whose call documents have unsaved edits: as they are in
    /// the window, else by their drafts. Reads no file.
    pub(crate) fn registries_of_modified_calls(
        &self,
        drafts: &HashSet<String>,
        folder: &Path,
    ) -> HashSet<String> {
        let is_here = folder == self.inner.folder.path();
        if !is_here && drafts.is_empty() {
            return HashSet::new();
        }
        let of_call = |path: PathBuf| {
            let document = folder::document_of(folder, &path)?;
            let in_window = |call: &CallDocument| {
                let is_modified = call.copy().modified();
                let registry = is_modified.then(|| folder::registry_of(&document, call.call()));
                registry.flatten()
            };
            // A document in use is listed by its draft, since a list must not wait for a lock.
            let now = is_here.then(|| self.inner.calls.look(&document, in_window));
            now.flatten()
                .unwrap_or_else(|| self.registry_of_draft(drafts, (&document, &path)))
        };
        let files = folder::files_named(folder, |_| true).into_iter();
        files.filter_map(of_call).collect()
    }

    /// The registry that the draft of a call document names; none without unsaved edits.
    fn registry_of_draft(
        &self,
        drafts: &HashSet<String>,
        (document, path): (&str, &Path),
    ) -> Option<String> {
        if drafts.is_empty() {
            return None;
        }
        let key = drafts.get(&snapshots::key(path))?;
        let store = self.inner.store_handle.store().ok()?;
        let draft = draft_writer::find(&store, key).ok()??;
        folder::referred(document, draft.tree.get("registry")?.as_str()?)
    }

    /// Has the call documents name registries by their new names: their files, their drafts and what
    /// can be undone. Other unsaved edits stay unsaved. Gives a line for each that stays behind.
    pub(crate) fn retarget_calls(&self, new_name: &NewName<'_>) -> Vec<String> {
        let mut not_retargeted = Vec::new();
        let workspace = self.inner.folder.path();
        for path in folder::files(&workspace) {
            let Some(document) = folder::document_of(&workspace, &path) else {
                continue;
            };
            if let Err(fault) = self.retarget(&document, &path, new_name) {
                not_retargeted.push(fault.to_string());
            }
        }
        not_retargeted
    }

    fn retarget(
        &self,
        document: &str,
        path: &Path,
        new_name: &NewName<'_>,
    ) -> Result<(), ServiceError> {
        let store = self.inner.store_handle.store()?;
        let renamed = |edit: &Edit| match edit {
            Edit::Set { path, value } if *path == ["registry".into()] => {
                let to = new_name(&folder::referred(document, value.as_str()?)?)?;
                Some(Edit::Set {
                    path: path.clone(),
                    value: folder::reference(document, &to),
                })
            }
            _ => None,
        };
        let write = || folder::retarget(&store, (document, path), new_name);
        let followed = |change| {
            self.drafting.touch(document);
            self.inner.emit(Event::CallFollowed { change });
        };
        let calls = &self.inner.calls;
        calls.follow_names(document, path, &renamed, write, followed)
    }
}

impl Inner {
    /// Updates the open call documents and the list after changes on disk.
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

/// The current time for calls that have none.
pub(crate) fn now() -> Moment {
    // A clock outside the calendar's range counts as its start.
    Moment::from_unix_ms(clock::now_signed()).unwrap_or_default()
}
