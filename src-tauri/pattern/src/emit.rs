//! Writes a pattern's tree in the syntax of the `regex` crate. What that cannot say is left to the
//! matcher.

use std::fmt::Write as _;

use super::case_fold::scalar_ranges;
use super::syntax::{Assertion, Category, CategoryKind, Greed, Node, Set};

/// A set with no member.
const NEVER: &str = r"[^\s\S]";
/// Letters, numbers and the underscore: a word character in Python.
pub(super) const WORD: &str = r"\p{L}\p{N}_";
/// The same with the flag for ASCII.
pub(super) const ASCII_WORD: &str = "0-9A-Za-z_";

/// What the written pattern is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Asked only whether there is a match.
    Test,
    /// Asked where the matches are.
    Find,
}

/// `node` as text for `target`; `None` when there is no way to say it.
pub(super) fn emit(node: &Node, target: Target) -> Option<String> {
    let mut writer = Writer {
        out: String::new(),
        target,
    };
    writer.node(node, true)?;
    Some(writer.out)
}

/// A set alone.
pub(super) fn set_text(set: &Set) -> String {
    let mut writer = Writer {
        out: String::new(),
        target: Target::Test,
    };
    writer.set(set);
    writer.out
}

struct Writer {
    out: String,
    target: Target,
}

impl Writer {
    /// `last`: nothing of the pattern comes after this node.
    fn node(&mut self, node: &Node, last: bool) -> Option<()> {
        match node {
            Node::Empty => self.out.push_str("(?:)"),
            Node::Never => self.out.push_str(NEVER),
            Node::Set(set) => self.set(set),
            Node::Assert(assertion) => self.assertion(*assertion, last)?,
            Node::Group(_, inner) => {
                self.out.push_str("(?:");
                self.node(inner, last)?;
                self.out.push(')');
            }
            Node::Concat(nodes) => {
                self.out.push_str("(?:");
                for (index, inner) in nodes.iter().enumerate() {
                    self.node(inner, last && index + 1 == nodes.len())?;
                }
                self.out.push(')');
            }
            Node::Alternation(nodes) => {
                self.out.push_str("(?:");
                for (index, inner) in nodes.iter().enumerate() {
                    if index > 0 {
                        self.out.push('|');
                    }
                    self.node(inner, last)?;
                }
                self.out.push(')');
            }
            Node::Repeat {
                node,
                min,
                max,
                greed,
            } => self.repeat(node, *min, *max, *greed)?,
            _ => return None,
        }
        Some(())
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, greed: Greed) -> Option<()> {
        if greed == Greed::Possessive {
            return None;
        }
        self.out.push_str("(?:");
        self.node(node, false)?;
        self.out.push(')');
        match (min, max) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            (min, None) => {
                let _ = write!(self.out, "{{{min},}}");
            }
            (min, Some(max)) => {
                let _ = write!(self.out, "{{{min},{max}}}");
            }
        }
        if greed == Greed::Lazy {
            self.out.push('?');
        }
        Some(())
    }

    fn assertion(&mut self, assertion: Assertion, last: bool) -> Option<()> {
        let text = match assertion {
            Assertion::TextStart => r"\A",
            Assertion::TextEnd => r"\z",
            Assertion::LineStart => "(?m:^)",
            Assertion::LineEnd => "(?m:$)",
            // At the pattern's end a test may as well take the newline.
            Assertion::TextEndOrLastNewline => match self.target {
                Target::Test if last => r"(?:\n?\z)",
                _ => return None,
            },
            Assertion::WordBoundary { ascii: false } => r"\b",
            Assertion::NotWordBoundary { ascii: false } => r"\B",
            Assertion::WordBoundary { ascii: true } => r"(?-u:\b)",
            // `regex` has no ASCII `\B` on texts that must stay valid UTF-8.
            Assertion::NotWordBoundary { ascii: true } => return None,
        };
        self.out.push_str(text);
        Some(())
    }

    fn set(&mut self, set: &Set) {
        let ranges = scalar_ranges(&set.ranges);
        if set.categories.is_empty() {
            match ranges.as_slice() {
                [] if set.negated => return self.out.push_str("(?s:.)"),
                [] => return self.out.push_str(NEVER),
                [(low, high)] if low == high && !set.negated => return self.character(*low),
                _ => {}
            }
        }
        self.out.push_str(if set.negated { "[^" } else { "[" });
        for (low, high) in ranges {
            self.character(low);
            if low != high {
                self.out.push('-');
                self.character(high);
            }
        }
        for category in &set.categories {
            self.category(*category);
        }
        self.out.push(']');
    }

    /// One character, written so that it means itself in brackets and outside.
    fn character(&mut self, character: char) {
        if character.is_alphanumeric() {
            self.out.push(character);
        } else {
            let _ = write!(self.out, r"\x{{{:X}}}", u32::from(character));
        }
    }

    fn category(&mut self, category: Category) {
        let members = match (category.kind, category.ascii) {
            (CategoryKind::Digit, false) => r"\p{Nd}",
            (CategoryKind::Digit, true) => "0-9",
            (CategoryKind::Space, false) => r"\s\x{1C}-\x{1F}",
            (CategoryKind::Space, true) => r"\x{9}-\x{D}\x{20}",
            (CategoryKind::Word, false) => WORD,
            (CategoryKind::Word, true) => ASCII_WORD,
        };
        let _ = if category.negated {
            write!(self.out, "[^{members}]")
        } else {
            write!(self.out, "{members}")
        };
    }
}
