//! One open registry: its working copy, with the state, route and seed beside it, and its preview.
//!
//! One caller uses it at a time. [`crate::open_documents`] orders the calls and handles drafts,
//! files and other documents.

mod compiled;
pub(crate) mod insertion_trial;
pub(crate) mod jinja_preview;
mod prompt_edit;
mod variable_rename;

use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, UNIX_EPOCH};

use promptdeck_core::hydrate::{Engine, Hydration, Seed, State};
use promptdeck_core::registry::{Document, canonical};
use promptdeck_request::call::Call as ArgumentCall;
use promptdeck_request::prompt::Prompt;
use promptdeck_store::Store;
use promptdeck_store::snapshots::{LONGEST_PAGE, Query};
use serde_json::{Value, json};

use crate::file_version::{self, FileVersion};
use crate::open_documents::FileDocument;
use crate::preview::{self, Preview};
use crate::snapshots::{self, SnapshotCopy, SnapshotSource};
use crate::wire::{Change, Edit, Event, PreviewPatch, Slot, Status, View};
use crate::working_copy::WorkingCopy;
use crate::{ServiceError, clock, diff, lock_rolls, tree};
use compiled::CompiledSession;

/// Name of the snapshot of unsaved work in another window.
const OTHER_WINDOW: &str = "Unsaved work of another window";

/// One open registry.
#[derive(Debug)]
pub struct Session {
    copy: WorkingCopy<CompiledSession>,
    last_seed: Option<u64>,
    seed_locked: bool,
    preview: Arc<Preview>,
    preview_number: u32,
    /// What the last edit in the prompt printed.
    edited: Option<EditedPrompt>,
    /// The call document whose arguments the prompt is rendered with, and its content.
    used: Option<(String, Arc<ArgumentCall>)>,
}

/// The prompt that an edit in it made, which the preview shows and the next edit is planned on: to hydrate
/// it three times for a key took a sixth of the time.
#[derive(Debug)]
struct EditedPrompt {
    revision: u32,
    hydration: Hydration,
    took: Duration,
}

impl FileDocument for Session {
    type Compiled = CompiledSession;
    type Change = Change;

    fn parse(file: &str, bytes: &[u8]) -> Result<FileVersion, ServiceError> {
        let parsed = file_version::parse(file, bytes)?;
        Ok(FileVersion::of(bytes, parsed))
    }

    fn tree(disk: &FileVersion) -> Result<Value, ServiceError> {
        let seed = clock::draw_seed()?;
        Ok(tree::build(&disk.content, &State::default(), None, seed))
    }

    fn tree_with_draft(disk: &FileVersion, mut draft: Value) -> Value {
        draft["registry"] = disk.content.clone().into();
        draft
    }

    /// In a snapshot, which has the selection too.
    fn keep_unsaved(path: &Path, tree: &Value, store: &Store) -> Result<String, ServiceError> {
        let copy = SnapshotCopy::of(&SnapshotSource {
            name: OTHER_WINDOW,
            note: "",
            file: path,
            registry: tree::registry(tree),
            state: &tree::state(tree).unwrap_or_default(),
            route: tree::route(tree).unwrap_or_default().as_deref(),
            seed: tree::seed(tree).or_else(|_| clock::draw_seed())?,
            glance: OTHER_WINDOW,
            automatic: true,
        })?;
        copy.unless_stored().store_if_needed(store)?;
        Ok(OTHER_WINDOW.to_owned())
    }

    fn kept_unsaved(path: &Path, store: &Store) -> Option<String> {
        let written = path.metadata().and_then(|file| file.modified()).ok();
        let written = written.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let written = written.map_or(0, |since| since.as_millis());
        let file = snapshots::key(path);
        let query = Query {
            file: Some(&file),
            text: Some(OTHER_WINDOW),
            limit: LONGEST_PAGE,
            ..Query::default()
        };
        let page = store.snapshots(&query).ok()?;
        let snapshot = page.snapshots.into_iter().find(|snapshot| {
            snapshot.automatic
                && snapshot.name == OTHER_WINDOW
                && u128::try_from(snapshot.taken_at).is_ok_and(|taken| taken > written)
        });
        snapshot.map(|snapshot| snapshot.name)
    }

    fn restore_view(&mut self, view: &View) {
        self.seed_locked = view.seed_locked;
        self.last_seed = view.last_seed;
    }

    fn new(copy: WorkingCopy<CompiledSession>) -> Self {
        let mut session = Self {
            copy,
            last_seed: None,
            seed_locked: false,
            preview: Arc::default(),
            preview_number: 0,
            edited: None,
            used: None,
        };
        session.preview = Arc::new(session.evaluate());
        session
    }

    fn copy(&self) -> &WorkingCopy<CompiledSession> {
        &self.copy
    }

    fn copy_mut(&mut self) -> &mut WorkingCopy<CompiledSession> {
        &mut self.copy
    }

    fn text(&self) -> Result<String, ServiceError> {
        Ok(canonical::format(&self.registry_document()))
    }

    fn answer(&mut self, base: u32, edits: Vec<Edit>) -> Change {
        if base == self.copy.revision() {
            return self.unchanged();
        }
        let patch = self.preview_again();
        Change {
            base,
            edits,
            ..self.without_edits(patch)
        }
    }

    fn reloaded(change: Change) -> Event {
        Event::Reloaded { change }
    }
}

impl Session {
    /// The engine for the current registry.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.copy.compiled().engine
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.copy.compiled().state
    }

    /// The route.
    #[must_use]
    pub fn route(&self) -> Option<&str> {
        self.copy.compiled().route.as_deref()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.copy.compiled().seed
    }

    /// The latest evaluation and its number.
    #[must_use]
    pub fn preview(&self) -> (&Arc<Preview>, u32) {
        (&self.preview, self.preview_number)
    }

    /// The registry and its wrapper as a document of the core.
    #[must_use]
    pub fn registry_document(&self) -> Document {
        Document {
            registry: self.copy.content().clone(),
            wrapper: self.copy.disk().wrapper.clone(),
        }
    }

    /// Locks or unlocks the seed.
    pub fn lock_seed(&mut self, locked: bool) {
        self.seed_locked = locked;
    }

    /// The document's status: modified, saved, in conflict, its undo steps.
    #[must_use]
    pub fn status(&self) -> Status {
        Status {
            revision: self.copy.revision(),
            modified: self.copy.modified(),
            undo: self.copy.undo_label(),
            redo: self.copy.redo_label(),
            last_seed: self.last_seed,
            seed_locked: self.seed_locked,
            call_settings: self.call_settings(),
        }
    }

    /// The settings that the call document in use has, and that are not those of this document.
    fn call_settings(&self) -> Vec<String> {
        let Some(call) = self.used_call() else {
            return Vec::new();
        };
        let is_empty = call.state == State::default();
        let set_otherwise = [
            ("state", !is_empty && call.state != *self.state()),
            (
                "route",
                call.route.is_some() && call.route.as_deref() != self.route(),
            ),
            ("seed", call.seed.is_some_and(|seed| seed != self.seed())),
        ];
        let names = set_otherwise.iter().filter(|(_, differs)| *differs);
        names.map(|(name, _)| (*name).to_owned()).collect()
    }

    /// The whole preview.
    #[must_use]
    pub fn full_patch(&self) -> PreviewPatch {
        self.preview.patch_from(None, self.preview_number)
    }

    /// Applies edits as one step of the history and returns them.
    pub fn step(&mut self, label: &str, edits: Vec<Edit>) -> Result<Change, ServiceError> {
        self.change(|copy| {
            copy.step(label, &edits, None)?;
            Ok(edits)
        })
    }

    /// Applies edits that are no step of the history and returns them.
    pub fn amend(&mut self, edits: Vec<Edit>) -> Result<Change, ServiceError> {
        self.change(|copy| {
            copy.amend(&edits)?;
            Ok(edits)
        })
    }

    /// Restores what the file held, as one step of the history.
    pub fn revert(&mut self) -> Result<Change, ServiceError> {
        self.change(WorkingCopy::revert)
    }

    /// Evaluates again and returns the difference from the previous preview.
    fn preview_again(&mut self) -> PreviewPatch {
        let preview = Arc::new(self.evaluate());
        self.preview_number += 1;
        let patch = preview.patch_from(Some(&self.preview), self.preview_number);
        self.preview = preview;
        patch
    }

    /// A change that only updates the status.
    pub fn unchanged(&mut self) -> Change {
        let preview = Arc::clone(&self.preview);
        self.preview_number += 1;
        self.without_edits(preview.patch_from(Some(&preview), self.preview_number))
    }

    /// A change without edits.
    fn without_edits(&self, patch: PreviewPatch) -> Change {
        Change {
            document: self.copy.document().to_owned(),
            base: self.copy.revision(),
            edits: Vec::new(),
            status: self.status(),
            preview: patch,
            unlocked: Vec::new(),
            caret: None,
            caret_behind: None,
            fewer_blank_lines: false,
        }
    }

    fn evaluate(&self) -> Preview {
        let compiled = self.copy.compiled();
        if let Some(edited) = self.edited.as_ref().filter(|edited| self.is_shown(edited)) {
            let hydration = edited.hydration.clone();
            return view(compiled, self.arguments(), hydration, edited.took);
        }
        evaluate(compiled, self.arguments()).unwrap_or_else(|fault| Preview::nothing(fault.into()))
    }

    fn is_shown(&self, edited: &EditedPrompt) -> bool {
        edited.revision == self.copy.revision()
    }

    /// Rolls: sets a new seed.
    pub fn set_seed(&mut self, label: &str, seed: Seed) -> Result<Change, ServiceError> {
        let last = self.copy.compiled().seed.get();
        if self.seed_locked {
            return Err(ServiceError::SeedLocked);
        }
        let path = vec!["seed".into()];
        let change = self.step(
            label,
            vec![Edit::Set {
                path,
                value: json!(seed.get()),
            }],
        )?;
        self.last_seed = Some(last);
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// Selects what a roll printed and sets its seed, as one step of the history.
    pub fn use_roll(&mut self, state: &State, seed: Seed) -> Result<Change, ServiceError> {
        let last = self.copy.compiled().seed;
        if self.seed_locked && seed != last {
            return Err(ServiceError::SeedLocked);
        }
        let to = tree::build(self.copy.content(), state, self.route(), seed);
        let change = self.switch("Use roll", &to)?;
        self.last_seed = Some(last.get());
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// Restores the seed before the last roll.
    pub fn use_last_seed(&mut self) -> Result<Change, ServiceError> {
        let last = self
            .last_seed
            .ok_or(ServiceError::Nothing("return to: no roll yet"))?;
        let seed = Seed::new(last).map_err(|_| ServiceError::Nothing("return to"))?;
        self.set_seed("Use last seed", seed)
    }

    /// Locks rolled values into the selection: these slots, or all.
    pub fn lock(&mut self, slots: Option<&[Slot]>) -> Result<Change, ServiceError> {
        let all;
        let slots = if let Some(slots) = slots {
            slots
        } else {
            all = self.preview.rolled();
            &all
        };
        let registry = self.copy.compiled().engine.registry();
        let roll_lock =
            lock_rolls::lock(&self.preview, &self.copy.compiled().state, registry, slots);
        let mut change = if roll_lock.edits.is_empty() {
            self.unchanged()
        } else {
            let label = if slots.len() == 1 { "Lock" } else { "Lock all" };
            self.step(label, roll_lock.edits)?
        };
        change.unlocked = roll_lock.unlocked;
        Ok(change)
    }

    /// Replaces registry, state, route and seed, as one step of the history.
    pub fn switch(&mut self, label: &str, to: &Value) -> Result<Change, ServiceError> {
        tree::check(to)?;
        let mut edits = diff::tree::edits(self.copy.content(), tree::registry(to));
        for part in ["state", "route", "seed"] {
            let value = to.get(part).cloned().unwrap_or_default();
            if !self
                .copy
                .tree()
                .get(part)
                .is_some_and(|current| diff::tree::alike(current, &value))
            {
                edits.push(Edit::Set {
                    path: vec![part.into()],
                    value,
                });
            }
        }
        if edits.is_empty() {
            return Ok(self.unchanged());
        }
        self.step(label, edits)
    }
}

/// What a session shows of its call; `arguments` are those of the call document in use.
fn evaluate(
    compiled: &CompiledSession,
    arguments: Option<&ArgumentCall>,
) -> Result<Preview, ServiceError> {
    let begun = Instant::now();
    let hydration = compiled.engine.hydrate(&compiled.call())?;
    Ok(view(compiled, arguments, hydration, begun.elapsed()))
}

/// What a session shows of a hydration, which took that long.
fn view(
    compiled: &CompiledSession,
    arguments: Option<&ArgumentCall>,
    mut hydration: Hydration,
    took: Duration,
) -> Preview {
    let CompiledSession { engine, state, .. } = compiled;
    let unprinted = preview::unprinted::of(engine, &compiled.call(), &hydration);
    let merged = preview::merged::of(&hydration);
    let displayed_hydration = if Prompt::is_template(engine.registry()) {
        // A Jinja preview is built from the rendered pieces alone.
        let segments = mem::take(&mut hydration.segments);
        let gaps = mem::take(&mut hydration.gaps);
        let rendered = jinja_preview::rendered(arguments, &segments, &gaps);
        Preview::of(hydration, engine, state, took).rendered(
            &segments,
            rendered.prompt,
            rendered.unrendered,
            engine.registry(),
        )
    } else {
        Preview::of(hydration, engine, state, took)
    };
    let unlockable = lock_rolls::unlockable(&displayed_hydration, state, engine.registry());
    Preview {
        unlockable,
        ..displayed_hydration
            .with_unprinted(unprinted)
            .with_merged(merged)
    }
}
