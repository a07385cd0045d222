//! Numbers of a sample as a distribution: quantiles, extremes with their seeds, bars of a plot.
//!
//! A quantile is the smallest number that at least so many of the numbers do not exceed (the
//! inverted distribution function, also known as nearest rank), so it always occurs in the sample.

use promptdeck_core::hydrate::Seed;
use serde::Serialize;

use crate::{counts::Counts, tally::share};

/// The bars of a plot, at most.
const BARS: i64 = 24;

/// A distribution of whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// The lowest number.
    pub min: i64,
    /// The number that 5 % do not exceed.
    pub p5: i64,
    /// The number that half of them do not exceed.
    pub median: i64,
    /// The number that 95 % do not exceed.
    pub p95: i64,
    /// The highest number.
    pub max: i64,
    /// A histogram, its bars of equal width in order without gaps; the last may reach beyond `max`.
    pub bars: Vec<Bar>,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The lowest number in it.
    pub from: i64,
    /// The highest number in it.
    pub to: i64,
    /// How many there are.
    pub rolls: u64,
}

/// Lengths of the prompts of a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    /// Their distribution.
    #[serde(flatten)]
    pub distribution: Distribution,
    /// The first seed with the lowest length.
    pub min_seed: Seed,
    /// The first seed with the highest length.
    pub max_seed: Seed,
    /// The rolls over the budget, if one is set.
    pub over_budget: Option<OverBudget>,
}

/// The rolls over a budget.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OverBudget {
    /// The budget.
    pub budget: u64,
    /// How many rolls are longer.
    pub rolls: u64,
    /// What share of the rolls they are, from 0 to 1.
    pub share: f64,
}

impl Distribution {
    /// The distribution of numbers in order, each with its count; `None` of nothing. `min` and `max`
    /// are exact where the numbers are not.
    fn new(numbers: &[(i64, u64)], min: i64, max: i64) -> Option<Self> {
        let total: u64 = numbers.iter().map(|(_, count)| count).sum();
        if total == 0 {
            return None;
        }
        let quantile = |percent: u64| {
            // In 128 bits: the product may be large.
            let rank = (u128::from(total) * u128::from(percent))
                .div_ceil(100)
                .max(1);
            let mut below = 0;
            let at = numbers.iter().find(|(_, count)| {
                below += u128::from(*count);
                below >= rank
            });
            at.map_or(max, |(number, _)| (*number).clamp(min, max))
        };
        // Rounded up, so that the bars reach to the highest number.
        let width = (max - min + BARS) / BARS;
        let mut bars: Vec<Bar> = (0..=(max - min) / width)
            .map(|bar| Bar {
                from: min + bar * width,
                to: min + bar * width + width - 1,
                rolls: 0,
            })
            .collect();
        for (number, count) in numbers {
            let bar = ((*number).clamp(min, max) - min) / width;
            if let Some(bar) = usize::try_from(bar).ok().and_then(|bar| bars.get_mut(bar)) {
                bar.rolls += count;
            }
        }
        Some(Self {
            min,
            p5: quantile(5),
            median: quantile(50),
            p95: quantile(95),
            max,
            bars,
        })
    }
}

/// A length as a signed number.
fn signed(length: u64) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// Lengths while they are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LengthCounts {
    counts: Counts,
    /// The lowest length and its first roll.
    min: (u64, u64),
    /// The highest length and its first roll.
    max: (u64, u64),
    budget: Option<u64>,
    over: u64,
}

impl LengthCounts {
    pub fn new(budget: Option<u64>) -> Self {
        Self {
            counts: Counts::default(),
            min: (u64::MAX, u64::MAX),
            max: (0, u64::MAX),
            budget,
            over: 0,
        }
    }

    #[inline]
    pub fn add(&mut self, length: u64, roll: u64) {
        self.counts.add(length);
        self.extremes((length, roll), (length, roll));
        self.over += u64::from(self.budget.is_some_and(|budget| length > budget));
    }

    fn extremes(&mut self, min: (u64, u64), max: (u64, u64)) {
        self.min = self.min.min(min);
        if max.0 > self.max.0 || (max.0 == self.max.0 && max.1 < self.max.1) {
            self.max = max;
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.extremes(other.min, other.max);
        self.over += other.over;
    }

    /// The lengths of the rolls from that seed on; `None` without any.
    pub fn lengths(&self, seed: Seed) -> Option<Lengths> {
        let numbers: Vec<(i64, u64)> = self
            .counts
            .iter()
            .map(|(length, count)| (signed(length), count))
            .collect();
        let (min, max) = (signed(self.min.0), signed(self.max.0));
        Some(Lengths {
            distribution: Distribution::new(&numbers, min, max)?,
            min_seed: seed.after(self.min.1),
            max_seed: seed.after(self.max.1),
            over_budget: self.budget.map(|budget| OverBudget {
                budget,
                rolls: self.over,
                share: share(self.over, self.counts.total()),
            }),
        })
    }
}

/// Differences of lengths while they are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangeCounts {
    /// Zero and more.
    rises: Counts,
    /// What is below zero, without its sign.
    falls: Counts,
    min: i64,
    max: i64,
}

impl Default for ChangeCounts {
    fn default() -> Self {
        Self {
            rises: Counts::default(),
            falls: Counts::default(),
            min: i64::MAX,
            max: i64::MIN,
        }
    }
}

impl ChangeCounts {
    pub fn add(&mut self, before: u64, after: u64) {
        match after.checked_sub(before) {
            Some(rise) => self.rises.add(rise),
            None => self.falls.add(before - after),
        }
        let change = signed(after) - signed(before);
        self.min = self.min.min(change);
        self.max = self.max.max(change);
    }

    pub fn merge(&mut self, other: &Self) {
        self.rises.merge(&other.rises);
        self.falls.merge(&other.falls);
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The distribution; `None` without any.
    pub fn distribution(&self) -> Option<Distribution> {
        let falls = self.falls.iter().rev();
        let falls = falls.map(|(fall, count)| (-signed(fall), count));
        let rises = self.rises.iter().map(|(rise, count)| (signed(rise), count));
        let numbers: Vec<(i64, u64)> = falls.chain(rises).collect();
        Distribution::new(&numbers, self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, on a sorted list.
    fn nearest_rank(sorted: &[i64], percent: usize) -> i64 {
        sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
    }

    proptest! {
        #[test]
        fn quantiles_are_those_of_the_sorted_list(lengths in prop::collection::vec(0_u64..3_000, 1..400)) {
            let mut counts = LengthCounts::new(Some(1_500));
            for (roll, length) in lengths.iter().enumerate() {
                counts.add(*length, roll as u64);
            }
            let seed = Seed::from_bits(10);
            let found = counts.lengths(seed).expect("some lengths");
            let mut sorted: Vec<i64> = lengths.iter().map(|length| signed(*length)).collect();
            sorted.sort_unstable();
            let distribution = &found.distribution;
            prop_assert_eq!((distribution.min, distribution.max), (sorted[0], sorted[sorted.len() - 1]));
            for (percent, value) in [(5, distribution.p5), (50, distribution.median), (95, distribution.p95)] {
                prop_assert_eq!(value, nearest_rank(&sorted, percent));
            }
            let first = |length: i64| lengths.iter().position(|sampled| signed(*sampled) == length).map(|roll| roll as u64 + 10);
            prop_assert_eq!(Some(found.min_seed.get()), first(distribution.min));
            prop_assert_eq!(Some(found.max_seed.get()), first(distribution.max));
            let over = lengths.iter().filter(|length| **length > 1_500).count() as u64;
            prop_assert_eq!(found.over_budget.expect("a budget").rolls, over);
            prop_assert!(distribution.bars.len() <= 24);
            for bar in &distribution.bars {
                let within = sorted.iter().filter(|length| (bar.from..=bar.to).contains(length));
                prop_assert_eq!(within.count() as u64, bar.rolls);
            }
            prop_assert_eq!(distribution.bars.iter().map(|bar| bar.rolls).sum::<u64>(), lengths.len() as u64);
        }

        #[test]
        fn changes_have_a_sign(pairs in prop::collection::vec((0_u64..500, 0_u64..500), 1..200)) {
            let mut counts = ChangeCounts::default();
            for (before, after) in &pairs {
                counts.add(*before, *after);
            }
            let mut sorted: Vec<i64> = pairs.iter().map(|(before, after)| signed(*after) - signed(*before)).collect();
            sorted.sort_unstable();
            let found = counts.distribution().expect("some changes");
            prop_assert_eq!((found.min, found.max), (sorted[0], sorted[sorted.len() - 1]));
            prop_assert_eq!(found.median, nearest_rank(&sorted, 50));
            prop_assert_eq!(found.bars.iter().map(|bar| bar.rolls).sum::<u64>(), pairs.len() as u64);
        }
    }
}
