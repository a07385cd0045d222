//! Tokenizer files: what is read counts any text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_model::tokenizer::TokenCounter as _;
use promptdeck_model::tokenizer::TokenizerFile;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(tokenizer) = TokenizerFile::from_bytes("fuzzed", bytes) {
        tokenizer.count("hello world, naïve 日本 😀");
    }
});
