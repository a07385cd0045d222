//! Bounds on a JSON text, checked in one pass before anything is built from it: its size, how many
//! values it holds, and what kind of value it is. What it costs to build is bounded by the first two.

use memchr::memchr2;

use super::{DataKey, DiagnosticData, ParseCode, json::JsonFault};

/// How large a JSON text may be, in bytes.
pub const MAX_BYTES: usize = 128 << 20;

/// How many values a JSON text may hold. A value takes up to some hundred bytes in memory, however
/// short its text is.
pub const MAX_VALUES: usize = 1_000_000;

/// How deep containers may nest.
pub const MAX_DEPTH: usize = 128;

/// The value required at the root of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root<'a> {
    /// Any value.
    Any,
    /// An object; the words name the document, such as "a registry".
    Object(&'a str),
}

/// Rejects a text that is too large, holds too many values, or is of the wrong kind.
pub(super) fn check(bytes: &[u8], root: Root<'_>) -> Result<(), JsonFault> {
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the text has {} bytes; the limit is {} MiB",
            bytes.len(),
            MAX_BYTES >> 20
        );
        return Err(JsonFault::new(ParseCode::TooLarge, 0, message).naming(
            DiagnosticData::of(DataKey::Count, bytes.len()).with(DataKey::Maximum, MAX_BYTES),
        ));
    }
    if let Root::Object(subject) = root {
        object(bytes, subject)?;
    }
    values(bytes, MAX_VALUES)
}

/// Rejects a text that begins as another kind of value than an object.
fn object(bytes: &[u8], subject: &str) -> Result<(), JsonFault> {
    let whitespace = bytes.iter().take_while(|byte| byte.is_ascii_whitespace());
    let start = whitespace.count();
    let found = match bytes.get(start) {
        Some(b'[') => "a list",
        Some(b'"') => "a text",
        Some(b'-' | b'0'..=b'9') => "a number",
        _ => return Ok(()),
    };
    let message = format!("{subject} is a JSON object, not {found}");
    let data = DiagnosticData::of(DataKey::Expected, "an object").with(DataKey::Found, found);
    Err(JsonFault::new(ParseCode::WrongType, start, message).naming(data))
}

/// Rejects a text of too many values. Each value but the first follows a comma or a bracket;
/// in text that is not JSON this is only an estimate, and the parser rejects that anyway.
pub(super) fn values(bytes: &[u8], limit: usize) -> Result<(), JsonFault> {
    if bytes.len() < limit {
        return Ok(());
    }
    let (mut at, mut values, mut depth) = (0, 1_usize, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b',' => values += 1,
            b'[' | b'{' => {
                depth += 1;
                let next = bytes[at + 1..]
                    .iter()
                    .find(|next| !next.is_ascii_whitespace());
                values += usize::from(!matches!(next, Some(b']' | b'}')));
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // The reader names the path to what is nested too deep; it builds nothing beyond it.
        if depth > MAX_DEPTH {
            return Ok(());
        }
        if values > limit {
            let message = format!("the text holds more than {limit} values; split it");
            let data = DiagnosticData::of(DataKey::Maximum, limit);
            return Err(JsonFault::new(ParseCode::TooLarge, at, message).naming(data));
        }
        at += 1;
    }
    Ok(())
}

/// The offset of the quote that closes the string opened at `at`, or the end of the text.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(found) = memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, root: Root<'_>, words: &str) {
        let fault = check(text.as_bytes(), root).expect_err("out of bounds");
        assert!(fault.message.contains(words), "{}", fault.message);
    }

    #[test]
    fn texts_of_too_many_values_are_refused() {
        for (value, count) in [("[],", 1), ("0,", 1), ("{\"a\":0},", 2), ("\"\\\"[,\",", 1)] {
            let fitting = format!("[{}0]", value.repeat((MAX_VALUES - 2) / count - 1));
            assert!(check(fitting.as_bytes(), Root::Any).is_ok(), "{value}");
            let full = format!("[{}0]", value.repeat(MAX_VALUES / count + 1));
            refused(&full, Root::Any, "more than 1000000 values");
        }
        // Commas in a string are no values.
        let text = format!("[\"{}\"]", ",".repeat(MAX_VALUES * 2));
        assert!(check(text.as_bytes(), Root::Any).is_ok());
    }

    #[test]
    fn another_kind_of_value_is_refused_by_its_first_byte() {
        refused(
            " [",
            Root::Object("a state"),
            "a state is a JSON object, not a list",
        );
        refused("\"", Root::Object("a state"), "not a text");
        assert!(check(b"{", Root::Object("a state")).is_ok());
        assert!(check(b"[", Root::Any).is_ok());
    }

    #[test]
    fn strings_that_never_end_do_not_run_over() {
        for end in ["\"", "\"\\", "\"\\\"", "\"\\\\"] {
            let text = format!("{}{end}", " ".repeat(MAX_VALUES));
            assert!(check(text.as_bytes(), Root::Any).is_ok());
        }
    }
}
