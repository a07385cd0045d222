//! Keys of a foreign document that are probably misspelled, so that their values are not converted.

use promptdeck_json::{nearest::nearest, push_step};
use serde_json::{Map, Value};

use super::{ConversionStatus, deck::Deck};

/// Maximum number of unknown keys of a document that are compared with known ones.
const MAX_COMPARED: usize = 1000;

/// Finds the misspelled keys of one document.
#[derive(Default)]
pub(super) struct MisspelledKeys {
    compared: usize,
}

impl MisspelledKeys {
    /// Reports the keys of the object at a pointer that are not among the `known` ones but similar to
    /// one that the object lacks; returns them.
    pub fn report(
        &mut self,
        deck: &mut Deck,
        object: &Map<String, Value>,
        at: &str,
        known: &[&str],
    ) -> Vec<String> {
        let mut found = Vec::new();
        let unknown = object.keys().filter(|key| !known.contains(&key.as_str()));
        for key in unknown.take(MAX_COMPARED - self.compared) {
            self.compared += 1;
            let missing = known.iter().filter(|known| !object.contains_key(**known));
            if let Some(suggestion) = nearest(key, missing.copied()) {
                let note = format!("{key:?} is not read; did you mean {suggestion:?}?");
                let mut pointer = at.to_owned();
                push_step(&mut pointer, key);
                deck.report(ConversionStatus::NotSupported, pointer, note);
                found.push(key.clone());
            }
        }
        found
    }
}
