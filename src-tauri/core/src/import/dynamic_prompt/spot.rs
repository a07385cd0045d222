//! Where a piece of an expanded template was written: the file, and the position in it.

use std::sync::Arc;

use crate::registry::Position;

/// Where a text that is parsed comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// The wildcard file; `None` for the template itself.
    file: Option<Arc<str>>,
    /// Where lines of the text begin: the offset in the text, and the position in the file. An offset
    /// between two is in the line of the first.
    lines: Vec<(usize, Position)>,
    /// Whether the text has the characters of the file, and not those that YAML or JSON decode.
    is_verbatim: bool,
}

/// A position in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// The wildcard file; `None` for the template itself.
    pub file: Option<Arc<str>>,
    /// The position, if it is known.
    pub position: Option<Position>,
}

impl Source {
    /// A text in the template.
    pub fn of_template(lines: Vec<(usize, Position)>) -> Self {
        Self {
            file: None,
            lines,
            is_verbatim: true,
        }
    }

    /// A text in a line of a wildcard file.
    pub fn of_line(file: Arc<str>, start: Position) -> Self {
        Self {
            file: Some(file),
            lines: vec![(0, start)],
            is_verbatim: true,
        }
    }

    /// A decoded text of a YAML or JSON file. Offsets in it are not positions in the file.
    pub fn decoded(file: Arc<str>, start: Option<Position>) -> Self {
        Self {
            file: Some(file),
            lines: start.map(|start| (0, start)).into_iter().collect(),
            is_verbatim: false,
        }
    }

    /// The source of what follows a beginning of its first line.
    pub fn behind(mut self, beginning: &str) -> Self {
        if let (true, Some((_, start))) = (self.is_verbatim, self.lines.first_mut()) {
            start.column += beginning.chars().count() as u32;
        }
        self
    }

    /// Where an offset in the text is.
    pub fn spot(&self, text: &str, offset: usize) -> Spot {
        let line = self.lines.partition_point(|(start, _)| *start <= offset);
        let line = line.checked_sub(1).and_then(|line| self.lines.get(line));
        let position = line.map(|(start, position)| match self.is_verbatim {
            true => Position {
                column: position.column
                    + text.get(*start..offset).unwrap_or_default().chars().count() as u32,
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
