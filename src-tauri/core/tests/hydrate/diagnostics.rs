//! What a hydration says is odd about its call.

use promptdeck_core::hydrate::{Call, Engine, Seed, State, StateName, unknown_name};
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
    says(
        json!({"array_modes": {"a": {"nudges": "index:7"}}}),
        &["state_unknown_field /a"],
    );
}

#[test]
fn names_that_mean_nothing_are_told() {
    says(
        json!({"array_modes": {"b": {"items": "all"}}}),
        &["state_unknown_section "],
    );
    says(json!({"sliders": {"a": 1}}), &["state_unknown_slider /a"]);
    says(
        json!({"slider_random": {"a": true}}),
        &["state_unknown_slider /a"],
    );
    for key in ["v", "a::v", "b::v"] {
        let pointer = if key == "a::v" { "/a" } else { "" };
        says(
            json!({"template_vars": {key: "x"}}),
            &[&format!("state_unknown_variable {pointer}")],
        );
    }
}

/// A slider is there when a section says so, or when any assembly order prints it.
#[test]
fn sliders_that_show_are_none_of_them() {
    let check = |order: &str, section: Value, known: bool| {
        let mut section = section;
        section["items"] = json!([{"id": "x", "text": "X"}]);
        let registry = json!({
            "assembly_order": ["a"],
            "routes": {"r": {"assembly_order": [order]}},
            "a": section,
        });
        let registry = Registry::from_map(registry.as_object().expect("an object"));
        let name = StateName::Slider { section: "a" };
        let found = unknown_name(&registry.expect("a registry"), name);
        assert_eq!(found.is_none(), known, "{order} {section}");
    };
    check("a", json!({}), false);
    check("a.text", json!({}), false);
    check("a.scale", json!({}), true);
    check("b[a.scale]", json!({}), true);
    check("a", json!({"slider": 1}), true);
    check("a", json!({"slider_random": false}), true);
    check("a", json!({"scale_template": "{value}"}), true);
}
