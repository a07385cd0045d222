//! Open documents of one kind, registries, call documents or files of checks: opened with their drafts, looked up by
//! name, saved, closed, and synchronized with their files.
//!
//! Every call about a document takes that document's lock, so edits are applied and answered in
//! order. No lock is held while a file or the store is read, except by [`OpenDocuments::save`].

mod file_changes;
mod load;
mod names;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};

use promptdeck_store::drafts::DraftVersion;
use promptdeck_store::files::{self, Expected, Replaced};
use promptdeck_store::{Hash, Store, StoreError};
use serde_json::{Map, Value};

pub(crate) use names::Named;

use crate::debouncer::{JobOutcome, Touches};
use crate::draft_writer::{self, Drafts, WrittenDraft};
use crate::file_version::{self, FileVersion, Found};
use crate::store_handle::StoreHandle;
use crate::studio::Listener;
use crate::wire::{Choice, Conflict, DraftNote, Edit, EditGroup, Event, View};
use crate::working_copy::{Compiled, WorkingCopy};
use crate::{ServiceError, clock, snapshots};

/// How many times a save starts over because the file changed between comparison and replacement.
const SAVE_ATTEMPTS: usize = 8;

/// A kind of document that is stored as a file of the folder.
pub(crate) trait FileDocument: Sized {
    /// The compiled form of its tree.
    type Compiled: Compiled;

    /// The answer to a change.
    type Change;

    /// Parses the bytes of a file; `file` is the name used in messages.
    fn parse(file: &str, bytes: &[u8]) -> Result<FileVersion, ServiceError>;

    /// The content of a document whose file does not exist; `None` for kinds that need a file.
    fn absent() -> Option<Map<String, Value>> {
        None
    }

    /// The tree of a file without a draft.
    fn tree(disk: &FileVersion) -> Result<Value, ServiceError>;

    /// The tree of a file's content together with the rest of its draft, such as the selection.
    fn tree_with_draft(disk: &FileVersion, draft: Value) -> Value;

    /// Creates the document from its initial content.
    fn new(copy: WorkingCopy<Self::Compiled>) -> Self;

    /// Its working copy.
    fn copy(&self) -> &WorkingCopy<Self::Compiled>;

    /// Its working copy, for changes that do not touch the tree; [`FileDocument::change`] is for
    /// the others.
    fn copy_mut(&mut self) -> &mut WorkingCopy<Self::Compiled>;

    /// Takes over what the window keeps of its file, if it keeps anything.
    fn restore_view(&mut self, _view: &View) {}

    /// What saving writes.
    fn text(&self) -> Result<String, ServiceError>;

    /// The answer to edits from the revision `base` to the current one, which may be the same.
    fn answer(&mut self, base: u32, edits: Vec<Edit>) -> Self::Change;

    /// The event for the page after an unmodified document was reloaded from its changed file.
    fn reloaded(change: Self::Change) -> Event;

    /// Keeps unsaved work of another window, given as the tree of its draft, and says where: in a copy
    /// beside the file.
    fn keep_unsaved(path: &Path, tree: &Value, _store: &Store) -> Result<String, ServiceError> {
        let text = serde_json::to_string_pretty(tree)? + "\n";
        let copy = files::copy_beside(path, text.as_bytes(), files::UNSAVED)?;
        let name = copy.file_name().unwrap_or_default();
        Ok(name.to_string_lossy().into_owned())
    }

    /// Where unsaved work of another window was kept since its file was last written, if it is in the store.
    fn kept_unsaved(_path: &Path, _store: &Store) -> Option<String> {
        None
    }

    /// The conflict in the page's form.
    fn conflict(&self) -> Option<Conflict> {
        self.copy().conflict()
    }

    /// Changes the tree in one step, or not at all; `work` returns the edits that the page applies.
    fn change(
        &mut self,
        work: impl FnOnce(&mut WorkingCopy<Self::Compiled>) -> Result<Vec<Edit>, ServiceError>,
    ) -> Result<Self::Change, ServiceError> {
        let base = self.copy().revision();
        let edits = work(self.copy_mut())?;
        Ok(self.answer(base, edits))
    }

    /// Applies a group of edits that the page has already applied to its copy.
    fn apply(&mut self, group: &EditGroup) -> Result<Self::Change, ServiceError> {
        self.change(|copy| copy.apply(group).map(|()| Vec::new()))
    }

    /// Undoes the latest step.
    fn undo(&mut self) -> Result<Self::Change, ServiceError> {
        self.change(WorkingCopy::undo)
    }

    /// Repeats the step undone last.
    fn redo(&mut self) -> Result<Self::Change, ServiceError> {
        self.change(WorkingCopy::redo)
    }

    /// Resolves the conflict with a side for each key that differs.
    fn resolve(
        &mut self,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Self::Change, ServiceError> {
        self.change(|copy| copy.resolve(choices))
    }
}

/// An open document, used by one caller at a time.
pub(crate) type Shared<T> = Arc<Mutex<T>>;

/// Locks a document.
pub(crate) fn lock<T>(document: &Mutex<T>) -> MutexGuard<'_, T> {
    // The tree and its compiled form change together as the last act, so a panic leaves the
    // document consistent.
    document.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A document, unless another caller holds its lock.
fn if_free<T>(document: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match document.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(fault)) => Some(fault.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Result of saving.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    /// Whether the file was written.
    pub(crate) written: bool,
    /// Name of the copy of the damaged file that was replaced.
    pub(crate) damaged_copy: Option<String>,
}

/// Receives the names of documents that were loaded for the first time or again.
#[derive(Debug, Clone)]
pub(crate) struct OnLoad {
    /// Their drafts are written.
    pub(crate) drafting: Touches,
    /// They are analysed.
    pub(crate) analysis: Touches,
}

type ByName<T> = HashMap<String, Shared<T>>;

/// The open documents of one kind.
pub(crate) struct OpenDocuments<T> {
    by_name: RwLock<ByName<T>>,
    /// Those of folders that were left, by path, with steps to undo or edits to save.
    parked: Mutex<HashMap<PathBuf, Shared<T>>>,
    drafts: Drafts,
    store_handle: Arc<StoreHandle>,
    listener: Listener,
    on_load: OnLoad,
}

impl<T: FileDocument> OpenDocuments<T> {
    /// Creates an empty set. `owner` is a number that no other process has.
    pub(crate) fn new(
        owner: i64,
        store_handle: &Arc<StoreHandle>,
        listener: &Listener,
        on_load: &OnLoad,
    ) -> Self {
        Self {
            by_name: RwLock::default(),
            parked: Mutex::default(),
            drafts: Drafts::new(owner),
            store_handle: Arc::clone(store_handle),
            listener: Arc::clone(listener),
            on_load: on_load.clone(),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, ByName<T>> {
        self.by_name.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, ByName<T>> {
        self.by_name.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks up an open document.
    pub(crate) fn get(&self, document: &str) -> Result<Shared<T>, ServiceError> {
        let open = self.read().get(document).cloned();
        open.ok_or_else(|| ServiceError::NotOpen(document.to_owned()))
    }

    /// All open documents, by name.
    pub(crate) fn all(&self) -> Vec<(String, Shared<T>)> {
        let by_name = self.read();
        let all = by_name.iter();
        all.map(|(name, open)| (name.clone(), Arc::clone(open)))
            .collect()
    }

    /// Runs `work` on an open document under its lock.
    pub(crate) fn with<R>(
        &self,
        document: &str,
        work: impl FnOnce(&mut T) -> Result<R, ServiceError>,
    ) -> Result<R, ServiceError> {
        work(&mut lock(&*self.get(document)?))
    }

    /// Whether a document differs from its file; `None` if it is not open, or in use.
    pub(crate) fn modified(&self, document: &str) -> Option<bool> {
        self.look(document, |open| open.copy().modified())
    }

    /// The open documents that differ from their file, without those in use.
    pub(crate) fn modified_names(&self) -> Vec<String> {
        let names = self.read().keys().cloned().collect::<Vec<_>>();
        let is_modified = |name: &String| self.modified(name) == Some(true);
        names.into_iter().filter(is_modified).collect()
    }

    /// Looks at a document without waiting; `None` if it is not open, or in use.
    pub(crate) fn look<R>(&self, document: &str, look: impl FnOnce(&T) -> R) -> Option<R> {
        let open = self.get(document).ok()?;
        if_free(&open).map(|open| look(&open))
    }

    /// Opens a document, with its draft if there is one. One that is already open is compared with
    /// its file: it may have stayed in memory only for its undo history, and the watcher may not
    /// have reported a change of the file yet. Its copy has the note on a restored draft until the
    /// window takes it.
    pub(crate) fn open(&self, document: &str, path: &Path) -> Result<Shared<T>, ServiceError> {
        if let Ok(open) = self.get(document) {
            self.look_at(document, &open);
            return Ok(open);
        }
        let draft = self.draft(document, path);
        // What no file holds, as the seed drawn for a registry, is the same at the next start, also
        // after a crash.
        let is_new = !T::Compiled::FILE_PATH.is_empty() && self.has_no_draft(path);
        let stored = |hash: &Hash| self.store_handle.store().ok()?.content(hash).ok();
        let (mut opened, note): (T, _) = load::begin(document, path, draft, stored)?;
        let note = note.map(|note| DraftNote {
            other_window: self
                .store_handle
                .store()
                .ok()
                .and_then(|store| T::kept_unsaved(path, &store)),
            ..note
        });
        opened.copy_mut().note_draft(note);
        opened.restore_view(&self.store_handle.view(&snapshots::key(path)));
        if is_new {
            self.on_load.drafting.touch(document);
        }
        let mut by_name = self.write();
        // Another caller may have opened it in the meantime.
        let open = by_name
            .entry(document.to_owned())
            .or_insert_with(|| Arc::new(Mutex::new(opened)));
        Ok(Arc::clone(open))
    }

    /// Who wrote the draft of a file and when; `None` if it has none or the store cannot be read.
    pub(crate) fn draft_version(&self, path: &Path) -> Option<DraftVersion> {
        let store = self.store_handle.store().ok()?;
        store.draft_version(&snapshots::key(path)).ok().flatten()
    }

    /// A document with its draft, as opening it would show it, without opening it; `None` if it has no
    /// draft or cannot be opened.
    pub(crate) fn as_left(&self, document: &str, path: &Path) -> Option<T> {
        let store = self.store_handle.store().ok()?;
        let draft = draft_writer::find(&store, &snapshots::key(path)).ok()??;
        let stored = |hash: &Hash| store.content(hash).ok();
        let (left, _) = load::begin(document, path, Some(draft), stored).ok()?;
        Some(left)
    }

    /// Closes a document that the window no longer shows; unsaved edits stay in its draft. Returns
    /// false for one with steps to undo or redo: it stays in memory, so that they are available
    /// when it is opened again.
    pub(crate) fn close(&self, document: &str) -> bool {
        self.save_draft(document);
        if let Ok(open) = self.get(document) {
            let open = lock(&open);
            if open.copy().has_history() {
                return false;
            }
            self.drafts.start_over(&snapshots::key(open.copy().path()));
        }
        let closed = self.write().remove(document);
        // Freeing a large document takes a while; the map is unlocked by then.
        drop(closed);
        true
    }

    /// Writes a document's file atomically, if that is needed. Writes nothing while a conflict is
    /// unresolved. A damaged file is copied first: it holds what somebody wrote, and nothing else
    /// does.
    pub(crate) fn save(&self, open: &mut T) -> Result<Saved, ServiceError> {
        for _ in 0..SAVE_ATTEMPTS {
            self.compare_with_file(open);
            if open.copy().pending().is_some() || !open.copy().modified() {
                return Ok(Saved::default());
            }
            let text = open.text()?;
            // A file that could not be opened again must not replace one that can.
            let written = T::parse(open.copy().document(), text.as_bytes())?;
            let expected = match open.copy().seen() {
                Found::Bytes(hash) => Expected::Content(hash),
                Found::Nothing | Found::Unreadable(_) => Expected::Absent,
            };
            let damaged = open.copy().damaged();
            let damaged_copy = match damaged {
                Some(hash) => copy_file(open.copy(), hash, files::DAMAGED)?,
                None => None,
            };
            if damaged.is_some() && damaged_copy.is_none() {
                continue;
            }
            let replaced = files::replace(open.copy().path(), text.as_bytes(), expected)?;
            if replaced == Replaced::ChangedOutside {
                // The next comparison finds the outside edit.
                continue;
            }
            open.copy_mut().saved(text.as_bytes(), written.source_map);
            self.drafts.start_over(&snapshots::key(open.copy().path()));
            return Ok(Saved {
                written: replaced == Replaced::Written,
                damaged_copy,
            });
        }
        let path = open.copy().path().to_owned();
        Err(ServiceError::Store(StoreError::ChangedOutside { path }))
    }

    /// Ends a conflict as [`Self::resolve`] does. If the next save would then overwrite the version on
    /// disk, the file is copied beside itself first.
    pub(crate) fn resolve_with_copy(
        &self,
        open: &mut T,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<T::Change, ServiceError> {
        if let Some(disk) = open.copy().outvoted(choices) {
            let copied = copy_file(open.copy(), disk.hash, files::REPLACED)?;
            if copied.is_none() {
                self.compare_with_file(open);
                let path = open.copy().path().to_owned();
                return Err(ServiceError::Store(StoreError::ChangedOutside { path }));
            }
        }
        self.resolve(open, choices)
    }

    /// Ends a conflict with a side for each key that differs.
    pub(crate) fn resolve(
        &self,
        open: &mut T,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<T::Change, ServiceError> {
        let change = open.resolve(choices)?;
        self.drafts.start_over(&snapshots::key(open.copy().path()));
        Ok(change)
    }

    /// Writes a document's unsaved edits to its draft and reports it to the page.
    pub(crate) fn save_draft(&self, document: &str) -> JobOutcome {
        let Ok(open) = self.get(document) else {
            return JobOutcome::Done;
        };
        let store = self.store_handle.store();
        match store.and_then(|store| self.drafts.save(&store, &open)) {
            Ok(None) => JobOutcome::Done,
            Ok(Some(written)) => {
                self.report_draft(document, Ok(written));
                JobOutcome::Done
            }
            Err(fault) => {
                self.report_draft(document, Err(fault));
                JobOutcome::TryAgain
            }
        }
    }

    /// Reports that a document's draft could not be written. Nobody knows how far the writing got: the
    /// next attempt writes the whole draft.
    pub(crate) fn draft_failed(&self, document: &str, fault: ServiceError) -> JobOutcome {
        if let Ok(open) = self.get(document) {
            let key = snapshots::key(lock(&open).copy().path());
            self.drafts.start_over(&key);
        }
        self.report_draft(document, Err(fault));
        JobOutcome::TryAgain
    }

    /// Writes the unsaved edits of all documents to their drafts.
    pub(crate) fn save_drafts(&self) {
        for (document, _) in self.all() {
            self.save_draft(&document);
        }
        self.save_parked_drafts();
    }

    /// The draft of a document that is not open. Reports one that cannot be read.
    fn draft(&self, document: &str, path: &Path) -> Option<draft_writer::StoredDraft> {
        let store = self.store_handle.store().ok()?;
        let key = snapshots::key(path);
        // Read before the draft: what is written in between counts as not opened.
        let version = store.draft_version(&key);
        let draft = version.map_err(Into::into).and_then(|version| {
            let draft = draft_writer::find(&store, &key)?;
            if let Some(version) = version.filter(|_| draft.is_some()) {
                self.drafts.note_preserved(version);
            }
            Ok(draft)
        });
        draft.unwrap_or_else(|fault| {
            self.report_draft(document, Err(fault));
            None
        })
    }

    /// Whether the store can be read and has no draft of a file.
    fn has_no_draft(&self, path: &Path) -> bool {
        let store = self.store_handle.store();
        store.is_ok_and(|store| matches!(store.draft_version(&snapshots::key(path)), Ok(None)))
    }

    fn report_draft(&self, document: &str, written: Result<WrittenDraft, ServiceError>) {
        let (revision, displaced_copy, problem) = match written {
            Ok(written) => (written.revision, written.displaced_copy, None),
            Err(fault) => (0, None, Some(fault.into())),
        };
        self.emit(Event::Draft {
            document: document.to_owned(),
            revision,
            saved_at: clock::now(),
            kept: displaced_copy,
            problem,
        });
    }

    fn emit(&self, event: Event) {
        (self.listener)(event);
    }
}

/// Copies the file of a document beside it and returns the name of the copy; `None` if the file no
/// longer has this hash.
fn copy_file<M: Compiled>(
    copy: &WorkingCopy<M>,
    hash: Hash,
    label: &str,
) -> Result<Option<String>, ServiceError> {
    let bytes = file_version::bytes(copy.path())?;
    if Hash::of(&bytes) != hash {
        return Ok(None);
    }
    let beside = files::copy_beside(copy.path(), &bytes, label)?;
    let name = beside.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(match copy.document().rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.into_owned(),
    }))
}
