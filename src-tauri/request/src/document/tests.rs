//! Documents against the schemas of their kinds.

use promptdeck_core::file_kind::CALL_FIELDS;
use promptdeck_json::{explain, unknown_keys};
use serde::de::Error as _;
use serde_json::{Error, Value, json};

use super::DocumentKind;

#[track_caller]
fn check(kind: DocumentKind, document: Value, expected: &[&str]) {
    let found = unknown_keys(&kind.schema(), &document);
    let pointers: Vec<&str> = found
        .iter()
        .map(|unknown| unknown.pointer.as_str())
        .collect();
    assert_eq!(pointers, expected, "{found:?}");
}

#[test]
fn keys_are_looked_for_where_an_object_is_closed() {
    use DocumentKind::{Arguments, Call, ChatInspect, Hydrate, Layers, State};
    check(
        State,
        json!({"sliders": {"any": 1}, "slider": {}}),
        &["/slider"],
    );
    check(
        Hydrate,
        json!({"registry": {"x": 1}, "state": {"selection": {}}, "sede": 1}),
        &["/state/selection", "/sede"],
    );
    check(Arguments, json!({"now": "", "args": {"mine": 1}}), &[]);
    check(
        Layers,
        json!({"turns": [{"type": "x", "y": 1}], "cache": {"nme": ""}}),
        &["/cache/nme"],
    );
    check(
        Call,
        json!({"layers": {"todo": []}, "state": {"slider": {}}, "histroy": []}),
        &["/layers/todo", "/state/slider", "/histroy"],
    );
    check(
        ChatInspect,
        json!({"against": {"modelpath": ""}, "messages": [{"a": 1}]}),
        &["/against/modelpath"],
    );
}

#[test]
fn the_first_wrong_value_is_named_with_what_is_expected() {
    let check = |kind: DocumentKind, document: Value, expected: &str| {
        let refused = Error::custom("refused by the reader");
        let found = explain(&kind.schema(), &document, &refused);
        assert_eq!(found.to_string(), expected, "{document}");
    };
    use DocumentKind::{ChatRender, Hydrate, Policy, State};
    check(
        State,
        json!({"selections": {"a": ["b"]}}),
        "refused by the reader",
    );
    let state = "/selections/a~1b/1: expected a text, found a number";
    check(State, json!({"selections": {"a/b": ["c", 1]}}), state);
    let modes = "/array_modes/a/b: expected a text or null, found true or false";
    check(State, json!({"array_modes": {"a": {"b": true}}}), modes);
    let sliders = "/sliders: expected an object or null, found a list";
    check(State, json!({"sliders": []}), sliders);
    let deep = "/state/sliders/a: expected a number or null, found a text";
    check(Hydrate, json!({"state": {"sliders": {"a": "7"}}}), deep);
    let seed = "/seed: expected an integer, a text or null, found a number";
    check(Hydrate, json!({"seed": 1.5}), seed);
    let missing = "/text: expected a text, found nothing";
    check(Policy, json!({"policy": {}}), missing);
    let messages = "/messages: expected a list, found null";
    check(ChatRender, json!({"messages": null}), messages);
}

#[test]
fn the_fields_of_calls_are_those_of_their_schema() {
    let schema = DocumentKind::Call.schema();
    let fields = schema["properties"].as_object().expect("fields");
    let fields = fields.keys().map(String::as_str);
    let reserved_keys = ["registry", "metadata", "$schema"];
    let fields: Vec<&str> = fields
        .filter(|field| !reserved_keys.contains(field))
        .collect();
    assert_eq!(fields, CALL_FIELDS);
}
