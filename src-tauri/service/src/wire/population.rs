//! The profile of a deck: what a sample of its rolls prints.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Variant;

/// Parameters of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileParams {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many rolls; at most a million.
    pub rolls: u32,
    /// A limit in tokens.
    pub budget: Option<u32>,
    /// Two slots whose combinations are counted.
    pub pair: Option<[ProfileSlot; 2]>,
}

/// Something with several values, of which a roll prints some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileSlot {
    /// The section.
    pub section: String,
    /// Whether the values are the positions of its slider, or its items.
    pub slider: bool,
}

/// What a sample of a deck prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Profile {
    /// The first seed.
    pub seed: u64,
    /// How many rolls were made.
    pub rolls: u32,
    /// Whether these are all that were ordered.
    pub complete: bool,
    /// For texts that are Jinja templates: whether all rolls are counted as they are rendered.
    pub rendered: Option<bool>,
    /// Name of the tokenizer.
    pub tokenizer: String,
    /// Whether its counts are exact.
    pub exact: bool,
    /// The lengths in tokens; absent without a roll.
    pub tokens: Option<ProfileLengths>,
    /// The lengths in characters; absent without a roll.
    pub characters: Option<ProfileLengths>,
    /// What the rolls print, by section in canonical order.
    pub coverage: Vec<CoverageSection>,
    /// The combinations of the two slots, if they were ordered and are not too many.
    pub pair: Option<ProfilePair>,
    /// What the rolls share from the start.
    pub prefix: Option<StablePrefix>,
    /// Different texts in the sample.
    pub texts: DistinctCount,
    /// Different evaluations in the sample.
    pub evaluations: DistinctCount,
    /// Evaluations of the sample that print the same text as another; absent if there are too many
    /// to compare.
    pub same_text: Option<u32>,
    /// Rolls that print nothing.
    pub empty: u32,
    /// Sections in which rolls found no item that satisfies `requires` and `excludes`.
    pub conflicts: Vec<ProfileConflict>,
}

/// A distribution of lengths. A quantile is the smallest length that so many rolls do not exceed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ProfileLengths {
    /// The lowest length.
    pub min: u32,
    /// The length that 5 % do not exceed.
    pub p5: u32,
    /// The length that half of them do not exceed.
    pub median: u32,
    /// The length that 95 % do not exceed.
    pub p95: u32,
    /// The highest length.
    pub max: u32,
    /// The first seed with the lowest length.
    pub min_seed: u64,
    /// The first seed with the highest length.
    pub max_seed: u64,
    /// The histogram, in order without gaps.
    pub bars: Vec<ProfileBar>,
    /// The rolls over the budget, if there is one.
    pub over_budget: Option<OverBudget>,
}

/// A bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileBar {
    /// The lowest length, or change of a length, in it.
    pub from: i32,
    /// The highest in it.
    pub to: i32,
    /// How many rolls.
    pub rolls: u32,
}

/// The rolls over a budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct OverBudget {
    /// The budget.
    pub budget: u32,
    /// How many rolls are longer.
    pub rolls: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
}

/// What a sample prints of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CoverageSection {
    /// The section.
    pub section: String,
    /// Number of its items.
    pub items: u32,
    /// Whether its item is rolled.
    pub rolled: bool,
    /// Its items, texts, entries, fragments and slider positions, as authored.
    pub rows: Vec<CoverageRow>,
}

/// Something that a roll prints or does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CoverageRow {
    /// What it is.
    pub kind: CoverageKind,
    /// Index of the item; absent for positions of a slider.
    pub item: Option<u32>,
    /// Its name: of an item, its identity; of all else, with the item's.
    pub name: String,
    /// The beginning of its text.
    pub label: String,
    /// How many rolls print it.
    pub rolls: u32,
    /// Their share, from 0 to 1.
    pub share: f64,
    /// The lower end of the share's 99 % interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The exact chance, where picks are independent of each other.
    pub chance: Option<f64>,
    /// Why no roll prints it.
    pub absence: Option<CoverageAbsence>,
}

/// What a row of a coverage is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum CoverageKind {
    /// An item, whatever is printed of it.
    Item,
    /// A text of an item.
    Text {
        /// The field.
        field: String,
    },
    /// An entry of a list of an item.
    Entry {
        /// The field.
        field: String,
        /// Index of the entry.
        entry: u32,
    },
    /// A conditional fragment of an item.
    Fragment {
        /// Index of the fragment.
        fragment: u32,
    },
    /// A position of the section's slider.
    Slider {
        /// The position.
        value: u32,
    },
}

/// Why no roll prints something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CoverageAbsence {
    /// The kind of reason.
    pub reason: AbsenceReason,
    /// The reason in words.
    pub words: String,
}

/// Kinds of reasons why no roll prints something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AbsenceReason {
    /// No entry of the assembly order prints it.
    NotInAssembly,
    /// Active injections leave its section out.
    Filtered,
    /// A condition is not met: the mode of its list, or the variable of a fragment.
    Condition,
    /// Items chosen elsewhere exclude it.
    Excluded,
    /// Its item is neither selected nor rolled.
    NeverSelected,
    /// It can be rolled, but no roll of the sample did.
    NotRolled,
    /// Its text is left out or replaced when it is assembled.
    Dropped,
    /// The reason was not looked for.
    NotExamined,
}

/// What the rolls of a sample share from the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StablePrefix {
    /// What all rolls share.
    pub all: PrefixLevel,
    /// What 95 % of the rolls share.
    pub most: PrefixLevel,
    /// What half of the rolls share.
    pub half: PrefixLevel,
    /// The share of rolls that agree up to a length, by growing length.
    pub curve: Vec<PrefixPoint>,
    /// The sections of a prompt with the most common start, in order.
    pub sections: Vec<PrefixSection>,
}

/// The start that a share of the rolls has in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PrefixLevel {
    /// Its tokens.
    pub tokens: u32,
    /// Its length in characters.
    pub characters: u32,
    /// The section that prints the first text that differs; absent at the end of the prompt.
    pub section: Option<String>,
    /// The field of that text.
    pub field: Option<String>,
}

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct PrefixPoint {
    /// The length in tokens.
    pub tokens: u32,
    /// The share of rolls that agree up to there, from 0 to 1.
    pub share: f64,
}

/// A section's part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PrefixSection {
    /// The section.
    pub section: String,
    /// Tokens up to its end.
    pub tokens: u32,
}

/// A number of different things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DistinctCount {
    /// How many.
    pub count: u32,
    /// Whether the number is exact, not an estimate.
    pub exact: bool,
}

/// A section in which rolls found no item that satisfies `requires` and `excludes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileConflict {
    /// The section.
    pub section: String,
    /// In how many rolls.
    pub rolls: u32,
    /// The first seed of them.
    pub seed: Option<u64>,
}

/// How often the values of two slots are printed together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfilePair {
    /// The slot of the rows.
    pub first: ProfileSlot,
    /// The slot of the columns.
    pub second: ProfileSlot,
    /// The values of the rows.
    pub rows: Vec<String>,
    /// The values of the columns.
    pub columns: Vec<String>,
    /// By row and column: the rolls that print both.
    pub rolls: Vec<Vec<u32>>,
    /// The combinations that cannot be rolled.
    pub impossible: Vec<ImpossiblePair>,
}

/// A combination that cannot be rolled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImpossiblePair {
    /// The row.
    pub row: u32,
    /// The column.
    pub column: u32,
    /// The reasons in words.
    pub words: String,
    /// The section of the item that forbids it.
    pub section: String,
    /// Index of that item.
    pub item: u32,
}

/// How far the running measurement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileProgress {
    /// Rolls made.
    pub done: u32,
    /// Rolls ordered.
    pub rolls: u32,
    /// Milliseconds since it began.
    pub elapsed: u32,
}

/// Which rolls of a sample to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum RollFilter {
    /// Those with a length from one to another, in tokens.
    Tokens {
        /// The lowest length.
        from: u32,
        /// The highest length.
        to: u32,
    },
    /// Those that print all of these; every roll if there are none.
    Prints {
        /// Rows of the coverage.
        rows: Vec<RowKey>,
    },
}

/// A row of a coverage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RowKey {
    /// The section.
    pub section: String,
    /// Index of the item; absent for positions of a slider.
    pub item: Option<u32>,
    /// What it is.
    pub kind: CoverageKind,
}

/// Rolls of a sample, in the order of their seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RollList {
    /// The rolls.
    pub rolls: Vec<Variant>,
    /// The roll of the sample to continue from, counted from 0; absent at its end.
    pub next: Option<u32>,
}
