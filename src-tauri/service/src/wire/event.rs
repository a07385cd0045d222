//! What the service tells the page unasked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Change, Conflict, RunStep, StoreHealth};

/// Something happened. All events travel on one channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
// Each is made once and sent at once; a box would only be unpacked.
#[allow(clippy::large_enum_variant)]
pub enum Event {
    /// Diagnostics of a revision.
    Lint(Lint),
    /// Token counts of a revision.
    Counts(Counts),
    /// The file of a clean document changed and was loaded.
    Reloaded {
        /// The document, with the edits that lead to what the file holds.
        change: Change,
    },
    /// The file of a modified document changed.
    Conflicted {
        /// The document.
        document: String,
        /// What is to be chosen.
        conflict: Conflict,
    },
    /// A conflict is over because the file is again as it was.
    ConflictOver {
        /// The document.
        document: String,
    },
    /// The file of a clean call document changed and was loaded.
    CallReloaded {
        /// The document, with the edits that lead to what the file holds.
        change: super::CallChange,
    },
    /// A prompt is another one because the arguments it is rendered with are.
    Previewed {
        /// The document with its preview; no edits.
        change: Change,
    },
    /// The file or folder chosen for the chat of a document changed, came or went.
    ChatModel {
        /// The document.
        document: String,
        /// What it was chosen for.
        slot: super::ChatSlot,
        /// What it brings now.
        model: super::ChatModel,
    },
    /// Files came, went or changed their title.
    WorkspaceChanged,
    /// Files are dragged over the window, or no longer.
    Dragged {
        /// They are over it.
        over: bool,
    },
    /// A file was dropped on the window.
    Dropped {
        /// The registry made of it; absent when there is none.
        imported: Option<super::Imported>,
        /// Why there is none.
        problem: Option<super::Failure>,
    },
    /// The store was checked.
    Store {
        /// How it is.
        health: StoreHealth,
    },
    /// Another program holds the store, and this one has waited for it for a second.
    StoreWaiting {
        /// What is waited for, and how long at most.
        message: String,
    },
    /// Something happened to a run.
    Run {
        /// The document.
        document: String,
        /// The order it belongs to.
        order: u32,
        /// What happened.
        step: RunStep,
    },
    /// A draft reached the disk, or could not.
    Draft {
        /// The document.
        document: String,
        /// The revision that is safe.
        revision: u32,
        /// When, in milliseconds since 1970.
        saved_at: u64,
        /// Why it could not be kept.
        problem: Option<super::Failure>,
    },
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It does not work.
    Error,
    /// It works, but probably not as meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiagnosticNote {
    /// Stable code.
    pub code: String,
    /// How bad.
    pub severity: Severity,
    /// One line.
    pub message: String,
    /// JSON pointer into the registry.
    pub pointer: String,
    /// Pointers to the other values with the same fault, as a token in other assembly orders.
    pub also: Vec<String>,
    /// What the message names: `name` is a variable, `section` a section.
    #[ts(type = "Record<string, string>")]
    pub data: BTreeMap<String, String>,
    /// Line in the canonical text, from 1; absent when unknown.
    pub line: Option<u32>,
    /// Column in the line.
    pub column: Option<u32>,
}

/// Diagnostics of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Lint {
    /// The document.
    pub document: String,
    /// The revision they belong to.
    pub revision: u32,
    /// Worst first, then by place.
    pub diagnostics: Vec<DiagnosticNote>,
}

/// Token counts of one revision's prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Counts {
    /// The document.
    pub document: String,
    /// The preview they belong to.
    pub preview: u32,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// False when the numbers are an estimate.
    pub exact: bool,
    /// Of the whole prompt.
    pub total: u32,
    /// Per section.
    #[ts(type = "Record<string, number>")]
    pub sections: BTreeMap<String, u32>,
    /// Per token of the assembly order.
    pub tokens: Vec<u32>,
}
