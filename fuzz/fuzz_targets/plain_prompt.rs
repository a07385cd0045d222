//! Plain prompts: whatever is accepted prints the text, but for the white space that the report lists.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::plain_prompt(bytes));
