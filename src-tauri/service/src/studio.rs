//! The studio: the folder, the open documents, the store, and what happens by itself.
//!
//! Every call about a document takes that document's lock, so edits are applied and answered in
//! order. Nothing that touches a disk happens while a keystroke is answered.

mod completion;
pub(crate) mod document_snapshots;
mod export;
mod policy;
mod settings;
mod startup;
mod variants;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use promptdeck_core::registry::canonical;
use promptdeck_model::tokenizer::{self, Cached, Estimate};
use promptdeck_store::files::Replaced;
use promptdeck_store::watch::Watch;

use self::document_snapshots::prepare_before;
use crate::analysis::Subject;
use crate::calls::{self, SharedCall};
use crate::catalog::Catalog;
use crate::debouncer::{Debouncer, Due, Outcome};
use crate::drafts::{self, Drafts};
use crate::file_version;
use crate::list_reader::ListReader;
use crate::request::Ledger;
use crate::runs::Orders;
use crate::session::Session;
use crate::snapshots::Prepared;
use crate::store_handle::StoreHandle;
use crate::wire::{
    CallEntry, Change, Choice, DraftNote, Edit, EditGroup, Event, ModelJson, OpenDocument,
    SaveReport, Slot, Step,
};
use crate::workspace::Folder;
use crate::{ServiceError, chat, clock, diff::text, file_changes, load, snapshots, tree};

/// Drafts are kept this long after the last keystroke, and at least that often while typing.
const DRAFT: Due = Due {
    quiet: Duration::from_millis(180),
    latest: Duration::from_millis(850),
};

/// Lint and token counts follow this long after the last keystroke.
const ANALYSIS: Due = Due {
    quiet: Duration::from_millis(150),
    latest: Duration::from_secs(1),
};

/// Where events go.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// An open document, used by one caller at a time.
pub(crate) type Shared = Arc<Mutex<Session>>;

/// What the studio's threads share.
pub(crate) struct Inner {
    pub(crate) folder: Folder,
    pub(crate) sessions: RwLock<HashMap<String, Shared>>,
    pub(crate) calls: RwLock<HashMap<String, SharedCall>>,
    pub(crate) call_catalog: Catalog<CallEntry>,
    pub(crate) list_reader: ListReader,
    pub(crate) requests: Ledger,
    pub(crate) store_handle: StoreHandle,
    pub(crate) drafts: Drafts,
    pub(crate) listener: Listener,
    /// Made on first use, which is not on the way to the first card.
    counter: OnceLock<Cached>,
    tokenizer: String,
    pub(crate) orders: Orders,
    pub(crate) chat: chat::Kept,
}

/// The studio of one window.
pub struct Studio {
    pub(crate) inner: Arc<Inner>,
    pub(crate) drafting: Debouncer,
    analysis: Debouncer,
    _watch: Option<Watch>,
    /// On the folder of call documents, from when there is one.
    pub(crate) watch_calls: Mutex<Option<Watch>>,
}

/// What a studio is opened with.
pub struct Options {
    /// The folder of registries.
    pub folder: PathBuf,
    /// The store's file; none works without drafts and snapshots.
    pub store: Option<PathBuf>,
    /// Where events go.
    pub listener: Listener,
    /// Name of the tokenizer that counts, as `promptdeck_model::tokenizer::by_name` knows it.
    pub tokenizer: String,
}

pub(crate) fn lock(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    // A session changes tree and meaning together at the very end, so one whose user panicked
    // is still whole.
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a lock guards, when no other caller has it.
pub(crate) fn if_free<T>(shared: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match shared.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(fault)) => Some(fault.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

impl Inner {
    pub(crate) fn session(&self, document: &str) -> Result<Shared, ServiceError> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions
            .get(document)
            .cloned()
            .ok_or_else(|| ServiceError::NotOpen(document.to_owned()))
    }

    pub(crate) fn all(&self) -> Vec<(String, Shared)> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions
            .iter()
            .map(|(name, shared)| (name.clone(), Arc::clone(shared)))
            .collect()
    }

    pub(crate) fn tell(&self, event: Event) {
        (self.listener)(event);
    }

    /// Brings a document's draft up to date and says so.
    pub(crate) fn keep_draft(&self, document: &str) -> Outcome {
        let kept = if calls::folder::is_call(document) {
            self.keep_call(document)
        } else {
            self.keep_session(document)
        };
        let (revision, problem) = match kept.unwrap_or(Ok(None)) {
            Ok(None) => return Outcome::Done,
            Ok(Some(revision)) => (revision, None),
            Err(fault) => (0, Some(fault.into())),
        };
        let outcome = if problem.is_some() {
            Outcome::TryAgain
        } else {
            Outcome::Done
        };
        self.tell(Event::Draft {
            document: document.to_owned(),
            revision,
            saved_at: clock::now(),
            problem,
        });
        outcome
    }

    /// Brings a registry's draft up to date; gives the revision that is safe.
    fn keep_session(&self, document: &str) -> Option<Result<Option<u32>, ServiceError>> {
        let session = self.session(document).ok()?;
        let key = snapshots::key(lock(&session).copy().path());
        let store = self.store_handle.store();
        Some(store.and_then(|store| self.drafts.keep(&store, &key, &session)))
    }

    fn analyse(&self, document: &str) {
        let Ok(session) = self.session(document) else {
            return;
        };
        let subject = Subject::of(&lock(&session));
        self.tell(Event::Lint(subject.lint()));
        self.tell(Event::Counts(subject.counts(self.counter())));
    }

    /// The counter of the window; an estimate when it is asked for by a name nobody knows.
    pub(crate) fn counter(&self) -> &Cached {
        self.counter.get_or_init(|| {
            let named = tokenizer::by_name(&self.tokenizer);
            named.unwrap_or_else(|| Cached::new(Box::new(Estimate)))
        })
    }
}

impl Studio {
    /// Opens the folder, and the store in the background: calls that need it wait until it is open. A
    /// store that can't be used is reported by an event and in [`Studio::workspace`]; work goes on
    /// without it.
    pub fn open(options: Options) -> Result<Self, ServiceError> {
        let store_handle = StoreHandle::new(options.store, &options.listener);
        let inner = Arc::new(Inner {
            folder: Folder::new(options.folder),
            sessions: RwLock::default(),
            calls: RwLock::default(),
            call_catalog: calls::folder::catalog(),
            list_reader: ListReader::default(),
            requests: Ledger::default(),
            store_handle,
            drafts: Drafts::new(clock::draw_seed()?.get().cast_signed()),
            listener: options.listener,
            counter: OnceLock::new(),
            tokenizer: options.tokenizer,
            orders: Orders::default(),
            chat: chat::Kept::default(),
        });
        let keeper = Arc::clone(&inner);
        let drafting = Debouncer::new("drafts", DRAFT, move |document| keeper.keep_draft(document))
            .map_err(ServiceError::Thread)?;
        let analyst = Arc::clone(&inner);
        let analysis = Debouncer::new("analysis", ANALYSIS, move |document| {
            analyst.analyse(document);
            Outcome::Done
        })
        .map_err(ServiceError::Thread)?;
        let watcher = Arc::clone(&inner);
        let watch = Watch::folder(inner.folder.path(), move || file_changes::look(&watcher)).ok();
        StoreHandle::open_in_background(&inner)?;
        Ok(Self {
            inner,
            drafting,
            analysis,
            _watch: watch,
            watch_calls: Mutex::default(),
        })
    }

    pub(crate) fn with<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut Session) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let session = self.inner.session(document)?;
        let answer = work(&mut lock(&session))?;
        self.drafting.touch(document);
        self.analysis.touch(document);
        Ok(answer)
    }

    /// As [`Studio::with`], for what is destructive: the work also gives a snapshot of the document
    /// as it was before. It is stored before the answer is given, though not while the document is
    /// locked, for the store may be busy.
    pub(crate) fn with_snapshot<T>(
        &self,
        document: &str,
        work: impl FnOnce(
            &mut Session,
        ) -> (
            Option<Result<Prepared, ServiceError>>,
            Result<T, ServiceError>,
        ),
    ) -> Result<T, ServiceError> {
        let session = self.inner.session(document)?;
        let (revision, (before, answer)) = {
            let mut session = lock(&session);
            (session.copy().revision(), work(&mut session))
        };
        if answer.is_ok() {
            self.drafting.touch(document);
            self.analysis.touch(document);
        }
        if let Some(before) = before {
            self.inner.store_before(document, revision, before);
        }
        answer
    }

    /// The key under which a file's drafts, snapshots and view are kept.
    pub(crate) fn key(&self, file: &str) -> Result<String, ServiceError> {
        Ok(snapshots::key(&self.inner.folder.file(file)?))
    }

    /// Opens a registry, with its draft when there is one.
    pub fn open_document(&self, file: &str) -> Result<OpenDocument, ServiceError> {
        if let Ok(session) = self.inner.session(file) {
            self.inner
                .store_handle
                .remember_open(self.inner.folder.path(), file);
            self.analysis.touch(file);
            // It may have been in memory only for its undo history, while the file changed and the
            // watcher has not come to it yet.
            file_changes::look_at(&self.inner, file, &session);
            return Ok(opened(&lock(&session), None));
        }
        let path = self.inner.folder.file(file)?;
        let key = snapshots::key(&path);
        let found = match self.inner.store_handle.store() {
            Ok(store) => drafts::find(&store, &key).unwrap_or_else(|fault| {
                self.inner.tell(Event::Draft {
                    document: file.to_owned(),
                    revision: 0,
                    saved_at: clock::now(),
                    problem: Some(fault.into()),
                });
                None
            }),
            Err(_) => None,
        };
        let (session, draft) = load::begin(file, &path, found)?;
        let seed_locked = self.inner.store_handle.view(&key).seed_locked;
        let mut sessions = self
            .inner
            .sessions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let shared = sessions
            .entry(file.to_owned())
            .or_insert_with(|| Arc::new(Mutex::new(session)));
        let shared = Arc::clone(shared);
        // What is told of a large document takes a while; other documents are asked for meanwhile.
        drop(sessions);
        let mut session = lock(&shared);
        session.lock_seed(seed_locked);
        let opened = opened(&session, draft);
        drop(session);
        self.inner
            .store_handle
            .remember_open(self.inner.folder.path(), file);
        self.analysis.touch(file);
        Ok(opened)
    }

    /// Closes a document that the window no longer shows; unsaved edits stay in its draft. One that
    /// has steps to undo or redo stays in memory, so that they are there when it is opened again.
    pub fn close(&self, document: &str) {
        self.inner.keep_draft(document);
        let session = self.inner.session(document);
        if session.is_ok_and(|session| lock(&session).copy().has_history()) {
            return;
        }
        if let Ok(key) = self.key(document) {
            self.inner.drafts.start_over(&key);
        }
        self.inner.requests.forget(document);
        let mut sessions = self
            .inner
            .sessions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let closed = sessions.remove(document);
        drop(sessions);
        // Giving a large document's memory back takes a while, too.
        drop(closed);
    }

    /// Brings all drafts up to date, before the window goes.
    pub fn flush(&self) {
        let calls = self.inner.all_calls().into_iter().map(|(name, _)| name);
        let registries = self.inner.all().into_iter().map(|(name, _)| name);
        for document in registries.chain(calls) {
            self.inner.keep_draft(&document);
        }
    }

    /// Applies a group of edits the page has made. A snapshot is taken before sections, items or
    /// routes go.
    pub fn apply(&self, document: &str, group: &EditGroup) -> Result<Change, ServiceError> {
        self.with_snapshot(document, |session| {
            let gone = group.edits.iter().find_map(|edit| what_goes(session, edit));
            let before = gone.map(|name| prepare_before(session, &format!("delete: {name}")));
            (before, session.apply(group))
        })
    }

    /// Takes back the last step.
    pub fn undo(&self, document: &str) -> Result<Change, ServiceError> {
        self.with(document, Session::undo)
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&self, document: &str) -> Result<Change, ServiceError> {
        self.with(document, Session::redo)
    }

    /// Draws a new seed.
    pub fn roll(&self, document: &str) -> Result<Change, ServiceError> {
        let seed = clock::draw_seed()?;
        self.with(document, |session| session.set_seed("Roll", seed))
    }

    /// Goes on with a given seed, below 2^53.
    pub fn use_seed(&self, document: &str, seed: u64) -> Result<Change, ServiceError> {
        let seed = promptdeck_core::hydrate::Seed::new(seed).map_err(|fault| tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })?;
        self.with(document, |session| session.set_seed("Use seed", seed))
    }

    /// Goes back to the seed before the last roll.
    pub fn use_last_seed(&self, document: &str) -> Result<Change, ServiceError> {
        self.with(document, Session::use_last_seed)
    }

    /// Locks or unlocks the seed.
    pub fn lock_seed(&self, document: &str, locked: bool) -> Result<Change, ServiceError> {
        let change = self.with(document, |session| {
            session.lock_seed(locked);
            Ok(session.unchanged())
        })?;
        self.inner
            .store_handle
            .remember_seed_lock(&self.key(document)?, locked)?;
        Ok(change)
    }

    /// Freezes rolled values into the selection: these slots, or all.
    pub fn lock(&self, document: &str, slots: Option<&[Slot]>) -> Result<Change, ServiceError> {
        self.with(document, |session| session.lock(slots))
    }

    /// Writes the canonical form, atomically; nothing when nothing changed. Answers with a
    /// conflict instead when the file has changed.
    pub fn save(&self, document: &str) -> Result<SaveReport, ServiceError> {
        let report = self.with(document, |session| {
            for _ in 0..file_version::SAVE_ATTEMPTS {
                file_changes::compare_with_file(&self.inner, session);
                let conflict = session.conflict();
                if conflict.is_some() || !session.copy().modified() {
                    return Ok(SaveReport {
                        written: false,
                        status: session.status(),
                        conflict,
                    });
                }
                let text = canonical::format(&session.registry_document());
                // What could not be opened again must not take the place of what can.
                file_version::parse(document, text.as_bytes())?;
                let replaced = file_version::replace(session.copy(), text.as_bytes())?;
                if replaced == Replaced::ChangedOutside {
                    // The next comparison finds the outside edit.
                    continue;
                }
                session.saved(text.as_bytes());
                self.inner
                    .drafts
                    .start_over(&snapshots::key(session.copy().path()));
                return Ok(SaveReport {
                    written: replaced == Replaced::Written,
                    status: session.status(),
                    conflict: None,
                });
            }
            Err(file_version::keeps_changing(session.copy()))
        })?;
        self.inner.keep_draft(document);
        Ok(report)
    }

    /// Ends a conflict with a side for each key that differs. A snapshot is taken first.
    pub fn resolve(
        &self,
        document: &str,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Change, ServiceError> {
        self.with_snapshot(document, |session| {
            let before = prepare_before(session, "choosing between versions");
            let change = session.resolve(choices);
            if change.is_ok() {
                self.inner
                    .drafts
                    .start_over(&snapshots::key(session.copy().path()));
            }
            (Some(before), change)
        })
    }

    /// Goes back to what the file holds, as a step that can be undone. A snapshot is taken first.
    pub fn revert(&self, document: &str) -> Result<Change, ServiceError> {
        self.with_snapshot(document, |session| {
            if session.copy().pending().is_some() {
                return (None, Err(ServiceError::Conflict(document.to_owned())));
            }
            let before = prepare_before(session, "reverting to the file");
            (Some(before), session.revert())
        })
    }

    /// The canonical model JSON, and the line diff from the file to what saving would write.
    pub fn model_json(&self, document: &str) -> Result<ModelJson, ServiceError> {
        let session = self.inner.session(document)?;
        let (registry, state, path) = {
            let session = lock(&session);
            (
                session.registry_document(),
                session.state().clone(),
                session.copy().path().to_owned(),
            )
        };
        let old = file_version::bytes(&path).unwrap_or_default();
        Ok(ModelJson {
            text: promptdeck_core::export::export(&registry, &state),
            omitted: promptdeck_core::export::omitted(&registry, &state),
            against_file: text::lines(
                &String::from_utf8_lossy(&old),
                &canonical::format(&registry),
            ),
        })
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.flush();
    }
}

/// The name of the section, settings, item or route an edit takes away.
fn what_goes(session: &Session, edit: &Edit) -> Option<String> {
    let Edit::Remove { path } = edit else {
        return None;
    };
    let registry = tree::registry(session.copy().tree());
    match path.as_slice() {
        [Step::Key(top), Step::Key(key)] if top == "registry" => {
            registry.get(key)?;
            Some(key.clone())
        }
        [Step::Key(top), Step::Key(routes), Step::Key(route)]
            if top == "registry" && routes == "routes" =>
        {
            registry.get(routes)?.get(route)?;
            Some(format!("route {route}"))
        }
        [
            Step::Key(top),
            Step::Key(section),
            Step::Key(items),
            Step::Index(index),
        ] if top == "registry" && items == "items" => {
            let item = registry.get(section)?.get("items")?.get(*index as usize)?;
            let named = |key: &str| item.get(key).and_then(serde_json::Value::as_str);
            let name = named("id").or_else(|| named("name"));
            Some(crate::preview::item_name(name, *index as usize))
        }
        _ => None,
    }
}

fn opened(session: &Session, draft: Option<DraftNote>) -> OpenDocument {
    OpenDocument {
        document: session.copy().document().to_owned(),
        tree: session.copy().tree().clone(),
        status: session.status(),
        preview: session.full_patch(),
        draft,
        conflict: session.conflict(),
    }
}
