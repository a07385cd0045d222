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

/// How rolls are sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SampleMode {
    /// Each roll by its own seed, equal prompts included.
    Random,
    /// Every item of a section, and every position of a slider, once before any comes again.
    Shuffle,
    /// Every pair of values of any two sections or sliders at least once, in few rolls.
    Pairwise,
    /// Every evaluation once, in order.
    Exhaustive,
}

/// Parameters of a sample: its mode, and the part to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SampleParams {
    /// How it is sampled.
    pub mode: SampleMode,
    /// The first seed.
    pub seed: u64,
    /// The roll to begin with, from 0.
    pub from: u32,
    /// How many rolls to list; at most 200.
    pub rolls: u32,
}

/// A roll of a sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SampledRoll {
    /// Its number, from 0.
    pub index: u32,
    /// Its seed; absent where every evaluation is listed, which no seed chooses.
    pub seed: Option<u64>,
    /// The prompt.
    pub text: String,
    /// The rolled values.
    pub picks: Vec<VariantPick>,
    /// Tokens of the prompt, as exact as the counts of the preview.
    pub tokens: u32,
    /// Whether a state and a seed give its prompt, so that it can be used.
    pub usable: bool,
}

/// Rolls of a sample, and how many the whole sample has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SampledRolls {
    /// The rolls.
    pub rolls: Vec<SampledRoll>,
    /// How many rolls the sample has, as decimal text because it can exceed any integer type; absent
    /// if it has no end.
    pub total: Option<String>,
    /// `false` if the total is an upper bound.
    pub exact: bool,
    /// The pairs of values that occur, in a sample by pairs.
    pub pairs: Option<u32>,
    /// The pairs that `requires` and `excludes` rule out, in a sample by pairs.
    pub impossible: u32,
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
