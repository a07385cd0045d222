//! The built-in `OpenAI` encodings, counted by `tiktoken`.

use std::sync::LazyLock;

use tiktoken::{CoreBpe, encoding};

use super::{TokenCount, TokenCounter};

/// Longest stretch passed to the encoding at once, in bytes. Merging a piece that the encoding's
/// pattern does not split takes superlinear time, and some texts are a single piece.
const STRETCH: usize = 64 << 10;

/// A built-in encoding. Its tables are loaded on first use and shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tiktoken {
    /// Of GPT-4o and later, and GPT-OSS.
    O200kBase,
    /// Of GPT-3.5 and GPT-4.
    Cl100kBase,
}

impl Tiktoken {
    /// The encoding of that name; `None` if it is not built in.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "o200k_base" => Some(Self::O200kBase),
            "cl100k_base" => Some(Self::Cl100kBase),
            _ => None,
        }
    }

    fn encoding(self) -> &'static CoreBpe {
        // A lookup by name would link every encoding of the crate into the program.
        static O200K_BASE: LazyLock<CoreBpe> = LazyLock::new(encoding::o200k_base);
        static CL100K_BASE: LazyLock<CoreBpe> = LazyLock::new(encoding::cl100k_base);
        match self {
            Self::O200kBase => &O200K_BASE,
            Self::Cl100kBase => &CL100K_BASE,
        }
    }
}

/// Where to split `text`, which is longer than [`STRETCH`], and whether the split preserves the
/// count. In both encodings, a space after a non-space always starts a new piece, so a split before
/// it is exact.
fn cut(text: &str) -> (usize, bool) {
    let bytes = text.as_bytes();
    let free = (1..STRETCH)
        .rev()
        .find(|&at| bytes[at] == b' ' && bytes[at - 1].is_ascii_graphic());
    match free {
        Some(at) => (at, true),
        None => (
            (1..=STRETCH)
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(STRETCH),
            false,
        ),
    }
}

impl TokenCounter for Tiktoken {
    fn name(&self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    fn first_piece(&self, text: &str) -> usize {
        super::first_lines(text)
    }

    fn divides_at(&self, text: &str, at: usize) -> bool {
        super::divides_lines(text, at)
    }

    fn count(&self, text: &str) -> TokenCount {
        let encoding = self.encoding();
        let mut count = TokenCount {
            tokens: 0,
            exact: true,
        };
        let mut rest = text;
        while rest.len() > STRETCH {
            let (at, exact) = cut(rest);
            let tokens = encoding.count(&rest[..at]);
            count = count.plus(TokenCount { tokens, exact });
            rest = &rest[at..];
        }
        let tokens = encoding.count(rest);
        count.plus(TokenCount {
            tokens,
            exact: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_where_it_changes_nothing() {
        let text = "Some words, numbers 12345 and\n\n  indented lines.\t".repeat(4000);
        for encoding in [Tiktoken::O200kBase, Tiktoken::Cl100kBase] {
            let whole = encoding.encoding().count(&text);
            assert_eq!(
                encoding.count(&text),
                TokenCount {
                    tokens: whole,
                    exact: true
                }
            );
        }
    }

    #[test]
    fn texts_of_one_piece_are_counted_nearly() {
        for piece in ["A", " ", "\n", "漢", "\u{0301}", "!"] {
            let text = piece.repeat((200 << 10) / piece.len());
            for encoding in [Tiktoken::O200kBase, Tiktoken::Cl100kBase] {
                let count = encoding.count(&text);
                assert!(!count.exact && count.tokens > 0, "{piece:?}");
            }
        }
    }
}
