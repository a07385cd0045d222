//! Randomness: one `ChaCha` generator per pick, so that no pick ever moves another.
//!
//! The key is the seed; the stream is a hash of the pick's own name. The hash is FNV-1a over 64
//! bits, each part of the name preceded by its length in eight bytes, little end first; so no two
//! names run into each other. Hash, key and sampling belong to the file format: golden tests hold
//! them still.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::{
    Seed,
    chacha::{self, Key},
};

/// The key, which begins with the seed.
const KEY: Key = chacha::key(b"\0\0\0\0\0\0\0\0promptdeck picks, vers 1");

/// Entries of an array, by position.
pub(super) type Positions = SmallVec<[u32; 4]>;

/// The 64-bit hash of a name's parts.
pub(super) fn name_hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for part in parts {
        feed(&(part.len() as u64).to_le_bytes());
        feed(part.as_bytes());
    }
    hash
}

/// The parts an item adds to a name: its identity, or its index after an empty part, which no
/// identity equals.
pub(super) fn item_hash(identity: Option<&str>, index: usize) -> u64 {
    match identity {
        Some(identity) => name_hash([identity]),
        None => name_hash(["", &index.to_string()]),
    }
}

/// The hash of the pick of a section's item.
pub(super) fn section_hash(section: &str) -> u64 {
    name_hash([section])
}

/// The hash of the pick of a section's slider position.
pub(super) fn slider_hash(section: &str) -> u64 {
    name_hash([section, "#slider"])
}

/// The hash of the pick of an array's entries.
pub(super) fn array_hash(section: &str, identity: Option<&str>, index: usize, field: &str) -> u64 {
    match identity {
        Some(identity) => name_hash([section, identity, field]),
        None => name_hash([section, "", &index.to_string(), field]),
    }
}

/// The generator of one pick.
#[derive(Clone)]
pub(super) struct Picker {
    key: Key,
    stream: u64,
    /// The block that comes after `numbers`.
    next: u64,
    numbers: [u64; 8],
    /// How many of `numbers` are taken.
    taken: usize,
}

impl Picker {
    /// The pick with that hash of its name.
    pub fn new(seed: Seed, name_hash: u64) -> Self {
        let mut key = KEY;
        key[0][0] = seed.get() as u32;
        key[0][1] = (seed.get() >> 32) as u32;
        Self {
            key,
            stream: name_hash,
            next: 0,
            numbers: [0; 8],
            taken: 8,
        }
    }

    /// The order of a slot's values in one round of a shuffle; `of` tells items and slider apart.
    pub fn of_shuffle(seed: Seed, section: &str, shuffled: &str, round: u64) -> Self {
        Self::new(
            seed,
            name_hash([section, shuffled, "#shuffle", &round.to_string()]),
        )
    }

    /// The random decisions of one attempt at a covering array.
    pub fn of_covering(seed: Seed, attempt: u64) -> Self {
        Self::new(
            seed,
            name_hash(["", "", "", "#pairwise", &attempt.to_string()]),
        )
    }

    /// The draw of one item within the pick of its section; the lowest wins.
    ///
    /// The hash of the item's name is its block in the stream, so no other item affects the draw.
    pub fn draw(&self, item_hash: u64) -> u64 {
        chacha::block(&self.key, self.stream, item_hash)[0]
    }

    fn next_number(&mut self) -> u64 {
        if self.taken == self.numbers.len() {
            self.numbers = chacha::block(&self.key, self.stream, self.next);
            self.next = self.next.wrapping_add(1);
            self.taken = 0;
        }
        let number = self.numbers[self.taken];
        self.taken += 1;
        number
    }

    /// A number below `bound`, every one as likely as any other; `bound` is at least 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Multiply and keep the upper half; reject the few draws that would favour some results. They
        // are fewer than `bound`, so that most draws need no division.
        loop {
            let wide = u128::from(self.next_number()) * u128::from(bound);
            let low = wide as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A slider position from 1 to 10.
    pub fn slider(&mut self) -> u64 {
        1 + self.below(10)
    }

    /// That many distinct positions below `total`, in shuffled order; all when there are fewer.
    pub fn sample(&mut self, count: u64, total: usize) -> Positions {
        let count = usize::try_from(count).unwrap_or(total).min(total);
        // A shuffle cut short, which stores only the positions that it moved: all of them if they are
        // many, in a table if they are few of many, in a list if they are few.
        if count <= SHORT_SAMPLE {
            self.partial_shuffle(count, total, ShortMoves::default())
        } else if count < total / 8 {
            self.partial_shuffle(count, total, HashMap::with_hasher(FixedState::default()))
        } else {
            let all: Vec<u32> = (0..total as u32).collect();
            self.partial_shuffle(count, total, all)
        }
    }

    fn partial_shuffle(&mut self, count: usize, total: usize, mut moves: impl Moves) -> Positions {
        let mut picked = Positions::with_capacity(count);
        for at in 0..count {
            let other = at + self.below((total - at) as u64) as usize;
            picked.push(moves.value(other as u32));
            let displaced = moves.value(at as u32);
            moves.set(other as u32, displaced);
        }
        picked
    }
}

/// Samples no longer than this store their moves in a list.
const SHORT_SAMPLE: usize = 32;

/// The values of positions that a shuffle moved; all others are their own position.
trait Moves {
    fn value(&self, position: u32) -> u32;
    fn set(&mut self, position: u32, value: u32);
}

/// The moves in order, the last of a position counts.
#[derive(Default)]
struct ShortMoves(SmallVec<[(u32, u32); 8]>);

impl Moves for ShortMoves {
    fn value(&self, position: u32) -> u32 {
        let last = self.0.iter().rev().find(|(to, _)| *to == position);
        last.map_or(position, |(_, value)| *value)
    }

    fn set(&mut self, position: u32, value: u32) {
        self.0.push((position, value));
    }
}

impl Moves for HashMap<u32, u32, FixedState> {
    fn value(&self, position: u32) -> u32 {
        self.get(&position).copied().unwrap_or(position)
    }

    fn set(&mut self, position: u32, value: u32) {
        self.insert(position, value);
    }
}

impl Moves for Vec<u32> {
    fn value(&self, position: u32) -> u32 {
        self[position as usize]
    }

    fn set(&mut self, position: u32, value: u32) {
        self[position as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A Fisher-Yates shuffle of all positions, cut short.
    fn shuffled(mut picker: Picker, count: usize, total: usize) -> Vec<u32> {
        let mut all: Vec<u32> = (0..total as u32).collect();
        for at in 0..count.min(total) {
            let other = at + picker.below((total - at) as u64) as usize;
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }

    proptest! {
        #[test]
        fn a_sample_is_the_start_of_a_shuffle(seed: u64, count in 0..80_usize, total in 0..2_000_usize) {
            let mut picker = Picker::new(Seed::from_bits(seed), seed);
            let expected = shuffled(picker.clone(), count, total);
            prop_assert_eq!(picker.sample(count as u64, total).to_vec(), expected);
        }
    }
}
