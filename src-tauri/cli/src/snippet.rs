//! Underlines a position in a line. Only the part of the line around the position is examined and
//! printed, however long the line is.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use promptdeck_core::{control_chars, registry::Position};

/// Maximum number of bytes printed on each side of the position.
const AROUND: usize = 160;

/// The escaped line with an underline at the position.
pub fn snippet(line: &str, place: Position) -> Snippet<'static, Annotation<'static>> {
    let (visible, span) = clip(line, underlined(line, place));
    let (visible, span) = escaped(visible, span);
    Snippet::source(visible)
        .line_start(place.line as usize)
        .annotation(AnnotationKind::Primary.span(span))
}

/// Column of the position within the snippet, which may start in the middle of a long line and has
/// escaped characters.
pub fn display_column(line: &str, place: Position) -> usize {
    let (visible, span) = clip(line, underlined(line, place));
    let (visible, span) = escaped(visible, span);
    visible[..span.start].chars().count() + 1
}

/// The same as text for a terminal, printed below an error message.
pub fn beneath(line: &str, place: Position) -> String {
    let group = Group::with_level(Level::ERROR).element(snippet(line, place));
    Renderer::styled().render(&[group])
}

/// Byte range of the JSON value or single character at the position.
fn underlined(line: &str, place: Position) -> Range<usize> {
    let start = line
        .char_indices()
        .nth(place.column.saturating_sub(1) as usize)
        .map_or(line.len(), |(at, _)| at);
    // Text further away is not printed.
    let rest = &line[start..line.floor_char_boundary(start + 2 * AROUND)];
    let is_word = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
    let length = if rest.starts_with('"') {
        string_length(rest)
    } else {
        let word = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
        word.max(rest.chars().next().map_or(0, char::len_utf8))
    };
    start..start + length
}

/// Length of the JSON string at the start of a text, including its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Cuts a long line around a span; returns the cut and the span within it.
fn clip(line: &str, span: Range<usize>) -> (&str, Range<usize>) {
    let from = line.floor_char_boundary(span.start.saturating_sub(AROUND));
    let to = line.ceil_char_boundary((span.start + AROUND).min(line.len()));
    (&line[from..to], span.start - from..span.end.min(to) - from)
}

/// Escapes terminal controls except tabs, which the renderer replaces; returns the text and the
/// span within it.
fn escaped(line: &str, span: Range<usize>) -> (String, Range<usize>) {
    let mut text = String::new();
    let mut ends = [0; 3];
    let parts = [&line[..span.start], &line[span.clone()], &line[span.end..]];
    for (part, end) in parts.into_iter().zip(&mut ends) {
        text.push_str(&control_chars::escape_lines(part));
        *end = text.len();
    }
    (text, ends[0]..ends[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, column: u32, expected: &str) {
        assert_eq!(
            &line[underlined(line, Position { line: 1, column })],
            expected
        );
    }

    #[test]
    fn the_value_at_the_place_is_underlined() {
        check(r#"  "a": "b","#, 3, r#""a""#);
        check(r#"  "a": "b","#, 8, r#""b""#);
        check(r#""say \"no\"", 1"#, 1, r#""say \"no\"""#);
        check(r#"{"n": -1.5e3}"#, 7, "-1.5e3");
        check(r#"{"n": true}"#, 7, "true");
        check("[{}]", 1, "[");
        check("\"é\": né", 6, "n");
        check("é ü", 3, "ü");
        check(r#""not closed"#, 1, r#""not closed"#);
        check("short", 99, "");
    }

    #[test]
    fn the_place_is_found_in_the_escaped_line() {
        let line = "\u{9b}1m \"\u{1b}[2J\" \u{202e}";
        let (text, span) = escaped(line, underlined(line, Position { line: 1, column: 5 }));
        assert_eq!(&text[span], "\"\\u{1b}[2J\"");
        assert_eq!(text, "\\u{9b}1m \"\\u{1b}[2J\" \\u{202e}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}\"here\"{}", "ä".repeat(10_000), "b".repeat(10_000));
        let (visible, span) = clip(
            &line,
            underlined(
                &line,
                Position {
                    line: 1,
                    column: 10_001,
                },
            ),
        );
        assert_eq!(&visible[span], "\"here\"");
        assert!(visible.len() <= 2 * AROUND + 2, "{}", visible.len());
    }
}
