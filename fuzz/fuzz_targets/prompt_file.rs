//! Prompt files: YAML settings and templates, read within bounds or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::prompt_file(bytes));
