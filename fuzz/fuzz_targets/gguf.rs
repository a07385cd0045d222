//! Headers of GGUF files: read within bounds, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::gguf(bytes));
