//! Chat templates: compiled and rendered within their limits, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| promptdeck_readers::chat_template(source));
