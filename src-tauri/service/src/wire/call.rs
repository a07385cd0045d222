//! Call documents: the list, an open document, and changes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Conflict, DraftNote, Edit, Failure, Label};

/// A call document of the folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallEntry {
    /// Identifies the document: its file, relative to the workspace folder, such as
    /// `calls/quiz.json`.
    pub document: String,
    /// Title for display.
    pub title: String,
    /// File name of its registry in the folder.
    pub registry: Option<String>,
    /// Whether it has unsaved edits.
    pub modified: bool,
    /// Whether its name is that of a copy kept beside another file.
    pub backup: bool,
    /// Why it cannot be read.
    pub problem: Option<Failure>,
}

/// A call document on opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenCall {
    /// Identifies the document.
    pub document: String,
    /// The call document itself.
    pub tree: Value,
    /// Status of the document.
    pub status: CallStatus,
    /// The draft that was restored, if any.
    pub draft: Option<DraftNote>,
    /// The conflict if the file changed too.
    pub conflict: Option<Conflict>,
}

/// Status of a call document, besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallStatus {
    /// Incremented with every applied group of edits.
    pub revision: u32,
    /// Whether it differs from the file.
    pub modified: bool,
    /// Step that undo would revert.
    pub undo: Option<Label>,
    /// Step that redo would repeat.
    pub redo: Option<Label>,
    /// Violations of the history rules, including the new message, in the order of the messages.
    pub violations: Vec<Violation>,
    /// Parts of messages that are no text.
    pub parts: Vec<MessagePart>,
}

/// A part of a message that is no text, such as an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MessagePart {
    /// Index of the message in the history.
    pub message: u32,
    /// JSON pointer into the call document; diagnostics of the request name the part by it.
    pub pointer: String,
    /// Type of the part.
    pub kind: String,
    /// URL, file name or media type; empty if unknown.
    pub source: String,
    /// Size of the data in the part; absent without any.
    pub bytes: Option<u32>,
}

/// A violation of a history rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Violation {
    /// Stable code of the rule.
    pub rule: String,
    /// Index of the message; the new message follows the last of the history.
    pub index: u32,
    /// One line that names the message and the ids.
    pub message: String,
}

/// Reply to a group of edits, to undo and redo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallChange {
    /// The document.
    pub document: String,
    /// The revision to which the edits apply.
    pub base: u32,
    /// Edits that the page must apply; empty if it made them itself.
    pub edits: Vec<Edit>,
    /// Status of the document afterwards.
    pub status: CallStatus,
}

/// Result of saving.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CallSaved {
    /// `false` if the file held the same bytes already.
    pub written: bool,
    /// Status of the document afterwards.
    pub status: CallStatus,
    /// Set if the file had changed: nothing was written, and both versions are preserved.
    pub conflict: Option<Conflict>,
    /// Name of the copy of the damaged file that was replaced.
    pub kept: Option<String>,
}

/// Messages and tools that a call document can take over from a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PastedMessages {
    /// The messages, in the shape of `OpenAI`.
    pub messages: Vec<Value>,
    /// The tools of a request, in the shape of `OpenAI`.
    pub tools: Vec<Value>,
    /// Whether they were converted from the shape of Anthropic.
    pub anthropic: bool,
    /// What is left out, a sentence each.
    pub left_out: Vec<String>,
}
