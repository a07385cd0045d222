//! Registry files: whatever is read has a canonical form that is read again, and hydrates.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::registry(bytes));
