//! Rolled text before stable text.

use super::findings;
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint::lint;
use promptdeck_core::registry;
use serde_json::{Value, json};

/// A roll before and between stable text of this length, and the same in a route.
fn rolled_early(stable: usize) -> Value {
    json!({
        "assembly_order": ["die", "base_context", "other_die", "tail"],
        "base_context": {"items": [{"id": "a", "text": "x".repeat(stable - 4)}]},
        "die": {"section_random": true, "items": [{"id": "x", "text": "one"}, {"id": "y", "text": "two"}]},
        "other_die": {"section_random": true, "items": [{"id": "z", "text": "three"}]},
        "tail": {"items": [{"id": "t", "text": "tail"}]},
        "routes": {"r": {"assembly_order": ["base_context", "tail", "die", "other_die"]}},
        "generation": {"unknown": 1},
    })
}

#[test]
fn rolls_before_stable_text_are_one_note_after_all_other_findings() {
    let found = findings(&rolled_early(512), &json!({}));
    let located_codes: Vec<_> = found
        .iter()
        .map(|found| (found.code.as_str(), found.pointer.as_str()))
        .collect();
    assert_eq!(
        located_codes,
        [
            ("setting_unknown", "/generation/unknown"),
            ("random_before_stable", "/assembly_order/0"),
        ]
    );
    assert_eq!(
        found[1].message,
        "rolled text comes before 512 stable characters: moving die, other_die down keeps a longer \
         prefix cacheable"
    );
    let short = findings(&rolled_early(511), &json!({}));
    assert_eq!(short.len(), 1, "{short:?}");
}

#[test]
fn the_order_in_use_is_the_one_that_is_judged() {
    let registry = registry::parse(rolled_early(900).to_string().as_bytes()).expect("a registry");
    let engine = Engine::new(registry.registry);
    let codes = |route| {
        let call = Call {
            state: &State::default(),
            route,
            seed: Seed::default(),
        };
        lint(&engine, &call)
            .iter()
            .any(|found| found.code == "random_before_stable")
    };
    assert_eq!([codes(None), codes(Some("r"))], [true, false]);
}
