//! States of a call, owned and borrowed: both read the same, and a registry with every kind of
//! setting hydrates with them.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| promptdeck_readers::state(text));
