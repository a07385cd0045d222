//! Randomness: one `ChaCha` generator per pick, so that no pick ever moves another.
//!
//! The key is the seed; the stream is a hash of the pick's own name. The hash is FNV-1a over 64
//! bits, each part of the name preceded by its length in eight bytes, little end first; so no two
//! names run into each other. Hash, key and sampling belong to the file format: golden tests hold
//! them still.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::Seed;

/// Follows the seed in the key, which has 32 bytes.
const KEY_TAIL: &[u8; 24] = b"promptdeck picks, vers 1";

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

/// The generator of one pick.
pub(super) struct Picker(ChaCha8Rng);

impl Picker {
    fn new(seed: Seed, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.get().to_le_bytes());
        key[8..].copy_from_slice(KEY_TAIL);
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self(generator)
    }

    /// The pick of a section's item.
    pub fn of_section(seed: Seed, section: &str) -> Self {
        Self::new(seed, name_hash([section]))
    }

    /// The pick of a section's slider position.
    pub fn of_slider(seed: Seed, section: &str) -> Self {
        Self::new(seed, name_hash([section, "#slider"]))
    }

    /// The pick of an array's entries.
    pub fn of_array(
        seed: Seed,
        section: &str,
        identity: Option<&str>,
        index: usize,
        field: &str,
    ) -> Self {
        let stream = match identity {
            Some(identity) => name_hash([section, identity, field]),
            None => name_hash([section, "", &index.to_string(), field]),
        };
        Self::new(seed, stream)
    }

    /// The order of a slot's values in one round of a shuffle; `of` tells items and slider apart.
    pub fn of_shuffle(seed: Seed, section: &str, of: &str, round: u64) -> Self {
        Self::new(
            seed,
            name_hash([section, of, "#shuffle", &round.to_string()]),
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
    /// The hash of the item's name is its offset in the stream, so no other item affects the draw.
    pub fn draw(&mut self, item_hash: u64) -> u64 {
        self.0.set_word_pos(u128::from(item_hash) * 16);
        self.0.next_u64()
    }

    /// A number below `bound`, every one as likely as any other; `bound` is at least 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        // Multiply and keep the upper half; reject the few draws that would favour some results.
        let reject = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.0.next_u64()) * u128::from(bound);
            if wide as u64 >= reject {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A slider position from 1 to 10.
    pub fn slider(&mut self) -> u64 {
        1 + self.below(10)
    }

    /// That many distinct positions below `total`, in shuffled order; all when there are fewer.
    pub fn sample(&mut self, count: u64, total: usize) -> Vec<u32> {
        let count = usize::try_from(count).unwrap_or(total).min(total);
        // A shuffle cut short, which remembers only what it has moved while that is little.
        if count > 32 {
            let mut positions: Vec<u32> = (0..total as u32).collect();
            for at in 0..count {
                let other = at + self.below((total - at) as u64) as usize;
                positions.swap(at, other);
            }
            positions.truncate(count);
            return positions;
        }
        let mut moved: Vec<(usize, u32)> = Vec::with_capacity(count);
        let mut picked = Vec::with_capacity(count);
        for at in 0..count {
            let look = |moved: &[(usize, u32)], position: usize| {
                let last = moved.iter().rev().find(|(to, _)| *to == position);
                last.map_or(position as u32, |(_, value)| *value)
            };
            let other = at + self.below((total - at) as u64) as usize;
            let value = look(&moved, other);
            let displaced = look(&moved, at);
            moved.push((other, displaced));
            picked.push(value);
        }
        picked
    }
}
