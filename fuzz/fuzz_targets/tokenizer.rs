//! Tokenizer files: what is read counts any text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::tokenizer(bytes));
