//! Call documents: listed, opened, and what travels while one is edited.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Conflict, DraftNote, Edit, Failure, Label};

/// A call document of the folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallEntry {
    /// Names the document: its file, relative to the workspace folder, as `calls/quiz.json`.
    pub document: String,
    /// What to call it.
    pub title: String,
    /// The registry of the folder that it names, by file name.
    pub registry: Option<String>,
    /// It has unsaved edits.
    pub modified: bool,
    /// Why it can't be read.
    pub problem: Option<Failure>,
}

/// A call document as the page gets it on opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenCall {
    /// Names the document.
    pub document: String,
    /// The call document itself.
    pub tree: Value,
    /// Where it stands.
    pub status: CallStatus,
    /// A draft that came back, when one did.
    pub draft: Option<DraftNote>,
    /// What has to be decided because the file changed as well.
    pub conflict: Option<Conflict>,
}

/// What the page shows about a call document besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallStatus {
    /// Counted up with every applied group of edits.
    pub revision: u32,
    /// It differs from the file.
    pub modified: bool,
    /// What undo would take back.
    pub undo: Option<Label>,
    /// What redo would bring back.
    pub redo: Option<Label>,
    /// The rules that the history and the new message break, in the order of the messages.
    pub violations: Vec<Violation>,
}

/// A broken rule of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Violation {
    /// Stable code of the rule.
    pub rule: String,
    /// Index of the message; the new message comes after the last of the history.
    pub index: u32,
    /// One line that names the message and the ids.
    pub message: String,
}

/// Answer to a group of edits, to undo and redo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallChange {
    /// The document.
    pub document: String,
    /// The revision the edits apply to.
    pub base: u32,
    /// Edits the page has to apply; empty when it made them itself.
    pub edits: Vec<Edit>,
    /// Where the document stands afterwards.
    pub status: CallStatus,
}

/// What saving did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallSaved {
    /// False when the file held the same bytes already.
    pub written: bool,
    /// Where the document stands afterwards.
    pub status: CallStatus,
    /// Set when the file had changed in between: nothing was written, both versions are kept.
    pub conflict: Option<Conflict>,
}
