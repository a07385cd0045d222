//! Variants of a deck, and a policy tried on a text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ValueLabel;

/// How many distinct evaluations can be rolled; decimal text, as they can be astronomically many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantCount {
    /// Counting the order of shuffled entries.
    pub ordered: String,
    /// Not counting it.
    pub unordered: String,
    /// False when there are at most so many.
    pub exact: bool,
    /// The numbers it is the product of, those that are 1 left out.
    pub factors: Vec<VariantFactor>,
}

/// One of the numbers a count of variants is the product of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantFactor {
    /// The section it comes from; several when the choice in one decides over another.
    pub sections: Vec<String>,
    /// `slider`, or the field of a list; none for items.
    pub of: Option<String>,
    /// In how many ways it is rolled, not counting order: a number for each list.
    pub ways: Vec<String>,
}

/// One rolled variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Variant {
    /// The seed that gives it.
    pub seed: u64,
    /// The prompt.
    pub text: String,
    /// What was rolled.
    pub picks: Vec<VariantPick>,
    /// How many tokens the prompt has; as exact as the counts of the preview.
    pub tokens: u32,
}

/// One thing that was rolled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantPick {
    /// Its section.
    pub section: String,
    /// `slider`, or the field of a list; none for items.
    pub of: Option<String>,
    /// The value.
    pub value: ValueLabel,
}

/// What an output policy says about a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// The cleaned text.
    pub text: String,
    /// It passes.
    pub accepted: bool,
    /// Why not.
    pub reason: Option<String>,
}
