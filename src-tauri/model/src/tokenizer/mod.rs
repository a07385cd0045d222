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

    /// The length in bytes of the first piece of `text` that can be counted on its own: the count of
    /// the whole is the sum of those of the piece and of the rest. The length of the whole text
    /// unless the tokenizer is known to never join the two.
    fn first_piece(&self, text: &str) -> usize {
        text.len()
    }

    /// Whether the text before and after a position in bytes can be counted separately, as those of
    /// [`TokenCounter::first_piece`] can. It depends on the bytes beside the position alone.
    fn divides_at(&self, _text: &str, _at: usize) -> bool {
        false
    }
}

/// The length of the first piece for a tokenizer that ends a token after newlines, unless more white
/// space or a slash follows.
fn first_lines(text: &str) -> usize {
    let mut ends = text.match_indices('\n').map(|(newline, _)| newline + 1);
    ends.find(|end| divides_lines(text, *end))
        .unwrap_or(text.len())
}

/// Whether such a tokenizer ends a token at a position.
fn divides_lines(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let newline = at.checked_sub(1).and_then(|before| bytes.get(before));
    let starts_piece = |byte: &u8| byte.is_ascii_graphic() && *byte != b'/';
    newline == Some(&b'\n') && bytes.get(at).is_some_and(starts_piece)
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
        let estimated = by_name("estimate").expect("built in").count(&text).tokens;
        assert!(
            estimated * 3 > exact * 2 && estimated * 2 < exact * 3,
            "{estimated} against {exact}"
        );
    }

    #[test]
    fn pieces_add_up_to_the_whole() {
        // Letters, digits, punctuation and white space in every order around newlines.
        let parts = [
            "a", "Zed", "'s", "7", "123456", "-", "/", "!?", " ", "  ", "\t", "\n", "\n\n", "\r\n",
            "é", "漢", "\u{a0}", ".", "- ", "# ",
        ];
        let mut state = 1_u64;
        let mut next = || {
            // Knuth's multiplier; the upper bits are random enough to shuffle with.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize
        };
        for name in ["o200k_base", "cl100k_base", "estimate"] {
            let counter = by_name(name).expect("a known name");
            for _ in 0..4_000 {
                let text: String = (0..next() % 12)
                    .map(|_| parts[next() % parts.len()])
                    .collect();
                let mut rest = text.as_str();
                let mut sum = 0;
                while !rest.is_empty() {
                    let (piece, after) = rest.split_at(counter.first_piece(rest));
                    sum += counter.count(piece).tokens;
                    rest = after;
                }
                assert_eq!(sum, counter.count(&text).tokens, "{name}: {text:?}");
                for at in (0..=text.len()).filter(|at| counter.divides_at(&text, *at)) {
                    let (one, other) = text.split_at(at);
                    let parts = [one, other].map(|part| counter.count(part).tokens);
                    assert_eq!(sum, parts.iter().sum::<usize>(), "{name}: {text:?} at {at}");
                }
            }
        }
        let counter = by_name("o200k_base").expect("a known name");
        assert_eq!(counter.first_piece("One.\n\nTwo.\n/three"), 6);
        assert_eq!(counter.first_piece("Two.\n/three\n four\n"), 18);
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
        let estimated = TokenCount {
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
            exact.plus(estimated),
            TokenCount {
                tokens: 5,
                exact: false
            }
        );
    }
}
