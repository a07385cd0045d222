//! Conversations in JSON: whatever is accepted becomes a registry.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::messages::import;
use promptdeck_core::registry::parse;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(imported) = import(bytes) {
        parse(imported.text.as_bytes()).expect("an import is a registry");
    }
});
