//! Restores a model's turn from its persisted response: all its parts in order, thoughts and
//! signatures included. The persisting program does not matter: snake case or camel case, JSON text or
//! the list itself, base64 of either alphabet, padded or not.

use serde_json::{Map, Value};

use crate::{
    base64_text::{decode, encode},
    gemini::camel,
};

/// A restored turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Restored {
    /// The parts of all chunks.
    pub parts: Vec<Value>,
    /// Whether one of them carries a signature.
    pub signed: bool,
    /// Signatures that could not be read, and are therefore not sent.
    pub unreadable: usize,
}

/// Why a turn could not be restored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The response is text, but no JSON.
    #[error("raw_response is not JSON: {0}")]
    NotJson(String),
    /// There is JSON, but nothing in it that could be sent.
    #[error("raw_response has no parts")]
    NoParts,
}

/// Restores a turn.
pub fn restore(raw: &Value) -> Result<Restored, RestoreError> {
    let parsed;
    let raw = match raw {
        Value::String(text) => {
            parsed = serde_json::from_str::<Value>(text)
                .map_err(|error| RestoreError::NotJson(error.to_string()))?;
            &parsed
        }
        other => other,
    };
    let chunks = match raw {
        Value::Array(chunks) => chunks.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut restored = Restored::default();
    for part in chunks.iter().flat_map(parts) {
        let part = clean_part(part, &mut restored);
        if part.is_empty() {
            continue;
        }
        match restored.parts.last_mut() {
            Some(last) if is_plain_text(last) && is_plain_text_map(&part) => append(last, &part),
            _ => restored.parts.push(Value::Object(part)),
        }
    }
    if restored.parts.is_empty() {
        return Err(RestoreError::NoParts);
    }
    Ok(restored)
}

/// The parts of a chunk: of its first candidate, or of the content it is itself.
fn parts(chunk: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    let content = chunk
        .pointer("/candidates/0/content")
        .or_else(|| chunk.get("content"))
        .unwrap_or(chunk);
    content
        .get("parts")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
}

/// A part in REST's spelling, what is null left out, its bytes written one way.
fn clean_part(part: &Map<String, Value>, restored: &mut Restored) -> Map<String, Value> {
    let mut clean = camel_map(part);
    if let Some(signature) = clean.get("thoughtSignature") {
        match signature.as_str().and_then(decode) {
            Some(bytes) if !bytes.is_empty() => {
                restored.signed = true;
                let sent = Value::from(encode(&bytes));
                clean.insert("thoughtSignature".to_owned(), sent);
            }
            bytes => {
                restored.unreadable += usize::from(bytes.is_none());
                clean.remove("thoughtSignature");
            }
        }
    }
    if let Some(Value::Object(inline)) = clean.get_mut("inlineData")
        && let Some(bytes) = inline.get("data").and_then(Value::as_str).and_then(decode)
    {
        inline.insert("data".to_owned(), Value::from(encode(&bytes)));
    }
    clean
}

/// What a function was called with, or gave, is the author's own and keeps its spelling.
const OPAQUE: [&str; 2] = ["args", "response"];

fn camel_map(map: &Map<String, Value>) -> Map<String, Value> {
    map.iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| {
            let value = match value {
                Value::Object(inner) if !OPAQUE.contains(&key.as_str()) => {
                    Value::Object(camel_map(inner))
                }
                other => other.clone(),
            };
            (camel(key), value)
        })
        .collect()
}

fn is_plain_text(part: &Value) -> bool {
    part.as_object().is_some_and(is_plain_text_map)
}

fn is_plain_text_map(part: &Map<String, Value>) -> bool {
    part.get("text").is_some_and(Value::is_string)
        && part
            .iter()
            .all(|(key, value)| key == "text" || (key == "thought" && value == &Value::Bool(false)))
}

fn append(last: &mut Value, part: &Map<String, Value>) {
    if let (Some(Value::String(text)), Some(Value::String(more))) =
        (last.get_mut("text"), part.get("text"))
    {
        text.push_str(more);
    }
}
