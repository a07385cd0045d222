//! Two versions side by side: settings and prompt.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A version that can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Side {
    /// The open document as it is.
    Now,
    /// A snapshot.
    Snapshot {
        /// Its number.
        id: u32,
    },
}

/// In what pieces texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// Words and the blanks between them.
    Words,
    /// Lines.
    Lines,
}

/// What became of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// On both sides.
    Same,
    /// On the left only.
    Removed,
    /// On the right only.
    Added,
}

/// A stretch of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Part {
    /// What became of it.
    pub kind: PartKind,
    /// The text.
    pub text: String,
    /// Section it comes from, when it comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub section: Option<String>,
}

/// One setting on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Setting {
    /// Section, absent for the seed and the route.
    pub section: Option<String>,
    /// `item`, `slider`, `route`, `seed`, an array field, or a template variable in braces.
    pub name: String,
    /// Used on the left; empty when there is nothing.
    pub left: String,
    /// The left was rolled.
    pub left_rolled: bool,
    /// The left with the indices of rolled entries.
    pub left_detail: String,
    /// Used on the right.
    pub right: String,
    /// The right was rolled.
    pub right_rolled: bool,
    /// The right with the indices of rolled entries.
    pub right_detail: String,
}

/// One side's name and size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SideText {
    /// What to call it.
    pub name: String,
    /// Characters of its prompt.
    pub characters: u32,
    /// Tokens of its prompt; absent where none were counted.
    pub tokens: Option<u32>,
    /// Why it has no prompt, when it has none.
    pub problem: Option<super::Failure>,
}

/// Two versions compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// Left side.
    pub left: SideText,
    /// Right side.
    pub right: SideText,
    /// Settings that differ.
    pub settings: Vec<Setting>,
    /// How many settings were compared.
    pub compared: u32,
    /// The two prompts in one.
    pub prompt: Vec<Part>,
    /// Pieces (words or lines) on the right only.
    pub added: u32,
    /// Pieces on the left only.
    pub removed: u32,
}
