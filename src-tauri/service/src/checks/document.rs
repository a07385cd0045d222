//! One open file of checks: its working copy and the answers to edits. One caller uses it at a time.

use promptdeck_checks::ChecksDocument;
use promptdeck_store::Hash;
use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::file_version::FileVersion;
use crate::open_documents::FileDocument;
use crate::tree;
use crate::wire::{ChecksChange, ChecksStatus, Conflict, Edit, Event};
use crate::working_copy::{Compiled, WorkingCopy};

/// One open file of checks, which need not exist yet.
#[derive(Debug)]
pub struct ChecksFile {
    copy: WorkingCopy<ChecksDocument>,
}

impl Compiled for ChecksDocument {
    const FILE_PATH: &'static [&'static str] = &[];

    fn compile(tree: &Value) -> Result<Self, ServiceError> {
        let members = tree::object_at(tree, Self::FILE_PATH).clone();
        Self::from_members(members).map_err(ServiceError::Refused)
    }

    fn recompile(&self, tree: &Value, _: &[Edit]) -> Result<Self, ServiceError> {
        Self::compile(tree)
    }

    fn changes_file(_: &Value, _: &[Edit]) -> bool {
        true
    }
}

impl FileDocument for ChecksFile {
    type Compiled = ChecksDocument;
    type Change = ChecksChange;

    fn parse(file: &str, bytes: &[u8]) -> Result<FileVersion, ServiceError> {
        let parsed = ChecksDocument::parse(bytes).map_err(|fault| ServiceError::Parse {
            file: file.to_owned(),
            fault,
        })?;
        Ok(FileVersion {
            hash: Hash::of(bytes),
            content: tree::object_at(parsed.members(), &[]).clone(),
            wrapper: None,
            source_map: Some(parsed.source_map().clone()),
        })
    }

    fn absent() -> Option<Map<String, Value>> {
        json!({ "version": 1, "checks": [] }).as_object().cloned()
    }

    fn tree(disk: &FileVersion) -> Result<Value, ServiceError> {
        Ok(Value::Object(disk.content.clone()))
    }

    fn tree_with_draft(disk: &FileVersion, _: Value) -> Value {
        Value::Object(disk.content.clone())
    }

    fn new(copy: WorkingCopy<ChecksDocument>) -> Self {
        Self { copy }
    }

    fn copy(&self) -> &WorkingCopy<ChecksDocument> {
        &self.copy
    }

    fn copy_mut(&mut self) -> &mut WorkingCopy<ChecksDocument> {
        &mut self.copy
    }

    fn text(&self) -> Result<String, ServiceError> {
        let disk = self.copy.disk();
        match &disk.source_map {
            // The layout of the file stays.
            Some(source_map) => {
                let on_disk = ChecksDocument::from_members(disk.content.clone());
                let on_disk = on_disk.map_err(ServiceError::Refused)?;
                let on_disk = on_disk.positioned(source_map.clone());
                Ok(on_disk.text_with(self.copy.content()))
            }
            None => Ok(serde_json::to_string_pretty(self.copy.tree())? + "\n"),
        }
    }

    fn answer(&mut self, base: u32, edits: Vec<Edit>) -> ChecksChange {
        ChecksChange {
            document: self.copy.document().to_owned(),
            base,
            edits,
            status: self.status(),
        }
    }

    /// In a comparison every key of the file is a separate row.
    fn conflict(&self) -> Option<Conflict> {
        let mut conflict = self.copy.conflict()?;
        for row in &mut conflict.rows {
            row.section = false;
        }
        Some(conflict)
    }

    fn reloaded(change: ChecksChange) -> Event {
        Event::ChecksReloaded { change }
    }
}

impl ChecksFile {
    /// Whether it differs from its file, and the steps of its history.
    #[must_use]
    pub fn status(&self) -> ChecksStatus {
        ChecksStatus {
            revision: self.copy.revision(),
            modified: self.copy.modified(),
            undo: self.copy.undo_label(),
            redo: self.copy.redo_label(),
        }
    }

    /// A copy of the checks to run, with positions in the file: in the one that was read, or in the
    /// one that saving would write.
    ///
    /// # Errors
    /// If the text that saving would write cannot be read, which is a defect.
    pub fn positioned(&self) -> Result<ChecksDocument, ServiceError> {
        let disk = self.copy.disk();
        match &disk.source_map {
            Some(source_map) if !self.copy.modified() => {
                Ok(self.copy.compiled().clone().positioned(source_map.clone()))
            }
            _ => ChecksDocument::parse(self.text()?.as_bytes()).map_err(ServiceError::Refused),
        }
    }
}
