//! Character cards and lorebooks, the chunks of PNG images among them: read within bounds, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| promptdeck_readers::card(bytes));
