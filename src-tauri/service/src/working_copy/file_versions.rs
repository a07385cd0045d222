//! A working copy and the versions of its file: the one it is based on, one that was saved, loaded again
//! or restored from a draft, and one in conflict with it.

use std::collections::BTreeMap;
use std::time::Instant;

use promptdeck_core::registry::SourceMap;
use promptdeck_store::Hash;
use serde_json::{Map, Value};

use super::{Compiled, OlderBase, WorkingCopy, file_path};
use crate::conflict::{self, Pending};
use crate::file_version::{FileVersion, Found};
use crate::history::EditStep;
use crate::wire::{Choice, Conflict, Edit};
use crate::{ServiceError, diff, edit};

/// Label of the step that leads from the file to the draft the copy was opened with.
const RESTORED: &str = "Restore unsaved edits";

impl<M: Compiled> WorkingCopy<M> {
    /// The file's content when it was last read or written.
    #[must_use]
    pub fn disk(&self) -> &FileVersion {
        &self.disk
    }

    /// What was found in the file's place when it was last compared.
    #[must_use]
    pub fn seen(&self) -> Found {
        match &self.pending {
            Some(pending) => pending.found,
            None => self.seen,
        }
    }

    /// Hash of the file if its bytes are no version that was ever loaded: it holds what no document
    /// does.
    #[must_use]
    pub fn damaged(&self) -> Option<Hash> {
        match self.seen() {
            Found::Bytes(hash) if hash != self.disk.hash => Some(hash),
            _ => None,
        }
    }

    /// Whether a save would write exactly this version of the file.
    #[must_use]
    pub fn equals(&self, disk: &FileVersion) -> bool {
        diff::tree::alike_maps(self.content(), &disk.content)
    }

    /// Replaces the content with another version of the file, as one step, and returns the edits
    /// that did it; none if nothing differs.
    fn switch(&mut self, label: &str, to: &Map<String, Value>) -> Result<Vec<Edit>, ServiceError> {
        let edits = diff::tree::edits_below(&file_path::<M>(), self.content(), to);
        if !edits.is_empty() {
            self.step(label, &edits, None)?;
        }
        Ok(edits)
    }

    /// Records that the file now holds the current tree, as these bytes with these positions.
    pub fn saved(&mut self, bytes: &[u8], source_map: Option<SourceMap>) {
        let disk = FileVersion {
            hash: Hash::of(bytes),
            content: self.content().clone(),
            wrapper: self.disk.wrapper.clone(),
            source_map,
        };
        self.agree_with(disk, true);
    }

    /// Restores what the file held, as one step.
    pub fn revert(&mut self) -> Result<Vec<Edit>, ServiceError> {
        let content = self.disk.content.clone();
        let edits = self.switch("Revert to the file", &content)?;
        // The author may have chosen this version over a file that was deleted or damaged.
        let is_saved = self.seen == self.disk.found();
        self.saved_mark = is_saved.then(|| self.history.mark());
        Ok(edits)
    }

    /// Offers the way back to the file from the draft the copy was opened with: one step, which redo
    /// repeats.
    pub(crate) fn restore_draft(&mut self) -> Result<(), ServiceError> {
        let backward =
            diff::tree::edits_below(&file_path::<M>(), self.content(), &self.disk.content);
        let forward = edit::apply_all(&mut self.tree.clone(), &backward)?;
        let step = EditStep {
            label: RESTORED.to_owned(),
            forward,
            backward,
            registry: true,
            follows: Vec::new(),
        };
        self.saved_mark = Some(self.history.mark());
        self.history.record(step, None, Instant::now());
        Ok(())
    }

    /// Loads the file's new content into an unmodified document, as one step.
    pub fn reload(&mut self, disk: FileVersion) -> Result<Vec<Edit>, ServiceError> {
        let edits = self.switch("Change on disk", &disk.content)?;
        self.agree_with(disk, true);
        Ok(edits)
    }

    /// Records the file's new content, and whether the document equals it.
    fn agree_with(&mut self, disk: FileVersion, same: bool) {
        self.seen = disk.found();
        self.disk = disk;
        self.older_base = None;
        self.pending = None;
        self.only_follows = false;
        self.history.end_burst();
        self.saved_mark = same.then(|| self.history.mark());
    }

    /// The file's version in conflict with the document.
    #[must_use]
    pub fn pending(&self) -> Option<&Pending> {
        self.pending.as_ref()
    }

    /// Sets the version in conflict.
    pub fn set_pending(&mut self, pending: Pending) {
        self.pending = Some(pending);
    }

    /// Hash of the version of the file that the edits are based on. While a restored draft is in conflict
    /// with its file this is the version it was made of, so that the conflict outlives another restart.
    #[must_use]
    pub fn base(&self) -> Hash {
        self.older_base
            .as_ref()
            .map_or(self.disk.hash, |base| base.hash)
    }

    /// Records that the draft was made of another version of the file than the current one.
    pub fn set_older_base(&mut self, base: OlderBase) {
        self.older_base = Some(base);
    }

    /// What is found at the file's place while it holds the version that the edits are based on.
    #[must_use]
    pub fn base_found(&self) -> Found {
        Found::version(self.base())
    }

    /// Whether the edits are based on the version that was last read or written.
    #[must_use]
    pub fn is_base_read(&self) -> bool {
        self.older_base.is_none()
    }

    /// Records that the file has the content again that was last read or written.
    pub fn end_conflict(&mut self) {
        self.pending = None;
        self.seen = self.disk.found();
    }

    /// Records that the file has the content again that a restored draft was made of.
    pub fn return_to_base(&mut self, base: FileVersion) {
        self.agree_with(base, false);
    }

    /// The conflict in the page's form.
    #[must_use]
    pub fn conflict(&self) -> Option<Conflict> {
        let base = match &self.older_base {
            None => Some(&self.disk.content),
            Some(older) => older.content.as_ref(),
        };
        let pending = self.pending.as_ref()?;
        Some(conflict::describe(pending, base, self.content()))
    }

    /// The version on disk, if this resolution of the conflict leaves it to be overwritten by the next
    /// save. No other place has what it holds.
    #[must_use]
    pub fn outvoted(&self, choices: &BTreeMap<String, Choice>) -> Option<&FileVersion> {
        let disk = self.pending.as_ref()?.disk.as_ref()?;
        if disk.found() == Found::Nothing {
            return None;
        }
        let merged = conflict::merged(&self.conflict()?, self.content(), &disk.content, choices);
        (!diff::tree::alike_maps(&merged, &disk.content)).then_some(disk)
    }

    /// Resolves the conflict with a side for each key that differs, as one step, and returns its
    /// edits. If the other version is no document, this one stays as it is and the next save
    /// replaces the file.
    ///
    /// # Errors
    /// [`ServiceError::UnreadableFile`] if the bytes of the other version cannot be read, since they
    /// could not be kept.
    pub fn resolve(
        &mut self,
        choices: &BTreeMap<String, Choice>,
    ) -> Result<Vec<Edit>, ServiceError> {
        let none = || ServiceError::NoConflict(self.document.clone());
        let conflict = self.conflict().ok_or_else(none)?;
        let pending = self.pending.as_ref().ok_or_else(none)?;
        let Some(disk) = pending.disk.clone() else {
            if matches!(pending.found, Found::Unreadable(_)) {
                return Err(ServiceError::UnreadableFile(self.document.clone()));
            }
            self.seen = pending.found;
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
}
