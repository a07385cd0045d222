//! Token counts of many similar texts: pieces that can be counted on their own are counted once.

use serde::Serialize;

use crate::text_hash::text_hash;

/// How many counts of pieces a worker remembers, half a megabyte.
const REMEMBERED: usize = 1 << 14;

/// Counts tokens.
pub trait Tokenizer: Sync {
    /// Its name, such as `o200k_base`.
    fn name(&self) -> &str;

    /// Whether its counts are exact.
    fn is_exact(&self) -> bool;

    /// The tokens of a text.
    fn count(&self, text: &str) -> u64;

    /// The length in bytes of the first piece of the text that can be counted on its own: the count
    /// of the whole is the sum of those of the piece and of the rest. The length of the whole text
    /// if it can't be divided.
    fn first_piece(&self, text: &str) -> usize {
        text.len()
    }
}

/// A tokenizer by name, as results name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedTokenizer {
    /// Its name, such as `o200k_base`.
    pub name: String,
    /// Whether its counts are exact.
    pub exact: bool,
}

impl NamedTokenizer {
    pub(crate) fn of(tokenizer: &dyn Tokenizer) -> Self {
        Self {
            name: tokenizer.name().to_owned(),
            exact: tokenizer.is_exact(),
        }
    }
}

/// A tokenizer and the pieces it counted last: a piece takes the place of the one whose hash ends
/// alike.
pub(crate) struct TokenMemo<'t> {
    tokenizer: &'t dyn Tokenizer,
    pieces: Box<[(u128, u64)]>,
}

impl<'t> TokenMemo<'t> {
    pub fn new(tokenizer: &'t dyn Tokenizer) -> Self {
        let mut pieces = vec![(0, 0); REMEMBERED];
        // No piece has this hash in this place.
        if let Some(first) = pieces.first_mut() {
            *first = (1, 0);
        }
        Self {
            tokenizer,
            pieces: pieces.into_boxed_slice(),
        }
    }

    /// The tokens of a text.
    pub fn count(&mut self, text: &str) -> u64 {
        let mut rest = text;
        let mut tokens = 0;
        while !rest.is_empty() {
            let length = self.tokenizer.first_piece(rest).clamp(1, rest.len());
            let Some((piece, after)) = rest.split_at_checked(length) else {
                return tokens + self.tokenizer.count(rest);
            };
            tokens += self.piece(piece);
            rest = after;
        }
        tokens
    }

    fn piece(&mut self, piece: &str) -> u64 {
        let hash = text_hash(piece);
        let place = hash as usize % REMEMBERED;
        let remembered = &mut self.pieces[place];
        if remembered.0 != hash {
            *remembered = (hash, self.tokenizer.count(piece));
        }
        remembered.1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Counts words, line by line.
    struct Words(AtomicU64);

    impl Tokenizer for Words {
        fn name(&self) -> &'static str {
            "words"
        }

        fn is_exact(&self) -> bool {
            true
        }

        fn count(&self, text: &str) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed);
            text.split_whitespace().count() as u64
        }

        fn first_piece(&self, text: &str) -> usize {
            text.find('\n').map_or(text.len(), |at| at + 1)
        }
    }

    #[test]
    fn a_piece_is_counted_once() {
        let words = Words(AtomicU64::new(0));
        let mut memo = TokenMemo::new(&words);
        assert_eq!(memo.count(""), 0);
        assert_eq!(memo.count("one two\nthree\none two\n"), 5);
        assert_eq!(memo.count("three\none two\n"), 3);
        assert_eq!(words.0.load(Ordering::Relaxed), 2);
    }
}
