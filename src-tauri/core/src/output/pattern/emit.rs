//! Writes a pattern's tree in the syntax of the `regex` crate, or, where that
//! cannot say it, in that of `fancy-regex`. Groups get numbers only in the
//! second: the first has no use for them.

use std::fmt::Write as _;

use super::fold::scalar_ranges;
use super::syntax::{Assertion, Category, CategoryKind, Greed, Node, Set};

/// A set with no member.
const NEVER: &str = r"[^\s\S]";
/// Letters, numbers and the underscore: a word character in Python.
const WORD: &str = r"\p{L}\p{N}_";
const ASCII_WORD: &str = "0-9A-Za-z_";

/// What the written pattern is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// `regex`, asked only whether there is a match.
    LinearTest,
    /// `regex`, asked where the matches are.
    LinearFind,
    /// `fancy-regex`; with `exact_words`, Python's idea of a word boundary
    /// where it differs from Unicode's.
    Backtracking { exact_words: bool },
}

/// `node` as text for `target`; `None` when `target` has no way to say it.
pub(super) fn emit(node: &Node, target: Target) -> Option<String> {
    let mut writer = Writer {
        out: String::new(),
        target,
        no_inner_places: false,
    };
    writer.node(node, true)?;
    Some(writer.out)
}

/// As [`emit`] for a test on the empty text, where Python finds no `\B`.
pub(super) fn emit_for_empty_text(node: &Node, target: Target) -> Option<String> {
    let mut writer = Writer {
        out: String::new(),
        target,
        no_inner_places: true,
    };
    writer.node(node, true)?;
    Some(writer.out)
}

struct Writer {
    out: String,
    target: Target,
    no_inner_places: bool,
}

impl Writer {
    fn backtracking(&self) -> bool {
        matches!(self.target, Target::Backtracking { .. })
    }

    /// `last`: nothing of the pattern comes after this node.
    fn node(&mut self, node: &Node, last: bool) -> Option<()> {
        match node {
            Node::Empty => self.out.push_str("(?:)"),
            Node::Never => self.out.push_str(NEVER),
            Node::Set(set) => self.set(set),
            Node::Assert(assertion) => self.assertion(*assertion, last)?,
            Node::Group(_, inner) => {
                self.out
                    .push_str(if self.backtracking() { "(" } else { "(?:" });
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
            other => self.backtracking_only(other)?,
        }
        Some(())
    }

    fn backtracking_only(&mut self, node: &Node) -> Option<()> {
        if !self.backtracking() {
            return None;
        }
        match node {
            Node::Look {
                ahead,
                negative,
                node,
            } => {
                self.out.push_str(match (ahead, negative) {
                    (true, false) => "(?=",
                    (true, true) => "(?!",
                    (false, false) => "(?<=",
                    (false, true) => "(?<!",
                });
                self.node(node, false)?;
                self.out.push(')');
            }
            Node::Atomic(inner) => {
                self.out.push_str("(?>");
                self.node(inner, false)?;
                self.out.push(')');
            }
            Node::Backreference { group, ignore_case } => {
                let flag = if *ignore_case { "i" } else { "" };
                let _ = write!(self.out, r"(?{flag}:\{group})");
            }
            Node::Conditional { group, yes, no } => {
                let _ = write!(self.out, "(?({group})");
                self.node(yes, false)?;
                self.out.push('|');
                self.node(no, false)?;
                self.out.push(')');
            }
            _ => return None,
        }
        Some(())
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, greed: Greed) -> Option<()> {
        let possessive = greed == Greed::Possessive;
        if possessive {
            if !self.backtracking() {
                return None;
            }
            self.out.push_str("(?>");
        }
        self.out.push_str("(?:");
        // `fancy-regex` repeats no look-around; for what takes no text, once is as good as often.
        let once = self.backtracking() && node.only_empty();
        if once && min == 0 && greed == Greed::Lazy {
            self.out.push('|');
        }
        self.node(node, false)?;
        if once && min == 0 && greed != Greed::Lazy {
            self.out.push('|');
        }
        self.out.push(')');
        if once {
            self.out.push_str(if possessive { ")" } else { "" });
            return Some(());
        }
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
        match greed {
            Greed::Greedy => {}
            Greed::Lazy => self.out.push('?'),
            Greed::Possessive => self.out.push(')'),
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
                Target::Backtracking { .. } => r"(?=\n?\z)",
                Target::LinearTest if last => r"(?:\n?\z)",
                _ => return None,
            },
            Assertion::NotWordBoundary { .. } if self.no_inner_places => NEVER,
            Assertion::WordBoundary { ascii } => return self.boundary(ascii, true),
            Assertion::NotWordBoundary { ascii } => return self.boundary(ascii, false),
        };
        self.out.push_str(text);
        Some(())
    }

    fn boundary(&mut self, ascii: bool, at: bool) -> Option<()> {
        let spelled_out = match self.target {
            Target::Backtracking { exact_words } => exact_words || ascii,
            _ => false,
        };
        if spelled_out {
            let word = if ascii { ASCII_WORD } else { WORD };
            let _ = if at {
                write!(
                    self.out,
                    "(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))"
                )
            } else {
                write!(
                    self.out,
                    "(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))"
                )
            };
            return Some(());
        }
        self.out.push_str(match (ascii, at) {
            (false, true) => r"\b",
            (false, false) => r"\B",
            (true, true) => r"(?-u:\b)",
            // `regex` has no ASCII `\B` on texts that must stay valid UTF-8.
            (true, false) => return None,
        });
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
