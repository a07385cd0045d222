//! Hashes of texts and of evaluations, the same on every machine.

use twox_hash::XxHash3_128;

/// The hash of a text.
pub(crate) fn text_hash(text: &str) -> u128 {
    XxHash3_128::oneshot(text.as_bytes())
}

/// The hash of numbers; `bytes` is a buffer.
pub(crate) fn numbers_hash(numbers: &[u32], bytes: &mut Vec<u8>) -> u128 {
    bytes.clear();
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    XxHash3_128::oneshot(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_xxh3() {
        // The values of the reference implementation, seed 0.
        assert_eq!(text_hash(""), 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
        let mut bytes = Vec::new();
        assert_eq!(numbers_hash(&[], &mut bytes), text_hash(""));
        assert_eq!(numbers_hash(&[0x6463_6261], &mut bytes), text_hash("abcd"));
    }
}
