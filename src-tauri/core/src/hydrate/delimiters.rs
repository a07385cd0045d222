//! Which ranges of an authored text belong to Jinja when a registry turns it on: expressions,
//! statements and comments, delimiters included. Finds them only; rendering is
//! [`crate::request::template`]'s.

use std::ops::Range;

/// The `template_engine` that gives double braces a meaning.
pub const JINJA: &str = "jinja";

/// The ranges, in order. One that is never closed reaches to the end of the text.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(pair) = bytes.get(at..at + 2) {
        let close = match pair {
            b"{{" => b"}}",
            b"{%" => b"%}",
            b"{#" => b"#}",
            _ => {
                at += 1;
                continue;
            }
        };
        let end = end(bytes, at + 2, *close, pair == b"{#");
        ranges.push(at..end);
        at = end;
    }
    ranges
}

/// The end of the range that was opened before `at`; delimiters in quotes don't close it.
fn end(bytes: &[u8], mut at: usize, close: [u8; 2], comment: bool) -> usize {
    let mut quote = None;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(_), b'\\') => at += 1,
            (Some(open), byte) if byte == open => quote = None,
            (None, byte @ (b'"' | b'\'')) if !comment => quote = Some(byte),
            (None, _) if bytes[at..].starts_with(&close) => return at + 2,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::ranges;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = ranges(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn expressions_statements_and_comments() {
        check("", &[]);
        check("{", &[]);
        check("a {b} c", &[]);
        check(
            "{{ a }}{b}{% if c %}{# d #}",
            &["{{ a }}", "{% if c %}", "{# d #}"],
        );
        check(
            "{{ '}}' }} {{ \"%}\\\"}}\" }}",
            &["{{ '}}' }}", "{{ \"%}\\\"}}\" }}"],
        );
        check("{# it's #} {v}", &["{# it's #}"]);
        check("é{{ ü", &["{{ ü"]);
        check("{{ '", &["{{ '"]);
        check("{{ '\\", &["{{ '\\"]);
    }
}
