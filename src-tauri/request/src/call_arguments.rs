//! The arguments of function calls, which `OpenAI` sends as a text: read as the JSON object they
//! must be.

use serde_json::{Map, Value};

use super::{call::Call, content_parts::place};

/// Arguments as they should be.
pub const SAMPLE: &str = r#"{"city": "Rome"}"#;

/// Arguments that are no JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {}", self.sentence())]
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

impl BadArguments {
    /// What is wrong, without the place.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { name, reason, .. } = self;
        format!(
            "the arguments of the call of {name:?} are no JSON object ({reason}); write one, such as \
             {SAMPLE}"
        )
    }
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

/// Checks that the arguments of all calls of a message are objects.
///
/// # Errors
/// The first whose are not, with its place.
pub fn check(call: &Call, index: usize, message: &Value) -> Result<(), BadArguments> {
    let calls = message["tool_calls"].as_array();
    let mut calls = calls.into_iter().flatten().enumerate();
    calls.try_for_each(|(at, tool_call)| check_call(call, index, at, tool_call))
}

/// Checks the arguments of one call.
///
/// # Errors
/// If they are no object.
pub fn check_call(
    call: &Call,
    index: usize,
    at: usize,
    tool_call: &Value,
) -> Result<(), BadArguments> {
    let read = object(tool_call.pointer("/function/arguments"));
    read.map(|_| ()).map_err(|reason| BadArguments {
        pointer: place(call, index, &format!("tool_calls/{at}/function/arguments")),
        name: tool_call["function"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        reason,
        message: index,
    })
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
