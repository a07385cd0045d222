//! The arguments of function calls, which `OpenAI` sends as a text: read as the JSON object they
//! must be.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Map, Value};

use super::{call::Call, codes, content_parts::place};

/// Arguments that are no JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{pointer}: the arguments of the call of {name:?} are no JSON object ({reason}); write one, such \
     as {{\"city\": \"Rome\"}}"
)]
pub struct BadArguments {
    /// JSON pointer to the arguments, in the call document.
    pub pointer: String,
    /// The function that is called.
    pub name: String,
    /// Why, on one line.
    pub reason: String,
    /// The message, counted from 0.
    pub message: usize,
}

/// The arguments of a call as an object: itself, or the JSON of a text. Nothing, null and a blank
/// text are a call without arguments.
///
/// # Errors
/// Why they are no object.
pub fn object(arguments: Option<&Value>) -> Result<Map<String, Value>, String> {
    let parsed;
    let value = match arguments {
        Some(Value::String(text)) if text.trim().is_empty() => return Ok(Map::new()),
        Some(Value::String(text)) => {
            parsed = serde_json::from_str(text).map_err(|error| error.to_string())?;
            &parsed
        }
        None | Some(Value::Null) => return Ok(Map::new()),
        Some(other) => other,
    };
    match value {
        Value::Object(map) => Ok(map.clone()),
        Value::Array(_) => Err("it is a list".to_owned()),
        _ => Err("it is a single value".to_owned()),
    }
}

/// The first call of a message whose arguments are no object.
///
/// # Errors
/// [`BadArguments`] with its place.
pub fn check(call: &Call, index: usize, message: &Value) -> Result<(), BadArguments> {
    let calls = message["tool_calls"].as_array();
    for (at, made) in calls.into_iter().flatten().enumerate() {
        object(made.pointer("/function/arguments")).map_err(|reason| BadArguments {
            pointer: place(call, index, &format!("tool_calls/{at}/function/arguments")),
            name: made["function"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            reason,
            message: index,
        })?;
    }
    Ok(())
}

/// The diagnostics for targets that send arguments as the text they are.
#[must_use]
pub fn sent_as_text(call: &Call, messages: &[Value]) -> Vec<Diagnostic> {
    let bad = messages
        .iter()
        .enumerate()
        .filter_map(|(index, message)| check(call, index, message).err());
    bad.map(|bad| {
        let BadArguments { pointer, name, reason, message } = bad;
        let sentence = format!(
            "message {message}: the arguments of the call of {name:?} are no JSON object ({reason}) \
             and are sent as they are; many servers and templates refuse them"
        );
        let data = DiagnosticData::of(DataKey::Turn, message)
            .with(DataKey::Tool, name)
            .with(DataKey::Reason, reason);
        Diagnostic::new(codes::CALL_ARGUMENTS, Severity::Warning, sentence, pointer, data)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_an_object_is_arguments() {
        for (given, expected) in [
            (json!({"a": 1}), Some(json!({"a": 1}))),
            (json!("{\"a\": 1}"), Some(json!({"a": 1}))),
            (json!(" "), Some(json!({}))),
            (json!(null), Some(json!({}))),
            (json!("{\"a\":1"), None),
            (json!("[1]"), None),
            (json!([1]), None),
            (json!("Rome"), None),
            (json!(7), None),
        ] {
            let read = object(Some(&given)).ok().map(Value::Object);
            assert_eq!(read, expected, "{given}");
        }
        assert_eq!(object(None), Ok(Map::new()));
    }
}
