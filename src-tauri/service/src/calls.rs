//! Call documents, the conversations kept beside the registries: opened, edited with undo, saved,
//! watched and drafted as registries are. What is made of one is [`crate::request`]'s.

pub(crate) mod document;
pub(crate) mod folder;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use promptdeck_chat::timestamp::Moment;
use promptdeck_store::Hash;
use promptdeck_store::files::Replaced;
use promptdeck_store::watch::Watch;

use crate::drafts::{self, Found};
use crate::file_version::{self, FileVersion};
use crate::studio::Inner;
use crate::studio::if_free;
use crate::wire::{
    CallChange, CallEntry, CallSaved, Choice, DraftNote, EditGroup, Event, OpenCall,
};
use crate::{ServiceError, Studio, clock, diff, file_changes, list_reader, snapshots};
use document::CallDocument;

/// An open call document, used by one caller at a time.
pub(crate) type SharedCall = Arc<Mutex<CallDocument>>;

pub(crate) fn lock(call: &Mutex<CallDocument>) -> MutexGuard<'_, CallDocument> {
    // Tree and meaning change together at the very end, so one whose user panicked is still whole.
    call.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    /// An open call document.
    pub(crate) fn call(&self, document: &str) -> Result<SharedCall, ServiceError> {
        let calls = self.calls.read().unwrap_or_else(PoisonError::into_inner);
        calls
            .get(document)
            .cloned()
            .ok_or_else(|| ServiceError::NotOpen(document.to_owned()))
    }

    /// All open call documents, by name.
    pub(crate) fn all_calls(&self) -> Vec<(String, SharedCall)> {
        let calls = self.calls.read().unwrap_or_else(PoisonError::into_inner);
        calls
            .iter()
            .map(|(name, shared)| (name.clone(), Arc::clone(shared)))
            .collect()
    }
}

impl Studio {
    /// The call documents of the folder, by name.
    pub fn calls(&self) -> Result<Vec<CallEntry>, ServiceError> {
        self.watch_calls();
        let listing = folder::list(&self.inner.folder, &self.inner.call_catalog)?;
        if listing.unread {
            list_reader::start(&self.inner)?;
        }
        let mut entries = listing.entries;
        let kept = match self.inner.store_handle.store() {
            Ok(store) => store.modified_files()?,
            Err(_) => Vec::new(),
        };
        for entry in &mut entries {
            let open = self.inner.call(&entry.document).ok();
            // One that is being worked on is as its draft says: a list waits for nobody.
            let now = open.and_then(|open| if_free(&open).map(|call| call.copy().modified()));
            entry.modified = now.unwrap_or_else(|| {
                folder::file(&self.inner.folder, &entry.document)
                    .is_ok_and(|path| kept.contains(&snapshots::key(&path)))
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
        if let Ok(open) = self.inner.call(document) {
            return Ok(opened(&lock(&open), None));
        }
        let path = folder::file(&self.inner.folder, document)?;
        let found = match self.inner.store_handle.store() {
            Ok(store) => drafts::find(&store, &snapshots::key(&path))?,
            Err(_) => None,
        };
        let read = file_version::bytes(&path).and_then(|bytes| document::parse(document, &bytes));
        let note = found
            .as_ref()
            .filter(|found| found.modified)
            .map(|found| DraftNote {
                saved_at: found.saved_at,
            });
        let call = match found.filter(|found| found.modified) {
            None => CallDocument::open(document, &path, read?)?,
            Some(found) => with_unsaved(document, &path, found, read)?,
        };
        let mut calls = self
            .inner
            .calls
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let shared = calls
            .entry(document.to_owned())
            .or_insert_with(|| Arc::new(Mutex::new(call)));
        let shared = Arc::clone(shared);
        drop(calls);
        Ok(opened(&lock(&shared), note))
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
            *watch = Watch::folder(&path, move || look(&watcher)).ok();
        }
    }

    fn with_call<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut CallDocument) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let call = self.inner.call(document)?;
        let answer = work(&mut lock(&call))?;
        self.drafting.touch(document);
        self.show_arguments(document, &call);
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
        self.with_call(document, |call| {
            let change = call.resolve(choices)?;
            self.inner
                .drafts
                .start_over(&snapshots::key(call.copy().path()));
            Ok(change)
        })
    }

    /// Writes the document, atomically; nothing when nothing changed. Answers with a conflict
    /// instead when the file has changed.
    pub fn save_call(&self, document: &str) -> Result<CallSaved, ServiceError> {
        let saved = self.with_call(document, |call| {
            for _ in 0..file_version::SAVE_ATTEMPTS {
                compare_with_file(&self.inner, call);
                let conflict = call.conflict();
                if conflict.is_some() || !call.copy().modified() {
                    return Ok(CallSaved {
                        written: false,
                        status: call.status(),
                        conflict,
                    });
                }
                let text = call.text()?;
                // What could not be opened again must not take the place of what can.
                document::parse(document, text.as_bytes())?;
                let replaced = file_version::replace(call.copy(), text.as_bytes())?;
                if replaced == Replaced::ChangedOutside {
                    // The next comparison finds the outside edit.
                    continue;
                }
                call.saved(text.as_bytes());
                self.inner
                    .drafts
                    .start_over(&snapshots::key(call.copy().path()));
                return Ok(CallSaved {
                    written: replaced == Replaced::Written,
                    status: call.status(),
                    conflict: None,
                });
            }
            Err(file_version::keeps_changing(call.copy()))
        })?;
        self.inner.keep_draft(document);
        Ok(saved)
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

/// A document over a draft with unsaved edits, whatever became of its file meanwhile.
fn with_unsaved(
    document: &str,
    path: &std::path::Path,
    found: Found,
    read: Result<FileVersion, ServiceError>,
) -> Result<CallDocument, ServiceError> {
    let kept = found.tree.as_object().cloned().unwrap_or_default();
    let same = read
        .as_ref()
        .is_ok_and(|disk| disk.hash == found.base || diff::tree::alike_maps(&kept, &disk.registry));
    let hash = file_version::bytes(path).ok().map(|bytes| Hash::of(&bytes));
    // Where the file is gone or broken, what the draft holds stands for it until it is saved.
    let disk = match &read {
        Ok(disk) => disk.clone(),
        Err(_) => FileVersion {
            hash: found.base,
            registry: kept,
            wrapper: None,
        },
    };
    let mut call = CallDocument::with_tree(document, path, disk, found.tree)?;
    if !same {
        call.as_mut().forget_base();
        call.as_mut()
            .set_pending(Some(file_changes::pending(read, hash)));
    }
    Ok(call)
}

/// Something in the folder of call documents changed: looks at every open one's file.
pub(crate) fn look(inner: &Inner) {
    for (document, call) in inner.all_calls() {
        // As with registries: read without the lock, and again when something happened meanwhile.
        loop {
            let (path, known) = {
                let call = lock(&call);
                (call.copy().path().to_owned(), call.copy().seen())
            };
            let Some(found) = FileContent::read(&path, &document, known) else {
                break;
            };
            let mut call = lock(&call);
            if call.copy().seen() == known {
                take_over(inner, &mut call, found);
                break;
            }
        }
    }
    inner.tell(Event::WorkspaceChanged);
}

/// What a file holds that is not what was seen of it last.
struct FileContent {
    /// Hash of its bytes; none when it is gone.
    hash: Option<Hash>,
    read: Result<FileVersion, ServiceError>,
}

impl FileContent {
    /// Reads a file; none when it holds what is known.
    fn read(path: &std::path::Path, document: &str, known: Option<Hash>) -> Option<Self> {
        let bytes = file_version::bytes(path);
        let hash = bytes.as_ref().ok().map(|bytes| Hash::of(bytes));
        let read = bytes.and_then(|bytes| document::parse(document, &bytes));
        (hash != known).then_some(Self { hash, read })
    }
}

/// Compares a call document with its file and does what the difference asks for.
fn compare_with_file(inner: &Inner, call: &mut CallDocument) {
    if let Some(found) = FileContent::read(
        call.copy().path(),
        call.copy().document(),
        call.copy().seen(),
    ) {
        take_over(inner, call, found);
    }
}

fn take_over(inner: &Inner, call: &mut CallDocument, found: FileContent) {
    let FileContent { hash, read } = found;
    let document = call.copy().document().to_owned();
    if hash == Some(call.copy().disk().hash) {
        call.as_mut().set_pending(None);
        inner.tell(Event::ConflictOver { document });
        return;
    }
    let refused = match read {
        Ok(disk) if !call.copy().modified() || call.equals(&disk) => match call.reload(disk) {
            Ok(change) => {
                inner.drafts.start_over(&snapshots::key(call.copy().path()));
                inner.tell(Event::CallReloaded { change });
                return;
            }
            Err(fault) => Err(fault),
        },
        read => read,
    };
    call.as_mut()
        .set_pending(Some(file_changes::pending(refused, hash)));
    if let Some(conflict) = call.conflict() {
        inner.tell(Event::Conflicted { document, conflict });
    }
}

impl Inner {
    /// Brings a call document's draft up to date; gives the revision that is safe.
    pub(crate) fn keep_call(&self, document: &str) -> Option<Result<Option<u32>, ServiceError>> {
        let call = self.call(document).ok()?;
        let key = snapshots::key(lock(&call).copy().path());
        let store = self.store_handle.store();
        Some(store.and_then(|store| self.drafts.keep(&store, &key, &call)))
    }
}

/// The time of day for calls that don't say.
pub(crate) fn now() -> Moment {
    // A clock outside the calendar stands still at its beginning.
    Moment::from_unix_ms(clock::now_signed()).unwrap_or_default()
}
