//! Where a piece of an expanded template was written: the file, and the position in it.

use std::sync::Arc;

use crate::registry::Position;

/// Where a text that is parsed comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The wildcard file; `None` for the template itself.
    file: Option<Arc<str>>,
    /// Offsets in the text with their positions in the file: where its lines begin, and places within
    /// long lines. An offset between two is in the line of the first.
    known: Vec<(usize, Position)>,
    /// Whether the text has the characters of the file, and not those that YAML or JSON decode.
    is_verbatim: bool,
}

/// How many bytes of a line are counted at most to find the column of an offset: from the beginning of a
/// long line, a column for each of its pieces would take quadratic time.
const COUNTED: usize = 4096;

/// A position in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// The wildcard file; `None` for the template itself.
    pub file: Option<Arc<str>>,
    /// The position, if it is known.
    pub position: Option<Position>,
}

impl Source {
    /// A text in the template, whose lines begin at these offsets.
    pub fn of_template(text: &str, lines: Vec<(usize, Position)>) -> Self {
        let source = Self {
            file: None,
            known: lines,
            is_verbatim: true,
        };
        source.with_columns(text)
    }

    /// A text in a line of a wildcard file.
    pub fn of_line(file: Arc<str>, start: Position) -> Self {
        Self {
            file: Some(file),
            known: vec![(0, start)],
            is_verbatim: true,
        }
    }

    /// A decoded text of a YAML or JSON file. Offsets in it are not positions in the file.
    pub fn decoded(file: Arc<str>, start: Option<Position>) -> Self {
        Self {
            file: Some(file),
            known: start.map(|start| (0, start)).into_iter().collect(),
            is_verbatim: false,
        }
    }

    /// The source of the rest of its line, behind a beginning.
    pub fn behind(mut self, beginning: &str, rest: &str) -> Self {
        // Positions further on are those of another text.
        self.known.truncate(1);
        if let (true, Some((_, start))) = (self.is_verbatim, self.known.first_mut()) {
            start.column += characters(beginning);
        }
        self.with_columns(rest)
    }

    /// Adds positions within the long lines of the text.
    fn with_columns(mut self, text: &str) -> Self {
        if !self.is_verbatim {
            return self;
        }
        let lines = std::mem::take(&mut self.known);
        let ends = lines.iter().skip(1).map(|(start, _)| *start);
        for ((start, position), end) in lines.iter().zip(ends.chain([text.len()])) {
            let (mut at, mut position) = (*start, *position);
            self.known.push((at, position));
            while end.saturating_sub(at) > COUNTED {
                let next = text.floor_char_boundary(at + COUNTED);
                position.column += characters(&text[at..next]);
                at = next;
                self.known.push((at, position));
            }
        }
        self
    }

    /// Where an offset in the text is.
    pub fn spot(&self, text: &str, offset: usize) -> Spot {
        let next = self.known.partition_point(|(start, _)| *start <= offset);
        let known = next.checked_sub(1).and_then(|index| self.known.get(index));
        let position = known.map(|(start, position)| match self.is_verbatim {
            true => Position {
                column: position.column + characters(text.get(*start..offset).unwrap_or_default()),
                ..*position
            },
            false => *position,
        });
        Spot {
            file: self.file.clone(),
            position,
        }
    }
}

fn characters(text: &str) -> u32 {
    text.chars().count() as u32
}

impl Spot {
    /// A message about what is here, and its position in the file that is imported. That is
    /// `reference`, if that file refers to the one that this is in: the message then names both.
    pub fn located(
        &self,
        message: String,
        reference: Option<Position>,
    ) -> (String, Option<Position>) {
        let (Some(file), Some(_)) = (&self.file, reference) else {
            return (message, self.position);
        };
        let message = match self.position {
            None => format!("{file}: {message}"),
            Some(Position { line, column }) => {
                format!("{file}: line {line}, column {column}: {message}")
            }
        };
        (message, reference)
    }
}

/// A text that is parsed: where its pieces are is counted from `begin`.
#[derive(Clone, Copy)]
pub(super) struct SourceText<'t> {
    pub text: &'t str,
    pub begin: usize,
    pub source: &'t Source,
}

impl SourceText<'_> {
    /// Where a piece is that begins there.
    pub fn spot(self, at: usize) -> Spot {
        self.source.spot(self.text, self.begin + at)
    }
}
