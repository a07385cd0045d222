//! How often something occurs in a sample, and where first.

use promptdeck_core::hydrate::Seed;
use serde::Serialize;

/// How many rolls, and the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub rolls: u64,
    first: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            rolls: 0,
            first: u64::MAX,
        }
    }
}

impl Tally {
    pub fn of(roll: u64) -> Self {
        Self {
            rolls: 1,
            first: roll,
        }
    }

    #[inline]
    pub fn add(&mut self, roll: u64) {
        self.rolls += 1;
        self.first = self.first.min(roll);
    }

    pub fn merge(&mut self, other: Self) {
        self.rolls += other.rolls;
        self.first = self.first.min(other.first);
    }

    /// The first roll, if there is any.
    pub fn first(self) -> Option<u64> {
        (self.rolls > 0).then_some(self.first)
    }

    /// Among that many rolls from that seed on.
    pub fn among(self, rolls: u64, seed: Seed) -> Occurrences {
        Occurrences {
            rolls: self.rolls,
            share: share(self.rolls, rolls),
            seed: self.first().map(|roll| seed.after(roll)),
        }
    }
}

/// How often something occurs in a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Occurrences {
    /// In how many rolls.
    pub rolls: u64,
    /// In what share of them, from 0 to 1.
    pub share: f64,
    /// The first seed of the sample with it.
    pub seed: Option<Seed>,
}

/// A part of a whole, from 0 to 1; 0 of nothing.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}
