//! Variants of a deck, and a policy tried on a text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How many distinct evaluations can be rolled; decimal text, as they can be astronomically many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantCount {
    /// Counting the order of shuffled entries.
    pub ordered: String,
    /// Not counting it.
    pub unordered: String,
    /// False when there are at most so many.
    pub exact: bool,
}

/// One rolled variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Variant {
    /// The seed that gives it.
    pub seed: u64,
    /// The prompt.
    pub text: String,
    /// What was rolled, in a few words.
    pub glance: String,
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
