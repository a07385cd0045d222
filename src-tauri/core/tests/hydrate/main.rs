//! Hydration as tables: a registry, a state, and the resulting prompt.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

mod diagnostics;
mod glue;
mod settings;
mod shared_cases;
mod size;
mod sources;
mod tokens;
mod values;
mod versions;

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State, StateRef},
    registry::Registry,
};
use serde_json::{Map, Value, json};

/// Expects a prompt that does not depend on the seed.
#[track_caller]
fn prints(registry: &Value, state: &Value, expected: &str) {
    for seed in [0, 9] {
        assert_eq!(
            hydrate(registry, state, None, seed),
            expected,
            "{registry} {state}"
        );
    }
}

/// A registry with this order and these sections.
fn deck(order: &[&str], sections: Value) -> Value {
    let mut registry = sections;
    registry["assembly_order"] = json!(order);
    registry
}

/// A required section with these items.
fn required(items: Value) -> Value {
    json!({"required": true, "items": items})
}

/// An optional section with these items.
fn optional(items: Value) -> Value {
    json!({"required": false, "items": items})
}

/// Hydrates through every public function and checks that the results agree.
fn hydrate(registry: &Value, state: &Value, route: Option<&str>, seed: u64) -> String {
    let map: &Map<String, Value> = registry.as_object().expect("an object");
    let engine = Engine::new(Registry::from_map(map).expect("a registry"));
    let seed = Seed::new(seed).expect("a seed");
    let owned: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &owned,
        route,
        seed,
    };
    let hydration = engine.hydrate(&call).expect("a prompt");
    let segments: String = hydration
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(segments, hydration.text);
    assert_eq!(
        engine.hydrate_text(&call).expect("a prompt"),
        hydration.text
    );
    let used = engine.hydrate_text_with_evaluation(&call);
    let used = used.expect("a prompt");
    assert_eq!(
        (&used.text, &used.evaluation, &used.diagnostics),
        (
            &hydration.text,
            &hydration.evaluation,
            &hydration.diagnostics
        )
    );
    let text = state.to_string();
    let borrowed: StateRef<'_> = serde_json::from_str(&text).expect("a state");
    let call = Call {
        state: &borrowed,
        route,
        seed,
    };
    assert_eq!(
        engine.hydrate_text(&call).expect("a prompt"),
        hydration.text
    );
    hydration.text
}
