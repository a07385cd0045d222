//! An engine compiled from an earlier version of its registry prints what one compiled anew does.

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::Registry,
};
use serde_json::{Value, json};

use super::{deck, required};

/// Expects the same of an engine of the next version, made from the one before and anew.
#[track_caller]
fn next(engine: &Engine, registry: Registry, expected: &str) -> Engine {
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let anew = Engine::new(registry.clone());
    let reused = engine.with_registry(registry);
    for engine in [&anew, &reused] {
        assert_eq!(engine.hydrate_text(&call).expect("a prompt"), expected);
        assert_eq!(engine.hydrate(&call).expect("a prompt").text, expected);
    }
    reused
}

fn item(text: &str) -> Value {
    required(json!([{"id": "x", "text": text}]))
}

#[test]
fn what_two_versions_share_is_compiled_once_and_the_rest_again() {
    let registry = deck(
        &["persona", "rules", "end"],
        json!({"rules": item("Be kind."), "end": item("Go.")}),
    );
    let read = |registry: &Value| {
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry")
    };
    let registry = read(&registry);
    let engine = next(
        &Engine::new(Registry::default()),
        registry.clone(),
        "Be kind.\n\nGo.",
    );
    let with = |registry: &Registry, name: &str, value: &Value| {
        registry.with_section(name, value).expect("a section")
    };
    // The text of a section: the orders are shared.
    let registry = with(&registry, "rules", &item("Be brief."));
    let engine = next(&engine, registry.clone(), "Be brief.\n\nGo.");
    // A section that an entry named before it was there, by its alias.
    let persona = required(json!([{"id": "ada", "context": "Ada."}]));
    let registry = with(&registry, "personas", &persona);
    let engine = next(&engine, registry.clone(), "Ada.\n\nBe brief.\n\nGo.");
    // The order.
    let registry = registry.with_entry(None, 0, "end");
    let engine = next(&engine, registry, "Go.\n\nAda.\n\nBe brief.\n\nGo.");
    // The same sections in other places.
    let moved = deck(
        &["persona", "rules", "end"],
        json!({"end": item("Go."), "personas": persona, "rules": item("Be brief.")}),
    );
    next(&engine, read(&moved), "Ada.\n\nBe brief.\n\nGo.");
}
