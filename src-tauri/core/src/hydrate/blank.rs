//! What counts as blank: Python's idea of white space, which is a little wider than Unicode's.

/// Whether Python's `str.isspace` holds: Unicode white space, and U+001C to U+001F.
pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}

/// The text without blanks at either end, as Python's `str.strip` leaves it.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}
