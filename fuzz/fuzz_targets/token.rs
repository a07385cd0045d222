//! Tokens: what is read is written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| promptdeck_readers::token(text));
