//! Conversations in JSON: whatever is accepted becomes a registry.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::messages(bytes));
