//! Texts and sliders that no assembly order prints.

use std::time::Instant;

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
fn a_misspelled_field_names_the_field_that_was_meant() {
    let registry = json!({
        "assembly_order": ["rules", "rules.examples", "lost_and_found"],
        "rules": {"section_random": true, "items": [
            {"id": "a", "txet": "A.", "wieght": 3, "exmaples": ["x"], "note": "n", "stars": 3},
            {"id": "b", "text": "B.", "texts": "Two.", "examples": ["y"], "requires": []},
        ]},
        "unnamed": {"items": [{"id": "c", "exclude": []}]},
        "lost_and_found": {"items": [{"id": "d", "text": "D."}]},
    });
    let found = findings(&registry, &json!({}));
    let about_fields: Vec<_> = found
        .iter()
        .filter(|found| found.pointer.split('/').count() == 5)
        .map(|found| {
            let suggestion = found.data.text(DataKey::Suggestion).unwrap_or_default();
            format!(
                "{:?} {} {} {suggestion}",
                found.severity, found.code, found.pointer
            )
        })
        .collect();
    assert_eq!(
        about_fields,
        [
            "Warning unknown_key /rules/items/0/wieght weight",
            "Warning unknown_key /unnamed/items/0/exclude excludes",
            "Warning text_not_in_assembly /rules/items/0/exmaples examples",
            "Warning text_not_in_assembly /rules/items/0/note ",
            // The item that has both a text and texts means two fields.
            "Warning text_not_in_assembly /rules/items/1/texts ",
            "Warning text_not_in_assembly /rules/items/0/txet text",
        ]
    );
    let message = &found
        .iter()
        .find(|found| found.pointer.ends_with("txet"))
        .expect("a finding")
        .message;
    assert_eq!(
        message,
        "no assembly order prints the field \"txet\" of rules.a; rename it to \"text\" if that was \
         meant, add the entry \"rules.txet\", or remove it"
    );
}

#[test]
fn many_unknown_fields_take_no_longer() {
    let fields = |item: usize| {
        let names = (0..100).map(|field| (format!("tex_{item}_{field}"), json!(1)));
        Value::Object(names.collect())
    };
    let items: Vec<Value> = (0..2000).map(fields).collect();
    let registry = json!({"assembly_order": ["rules"], "rules": {"items": items}});
    let started = Instant::now();
    findings(&registry, &json!({}));
    let taken = started.elapsed();
    assert!(taken.as_secs() < 5, "200,000 fields took {taken:?}");
}

#[test]
fn a_slider_that_no_entry_prints() {
    let registry = json!({
        "assembly_order": ["rules", "sentiment"],
        "rules": {"scale_template": "{value} of ten", "items": [{"id": "r", "text": "x"}]},
        "sentiment": {"items": [{"id": "s", "context": "c"}]},
    });
    // A sentiment has a slider whether its author thought of it or not: nothing is reported for it.
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

#[test]
fn an_entry_belongs_above_those_of_the_fields_below_it() {
    let registry = json!({
        "assembly_order": ["intro", "rules.items", "end"],
        "intro": {"items": [{"id": "i", "text": "I."}]},
        "rules": {"items": [
            {"id": "r", "note": "Follow these.", "items": ["a"], "after": "Thanks."},
        ]},
        "end": {"items": [{"id": "e", "text": "E."}]},
    });
    unreached(
        &registry,
        &json!({}),
        &[
            ("/rules/items/0/after", "rules.after", 2),
            ("/rules/items/0/note", "rules.note", 1),
        ],
    );
}

#[test]
fn a_slider_that_is_set_in_the_state() {
    let registry = json!({
        "assembly_order": ["sentiment"],
        "sentiment": {"items": [{"id": "s", "context": "S."}]},
    });
    unreached(&registry, &json!({}), &[]);
    unreached(
        &registry,
        &json!({"sliders": {"sentiment": 7}}),
        &[("/sentiment", "sentiment.scale", 1)],
    );
}

/// The entry that prints the context is named once as the reason.
#[test]
fn fragments_that_an_entry_leaves_out_are_reported_once() {
    let registry = json!({
        "assembly_order": ["personas"],
        "personas": {"items": [{"id": "p", "context": "P.", "fragments": [{"text": "F."}]}]},
    });
    let found = findings(&registry, &json!({}));
    let codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["fragments_not_printed"]);
}

#[test]
fn a_section_that_no_entry_names_has_its_entry() {
    let registry = json!({
        "assembly_order": ["rules", "prompt_endings"],
        "rules": {"items": [{"id": "r", "text": "R."}]},
        "orphan": {"required": false, "items": [{"id": "o", "items": ["O."]}]},
        "prompt_endings": {"items": [{"id": "e", "text": "E."}]},
    });
    let found = findings(&registry, &json!({}));
    let [orphan] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(orphan.code.as_str(), "section_not_rendered");
    assert_eq!(orphan.data.text(DataKey::Insertion), Some("orphan.items"));
    assert_eq!(orphan.data.number(DataKey::Index), Some(1));
}
