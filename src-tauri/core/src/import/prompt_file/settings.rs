//! The settings of prompt files: names, descriptions, models and what they are called with.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::import::{
    ConversionStatus,
    deck::Deck,
    generation::{is_value_of, wrong_value},
    pointer::pointer,
};

/// Parameters of a model in prompt files, and what a registry calls them.
const PARAMETERS: [(&str, &str); 12] = [
    ("temperature", "temperature"),
    ("topP", "top_p"),
    ("top_p", "top_p"),
    ("topK", "top_k"),
    ("top_k", "top_k"),
    ("maxOutputTokens", "max_tokens"),
    ("max_tokens", "max_tokens"),
    ("maxTokens", "max_tokens"),
    ("max_completion_tokens", "max_tokens"),
    ("frequencyPenalty", ""),
    ("presencePenalty", ""),
    ("stopSequences", ""),
];

/// What a registry has of the settings of a file.
pub(super) struct Settings<'d> {
    pub deck: &'d mut Deck,
    generation: Map<String, Value>,
}

impl<'d> Settings<'d> {
    pub fn new(deck: &'d mut Deck) -> Self {
        Self {
            deck,
            generation: Map::new(),
        }
    }

    /// Takes over a text: the title or the description.
    pub fn text(&mut self, settings: &mut Map<String, Value>, theirs: &str, ours: &str) {
        if let Some(Value::String(text)) = settings.get(theirs) {
            self.deck.set(ours, Value::from(text.as_str()));
            settings.shift_remove(theirs);
        }
    }

    /// Takes over the model.
    pub fn model(&mut self, model: &str) {
        self.generation
            .insert("model".to_owned(), Value::from(model));
    }

    /// Takes over the parameters of the model, and reports those that a registry does not have.
    pub fn parameters(&mut self, parameters: &Map<String, Value>, at: &[&str]) {
        for (theirs, value) in parameters {
            let ours = PARAMETERS.iter().find(|(name, _)| name == theirs);
            let ours = ours.map(|(_, ours)| *ours).filter(|ours| !ours.is_empty());
            let fits = ours.is_some_and(|ours| is_value_of(ours, value));
            match ours {
                Some(ours) if fits => {
                    self.generation.insert(ours.to_owned(), value.clone());
                }
                Some(ours) => {
                    let note = wrong_value(theirs, ours, value);
                    let at = pointer(&[at, &[theirs]].concat());
                    self.deck.report(ConversionStatus::NotSupported, at, note);
                }
                None => self.left_out(&[at, &[theirs]].concat()),
            }
        }
    }

    /// Reports a setting that a registry does not have.
    pub fn left_out(&mut self, at: &[&str]) {
        let name = at.last().copied().unwrap_or_default();
        let note = format!("{name} is not a setting of a registry and is left out");
        self.deck
            .report(ConversionStatus::NotSupported, pointer(at), note);
    }

    /// Puts what is no setting of the model beside the registry.
    pub fn metadata(&mut self, metadata: Map<String, Value>) {
        if let Some(first) = metadata.keys().next() {
            let keys: Vec<&str> = metadata.keys().map(String::as_str).collect();
            let note = format!("beside the registry, in `metadata`: {}", keys.join(", "));
            self.deck
                .report(ConversionStatus::Unread, pointer(&[first]), note);
            self.deck.set_call("metadata", Value::Object(metadata));
        }
    }

    /// Sets the generation settings.
    pub fn finish(self) {
        if !self.generation.is_empty() {
            self.deck.set("generation", Value::Object(self.generation));
        }
    }
}

/// Adds the texts of some values, those of objects by path.
pub(super) fn add_values(values: &mut BTreeMap<String, String>, prefix: &str, value: &Value) {
    let text = match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = if prefix.is_empty() {
                    name.clone()
                } else {
                    format!("{prefix}.{name}")
                };
                add_values(values, &path, value);
            }
            return;
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Null | Value::Array(_) => return,
    };
    values.insert(prefix.to_owned(), text);
}

/// Maximum number of bytes that are searched for values.
const MAX_SEARCHED: usize = 1 << 28;

/// Whether a deck has every value of some inputs in a text of its own. Where the values are too many
/// to search for, it has not.
pub(super) fn has_values(deck: &Deck, inputs: &Value) -> bool {
    let text = deck.text();
    let mut searches = MAX_SEARCHED / text.len().max(1);
    values_are_in(inputs, &text, &mut searches)
}

fn values_are_in(value: &Value, text: &str, searches: &mut usize) -> bool {
    let mut contains = |needle: &str| match searches.checked_sub(1) {
        Some(left) => {
            *searches = left;
            text.contains(needle)
        }
        None => false,
    };
    match value {
        Value::Object(members) => members
            .iter()
            // The name of an input in a list of them.
            .all(|(key, value)| key == "name" || values_are_in(value, text, searches)),
        Value::Array(entries) => entries
            .iter()
            .all(|value| values_are_in(value, text, searches)),
        Value::Null => true,
        Value::String(string) => {
            let quoted = Value::from(string.as_str()).to_string();
            contains(quoted.trim_matches('"'))
        }
        scalar => contains(&scalar.to_string()),
    }
}
