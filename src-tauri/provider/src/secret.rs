//! An API key that cannot be printed by accident. `keyring` stores and finds keys.

use std::fmt;

use serde_json::Value;

use crate::scrub::{self, HIDDEN};

/// Keys shorter than this, in bytes, are not searched for in messages, where they would match
/// ordinary words.
const SEARCHABLE: usize = 6;

/// Keys shorter than this, in bytes, are not searched for in answers. Keys of local servers are
/// often words such as `ollama` or `lm-studio`, which a model may well write; keys of services are
/// longer.
const SEARCHABLE_IN_ANSWERS: usize = 16;

/// An API key. `Debug` and `Display` hide it, and it is not serializable.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key without surrounding white space, a frequent result of pasting.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the request header and the keyring.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the key is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces every occurrence of the key in a server's message: verbatim, percent-encoded,
    /// escaped or within base64.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SEARCHABLE {
            return text.to_owned();
        }
        scrub::scrub(&self.0, text)
    }

    /// The same for text that must otherwise stay intact: an answer, an address.
    #[must_use]
    pub fn scrub_answer(&self, text: &str) -> String {
        if self.0.len() < SEARCHABLE_IN_ANSWERS {
            return text.to_owned();
        }
        scrub::scrub(&self.0, text)
    }

    /// Removes the key from every string of a document.
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

    /// Length in bytes of the longest suffix of an unfinished answer that may be the beginning of
    /// the key.
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
