//! Token counts: one trait, three counters (built-in tiktoken encodings, a given `tokenizer.json`,
//! an estimate), and a cache per text, so that a keystroke recounts only what it changed. No
//! counter returns token ids.

mod cache;
mod estimate;
mod file;
mod tiktoken;

pub use cache::Cached;
pub use estimate::Estimate;
pub use file::{MAX_FILE_BYTES, TokenizerError, TokenizerFile};
pub use tiktoken::Tiktoken;

use serde::Serialize;

/// A token count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TokenCount {
    /// Number of tokens.
    pub tokens: usize,
    /// `false` for an estimate, which must be displayed as one.
    pub exact: bool,
}

impl TokenCount {
    /// The sum of two counts; exact only if both are.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            exact: self.exact && other.exact,
        }
    }
}

/// Counts the tokens of a text.
pub trait TokenCounter: Send + Sync {
    /// Name displayed with a count, such as `o200k_base`.
    fn name(&self) -> &str;

    /// Counts `text` as ordinary text. Never fails.
    fn count(&self, text: &str) -> TokenCount;
}

/// The counter of that name, with a cache: `o200k_base`, `cl100k_base` or `estimate`. `None` for
/// any other name.
#[must_use]
pub fn by_name(name: &str) -> Option<Cached> {
    match name {
        "estimate" => Some(Cached::new(Box::new(Estimate))),
        _ => Tiktoken::by_name(name).map(|encoding| Cached::new(Box::new(encoding))),
    }
}

/// Loads the tables of a counter ahead of its first use, which takes a tenth of a second.
pub fn load(name: &str) {
    if let Some(counter) = Tiktoken::by_name(name) {
        counter.count("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, tokens: usize, exact: bool) {
        let counter = by_name(name).expect("a known name");
        assert_eq!(
            counter.count(text),
            TokenCount { tokens, exact },
            "{name}: {text:?}"
        );
        assert_eq!(
            counter.count(text),
            TokenCount { tokens, exact },
            "{name} again: {text:?}"
        );
    }

    #[test]
    fn counts_of_the_built_in_encodings() {
        check("o200k_base", "", 0, true);
        check("o200k_base", "hello world", 2, true);
        check(
            "o200k_base",
            "The quick brown fox jumps over the lazy dog.",
            10,
            true,
        );
        check("cl100k_base", "hello world", 2, true);
        check("cl100k_base", "tiktoken is great!", 6, true);
        check("cl100k_base", "antidisestablishmentarianism", 6, true);
    }

    #[test]
    fn special_token_text_is_ordinary_text() {
        let counter = by_name("o200k_base").expect("built in");
        assert!(counter.count("<|endoftext|>").tokens > 1);
    }

    #[test]
    fn the_estimate_is_marked_and_near() {
        check("estimate", "", 0, false);
        let text = "The quick brown fox jumps over the lazy dog, twice (2 times).\n".repeat(50);
        let exact = by_name("o200k_base").expect("built in").count(&text).tokens;
        let near = by_name("estimate").expect("built in").count(&text).tokens;
        assert!(
            near * 3 > exact * 2 && near * 2 < exact * 3,
            "{near} against {exact}"
        );
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(by_name("p50k").is_none());
    }

    #[test]
    fn a_sum_is_exact_only_when_both_are() {
        let exact = TokenCount {
            tokens: 2,
            exact: true,
        };
        let near = TokenCount {
            tokens: 3,
            exact: false,
        };
        assert_eq!(
            exact.plus(exact),
            TokenCount {
                tokens: 4,
                exact: true
            }
        );
        assert_eq!(
            exact.plus(near),
            TokenCount {
                tokens: 5,
                exact: false
            }
        );
    }
}
