//! Call documents: read and kept whole, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_request::call::parse;

fuzz_target!(|bytes: &[u8]| {
    let _ = parse(bytes);
});
