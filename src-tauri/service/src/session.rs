//! One open document: its working copy, what it means, its preview.
//!
//! It is used by one caller at a time; ordering, drafts, events and other documents are
//! [`crate::Studio`]'s business.

mod compiled;
mod file_sync;
mod jinja_preview;

use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Document;
use serde_json::{Value, json};

use crate::file_version::FileVersion;
use crate::preview::Preview;
use crate::tree::{self, Touched};
use crate::wire::{Change, Edit, EditGroup, PreviewPatch, Slot, Status};
use crate::working_copy::{Step, WorkingCopy};
use crate::{ServiceError, diff, lock_rolls};
use compiled::{CompiledSession, compile, recompile};

/// Where a session begins.
#[derive(Debug)]
pub struct Start {
    /// Names the document: its file, relative to the folder.
    pub document: String,
    /// The file.
    pub path: PathBuf,
    /// What the file holds.
    pub disk: FileVersion,
    /// The tree to begin with.
    pub tree: Value,
    /// The registry of the tree differs from the file's.
    pub modified: bool,
}

/// One open document: its working copy, and what that means.
#[derive(Debug)]
pub struct Session {
    copy: WorkingCopy,
    compiled: CompiledSession,
    last_seed: Option<u64>,
    seed_locked: bool,
    preview: Arc<Preview>,
    preview_number: u32,
    /// The call document whose arguments the prompt is rendered with, and what it says.
    used: Option<(String, Arc<promptdeck_request::call::Call>)>,
}

impl AsMut<WorkingCopy> for Session {
    fn as_mut(&mut self) -> &mut WorkingCopy {
        &mut self.copy
    }
}

impl Session {
    /// Its working copy.
    #[must_use]
    pub fn copy(&self) -> &WorkingCopy {
        &self.copy
    }

    /// Opens a document. Fails when the tree is no valid session.
    pub fn open(start: Start) -> Result<Self, ServiceError> {
        let compiled = compile(&start.tree)?;
        let Start {
            document,
            path,
            disk,
            tree,
            modified,
        } = start;
        let mut session = Self {
            copy: WorkingCopy::new(&document, &path, disk, tree, modified),
            compiled,
            last_seed: None,
            seed_locked: false,
            preview: Arc::default(),
            preview_number: 0,
            used: None,
        };
        session.preview = Arc::new(session.evaluate());
        Ok(session)
    }

    /// The engine over the registry as it is now.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.compiled.engine
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.compiled.state
    }

    /// The route.
    #[must_use]
    pub fn route(&self) -> Option<&str> {
        self.compiled.route.as_deref()
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.compiled.seed
    }

    /// The last evaluation and its number.
    #[must_use]
    pub fn preview(&self) -> (&Arc<Preview>, u32) {
        (&self.preview, self.preview_number)
    }

    /// The registry and its wrapper as a document of the core.
    #[must_use]
    pub fn registry_document(&self) -> Document {
        Document {
            registry: tree::registry(self.copy.tree()).clone(),
            wrapper: self.copy.disk().wrapper.clone(),
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
            revision: self.copy.revision(),
            modified: self.copy.modified(),
            undo: self.copy.undo_label(),
            redo: self.copy.redo_label(),
            last_seed: self.last_seed,
            seed_locked: self.seed_locked,
        }
    }

    /// The whole preview.
    #[must_use]
    pub fn full_patch(&self) -> PreviewPatch {
        self.preview.patch_from(None, self.preview_number)
    }

    /// Applies a group of edits the page has made.
    pub fn apply(&mut self, group: &EditGroup) -> Result<Change, ServiceError> {
        self.copy.expect(group.base)?;
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
            saved: tree::changes_file(self.copy.tree(), &edits),
        };
        let old = &self.compiled;
        self.compiled = self
            .copy
            .step(step, |tree| recompile(tree, old, &touched))?;
        Ok(self.answer(edits))
    }

    /// Takes back the last step.
    pub fn undo(&mut self) -> Result<Change, ServiceError> {
        let old = &self.compiled;
        let read = |tree: &Value, edits: &[Edit]| recompile(tree, old, &Touched::by(edits));
        let (compiled, edits) = self.copy.undo(read)?;
        self.compiled = compiled;
        Ok(self.answer(edits))
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&mut self) -> Result<Change, ServiceError> {
        let old = &self.compiled;
        let read = |tree: &Value, edits: &[Edit]| recompile(tree, old, &Touched::by(edits));
        let (compiled, edits) = self.copy.redo(read)?;
        self.compiled = compiled;
        Ok(self.answer(edits))
    }

    /// The answer to edits that were applied just now.
    fn answer(&mut self, edits: Vec<Edit>) -> Change {
        let preview = Arc::new(self.evaluate());
        self.preview_number += 1;
        let patch = preview.patch_from(Some(&self.preview), self.preview_number);
        self.preview = preview;
        Change {
            base: self.copy.revision() - 1,
            edits,
            ..self.answered(patch)
        }
    }

    /// An answer in which nothing but the status changed.
    pub fn unchanged(&mut self) -> Change {
        let preview = Arc::clone(&self.preview);
        self.preview_number += 1;
        self.answered(preview.patch_from(Some(&preview), self.preview_number))
    }

    /// An answer without edits.
    fn answered(&self, patch: PreviewPatch) -> Change {
        Change {
            document: self.copy.document().to_owned(),
            base: self.copy.revision(),
            edits: Vec::new(),
            status: self.status(),
            preview: patch,
            unlocked: Vec::new(),
        }
    }

    fn evaluate(&self) -> Preview {
        let CompiledSession {
            engine,
            state,
            route,
            seed,
        } = &self.compiled;
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
                Preview::of(hydration, engine.registry(), state, begun.elapsed()).rendered(
                    &segments,
                    prompt,
                    engine.registry(),
                )
            }
            Ok(hydration) => Preview::of(hydration, engine.registry(), state, begun.elapsed()),
            Err(fault) => Preview::nothing(ServiceError::from(fault).into()),
        }
    }

    /// Goes on with another seed.
    pub fn set_seed(&mut self, label: &str, seed: Seed) -> Result<Change, ServiceError> {
        let last = self.compiled.seed.get();
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
            all = lock_rolls::rolled(&self.preview);
            &all
        };
        let registry = self.compiled.engine.registry();
        let roll_lock = lock_rolls::lock(&self.preview, &self.compiled.state, registry, slots);
        let mut change = if roll_lock.edits.is_empty() {
            self.unchanged()
        } else {
            let label = if slots.len() == 1 { "Lock" } else { "Lock all" };
            self.step(label, roll_lock.edits, None)?
        };
        change.unlocked = roll_lock.unlocked;
        Ok(change)
    }

    /// Puts another registry, state, route and seed in place, as one step.
    pub fn switch(&mut self, label: &str, to: &Value) -> Result<Change, ServiceError> {
        tree::check(to)?;
        let mut edits = diff::tree::edits(tree::registry(self.copy.tree()), tree::registry(to));
        for part in ["state", "route", "seed"] {
            let value = to.get(part).cloned().unwrap_or_default();
            if !self
                .copy
                .tree()
                .get(part)
                .is_some_and(|own| diff::tree::alike(own, &value))
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
