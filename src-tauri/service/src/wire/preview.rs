//! What one evaluation shows: segments with their sources, selection beside evaluation, tokens.
//!
//! A preview travels as the difference to the one before, because a keystroke changes one
//! section of many.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A sequence told as its difference to the one sent before: `head` entries of the old one,
/// then `middle`, then the last `tail` entries of the old one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Patch<T> {
    /// Entries kept at the beginning.
    pub head: u32,
    /// New entries.
    pub middle: Vec<T>,
    /// Entries kept at the end.
    pub tail: u32,
}

/// The preview after a change, relative to the preview numbered `base` (absent: to nothing).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewPatch {
    /// Number of this preview, counted up within a session.
    pub number: u32,
    /// Number of the preview the patches build on.
    pub base: Option<u32>,
    /// The prompt in pieces; concatenated they are the prompt.
    pub segments: Patch<Segment>,
    /// One entry per section, in canonical section order.
    pub sections: Patch<SectionEvaluation>,
    /// One entry per token of the assembly order.
    pub tokens: Patch<TokenReport>,
    /// Length of the prompt in characters (Unicode scalar values).
    pub characters: u32,
    /// Time the evaluation took, in microseconds.
    pub micros: u32,
    /// Why there is no prompt, when there is none; the patches then lead to empty sequences.
    pub problem: Option<super::Failure>,
}

/// A piece of the prompt. Glue between pieces has no source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Segment {
    /// The text, possibly with line breaks.
    pub text: String,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<Source>,
    /// The expression that printed it, in a registry that is rendered with arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expression: Option<String>,
    /// The names in it that its section does not declare, or whose brace is not closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<UndeclaredName>>")]
    pub undeclared: Vec<UndeclaredName>,
}

/// A name in braces that is printed as it stands, because its section does not declare it or
/// nothing closes its brace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UndeclaredName {
    /// Where it begins in the text of its piece, in UTF-16 units; the brace is part of it.
    pub start: u32,
    /// Where it ends, in UTF-16 units.
    pub end: u32,
    /// Whether its brace is closed; then it is not declared.
    pub closed: bool,
    /// Where lint says so: a JSON pointer, counted from the registry object.
    pub pointer: String,
}

/// Where a piece of the prompt comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Source {
    /// Index into the assembly order in use; absent for injections that follow at the end.
    pub token: Option<u32>,
    /// Section.
    pub section: String,
    /// Index of the item in its section.
    pub item: u32,
    /// Identity of the item, or `#index` when it has none.
    pub item_name: String,
    /// Field of the item.
    pub field: String,
    /// Index of the entry, when the field is a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub entry: Option<u32>,
    /// Index of the fragment, when it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fragment: Option<u32>,
    /// Template variable whose value this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variable: Option<String>,
}

/// Why a value is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Set in the state of the session.
    Selection,
    /// Written in the section.
    Baked,
    /// Nobody said anything.
    Default,
    /// Rolled.
    Random,
}

/// An item, by index and by what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PickedItem {
    /// Index in the section.
    pub index: u32,
    /// Identity, or `#index` when the item has none.
    pub name: String,
}

/// What is set and what is used in one section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SectionEvaluation {
    /// Section.
    pub section: String,
    /// What would be used without dice.
    pub selected: Vec<PickedItem>,
    /// What is used.
    pub used: Vec<PickedItem>,
    /// Why.
    pub origin: Origin,
    /// The slider, where the section has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slider: Option<SliderEvaluation>,
    /// The array fields that were rendered.
    pub arrays: Vec<ArrayEvaluation>,
    /// Active injections that filter the section out; empty when it is rendered.
    pub filtered_by: Vec<String>,
}

/// Slider of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SliderEvaluation {
    /// What would be used without dice.
    pub selected: f64,
    /// What is used.
    pub used: f64,
    /// Why.
    pub origin: Origin,
}

/// An array field of one section: its mode and what the mode kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArrayEvaluation {
    /// Field.
    pub field: String,
    /// The mode as set, `all` when nobody said anything.
    pub mode: String,
    /// Where the mode comes from; `random` when entries were rolled.
    pub origin: Origin,
    /// Per item that was rendered: which entries, in order.
    pub kept: Vec<KeptEntries>,
}

/// Entries kept of one item's array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeptEntries {
    /// The item.
    pub item: PickedItem,
    /// Indices of the entries, in the order they are printed.
    pub entries: Vec<u32>,
    /// How many entries the array has.
    pub total: u32,
    /// The entries in words; absent unless they were rolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<ValueLabel>,
}

/// A value in words; the rolled ones above all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ValueLabel {
    /// For one line: names of items, the number of a slider, the beginnings of the entries' texts.
    pub text: String,
    /// For a tooltip: the same, with one line and its index for each entry.
    pub detail: String,
}

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TokenStatus {
    /// It printed something.
    Rendered,
    /// Its list was absorbed by the list above.
    Merged,
    /// It resolved to nothing.
    Dropped,
    /// An active injection filtered it out.
    Filtered,
}

/// A token of the assembly order and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenReport {
    /// The token as written.
    pub token: String,
    /// Section it leads to, when it names one.
    pub section: Option<String>,
    /// What became of it.
    pub status: TokenStatus,
    /// Why, for all but rendered ones; one phrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}
