//! The studio: the folder, the open documents, the store, and the background work.
//!
//! No disk is accessed while the studio responds to a keystroke.

pub(crate) mod automatic_snapshots;
mod autosave;
mod completion;
mod damaged_text;
mod document_snapshots;
mod export;
pub(crate) mod file_move;
mod files;
pub(crate) mod folder_move;
mod folders;
mod impact;
mod made_folders;
mod missing_files;
mod name_check;
pub(crate) mod noted_move;
pub(crate) mod places;
pub(crate) mod policy;
mod profile;
mod registry_sizes;
mod rolls;
mod sampling;
mod settings;
mod startup;
pub(crate) mod trash_deletion;
mod variants;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use promptdeck_core::registry::canonical;
use promptdeck_model::tokenizer::{self, Cached, Estimate};
use promptdeck_store::watch::Watch;

use self::automatic_snapshots::{prepare_before, prepare_from_disk, what_goes};
use self::made_folders::MadeFolders;
use self::places::RecentPlaces;
use self::registry_sizes::RegistrySizes;
use self::trash_deletion::Deletions;
use crate::analysis::Subject;
use crate::background::{EditPause, with_low_priority};
use crate::calls::document::CallDocument;
use crate::catalog::Catalog;
use crate::checks::{BuiltInTokenizers, ChecksFile};
use crate::debouncer::{Debouncer, Due, JobOutcome, Touches};
use crate::file_version;
use crate::impact::{LastSample, SavedEngine};
use crate::list_reader::ListReader;
use crate::open_documents::{FileDocument as _, OnLoad, OpenDocuments, Saved, Shared, lock};
use crate::profile::RunningSlot;
use crate::request::RecentRequests;
use crate::runs::active::ActiveRuns;
use crate::session::Session;
use crate::source::SourceSlot;
use crate::store_handle::StoreHandle;
use crate::wire::{
    Alternatives, CallEntry, Change, Choice, DraftNote, EditGroup, Event, ModelJson, OpenDocument,
    PromptEditRequest, SaveReport,
};
use crate::workspace::Folder;
use crate::{ServiceError, calls, chat, checks, clock, diff::text, snapshots};

/// When drafts are written: after a pause in typing, and at this interval while typing.
const DRAFT: Due = Due {
    quiet: Duration::from_millis(180),
    latest: Duration::from_millis(850),
};

/// When diagnostics and token counts are computed.
const ANALYSIS: Due = Due {
    quiet: Duration::from_millis(150),
    latest: Duration::from_secs(1),
};

/// Most sections of a registry that the window opens: each is a card, a row and a band of the prompt,
/// however little of them is in sight.
const MAX_SECTIONS: usize = 2000;

/// Receives the events.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// State shared by the studio's threads.
pub(crate) struct Inner {
    pub(crate) folder: Folder,
    /// Distinguishes this process's drafts from another's.
    pub(crate) owner: i64,
    pub(crate) sessions: OpenDocuments<Session>,
    pub(crate) calls: OpenDocuments<CallDocument>,
    pub(crate) checks: OpenDocuments<ChecksFile>,
    pub(crate) check_tokenizers: BuiltInTokenizers,
    pub(crate) call_catalog: Catalog<CallEntry>,
    pub(crate) list_reader: ListReader,
    pub(crate) requests: RecentRequests,
    pub(crate) store_handle: Arc<StoreHandle>,
    pub(crate) listener: Listener,
    /// Created on first use, which is after the first card: loading its tables takes a core.
    counter: OnceLock<Cached>,
    tokenizer: String,
    pub(crate) mock_pause: Duration,
    pub(crate) active_runs: ActiveRuns,
    pub(crate) chat: chat::FormatCache,
    pub(crate) source: SourceSlot,
    pub(crate) places: RecentPlaces,
    /// The file that the studio was started with, until a document is open.
    pub(crate) named_file: Mutex<Option<String>>,
    pub(crate) sizes: RegistrySizes,
    pub(crate) deletions: Deletions,
    pub(crate) made_folders: MadeFolders,
    pub(crate) profile: RunningSlot,
    pub(crate) impact: RunningSlot,
    pub(crate) saved: SavedEngine,
    pub(crate) sample: LastSample,
    pub(crate) pause: EditPause,
}

/// The studio of one window.
pub struct Studio {
    pub(crate) inner: Arc<Inner>,
    pub(crate) drafting: Debouncer,
    pub(crate) analysis: Debouncer,
    /// Watches the folder and its sub-folders.
    pub(crate) watch: Mutex<Option<Watch>>,
    /// Watches the folder of call documents once it exists.
    pub(crate) watch_calls: Mutex<Option<Watch>>,
}

/// Options of a studio.
pub struct Options {
    /// The folder of registries.
    pub folder: PathBuf,
    /// The registry of the folder to open first; otherwise the one that was open last.
    pub file: Option<String>,
    /// Path of the store; without one, there are no drafts and snapshots.
    pub store: Option<PathBuf>,
    /// Receives the events.
    pub listener: Listener,
    /// Name of the tokenizer, as in `promptdeck_model::tokenizer::by_name`.
    pub tokenizer: String,
    /// How long the mock provider waits after each word of an answer in a conversation.
    pub mock_pause: Duration,
}

impl Inner {
    /// An open registry.
    pub(crate) fn session(&self, document: &str) -> Result<Shared<Session>, ServiceError> {
        self.sessions.get(document)
    }

    pub(crate) fn emit(&self, event: Event) {
        (self.listener)(event);
    }

    /// Writes a document's draft and reports it.
    fn save_draft(&self, document: &str) -> JobOutcome {
        if calls::folder::is_call(document) {
            self.calls.save_draft(document)
        } else if checks::is_checks(document) {
            self.checks.save_draft(document)
        } else {
            self.sessions.save_draft(document)
        }
    }

    /// Updates the open registries and the list after changes on disk.
    pub(crate) fn look_at_registries(&self) {
        self.sessions.look_at_files();
        self.checks.look_at_files();
        // The folders of call documents in sub-folders are watched with those of the registries.
        self.calls.look_at_files();
        self.emit(Event::WorkspaceChanged);
    }

    /// Analyses a registry, or those whose prompt a call document has changed.
    fn analyse(&self, document: &str) {
        if calls::folder::is_call(document) {
            for registry in self.show_arguments(document) {
                self.analyse(&registry);
            }
            return;
        }
        let Ok(session) = self.session(document) else {
            return;
        };
        let subject = Subject::of(&lock(&session));
        self.emit(Event::Lint(subject.lint()));
        if let Some(counts) = subject.counts(self.counter()) {
            self.emit(Event::Counts(counts));
        }
    }

    /// The tokenizer of the window; an estimate if its name is unknown.
    pub(crate) fn counter(&self) -> &Cached {
        self.counter.get_or_init(|| {
            with_low_priority(|| tokenizer::load(&self.tokenizer));
            let named = tokenizer::by_name(&self.tokenizer);
            named.unwrap_or_else(|| Cached::new(Box::new(Estimate)))
        })
    }
}

impl Studio {
    /// Opens the folder, and the store in the background: calls that need the store wait for it. A
    /// store that cannot be used is reported by an event and in [`Studio::workspace`], and the
    /// studio works without it.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn open(options: Options) -> Result<Self, ServiceError> {
        let store_handle = Arc::new(StoreHandle::new(options.store, &options.listener));
        let owner = clock::draw_seed()?.get().cast_signed();
        let (draft_touches, draft_receiver) = Touches::new();
        let (analysis_touches, analysis_receiver) = Touches::new();
        let on_load = OnLoad {
            drafting: draft_touches.clone(),
            analysis: analysis_touches.clone(),
        };
        let inner = Arc::new(Inner {
            folder: Folder::new(options.folder),
            owner,
            sessions: OpenDocuments::new(owner, &store_handle, &options.listener, &on_load),
            calls: OpenDocuments::new(owner, &store_handle, &options.listener, &on_load),
            checks: OpenDocuments::new(owner, &store_handle, &options.listener, &on_load),
            check_tokenizers: BuiltInTokenizers::default(),
            call_catalog: calls::folder::catalog(),
            list_reader: ListReader::default(),
            requests: RecentRequests::default(),
            store_handle,
            listener: options.listener,
            counter: OnceLock::new(),
            tokenizer: options.tokenizer,
            mock_pause: options.mock_pause,
            active_runs: ActiveRuns::default(),
            chat: chat::FormatCache::default(),
            source: SourceSlot::default(),
            places: RecentPlaces::default(),
            named_file: Mutex::new(options.file),
            sizes: RegistrySizes::default(),
            deletions: Deletions::default(),
            made_folders: MadeFolders::default(),
            profile: RunningSlot::default(),
            impact: RunningSlot::default(),
            saved: SavedEngine::default(),
            sample: LastSample::default(),
            pause: EditPause::default(),
        });
        let drafting = Debouncer::new(
            "writing drafts",
            DRAFT,
            (draft_touches, draft_receiver),
            {
                let inner = Arc::clone(&inner);
                move |document| inner.save_draft_and_autosave(document)
            },
            {
                let inner = Arc::clone(&inner);
                move |document, fault| inner.draft_failed(document, fault)
            },
        )
        .map_err(ServiceError::Thread)?;
        let analysis = Debouncer::new(
            "analysis",
            ANALYSIS,
            (analysis_touches, analysis_receiver),
            {
                let inner = Arc::clone(&inner);
                move |document| {
                    inner.analyse(document);
                    JobOutcome::Done
                }
            },
            {
                let inner = Arc::clone(&inner);
                move |_, fault| {
                    inner.report_panic(fault);
                    JobOutcome::Done
                }
            },
        )
        .map_err(ServiceError::Thread)?;
        let watch = Mutex::new(inner.watch_folder());
        StoreHandle::open_in_background(&inner)?;
        Ok(Self {
            inner,
            drafting,
            analysis,
            watch,
            watch_calls: Mutex::default(),
        })
    }

    pub(crate) fn with<T>(
        &self,
        document: &str,
        work: impl FnOnce(&mut Session) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.inner.pause.edit_begins();
        let answer = self.inner.sessions.with(document, work)?;
        self.drafting.touch(document);
        self.analysis.touch(document);
        Ok(answer)
    }

    /// The key of a file's drafts, snapshots and view settings.
    pub(crate) fn key(&self, file: &str) -> Result<String, ServiceError> {
        Ok(snapshots::key(&self.inner.folder.file(file)?))
    }

    /// Opens a registry and restores its draft, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or is not a registry.
    pub fn open_document(&self, file: &str) -> Result<OpenDocument, ServiceError> {
        let opened = self.open_unanalysed(file)?;
        self.analysis.touch(file);
        Ok(opened)
    }

    fn open_unanalysed(&self, file: &str) -> Result<OpenDocument, ServiceError> {
        let path = self.inner.folder.file(file)?;
        let session = self.inner.sessions.open(file, &path)?;
        let (sections, opened) = {
            let mut session = lock(&session);
            let sections = session.engine().registry().sections().len();
            let draft = session.copy_mut().take_draft_note();
            (sections, opened(&session, draft))
        };
        // Unsaved edits stay within reach.
        if sections > MAX_SECTIONS && !opened.status.modified {
            self.inner.sessions.close(file);
            return Err(ServiceError::TooManySections {
                file: file.to_owned(),
                sections,
                limit: MAX_SECTIONS,
            });
        }
        if opened.status.modified {
            self.autosave_later(file);
        }
        self.inner.remember(&session);
        Ok(opened)
    }

    /// Closes a document that the window no longer shows; its draft has the unsaved edits. A
    /// document with undo or redo steps stays in memory, so that reopening it restores them.
    pub fn close(&self, document: &str) {
        if let Ok((checks, _)) = checks::file(&self.inner.folder, document) {
            self.inner.checks.close(&checks);
        }
        if self.inner.sessions.close(document) {
            self.inner.requests.forget(document);
        }
    }

    /// Writes all drafts before the window closes.
    pub fn flush(&self) {
        self.inner.sessions.save_drafts();
        self.inner.calls.save_drafts();
        self.inner.checks.save_drafts();
    }

    /// Applies a group of edits from the page. Takes a snapshot before sections, items or routes
    /// are removed.
    ///
    /// # Errors
    /// If the document is not open, the edits do not fit its revision or its tree, or the result is
    /// not a registry.
    pub fn apply(&self, document: &str, group: &EditGroup) -> Result<Change, ServiceError> {
        self.renaming(document, Some(&group.edits), || {
            self.with_snapshot(document, |session| {
                // Typing into a field removes only the value of that field, which undo restores.
                let mut edits = group.edits.iter().filter(|_| group.burst.is_none());
                let removed_item = edits.find_map(|edit| what_goes(session, edit));
                let before =
                    removed_item.map(|name| prepare_before(session, &format!("delete: {name}")));
                (before, session.apply(group))
            })
        })
    }

    /// Makes an edit in the prompt, as edits of the document that the answer holds.
    ///
    /// # Errors
    /// If the document is not open, the edit is for another revision, or the prompt would not be the
    /// one edited.
    pub fn edit_prompt(
        &self,
        document: &str,
        request: &PromptEditRequest,
    ) -> Result<Change, ServiceError> {
        self.with(document, |session| session.edit_prompt(request))
    }

    /// Renames the variable at a position of a section's `template_vars`; texts, conditions, values and
    /// the documents beside the registry follow. The answer holds the edits.
    ///
    /// # Errors
    /// If the document is not open, `base` is not its revision, there is no such variable, or it
    /// cannot have the name.
    pub fn rename_variable(
        &self,
        document: &str,
        base: u32,
        section: &str,
        index: u32,
        name: &str,
    ) -> Result<Change, ServiceError> {
        self.renaming(document, None, || {
            self.with(document, |session| {
                session.rename_variable(base, section, index, name)
            })
        })
    }

    /// The entries that a roll could have printed in place of a segment of the preview.
    ///
    /// # Errors
    /// If the document is not open or its call cannot be hydrated.
    pub fn alternatives(
        &self,
        document: &str,
        segment: u32,
    ) -> Result<Option<Alternatives>, ServiceError> {
        let session = self.inner.session(document)?;
        lock(&session).alternatives(segment)
    }

    /// Undoes the last step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to undo.
    pub fn undo(&self, document: &str) -> Result<Change, ServiceError> {
        self.renaming(document, None, || self.with(document, Session::undo))
    }

    /// Repeats the last undone step.
    ///
    /// # Errors
    /// If the document is not open or there is nothing to redo.
    pub fn redo(&self, document: &str) -> Result<Change, ServiceError> {
        self.renaming(document, None, || self.with(document, Session::redo))
    }

    /// Writes the canonical form atomically unless the file has it already. If the file has changed
    /// on disk, writes nothing and returns the conflict.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn save(&self, document: &str) -> Result<SaveReport, ServiceError> {
        let report = self.with(document, |session| {
            let Saved {
                written,
                damaged_copy,
            } = self.inner.sessions.save(session)?;
            Ok(SaveReport {
                written,
                status: session.status(),
                conflict: session.conflict(),
                kept: damaged_copy,
            })
        })?;
        self.inner.save_draft(document);
        if report.conflict.is_none() {
            self.inner.save_followers(document);
        }
        Ok(report)
    }

    /// Resolves a conflict with a side for each key that differs, after a snapshot. A version on disk
    /// that is not taken as it is stays as a snapshot too, or without a store as a copy beside the file.
    ///
    /// # Errors
    /// If the document is not open or has no conflict.
    pub fn resolve(
        &self,
        document: &str,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Change, ServiceError> {
        let has_store = self.inner.store_handle.store().is_ok();
        let mut from_disk = None;
        let answer = self.with_snapshot(document, |session| {
            let before = prepare_before(session, "choosing between versions");
            let sessions = &self.inner.sessions;
            let resolved = if has_store {
                from_disk = prepare_from_disk(session, choices);
                sessions.resolve(session, choices)
            } else {
                sessions.resolve_with_copy(session, choices)
            };
            (Some(before), resolved)
        })?;
        if let Some(from_disk) = from_disk {
            self.inner
                .store_before(document, answer.status.revision, from_disk);
        }
        Ok(answer)
    }

    /// Restores the file's content, as a step that can be undone, after a snapshot.
    ///
    /// # Errors
    /// If the document is not open or does not differ from its file.
    pub fn revert(&self, document: &str) -> Result<Change, ServiceError> {
        self.with_snapshot(document, |session| {
            if session.copy().pending().is_some() {
                return (None, Err(ServiceError::Conflict(document.to_owned())));
            }
            let before = prepare_before(session, "reverting to the file");
            (Some(before), session.revert())
        })
    }

    /// The canonical model JSON, and the line diff from the file to the text that saving would
    /// write.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be read.
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
