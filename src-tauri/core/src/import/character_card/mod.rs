//! Character cards and lorebooks of `SillyTavern`: cards of versions 1 to 3 in JSON or in a PNG image,
//! books of their own or within a card.
//!
//! <https://github.com/malfoyslastname/character-card-spec-v2>,
//! <https://github.com/kwaroran/character-card-spec-v3>

mod card;
mod entry_fields;
mod lorebook;
mod macros;
mod png;
#[cfg(test)]
mod tests;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::{
    Import, Report, SourceFormat,
    deck::Deck,
    locate,
    text_input::{convert_newlines, fault},
};
use crate::registry::{ParseCode, ParseError, read_json_object};

pub(super) use png::SIGNATURE;

/// The text chunks that hold a card, the newer form first.
const CHUNKS: [&str; 2] = ["ccv3", "chara"];

/// Whether a JSON object is a character card.
pub(super) fn is_card(members: &Map<String, Value>) -> bool {
    let spec = members.get("spec").and_then(Value::as_str);
    spec.is_some_and(|spec| spec.starts_with("chara_card"))
        || ["name", "description", "first_mes"]
            .iter()
            .all(|key| members.get(*key).is_some_and(Value::is_string))
}

/// Whether a JSON object is a lorebook of its own.
pub(super) fn is_lorebook(members: &Map<String, Value>) -> bool {
    let entry = |value: &Value| value.get("content").is_some();
    let spec = members.get("spec").and_then(Value::as_str);
    spec.is_some_and(|spec| spec.starts_with("lorebook"))
        || match members.get("entries") {
            Some(Value::Object(entries)) => entries.values().next().is_some_and(entry),
            Some(Value::Array(entries)) => entries.first().is_some_and(entry),
            _ => false,
        }
}

/// The deck of a character card, in JSON or in a PNG image.
///
/// # Errors
///
/// Images without a card and damaged ones, JSON that a registry's reader rejects, and fields of the
/// wrong type, with their position in the JSON.
pub fn import_card(bytes: &[u8]) -> Result<Import, ParseError> {
    if !bytes.starts_with(SIGNATURE) {
        return converted(
            bytes,
            "a character card",
            SourceFormat::CharacterCard,
            card::convert,
        );
    }
    let (name, text) = png::text_chunk(bytes, &CHUNKS)?;
    let within = |message: String, code| fault(code, format!("text chunk {name}: {message}"), None);
    // Some programs break the lines of a chunk.
    let packed: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let json = STANDARD.decode(&packed).map_err(|error| {
        within(
            format!("not base64 ({error}); save the card again"),
            ParseCode::Syntax,
        )
    })?;
    let read = converted(
        &json,
        "a character card",
        SourceFormat::CharacterCard,
        card::convert,
    );
    // Positions within a chunk of an image mean nothing to its author.
    read.map_err(|error| within(error.to_string(), error.code))
}

/// The deck of a lorebook of its own.
///
/// # Errors
///
/// JSON that a registry's reader rejects, and fields of the wrong type, with their position.
pub fn import_lorebook(bytes: &[u8]) -> Result<Import, ParseError> {
    converted(
        bytes,
        "a lorebook",
        SourceFormat::Lorebook,
        lorebook::convert_alone,
    )
}

/// Reads a JSON object and converts it. Windows line ends in its texts are converted, as
/// `SillyTavern` removes carriage returns from what it sends.
fn converted(
    bytes: &[u8],
    what: &str,
    format: SourceFormat,
    convert: impl Fn(&Map<String, Value>) -> Result<Deck, ParseError>,
) -> Result<Import, ParseError> {
    let (mut members, source_map) = read_json_object(bytes, what)?;
    let line_ends = convert_newlines(members.values_mut());
    let mut deck = convert(&members).map_err(|mut error| {
        error.place = locate(&source_map, &error.pointer);
        error
    })?;
    deck.entries.extend(line_ends);
    for entry in &mut deck.entries {
        entry.place = locate(&source_map, &entry.pointer);
    }
    Ok(Import {
        text: deck.text(),
        report: Report::new(format, std::mem::take(&mut deck.entries)),
    })
}
