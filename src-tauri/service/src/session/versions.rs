//! A session and the versions of its file: saved, reverted, reloaded, in conflict, resolved.
//! Reading and writing the file itself is not done here.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Session;
use crate::conflict::{self, Pending};
use crate::disk::OnDisk;
use crate::wire::{Change, Choice, Conflict};
use crate::{ServiceError, difference, tree};

impl Session {
    /// Puts another registry in place, as one step.
    fn switch_registry(
        &mut self,
        label: &str,
        to: &Map<String, Value>,
    ) -> Result<Change, ServiceError> {
        let edits = difference::edits(tree::registry(&self.tree), to);
        if edits.is_empty() {
            return Ok(self.unchanged());
        }
        self.step(label, edits, None)
    }

    /// Takes note that the file holds what is in the window now.
    pub fn saved(&mut self, bytes: &[u8]) {
        self.disk = OnDisk {
            hash: promptdeck_store::Hash::of(bytes),
            registry: tree::registry(&self.tree).clone(),
            wrapper: self.disk.wrapper.take(),
        };
        self.seen = Some(self.disk.hash);
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = Some(self.history.mark());
    }

    /// Goes back to what the file held, as one step.
    pub fn revert(&mut self) -> Result<Change, ServiceError> {
        let registry = self.disk.registry.clone();
        let change = self.switch_registry("Go back to the file", &registry)?;
        self.saved_mark = Some(self.history.mark());
        Ok(Change {
            status: self.status(),
            ..change
        })
    }

    /// Loads what the file holds now into a clean document, as one step.
    pub fn reload(&mut self, disk: OnDisk) -> Result<Change, ServiceError> {
        let change = self.switch_registry("Change on disk", &disk.registry)?;
        self.disk = disk;
        self.seen = Some(self.disk.hash);
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = Some(self.history.mark());
        Ok(Change {
            status: self.status(),
            ..change
        })
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
        let base = self.base_known.then_some(&self.disk.registry);
        let mine = tree::registry(&self.tree);
        self.pending
            .as_ref()
            .map(|pending| conflict::describe(pending, base, mine))
    }

    /// Ends the conflict with a side for each key that differs.
    pub fn resolve(&mut self, choices: &BTreeMap<String, Choice>) -> Result<Change, ServiceError> {
        let none = || ServiceError::NoConflict(self.document.clone());
        let conflict = self.conflict().ok_or_else(none)?;
        let pending = self.pending.clone().ok_or_else(none)?;
        let Some(disk) = pending.disk else {
            // Gone or unreadable: mine stays, and the next save writes it over what is there.
            self.seen = pending.hash;
            self.saved_mark = None;
            self.pending = None;
            return Ok(self.unchanged());
        };
        let mine = tree::registry(&self.tree);
        let merged = conflict::merged(&conflict, mine, &disk.registry, choices);
        let change = self.switch_registry("Choose between versions", &merged)?;
        let equal = difference::alike_maps(&merged, &disk.registry);
        self.disk = disk;
        self.seen = Some(self.disk.hash);
        self.base_known = true;
        self.pending = None;
        self.history.end_burst();
        self.saved_mark = equal.then(|| self.history.mark());
        Ok(Change {
            status: self.status(),
            ..change
        })
    }
}
