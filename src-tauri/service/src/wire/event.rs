//! Notifications from the service to the page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Change, Conflict, DiagnosticData, RunStep, StoreHealth};

/// An event. All events use one channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
// Each event is created and sent once, so boxing gains nothing.
#[allow(clippy::large_enum_variant)]
pub enum Event {
    /// Diagnostics of a revision.
    Lint(Lint),
    /// Token counts of a revision.
    Counts(Counts),
    /// The file of a document without unsaved edits changed and was loaded.
    Reloaded {
        /// The document, with the edits that lead to the file's content.
        change: Change,
    },
    /// The file of a document changed and was not loaded.
    Conflicted {
        /// The document.
        document: String,
        /// The conflict to be resolved.
        conflict: Conflict,
    },
    /// A conflict ended: the file has its old content again, or is about to be reported as loaded.
    ConflictOver {
        /// The document.
        document: String,
    },
    /// The file of a call document without unsaved edits changed and was loaded.
    CallReloaded {
        /// The document, with the edits that lead to the file's content.
        change: super::CallChange,
    },
    /// An open call document names its registry by the new name.
    CallFollowed {
        /// The document, with the edits that changed the name.
        change: super::CallChange,
    },
    /// A file of checks without unsaved edits changed and was loaded.
    ChecksReloaded {
        /// The document, with the edits that lead to the file's content.
        change: super::ChecksChange,
    },
    /// An open file of checks names what was renamed in its registry by the new name.
    ChecksFollowed {
        /// The document, with the edits that changed the names.
        change: super::ChecksChange,
    },
    /// A prompt changed because the arguments it is rendered with changed.
    Previewed {
        /// The document with its preview, without edits.
        change: Change,
    },
    /// The chat model file or folder of a document changed, appeared or disappeared.
    ChatModel {
        /// The document.
        document: String,
        /// Slot of the file or folder.
        slot: super::ChatSlot,
        /// Its current metadata.
        model: super::ChatModel,
    },
    /// Files appeared, disappeared or changed their title.
    WorkspaceChanged,
    /// Files are dragged over the window, or left it.
    Dragged {
        /// Whether they are over the window.
        over: bool,
    },
    /// A registry of the folder was dropped on the window.
    RegistryDropped {
        /// The file's name in the folder.
        file: String,
    },
    /// A folder was dropped on the window. It can be opened by its path.
    FolderDropped {
        /// Path of the folder.
        folder: String,
    },
    /// A document was saved without being asked to, or could not be.
    Autosaved {
        /// The document.
        document: String,
        /// Result of saving; absent on failure.
        report: Option<super::SaveReport>,
        /// The failure.
        problem: Option<super::Failure>,
    },
    /// The same for a call document.
    CallAutosaved {
        /// The document.
        document: String,
        /// Result of saving; absent on failure.
        report: Option<super::CallSaved>,
        /// The failure.
        problem: Option<super::Failure>,
    },
    /// The same for a file of checks.
    ChecksAutosaved {
        /// The document.
        document: String,
        /// Result of saving; absent on failure.
        report: Option<super::ChecksSaved>,
        /// The failure.
        problem: Option<super::Failure>,
    },
    /// A file was dropped on the window.
    Dropped {
        /// What it becomes; absent on failure.
        source: Option<super::SourceView>,
        /// The failure.
        problem: Option<super::Failure>,
    },
    /// The store was checked.
    Store {
        /// Health of the store.
        health: StoreHealth,
    },
    /// Another program has held the store for a second.
    StoreWaiting {
        /// What the program waits for, and for how long at most.
        message: String,
    },
    /// Work in the background failed, and what it would have shown is missing.
    Failed {
        /// The failure.
        problem: super::Failure,
    },
    /// Progress of a run.
    Run {
        /// The document.
        document: String,
        /// Number of its batch.
        batch: u32,
        /// The progress.
        step: RunStep,
    },
    /// A turn of a conversation was added or ended.
    Talk {
        /// Path of the folder that the document is in, which may not be open any more.
        folder: String,
        /// The document.
        document: String,
        /// The call document of the conversation.
        call: Option<String>,
        /// The turn.
        turn: Box<super::TalkTurn>,
    },
    /// A draft was written, or could not be.
    Draft {
        /// The document.
        document: String,
        /// The revision that is on disk.
        revision: u32,
        /// Time of the write, in milliseconds since 1970.
        saved_at: u64,
        /// Name of the snapshot, or of the copy beside the file, that has the unsaved work of another
        /// window, if this draft took its place.
        kept: Option<String>,
        /// Why it could not be written.
        problem: Option<super::Failure>,
    },
}

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The prompt cannot be what the author meant.
    Error,
    /// Probably not what the author meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// One diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiagnosticNote {
    /// Stable code.
    pub code: String,
    /// Severity.
    pub severity: Severity,
    /// One line for people.
    pub message: String,
    /// JSON pointer into the registry.
    pub pointer: String,
    /// Pointers to further values with the same fault, such as a token in several assembly orders.
    pub also: Vec<String>,
    /// What the message names.
    pub data: DiagnosticData,
    /// Line in the canonical text, from 1; absent when unknown.
    pub line: Option<u32>,
    /// Column in the line, from 1.
    pub column: Option<u32>,
}

/// Diagnostics of one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Lint {
    /// The document.
    pub document: String,
    /// The revision that was checked.
    pub revision: u32,
    /// Worst first, then by position.
    pub diagnostics: Vec<DiagnosticNote>,
}

/// Token counts of one revision's prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Counts {
    /// The document.
    pub document: String,
    /// Number of the preview that was counted.
    pub preview: u32,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// `false` for an estimate.
    pub exact: bool,
    /// Count of the whole prompt.
    pub total: u32,
    /// Count per section.
    #[ts(type = "Record<string, number>")]
    pub sections: BTreeMap<String, u32>,
    /// Count per token of the assembly order.
    pub tokens: Vec<u32>,
}
