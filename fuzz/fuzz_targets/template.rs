//! Templates of prompts: rendered, or given back as they are with the error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| promptdeck_readers::template(source));
