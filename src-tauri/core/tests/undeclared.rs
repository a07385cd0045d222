//! Undeclared names in a prompt: a registry, a call, and the marked ranges.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tables of json! literals read better without borrowing each"
)]

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint::{lint, undeclared_in};
use promptdeck_core::registry;
use serde_json::{Value, json};

/// The marks of the prompt of a registry whose `base_context` is this section, each with the pointer
/// of what lint says of it.
fn marks(section: &Value, tokens: &Value, state: &Value) -> Vec<(String, String)> {
    let registry = json!({"assembly_order": tokens, "base_context": section});
    marks_of(&registry, state)
}

fn engine(registry: &Value) -> Engine {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    Engine::new(parsed.registry)
}

fn call(state: &State) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::default(),
    }
}

fn marks_of(registry: &Value, state: &Value) -> Vec<(String, String)> {
    let engine = engine(registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = call(&state);
    let named_pointers: Vec<String> = lint(&engine, &call)
        .into_iter()
        .filter(|found| {
            ["variable_undeclared", "variable_not_closed"].contains(&found.code.as_str())
        })
        .map(|diagnostic| diagnostic.pointer)
        .collect();
    let hydration = engine.hydrate(&call).expect("a prompt");
    assert!(!hydration.text.is_empty(), "nothing is printed");
    let mut marks = Vec::new();
    for segment in &hydration.segments {
        let Some(source) = &segment.source else {
            continue;
        };
        for name in undeclared_in(engine.registry(), source, &segment.text) {
            assert!(
                named_pointers.contains(&name.pointer),
                "{} of {named_pointers:?}",
                name.pointer
            );
            marks.push((segment.text[name.range].to_owned(), name.pointer));
        }
    }
    marks
}

#[track_caller]
fn check(item: Value, token: &str, expected: &[(&str, &str)]) {
    check_with(item, token, json!({}), expected);
}

#[track_caller]
fn check_with(item: Value, token: &str, state: Value, expected: &[(&str, &str)]) {
    let section = json!({
        "required": true,
        "template_vars": ["venue"],
        "scale_template": "{mood} at {value}.",
        "items": [item],
    });
    let found = marks(&section, &json!([token]), &state);
    let found: Vec<_> = found
        .iter()
        .map(|(name, pointer)| {
            let below = pointer.strip_prefix("/base_context/items/0/");
            (name.as_str(), below.expect("a place in the item"))
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_name_that_nobody_declares_is_marked_with_its_braces() {
    let text = |text: &str| json!({"id": "a", "text": text});
    check(
        text("Live at {venu}, {venue}."),
        "base_context",
        &[("{venu}", "text")],
    );
    check(
        text("{venu}{venue}{été}"),
        "base_context",
        &[("{venu}", "text"), ("{été}", "text")],
    );
    check(
        text("At {the venue}."),
        "base_context",
        &[("{the venue}", "text")],
    );
    check(
        text("{{venu}}: {\"a\": {venu}}"),
        "base_context",
        &[("{{venu}}", "text"), ("{venu}", "text")],
    );
    check(text("At {venue}."), "base_context", &[]);
}

#[test]
fn what_only_looks_like_a_variable_is_not_marked() {
    let text = |text: &str| json!({"id": "a", "text": text});
    check(
        text("{{venue}} {{ venu }} {\"a\": {}} { venu } {1}"),
        "base_context",
        &[],
    );
    check(
        text("{\"venu\": 1, { venu, {1 venu, {{venu"),
        "base_context",
        &[],
    );
    check(text("{ven{venue}u}"), "base_context", &[]);
    // A value set by the caller is not marked.
    check_with(
        text("At {venue}."),
        "base_context",
        json!({"template_vars": {"base_context::venue": "{venu}"}}),
        &[],
    );
    check_with(
        text("{venu}, {venue}."),
        "base_context",
        json!({"template_vars": {"base_context::venue": "{venu}"}}),
        &[("{venu}", "text")],
    );
    // The author did not write a name that a value completes.
    check_with(
        text("{venue}nu}"),
        "base_context",
        json!({"template_vars": {"base_context::venue": "{ve"}}),
        &[],
    );
    // Printed as JSON, of which lint reads only the text.
    check(
        json!({"id": "a", "rules": [{"say": "{venu}"}]}),
        "base_context.rules",
        &[],
    );
    // Fields without substitution have no variables.
    check(
        json!({"id": "a", "name": "{venu}"}),
        "base_context.name",
        &[],
    );
    // The slider's sentence has its own names.
    check(
        json!({"id": "a", "text": "x", "scale_emotion": "{venu}"}),
        "base_context.scale",
        &[],
    );
}

#[test]
fn a_name_whose_brace_is_never_closed_is_marked() {
    let text = |text: &str| json!({"id": "a", "text": text});
    check(
        text("Hello {venue, how are you?"),
        "base_context",
        &[("{venue", "text")],
    );
    check(
        text("{other at {venue}, {venu} and {so on"),
        "base_context",
        &[("{other", "text"), ("{venu}", "text"), ("{so", "text")],
    );
    // Closed later, across a variable's value or a line: not a variable, and not open.
    check(
        text("{if at {venue}} {venue"),
        "base_context",
        &[("{venue", "text")],
    );
    check(text("{if {venue}\n}"), "base_context", &[]);
}

#[test]
fn the_place_is_where_it_was_authored() {
    check(
        json!({"id": "a", "rules": ["one", "{venu}", "{venue} {x}"]}),
        "base_context.rules",
        &[("{venu}", "rules/1"), ("{x}", "rules/2")],
    );
    check(
        json!({"id": "a", "items": ["one"], "pre_context": "In {venu}:"}),
        "base_context.items",
        &[("{venu}", "pre_context")],
    );
    check(
        json!({"id": "a", "text": "A.", "fragments": [{"text": "B."}, {"text": "{venu}"}]}),
        "base_context",
        &[("{venu}", "fragments/1/text")],
    );
}

#[test]
fn an_injected_name_is_marked() {
    let registry = json!({
        "assembly_order": ["base_context"],
        "base_context": {"required": true, "items": [{"text": "A."}]},
        "runtime_injections": {"required": false, "items": [
            {"id": "raid", "text": "At {venu}.", "include_sections": ["base_context"]},
        ]},
    });
    let state = json!({"selections": {"runtime_injections": ["raid"]}});
    let place = "/runtime_injections/items/0/text".to_owned();
    assert_eq!(marks_of(&registry, &state), [("{venu}".to_owned(), place)]);
}

#[test]
fn only_names_that_were_authored_there_and_declared_nowhere_are_reported() {
    let engine = engine(&json!({
        "assembly_order": ["base_context"],
        "base_context": {
            "required": true,
            "template_vars": ["venue"],
            "items": [{"text": "{venu} {venue}"}],
        },
    }));
    let hydration = engine.hydrate(&call(&State::default())).expect("a prompt");
    let source = hydration.segments[0].source.as_ref().expect("a source");
    // The result does not depend on how a piece got its text.
    let undeclared = undeclared_in(engine.registry(), source, "{venue} {venu} {other}");
    let ranges: Vec<_> = undeclared
        .iter()
        .map(|name| (name.range.start, name.range.end))
        .collect();
    assert_eq!(ranges, [(8, 14)]);
}

#[test]
fn of_very_many_names_the_first_thousand_are_reported() {
    let registry = json!({
        "assembly_order": ["base_context"],
        "base_context": {"required": true, "items": [{"text": "{a}".repeat(1001)}]},
    });
    let marks = marks_of(&registry, &json!({}));
    assert_eq!(marks.len(), 1000);
}
