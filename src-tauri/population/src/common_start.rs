//! How much of a prompt all rolls, or most of them, share from its start.
//!
//! Every roll is compared with one text, the most common start: found in the first rolls of the
//! sample by taking, at each difference, the branch that more of them take. So the share of rolls
//! that agree with it up to some length is known exactly, and memory does not grow.

use promptdeck_core::hydrate::{Roll, Seed};
use serde::Serialize;

use crate::{counts::Counts, tally::share, tokens::TokenMemo};

/// The rolls in which the most common start is looked for, and the bytes they may have together.
const PILOT_ROLLS: u64 = 1_024;
const PILOT_BYTES: usize = 4 << 20;

/// The points of the curve, at most.
const POINTS: usize = 64;

/// What the rolls of a sample share from the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StablePrefix {
    /// What all rolls share.
    pub all: PrefixLevel,
    /// What 95 % of the rolls share.
    pub most: PrefixLevel,
    /// What half of the rolls share.
    pub half: PrefixLevel,
    /// A roll with the most common start, which the others are compared with.
    pub seed: Seed,
    /// Which share of the rolls agrees up to which length, by growing length.
    pub curve: Vec<PrefixPoint>,
}

/// The start that a share of the rolls has in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrefixLevel {
    /// Its length in Unicode scalar values.
    pub characters: u64,
    /// Its tokens, if they are counted.
    pub tokens: Option<u64>,
    /// What prints the text after it; none at the end of the prompt.
    pub ended_by: Option<EndedBy>,
}

/// The place that prints the first text that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndedBy {
    /// The section.
    pub section: String,
    /// The field.
    pub field: String,
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PrefixPoint {
    /// The length in Unicode scalar values.
    pub characters: u64,
    /// The tokens up to there, if they are counted.
    pub tokens: Option<u64>,
    /// The share of rolls that agree up to there, from 0 to 1.
    pub share: f64,
}

/// The most common start of a sample, and a roll that has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommonStart {
    text: String,
    roll: u64,
}

impl CommonStart {
    /// Finds it in the first rolls of a sample, whose texts `text` gives.
    pub fn find(seed: Seed, rolls: u64, mut text: impl FnMut(Seed) -> String) -> Self {
        let mut texts: Vec<(String, u64)> = Vec::new();
        let mut bytes = 0;
        for roll in 0..rolls.min(PILOT_ROLLS) {
            let text = text(seed.after(roll));
            bytes += text.len();
            texts.push((text, roll));
            if bytes > PILOT_BYTES {
                break;
            }
        }
        texts.sort_unstable();
        let (text, roll) = most_common(&texts).map_or(("", 0), |(text, roll)| (text, *roll));
        Self {
            text: text.to_owned(),
            roll,
        }
    }

    /// How many bytes of it a text begins with.
    #[inline]
    pub fn shared_with(&self, text: &str) -> u64 {
        shared_bytes(self.text.as_bytes(), text.as_bytes()) as u64
    }

    /// The roll that has it.
    pub fn seed(&self, first: Seed) -> Seed {
        first.after(self.roll)
    }

    /// The place that prints the text behind so many bytes of a roll; `section` names its sections.
    pub fn ended_by(
        roll: Roll<'_, '_>,
        bytes: usize,
        section: impl Fn(usize) -> String,
    ) -> Option<EndedBy> {
        let differing = |piece: &promptdeck_core::hydrate::PrintedPiece<'_, '_>| {
            piece.start + piece.text.len() > bytes && piece.source.is_some()
        };
        let source = roll.pieces().find(differing)?.source?;
        Some(EndedBy {
            section: section(source.section),
            field: crate::impact::field_of(source.part, source.field).to_owned(),
        })
    }

    /// What the rolls share, given how many bytes each of them does; `ended_by` finds the place that
    /// prints the text behind so many bytes of its roll.
    pub fn report(
        &self,
        shared: &Counts,
        seed: Seed,
        mut tokens: Option<&mut TokenMemo<'_>>,
        ended_by: impl Fn(usize) -> Option<EndedBy>,
    ) -> Option<StablePrefix> {
        let total = shared.total();
        if total == 0 {
            return None;
        }
        let level = |percent: u64, tokens: &mut Option<&mut TokenMemo<'_>>| {
            // The length that so many rolls reach is the one that the rest do not exceed.
            let reach = (u128::from(total) * u128::from(percent)).div_ceil(100) as u64;
            let mut shorter = total - reach;
            let length = shared
                .iter()
                .find(|(_, count)| match shorter.checked_sub(*count) {
                    Some(rest) => {
                        shorter = rest;
                        false
                    }
                    None => true,
                });
            let start = self.start(length.map_or(0, |(length, _)| length));
            PrefixLevel {
                characters: start.chars().count() as u64,
                tokens: tokens.as_mut().map(|memo| memo.count(start)),
                ended_by: (start.len() < self.text.len())
                    .then(|| ended_by(start.len()))
                    .flatten(),
            }
        };
        let (all, most, half) = (
            level(100, &mut tokens),
            level(95, &mut tokens),
            level(50, &mut tokens),
        );
        let points: Vec<(u64, u64)> = shared.iter().collect();
        let every = points.len().div_ceil(POINTS).max(1);
        let mut reaching = total;
        let mut curve = Vec::new();
        for (at, (length, count)) in points.iter().enumerate() {
            if at % every == 0 || at + 1 == points.len() {
                let start = self.start(*length);
                curve.push(PrefixPoint {
                    characters: start.chars().count() as u64,
                    tokens: tokens.as_mut().map(|memo| memo.count(start)),
                    share: share(reaching, total),
                });
            }
            reaching -= count;
        }
        Some(StablePrefix {
            all,
            most,
            half,
            seed: self.seed(seed),
            curve,
        })
    }

    /// The first bytes of the text, without a part of a character.
    fn start(&self, bytes: u64) -> &str {
        let mut end = usize::try_from(bytes)
            .unwrap_or(usize::MAX)
            .min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.text.get(..end).unwrap_or_default()
    }
}

/// The text reached from the start by taking the more frequent branch at each difference; of equally
/// frequent ones the first in order. The texts are sorted.
fn most_common(texts: &[(String, u64)]) -> Option<(&str, &u64)> {
    let mut group = texts;
    let mut depth = 0;
    loop {
        let (first, last) = (group.first()?, group.last()?);
        depth += shared_bytes(
            first.0.as_bytes().get(depth..)?,
            last.0.as_bytes().get(depth..)?,
        );
        while !first.0.is_char_boundary(depth) {
            depth -= 1;
        }
        if first.0 == last.0 {
            return Some((&first.0, &first.1));
        }
        let next = |text: &str| text.get(depth..).and_then(|rest| rest.chars().next());
        let mut largest: &[(String, u64)] = &[];
        for branch in group.chunk_by(|one, other| next(&one.0) == next(&other.0)) {
            if branch.len() > largest.len() {
                largest = branch;
            }
        }
        group = largest;
    }
}

/// How many bytes two texts have in common at the start, without a part of a character.
#[must_use]
pub fn shared_start(one: &str, other: &str) -> usize {
    one.floor_char_boundary(shared_bytes(one.as_bytes(), other.as_bytes()))
}

/// How many bytes two texts have in common at the start.
#[inline]
pub(crate) fn shared_bytes(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let equal = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().zip(other).skip(equal);
    equal + rest.take_while(|(one, other)| one == other).count()
}

/// How many bytes two texts share at their end.
pub(crate) fn shared_end(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let equal = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one.iter().rev().zip(other.iter().rev()).skip(equal);
    equal + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(texts: &[&str]) -> String {
        let mut texts: Vec<(String, u64)> = texts
            .iter()
            .zip(0..)
            .map(|(text, roll)| ((*text).to_owned(), roll))
            .collect();
        texts.sort_unstable();
        most_common(&texts)
            .map(|(text, roll)| format!("{text} {roll}"))
            .unwrap_or_default()
    }

    #[test]
    fn the_more_frequent_branch_is_taken() {
        assert_eq!(common(&[]), "");
        assert_eq!(common(&["one"]), "one 0");
        assert_eq!(common(&["b", "a", "b"]), "b 0");
        assert_eq!(common(&["ab1", "ac1", "ac2", "ad", "ac1"]), "ac1 1");
        // Of equally frequent branches the first; a text that ends comes before others.
        assert_eq!(common(&["b", "a"]), "a 1");
        assert_eq!(common(&["ab", "a"]), "a 1");
        // Characters that share their first byte are different branches.
        assert_eq!(common(&["é", "è", "x", "x"]), "x 2");
    }

    #[test]
    fn shared_bytes_are_counted_across_blocks() {
        for length in [0, 1, 31, 32, 33, 64, 100] {
            let one = "a".repeat(length);
            assert_eq!(shared_bytes(one.as_bytes(), one.as_bytes()), length);
            let two = format!("{one}b");
            let three = format!("{one}cc");
            assert_eq!(shared_bytes(two.as_bytes(), three.as_bytes()), length);
            let (two, three) = (format!("b{one}"), format!("cc{one}"));
            assert_eq!(shared_end(two.as_bytes(), three.as_bytes()), length);
            assert_eq!(shared_end(one.as_bytes(), two.as_bytes()), length);
        }
    }
}
