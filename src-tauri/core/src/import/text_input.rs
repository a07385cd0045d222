//! Texts from outside, within bounds, with the line ends of a prompt.

use std::{borrow::Cow, ops::Deref};

use promptdeck_python::text::is_space;
use serde_json::Value;

use super::{ConversionStatus, ReportEntry};
use crate::{
    plural::plural,
    registry::{DiagnosticData, ParseCode, ParseError, Position, TextPositions},
};

/// How large a prompt, a template or a wildcard file may be, in bytes.
pub const MAX_TEXT: usize = 16 << 20;

/// A text whose lines end in `\n`.
#[derive(Debug)]
pub struct TextInput<'b> {
    text: Cow<'b, str>,
    /// How many other line ends it had.
    converted: usize,
}

impl TextInput<'_> {
    /// Whether it had other line ends.
    #[must_use]
    pub fn converted(&self) -> bool {
        self.converted > 0
    }

    /// The entry of a report about other line ends, if it had any.
    pub(super) fn entry(&self) -> Option<ReportEntry> {
        let mut entry = converted_entry(self.converted)?;
        // The first line ends as the others do.
        let end = self.text.find('\n').unwrap_or(0);
        entry.place = Some(TextPositions::new(&self.text[..end]).at(end));
        Some(entry)
    }
}

impl Deref for TextInput<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The text in some bytes, without the byte order mark that some editors write before it. As in Python,
/// `\r\n` and `\r` end a line as `\n` does.
///
/// # Errors
///
/// Bytes that are not UTF-8 and a NUL character, which no text has, with the position; texts larger than
/// [`MAX_TEXT`], and texts of white space only.
pub fn read(bytes: &[u8]) -> Result<TextInput<'_>, ParseError> {
    if bytes.len() > MAX_TEXT {
        let message = format!(
            "the text has {} bytes; the limit is {} MiB: import a part of it",
            bytes.len(),
            MAX_TEXT >> 20
        );
        return Err(fault(ParseCode::TooLarge, message, None));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let place = TextPositions::new(&valid).at(valid.len());
        let message = "this is not UTF-8; save the file as UTF-8".to_owned();
        fault(ParseCode::Encoding, message, Some(place))
    })?;
    if let Some(at) = text.find('\0') {
        let message = "this is not a text: it has a NUL character; choose another file".to_owned();
        let place = TextPositions::new(&text[..at]).at(at);
        return Err(fault(ParseCode::Encoding, message, Some(place)));
    }
    let text = without_bom(text);
    if is_blank(text) {
        let message = "the text is empty: there is nothing to import".to_owned();
        return Err(fault(ParseCode::Syntax, message, None));
    }
    Ok(with_newlines(text))
}

/// A text without the byte order mark that some editors write before it.
#[must_use]
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A text with other line ends converted.
pub(super) fn with_newlines(text: &str) -> TextInput<'_> {
    if !text.contains('\r') {
        return TextInput {
            text: Cow::Borrowed(text),
            converted: 0,
        };
    }
    let whole = text.replace("\r\n", "\r");
    TextInput {
        converted: whole.matches('\r').count(),
        text: Cow::Owned(whole.replace('\r', "\n")),
    }
}

/// Converts other line ends in every text of some values; returns the entry of a report, if there were
/// any.
pub(super) fn convert_newlines<'v>(
    values: impl Iterator<Item = &'v mut Value>,
) -> Option<ReportEntry> {
    converted_entry(values.map(convert_in).sum())
}

fn convert_in(value: &mut Value) -> usize {
    match value {
        Value::String(text) => {
            let input = with_newlines(text);
            let converted = input.converted;
            if let (1.., Cow::Owned(whole)) = (converted, input.text) {
                *text = whole;
            }
            converted
        }
        Value::Array(values) => values.iter_mut().map(convert_in).sum(),
        Value::Object(members) => members.values_mut().map(convert_in).sum(),
        _ => 0,
    }
}

fn converted_entry(converted: usize) -> Option<ReportEntry> {
    (converted > 0).then(|| ReportEntry {
        status: ConversionStatus::Converted,
        pointer: String::new(),
        message: format!(
            "{} with a carriage return (CR LF, as on Windows): the prompt has LF instead",
            plural(converted, "line end")
        ),
        place: None,
    })
}

/// Several texts of a document as one, with a blank line between them.
pub(super) struct JoinedTexts {
    pub text: String,
    /// The number of the line that each text begins with.
    starts: Vec<u32>,
}

impl JoinedTexts {
    pub fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut joined = Self {
            text: String::new(),
            starts: Vec::new(),
        };
        let mut lines: u32 = 0;
        for text in texts {
            if !joined.starts.is_empty() {
                joined.text.push_str("\n\n");
                lines += 2;
            }
            joined.starts.push(lines + 1);
            joined.text.push_str(text);
            lines += with_newlines(text).matches('\n').count() as u32;
        }
        joined
    }

    /// The index of the text that a line belongs to, and the number of the line in that text. The
    /// blank line behind a text counts as its own.
    pub fn locate(&self, line: u32) -> (usize, u32) {
        let index = self.starts.partition_point(|start| *start <= line);
        let index = index.saturating_sub(1);
        let start = self.starts.get(index).copied().unwrap_or(1);
        (index, line - start + 1)
    }
}

/// Whether a text holds nothing that a prompt prints.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The refusal of a text that is no JSON, and so has no pointers.
pub(super) fn fault(code: ParseCode, message: String, place: Option<Position>) -> ParseError {
    ParseError {
        code,
        message,
        pointer: String::new(),
        data: DiagnosticData::none(),
        place,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::import::{Import, SourceKind, dynamic_prompt::Wildcards, import_as};

    fn imported(kind: SourceKind, name: &str, text: &str) -> Import {
        import_as(kind, name, text.as_bytes(), &Wildcards::default()).expect("imported")
    }

    fn line_ends(import: &Import) -> Vec<&str> {
        let messages = import.report.entries.iter().map(|entry| &*entry.message);
        messages.filter(|it| it.contains("line end")).collect()
    }

    /// That a text has the same registry with every line end, and a report that counts them.
    fn check(kind: SourceKind, name: &str, text: &str) {
        let expected = imported(kind, name, text);
        assert_eq!(line_ends(&expected), [""; 0]);
        let count = text.matches('\n').count();
        for end in ["\r\n", "\r"] {
            let found = imported(kind, name, &text.replace('\n', end));
            assert_eq!(found.text, expected.text, "{kind:?} {end:?}");
            assert_eq!(
                line_ends(&found),
                [format!(
                    "{count} line ends with a carriage return (CR LF, as on Windows): the prompt has LF \
                     instead"
                )]
            );
        }
    }

    #[test]
    fn texts_have_newlines_whatever_ends_their_lines() {
        check(
            SourceKind::Plain,
            "a.txt",
            "# Rules\n\n- Be kind.\n- Be brief.\n\nGreet.\n",
        );
        check(
            SourceKind::Jinja,
            "a.j2",
            "Hi {{ name }}.\n{% if x %}\nBye.\n{% endif %}\n",
        );
        check(
            SourceKind::Template,
            "a.txt",
            "{red|blue} house\nby the sea\n\nat {noon|night}\n",
        );
        check(SourceKind::Wildcards, "a.txt", "red\nblue\n");
        check(
            SourceKind::Wildcards,
            "a.yaml",
            "colours:\n  - red\n  - |\n    deep\n    blue\n",
        );
        let prompt_file =
            "---\nname: a\n---\nsystem:\nBe kind.\n\n- One\n- Two\n\nuser:\nHi\nyou\n";
        check(SourceKind::Prompty, "a.prompty", prompt_file);
        let dotprompt = "---\nmodel: a\n---\nBe kind.\n\n- One\n- Two\n";
        check(SourceKind::Dotprompt, "a.prompt", dotprompt);
    }

    #[test]
    fn texts_in_json_have_newlines_too() {
        let check = |kind, document: fn(&str) -> Value| {
            let import = |end| imported(kind, "a.json", &document(end).to_string());
            let (expected, found) = (import("\n"), import("\r\n"));
            assert_eq!(found.text, expected.text, "{kind:?}");
            assert_eq!(line_ends(&expected), [""; 0]);
            assert_eq!(line_ends(&found).len(), 1, "{:?}", found.report);
        };
        check(
            SourceKind::Messages,
            |end| json!({"messages": [{"role": "system", "content": format!("A:{end}- b{end}- c")}]}),
        );
        check(
            SourceKind::Card,
            |end| json!({"name": "Ada", "description": format!("Kind.{end}Brief."), "first_mes": "Hi."}),
        );
        check(
            SourceKind::Lorebook,
            |end| json!({"entries": {"0": {"key": ["a"], "content": format!("One.{end}Two.")}}}),
        );
    }
}
