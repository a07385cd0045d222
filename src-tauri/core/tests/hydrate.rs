//! Hydration, as a table: a registry, a state, and the prompt they make.

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State, StateRef},
    registry::Registry,
};
use serde_json::{Map, Value, json};

/// Hydrates in every way there is and checks that all agree.
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

#[test]
fn the_readme_example() {
    let registry = json!({
        "assembly_order": ["output_prompt_directions", "personas.context"],
        "output_prompt_directions": {"required": true, "items": [{"name": "rules", "text": "Be brief."}]},
        "personas": {"required": true, "items": [
            {"id": "shy", "context": "You're nervous about speaking."},
            {"id": "loud", "context": "You're full of energy."},
        ]},
    });
    let state = json!({"selections": {"personas": "loud"}});
    assert_eq!(
        hydrate(&registry, &state, None, 0),
        "Be brief.\n\nYou're full of energy."
    );
}
