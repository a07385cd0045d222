//! Texts and sliders that no assembly order prints.

use promptdeck_core::registry::DataKey;
use serde_json::{Value, json};

use super::{UNREACHED, findings};

/// Expects these texts without an entry: pointer, entry to add, its position.
#[track_caller]
fn unreached(registry: &Value, state: &Value, expected: &[(&str, &str, usize)]) {
    let found = findings(registry, state);
    let found: Vec<_> = found
        .iter()
        .filter(|found| UNREACHED.contains(&found.code.as_str()))
        .map(|found| {
            assert!(found.place.is_some(), "{} has no place", found.pointer);
            let token = found.data.text(DataKey::Insertion).unwrap_or_default();
            let index = found.data.number(DataKey::Index);
            (found.pointer.as_str(), token, index.unwrap_or_default())
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_field_that_no_entry_names() {
    let registry = json!({
        "assembly_order": ["base_context", "personas", "prompt_endings"],
        "base_context": {"items": [{"id": "a", "text": "A."}]},
        "personas": {"items": [
            {"id": "cook", "context": "You cook.", "base_directives": ["Be brief."]},
            {"id": "baker", "context": "You bake.", "base_directives": ["Be warm."], "note": " "},
        ]},
        "prompt_endings": {"items": [{"id": "end", "text": "Go."}]},
    });
    let pointer = "/personas/items/0/base_directives";
    unreached(
        &registry,
        &json!({}),
        &[(pointer, "personas.base_directives", 2)],
    );
}

#[test]
fn an_entry_prints_what_it_names() {
    let registry = json!({
        "assembly_order": ["personas.base_directives", "personas.cook", "rules", "more.items", "sentiment.scale"],
        "personas": {"items": [
            {"id": "cook", "context": "You cook.", "base_directives": ["Be brief."]},
            {"id": "pool", "items": ["a", "b"], "pre_context": "One of:"},
        ]},
        "rules": {"items": [{"id": "r", "items": ["x"], "pre_context": "Rules:"}]},
        "more": {"required": false, "items": [{"id": "m", "items": ["x"]}]},
        "sentiment": {"slider": 3, "items": [{"id": "s", "scale_emotion": "glad"}]},
    });
    unreached(&registry, &json!({}), &[]);
}

#[test]
fn a_slider_that_no_entry_prints() {
    let registry = json!({
        "assembly_order": ["rules", "sentiment"],
        "rules": {"scale_template": "{value} of ten", "items": [{"id": "r", "text": "x"}]},
        "sentiment": {"items": [{"id": "s", "context": "c"}]},
    });
    // A sentiment has a slider whether its author thought of it or not: nothing is said of that.
    unreached(
        &registry,
        &json!({}),
        &[("/rules/scale_template", "rules.scale", 1)],
    );
}

#[test]
fn several_items_print_their_primary_field_alone() {
    let registry = json!({
        "assembly_order": ["rules"],
        "rules": {"required": false, "items": [
            {"id": "a", "text": "A."},
            {"id": "b", "items": ["x"], "pre_context": "B:"},
        ]},
    });
    let expected = [
        ("/rules/items/1/items", "rules.items", 1),
        ("/rules/items/1/pre_context", "rules.items", 1),
    ];
    unreached(&registry, &json!({}), &expected);
    // One item that is rolled is printed as a whole.
    let rolled = json!({"section_random": {"rules": true}});
    unreached(&registry, &rolled, &[]);
}

#[test]
fn a_section_whose_name_no_entry_can_write() {
    let registry = json!({
        "assembly_order": ["a.b"],
        "a": {"items": [{"id": "b", "text": "x", "other": "y"}]},
        "c[d": {"items": [{"id": "b", "text": "x"}]},
    });
    unreached(&registry, &json!({}), &[("/a/items/0/other", "a.other", 1)]);
}

#[test]
fn active_injections_print_themselves() {
    let registry = json!({
        "assembly_order": ["base_context", "runtime_injections.note"],
        "base_context": {"items": [{"id": "a", "text": "A."}]},
        "runtime_injections": {"required": false, "items": [{"id": "i", "text": "x", "note": "y"}]},
    });
    unreached(&registry, &json!({}), &[]);
}
