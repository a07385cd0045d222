//! One open call document: its working copy and the answers to edits. One caller uses it at a time.

use promptdeck_request::call::{self, Call};
use promptdeck_request::content_parts;
use promptdeck_request::history as rules;
use promptdeck_store::Hash;
use serde_json::Value;

use crate::file_version::FileVersion;
use crate::open_documents::FileDocument;
use crate::saturating::saturating_u32;
use crate::wire::{CallChange, CallStatus, Conflict, Edit, Event, MessagePart, Violation};
use crate::working_copy::{Compiled, WorkingCopy};
use crate::{ServiceError, tree};

/// What a file of this tree holds.
pub fn text(tree: &Value) -> Result<String, ServiceError> {
    Ok(serde_json::to_string_pretty(tree)? + "\n")
}

/// One open call document.
#[derive(Debug)]
pub struct CallDocument {
    copy: WorkingCopy<Call>,
}

impl Compiled for Call {
    const FILE_PATH: &'static [&'static str] = &[];

    fn compile(tree: &Value) -> Result<Self, ServiceError> {
        Self::from_map(tree::object_at(tree, Self::FILE_PATH)).map_err(ServiceError::Refused)
    }

    fn recompile(&self, tree: &Value, _: &[Edit]) -> Result<Self, ServiceError> {
        Self::compile(tree)
    }

    fn changes_file(_: &Value, _: &[Edit]) -> bool {
        true
    }
}

impl FileDocument for CallDocument {
    type Compiled = Call;
    type Change = CallChange;

    fn parse(file: &str, bytes: &[u8]) -> Result<FileVersion, ServiceError> {
        let parsed = call::parse(bytes).map_err(|fault| ServiceError::Parse {
            file: file.to_owned(),
            fault,
        })?;
        Ok(FileVersion {
            hash: Hash::of(bytes),
            content: parsed.document,
            wrapper: None,
            source_map: None,
        })
    }

    fn tree(disk: &FileVersion) -> Result<Value, ServiceError> {
        Ok(Value::Object(disk.content.clone()))
    }

    fn tree_with_draft(disk: &FileVersion, _: Value) -> Value {
        Value::Object(disk.content.clone())
    }

    fn new(copy: WorkingCopy<Call>) -> Self {
        Self { copy }
    }

    fn copy(&self) -> &WorkingCopy<Call> {
        &self.copy
    }

    fn copy_mut(&mut self) -> &mut WorkingCopy<Call> {
        &mut self.copy
    }

    fn text(&self) -> Result<String, ServiceError> {
        text(self.copy.tree())
    }

    fn answer(&mut self, base: u32, edits: Vec<Edit>) -> CallChange {
        CallChange {
            document: self.copy.document().to_owned(),
            base,
            edits,
            status: self.status(),
        }
    }

    /// In a comparison every part of the document is a separate row.
    fn conflict(&self) -> Option<Conflict> {
        let mut conflict = self.copy.conflict()?;
        for row in &mut conflict.rows {
            row.section = false;
        }
        Some(conflict)
    }

    fn reloaded(change: CallChange) -> Event {
        Event::CallReloaded { change }
    }
}

impl CallDocument {
    /// The parsed document.
    #[must_use]
    pub fn call(&self) -> &Call {
        self.copy.compiled()
    }

    /// The document's status: modified, saved, in conflict, its undo steps.
    #[must_use]
    pub fn status(&self) -> CallStatus {
        CallStatus {
            revision: self.copy.revision(),
            modified: self.copy.modified(),
            undo: self.copy.undo_label(),
            redo: self.copy.redo_label(),
            violations: violations(self.call()),
            parts: parts(self.call()),
        }
    }
}

/// The parts of a call's history that are no text.
fn parts(call: &Call) -> Vec<MessagePart> {
    let messages = call.history.iter().enumerate();
    messages
        .flat_map(|(index, message)| content_parts::other_than_text(index, message))
        .map(|part| MessagePart {
            message: saturating_u32(part.message()),
            pointer: part.pointer(call),
            kind: part.kind().to_owned(),
            source: part.source().to_owned(),
            bytes: part.bytes().map(saturating_u32),
        })
        .collect()
}

/// The rules that a call's history breaks, with its new message appended.
pub fn violations(call: &Call) -> Vec<Violation> {
    let messages = call.messages();
    rules::validate(&messages, false)
        .unwrap_or_default()
        .into_iter()
        .map(|violation| Violation {
            rule: violation.rule.code().to_owned(),
            index: saturating_u32(violation.index),
            message: violation.message,
        })
        .collect()
}
