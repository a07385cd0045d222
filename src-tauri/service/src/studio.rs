//! The studio: the folder, the open documents, the store, and what happens by itself.
//!
//! Nothing that touches a disk happens while a keystroke is answered.

mod completion;
pub(crate) mod document_snapshots;
mod export;
mod policy;
mod settings;
mod startup;
mod variants;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use promptdeck_core::registry::canonical;
use promptdeck_model::tokenizer::{self, Cached, Estimate};
use promptdeck_store::watch::Watch;

use self::document_snapshots::prepare_before;
use crate::analysis::Subject;
use crate::calls::document::CallDocument;
use crate::catalog::Catalog;
use crate::debouncer::{Debouncer, Due, Outcome};
use crate::file_version;
use crate::list_reader::ListReader;
use crate::open_documents::{FileDocument as _, OpenDocuments, Shared, lock};
use crate::request::Ledger;
use crate::runs::Orders;
use crate::session::Session;
use crate::snapshots::SnapshotCopy;
use crate::store_handle::StoreHandle;
use crate::wire::{
    CallEntry, Change, Choice, DraftNote, Edit, EditGroup, Event, ModelJson, OpenDocument,
    SaveReport, Slot, Step,
};
use crate::workspace::Folder;
use crate::{ServiceError, calls, chat, clock, diff::text, snapshots, tree};

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

/// What the studio's threads share.
pub(crate) struct Inner {
    pub(crate) folder: Folder,
    pub(crate) sessions: OpenDocuments<Session>,
    pub(crate) calls: OpenDocuments<CallDocument>,
    pub(crate) call_catalog: Catalog<CallEntry>,
    pub(crate) list_reader: ListReader,
    pub(crate) requests: Ledger,
    pub(crate) store_handle: Arc<StoreHandle>,
    pub(crate) listener: Listener,
    /// Made on first use, which is not on the way to the first card.
    counter: OnceLock<Cached>,
    tokenizer: String,
    pub(crate) orders: Orders,
    pub(crate) chat: chat::FormatCache,
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

impl Inner {
    /// An open registry.
    pub(crate) fn session(&self, document: &str) -> Result<Shared<Session>, ServiceError> {
        self.sessions.get(document)
    }

    pub(crate) fn emit(&self, event: Event) {
        (self.listener)(event);
    }

    /// Brings a document's draft up to date and says so.
    fn save_draft(&self, document: &str) -> Outcome {
        if calls::folder::is_call(document) {
            self.calls.save_draft(document)
        } else {
            self.sessions.save_draft(document)
        }
    }

    /// Brings the files of the open registries and the list of files up to date.
    fn look_at_registries(&self) {
        self.sessions.look_at_files();
        self.emit(Event::WorkspaceChanged);
    }

    fn analyse(&self, document: &str) {
        let Ok(session) = self.session(document) else {
            return;
        };
        let subject = Subject::of(&lock(&session));
        self.emit(Event::Lint(subject.lint()));
        self.emit(Event::Counts(subject.counts(self.counter())));
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
        let store_handle = Arc::new(StoreHandle::new(options.store, &options.listener));
        let owner = clock::draw_seed()?.get().cast_signed();
        let inner = Arc::new(Inner {
            folder: Folder::new(options.folder),
            sessions: OpenDocuments::new(owner, &store_handle, &options.listener),
            calls: OpenDocuments::new(owner, &store_handle, &options.listener),
            call_catalog: calls::folder::catalog(),
            list_reader: ListReader::default(),
            requests: Ledger::default(),
            store_handle,
            listener: options.listener,
            counter: OnceLock::new(),
            tokenizer: options.tokenizer,
            orders: Orders::default(),
            chat: chat::FormatCache::default(),
        });
        let keeper = Arc::clone(&inner);
        let drafting = Debouncer::new("drafts", DRAFT, move |document| keeper.save_draft(document))
            .map_err(ServiceError::Thread)?;
        let analyst = Arc::clone(&inner);
        let analysis = Debouncer::new("analysis", ANALYSIS, move |document| {
            analyst.analyse(document);
            Outcome::Done
        })
        .map_err(ServiceError::Thread)?;
        let watcher = Arc::clone(&inner);
        let watch = Watch::folder(inner.folder.path(), move || watcher.look_at_registries()).ok();
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
        let answer = self.inner.sessions.with(document, work)?;
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
            Option<Result<SnapshotCopy, ServiceError>>,
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
        let path = self.inner.folder.file(file)?;
        let (session, draft) = self.inner.sessions.open(file, &path, |session| {
            let view = self.inner.store_handle.view(&snapshots::key(&path));
            session.lock_seed(view.seed_locked);
        })?;
        let opened = opened(&lock(&session), draft);
        self.inner
            .store_handle
            .remember_open(self.inner.folder.path(), file);
        self.analysis.touch(file);
        Ok(opened)
    }

    /// Closes a document that the window no longer shows; unsaved edits stay in its draft. One that
    /// has steps to undo or redo stays in memory, so that they are there when it is opened again.
    pub fn close(&self, document: &str) {
        if self.inner.sessions.close(document) {
            self.inner.requests.forget(document);
        }
    }

    /// Brings all drafts up to date, before the window goes.
    pub fn flush(&self) {
        self.inner.sessions.save_drafts();
        self.inner.calls.save_drafts();
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
            Ok(SaveReport {
                written: self.inner.sessions.save(session)?,
                status: session.status(),
                conflict: session.conflict(),
            })
        })?;
        self.inner.save_draft(document);
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
            (Some(before), self.inner.sessions.resolve(session, choices))
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
