//! What an import changed, and what it could not say.

use serde::Serialize;

use crate::registry::Position;

/// Which program's dialect a registry was read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// The canonical form, as Promptdeck saves and exports it.
    Canonical,
    /// Schema version 22 as promptlibretto 0.5 and 0.6 read it.
    Classic,
    /// Schema version 2 as promptlibretto 0.7 reads it.
    Seven,
    /// Schema version 2 as promptlibretto 0.8 reads it.
    Eight,
}

/// What became of one thing of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It can't be said here: the prompt may differ, in the way the line tells.
    Differs,
    /// Releases of the original program read it in different ways; the line tells whose was taken.
    Disputed,
    /// It is said in other words and prints the same.
    Rewritten,
    /// It is kept as written, and nothing here reads it.
    Kept,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What became of it.
    pub fate: Fate,
    /// JSON pointer into the original, counted from the registry object.
    pub pointer: String,
    /// One line for people.
    pub message: String,
    /// Where it stands in the text that was imported.
    pub place: Option<Position>,
}

/// Everything an import has to tell; no line means that nothing but the form is another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The dialect of the original.
    pub dialect: Dialect,
    /// The gravest first; in the order of the original where they are alike.
    pub lines: Vec<Line>,
}

impl Report {
    /// A report, its lines in order.
    pub(super) fn new(dialect: Dialect, mut lines: Vec<Line>) -> Self {
        lines.sort_by_key(|line| line.fate);
        Self { dialect, lines }
    }

    /// Whether any line is of that kind.
    #[must_use]
    pub fn has(&self, fate: Fate) -> bool {
        self.lines.iter().any(|line| line.fate == fate)
    }
}
