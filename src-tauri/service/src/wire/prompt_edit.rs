//! An edit made in the printed prompt. The core finds the edits of the document that make it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An edit in the prompt. Segments are indices into those of the preview, offsets UTF-16 units of a
/// segment's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PromptEdit {
    /// Replaces a range of a segment. One without text is a variable without a value, which gets
    /// one.
    Replace {
        /// The segment.
        segment: u32,
        /// Start of the range.
        start: u32,
        /// End of the range.
        end: u32,
        /// The new text.
        text: String,
    },
    /// Splits an entry of a list in two, with lines between that become entries as well.
    Split {
        /// A segment of the entry.
        segment: u32,
        /// Where in the segment.
        at: u32,
        /// The lines; empty for a split alone.
        lines: String,
    },
    /// Joins an entry of a list to the one before.
    Join {
        /// A segment of the entry.
        segment: u32,
    },
    /// Sets another entry in place of a rolled one.
    Choose {
        /// A segment of the rolled entry.
        segment: u32,
        /// Index of the other entry in its list.
        entry: u32,
    },
}

/// The entries that a roll could have printed in place of one it printed. Each is printed with the
/// same probability, `drawn` of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Alternatives {
    /// Section.
    pub section: String,
    /// Index of the item in its section.
    pub item: u32,
    /// Field.
    pub field: String,
    /// How many entries the roll draws.
    pub drawn: u32,
    /// The entry that is printed.
    pub current: u32,
    /// The entries, in the order of the list.
    pub entries: Vec<Alternative>,
}

/// An entry that a roll can print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Alternative {
    /// Its text, in one line.
    pub text: String,
    /// Its position among the printed entries, if it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub position: Option<u32>,
}

/// An edit in the prompt of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptEditOrder {
    /// The page's revision before the edit.
    pub base: u32,
    /// The edit.
    pub edit: PromptEdit,
    /// Description for the undo menu.
    pub label: String,
}
