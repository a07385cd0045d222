//! Character cards and lorebooks, the chunks of PNG images among them: read within bounds, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::character_card::{import_card, import_lorebook};
use promptdeck_core::registry::parse;

fuzz_target!(|bytes: &[u8]| {
    for import in [import_card, import_lorebook] {
        if let Ok(imported) = import(bytes) {
            parse(imported.text.as_bytes()).expect("an import is a registry");
        }
    }
});
