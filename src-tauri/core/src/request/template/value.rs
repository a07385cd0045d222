//! JSON to the values templates compute with. A deep copy: nothing a template does reaches the
//! caller's arguments.

use minijinja::Value;
use serde_json::Map;

/// A context's root.
pub fn from_map(map: &Map<String, serde_json::Value>) -> Value {
    Value::from_pairs(
        map.iter()
            .map(|(key, value)| (key.clone(), from_json(value))),
    )
}

/// One value. Numbers become the integer or float they are written as.
pub fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(flag) => Value::from(*flag),
        serde_json::Value::Number(number) => from_number(number),
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(entries) => entries.iter().map(from_json).collect(),
        serde_json::Value::Object(map) => from_map(map),
    }
}

fn from_number(number: &serde_json::Number) -> Value {
    if let Some(integer) = number.as_i64() {
        Value::from(integer)
    } else if let Some(integer) = number.as_i128() {
        Value::from(integer)
    } else {
        match number.as_f64() {
            Some(float) if float.is_finite() => Value::from(float),
            // Too large for any number of the machine: its digits are all that can be shown.
            _ => Value::from(number.to_string()),
        }
    }
}
