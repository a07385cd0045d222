//! One open document: its working copy, what it means, its preview.
//!
//! It is used by one caller at a time; ordering, drafts, events and other documents are
//! [`crate::Studio`]'s business.

mod meaning;
mod rendering;
mod versions;

use std::mem;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Document;
use serde_json::{Value, json};

use crate::disk::OnDisk;
use crate::shown::Shown;
use crate::tree::{self, Touched};
use crate::wire::{Applied, Change, Edit, PreviewPatch, Slot, Status};
use crate::working_copy::{Step, WorkingCopy};
use crate::{ServiceError, difference, freeze};
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

/// One open document: its working copy, and what that means.
#[derive(Debug)]
pub struct Session {
    copy: WorkingCopy,
    meaning: Meaning,
    last_seed: Option<u64>,
    seed_locked: bool,
    shown: Arc<Shown>,
    shown_number: u32,
    /// The call document whose arguments the prompt is rendered with, and what it says.
    used: Option<(String, Arc<promptdeck_core::request::call::Call>)>,
}

impl Deref for Session {
    type Target = WorkingCopy;

    fn deref(&self) -> &WorkingCopy {
        &self.copy
    }
}

impl AsMut<WorkingCopy> for Session {
    fn as_mut(&mut self) -> &mut WorkingCopy {
        &mut self.copy
    }
}

impl Session {
    /// Opens a document. Fails when the tree is no valid session.
    pub fn open(start: Start) -> Result<Self, ServiceError> {
        let meaning = read(&start.tree)?;
        let Start {
            document,
            path,
            disk,
            tree,
            modified,
        } = start;
        let mut session = Self {
            copy: WorkingCopy::new(&document, &path, disk, tree, modified),
            meaning,
            last_seed: None,
            seed_locked: false,
            shown: Arc::default(),
            shown_number: 0,
            used: None,
        };
        session.shown = Arc::new(session.evaluate());
        Ok(session)
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

    /// The last evaluation and its number.
    #[must_use]
    pub fn shown(&self) -> (&Arc<Shown>, u32) {
        (&self.shown, self.shown_number)
    }

    /// The registry and its wrapper as a document of the core.
    #[must_use]
    pub fn registry_document(&self) -> Document {
        Document {
            registry: tree::registry(self.tree()).clone(),
            wrapper: self.disk().wrapper.clone(),
        }
    }

    /// Locks or unlocks the seed.
    pub fn lock_seed(&mut self, locked: bool) {
        self.seed_locked = locked;
    }

    /// Where the document stands.
    #[must_use]
    pub fn status(&self) -> Status {
        Status {
            revision: self.revision(),
            modified: self.modified(),
            undo: self.undo_label(),
            redo: self.redo_label(),
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
        self.expect(group.base)?;
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
        let touched = Touched::by(&edits);
        let step = Step {
            label,
            edits: &edits,
            burst,
            saved: tree::changes_file(self.tree(), &edits),
        };
        let old = &self.meaning;
        self.meaning = self.copy.step(step, |tree| reread(tree, old, &touched))?;
        Ok(self.answer(edits))
    }

    /// Takes back the last step.
    pub fn undo(&mut self) -> Result<Change, ServiceError> {
        let old = &self.meaning;
        let read = |tree: &Value, edits: &[Edit]| reread(tree, old, &Touched::by(edits));
        let (meaning, edits) = self.copy.undo(read)?;
        self.meaning = meaning;
        Ok(self.answer(edits))
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&mut self) -> Result<Change, ServiceError> {
        let old = &self.meaning;
        let read = |tree: &Value, edits: &[Edit]| reread(tree, old, &Touched::by(edits));
        let (meaning, edits) = self.copy.redo(read)?;
        self.meaning = meaning;
        Ok(self.answer(edits))
    }

    /// The answer to edits that were applied just now.
    fn answer(&mut self, edits: Vec<Edit>) -> Change {
        let shown = Arc::new(self.evaluate());
        self.shown_number += 1;
        let preview = shown.patch_from(Some(&self.shown), self.shown_number);
        self.shown = shown;
        Change {
            base: self.revision() - 1,
            edits,
            ..self.answered(preview)
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
            document: self.document().to_owned(),
            base: self.revision(),
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
            Ok(mut hydration) if self.renders() => {
                // What is shown is made of the rendered pieces alone.
                let segments = mem::take(&mut hydration.segments);
                let prompt = self.rendered(&segments);
                Shown::of(hydration, engine.registry(), state, begun.elapsed()).rendered(
                    &segments,
                    prompt,
                    engine.registry(),
                )
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
            .ok_or(ServiceError::Nothing("return to: no roll yet"))?;
        let seed = Seed::new(last).map_err(|_| ServiceError::Nothing("return to"))?;
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
        let mut edits = difference::edits(tree::registry(self.tree()), tree::registry(to));
        for part in ["state", "route", "seed"] {
            let value = to.get(part).cloned().unwrap_or_default();
            if !self
                .tree()
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
