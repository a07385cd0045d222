//! A key that cannot be printed by accident. Where keys are kept is `keys`.

use std::fmt;

/// What stands in a text where a key stood.
const HIDDEN: &str = "[key]";

/// Shorter keys are not searched for in texts: they would hit ordinary words.
const SEARCHABLE: usize = 6;

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

    /// The text with every occurrence of the key taken out, for what a server says back.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SEARCHABLE {
            return text.to_owned();
        }
        text.replace(&self.0, HIDDEN)
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
    }
}
