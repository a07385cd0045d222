//! One open call document: its working copy and what it means. Used by one caller at a time.

use std::collections::BTreeMap;
use std::path::Path;

use promptdeck_request::call::{self, Call};
use promptdeck_request::history as rules;
use promptdeck_store::Hash;
use serde_json::{Map, Value};

use crate::file_version::FileVersion;
use crate::wire::{CallChange, CallStatus, Choice, Conflict, Edit, EditGroup, Violation};
use crate::working_copy::{Step, WorkingCopy};
use crate::{ServiceError, diff};

/// One open call document: its working copy, and what that means.
#[derive(Debug)]
pub struct CallDocument {
    copy: WorkingCopy,
    call: Call,
}

impl AsMut<WorkingCopy> for CallDocument {
    fn as_mut(&mut self) -> &mut WorkingCopy {
        &mut self.copy
    }
}

impl CallDocument {
    /// Its working copy.
    #[must_use]
    pub fn copy(&self) -> &WorkingCopy {
        &self.copy
    }

    /// Opens what a file holds.
    pub fn open(document: &str, path: &Path, disk: FileVersion) -> Result<Self, ServiceError> {
        let tree = Value::Object(disk.registry.clone());
        Self::with_tree(document, path, disk, tree)
    }

    /// Opens another tree over what a file holds.
    pub fn with_tree(
        document: &str,
        path: &Path,
        disk: FileVersion,
        tree: Value,
    ) -> Result<Self, ServiceError> {
        let same = diff::tree::alike_maps(object(&tree), &disk.registry);
        let call = compiled(&tree)?;
        Ok(Self {
            copy: WorkingCopy::new(document, path, disk, tree, !same),
            call,
        })
    }

    /// What it says.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Whether it says the same as a file.
    #[must_use]
    pub fn equals(&self, disk: &FileVersion) -> bool {
        diff::tree::alike_maps(object(self.copy.tree()), &disk.registry)
    }

    /// What saving writes.
    pub fn text(&self) -> Result<String, ServiceError> {
        Ok(serde_json::to_string_pretty(self.copy.tree())? + "\n")
    }

    /// Where the document stands.
    #[must_use]
    pub fn status(&self) -> CallStatus {
        CallStatus {
            revision: self.copy.revision(),
            modified: self.copy.modified(),
            undo: self.copy.undo_label(),
            redo: self.copy.redo_label(),
            violations: violations(&self.call),
        }
    }

    /// Applies a group of edits the page has made.
    pub fn apply(&mut self, group: &EditGroup) -> Result<CallChange, ServiceError> {
        self.copy.expect(group.base)?;
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
        let step = Step {
            label,
            edits: &edits,
            burst,
            saved: true,
        };
        self.call = self.copy.step(step, compiled)?;
        Ok(self.answer(edits))
    }

    /// Takes back the last step.
    pub fn undo(&mut self) -> Result<CallChange, ServiceError> {
        let (call, edits) = self.copy.undo(|tree, _| compiled(tree))?;
        self.call = call;
        Ok(self.answer(edits))
    }

    /// Brings back the last step that was taken back.
    pub fn redo(&mut self) -> Result<CallChange, ServiceError> {
        let (call, edits) = self.copy.redo(|tree, _| compiled(tree))?;
        self.call = call;
        Ok(self.answer(edits))
    }

    /// The answer to edits that were applied just now.
    fn answer(&self, edits: Vec<Edit>) -> CallChange {
        CallChange {
            base: self.copy.revision() - 1,
            edits,
            ..self.unchanged()
        }
    }

    /// An answer without edits.
    fn unchanged(&self) -> CallChange {
        CallChange {
            document: self.copy.document().to_owned(),
            base: self.copy.revision(),
            edits: Vec::new(),
            status: self.status(),
        }
    }

    /// Puts another version in place, as one step.
    fn switch(&mut self, label: &str, to: &Map<String, Value>) -> Result<CallChange, ServiceError> {
        let edits = diff::tree::edits_below(&[], object(self.copy.tree()), to);
        if edits.is_empty() {
            return Ok(self.unchanged());
        }
        self.step_by(label, edits, None)
    }

    /// Takes note that the file holds what is in the window now.
    pub fn saved(&mut self, bytes: &[u8]) {
        let disk = FileVersion {
            hash: Hash::of(bytes),
            registry: object(self.copy.tree()).clone(),
            wrapper: None,
        };
        self.copy.agree_with(disk, true);
    }

    /// Loads what the file holds now into a clean document, as one step.
    pub fn reload(&mut self, disk: FileVersion) -> Result<CallChange, ServiceError> {
        let change = self.switch("Change on disk", &disk.registry)?;
        self.copy.agree_with(disk, true);
        Ok(CallChange {
            status: self.status(),
            ..change
        })
    }

    /// The conflict as the page shows it: every part of the document is a row of its own.
    #[must_use]
    pub fn conflict(&self) -> Option<Conflict> {
        let mut conflict = self.copy.conflict(object(self.copy.tree()))?;
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
        let mine = object(self.copy.tree()).clone();
        let Some((merged, disk)) = self.copy.decide(&mine, choices)? else {
            return Ok(self.unchanged());
        };
        let change = self.switch("Choose between versions", &merged)?;
        self.copy.decided(&merged, disk);
        Ok(CallChange {
            status: self.status(),
            ..change
        })
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
