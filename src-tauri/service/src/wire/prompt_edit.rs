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
    /// Replaces a range over several segments, with the variables inside it. Of several texts each loses its
    /// part, and the first one gets the new text.
    ReplacePassage {
        /// The segment in which the range starts.
        segment: u32,
        /// Start of the range, in that segment.
        start: u32,
        /// The segment in which the range ends.
        last: u32,
        /// End of the range, in the last segment.
        end: u32,
        /// The new text.
        text: String,
    },
    /// Moves a range to another place in its text, with the variables inside it.
    Move {
        /// The segment in which the range starts.
        segment: u32,
        /// Start of the range, in that segment.
        start: u32,
        /// The segment in which the range ends.
        last: u32,
        /// End of the range, in the last segment.
        end: u32,
        /// The segment it goes to.
        target: u32,
        /// Where in that segment.
        at: u32,
    },
    /// Inserts text before or after a variable, into the text that names it.
    Beside {
        /// The segment of the variable, with or without a value.
        segment: u32,
        /// Whether the text follows the variable.
        after: bool,
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
    /// Splits an entry of a list before or after a variable in it.
    SplitBeside {
        /// The segment of the variable, with or without a value.
        segment: u32,
        /// Whether the variable stays in the entry before the caret.
        after: bool,
        /// The lines, as of a split.
        lines: String,
    },
    /// Joins an entry of a list to the one before.
    Join {
        /// A segment of the entry.
        segment: u32,
    },
    /// Sets another entry or item in place of a rolled one.
    Choose {
        /// A segment of the rolled one.
        segment: u32,
        /// Index of the other one in its list or section.
        choice: u32,
    },
}

impl PromptEdit {
    /// The same edit with another text in place of its own; none if it has none that is typed.
    pub(crate) fn with_text(&self, words: &str) -> Option<Self> {
        let mut edit = self.clone();
        match &mut edit {
            Self::Replace { text, .. }
            | Self::ReplacePassage { text, .. }
            | Self::Beside { text, .. } => {
                words.clone_into(text);
                Some(edit)
            }
            Self::Move { .. }
            | Self::Split { .. }
            | Self::SplitBeside { .. }
            | Self::Join { .. }
            | Self::Choose { .. } => None,
        }
    }

    /// The text that is typed.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Replace { text, .. }
            | Self::ReplacePassage { text, .. }
            | Self::Beside { text, .. } => text,
            Self::Move { .. }
            | Self::Split { .. }
            | Self::SplitBeside { .. }
            | Self::Join { .. }
            | Self::Choose { .. } => "",
        }
    }
}

/// What alternatives are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum AlternativeKind {
    /// Entries of a list.
    Entries,
    /// Items of a section.
    Items,
}

/// What a roll could have printed in place of what it printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Alternatives {
    /// What is chosen among.
    pub kind: AlternativeKind,
    /// Section.
    pub section: String,
    /// Index of the item in its section.
    pub item: u32,
    /// Field that the segment prints.
    pub field: String,
    /// How many the roll draws.
    pub drawn: u32,
    /// The one that is printed.
    pub current: u32,
    /// All of them, in order.
    pub choices: Vec<Alternative>,
}

/// What a roll can print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Alternative {
    /// Name of an item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Its text, in one line.
    pub text: String,
    /// Its position among those printed, if it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub position: Option<u32>,
    /// The probability that a roll prints it; none if that depends on another roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub share: Option<f64>,
}

/// An edit in the prompt of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PromptEditRequest {
    /// The page's revision before the edit.
    pub base: u32,
    /// The edit.
    pub edit: PromptEdit,
    /// Description for the undo menu.
    pub label: String,
    /// Whether the text was pasted: whitespace in it that the prompt does not print is left out.
    pub pasted: bool,
    /// The pasted text as it is written in the section that it was copied from, with names of variables in
    /// braces; if the prompt can't have it, the text is pasted as it was printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub written: Option<String>,
    /// The words that the edit inserts where they are in the prompt before it: they are moved, so they are deleted
    /// there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub moved: Option<Passage>,
}

/// A range of a prompt. Segments are indices into those of the preview, offsets UTF-16 units of a segment's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The segment in which the range starts.
    pub segment: u32,
    /// Start of the range, in that segment.
    pub start: u32,
    /// The segment in which the range ends.
    pub last: u32,
    /// End of the range, in the last segment.
    pub end: u32,
}
