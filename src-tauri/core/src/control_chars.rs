//! Characters that change how the text around them is displayed instead of being displayed
//! themselves, and how they are written out where a foreign text stands in a message.
//!
//! Names, server messages and reasons come from files and servers. On a terminal an escape sequence
//! in one of them moves the cursor or changes the window's title, a line break forges a row, and a
//! bidirectional override shows another text than is there.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character controls the display: the control characters of ASCII and of Latin-1 (some
/// terminals read U+009B as ESC and `[`), bidirectional controls, line and paragraph separators,
/// and invisible format characters. The joiners that emoji and Indic scripts need are none.
#[must_use]
pub fn is_control(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with every character written out that controls the display: `\n`, `\t`, `\r`, else
/// `\u{1b}`. The result is one line, and escaping it again changes nothing.
///
/// ```
/// use promptdeck_core::control_chars::escape;
/// assert_eq!(escape("red\u{1b}[31m\nrow"), "red\\u{1b}[31m\\nrow");
/// assert_eq!(escape("Zoë 😀"), "Zoë 😀");
/// ```
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_if(text, is_control)
}

/// As [`escape`], but line breaks and tabs stay: for text of many lines that is shown as such.
#[must_use]
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_if(text, |char| {
        !matches!(char, '\n' | '\t') && is_control(char)
    })
}

fn escape_if(text: &str, wanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&wanted) else {
        return Cow::Borrowed(text);
    };
    let mut escaped = String::with_capacity(text.len() + 16);
    escaped.push_str(&text[..first]);
    for char in text[first..].chars() {
        match char {
            _ if !wanted(char) => escaped.push(char),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(char));
            }
        }
    }
    Cow::Owned(escaped)
}

/// A JSON document with the same characters written as `\u` escapes. They can stand only within
/// its strings, so its meaning stays; control characters of ASCII but DEL are escaped there
/// already, and those between its tokens are left alone.
#[must_use]
pub fn escape_json(document: &str) -> Cow<'_, str> {
    let wanted = |char: char| !matches!(char, '\n' | '\r' | '\t') && is_control(char);
    let Some(first) = document.find(wanted) else {
        return Cow::Borrowed(document);
    };
    let mut escaped = String::with_capacity(document.len() + 16);
    escaped.push_str(&document[..first]);
    for char in document[first..].chars() {
        if wanted(char) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(char);
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_written_out() {
        let check = |text: &str, expect: &str| {
            assert_eq!(escape(text), expect, "{text:?}");
            assert_eq!(escape(expect), expect, "again");
        };
        check("", "");
        check("plain — ünï\\n", "plain — ünï\\n");
        check("\u{0}\u{7}\u{8}", "\\u{0}\\u{7}\\u{8}");
        check("a\r\n\tb", "a\\r\\n\\tb");
        check("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}");
        check("\u{7f}\u{85}\u{9b}31m", "\\u{7f}\\u{85}\\u{9b}31m");
        check("\u{202e}gpj.exe\u{2069}", "\\u{202e}gpj.exe\\u{2069}");
        check("a\u{2028}b\u{feff}", "a\\u{2028}b\\u{feff}");
        check(
            "👩\u{200d}🚀 क\u{94d}\u{200d}ष",
            "👩\u{200d}🚀 क\u{94d}\u{200d}ष",
        );
    }

    #[test]
    fn lines_stay_where_they_are_wanted() {
        assert_eq!(escape_lines("a\n\tb\r\u{1b}"), "a\n\tb\\r\\u{1b}");
    }

    #[test]
    fn a_document_means_the_same() {
        let value = serde_json::json!({"a\u{9b}": ["\u{202e}\u{7f}\u{1b}\n", "\u{e0041}"]});
        let document = serde_json::to_string_pretty(&value).expect("JSON");
        let escaped = escape_json(&document);
        assert!(
            escaped
                .chars()
                .all(|char| char == '\n' || !is_control(char))
        );
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).expect("JSON"),
            value
        );
    }
}
