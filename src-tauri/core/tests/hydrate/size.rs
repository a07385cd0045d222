//! The limits on the size of a prompt.

use promptdeck_core::hydrate::{
    Call, Engine, HydrateError, MAX_PROMPT_BYTES, MAX_PROMPT_PIECES, PromptLimit, Roller, Seed,
    State,
};
use promptdeck_core::registry::Registry;
use serde_json::{Value, json};

use super::{deck, required};

fn engine(registry: &Value) -> Engine {
    let map = registry.as_object().expect("an object");
    Engine::new(Registry::from_map(map).expect("a registry"))
}

fn call(state: &State) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::default(),
    }
}

/// All ways to print a prompt agree on whether it is too large.
fn refused(engine: &Engine) -> Option<HydrateError> {
    let state = State::default();
    let call = call(&state);
    let found = engine.hydrate_text(&call).err();
    let mut text = "before".to_owned();
    assert_eq!(engine.hydrate_text_into(&call, &mut text).err(), found);
    if found.is_some() {
        assert_eq!(text, "before");
    }
    assert_eq!(engine.hydrate(&call).err(), found);
    assert_eq!(engine.hydrate_text_with_evaluation(&call).err(), found);
    assert_eq!(engine.hydrate_text_with_gaps(&call, &mut text).err(), found);
    let mut roller = Roller::new(engine, &state, None).expect("the default route");
    let roll = roller.roll(call.seed);
    assert_eq!(roll.too_large(), found.as_ref());
    assert_eq!(roll.text.is_empty(), found.is_some());
    found
}

#[test]
fn a_prompt_has_a_limit_in_bytes() {
    let text = |bytes: usize| {
        let item = json!([{"id": "a", "text": "x".repeat(bytes)}, {"id": "b", "text": "{}"}]);
        engine(&deck(&["a"], json!({"a": required(item)})))
    };
    assert_eq!(refused(&text(MAX_PROMPT_BYTES)), None);
    let entry = Some((0, "a".to_owned()));
    let limit = PromptLimit::Bytes;
    let error = HydrateError::PromptTooLarge { entry, limit };
    assert_eq!(refused(&text(MAX_PROMPT_BYTES + 1)), Some(error.clone()));
    assert_eq!(error.code(), "prompt_too_large");
}

#[test]
fn a_prompt_has_a_limit_in_pieces() {
    // A bullet, an entry and a line break each.
    let entries = 1000;
    let order = |tokens: usize| {
        let item = json!([{"id": "a", "items": vec!["x"; entries]}]);
        engine(&deck(
            &vec!["a.items"; tokens],
            json!({"a": required(item)}),
        ))
    };
    let most = MAX_PROMPT_PIECES / (3 * entries);
    assert_eq!(refused(&order(most)), None);
    let error = refused(&order(most + 1)).expect("too many");
    let message = format!("it is more than {MAX_PROMPT_PIECES} pieces of text");
    assert!(error.to_string().ends_with(&message), "{error}");
}
