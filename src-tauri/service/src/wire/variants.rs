//! Variants of a deck, and the verdict of a policy on a text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::ValueLabel;

/// Number of distinct evaluations, as decimal text because it can exceed any integer type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantCount {
    /// With the order of shuffled entries.
    pub ordered: String,
    /// Without the order of shuffled entries.
    pub unordered: String,
    /// `false` if the numbers are upper bounds.
    pub exact: bool,
    /// The factors of the number, without those equal to 1.
    pub factors: Vec<VariantFactor>,
}

/// A factor of the number of variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantFactor {
    /// Its section; several if the selection in one constrains another.
    pub sections: Vec<String>,
    /// `slider`, or the field of a list; absent for items.
    pub of: Option<String>,
    /// Number of ways without order, one for each list.
    pub ways: Vec<String>,
}

/// A rolled variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Variant {
    /// The seed that produces it.
    pub seed: u64,
    /// The prompt.
    pub text: String,
    /// The rolled values.
    pub picks: Vec<VariantPick>,
    /// Tokens of the prompt, as exact as the counts of the preview.
    pub tokens: u32,
}

/// A rolled value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct VariantPick {
    /// Section of the value.
    pub section: String,
    /// `slider`, or the field of a list; absent for items.
    pub of: Option<String>,
    /// The value.
    pub value: ValueLabel,
}

/// The result of applying an output policy to a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// The cleaned text.
    pub text: String,
    /// Whether the policy accepts it.
    pub accepted: bool,
    /// Why it is rejected.
    pub reason: Option<String>,
}
