//! The working copy of a file: the tree the author edits with its undo history, the tree compiled,
//! the version of the file it is based on, the version in conflict, and the edits not yet in the
//! draft. `file_versions` has what follows the file.
//!
//! It does not read or write the file.

mod file_versions;

use std::path::{Path, PathBuf};
use std::time::Instant;

use promptdeck_store::Hash;
use serde_json::{Map, Value};

use crate::conflict::Pending;
use crate::file_version::{FileVersion, Found};
use crate::history::{Burst, EditStep, History};
use crate::renames::{self, Rename};
use crate::typing::Typed;
use crate::wire::{DraftNote, Edit, EditGroup, Label, Step};
use crate::{ServiceError, edit, tree};

/// Label of the steps with which a document follows the names of its registry.
const FOLLOW: &str = "Follow the registry";

/// The compiled form of a document's tree.
pub trait Compiled: Sized {
    /// The keys from the root of a tree to the object its file holds.
    const FILE_PATH: &'static [&'static str];

    /// Compiles a whole tree. Fails if it is not a document of this kind.
    fn compile(tree: &Value) -> Result<Self, ServiceError>;

    /// Compiles a tree after edits. What they did not touch may be shared with the previous one.
    fn recompile(&self, tree: &Value, edits: &[Edit]) -> Result<Self, ServiceError>;

    /// Whether edits change what a save writes; `tree` is the tree before the edits.
    fn changes_file(tree: &Value, edits: &[Edit]) -> bool;
}

/// The initial content of a working copy.
#[derive(Debug)]
pub struct Start {
    /// The document's name: its file, relative to the folder.
    pub document: String,
    /// The file.
    pub path: PathBuf,
    /// What the file holds.
    pub disk: FileVersion,
    /// The initial tree.
    pub tree: Value,
    /// Whether the tree differs from the file.
    pub modified: bool,
}

/// A file that is being edited.
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
    /// The version both sides of a conflict derive from, if that is not `disk`: the file that a restored
    /// draft was made of.
    older_base: Option<OlderBase>,
    pending: Option<Pending>,
    /// What was found in the file's place when it was last compared.
    seen: Found,
    draft_edits: Vec<Edit>,
    /// Whether it differs from the file only by names of another document that it follows.
    only_follows: bool,
    /// What was restored from its draft, until the window has been told.
    draft_note: Option<DraftNote>,
}

/// The version of a file that a restored draft is based on, where the file has another by now.
#[derive(Debug, Clone)]
pub struct OlderBase {
    /// Hash of its bytes.
    pub hash: Hash,
    /// Its content, if the store has it.
    pub content: Option<Map<String, Value>>,
}

/// What the draft does not have yet.
#[derive(Debug)]
pub struct DraftUpdate {
    /// Edits since the last write.
    pub edits: Vec<Edit>,
    /// The revision after these edits.
    pub revision: u32,
    /// Whether the document differs from the file.
    pub modified: bool,
    /// Hash of the file version the edits are based on.
    pub base: Hash,
    /// Whether the document differs from the file only by names of another document that it follows.
    pub only_follows: bool,
}

impl<M: Compiled> WorkingCopy<M> {
    /// Creates a working copy. Fails if the tree does not compile.
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
            seen: start.disk.found(),
            disk: start.disk,
            older_base: None,
            pending: None,
            draft_edits: Vec::new(),
            only_follows: false,
            draft_note: None,
        })
    }

    /// Notes what was restored from its draft.
    pub fn note_draft(&mut self, note: Option<DraftNote>) {
        self.draft_note = note;
    }

    /// What was restored from its draft; reported to the window once.
    pub fn take_draft_note(&mut self) -> Option<DraftNote> {
        self.draft_note.take()
    }

    /// The document's name.
    #[must_use]
    pub fn document(&self) -> &str {
        &self.document
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Follows the file to another name.
    pub fn follow(&mut self, document: &str, path: &Path) {
        document.clone_into(&mut self.document);
        path.clone_into(&mut self.path);
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Value {
        &self.tree
    }

    /// The compiled tree.
    #[must_use]
    pub fn compiled(&self) -> &M {
        &self.compiled
    }

    /// The object that a save writes.
    #[must_use]
    pub fn content(&self) -> &Map<String, Value> {
        tree::object_at(&self.tree, M::FILE_PATH)
    }

    /// The revision: how many times the tree has changed.
    #[must_use]
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// Whether the document differs from the file.
    #[must_use]
    pub fn modified(&self) -> bool {
        self.saved_mark != Some(self.history.mark())
    }

    /// A mark for the latest step of the history.
    #[must_use]
    pub fn step_number(&self) -> u64 {
        self.history.step()
    }

    /// The label of the step that undo would revert.
    #[must_use]
    pub fn undo_label(&self) -> Option<Label> {
        self.history.undo_label().map(label)
    }

    /// The label of the step that redo would repeat.
    #[must_use]
    pub fn redo_label(&self) -> Option<Label> {
        self.history.redo_label().map(label)
    }

    /// Whether the history has any step, done or undone.
    #[must_use]
    pub fn has_history(&self) -> bool {
        self.history.undo_label().is_some() || self.history.redo_label().is_some()
    }

    /// Applies a group of edits from the page. Edits based on another revision are refused.
    pub fn apply(&mut self, group: &EditGroup) -> Result<(), ServiceError> {
        self.expect_revision(group.base)?;
        self.step(&group.label, &group.edits, group.burst.clone())
    }

    /// Refuses edits made on another revision.
    pub fn expect_revision(&self, given: u32) -> Result<(), ServiceError> {
        let current = self.revision;
        if given == current {
            Ok(())
        } else {
            Err(ServiceError::StaleRevision { given, current })
        }
    }

    /// Applies edits as one step of the history; steps with the same `burst` in quick succession
    /// are merged. If the new tree does not compile, nothing changes.
    pub fn step(
        &mut self,
        label: &str,
        edits: &[Edit],
        burst: Option<String>,
    ) -> Result<(), ServiceError> {
        self.checked_step(label, edits, burst, |_| Ok(()))
    }

    /// As [`Self::step`], unless `check` refuses what the tree would mean.
    pub fn checked_step(
        &mut self,
        label: &str,
        edits: &[Edit],
        burst: Option<String>,
        check: impl FnOnce(&M) -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        self.record_step(label, edits, burst, Vec::new(), check)
    }

    fn record_step(
        &mut self,
        label: &str,
        edits: &[Edit],
        burst: Option<String>,
        follows: Vec<Rename>,
        check: impl FnOnce(&M) -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let registry = M::changes_file(&self.tree, edits);
        let backward = self.change(edits, check)?;
        let burst = burst.map(|key| Burst {
            key,
            typed: Typed::of(edits, &backward, &self.tree),
        });
        let done = EditStep {
            label: label.to_owned(),
            forward: edits.to_vec(),
            backward,
            registry,
            follows,
        };
        self.history.record(done, burst, Instant::now());
        Ok(())
    }

    /// Follows names that another document changed and returns the edits that did it: by taking back
    /// or repeating the step that followed them, else by a step with the edits that `follow` gives
    /// for each.
    pub(crate) fn follow_renames(
        &mut self,
        renames: &[Rename],
        follow: impl Fn(&Value, &Rename) -> Vec<Edit>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let only_follows = self.only_follows || !self.modified();
        let [undo, redo] = self.history.follows();
        let edits = if undo == renames::inverse(renames) {
            self.undo()?
        } else if redo == renames {
            self.redo()?
        } else {
            self.follow_step(renames, follow)?
        };
        if !edits.is_empty() {
            self.only_follows = only_follows;
        }
        Ok(edits)
    }

    fn follow_step(
        &mut self,
        renames: &[Rename],
        follow: impl Fn(&Value, &Rename) -> Vec<Edit>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let mut tree = self.tree.clone();
        let mut edits = Vec::new();
        for rename in renames {
            let next = follow(&tree, rename);
            edit::apply_all(&mut tree, &next)?;
            edits.extend(next);
        }
        if !edits.is_empty() {
            self.record_step(FOLLOW, &edits, None, renames.to_vec(), |_| Ok(()))?;
        }
        Ok(edits)
    }

    /// Whether it differs from the file, and only by names of another document that it follows.
    #[must_use]
    pub fn only_follows(&self) -> bool {
        self.only_follows && self.modified()
    }

    /// Notes that the draft it was opened with only follows another document.
    pub(crate) fn restore_follow(&mut self) {
        self.only_follows = true;
    }

    /// Applies edits that are no step of the history: what they belong to is undone elsewhere, as
    /// the rename of a file is.
    pub fn amend(&mut self, edits: &[Edit]) -> Result<(), ServiceError> {
        let registry = M::changes_file(&self.tree, edits);
        self.change(edits, |_| Ok(()))?;
        if registry {
            // No step of the history leads back to what the file holds.
            self.saved_mark = None;
        }
        Ok(())
    }

    /// Follows new names of files that members of the document are, and returns the edits that did
    /// it; `renamed` gives for an edit that sets an old name the one that sets the new. It is no step
    /// of the history, whose steps lead to the new names from now on. `file` is what the file holds,
    /// if it follows too.
    pub(crate) fn follow_names(
        &mut self,
        renamed: &dyn Fn(&Edit) -> Option<Edit>,
        file: Option<FileVersion>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let members = self.content().iter();
        let edits: Vec<Edit> = members
            .filter(|(_, value)| value.is_string())
            .filter_map(|(key, value)| {
                let mut path = file_path::<M>();
                path.push(key.as_str().into());
                let value = value.clone();
                renamed(&Edit::Set { path, value })
            })
            .collect();
        if !edits.is_empty() {
            let only_follows = self.only_follows;
            self.change(&edits, |_| Ok(()))?;
            self.only_follows = only_follows;
        }
        self.history.replace(renamed);
        match file {
            Some(disk) if self.pending.is_none() => {
                self.seen = disk.found();
                self.disk = disk;
            }
            // No step of the history leads back to what the file holds.
            None if !edits.is_empty() => self.saved_mark = None,
            _ => {}
        }
        Ok(edits)
    }

    /// Undoes the latest step and returns the edits that did it.
    pub fn undo(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let step = self.history.undo().ok_or(no_step("undo", &self.document))?;
        let edits = step.backward.clone();
        self.replay(edits, History::redo)
    }

    /// Repeats the step undone last and returns the edits that did it.
    pub fn redo(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let step = self.history.redo().ok_or(no_step("redo", &self.document))?;
        let edits = step.forward.clone();
        self.replay(edits, History::undo)
    }

    /// Applies a step that is already in the history; `back` applies its inverse.
    fn replay(
        &mut self,
        edits: Vec<Edit>,
        back: impl FnOnce(&mut History) -> Option<&EditStep>,
    ) -> Result<Vec<Edit>, ServiceError> {
        match self.change(&edits, |_| Ok(())) {
            Ok(_) => Ok(edits),
            Err(fault) => {
                back(&mut self.history);
                Err(fault)
            }
        }
    }

    /// Applies edits and returns their inverses.
    fn change(
        &mut self,
        edits: &[Edit],
        check: impl FnOnce(&M) -> Result<(), ServiceError>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let backward = edit::apply_all(&mut self.tree, edits)?;
        let compiled = self.compiled.recompile(&self.tree, edits);
        match compiled.and_then(|compiled| check(&compiled).map(|()| compiled)) {
            Ok(compiled) => {
                self.compiled = compiled;
                self.only_follows = false;
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

    /// Takes the edits that the draft does not have yet.
    pub fn take_draft_update(&mut self) -> DraftUpdate {
        DraftUpdate {
            edits: std::mem::take(&mut self.draft_edits),
            revision: self.revision,
            modified: self.modified(),
            base: self.base(),
            only_follows: self.only_follows(),
        }
    }
}

/// The steps from the root of a tree to the object its file holds.
fn file_path<M: Compiled>() -> Vec<Step> {
    M::FILE_PATH.iter().map(|&key| key.into()).collect()
}

fn no_step(step: &'static str, document: &str) -> ServiceError {
    ServiceError::NoStep {
        step,
        document: document.to_owned(),
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

    /// A compiled form that refuses the next tree on demand.
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
