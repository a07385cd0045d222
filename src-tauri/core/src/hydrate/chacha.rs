//! `ChaCha8` by the block: the numbers of `rand_chacha`, which makes four blocks in a row at once,
//! while a pick takes one and the draws of a section are far apart from each other.

/// A pair of rounds: one over the columns of the state, one over its diagonals.
const DOUBLE_ROUNDS: usize = 4;

/// "expand 32-byte k".
const CONSTANTS: Row = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Four words of the state, which is four rows.
type Row = [u32; 4];

/// A key of 32 bytes.
pub(super) type Key = [Row; 2];

/// A key of little-endian bytes.
pub(super) const fn key(bytes: &[u8; 32]) -> Key {
    let mut key = [[0; 4]; 2];
    let words = bytes.as_chunks().0;
    let mut at = 0;
    while at < 8 {
        key[at / 4][at % 4] = u32::from_le_bytes(words[at]);
        at += 1;
    }
    key
}

/// A block as the numbers that a generator returns.
#[inline]
pub(super) fn block(key: &Key, stream: u64, counter: u64) -> [u64; 8] {
    let last = [
        counter as u32,
        (counter >> 32) as u32,
        stream as u32,
        (stream >> 32) as u32,
    ];
    let (mut a, mut b, mut c, mut d) = (CONSTANTS, key[0], key[1], last);
    for _ in 0..DOUBLE_ROUNDS {
        round(&mut a, &mut b, &mut c, &mut d);
        // The diagonals become the columns.
        (b, c, d) = (turn::<1>(b), turn::<2>(c), turn::<3>(d));
        round(&mut a, &mut b, &mut c, &mut d);
        (b, c, d) = (turn::<3>(b), turn::<2>(c), turn::<1>(d));
    }
    let (a, b) = (numbers(add(a, CONSTANTS)), numbers(add(b, key[0])));
    let (c, d) = (numbers(add(c, key[1])), numbers(add(d, last)));
    [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
}

#[inline]
fn round(a: &mut Row, b: &mut Row, c: &mut Row, d: &mut Row) {
    *a = add(*a, *b);
    *d = mix::<16>(*d, *a);
    *c = add(*c, *d);
    *b = mix::<12>(*b, *c);
    *a = add(*a, *b);
    *d = mix::<8>(*d, *a);
    *c = add(*c, *d);
    *b = mix::<7>(*b, *c);
}

// Written out word by word: as loops, the operations of a row are ten times slower.

#[inline]
fn add(one: Row, other: Row) -> Row {
    [
        one[0].wrapping_add(other[0]),
        one[1].wrapping_add(other[1]),
        one[2].wrapping_add(other[2]),
        one[3].wrapping_add(other[3]),
    ]
}

#[inline]
fn mix<const BY: u32>(one: Row, other: Row) -> Row {
    [
        (one[0] ^ other[0]).rotate_left(BY),
        (one[1] ^ other[1]).rotate_left(BY),
        (one[2] ^ other[2]).rotate_left(BY),
        (one[3] ^ other[3]).rotate_left(BY),
    ]
}

/// A row, its words moved to the front by that many places.
#[inline]
fn turn<const BY: usize>(row: Row) -> Row {
    [
        row[BY % 4],
        row[(1 + BY) % 4],
        row[(2 + BY) % 4],
        row[(3 + BY) % 4],
    ]
}

#[inline]
fn numbers(row: Row) -> [u64; 2] {
    [
        u64::from(row[0]) | u64::from(row[1]) << 32,
        u64::from(row[2]) | u64::from(row[3]) << 32,
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;

    proptest! {
        #[test]
        fn the_numbers_are_those_of_rand_chacha(bytes: [u8; 32], stream: u64, counter: u64) {
            let mut expected = ChaCha8Rng::from_seed(bytes);
            expected.set_stream(stream);
            expected.set_word_pos(u128::from(counter) * 16);
            let block = block(&key(&bytes), stream, counter);
            prop_assert_eq!(block, block.map(|_| expected.next_u64()));
        }
    }
}
