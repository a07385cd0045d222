//! Renders a diagnostic for people: severity, code and message, then the line of the file with the
//! position underlined.

use annotate_snippets::{Level, Renderer};
use promptdeck_core::registry::Severity;

use super::Finding;
use crate::{report::cell, snippet};

/// The report of one finding, styled for a terminal.
pub fn report(file: &str, lines: &[&str], finding: &Finding) -> String {
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
    let line = lines.get(place.line as usize - 1).copied();
    let line = line.unwrap_or_default().trim_end_matches('\r');
    let file = cell(file);
    let snippet = snippet::snippet(line, place).path(file.clone());
    let report = Renderer::styled().render(&[title.element(snippet)]);
    // The renderer counts columns from the start of the excerpt it prints.
    let location = format!(
        "{file}:{}:{}",
        place.line,
        snippet::display_column(line, place)
    );
    let real = format!("{file}:{}:{}", place.line, place.column);
    match report.split_once('\n') {
        Some((title, rest)) => format!("{title}\n{}", rest.replacen(&location, &real, 1)),
        None => report,
    }
}
