//! One open call document: its tree, what it means, its history, its file. Used by one caller at a
//! time; reading and writing the file is not done here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use promptdeck_core::request::call::{self, Call};
use promptdeck_core::request::history as rules;
use promptdeck_store::Hash;
use serde_json::{Map, Value};

use crate::conflict::{self, Pending};
use crate::disk::OnDisk;
use crate::drafts::Drafted;
use crate::history::{Done, History};
use crate::session::Unkept;
use crate::wire::{Applied, CallChange, CallStatus, Choice, Conflict, Edit, Label, Violation};
use crate::{ServiceError, difference, edit};

/// One open call document.
#[derive(Debug)]
pub struct CallDocument {
    document: String,
    path: PathBuf,
    tree: Value,
    call: Call,
    disk: OnDisk,
    /// The version both sides of a conflict came from; unknown for a draft of an older file.
    base_known: bool,
    pending: Option<Pending>,
    /// Hash of the file as it was last seen and dealt with.
    seen: Option<Hash>,
    history: History,
    /// Mark of the history at which the tree equals the file.
    saved_mark: Option<u64>,
    revision: u32,
    unkept: Vec<Edit>,
}

/// Reads bytes of a call document; `file` is the name used in messages.
pub fn parse(file: &str, bytes: &[u8]) -> Result<OnDisk, ServiceError> {
    let parsed = call::parse(bytes).map_err(|fault| ServiceError::Parse {
        file: file.to_owned(),
        fault,
    })?;
    Ok(OnDisk {
        hash: Hash::of(bytes),
        registry: parsed.document,
        wrapper: None,
    })
}

fn meaning(tree: &Value) -> Result<Call, ServiceError> {
    Call::from_map(object(tree)).map_err(ServiceError::Refused)
}

/// The object a tree is; edits below the root can't make it anything else.
fn object(tree: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::OnceLock<Map<String, Value>> = std::sync::OnceLock::new();
    tree.as_object()
        .unwrap_or_else(|| EMPTY.get_or_init(Map::new))
}

impl CallDocument {
    /// Opens what a file holds.
    pub fn open(document: &str, path: &Path, disk: OnDisk) -> Result<Self, ServiceError> {
        let tree = Value::Object(disk.registry.clone());
        Self::with_tree(document, path, disk, tree)
    }

    /// Opens another tree over what a file holds.
    pub fn with_tree(
        document: &str,
        path: &Path,
        disk: OnDisk,
        tree: Value,
    ) -> Result<Self, ServiceError> {
        let history = History::default();
        let same = difference::alike_maps(object(&tree), &disk.registry);
        Ok(Self {
            document: document.to_owned(),
            path: path.to_owned(),
            call: meaning(&tree)?,
            tree,
            base_known: true,
            pending: None,
            seen: Some(disk.hash),
            disk,
            saved_mark: same.then(|| history.mark()),
            history,
            revision: 0,
            unkept: Vec::new(),
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

    /// What it says.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// What the file held when it was last read or written.
    #[must_use]
    pub fn disk(&self) -> &OnDisk {
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

    /// Names the last step done.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.history.step()
    }

    /// Whether it differs from the file.
    #[must_use]
    pub fn modified(&self) -> bool {
        self.saved_mark != Some(self.history.mark())
    }

    /// Whether it says the same as a file.
    #[must_use]
    pub fn equals(&self, disk: &OnDisk) -> bool {
        difference::alike_maps(object(&self.tree), &disk.registry)
    }

    /// What saving writes.
    pub fn text(&self) -> Result<String, ServiceError> {
        Ok(serde_json::to_string_pretty(&self.tree)? + "\n")
    }

    /// Where the document stands.
    #[must_use]
    pub fn status(&self) -> CallStatus {
        let label = |text: Option<&str>| {
            text.map(|text| Label {
                text: text.to_owned(),
            })
        };
        CallStatus {
            revision: self.revision,
            modified: self.modified(),
            undo: label(self.history.undo_label()),
            redo: label(self.history.redo_label()),
            violations: violations(&self.call),
        }
    }

    /// Applies a group of edits the page has made.
    pub fn apply(&mut self, group: &Applied) -> Result<CallChange, ServiceError> {
        if group.base != self.revision {
            return Err(ServiceError::StaleRevision {
                given: group.base,
                current: self.revision,
            });
        }
        let mut change = self.step_by(&group.label, group.edits.clone(), group.burst.clone())?;
        change.edits.clear();
        Ok(change)
    }

    fn step_by(
        &mut self,
        label: &str,
        edits: Vec<Edit>,
        burst: Option<String>,
    ) -> Result<CallChange, ServiceError> {
        let backward = self.change_tree(&edits)?;
        let done = Done {
            label: label.to_owned(),
            forward: edits.clone(),
            backward,
            registry: true,
        };
        self.history.record(done, burst, Instant::now());
        Ok(self.answer(edits))
    }

    /// Takes back the last step.
    pub fn undo(&mut self) -> Result<CallChange, ServiceError> {
        let step = self.history.undo().ok_or(ServiceError::Nothing("undo"))?;
        let edits = step.backward.clone();
        match self.change_tree(&edits) {
            Ok(_) => Ok(self.answer(edits)),
            Err(fault) => {
                self.history.redo();
                Err(fault)
            }
        }
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&mut self) -> Result<CallChange, ServiceError> {
        let step = self.history.redo().ok_or(ServiceError::Nothing("redo"))?;
        let edits = step.forward.clone();
        match self.change_tree(&edits) {
            Ok(_) => Ok(self.answer(edits)),
            Err(fault) => {
                self.history.undo();
                Err(fault)
            }
        }
    }

    /// Changes tree and meaning together, or neither.
    fn change_tree(&mut self, edits: &[Edit]) -> Result<Vec<Edit>, ServiceError> {
        let backward = edit::apply_all(&mut self.tree, edits)?;
        match meaning(&self.tree) {
            Ok(call) => {
                self.call = call;
                self.unkept.extend_from_slice(edits);
                Ok(backward)
            }
            Err(fault) => {
                edit::apply_all(&mut self.tree, &backward)?;
                Err(fault)
            }
        }
    }

    fn answer(&mut self, edits: Vec<Edit>) -> CallChange {
        let base = self.revision;
        self.revision += 1;
        CallChange {
            document: self.document.clone(),
            base,
            edits,
            status: self.status(),
        }
    }

    /// Puts another version in place, as one step.
    fn switch(&mut self, label: &str, to: &Map<String, Value>) -> Result<CallChange, ServiceError> {
        let edits = difference::edits_below(&[], object(&self.tree), to);
        if edits.is_empty() {
            return Ok(CallChange {
                document: self.document.clone(),
                base: self.revision,
                edits,
                status: self.status(),
            });
        }
        self.step_by(label, edits, None)
    }

    fn agree_with(&mut self, disk: OnDisk, equal: bool) {
        self.seen = Some(disk.hash);
        self.disk = disk;
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = equal.then(|| self.history.mark());
    }

    /// Takes note that the file holds what is in the window now.
    pub fn saved(&mut self, bytes: &[u8]) {
        let disk = OnDisk {
            hash: Hash::of(bytes),
            registry: object(&self.tree).clone(),
            wrapper: None,
        };
        self.agree_with(disk, true);
    }

    /// Loads what the file holds now into a clean document, as one step.
    pub fn reload(&mut self, disk: OnDisk) -> Result<CallChange, ServiceError> {
        let change = self.switch("Change on disk", &disk.registry)?;
        self.agree_with(disk, true);
        Ok(CallChange {
            status: self.status(),
            ..change
        })
    }

    /// Sets or clears the version that waits for a decision.
    pub fn set_pending(&mut self, pending: Option<Pending>) {
        self.pending = pending;
    }

    /// The draft began from another version of the file than the one there is.
    pub fn forget_base(&mut self) {
        self.base_known = false;
    }

    /// The conflict as the page shows it: every part of the document is a row of its own.
    #[must_use]
    pub fn conflict(&self) -> Option<Conflict> {
        let base = self.base_known.then_some(&self.disk.registry);
        let pending = self.pending.as_ref()?;
        let mut conflict = conflict::describe(pending, base, object(&self.tree));
        for row in &mut conflict.rows {
            row.section = false;
        }
        Some(conflict)
    }

    /// Ends the conflict with a side for each part that differs.
    pub fn resolve(
        &mut self,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<CallChange, ServiceError> {
        let none = || ServiceError::NoConflict(self.document.clone());
        let conflict = self.conflict().ok_or_else(none)?;
        let pending = self.pending.clone().ok_or_else(none)?;
        let Some(disk) = pending.disk else {
            // Gone or unreadable: mine stays, and the next save writes it over what is there.
            self.seen = pending.hash;
            self.saved_mark = None;
            self.pending = None;
            let kept = object(&self.tree).clone();
            return self.switch("Choose between versions", &kept);
        };
        let merged = conflict::merged(&conflict, object(&self.tree), &disk.registry, choices);
        let change = self.switch("Choose between versions", &merged)?;
        let equal = difference::alike_maps(&merged, &disk.registry);
        self.agree_with(disk, equal);
        Ok(CallChange {
            status: self.status(),
            ..change
        })
    }
}

impl Drafted for CallDocument {
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

/// The rules a call's history breaks, its new message included.
pub fn violations(call: &Call) -> Vec<Violation> {
    let messages = call.messages();
    rules::validate(&messages, false)
        .unwrap_or_default()
        .into_iter()
        .map(|violation| Violation {
            rule: violation.rule.code().to_owned(),
            index: u32::try_from(violation.index).unwrap_or(u32::MAX),
            message: violation.message,
        })
        .collect()
}
