//! The few things Python does to a text that Rust does differently: what counts as blank, and how
//! a text is quoted in a message.

use std::fmt::Write as _;

use regex::Regex;

use crate::hydrate::is_blank;

/// `str.rstrip()`.
pub(super) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// `str.lstrip()`.
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// `repr(text)`: quoted, with escapes for what cannot be seen.
pub(super) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    // Beyond ASCII: controls, formats, private and unassigned characters, separators.
    let unprintable = Regex::new(r"[\p{C}\p{Z}]").ok();
    let printable = |character: char| {
        let mut buffer = [0; 4];
        let text = character.encode_utf8(&mut buffer);
        unprintable.as_ref().is_some_and(|set| !set.is_match(text))
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for character in text.chars() {
        let code = u32::from(character);
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            ' '..='~' => out.push(character),
            _ if code > 0x7F && printable(character) => out.push(character),
            _ => {
                let _ = match code {
                    0..=0xFF => write!(out, "\\x{code:02x}"),
                    0x100..=0xFFFF => write!(out, "\\u{code:04x}"),
                    _ => write!(out, "\\U{code:08x}"),
                };
            }
        }
    }
    out.push(quote);
    out
}
