//! An open document and its changes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Edit, PreviewPatch};

/// A document on opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenDocument {
    /// Identifies the document: its file, relative to the workspace folder.
    pub document: String,
    /// `{"registry", "state", "route", "seed"}`; `state` always has its six parts.
    pub tree: Value,
    /// Status of the document.
    pub status: Status,
    /// The first preview, as a patch of an empty one.
    pub preview: PreviewPatch,
    /// The draft that was restored, if any.
    pub draft: Option<DraftNote>,
    /// The conflict if the file changed too.
    pub conflict: Option<Conflict>,
}

/// Status of a document, besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Status {
    /// Incremented with every applied group of edits.
    pub revision: u32,
    /// Whether the registry differs from the file.
    pub modified: bool,
    /// Step that undo would revert.
    pub undo: Option<Label>,
    /// Step that redo would repeat.
    pub redo: Option<Label>,
    /// The seed before the last roll, below 2^53.
    pub last_seed: Option<u64>,
    /// Whether the seed is locked, which disables rolling.
    pub seed_locked: bool,
    /// `state`, `route` and `seed`, where the call document in use sets another one than the document,
    /// whose own is shown and sent.
    pub call_settings: Vec<String>,
}

/// One step of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Label {
    /// Description of the step, as named by the page.
    pub text: String,
}

/// A draft that was restored on opening: unsaved edits, or what is left of one that was damaged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DraftNote {
    /// Time of its last write, in milliseconds since 1970.
    pub saved_at: u64,
    /// Name of the snapshot with what another window had not saved either.
    pub other_window: Option<String>,
    /// Whether edits at its end are missing, since the store was damaged.
    pub incomplete: bool,
}

/// Reply to a group of edits, undo, redo, a roll, a lock, a switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Change {
    /// The document.
    pub document: String,
    /// The revision to which the edits apply.
    pub base: u32,
    /// Edits that the page must apply; empty if it made them itself.
    pub edits: Vec<Edit>,
    /// Status of the document afterwards.
    pub status: Status,
    /// The preview afterwards.
    pub preview: PreviewPatch,
    /// Rolled values that could not be locked, each with its reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LockFailure>>")]
    pub unlocked: Vec<LockFailure>,
    /// Position of the caret after an edit in the prompt, in UTF-16 units of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub caret: Option<u32>,
    /// The variable without a value that the caret stands behind, if what was written ends with its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub caret_behind: Option<String>,
    /// Whether blank lines of a pasted text were left out: a prompt has at most one in a row.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub fewer_blank_lines: bool,
}

/// A group of edits from the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EditGroup {
    /// The page's revision before these edits.
    pub base: u32,
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// Description for the undo menu.
    pub label: String,
    /// Consecutive groups with the same key form one step of the history.
    #[serde(default)]
    pub burst: Option<String>,
}

/// A rolled value that can be locked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Slot {
    /// The item of a section.
    Item {
        /// Section.
        section: String,
    },
    /// The slider of a section.
    Slider {
        /// Section.
        section: String,
    },
    /// The entries of an array field.
    Array {
        /// Section.
        section: String,
        /// Field.
        field: String,
    },
}

/// A slot that could not be locked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LockFailure {
    /// The slot.
    pub slot: Slot,
    /// The reason and the way out.
    pub reason: String,
}

/// Result of saving.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SaveReport {
    /// `false` if the file held the same bytes already.
    pub written: bool,
    /// Status of the document afterwards.
    pub status: Status,
    /// Set if the file had changed: nothing was written, and both versions are preserved.
    pub conflict: Option<Conflict>,
    /// Name of the copy of the damaged file that was replaced.
    pub kept: Option<String>,
}

/// Result of an export to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Exported {
    /// Path of the file.
    pub path: String,
    /// Name of the copy of what the file held before.
    pub kept: Option<String>,
}

/// What is exported as a prompt file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PromptFileSource {
    /// The prompt of an open document.
    Document {
        /// Name of the document.
        document: String,
        /// The call document whose messages and arguments the file has.
        call: Option<String>,
    },
    /// The prompt of a snapshot.
    Snapshot {
        /// Its number in the store.
        id: u32,
    },
}

/// A format of prompt files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptFileFormat {
    /// dotprompt, a Handlebars template below its settings.
    Dotprompt,
    /// Prompty, a Jinja template below its settings.
    Prompty,
}

/// A prompt file, and what it does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptFile {
    /// The file.
    pub text: String,
    /// What the file does not say, each in one line.
    pub omissions: Vec<String>,
}

/// A change of the file that was not loaded: the document has unsaved edits, or the file cannot be
/// read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Conflict {
    /// Time of detection, in milliseconds since 1970.
    pub seen_at: u64,
    /// What became of the file.
    pub disk: DiskState,
    /// Why the file cannot be read, unless it is `changed`; only `mine` can be chosen then.
    pub problem: Option<super::Failure>,
    /// Keys of the registry that differ between mine and disk.
    pub rows: Vec<ConflictRow>,
    /// Number of sections that are equal on both sides.
    pub equal: u32,
}

/// What became of a file that is not as the document knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DiskState {
    /// It has another content.
    Changed,
    /// It is missing.
    Deleted,
    /// Its bytes are no document of this kind. Choosing `mine` lets the next save replace it, after
    /// a copy of it was made.
    Damaged,
    /// Its bytes cannot be read, so that it is not replaced.
    Unreadable,
}

/// One key of the registry that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ConflictRow {
    /// Name of a section or a reserved key.
    pub key: String,
    /// Whether the key is a section.
    pub section: bool,
    /// Summary of the unsaved change.
    pub mine: String,
    /// Summary of the change on disk.
    pub disk: String,
    /// The side that loses nothing, if there is one: the only side that changed.
    pub proposal: Choice,
    /// Whether both sides changed it.
    pub both: bool,
}

/// A side of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The version in the window.
    Mine,
    /// The version in the file.
    Disk,
}

/// The canonical model JSON and its difference from the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelJson {
    /// The text that Export writes.
    pub text: String,
    /// Variables with values that Export omits, as `section::variable`.
    pub omitted: Vec<String>,
    /// Line diff from the file to the text that saving would write.
    pub against_file: Vec<super::Part>,
}
