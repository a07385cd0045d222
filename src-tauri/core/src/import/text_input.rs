//! Texts from outside, within bounds.

use promptdeck_python::text::is_space;

use crate::registry::{DiagnosticData, ParseCode, ParseError, Position, TextPositions};

/// How large a prompt, a template or a wildcard file may be, in bytes.
pub const MAX_TEXT: usize = 16 << 20;

/// The text in some bytes, without the byte order mark that some editors write before it.
///
/// # Errors
///
/// Bytes that are not UTF-8, with the position, texts larger than [`MAX_TEXT`], and texts of white
/// space only.
pub fn read(bytes: &[u8]) -> Result<&str, ParseError> {
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
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_blank(text) {
        let message = "the text is empty: there is nothing to import".to_owned();
        return Err(fault(ParseCode::Syntax, message, None));
    }
    Ok(text)
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
