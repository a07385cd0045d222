//! Templates and wildcards of sd-dynamic-prompts: read within bounds, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &[u8])| promptdeck_readers::wildcards(input.0, input.1));
