//! How many different evaluations and texts there are.

use std::collections::BTreeMap;

use promptdeck_core::hydrate::{Seed, variants::Count};
use serde::Serialize;

use super::{ProfilePartial, ProfilePlan};
use crate::{distinct::Distinct, tally::Occurrences};

/// Texts that several evaluations print, at most so many listed, and so many of their seeds each.
const MAX_LISTED: usize = 5;

/// How many different evaluations and texts there are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sameness {
    /// All evaluations of the registry and the state, rolled or not; none if counting was stopped.
    pub possible: Option<Count>,
    /// The evaluations in the sample.
    pub evaluations: Distinct,
    /// The texts in the sample.
    pub texts: Distinct,
    /// The evaluations in the sample that print the same text as another; none where the sample has
    /// more than are counted exactly.
    pub same: Option<SameText>,
    /// The text that occurs most often; none where the sample has more than are counted exactly.
    pub most_frequent: Option<Occurrences>,
}

/// Evaluations that print the same text as another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SameText {
    /// How many evaluations.
    pub evaluations: u64,
    /// How many texts they print.
    pub texts: u64,
    /// The first of these texts: seeds of different evaluations that print it.
    pub examples: Vec<Vec<Seed>>,
}

pub(super) fn sameness(
    plan: &ProfilePlan<'_>,
    partial: &ProfilePartial,
    possible: Option<Count>,
) -> Sameness {
    let (texts, evaluations) = (partial.texts.distinct(), partial.evaluations.distinct());
    let same = evaluations.exact.then(|| {
        let mut by_text: BTreeMap<u128, Vec<u64>> = BTreeMap::new();
        for (_, evaluation) in partial.evaluations.sorted() {
            by_text
                .entry(evaluation.text)
                .or_default()
                .push(evaluation.first);
        }
        let mut frequent: Vec<Vec<u64>> =
            by_text.into_values().filter(|all| all.len() > 1).collect();
        for rolls in &mut frequent {
            rolls.sort_unstable();
        }
        frequent.sort_unstable();
        let seeds = |rolls: &Vec<u64>| {
            let rolls = rolls.iter().take(MAX_LISTED);
            rolls.map(|roll| plan.seed.after(*roll)).collect()
        };
        SameText {
            evaluations: frequent.iter().map(|rolls| rolls.len() as u64).sum(),
            texts: frequent.len() as u64,
            examples: frequent.iter().take(MAX_LISTED).map(seeds).collect(),
        }
    });
    let sorted = partial.texts.sorted().into_iter();
    let most = sorted.map(|(_, text)| text.0).max_by_key(|tally| {
        // Of equally frequent ones the first.
        (tally.rolls, std::cmp::Reverse(tally.first()))
    });
    Sameness {
        possible,
        evaluations,
        texts,
        same,
        most_frequent: most
            .filter(|_| texts.exact)
            .map(|tally| tally.among(partial.rolls, plan.seed)),
    }
}
