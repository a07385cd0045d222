//! The settings beside the messages of a request.

use serde_json::{Map, Value};

use crate::import::{
    ConversionStatus,
    deck::Deck,
    generation::{is_value_of, wrong_value},
    pointer::pointer,
};

/// Settings of a request with their names in a registry.
const SETTINGS: [(&str, &str); 6] = [
    ("model", "model"),
    ("temperature", "temperature"),
    ("top_p", "top_p"),
    ("top_k", "top_k"),
    ("max_tokens", "max_tokens"),
    ("max_completion_tokens", "max_tokens"),
];

/// Moves the settings that a registry has from the request into the registry.
pub(super) fn convert(body: &mut Map<String, Value>, deck: &mut Deck) {
    let mut generation = Map::new();
    for (theirs, ours) in SETTINGS {
        let Some(value) = body.get(theirs) else {
            continue;
        };
        if generation.contains_key(ours) {
            continue;
        }
        if !is_value_of(ours, value) {
            let note = wrong_value(theirs, ours, value);
            deck.report(ConversionStatus::NotSupported, pointer(&[theirs]), note);
            body.shift_remove(theirs);
            continue;
        }
        if theirs != ours {
            let note = format!("{theirs} is called {ours}");
            deck.report(ConversionStatus::Converted, pointer(&[theirs]), note);
        }
        generation.insert(ours.to_owned(), value.clone());
        body.shift_remove(theirs);
    }
    if !generation.is_empty() {
        deck.set("generation", Value::Object(generation));
    }
}
