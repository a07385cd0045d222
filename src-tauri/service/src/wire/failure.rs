//! A failure for the page: code, message, position.

use promptdeck_core::control_chars;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::saturating::saturating_u32;

/// A failure in one line with a stable code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Failure {
    /// Stable code in `snake_case`, on which the page may act.
    pub code: String,
    /// One line: what, where and the way out.
    pub message: String,
    /// The message without the name that it is about, for a place that shows the name itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// Name of the file, if the failure concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub file: Option<String>,
    /// JSON pointer into the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pointer: Option<String>,
    /// Line in the file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
    /// Column in the line, in characters, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub column: Option<u32>,
    /// The lines around the position, for a text that is not open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub excerpt: Option<Box<Excerpt>>,
}

/// Some lines of a text around a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Excerpt {
    /// Number of the first line, from 1.
    pub first: u32,
    /// The lines, long ones cut around the position.
    pub lines: Vec<String>,
    /// Column of the position in its line as it is cut, in characters, from 1.
    pub column: u32,
}

/// How many lines an excerpt has before and after that of the position.
const LINES_AROUND: usize = 6;
/// How many characters of a line an excerpt has.
const LONGEST_LINE: usize = 160;

impl Excerpt {
    /// The lines around a position; `None` if the text has no such line.
    #[must_use]
    pub fn around(text: &str, line: u32, column: u32) -> Option<Self> {
        let (line, column) = (line as usize, (column as usize).max(1));
        let first = line.saturating_sub(LINES_AROUND).max(1);
        let skipped = column.saturating_sub(LONGEST_LINE / 2);
        let cut = |(number, text): (usize, &str)| -> String {
            let skip = if number == line { skipped } else { 0 };
            let visible = text.trim_end_matches('\r').chars().skip(skip);
            let excerpt: String = visible.take(LONGEST_LINE).collect();
            control_chars::escape_lines(&excerpt).into_owned()
        };
        let numbered = (1..).zip(text.split('\n')).skip(first - 1);
        let lines: Vec<String> = numbered
            .take(line + LINES_AROUND + 1 - first)
            .map(cut)
            .collect();
        (line >= first && lines.len() > line - first).then(|| Self {
            first: saturating_u32(first),
            lines,
            column: saturating_u32(column - skipped),
        })
    }
}

impl Failure {
    /// The failure with the lines of the text around its position, if it has one.
    #[must_use]
    pub fn with_excerpt(mut self, text: &str) -> Self {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            self.excerpt = Excerpt::around(text, line, column).map(Box::new);
        }
        self
    }

    /// A failure without a position in a file. The message may contain foreign names; characters in
    /// it that are invisible or change the text direction are escaped.
    #[must_use]
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: control_chars::escape_lines(&message.into()).into_owned(),
            reason: None,
            file: None,
            pointer: None,
            line: None,
            column: None,
            excerpt: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_has_the_lines_around_and_is_cut_around_the_column() {
        let text: String = (1..=20)
            .map(|number| format!("line {number}\r\n"))
            .collect();
        let found = Excerpt::around(&text, 10, 3).expect("an excerpt");
        assert_eq!((found.first, found.column), (4, 3));
        assert_eq!(
            (found.lines.len(), found.lines[6].as_str()),
            (13, "line 10")
        );
        let found = Excerpt::around("{\"a\": [1", 1, 10).expect("an excerpt");
        assert_eq!(
            (found.first, found.lines.as_slice(), found.column),
            (1, ["{\"a\": [1".to_owned()].as_slice(), 10)
        );
        let long = "é".repeat(1000) + "!";
        let found = Excerpt::around(&long, 1, 1001).expect("an excerpt");
        assert_eq!(
            found.lines[0].chars().nth(found.column as usize - 1),
            Some('!')
        );
        assert_eq!(Excerpt::around("a", 3, 1), None);
    }
}
