//! The different changes of a sample, the largest kept, each with its first roll.
//!
//! Rolls whose texts change in the same way are one change. How much a change changes depends on
//! itself alone, so what is kept was kept from its first roll on, and its rolls are counted exactly.

use std::{cmp::Reverse, collections::BTreeMap};

use promptdeck_core::hydrate::Seed;
use serde::Serialize;

use crate::tally::Tally;

/// The changes kept.
const MAX_KEPT: usize = 64;

/// A change: the rolls whose texts change in the same way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The first seed with it.
    pub seed: Seed,
    /// How many rolls change in this way.
    pub rolls: u64,
    /// How many bytes change.
    pub size: u64,
    /// Where; empty if only the order or the white space changes.
    pub places: Vec<ChangedPlace>,
    /// The prompt of the first seed before.
    pub before: String,
    /// The prompt of the first seed after.
    pub after: String,
}

/// A section and field whose text changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ChangedPlace {
    /// The section.
    pub section: String,
    /// The field; `fragments`, `scale` and `pre_context` for fragments, sliders and headings.
    pub field: String,
}

/// The largest changes so far: by size, then by hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LargestChanges(BTreeMap<(Reverse<u64>, u128), Tally>);

impl LargestChanges {
    pub fn add(&mut self, size: u64, hash: u128, tally: Tally) {
        let key = (Reverse(size), hash);
        if self.0.len() >= MAX_KEPT && self.0.last_key_value().is_some_and(|(last, _)| *last < key)
        {
            return;
        }
        self.0.entry(key).or_default().merge(tally);
        if self.0.len() > MAX_KEPT {
            self.0.pop_last();
        }
    }

    pub fn merge(&mut self, other: Self) {
        for ((Reverse(size), hash), tally) in other.0 {
            self.add(size, hash, tally);
        }
    }

    /// The changes, the largest first, of equally large ones the one with the first roll: size, and
    /// rolls.
    pub fn sorted(&self) -> Vec<(u64, Tally)> {
        let mut all: Vec<(u64, Tally)> = self
            .0
            .iter()
            .map(|((Reverse(size), _), tally)| (*size, *tally))
            .collect();
        all.sort_unstable_by_key(|(size, tally)| (Reverse(*size), tally.first()));
        all
    }
}
