//! How many different things a sample has, in bounded memory.
//!
//! The things with the lowest hashes are kept, up to a limit. Within the limit the number is exact;
//! beyond it, it is estimated from how low the kept hashes are (k minimum values), with a standard
//! error of 0.9 %. A kept thing was kept since it first occurred, since the highest hash kept only
//! falls; so what is counted about it is exact, and any division of a sample gives the same result.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde::Serialize;

/// How many things are kept. A sample of 10,000 rolls is counted exactly, and no table outgrows the
/// size that it has for this sample.
pub(crate) const LIMIT: usize = 12_288;

/// How many things a table of 16,384 places holds before it doubles.
const MAX_LOAD: usize = 14_336;

/// What is stored about a thing.
pub(crate) trait Entry {
    /// The thing occurred again.
    fn merge(&mut self, other: Self);
}

/// Things by hash.
#[derive(Clone, Debug)]
pub(crate) struct DistinctSketch<V> {
    entries: HashMap<u128, V, FixedState>,
    /// Hashes above are not kept.
    ceiling: u128,
    limit: usize,
}

impl<V: Entry> DistinctSketch<V> {
    pub fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    fn with_limit(limit: usize) -> Self {
        Self {
            entries: HashMap::default(),
            ceiling: u128::MAX,
            limit,
        }
    }

    #[inline]
    pub fn add(&mut self, hash: u128, value: V) {
        if hash > self.ceiling {
            return;
        }
        match self.entries.get_mut(&hash) {
            Some(entry) => entry.merge(value),
            None => {
                self.entries.insert(hash, value);
                // Beyond the limit, so that few insertions sort, and before the table doubles.
                if self.entries.len() >= self.limit * MAX_LOAD / LIMIT {
                    self.prune();
                }
            }
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.ceiling = self.ceiling.min(other.ceiling);
        let ceiling = self.ceiling;
        self.entries.retain(|hash, _| *hash <= ceiling);
        for (hash, value) in other.entries {
            self.add(hash, value);
        }
    }

    /// Drops what is beyond the limit.
    pub fn prune(&mut self) {
        if self.entries.len() <= self.limit {
            return;
        }
        // Taken out and put back: a table that many entries are removed from grows at the next
        // insertion, since the places of removed entries are not free.
        let mut all: Vec<(u128, V)> = self.entries.drain().collect();
        let (_, (highest, _), _) =
            all.select_nth_unstable_by_key(self.limit - 1, |(hash, _)| *hash);
        self.ceiling = *highest;
        all.truncate(self.limit);
        self.entries.extend(all);
    }

    /// How many different things there are. To be called after [`Self::prune`].
    pub fn distinct(&self) -> Distinct {
        let retained = self.entries.len() as u64;
        if self.ceiling == u128::MAX {
            return Distinct {
                at_least: retained,
                exact: true,
                estimate: retained,
            };
        }
        let highest = (self.ceiling >> 64) + 1;
        let estimate = (u128::from(retained - 1) << 64) / highest;
        Distinct {
            at_least: retained + 1,
            exact: false,
            estimate: estimate as u64,
        }
    }

    /// The things kept, the lowest hash first.
    pub fn sorted(&self) -> Vec<(u128, &V)> {
        let mut all: Vec<(u128, &V)> = self
            .entries
            .iter()
            .map(|(hash, value)| (*hash, value))
            .collect();
        all.sort_unstable_by_key(|(hash, _)| *hash);
        all
    }
}

/// A number of different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// At least so many.
    pub at_least: u64,
    /// Whether that is the exact number.
    pub exact: bool,
    /// The number, or its estimate with a standard error of 0.9 %.
    pub estimate: u64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text_hash::numbers_hash;

    #[derive(Clone, Debug, PartialEq)]
    struct Times(u64);

    impl Entry for Times {
        fn merge(&mut self, other: Self) {
            self.0 += other.0;
        }
    }

    fn sketch(numbers: impl IntoIterator<Item = u32>, limit: usize) -> DistinctSketch<Times> {
        let mut sketch = DistinctSketch::with_limit(limit);
        let mut bytes = Vec::new();
        for number in numbers {
            sketch.add(numbers_hash(&[number], &mut bytes), Times(1));
        }
        sketch
    }

    fn contents(mut sketch: DistinctSketch<Times>) -> (Distinct, Vec<(u128, Times)>) {
        sketch.prune();
        let sorted = sketch.sorted().into_iter();
        let retained = sorted.map(|(hash, times)| (hash, times.clone())).collect();
        (sketch.distinct(), retained)
    }

    proptest! {
        #[test]
        fn any_division_gives_the_same(numbers in prop::collection::vec(0_u32..60, 0..300), cuts in prop::collection::vec(0_usize..300, 0..5)) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(numbers.len())).collect();
            cuts.sort_unstable();
            cuts.push(numbers.len());
            let mut start = 0;
            let mut merged = DistinctSketch::with_limit(16);
            for cut in cuts {
                let mut part = sketch(numbers[start..cut].iter().copied(), 16);
                // The merged one is added to, or added, in turn.
                if cut % 2 == 0 {
                    std::mem::swap(&mut merged, &mut part);
                }
                merged.merge(part);
                start = cut;
            }
            prop_assert_eq!(contents(merged), contents(sketch(numbers, 16)));
        }
    }

    #[test]
    fn within_the_limit_the_number_is_exact() {
        let exact = Distinct {
            at_least: 12_288,
            exact: true,
            estimate: 12_288,
        };
        assert_eq!(contents(sketch(0..12_288, LIMIT)).0, exact);
        let over = contents(sketch(0..12_289, LIMIT)).0;
        assert_eq!((over.at_least, over.exact), (12_289, false));
    }

    #[test]
    fn no_table_grows_beyond_the_one_of_ten_thousand() {
        let capacity = |rolls| sketch(0..rolls, LIMIT).entries.capacity();
        assert_eq!(capacity(10_000), capacity(300_000));
        assert!(capacity(300_000) >= MAX_LOAD);
    }

    #[test]
    fn beyond_the_limit_it_is_estimated() {
        let (found, retained) = contents(sketch((0..300_000).chain(0..300_000), LIMIT));
        assert!(found.estimate.abs_diff(300_000) < 3 * 2_700, "{found:?}");
        assert!(retained.iter().all(|(_, times)| *times == Times(2)));
    }
}
