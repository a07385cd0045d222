//! A text that arrives in pieces and is passed on without the key.

use crate::secret::Secret;

/// A text of an answer, and how much of it was passed on.
#[derive(Debug, Default)]
pub(crate) struct StreamedText {
    text: String,
    passed: usize,
}

impl StreamedText {
    pub(crate) fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    /// The text since the last call, without the key. The key may arrive in pieces, so until the end
    /// a possible beginning of it waits for the next piece.
    pub(crate) fn pass_on(&mut self, key: Option<&Secret>, is_end: bool) -> &str {
        let from = self.passed;
        let mut withheld = 0;
        if let Some(key) = key.filter(|_| self.text.len() > from) {
            let scrubbed = key.scrub_answer(&self.text[from..]);
            self.text.truncate(from);
            self.text.push_str(&scrubbed);
            if !is_end {
                withheld = key.beginning_at_end(&scrubbed);
            }
        }
        self.passed = self.text.len() - withheld;
        &self.text[from..self.passed]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_arrives_in_pieces_is_never_passed_on() {
        let key = Secret::new("sk-planted-0123456789");
        let mut streamed = StreamedText::default();
        let mut passed = String::new();
        for piece in ["Use sk-pla", "nted-01234", "56789 now, sk-pl"] {
            streamed.push(piece);
            passed.push_str(streamed.pass_on(Some(&key), false));
            assert!(!passed.contains("sk-"), "{passed}");
        }
        passed.push_str(streamed.pass_on(Some(&key), true));
        assert_eq!(passed, "Use [key] now, sk-pl");
        assert_eq!(streamed.as_str(), passed);
        assert_eq!(streamed.pass_on(Some(&key), true), "");
    }
}
