//! Diagnostics of a hydration about its call.

use promptdeck_core::hydrate::{Call, Engine, Seed, State, StateEntry, entry_fault};
use promptdeck_core::registry::Registry;
use serde_json::{Value, json};

use super::required;

/// Expects these diagnostics, code and pointer, for a call on one section with a list of two
/// entries.
#[track_caller]
fn assert_diagnostics(state: Value, expected: &[&str]) {
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
fn unusual_calls_are_reported() {
    let mode = |mode: &str| json!({"array_modes": {"a": {"items": mode}}});
    assert_diagnostics(json!({}), &[]);
    assert_diagnostics(
        json!({"selections": {"a": "nobody"}}),
        &["state_unknown_item /a"],
    );
    assert_diagnostics(json!({"sliders": {"b": 1}}), &["state_unknown_section "]);
    assert_diagnostics(mode("index:1"), &[]);
    assert_diagnostics(mode("indices:1,0"), &[]);
    assert_diagnostics(mode("random:2"), &[]);
    assert_diagnostics(mode("random:9"), &["state_mode_out_of_range /a"]);
    assert_diagnostics(mode("odd"), &["state_mode /a"]);
    assert_diagnostics(mode("index:x"), &["state_mode /a"]);
    assert_diagnostics(
        mode("index:2"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    assert_diagnostics(
        mode("index:-1"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    assert_diagnostics(
        mode("indices:0,2"),
        &["state_mode_out_of_range /a/items/0/items"],
    );
    assert_diagnostics(
        json!({"array_modes": {"a": {"nudges": "index:7"}}}),
        &["state_unknown_field /a"],
    );
}

#[test]
fn unknown_names_in_a_state_are_reported() {
    assert_diagnostics(
        json!({"array_modes": {"b": {"items": "all"}}}),
        &["state_unknown_section "],
    );
    assert_diagnostics(json!({"sliders": {"a": 1}}), &["state_unknown_slider /a"]);
    assert_diagnostics(
        json!({"slider_random": {"a": true}}),
        &["state_unknown_slider /a"],
    );
    for key in ["v", "a::v", "b::v"] {
        let pointer = if key == "a::v" { "/a" } else { "" };
        assert_diagnostics(
            json!({"template_vars": {key: "x"}}),
            &[&format!("state_unknown_variable {pointer}")],
        );
    }
}

#[test]
fn out_of_range_or_ignored_settings_are_reported() {
    let selected = |ids: Value| json!({"selections": {"a": ids}});
    assert_diagnostics(selected(json!(["x"])), &[]);
    assert_diagnostics(selected(json!(["x", "x"])), &["state_several_items /a"]);
    assert_diagnostics(selected(json!([])), &["state_no_item /a"]);
    let position = |at: f64| json!({"sliders": {"a": at}});
    for (at, odd) in [
        (1.0, None),
        (10.0, None),
        (2.5, Some("state_slider_not_whole /a")),
        (0.5, Some("state_slider_out_of_range /a")),
        (11.0, Some("state_slider_out_of_range /a")),
        (-1.0, Some("state_slider_out_of_range /a")),
    ] {
        let unknown = Some("state_unknown_slider /a");
        let expected: Vec<&str> = unknown.into_iter().chain(odd).collect();
        assert_diagnostics(position(at), &expected);
    }
}

/// An alias means the well-known section only if no section has that exact name.
#[test]
fn the_slider_of_a_section_that_an_alias_hides_is_none() {
    let item = json!([{"id": "x", "text": "X"}]);
    let fault = |extra: Value| {
        let mut registry = json!({
            "assembly_order": ["injections.scale"],
            "static_injections": {"items": item},
        });
        for (name, section) in extra.as_object().expect("an object") {
            registry[name] = section.clone();
        }
        let registry = Registry::from_map(registry.as_object().expect("an object"));
        let section = "static_injections";
        let part = "sliders";
        let fault = entry_fault(
            &registry.expect("a registry"),
            StateEntry::Slider { part, section },
        );
        fault.map(|found| found.code.as_str())
    };
    assert_eq!(fault(json!({})), None);
    let hidden = json!({"injections": {"items": item}});
    assert_eq!(fault(hidden), Some("state_unknown_slider"));
}

/// A slider exists if a section sets it or if an assembly order prints it.
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
        let entry = StateEntry::Slider {
            part: "sliders",
            section: "a",
        };
        let found = entry_fault(&registry.expect("a registry"), entry);
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
