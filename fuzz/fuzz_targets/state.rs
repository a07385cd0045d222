//! States of a call, owned and borrowed: both read the same, and a registry with every kind of
//! setting hydrates with them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use promptdeck_core::hydrate::{Call, Engine, Seed, State, StateRef};
use promptdeck_core::registry::parse;
use serde_json::Value;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let registry = br#"{"assembly_order": ["a", "a.items", "a.scale", "b[a]"],
        "a": {"template_vars": ["v"], "slider": 3, "items": [{"id": "x", "text": "{v}", "items": ["0", "1"]}]},
        "b": {"required": false, "items": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]}}"#;
    Engine::new(parse(registry).expect("a registry").registry)
});

fuzz_target!(|text: &str| {
    // Of equal keys one reader keeps the last and the other all; only what has none is compared.
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let text = &value.to_string();
    let Ok(state) = serde_json::from_str::<State>(text) else {
        return;
    };
    let seed = Seed::default();
    let call = Call {
        state: &state,
        route: None,
        seed,
    };
    let owned = ENGINE.hydrate(&call).expect("the default route").text;
    if let Ok(borrowed) = serde_json::from_str::<StateRef<'_>>(text) {
        let call = Call {
            state: &borrowed,
            route: None,
            seed,
        };
        assert_eq!(
            ENGINE.hydrate_text(&call).expect("the default route"),
            owned
        );
    }
});
