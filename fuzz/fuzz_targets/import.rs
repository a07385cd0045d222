//! Imports: whatever is accepted becomes a registry in canonical form.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::import(bytes));
