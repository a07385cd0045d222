//! Counts the tokens of a request with a counter that the caller passes in.

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
