//! An open document and what travels while it is edited.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Edit, PreviewPatch};

/// A document as the page gets it on opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenDocument {
    /// Names the document: its file, relative to the workspace folder.
    pub document: String,
    /// `{"registry", "state", "route", "seed"}`; `state` always has its six parts.
    pub tree: Value,
    /// Where the document stands: undo, modified, seed.
    pub status: Status,
    /// The first preview; it builds on nothing.
    pub preview: PreviewPatch,
    /// A draft that came back, when one did.
    pub draft: Option<DraftNote>,
    /// What has to be decided because the file changed as well.
    pub conflict: Option<Conflict>,
}

/// What the page shows about a document besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Status {
    /// Counted up with every applied group of edits.
    pub revision: u32,
    /// The registry differs from the file.
    pub modified: bool,
    /// What undo would take back.
    pub undo: Option<Label>,
    /// What redo would bring back.
    pub redo: Option<Label>,
    /// The seed before the last roll, below 2^53.
    pub last_seed: Option<u64>,
    /// The seed is locked: rolling is refused.
    pub seed_locked: bool,
}

/// One step of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Label {
    /// What was done, as the page named it.
    pub text: String,
}

/// A draft that was found when the document was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DraftNote {
    /// When it was kept, in milliseconds since 1970.
    pub saved_at: u64,
}

/// Answer to a group of edits, to undo, redo, a roll, a lock, a switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Change {
    /// The document.
    pub document: String,
    /// The revision the edits apply to.
    pub base: u32,
    /// Edits the page has to apply; empty when it made them itself.
    pub edits: Vec<Edit>,
    /// Where the document stands afterwards.
    pub status: Status,
    /// The preview afterwards.
    pub preview: PreviewPatch,
    /// Rolled values that could not be locked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<LockFailure>>")]
    pub unlocked: Vec<LockFailure>,
}

/// A group of edits as the page sends it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EditGroup {
    /// The revision the page had before these edits.
    pub base: u32,
    /// Edits, in order.
    pub edits: Vec<Edit>,
    /// What was done, for the undo menu.
    pub label: String,
    /// Groups with the same key in a row are one step of the history.
    #[serde(default)]
    pub burst: Option<String>,
}

/// A value that was rolled and can be locked.
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
    /// Why, and what to do instead.
    pub reason: String,
}

/// What saving did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SaveReport {
    /// False when the file held the same bytes already.
    pub written: bool,
    /// Where the document stands afterwards.
    pub status: Status,
    /// Set when the file had changed in between: nothing was written, both versions are kept.
    pub conflict: Option<Conflict>,
}

/// The file changed while the document had unsaved edits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Conflict {
    /// When the change was seen, in milliseconds since 1970.
    pub seen_at: u64,
    /// The file is gone.
    pub deleted: bool,
    /// Why the file can't be read, when it can't; only `mine` can be chosen then.
    pub problem: Option<super::Failure>,
    /// Keys of the registry that differ between mine and disk.
    pub rows: Vec<ConflictRow>,
    /// How many sections are equal on both sides.
    pub equal: u32,
}

/// One key of the registry that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ConflictRow {
    /// Section name or reserved key.
    pub key: String,
    /// True for a section, false for a reserved key.
    pub section: bool,
    /// What was changed here since the file was read; one phrase.
    pub mine: String,
    /// What was changed on disk; one phrase.
    pub disk: String,
    /// The side that loses nothing, when there is one: a side that changed over one that did not.
    pub proposal: Choice,
    /// Both sides changed it.
    pub both: bool,
}

/// A side of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// What the author has in the window.
    Mine,
    /// What the file holds.
    Disk,
}

/// The canonical model JSON and how it differs from the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelJson {
    /// What Export writes.
    pub text: String,
    /// Values typed for variables that Export leaves out, as `section::variable`.
    pub omitted: Vec<String>,
    /// Line diff from the file on disk to what saving would write.
    pub against_file: Vec<super::Part>,
}
