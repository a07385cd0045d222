//! Text for people, row by row: tables, lists, messages. Names, reasons and errors come from files
//! and servers, so each row is escaped as a whole when it is added. None of them can start another
//! row, move the cursor or change the text direction. Only prompts and files are written verbatim
//! (`Output::verbatim`).

use std::fmt::{self, Display};

use promptdeck_core::control_chars;

/// Rows that are safe to print on a terminal.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Report(String);

impl Report {
    /// Appends a row.
    pub fn row(&mut self, row: impl Display) {
        self.0.push_str(&control_chars::escape(&row.to_string()));
        self.0.push('\n');
    }

    /// Appends an empty row.
    pub fn gap(&mut self) {
        self.0.push('\n');
    }

    /// Appends coloured text whose parts are already escaped.
    pub fn drawn(&mut self, drawing: &str) {
        self.0.push_str(drawing);
        self.0.push('\n');
    }

    /// The rows, each with its line end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<R: Display> FromIterator<R> for Report {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut report = Self::default();
        for row in rows {
            report.row(row);
        }
        report
    }
}

/// Escapes a name or reason for an aligned column, before its width is measured.
pub fn cell(text: &str) -> String {
    control_chars::escape(text).into_owned()
}

/// One line of a message, escaped when displayed.
pub struct Line<'a>(pub &'a str);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&control_chars::escape(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_row_makes_another() {
        let mut report: Report = ["a\nb", "c\u{1b}[2J"].into_iter().collect();
        report.gap();
        report.row(format_args!("{}: {}", 1, "\u{202e}x\r"));
        assert_eq!(report.as_str(), "a\\nb\nc\\u{1b}[2J\n\n1: \\u{202e}x\\r\n");
    }
}
