//! The comparison of two versions: settings and prompts.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A version to compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Side {
    /// The open document in its current state.
    Now,
    /// The open document in its current state, on another route.
    Route {
        /// The route; `None` for the registry's own assembly order.
        route: Option<String>,
    },
    /// Its file as last read or saved, in the state of the open document.
    Saved,
    /// Another registry of the folder, in the state of the open document.
    File {
        /// Its name.
        document: String,
    },
    /// A snapshot.
    Snapshot {
        /// Id of the snapshot.
        id: u32,
    },
}

/// Unit of text comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// Words and the white space between them.
    Words,
    /// Lines.
    Lines,
}

/// Change of a piece of text.
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

/// A part of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Part {
    /// Change of the part.
    pub kind: PartKind,
    /// The text.
    pub text: String,
    /// Source section, if there is one.
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
    /// Value used on the left; empty if there is none.
    pub left: String,
    /// Whether the left value was rolled.
    pub left_rolled: bool,
    /// The left value with the indices of rolled entries.
    pub left_detail: String,
    /// Value used on the right; empty if there is none.
    pub right: String,
    /// Whether the right value was rolled.
    pub right_rolled: bool,
    /// The right value with the indices of rolled entries.
    pub right_detail: String,
}

/// Name and size of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SideText {
    /// Name for display.
    pub name: String,
    /// Length of its prompt in characters.
    pub characters: u32,
    /// Length of its prompt in tokens, if counted.
    pub tokens: Option<u32>,
    /// Why it has no prompt.
    pub problem: Option<super::Failure>,
}

/// The comparison of two versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Comparison {
    /// Left side.
    pub left: SideText,
    /// Right side.
    pub right: SideText,
    /// The settings that differ.
    pub settings: Vec<Setting>,
    /// Number of settings compared.
    pub compared: u32,
    /// Keys of the registry that differ, such as names of sections. The registries are not compared
    /// for a single roll.
    pub edited: Vec<String>,
    /// Difference of the prompts.
    pub prompt: Vec<Part>,
    /// Number of pieces (words or lines) on the right only.
    pub added: u32,
    /// Number of pieces on the left only.
    pub removed: u32,
}
