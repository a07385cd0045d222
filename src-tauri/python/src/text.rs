//! White space and the predicates of `str`.

use crate::unicode::{DECIMAL, HIDDEN, XID_CONTINUE, XID_START};

/// `str.isspace` of one character: Unicode's white space and U+001C to U+001F.
///
/// ```
/// use promptdeck_python::text::is_space;
///
/// assert!(is_space('\u{1c}') && is_space('\u{a0}'));
/// assert!(!is_space('\u{200b}'));
/// ```
#[inline]
#[must_use]
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// `str.strip()`.
#[inline]
#[must_use]
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.lstrip()`.
#[inline]
#[must_use]
pub fn lstrip(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// `str.rstrip()`.
#[inline]
#[must_use]
pub fn rstrip(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// `str.isprintable` of one character: whether `repr` writes it as it is.
#[inline]
#[must_use]
pub fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\0'..='\u{a0}' | '\u{ad}' => false,
        // Between the soft hyphen and the combining letters there is nothing else to escape.
        '\u{a1}'..='\u{377}' => true,
        other => !HIDDEN.contains(other),
    }
}

/// `str.isdecimal` of one character: a decimal digit of any script.
#[inline]
#[must_use]
pub fn is_decimal(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_digit(),
        false => character.is_numeric() && DECIMAL.contains(character),
    }
}

/// `str.isidentifier`.
///
/// ```
/// use promptdeck_python::text::is_identifier;
///
/// assert!(is_identifier("größe_2") && is_identifier("_"));
/// assert!(!is_identifier("2nd") && !is_identifier(""));
/// ```
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    let starts = |first: char| match first.is_ascii() {
        true => first == '_' || first.is_ascii_alphabetic(),
        false => XID_START.contains(first),
    };
    let goes_on = |next: char| match next.is_ascii() {
        true => next == '_' || next.is_ascii_alphanumeric(),
        false => XID_CONTINUE.contains(next),
    };
    let mut characters = text.chars();
    characters.next().is_some_and(starts) && characters.all(goes_on)
}
