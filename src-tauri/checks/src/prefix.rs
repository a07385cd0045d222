//! The text that all rolls of a sample start with.

use promptdeck_core::hydrate::Seed;
use promptdeck_population::shared_start;

use super::tokenizers::Counter;

/// The common start of the rolls so far.
#[derive(Debug, Default)]
pub(crate) struct Prefix {
    /// The first roll.
    first: Option<(Seed, String)>,
    /// The seeds that made the common start shorter, and its length since.
    cuts: Vec<(Seed, usize)>,
}

/// A common start that is too short.
#[derive(Debug)]
pub(crate) struct Short {
    /// The first seed with which it is.
    pub seed: Seed,
    /// Its bytes as of that seed.
    pub length: usize,
    /// Its tokens over all rolls.
    pub tokens: u64,
}

impl Prefix {
    /// Adds a roll.
    pub fn add(&mut self, seed: Seed, text: &str) {
        let Some((_, first)) = &self.first else {
            self.first = Some((seed, text.to_owned()));
            return;
        };
        let length = self.cuts.last().map_or(first.len(), |(_, length)| *length);
        let common = shared_start(first.get(..length).unwrap_or_default(), text);
        if common < length {
            self.cuts.push((seed, common));
        }
    }

    /// Whether the common start has fewer tokens than `limit`.
    pub fn shorter_than(&self, limit: u64, counter: &Counter) -> Option<Short> {
        let (seed, text) = self.first.as_ref()?;
        let tokens = |length: usize| counter(text.get(..length).unwrap_or_default()) as u64;
        let whole = self.cuts.last().map_or(text.len(), |(_, length)| *length);
        let found = tokens(whole);
        if found >= limit {
            return None;
        }
        let (seed, length) = match tokens(text.len()) < limit {
            true => (*seed, text.len()),
            false => {
                let before = |cut: &(Seed, usize)| tokens(cut.1) >= limit;
                let index = self.cuts.partition_point(before);
                *self.cuts.get(index).or(self.cuts.last())?
            }
        };
        Some(Short {
            seed,
            length,
            tokens: found,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_lowest_seed_that_cuts_the_start_too_short_is_named() {
        let counter: Counter = Arc::new(|text: &str| text.chars().count());
        let mut prefix = Prefix::default();
        for (seed, text) in ["abcdé", "abcdè", "abcdé", "abX", "a", "abc"]
            .iter()
            .enumerate()
        {
            prefix.add(Seed::new(seed as u64).expect("a seed"), text);
        }
        let short = |limit| {
            let short = prefix.shorter_than(limit, &counter);
            short.map(|short| (short.seed.get(), short.length, short.tokens))
        };
        assert_eq!(short(1), None);
        assert_eq!(short(2), Some((4, 1, 1)));
        assert_eq!(short(3), Some((3, 2, 1)));
        assert_eq!(short(5), Some((1, 4, 1)));
        assert_eq!(short(6), Some((0, 6, 1)));
    }
}
