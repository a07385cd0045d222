//! The verdict on a check: whether it holds, and otherwise where and why not.

use promptdeck_core::{
    hydrate::{Seed, Source},
    registry::Position,
};
use serde::Serialize;

use super::fault::Fault;

/// The verdict on one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Position of the check in the document.
    pub index: usize,
    /// Name of the check.
    pub name: String,
    /// JSON pointer to the check.
    pub pointer: String,
    /// The check's position in the file, when there is a file.
    #[serde(flatten)]
    pub place: Option<Position>,
    /// The number of rolls; none for an answer.
    pub rolls: Option<u64>,
    /// Whether it holds.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// Whether a check holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Outcome {
    /// All expectations hold.
    Passed,
    /// Some expectations do not hold.
    Failed {
        /// Each of them, in the order of the document.
        failures: Vec<Failure>,
    },
    /// The check cannot run.
    Invalid {
        /// Why; at least one.
        faults: Vec<Fault>,
    },
}

/// An expectation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Key of the expectation.
    pub expectation: &'static str,
    /// JSON pointer to the expectation.
    pub pointer: String,
    /// The expectation's position in the file, when there is a file.
    #[serde(flatten)]
    pub place: Option<Position>,
    /// The lowest failing seed; none for an answer.
    pub seed: Option<Seed>,
    /// What was expected, in words.
    pub expected: String,
    /// What was there, in words.
    pub found: String,
    /// Where it came from, most important first.
    pub sources: Vec<Source>,
    /// The text that was there instead of a golden text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// The golden text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub golden: Option<String>,
}

impl Verdict {
    /// Whether the check holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.outcome == Outcome::Passed
    }

    /// The expectations that do not hold.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        match &self.outcome {
            Outcome::Failed { failures } => failures,
            Outcome::Passed | Outcome::Invalid { .. } => &[],
        }
    }
}
