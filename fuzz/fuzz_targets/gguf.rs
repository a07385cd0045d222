//! Headers of GGUF files: read within bounds, or refused.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use promptdeck_model::gguf;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(header) = gguf::read(Cursor::new(bytes)) {
        let _ = header.brought();
    }
});
