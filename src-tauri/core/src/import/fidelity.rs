//! Whitespace that no registry prints: around a prompt, and more than one consecutive blank line.

use promptdeck_python::text::{is_space, strip};

use super::{ConversionStatus, ReportEntry, deck::Variables};
use crate::{
    plural::plural,
    registry::{Position, TextPositions},
};

/// Maximum number of runs of blank lines that are reported.
const MAX_LISTED: usize = 100;

/// A text with its variables filled in.
pub(super) fn filled(text: &str, variables: &Variables) -> String {
    if variables.is_empty() {
        return text.to_owned();
    }
    // Only as far as the longest name reaches, or a row of braces costs its square.
    let longest = variables.keys().map(String::len).max().unwrap_or(0);
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let end = rest.len().min(at + longest + 2);
        let window = &rest.as_bytes()[at + 1..end];
        let length = window.iter().position(|byte| *byte == b'}');
        let name = length.map(|length| &rest[at + 1..at + 1 + length]);
        let known = name.and_then(|name| Some((name, variables.get(name)?)));
        let (replacement, length) = match known {
            Some((name, value)) => (value.as_deref().unwrap_or_default(), name.len() + 2),
            None => ("{", 1),
        };
        filled.push_str(&rest[..at]);
        filled.push_str(replacement);
        rest = &rest[at + length..];
    }
    filled + rest
}

/// The text that a registry prints for a text: trimmed, with at most two newlines in a row.
pub(super) fn printable(text: &str) -> String {
    let mut printed = String::with_capacity(text.len());
    let mut newlines = 0;
    for character in text.chars() {
        newlines = if character == '\n' { newlines + 1 } else { 0 };
        if newlines < 3 {
            printed.push(character);
        }
    }
    strip(&printed).to_owned()
}

/// Reports the bytes of a text that its registry does not print.
pub(super) fn losses(text: &str) -> Vec<ReportEntry> {
    let positions = TextPositions::new(text);
    let start = text.len() - text.trim_start_matches(is_space).len();
    let end = text.trim_end_matches(is_space).len();
    let mut entries = Vec::new();
    if start > 0 {
        let message = format!(
            "{} of whitespace before the prompt: a prompt is trimmed",
            plural(start, "byte")
        );
        entries.push(entry(
            ConversionStatus::NotSupported,
            message,
            positions.at(0),
        ));
    }
    let runs = runs(&text[start..end]);
    for run in runs.iter().take(MAX_LISTED) {
        let message = format!("{} become one", plural(run.newlines - 1, "blank line"));
        let place = positions.at(start + run.offset + 2);
        entries.push(entry(ConversionStatus::NotSupported, message, place));
    }
    if let Some(more) = runs.get(MAX_LISTED) {
        let message = format!("{} more runs of blank lines", runs.len() - MAX_LISTED);
        let place = positions.at(start + more.offset + 2);
        entries.push(entry(ConversionStatus::NotSupported, message, place));
    }
    match &text[end.max(start)..] {
        "" => {}
        "\n" => {
            let message = "the line break that ends the text is not part of the prompt".to_owned();
            entries.push(entry(ConversionStatus::Unread, message, positions.at(end)));
        }
        space => {
            let message = format!(
                "{} of whitespace after the prompt: a prompt is trimmed",
                plural(space.len(), "byte")
            );
            let place = positions.at(end);
            entries.push(entry(ConversionStatus::NotSupported, message, place));
        }
    }
    entries
}

/// Three or more newlines in a row.
struct NewlineRun {
    /// Where the first one stands, in bytes.
    offset: usize,
    newlines: usize,
}

fn runs(text: &str) -> Vec<NewlineRun> {
    let mut runs = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = text[at..].find("\n\n\n") {
        let offset = at + found;
        let newlines = bytes[offset..]
            .iter()
            .take_while(|byte| **byte == b'\n')
            .count();
        runs.push(NewlineRun { offset, newlines });
        at = offset + newlines;
    }
    runs
}

fn entry(status: ConversionStatus, message: String, place: Position) -> ReportEntry {
    ReportEntry {
        status,
        pointer: String::new(),
        message,
        place: Some(place),
    }
}
