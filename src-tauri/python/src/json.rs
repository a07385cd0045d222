//! `json.dumps`: separators, escapes, numbers.

#[cfg(feature = "serde_json")]
mod document;

use std::convert::Infallible;
use std::fmt::Write as _;

#[cfg(feature = "serde_json")]
pub use document::dumps;

use crate::repr;

/// What stands between two items on one line.
pub const ITEM_SEPARATOR: &str = ", ";
/// What stands between two items that begin lines of their own.
pub const ITEM_SEPARATOR_OF_LINES: &str = ",";
/// What stands between a key and its value.
pub const KEY_SEPARATOR: &str = ": ";

/// `json.dumps` of a float, with Python's names for what JSON has no number for.
#[must_use]
pub fn float(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        repr::float(value)
    }
}

/// Appends `json.dumps(text, ensure_ascii=ascii)`.
///
/// ```
/// let mut out = String::new();
/// promptdeck_python::json::push_text("\"é\"", true, &mut out);
/// assert_eq!(out, r#""\"\u00e9\"""#);
/// ```
pub fn push_text(text: &str, ascii: bool, out: &mut String) {
    match try_push_text(text, ascii, out, || Ok::<(), Infallible>(())) {
        Ok(()) => {}
    }
}

/// As [`push_text`], calling `escape` before every character that is written by its code, which
/// takes up to twelve bytes.
///
/// # Errors
/// The error of `escape`, with `out` written up to that character.
pub fn try_push_text<E>(
    text: &str,
    ascii: bool,
    out: &mut String,
    mut escape: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    out.push('"');
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        let escaped = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\0'..='\u{1f}' => "",
            '\u{7f}'.. if ascii => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        plain = at + character.len_utf8();
        if escaped.is_empty() {
            escape()?;
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a text can't fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push_str(escaped);
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
    Ok(())
}
