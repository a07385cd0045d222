//! Files of checks: an open one, its changes, the verdicts on its checks, and new checks.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use super::{Conflict, DraftNote, Edit, Label, Part, Source};

/// The file of checks of a registry on opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenChecks {
    /// Identifies the document: its file, relative to the workspace folder.
    pub document: String,
    /// `{"version", "checks"}`; the list is empty while there is no file.
    pub tree: Value,
    /// Status of the document.
    pub status: ChecksStatus,
    /// The draft that was restored, if any.
    pub draft: Option<DraftNote>,
    /// The conflict if the file changed too.
    pub conflict: Option<Conflict>,
}

/// Status of a file of checks, besides its tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChecksStatus {
    /// Incremented with every applied group of edits.
    pub revision: u32,
    /// Whether it differs from the file.
    pub modified: bool,
    /// Step that undo would revert.
    pub undo: Option<Label>,
    /// Step that redo would repeat.
    pub redo: Option<Label>,
}

/// Reply to a group of edits, to undo and redo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ChecksChange {
    /// The document.
    pub document: String,
    /// The revision to which the edits apply.
    pub base: u32,
    /// Edits that the page must apply; empty if it made them itself.
    pub edits: Vec<Edit>,
    /// Status of the document afterwards.
    pub status: ChecksStatus,
}

/// Result of saving.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ChecksSaved {
    /// `false` if the file held the same bytes already.
    pub written: bool,
    /// Status of the document afterwards.
    pub status: ChecksStatus,
    /// Set if the file had changed: nothing was written, and both versions are preserved.
    pub conflict: Option<Conflict>,
    /// Name of the copy of the damaged file that was replaced.
    pub kept: Option<String>,
}

/// The verdicts on all checks of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ChecksReport {
    /// The file of checks.
    pub document: String,
    /// Revision of the file of checks.
    pub revision: u32,
    /// Verdicts in the order of the file.
    pub verdicts: Vec<CheckVerdict>,
    /// What is probably a mistake in the file, one line each.
    pub warnings: Vec<String>,
    /// Time that the run took, in milliseconds.
    pub millis: u32,
}

/// Whether a check holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckOutcome {
    /// All expectations hold.
    Passed,
    /// Some expectations do not hold.
    Failed,
    /// The check cannot run.
    Invalid,
}

/// The verdict on one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckVerdict {
    /// Position of the check in the file.
    pub index: u32,
    /// Name of the check, or its number if it has none.
    pub name: String,
    /// The number of rolls; absent for an answer.
    pub rolls: Option<u32>,
    /// Whether it holds.
    pub outcome: CheckOutcome,
    /// The expectations that do not hold, in the order of the file.
    pub failures: Vec<CheckFailure>,
    /// Why it cannot run: all faults of the check.
    pub faults: Vec<CheckFault>,
}

/// An expectation that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckFailure {
    /// Key of the expectation.
    pub expectation: String,
    /// JSON pointer to the expectation.
    pub pointer: String,
    /// The lowest failing seed; absent for an answer.
    pub seed: Option<u64>,
    /// What was expected, in words.
    pub expected: String,
    /// What was there, in words.
    pub found: String,
    /// Where it came from, most important first.
    pub sources: Vec<Source>,
    /// The new text instead of a golden text.
    pub golden: Option<GoldenChange>,
}

/// A golden text and the text that was there instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GoldenChange {
    /// JSON pointer to the golden text.
    pub pointer: String,
    /// The text that was there.
    pub new: String,
    /// The word diff from the golden text to the new one.
    pub parts: Vec<Part>,
}

/// Why a check cannot run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckFault {
    /// JSON pointer to the value at fault.
    pub pointer: String,
    /// What is wrong and what would be right, in one line.
    pub message: String,
    /// Line in the file, or in the file that saving would write, from 1.
    pub line: Option<u32>,
    /// Column in the line, from 1.
    pub column: Option<u32>,
}

/// What a new check records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum NewCheck {
    /// The prompt of the present state and route with a seed, as a golden text.
    Prompt {
        /// The seed.
        seed: u64,
    },
    /// The prompt of a snapshot's state, route and seed with the present registry, as a golden text.
    Snapshot {
        /// Number of the snapshot.
        id: u32,
    },
    /// What the output policy makes of an answer of a run, on the route of the run.
    Run {
        /// Number of the run.
        id: u32,
        /// Number of the attempt, from 0; absent for the last one.
        attempt: Option<u32>,
    },
    /// What the output policy of the present route makes of a text.
    Answer {
        /// The text.
        text: String,
    },
}

/// A new check and the change that made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CheckAdded {
    /// The change of the file of checks.
    pub change: ChecksChange,
    /// Position of the check in the file.
    pub index: u32,
    /// Its name.
    pub name: String,
}
