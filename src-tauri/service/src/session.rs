//! One open document: its tree, what it means, its history, its preview, its file.
//!
//! It is used by one caller at a time; ordering, drafts, events and other documents are
//! [`crate::Studio`]'s business.

mod meaning;
mod rendering;
mod versions;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Document;
use serde_json::{Value, json};

use crate::conflict::Pending;
use crate::disk::OnDisk;
use crate::drafts::Drafted;
use crate::history::{Done, History};
use crate::shown::Shown;
use crate::tree::{self, Touched};
use crate::wire::{Applied, Change, Edit, Label, PreviewPatch, Slot, Status};
use crate::{ServiceError, difference, edit, freeze};
use meaning::{Meaning, read, reread};

/// Where a session begins.
#[derive(Debug)]
pub struct Start {
    /// Names the document: its file, relative to the folder.
    pub document: String,
    /// The file.
    pub path: PathBuf,
    /// What the file holds.
    pub disk: OnDisk,
    /// The tree to begin with.
    pub tree: Value,
    /// The registry of the tree differs from the file's.
    pub modified: bool,
}

/// One open document.
#[derive(Debug)]
pub struct Session {
    document: String,
    path: PathBuf,
    tree: Value,
    meaning: Meaning,
    disk: OnDisk,
    /// The version both sides of a conflict came from; unknown for a draft of an older file.
    base_known: bool,
    pending: Option<Pending>,
    /// Hash of the file as it was last seen and dealt with; none when it was gone.
    seen: Option<promptdeck_store::Hash>,
    history: History,
    /// Mark of the history at which the registry equals the file.
    saved_mark: Option<u64>,
    revision: u32,
    last_seed: Option<u64>,
    seed_locked: bool,
    shown: Arc<Shown>,
    shown_number: u32,
    unkept: Vec<Edit>,
    /// The call document whose arguments the prompt is rendered with, and what it says.
    used: Option<(String, Arc<promptdeck_core::request::call::Call>)>,
}

/// What has to reach the draft.
#[derive(Debug)]
pub struct Unkept {
    /// Edits since the last time.
    pub edits: Vec<Edit>,
    /// The revision they lead to.
    pub revision: u32,
    /// The registry is modified.
    pub modified: bool,
    /// Hash of the file the work is based on.
    pub base: promptdeck_store::Hash,
}

impl Unkept {
    /// Puts the edits before those that came since.
    pub fn back_before(mut self, since: &mut Vec<Edit>) {
        self.edits.append(since);
        *since = self.edits;
    }
}

impl Session {
    /// Opens a document. Fails when the tree is no valid session.
    pub fn open(start: Start) -> Result<Self, ServiceError> {
        let meaning = read(&start.tree)?;
        let mut session = Self {
            document: start.document,
            path: start.path,
            tree: start.tree,
            meaning,
            seen: Some(start.disk.hash),
            disk: start.disk,
            base_known: true,
            pending: None,
            history: History::default(),
            saved_mark: None,
            revision: 0,
            last_seed: None,
            seed_locked: false,
            shown: Arc::default(),
            shown_number: 0,
            unkept: Vec::new(),
            used: None,
        };
        if !start.modified {
            session.saved_mark = Some(session.history.mark());
        }
        session.shown = Arc::new(session.evaluate());
        Ok(session)
    }

    /// Names the document.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Value {
        &self.tree
    }

    /// The engine over the registry as it is now.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.meaning.engine
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.meaning.state
    }

    /// The route.
    #[must_use]
    pub fn route(&self) -> Option<&str> {
        self.meaning.route.as_deref()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.meaning.seed
    }

    /// The revision.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// What the file held when it was last read or written.
    #[must_use]
    pub fn disk(&self) -> &OnDisk {
        &self.disk
    }

    /// Hash of the file as it was last seen; none when it was gone.
    #[must_use]
    pub fn seen(&self) -> Option<promptdeck_store::Hash> {
        match &self.pending {
            Some(pending) => pending.hash,
            None => self.seen,
        }
    }

    /// The last evaluation and its number.
    #[must_use]
    pub fn shown(&self) -> (&Arc<Shown>, u32) {
        (&self.shown, self.shown_number)
    }

    /// Whether the registry differs from the file.
    #[must_use]
    pub fn modified(&self) -> bool {
        self.saved_mark != Some(self.history.mark())
    }

    /// The registry and its wrapper as a document of the core.
    #[must_use]
    pub fn registry_document(&self) -> Document {
        Document {
            registry: tree::registry(&self.tree).clone(),
            wrapper: self.disk.wrapper.clone(),
        }
    }

    /// Locks or unlocks the seed.
    pub fn lock_seed(&mut self, locked: bool) {
        self.seed_locked = locked;
    }

    /// Where the document stands.
    #[must_use]
    pub fn status(&self) -> Status {
        let label = |text: Option<&str>| {
            text.map(|text| Label {
                text: text.to_owned(),
            })
        };
        Status {
            revision: self.revision,
            modified: self.modified(),
            undo: label(self.history.undo_label()),
            redo: label(self.history.redo_label()),
            last_seed: self.last_seed,
            seed_locked: self.seed_locked,
        }
    }

    /// The whole preview.
    #[must_use]
    pub fn preview(&self) -> PreviewPatch {
        self.shown.patch_from(None, self.shown_number)
    }

    /// Applies a group of edits the page has made.
    pub fn apply(&mut self, group: &Applied) -> Result<Change, ServiceError> {
        if group.base != self.revision {
            return Err(ServiceError::StaleRevision {
                given: group.base,
                current: self.revision,
            });
        }
        let mut change = self.step(&group.label, group.edits.clone(), group.burst.clone())?;
        change.edits.clear();
        Ok(change)
    }

    /// Applies edits as one step of the history and answers with them.
    pub fn step(
        &mut self,
        label: &str,
        edits: Vec<Edit>,
        burst: Option<String>,
    ) -> Result<Change, ServiceError> {
        let base = self.revision;
        let touched = Touched::by(&edits);
        let backward = self.change_tree(&edits, &touched)?;
        let done = Done {
            label: label.to_owned(),
            forward: edits.clone(),
            backward,
            registry: touched.in_registry(),
        };
        self.history.record(done, burst, Instant::now());
        Ok(self.answer(base, edits))
    }

    /// Takes back the last step.
    pub fn undo(&mut self) -> Result<Change, ServiceError> {
        let step = self.history.undo().ok_or(ServiceError::Nothing("undo"))?;
        let edits = step.backward.clone();
        self.replay(edits, |history| {
            history.redo();
        })
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&mut self) -> Result<Change, ServiceError> {
        let step = self.history.redo().ok_or(ServiceError::Nothing("redo"))?;
        let edits = step.forward.clone();
        self.replay(edits, |history| {
            history.undo();
        })
    }

    fn replay(
        &mut self,
        edits: Vec<Edit>,
        put_back: impl FnOnce(&mut History),
    ) -> Result<Change, ServiceError> {
        let base = self.revision;
        if let Err(fault) = self.change_tree(&edits, &Touched::by(&edits)) {
            put_back(&mut self.history);
            return Err(fault);
        }
        Ok(self.answer(base, edits))
    }

    /// Changes tree and meaning together, or neither.
    fn change_tree(
        &mut self,
        edits: &[Edit],
        touched: &Touched,
    ) -> Result<Vec<Edit>, ServiceError> {
        let backward = edit::apply_all(&mut self.tree, edits)?;
        match reread(&self.tree, &self.meaning, touched) {
            Ok(meaning) => {
                self.meaning = meaning;
                self.unkept.extend_from_slice(edits);
                Ok(backward)
            }
            Err(fault) => {
                edit::apply_all(&mut self.tree, &backward)?;
                Err(fault)
            }
        }
    }

    fn answer(&mut self, base: u32, edits: Vec<Edit>) -> Change {
        self.revision += 1;
        let shown = Arc::new(self.evaluate());
        self.shown_number += 1;
        let preview = shown.patch_from(Some(&self.shown), self.shown_number);
        self.shown = shown;
        Change {
            document: self.document.clone(),
            base,
            edits,
            status: self.status(),
            preview,
            unlocked: Vec::new(),
        }
    }

    /// An answer in which nothing but the status changed.
    pub fn unchanged(&mut self) -> Change {
        let shown = Arc::clone(&self.shown);
        self.shown_number += 1;
        self.answered(shown.patch_from(Some(&shown), self.shown_number))
    }

    /// An answer without edits.
    fn answered(&self, preview: PreviewPatch) -> Change {
        Change {
            document: self.document.clone(),
            base: self.revision,
            edits: Vec::new(),
            status: self.status(),
            preview,
            unlocked: Vec::new(),
        }
    }

    fn evaluate(&self) -> Shown {
        let Meaning {
            engine,
            state,
            route,
            seed,
        } = &self.meaning;
        let call = Call {
            state,
            route: route.as_deref(),
            seed: *seed,
        };
        let begun = Instant::now();
        match engine.hydrate(&call) {
            Ok(hydration) if self.renders() => {
                let segments = hydration.segments.clone();
                let prompt = self.rendered(&segments);
                Shown::of(hydration, engine.registry(), state, begun.elapsed())
                    .rendered(&segments, prompt)
            }
            Ok(hydration) => Shown::of(hydration, engine.registry(), state, begun.elapsed()),
            Err(fault) => Shown::nothing(ServiceError::from(fault).into()),
        }
    }

    /// Goes on with another seed.
    pub fn set_seed(&mut self, label: &str, seed: Seed) -> Result<Change, ServiceError> {
        let last = self.meaning.seed.get();
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
            None,
        )?;
        self.last_seed = Some(last);
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// Goes back to the seed before the last roll.
    pub fn use_last_seed(&mut self) -> Result<Change, ServiceError> {
        let last = self
            .last_seed
            .ok_or(ServiceError::Nothing("go back to: no roll yet"))?;
        let seed = Seed::new(last).map_err(|_| ServiceError::Nothing("go back to"))?;
        self.set_seed("Use last seed", seed)
    }

    /// Freezes rolled values into the selection: these slots, or all.
    pub fn lock(&mut self, slots: Option<&[Slot]>) -> Result<Change, ServiceError> {
        let all;
        let slots = if let Some(slots) = slots {
            slots
        } else {
            all = freeze::rolled(&self.shown);
            &all
        };
        let registry = self.meaning.engine.registry();
        let frozen = freeze::freeze(&self.shown, &self.meaning.state, registry, slots);
        let mut change = if frozen.edits.is_empty() {
            self.unchanged()
        } else {
            let label = if slots.len() == 1 { "Lock" } else { "Lock all" };
            self.step(label, frozen.edits, None)?
        };
        change.unlocked = frozen.unlocked;
        Ok(change)
    }

    /// Puts another registry, state, route and seed in place, as one step.
    pub fn switch(&mut self, label: &str, to: &Value) -> Result<Change, ServiceError> {
        tree::check(to)?;
        let mut edits = difference::edits(tree::registry(&self.tree), tree::registry(to));
        for part in ["state", "route", "seed"] {
            let value = to.get(part).cloned().unwrap_or_default();
            if !self
                .tree
                .get(part)
                .is_some_and(|own| difference::alike(own, &value))
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
        self.step(label, edits, None)
    }
}

impl Drafted for Session {
    fn tree(&self) -> &Value {
        &self.tree
    }

    fn take_unkept(&mut self) -> Unkept {
        Unkept {
            edits: std::mem::take(&mut self.unkept),
            revision: self.revision,
            modified: self.modified(),
            base: self.disk.hash,
        }
    }

    fn return_unkept(&mut self, unkept: Unkept) {
        unkept.back_before(&mut self.unkept);
    }
}
