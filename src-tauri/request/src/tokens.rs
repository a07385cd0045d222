//! How a request's size in tokens is found: by a counter the caller brings along. No tokenizer
//! lives here.

/// Counts the tokens of a text.
pub trait CountTokens {
    /// How many tokens; never fails.
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize> CountTokens for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}
