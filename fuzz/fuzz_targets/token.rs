//! Tokens: what is read is written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::hydrate::Token;

fuzz_target!(|text: &str| {
    if let Ok(token) = Token::parse(text) {
        assert_eq!(token.to_string(), text);
    }
});
