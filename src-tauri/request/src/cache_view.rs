//! How much of a request a provider can take from its prompt cache: what it shares with the one
//! before it, from the start, and the first span that changed. For any target, as all of them are
//! texts in spans.

use serde::Serialize;

use super::{
    span::{Span, SpanOrigin, joined},
    tokens::CountTokens,
};

/// How many characters of each side of a change are shown.
const EXCERPT: usize = 60;

/// What two requests share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CacheView {
    /// Unicode scalar values of the shared start.
    pub shared_chars: usize,
    /// Unicode scalar values of the new request.
    pub chars: usize,
    /// Their ratio, from 0 to 1; 1 for an empty request.
    pub share_chars: f64,
    /// Tokens of the shared start.
    pub shared_tokens: usize,
    /// Tokens of the new request.
    pub tokens: usize,
    /// Their ratio, from 0 to 1; 1 for an empty request.
    pub share_tokens: f64,
    /// Where they part; none when they are the same.
    pub first_change: Option<Change>,
}

/// The first difference between two requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Unicode scalar values before it.
    pub at: usize,
    /// Bytes before it, in both texts.
    #[serde(skip)]
    pub at_byte: usize,
    /// What the span is that changed, in the new request; in the old one where the new one ends.
    pub origin: SpanOrigin,
    /// The same in words.
    pub source: String,
    /// An excerpt of the previous text, from the change on.
    pub before: String,
    /// An excerpt of the current text, from the change on.
    pub after: String,
}

/// What a request weighs as it is sent: its characters, as Unicode scalar values, and its tokens.
/// Whoever shows a request's size takes it from here.
#[must_use]
pub fn size(spans: &[Span], counter: &dyn CountTokens) -> (usize, usize) {
    let text = joined(spans);
    (text.chars().count(), counter.count(&text))
}

/// Compares a request with the one before it.
#[must_use]
pub fn compare(before: &[Span], after: &[Span], counter: &dyn CountTokens) -> CacheView {
    let (old, new) = (joined(before), joined(after));
    let shared = shared_bytes(&old, &new);
    let prefix = &new[..shared];
    let (shared_chars, shared_tokens) = (prefix.chars().count(), counter.count(prefix));
    let (chars, tokens) = size(after, counter);
    let first_change = (old != new).then(|| {
        let origin = span_at(after, shared)
            .or_else(|| span_at(before, shared))
            .map_or(SpanOrigin::Glue, |span| span.origin.clone());
        Change {
            at: shared_chars,
            at_byte: shared,
            source: origin.describe(),
            origin,
            before: excerpt(&old[shared..]),
            after: excerpt(&new[shared..]),
        }
    });
    CacheView {
        shared_chars,
        chars,
        share_chars: ratio(shared_chars, chars),
        shared_tokens,
        tokens,
        share_tokens: ratio(shared_tokens.min(tokens), tokens),
        first_change,
    }
}

/// The length of the common start, at a character's boundary.
fn shared_bytes(old: &str, new: &str) -> usize {
    let mut shared = old
        .bytes()
        .zip(new.bytes())
        .take_while(|(old, new)| old == new)
        .count();
    while !new.is_char_boundary(shared) || !old.is_char_boundary(shared) {
        shared -= 1;
    }
    shared
}

fn span_at(spans: &[Span], offset: usize) -> Option<&Span> {
    let mut end = 0;
    spans.iter().find(|span| {
        end += span.text.len();
        offset < end
    })
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn ratio(part: usize, total: usize) -> f64 {
    if total == 0 {
        1.0
    } else {
        part as f64 / total as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(index: usize, text: &str) -> Span {
        let role = "user".to_owned();
        Span::new(text, SpanOrigin::Message { index, role })
    }

    fn check(before: &[Span], after: &[Span], shared: usize, change: Option<(&str, &str, &str)>) {
        let view = compare(before, after, &|text: &str| text.len());
        assert_eq!(view.shared_chars, shared);
        let found = view.first_change.as_ref().map(|change| {
            (
                change.source.as_str(),
                change.before.as_str(),
                change.after.as_str(),
            )
        });
        assert_eq!(found, change);
    }

    #[test]
    fn the_first_changed_span_is_named() {
        let old = [message(0, "hello"), message(1, "world")];
        check(&old, &old, 10, None);
        check(
            &old,
            &[message(0, "hello"), message(1, "word")],
            8,
            Some(("message 2 (user)", "ld", "d")),
        );
        check(
            &old,
            &[message(0, "hello"), message(1, "world"), message(2, "!")],
            10,
            Some(("message 3 (user)", "", "!")),
        );
        check(
            &old,
            &[message(0, "hello")],
            5,
            Some(("message 2 (user)", "world", "")),
        );
        check(&[], &[], 0, None);
    }

    #[test]
    fn a_character_is_never_cut() {
        check(
            &[message(0, "é")],
            &[message(0, "è")],
            0,
            Some(("message 1 (user)", "é", "è")),
        );
    }

    #[test]
    fn shares_are_of_the_new_request() {
        let view = compare(
            &[message(0, "aaaa")],
            &[message(0, "aaaabbbb")],
            &|text: &str| text.len() / 2,
        );
        assert!((view.share_chars - 0.5).abs() < 1e-9);
        assert!((view.share_tokens - 0.5).abs() < 1e-9);
        assert_eq!((view.shared_tokens, view.tokens), (2, 4));
    }

    proptest! {
        #[test]
        fn the_shared_start_is_shared_and_longest(start in "\\PC{0,8}", old in "\\PC{0,8}", new in "\\PC{0,8}") {
            let before = format!("{start}{old}");
            let after = format!("{start}{new}");
            let view = compare(&[message(0, &before)], &[message(0, &after)], &|text: &str| text.len());
            let shared: String = after.chars().take(view.shared_chars).collect();
            prop_assert!(before.starts_with(&shared));
            prop_assert!(view.shared_chars >= start.chars().count());
            prop_assert_eq!(view.first_change.is_none(), before == after);
            let next = (before.chars().nth(view.shared_chars), after.chars().nth(view.shared_chars));
            prop_assert!(next.0 != next.1 || next == (None, None));
        }
    }
}
