//! Registry files: whatever is read has a canonical form that is read again, and hydrates.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::{canonical, parse};

fuzz_target!(|bytes: &[u8]| {
    let Ok(parsed) = parse(bytes) else { return };
    let text = canonical::format(&parsed.document);
    let again = parse(text.as_bytes()).expect("the canonical form is a registry");
    assert_eq!(canonical::format(&again.document), text);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::default(),
    };
    let hydration = Engine::new(parsed.registry)
        .hydrate(&call)
        .expect("the default route");
    let segments: String = hydration
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(segments, hydration.text);
});
