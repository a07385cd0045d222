//! Estimates token counts where no tokenizer is available. Every result is marked as an estimate.

use super::{TokenCount, TokenCounter};

/// Estimates by character class: long words and numbers are several tokens, scripts without spaces
/// about one per character, a run of white space one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Estimate;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Digits,
    Dense,
    Mark,
    Blank,
}

fn kind(character: char) -> Kind {
    match character {
        ' ' | '\n' | '\r' | '\t' => Kind::Blank,
        '0'..='9' => Kind::Digits,
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => Kind::Dense,
        _ if character.is_alphabetic() => Kind::Word,
        _ if character.is_ascii() => Kind::Mark,
        _ => Kind::Dense,
    }
}

/// Tokens in a run of `length` characters of one class. The divisors are averages over English and
/// German prose and source code, measured with `o200k_base`.
fn run(kind: Kind, length: usize) -> usize {
    match kind {
        Kind::Word => length.div_ceil(8),
        Kind::Digits => length.div_ceil(3),
        Kind::Dense => length,
        Kind::Mark => length.div_ceil(2),
        // A single space belongs to the token of the next word.
        Kind::Blank => usize::from(length > 1),
    }
}

impl TokenCounter for Estimate {
    fn name(&self) -> &'static str {
        "estimate"
    }

    fn first_piece(&self, text: &str) -> usize {
        super::first_lines(text)
    }

    fn divides_at(&self, text: &str, at: usize) -> bool {
        super::divides_lines(text, at)
    }

    fn count(&self, text: &str) -> TokenCount {
        let mut tokens = 0;
        let mut current: Option<(Kind, usize)> = None;
        for character in text.chars() {
            let next = kind(character);
            current = Some(match current {
                Some((kind, length)) if kind == next => (kind, length + 1),
                Some((kind, length)) => {
                    tokens += run(kind, length);
                    (next, 1)
                }
                None => (next, 1),
            });
        }
        if let Some((kind, length)) = current {
            tokens += run(kind, length);
        }
        TokenCount {
            tokens,
            exact: false,
        }
    }
}
