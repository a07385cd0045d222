//! The view of one evaluation: segments with their sources, selected and used values, tokens.
//!
//! A preview is sent as the difference from the previous one, since a keystroke usually changes one
//! section of many.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A sequence as the difference from the one sent before: `head` entries of the old one, then
/// `middle` with the runs of old entries that stand in it, then the last `tail` entries of the old
/// one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Patch<T> {
    /// Number of unchanged entries at the start.
    pub head: u32,
    /// New entries.
    pub middle: Vec<T>,
    /// Unchanged entries between the new ones, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<UnchangedRun>>")]
    pub unchanged: Vec<UnchangedRun>,
    /// Number of unchanged entries at the end.
    pub tail: u32,
}

/// Consecutive entries of the old sequence that stand between new ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnchangedRun {
    /// Number of new entries before them.
    pub after: u32,
    /// Index of the first in the old sequence.
    pub from: u32,
    /// Number of entries.
    pub count: u32,
}

/// The preview after a change, relative to the preview numbered `base`, or to an empty one if that
/// is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewPatch {
    /// Number of this preview, incremented within a session.
    pub number: u32,
    /// Number of the preview that the patches extend.
    pub base: Option<u32>,
    /// The segments, whose concatenation is the prompt.
    pub segments: Patch<Segment>,
    /// One entry per section, in canonical section order.
    pub sections: Patch<SectionEvaluation>,
    /// One entry per token of the assembly order.
    pub tokens: Patch<TokenReport>,
    /// Texts of the items in use that are not printed, in canonical order of the sections; at most
    /// a thousand.
    pub unprinted: Patch<UnprintedText>,
    /// Length of the prompt in characters (Unicode scalar values).
    pub characters: u32,
    /// Evaluation time in microseconds.
    pub micros: u32,
    /// Why there is no prompt; the patches then lead to empty sequences.
    pub problem: Option<super::Failure>,
    /// Why the segments are the template of the prompt and not what a model gets; `characters` is
    /// then 0, and no tokens are counted.
    pub unrendered: Option<super::Failure>,
    /// The slots that were rolled, in the order of the sections; those of sections that are
    /// filtered out excepted.
    pub rolled: Vec<super::Slot>,
    /// Those of them that cannot be locked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<super::Slot>>")]
    pub unlockable: Vec<super::Slot>,
}

/// A piece of the prompt. Glue between pieces has no source; a variable or an expression without a value
/// is a piece without text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Segment {
    /// The text, possibly with line breaks.
    pub text: String,
    /// Source in the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<Source>,
    /// The expression that printed it, or has no value, in a registry rendered with arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expression: Option<String>,
    /// The arguments of the call that this expression takes its text from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub arguments: Vec<String>,
    /// Names in it that its section does not declare, or whose brace is not closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<UndeclaredName>>")]
    pub undeclared: Vec<UndeclaredName>,
    /// Where it starts in its authored text, in UTF-16 units; absent at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub start: Option<u32>,
    /// JSON pointer of its authored text, where that is not the field of its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pointer: Option<String>,
    /// Whether it is the bullet of a list entry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub bullet: bool,
    /// Why it cannot be edited; absent for glue, bullets and text that can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fixed: Option<super::Failure>,
}

/// A name in braces that is printed verbatim, because its section does not declare it or its brace
/// is not closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UndeclaredName {
    /// Start in the text of its segment, in UTF-16 units, including the brace.
    pub start: u32,
    /// End in the text of its segment, in UTF-16 units.
    pub end: u32,
    /// Whether its brace is closed; if so, it is undeclared.
    pub closed: bool,
    /// JSON pointer of lint's diagnostic, from the registry object.
    pub pointer: String,
}

/// Source of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Source {
    /// Index into the assembly order in use; absent for injections at the end.
    pub token: Option<u32>,
    /// Section.
    pub section: Arc<str>,
    /// Index of the item in its section.
    pub item: u32,
    /// Id or name of the item, or `#index`.
    pub item_name: Arc<str>,
    /// Field of the item.
    pub field: Arc<str>,
    /// Index of the entry if the field is a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub entry: Option<u32>,
    /// Index of the fragment, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fragment: Option<u32>,
    /// Template variable that supplied the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub variable: Option<Arc<str>>,
}

/// Origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Set in the state of the session.
    Selection,
    /// Set in the section.
    Baked,
    /// The default.
    Default,
    /// Rolled.
    Random,
}

/// An item, by index and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PickedItem {
    /// Index in the section.
    pub index: u32,
    /// Id or name, or `#index`.
    pub name: String,
}

/// Selected and used values of one section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SectionEvaluation {
    /// Section.
    pub section: String,
    /// Items that would be used without rolls.
    pub selected: Vec<PickedItem>,
    /// Items that are used.
    pub used: Vec<PickedItem>,
    /// Origin of the used items.
    pub origin: Origin,
    /// The slider, if the section has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slider: Option<SliderEvaluation>,
    /// The array fields that were printed.
    pub arrays: Vec<ArrayEvaluation>,
    /// Active injections that filter the section out; empty if it is printed.
    pub filtered_by: Vec<String>,
}

/// The slider of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SliderEvaluation {
    /// Value that would be used without rolls.
    pub selected: f64,
    /// Value that is used.
    pub used: f64,
    /// Origin of the used value.
    pub origin: Origin,
}

/// An array field of one section: its mode and the entries it selects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArrayEvaluation {
    /// Field.
    pub field: String,
    /// The mode; `all` by default.
    pub mode: String,
    /// Origin of the mode; `random` if entries were rolled.
    pub origin: Origin,
    /// For each printed item, its selected entries in order.
    #[serde(rename = "kept")]
    pub selected: Vec<SelectedEntries>,
    /// The entry of the assembly order below whose list the entries are printed, if that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub merged_into: Option<String>,
}

/// The selected entries of one item's array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SelectedEntries {
    /// The item.
    pub item: PickedItem,
    /// Indices of the entries in print order.
    pub entries: Vec<u32>,
    /// Number of entries in the array.
    pub total: u32,
    /// Label of the entries; absent unless they were rolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<ValueLabel>,
}

/// A label of a value, usually a rolled one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ValueLabel {
    /// For one line: names of items, value of a slider, or the start of each entry's text.
    pub text: String,
    /// For a tooltip: the same, with a line and the index of each entry.
    pub detail: String,
}

/// A text of an item in use that the evaluation does not print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnprintedText {
    /// Section.
    pub section: String,
    /// The item.
    pub item: PickedItem,
    /// Field; `scale` is the sentence of a slider, `fragments` the fragments.
    pub field: String,
    /// Index of the entry; absent for a text or a whole list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub entry: Option<u32>,
    /// Index of the fragment; absent for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fragment: Option<u32>,
    /// Why.
    pub reason: UnprintedReason,
    /// Why, in one phrase.
    pub words: String,
    /// The entry that would print it; only where none of the assembly order in use does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub token: Option<String>,
    /// Where in the assembly order that entry belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub index: Option<u32>,
}

/// Why a text is not printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UnprintedReason {
    /// No entry of the assembly order prints it.
    NotInAssembly,
    /// Only the assembly order of other routes prints it.
    OtherRoute,
    /// An active injection filters the section out.
    Filtered,
    /// Other entries of its list were rolled.
    NotRolled,
    /// The mode of its list leaves it out.
    Mode,
    /// The variable of its condition is empty.
    Condition,
    /// The entry that prints it resolved to nothing.
    Dropped,
    /// Another text is printed in its place.
    Replaced,
}

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TokenStatus {
    /// It printed text.
    Rendered,
    /// Its list was merged into the list above.
    Merged,
    /// It printed nothing.
    Dropped,
    /// An active injection filtered it out.
    Filtered,
}

/// A token of the assembly order and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenReport {
    /// The token as written.
    pub token: String,
    /// Section that it names, if any.
    pub section: Option<String>,
    /// Outcome of the token.
    pub status: TokenStatus,
    /// The reason, except for rendered tokens; one phrase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

/// An entry of an assembly order that is split, so that a text stays in the prompt beside a new list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EntrySplit {
    /// Route whose order it is in; null for the registry's own.
    pub route: Option<String>,
    /// Position of the entry in the order.
    pub index: u32,
    /// The entries that take its place.
    pub tokens: Vec<String>,
}

/// What an entry would print, were it in the assembly order of the displayed call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InsertionEffect {
    /// The entry.
    pub entry: String,
    /// Where it would be in the assembly order.
    pub index: u32,
    /// Number of the preview that the other fields refer to.
    pub preview: u32,
    /// Number of segments of that preview before its text.
    pub before: u32,
    /// Index of the entry whose text would precede it, if any.
    pub after: Option<u32>,
    /// Number of lines of its text; 0 if it would print nothing.
    pub lines: u32,
    /// Number of tokens of its text.
    pub tokens: u32,
    /// Whether the number of tokens is exact.
    pub exact: bool,
}
