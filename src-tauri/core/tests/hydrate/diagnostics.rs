//! What a hydration says is odd about its call.

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Registry;
use serde_json::{Value, json};

use super::required;

/// Expects these remarks, code and pointer, about a call on one section with a list of two entries.
#[track_caller]
fn says(state: Value, expected: &[&str]) {
    let registry = json!({
        "assembly_order": ["a", "a.items", "a.nudges"],
        "a": required(json!([{"id": "x", "items": ["0", "1"]}])),
    });
    let engine = Engine::new(
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry"),
    );
    let state: State = serde_json::from_value(state).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let hydration = engine.hydrate(&call).expect("a prompt");
    let found: Vec<String> = hydration
        .diagnostics
        .iter()
        .map(|found| format!("{} {}", found.code, found.pointer))
        .collect();
    assert_eq!(found, expected, "{:?}", hydration.diagnostics);
}

#[test]
fn odd_calls_are_told() {
    let mode = |mode: &str| json!({"array_modes": {"a": {"items": mode}}});
    says(json!({}), &[]);
    says(
        json!({"selections": {"a": "nobody"}}),
        &["state_unknown_item /a"],
    );
    says(json!({"sliders": {"b": 1}}), &["state_unknown_section "]);
    says(mode("index:1"), &[]);
    says(mode("indices:1,0"), &[]);
    says(mode("random:9"), &[]);
    says(mode("odd"), &["state_mode /a"]);
    says(mode("index:x"), &["state_mode /a"]);
    says(
        mode("index:2"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    says(
        mode("index:-1"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    says(
        mode("indices:0,2"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    says(json!({"array_modes": {"a": {"nudges": "index:7"}}}), &[]);
}
