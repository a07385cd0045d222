//! Bytes as base64 texts: read in any form, written as Google's own client does.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// The bytes behind a base64 text of either alphabet, padded or not; `None` if it is none.
#[must_use]
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    let engine = if text.contains(['-', '_']) {
        &URL_SAFE
    } else {
        &STANDARD
    };
    engine.decode(text).ok()
}

/// Bytes in the alphabet in which Google's own client writes them.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE.encode(bytes)
}
