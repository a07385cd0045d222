//! A session and the versions of its file: saved, reverted, reloaded, in conflict, resolved.
//! Reading and writing the file itself is not done here.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Session;
use crate::file_version::FileVersion;
use crate::wire::{Change, Choice, Conflict};
use crate::{ServiceError, diff, tree};

impl Session {
    /// Puts another registry in place, as one step.
    fn switch_registry(
        &mut self,
        label: &str,
        to: &Map<String, Value>,
    ) -> Result<Change, ServiceError> {
        let edits = diff::tree::edits(tree::registry(self.copy.tree()), to);
        if edits.is_empty() {
            return Ok(self.unchanged());
        }
        self.step(label, edits, None)
    }

    /// Takes note that the file holds what is in the window now.
    pub fn saved(&mut self, bytes: &[u8]) {
        let disk = FileVersion {
            hash: promptdeck_store::Hash::of(bytes),
            registry: tree::registry(self.copy.tree()).clone(),
            wrapper: self.copy.disk().wrapper.clone(),
        };
        self.copy.agree_with(disk, true);
    }

    /// Goes back to what the file held, as one step.
    pub fn revert(&mut self) -> Result<Change, ServiceError> {
        let registry = self.copy.disk().registry.clone();
        let change = self.switch_registry("Revert to the file", &registry)?;
        self.copy.agree();
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// Loads what the file holds now into a clean document, as one step.
    pub fn reload(&mut self, disk: FileVersion) -> Result<Change, ServiceError> {
        let change = self.switch_registry("Change on disk", &disk.registry)?;
        self.copy.agree_with(disk, true);
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// The conflict as the page shows it.
    #[must_use]
    pub fn conflict(&self) -> Option<Conflict> {
        self.copy.conflict(tree::registry(self.copy.tree()))
    }

    /// Ends the conflict with a side for each key that differs.
    pub fn resolve(&mut self, choices: &BTreeMap<String, Choice>) -> Result<Change, ServiceError> {
        let mine = tree::registry(self.copy.tree()).clone();
        let Some((merged, disk)) = self.copy.decide(&mine, choices)? else {
            return Ok(self.unchanged());
        };
        let change = self.switch_registry("Choose between versions", &merged)?;
        self.copy.decided(&merged, disk);
        Ok(Change {
            status: self.status(),
            ..change
        })
    }
}
