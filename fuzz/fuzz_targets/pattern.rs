//! Python patterns: the first line is the pattern, the rest the text it is run on.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| promptdeck_readers::pattern(input));
