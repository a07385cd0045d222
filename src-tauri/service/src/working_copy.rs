//! The working copy of a file: the tree the author edits and its steps, the version of the file it
//! came from and the one that waits for a decision, and what has yet to reach the draft.
//!
//! What the tree means is the affair of who holds it; reading and writing the file is not done here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use promptdeck_store::Hash;
use serde_json::{Map, Value};

use crate::conflict::{self, Pending};
use crate::file_version::FileVersion;
use crate::history::{Done, History};
use crate::wire::{Choice, Conflict, Edit, Label};
use crate::{ServiceError, diff, edit};

/// A file being worked on.
#[derive(Debug)]
pub struct WorkingCopy {
    document: String,
    path: PathBuf,
    tree: Value,
    revision: u32,
    history: History,
    /// Mark of the history at which the document equals the file.
    saved_mark: Option<u64>,
    disk: FileVersion,
    /// The version both sides of a conflict came from; unknown for a draft of an older file.
    base_known: bool,
    pending: Option<Pending>,
    /// Hash of the file as it was last seen and dealt with; none when it was gone.
    seen: Option<Hash>,
    unkept: Vec<Edit>,
}

/// What has to reach the draft.
#[derive(Debug)]
pub struct Unkept {
    /// Edits since the last time.
    pub edits: Vec<Edit>,
    /// The revision they lead to.
    pub revision: u32,
    /// The document differs from the file.
    pub modified: bool,
    /// Hash of the file the work is based on.
    pub base: Hash,
}

/// A step to apply.
#[derive(Debug)]
pub struct Step<'a> {
    /// What the author did, for the menu.
    pub label: &'a str,
    /// What changes.
    pub edits: &'a [Edit],
    /// Steps with the same key in quick succession are one step.
    pub burst: Option<String>,
    /// What is saved changes, not only what is kept beside it.
    pub saved: bool,
}

impl WorkingCopy {
    /// Begins work on what a file holds, with a tree that may differ from it.
    #[must_use]
    pub fn new(
        document: &str,
        path: &Path,
        disk: FileVersion,
        tree: Value,
        modified: bool,
    ) -> Self {
        let history = History::default();
        Self {
            document: document.to_owned(),
            path: path.to_owned(),
            tree,
            revision: 0,
            saved_mark: (!modified).then(|| history.mark()),
            history,
            seen: Some(disk.hash),
            disk,
            base_known: true,
            pending: None,
            unkept: Vec::new(),
        }
    }

    /// Names the document.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Value {
        &self.tree
    }

    /// How many times the tree was changed.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// What the file held when it was last read or written.
    #[must_use]
    pub fn disk(&self) -> &FileVersion {
        &self.disk
    }

    /// Hash of the file as it was last seen; none when it was gone.
    #[must_use]
    pub fn seen(&self) -> Option<Hash> {
        match &self.pending {
            Some(pending) => pending.hash,
            None => self.seen,
        }
    }

    /// Whether the document differs from the file.
    #[must_use]
    pub fn modified(&self) -> bool {
        self.saved_mark != Some(self.history.mark())
    }

    /// Names the last step done.
    #[must_use]
    pub fn step_number(&self) -> u64 {
        self.history.step()
    }

    /// What undo would take back.
    #[must_use]
    pub fn undo_label(&self) -> Option<Label> {
        self.history.undo_label().map(label)
    }

    /// What redo would bring back.
    #[must_use]
    pub fn redo_label(&self) -> Option<Label> {
        self.history.redo_label().map(label)
    }

    /// Whether there is a step to undo or to redo.
    #[must_use]
    pub fn has_history(&self) -> bool {
        self.history.undo_label().is_some() || self.history.redo_label().is_some()
    }

    /// Refuses edits made on another revision than the one there is.
    pub fn expect(&self, base: u32) -> Result<(), ServiceError> {
        if base == self.revision {
            return Ok(());
        }
        Err(ServiceError::StaleRevision {
            given: base,
            current: self.revision,
        })
    }

    /// Applies a step and gives what the tree means then, as `read` finds it. A tree that means
    /// nothing is left as it was.
    pub fn step<M>(
        &mut self,
        step: Step<'_>,
        read: impl FnOnce(&Value) -> Result<M, ServiceError>,
    ) -> Result<M, ServiceError> {
        let (compiled, backward) = self.change(step.edits, read)?;
        let done = Done {
            label: step.label.to_owned(),
            forward: step.edits.to_vec(),
            backward,
            registry: step.saved,
        };
        self.history.record(done, step.burst, Instant::now());
        Ok(compiled)
    }

    /// Takes back the last step.
    pub fn undo<M>(
        &mut self,
        read: impl FnOnce(&Value, &[Edit]) -> Result<M, ServiceError>,
    ) -> Result<(M, Vec<Edit>), ServiceError> {
        let step = self.history.undo().ok_or(ServiceError::Nothing("undo"))?;
        let edits = step.backward.clone();
        self.replay(edits, read, History::redo)
    }

    /// Brings back the last step that was taken back.
    pub fn redo<M>(
        &mut self,
        read: impl FnOnce(&Value, &[Edit]) -> Result<M, ServiceError>,
    ) -> Result<(M, Vec<Edit>), ServiceError> {
        let step = self.history.redo().ok_or(ServiceError::Nothing("redo"))?;
        let edits = step.forward.clone();
        self.replay(edits, read, History::undo)
    }

    /// Applies a step the history has gone over already; `back` goes over it the other way.
    fn replay<M>(
        &mut self,
        edits: Vec<Edit>,
        read: impl FnOnce(&Value, &[Edit]) -> Result<M, ServiceError>,
        back: impl FnOnce(&mut History) -> Option<&Done>,
    ) -> Result<(M, Vec<Edit>), ServiceError> {
        match self.change(&edits, |tree| read(tree, &edits)) {
            Ok((compiled, _)) => Ok((compiled, edits)),
            Err(fault) => {
                back(&mut self.history);
                Err(fault)
            }
        }
    }

    fn change<M>(
        &mut self,
        edits: &[Edit],
        read: impl FnOnce(&Value) -> Result<M, ServiceError>,
    ) -> Result<(M, Vec<Edit>), ServiceError> {
        let backward = edit::apply_all(&mut self.tree, edits)?;
        match read(&self.tree) {
            Ok(compiled) => {
                self.unkept.extend_from_slice(edits);
                self.revision += 1;
                Ok((compiled, backward))
            }
            Err(fault) => {
                edit::apply_all(&mut self.tree, &backward)?;
                Err(fault)
            }
        }
    }

    /// Takes note of what the file holds now, and whether the document says the same.
    pub fn agree_with(&mut self, disk: FileVersion, same: bool) {
        self.seen = Some(disk.hash);
        self.disk = disk;
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = same.then(|| self.history.mark());
    }

    /// Takes note that the document says what the file held all along.
    pub fn agree(&mut self) {
        self.saved_mark = Some(self.history.mark());
    }

    /// The version that waits for a decision.
    #[must_use]
    pub fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// Sets or clears the version that waits for a decision.
    pub fn set_pending(&mut self, pending: Option<Pending>) {
        self.pending = pending;
    }

    /// The draft began from another version of the file than the one there is.
    pub fn forget_base(&mut self) {
        self.base_known = false;
    }

    /// The conflict as the page shows it, where the window holds `mine`.
    #[must_use]
    pub fn conflict(&self, mine: &Map<String, Value>) -> Option<Conflict> {
        let base = self.base_known.then_some(&self.disk.registry);
        let pending = self.pending.as_ref()?;
        Some(conflict::describe(pending, base, mine))
    }

    /// What comes of a side for each part that differs, and the version of the file they were chosen
    /// from: to be put in place. None when there is no other version to read: what is in the window
    /// stays, and the next save writes it over what is there.
    #[expect(clippy::type_complexity, reason = "two things with one use")]
    pub fn decide(
        &mut self,
        mine: &Map<String, Value>,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Option<(Map<String, Value>, FileVersion)>, ServiceError> {
        let none = || ServiceError::NoConflict(self.document.clone());
        let conflict = self.conflict(mine).ok_or_else(none)?;
        let pending = self.pending.as_ref().ok_or_else(none)?;
        let Some(disk) = pending.disk.clone() else {
            self.seen = pending.hash;
            self.saved_mark = None;
            self.pending = None;
            return Ok(None);
        };
        let merged = conflict::merged(&conflict, mine, &disk.registry, choices);
        Ok(Some((merged, disk)))
    }

    /// Takes note that what was merged is in place.
    pub fn decided(&mut self, merged: &Map<String, Value>, disk: FileVersion) {
        let same = diff::tree::alike_maps(merged, &disk.registry);
        self.agree_with(disk, same);
    }

    /// Takes the edits that have not reached the draft yet.
    pub fn take_unkept(&mut self) -> Unkept {
        Unkept {
            edits: std::mem::take(&mut self.unkept),
            revision: self.revision,
            modified: self.modified(),
            base: self.disk.hash,
        }
    }
}

fn label(text: &str) -> Label {
    Label {
        text: text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused<M>() -> Result<M, ServiceError> {
        Err(ServiceError::Nothing("mean"))
    }

    #[test]
    fn a_step_that_would_mean_nothing_is_neither_done_nor_taken_back() {
        let disk = FileVersion {
            hash: Hash::of(b"{}"),
            registry: Map::new(),
            wrapper: None,
        };
        let mut copy = WorkingCopy::new("a", Path::new("a"), disk, json!({ "n": 1 }), false);
        let edits = [Edit::Set {
            path: vec!["n".into()],
            value: json!(2),
        }];
        let step = || Step {
            label: "Count",
            edits: &edits,
            burst: None,
            saved: true,
        };
        assert!(copy.step(step(), |_| refused::<()>()).is_err());
        assert_eq!(copy.tree(), &json!({ "n": 1 }));
        assert!(!copy.modified());

        copy.step(step(), |_| Ok(())).expect("done");
        assert!(copy.undo(|_, _| refused::<()>()).is_err());
        assert_eq!(copy.tree(), &json!({ "n": 2 }));
        assert!(copy.modified());
        copy.undo(|_, _| Ok(())).expect("taken back");
        assert_eq!(copy.tree(), &json!({ "n": 1 }));
        assert!(!copy.modified());
        assert!(copy.redo(|_, _| refused::<()>()).is_err());
        copy.redo(|_, _| Ok(())).expect("brought back");
        assert_eq!(copy.tree(), &json!({ "n": 2 }));
        assert_eq!(copy.revision(), 3);
    }
}
