//! A split: where the parts of a prompt begin, and their names.

use promptdeck_python::text::is_space;
use serde::{Deserialize, Serialize};

use crate::registry::{NameFault, ParseCode, ParseError, TextPositions};

/// How a part of a prompt is laid out in its section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A text.
    #[default]
    Text,
    /// A list of entries, with or without a heading. A part that is not such a list becomes a text.
    List,
}

/// A part of a prompt: it ends where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SplitPart {
    /// The name of its section or field.
    pub name: String,
    /// Its first line, counted from 1.
    pub line: u32,
    /// Whether it is a text or a list.
    #[serde(default)]
    pub kind: PartKind,
}

/// Where the parts of a prompt begin, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Split {
    /// The parts, by line.
    pub parts: Vec<SplitPart>,
}

/// Why a split does not fit its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// Without parts.
    #[error("the split has no part; give it one that begins at line 1")]
    NoParts,
    /// More parts than a split may have.
    #[error("the split has {0} parts; the limit is {max}: merge some", max = super::MAX_PARTS)]
    TooManyParts(usize),
    /// The first part begins below the first line with text.
    #[error("line {0} belongs to no part; let the first part begin there")]
    Uncovered(u32),
    /// A part begins where another one does, above it, or below the last line.
    #[error(
        "part {name:?} cannot begin at line {line}; give it a line below the part before it, within the text"
    )]
    WrongLine {
        /// The part.
        name: String,
        /// Its line.
        line: u32,
    },
    /// A part without text.
    #[error("part {name:?} at line {line} holds no text; merge it with another one")]
    Empty {
        /// The part.
        name: String,
        /// Its line.
        line: u32,
    },
    /// A name that no token can refer to.
    #[error("part {name:?} at line {line}: {fault}")]
    Name {
        /// The part.
        name: String,
        /// Its line.
        line: u32,
        /// The fault.
        fault: NameFault,
    },
    /// A reserved name.
    #[error(
        "part {name:?} at line {line}: the name has another meaning in a registry; choose another one"
    )]
    NameTaken {
        /// The part.
        name: String,
        /// Its line.
        line: u32,
    },
    /// Two parts of one name.
    #[error("part {name:?} at line {line}: another part has that name; rename one")]
    NameTwice {
        /// The part.
        name: String,
        /// Its line.
        line: u32,
    },
}

impl SplitError {
    /// The stable code, in snake case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoParts => "split_no_parts",
            Self::TooManyParts(_) => "split_too_many_parts",
            Self::Uncovered(_) => "split_uncovered",
            Self::WrongLine { .. } => "split_wrong_line",
            Self::Empty { .. } => "split_empty_part",
            Self::Name { .. } => "split_name",
            Self::NameTaken { .. } => "split_name_taken",
            Self::NameTwice { .. } => "split_name_twice",
        }
    }

    /// The line the fault is about.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::NoParts | Self::TooManyParts(_) => None,
            Self::Uncovered(line)
            | Self::WrongLine { line, .. }
            | Self::Empty { line, .. }
            | Self::Name { line, .. }
            | Self::NameTaken { line, .. }
            | Self::NameTwice { line, .. } => Some(*line),
        }
    }

    /// The fault as that of a text.
    pub(super) fn located(&self, text: &str) -> ParseError {
        let place = self
            .line()
            .map(|line| TextPositions::new(text).at(line_start(text, line)));
        super::text_input::fault(ParseCode::WrongType, self.to_string(), place)
    }
}

/// The byte offset of a line, counted from 1; the end of a text with fewer lines.
pub(super) fn line_start(text: &str, line: u32) -> usize {
    let mut breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    match line.checked_sub(2) {
        Some(above) => breaks.nth(above as usize).unwrap_or(text.len()),
        None => 0,
    }
}

impl Split {
    /// The split into a single part.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            parts: vec![SplitPart {
                name: FIRST.to_owned(),
                line: 1,
                kind: PartKind::Text,
            }],
        }
    }

    /// Renames a part.
    pub fn rename(&mut self, index: usize, name: &str) {
        if let Some(part) = self.parts.get_mut(index) {
            name.clone_into(&mut part.name);
        }
    }

    /// Moves the first line of a part. The text between belongs to the part before it, or to this one.
    pub fn move_start(&mut self, index: usize, line: u32) {
        if let Some(part) = self.parts.get_mut(index) {
            part.line = line;
        }
    }

    /// Merges a part into the one before it, whose name it takes.
    pub fn merge(&mut self, index: usize) {
        if index > 0 && index < self.parts.len() {
            self.parts.remove(index);
            self.parts[index - 1].kind = PartKind::Text;
        }
    }

    /// Splits the part that a line is in, so that another one begins there.
    pub fn divide(&mut self, line: u32, name: &str) {
        let at = self.parts.partition_point(|part| part.line < line);
        self.parts.insert(
            at,
            SplitPart {
                name: name.to_owned(),
                line,
                kind: PartKind::Text,
            },
        );
    }

    /// The same parts in the text as [`printable`](super::printable) leaves it. A part that would begin
    /// where the one before it does is merged into that.
    #[must_use]
    pub fn in_printable(&self, text: &str) -> Self {
        let begin = text.find(|character| !is_space(character));
        let last = super::printable(text).lines().count().max(1) as u32;
        let mut parts: Vec<SplitPart> = Vec::with_capacity(self.parts.len());
        let mut remaining = self.parts.iter().peekable();
        let (mut line, mut printed, mut newlines) = (1, 1_u32, 0);
        let breaks = text
            .char_indices()
            .map(|(at, character)| (at, character == '\n'));
        for (at, is_break) in breaks.chain([(text.len(), true)]) {
            while let Some(part) = remaining.next_if(|part| part.line <= line) {
                let line = printed.min(last);
                if parts.last().is_none_or(|before| before.line < line) {
                    parts.push(SplitPart {
                        line,
                        ..part.clone()
                    });
                }
            }
            newlines = if is_break { newlines + 1 } else { 0 };
            if is_break {
                line += 1;
                printed += u32::from(newlines < 3 && begin.is_some_and(|begin| begin < at));
            }
        }
        Self { parts }
    }
}

/// The name of the first part, when nothing names it.
pub(super) const FIRST: &str = "base_context";
