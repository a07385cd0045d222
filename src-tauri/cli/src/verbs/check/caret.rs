//! A diagnostic as people read it: severity, code and message, then the line of the file with the
//! place underlined.

use annotate_snippets::{Level, Renderer};
use promptdeck_core::registry::Severity;

use super::Finding;
use crate::{caret, report::cell};

/// The report of one finding, styled for a terminal.
pub fn report(file: &str, source: &str, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(cell(&finding.message))
        .id(&finding.code);
    let Some(place) = finding.place else {
        let pointer = if finding.pointer.is_empty() { "" } else { ", " };
        let place = cell(&format!("{file}{pointer}{}", finding.pointer));
        return Renderer::styled().render(&[title.element(Level::NOTE.message(place))]);
    };
    let line = source
        .lines()
        .nth(place.line as usize - 1)
        .unwrap_or_default();
    let snippet = caret::snippet(line, place).path(cell(file));
    Renderer::styled().render(&[title.element(snippet)])
}
