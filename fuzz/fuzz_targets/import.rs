//! Imports: whatever is accepted becomes a registry in canonical form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::import;
use promptdeck_core::registry::{canonical, parse};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(imported) = import(bytes) {
        let parsed = parse(imported.text.as_bytes()).expect("an import is a registry");
        assert_eq!(canonical::format(&parsed.document), imported.text);
    }
});
