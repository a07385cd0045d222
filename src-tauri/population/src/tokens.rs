//! Token counts of many similar texts: pieces that can be counted on their own are counted once.

use serde::Serialize;

use crate::{
    common_start::{shared_bytes, shared_end},
    text_hash::text_hash,
};

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

    /// Whether the text before and after a position in bytes can be counted separately, as those of
    /// [`Tokenizer::first_piece`] can. It depends on the bytes beside the position alone.
    fn divides_at(&self, _text: &str, _at: usize) -> bool {
        false
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

    /// How many tokens two texts have less what both have at their ends. Only their difference has a
    /// meaning: it is that of the whole texts.
    pub fn count_differing(&mut self, before: &str, after: &str) -> (u64, u64) {
        let (start, end) = self.shared_pieces(before, after);
        let mut middle = |text: &str| {
            let middle = text.get(start..text.len() - end);
            self.count(middle.unwrap_or(text))
        };
        (middle(before), middle(after))
    }

    /// How many bytes of whole pieces two texts share at their start and at their end.
    fn shared_pieces(&self, before: &str, after: &str) -> (usize, usize) {
        let divides = |text: &str, at: usize| self.tokenizer.divides_at(text, at);
        let (one, other) = (before.as_bytes(), after.as_bytes());
        let shared = shared_bytes(one, other);
        // What follows a division is shared too, so that both texts are divided there.
        let start = (1..shared).rev().find(|at| divides(before, *at));
        let start = start.unwrap_or_default();
        let most = one.len().min(other.len()) - start;
        let shared = shared_end(one, other).min(most);
        let end = (1..shared)
            .rev()
            .find(|end| divides(before, one.len() - *end));
        (start, end.unwrap_or_default())
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

    use proptest::prelude::*;

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

        fn divides_at(&self, text: &str, at: usize) -> bool {
            text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\n')
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

    #[test]
    fn pieces_at_both_ends_are_not_counted() {
        let lines: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let (before, after) = (
            format!("{lines}one\n{lines}"),
            format!("{lines}one two\n{lines}"),
        );
        let words = Words(AtomicU64::new(0));
        let mut memo = TokenMemo::new(&words);
        assert_eq!(memo.count_differing(&before, &after), (1, 2));
        assert_eq!(words.0.load(Ordering::Relaxed), 2);
    }

    proptest! {
        #[test]
        fn texts_differ_as_the_rest_does(
            before in "[ab\n ]{0,12}", after in "[ab\n ]{0,12}", start in "[ab\n ]{0,6}", end in "[ab\n ]{0,6}",
        ) {
            let words = Words(AtomicU64::new(0));
            let mut memo = TokenMemo::new(&words);
            let text = |middle: &str| format!("{start}{middle}{end}");
            let (before, after) = (text(&before), text(&after));
            let difference = |(before, after): (u64, u64)| i128::from(after) - i128::from(before);
            let whole = (memo.count(&before), memo.count(&after));
            prop_assert_eq!(difference(memo.count_differing(&before, &after)), difference(whole));
        }
    }
}
