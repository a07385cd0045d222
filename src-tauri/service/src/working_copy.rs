//! The working copy of a file: the tree the author edits and its steps, what the tree means, the
//! version of the file it came from and the one that waits for a decision, and what has yet to reach
//! the draft.
//!
//! Reading and writing the file is not done here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use promptdeck_store::Hash;
use serde_json::{Map, Value};

use crate::conflict::{self, Pending};
use crate::file_version::FileVersion;
use crate::history::{EditStep, History};
use crate::wire::{Choice, Conflict, Edit, EditGroup, Label, Step};
use crate::{ServiceError, diff, edit, tree};

/// What the tree of a document means.
pub trait Compiled: Sized {
    /// The keys that lead from the root of a tree to the object its file holds.
    const FILE_PATH: &'static [&'static str];

    /// Reads a whole tree. Fails when it is no document of this kind.
    fn compile(tree: &Value) -> Result<Self, ServiceError>;

    /// Reads a tree after edits. What they did not touch may be shared with the tree before.
    fn recompile(&self, tree: &Value, edits: &[Edit]) -> Result<Self, ServiceError>;

    /// Whether edits change what a save writes; `tree` is the tree before them.
    fn changes_file(tree: &Value, edits: &[Edit]) -> bool;
}

/// Where work on a document begins.
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
    /// The tree differs from the file.
    pub modified: bool,
}

/// A file being worked on.
#[derive(Debug)]
pub struct WorkingCopy<M> {
    document: String,
    path: PathBuf,
    tree: Value,
    compiled: M,
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
    draft_edits: Vec<Edit>,
}

/// What has to reach the draft.
#[derive(Debug)]
pub struct DraftUpdate {
    /// Edits since the last time.
    pub edits: Vec<Edit>,
    /// The revision they lead to.
    pub revision: u32,
    /// The document differs from the file.
    pub modified: bool,
    /// Hash of the file the work is based on.
    pub base: Hash,
}

impl<M: Compiled> WorkingCopy<M> {
    /// Begins work. Fails when the tree means nothing.
    pub fn new(start: Start) -> Result<Self, ServiceError> {
        let compiled = M::compile(&start.tree)?;
        let history = History::default();
        Ok(Self {
            document: start.document,
            path: start.path,
            tree: start.tree,
            compiled,
            revision: 0,
            saved_mark: (!start.modified).then(|| history.mark()),
            history,
            seen: Some(start.disk.hash),
            disk: start.disk,
            base_known: true,
            pending: None,
            draft_edits: Vec::new(),
        })
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

    /// What the tree means.
    #[must_use]
    pub fn compiled(&self) -> &M {
        &self.compiled
    }

    /// The object that the file holds once the document is saved.
    #[must_use]
    pub fn content(&self) -> &Map<String, Value> {
        tree::object_at(&self.tree, M::FILE_PATH)
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

    /// Whether the document is written like a version of its file.
    #[must_use]
    pub fn equals(&self, disk: &FileVersion) -> bool {
        diff::tree::alike_maps(self.content(), &disk.content)
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

    /// Applies a group of edits the page has made. Edits made on another revision are refused.
    pub fn apply(&mut self, group: &EditGroup) -> Result<(), ServiceError> {
        if group.base != self.revision {
            return Err(ServiceError::StaleRevision {
                given: group.base,
                current: self.revision,
            });
        }
        self.step(&group.label, &group.edits, group.burst.clone())
    }

    /// Applies edits as one step of the history; steps with the same `burst` in quick succession are
    /// one step. Where the tree would mean nothing, it stays as it was.
    pub fn step(
        &mut self,
        label: &str,
        edits: &[Edit],
        burst: Option<String>,
    ) -> Result<(), ServiceError> {
        let registry = M::changes_file(&self.tree, edits);
        let backward = self.change(edits)?;
        let done = EditStep {
            label: label.to_owned(),
            forward: edits.to_vec(),
            backward,
            registry,
        };
        self.history.record(done, burst, Instant::now());
        Ok(())
    }

    /// Takes back the last step; gives the edits that did.
    pub fn undo(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let step = self.history.undo().ok_or(ServiceError::Nothing("undo"))?;
        let edits = step.backward.clone();
        self.replay(edits, History::redo)
    }

    /// Brings back the last step that was taken back; gives the edits that did.
    pub fn redo(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let step = self.history.redo().ok_or(ServiceError::Nothing("redo"))?;
        let edits = step.forward.clone();
        self.replay(edits, History::undo)
    }

    /// Applies a step the history has gone over already; `back` goes over it the other way.
    fn replay(
        &mut self,
        edits: Vec<Edit>,
        back: impl FnOnce(&mut History) -> Option<&EditStep>,
    ) -> Result<Vec<Edit>, ServiceError> {
        match self.change(&edits) {
            Ok(_) => Ok(edits),
            Err(fault) => {
                back(&mut self.history);
                Err(fault)
            }
        }
    }

    /// Applies edits and gives those that take them back.
    fn change(&mut self, edits: &[Edit]) -> Result<Vec<Edit>, ServiceError> {
        let backward = edit::apply_all(&mut self.tree, edits)?;
        match self.compiled.recompile(&self.tree, edits) {
            Ok(compiled) => {
                self.compiled = compiled;
                self.draft_edits.extend_from_slice(edits);
                self.revision += 1;
                Ok(backward)
            }
            Err(fault) => {
                edit::apply_all(&mut self.tree, &backward)?;
                Err(fault)
            }
        }
    }

    /// Puts another content of the file in place, as one step; gives the edits that did, none when
    /// nothing differs.
    fn switch(&mut self, label: &str, to: &Map<String, Value>) -> Result<Vec<Edit>, ServiceError> {
        let path: Vec<Step> = M::FILE_PATH.iter().map(|&key| key.into()).collect();
        let edits = diff::tree::edits_below(&path, self.content(), to);
        if !edits.is_empty() {
            self.step(label, &edits, None)?;
        }
        Ok(edits)
    }

    /// Takes note that the file holds what is in the window now.
    pub fn saved(&mut self, bytes: &[u8]) {
        let disk = FileVersion {
            hash: Hash::of(bytes),
            content: self.content().clone(),
            wrapper: self.disk.wrapper.clone(),
            source_map: None,
        };
        self.agree_with(disk, true);
    }

    /// Goes back to what the file held, as one step.
    pub fn revert(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let content = self.disk.content.clone();
        let edits = self.switch("Revert to the file", &content)?;
        self.saved_mark = Some(self.history.mark());
        Ok(edits)
    }

    /// Loads what the file holds now into a clean document, as one step.
    pub fn reload(&mut self, disk: FileVersion) -> Result<Vec<Edit>, ServiceError> {
        let edits = self.switch("Change on disk", &disk.content)?;
        self.agree_with(disk, true);
        Ok(edits)
    }

    /// Takes note of what the file holds now, and whether the document says the same.
    fn agree_with(&mut self, disk: FileVersion, same: bool) {
        self.seen = Some(disk.hash);
        self.disk = disk;
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = same.then(|| self.history.mark());
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

    /// The conflict as the page shows it.
    #[must_use]
    pub fn conflict(&self) -> Option<Conflict> {
        let base = self.base_known.then_some(&self.disk.content);
        let pending = self.pending.as_ref()?;
        Some(conflict::describe(pending, base, self.content()))
    }

    /// Ends the conflict with a side for each key that differs, as one step; gives its edits. Where
    /// there is no other version to read, what is in the window stays, and the next save writes it
    /// over what is there.
    pub fn resolve(
        &mut self,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let none = || ServiceError::NoConflict(self.document.clone());
        let conflict = self.conflict().ok_or_else(none)?;
        let pending = self.pending.as_ref().ok_or_else(none)?;
        let Some(disk) = pending.disk.clone() else {
            self.seen = pending.hash;
            self.saved_mark = None;
            self.pending = None;
            return Ok(Vec::new());
        };
        let merged = conflict::merged(&conflict, self.content(), &disk.content, choices);
        let same = diff::tree::alike_maps(&merged, &disk.content);
        let edits = self.switch("Choose between versions", &merged)?;
        self.agree_with(disk, same);
        Ok(edits)
    }

    /// Takes the edits that have not reached the draft yet.
    pub fn take_draft_update(&mut self) -> DraftUpdate {
        DraftUpdate {
            edits: std::mem::take(&mut self.draft_edits),
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
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    /// A meaning that refuses the next tree when it is told to.
    #[derive(Debug, Default)]
    struct Refusing(Cell<bool>);

    impl Compiled for Refusing {
        const FILE_PATH: &'static [&'static str] = &[];

        fn compile(_: &Value) -> Result<Self, ServiceError> {
            Ok(Self::default())
        }

        fn recompile(&self, tree: &Value, _: &[Edit]) -> Result<Self, ServiceError> {
            if self.0.take() {
                return Err(ServiceError::Nothing("mean"));
            }
            Self::compile(tree)
        }

        fn changes_file(_: &Value, _: &[Edit]) -> bool {
            true
        }
    }

    #[test]
    fn a_step_that_would_mean_nothing_is_neither_done_nor_taken_back() {
        let start = Start {
            document: "a".into(),
            path: "a".into(),
            disk: FileVersion {
                hash: Hash::of(b"{}"),
                content: Map::new(),
                wrapper: None,
                source_map: None,
            },
            tree: json!({ "n": 1 }),
            modified: false,
        };
        let mut copy = WorkingCopy::<Refusing>::new(start).expect("begun");
        let edits = [Edit::Set {
            path: vec!["n".into()],
            value: json!(2),
        }];
        copy.compiled().0.set(true);
        assert!(copy.step("Count", &edits, None).is_err());
        assert_eq!(copy.tree(), &json!({ "n": 1 }));
        assert!(!copy.modified());

        copy.step("Count", &edits, None).expect("done");
        copy.compiled().0.set(true);
        assert!(copy.undo().is_err());
        assert_eq!(copy.tree(), &json!({ "n": 2 }));
        assert!(copy.modified());
        copy.undo().expect("taken back");
        assert_eq!(copy.tree(), &json!({ "n": 1 }));
        assert!(!copy.modified());
        copy.compiled().0.set(true);
        assert!(copy.redo().is_err());
        copy.redo().expect("brought back");
        assert_eq!(copy.tree(), &json!({ "n": 2 }));
        assert_eq!(copy.revision(), 3);
    }
}
