//! A key that cannot be printed by accident. Where keys are kept is `keys`.

use std::fmt;

use serde_json::Value;

use crate::scrub::{self, HIDDEN};

/// Shorter keys are not searched for in messages: they would hit ordinary words.
const SEARCHABLE: usize = 6;

/// Shorter keys are not searched for in answers: keys of local servers are often words such as
/// `ollama` or `lm-studio`, which a model may well say. Keys of services are longer.
const SEARCHABLE_IN_ANSWERS: usize = 16;

/// An API key. Neither `Debug` nor `Display` shows it, and it is not serializable.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key, without the blanks around it that pasting leaves behind.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the header it is sent in and for the keyring.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A server's message with every occurrence of the key taken out: as it is, percent-encoded,
    /// escaped or within base64.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SEARCHABLE {
            return text.to_owned();
        }
        scrub::scrub(&self.0, text)
    }

    /// The same for a text that is to be kept as it is otherwise: an answer, an address.
    #[must_use]
    pub fn scrub_answer(&self, text: &str) -> String {
        if self.0.len() < SEARCHABLE_IN_ANSWERS {
            return text.to_owned();
        }
        scrub::scrub(&self.0, text)
    }

    /// Takes the key out of every text of a document.
    pub fn scrub_document(&self, document: &mut Value) {
        match document {
            Value::String(text) => {
                let scrubbed = self.scrub_answer(text);
                *text = scrubbed;
            }
            Value::Array(values) => values
                .iter_mut()
                .for_each(|value| self.scrub_document(value)),
            Value::Object(map) => map
                .values_mut()
                .for_each(|value| self.scrub_document(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// How many bytes at the end of an unfinished answer may be the beginning of the key.
    #[must_use]
    pub fn beginning_at_end(&self, text: &str) -> usize {
        if self.0.len() < SEARCHABLE_IN_ANSWERS {
            return 0;
        }
        scrub::beginning_at_end(&self.0, text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_never_printed() {
        let key = Secret::new(" sk-planted-0123 \n");
        assert_eq!(key.expose(), "sk-planted-0123");
        assert_eq!(
            format!("{key} {key:?} {:?}", Some(&key)),
            "[key] [key] Some([key])"
        );
    }

    #[test]
    fn it_is_taken_out_of_texts() {
        let key = Secret::new("sk-planted-0123");
        assert_eq!(
            key.scrub("Incorrect API key: sk-planted-0123."),
            "Incorrect API key: [key]."
        );
        assert_eq!(Secret::new("").scrub("nothing to hide"), "nothing to hide");
        assert_eq!(Secret::new("a").scrub("banana"), "banana");
        assert_eq!(
            Secret::new("ollama").scrub_answer("An ollama is no llama."),
            "An ollama is no llama."
        );
    }
}
