//! JSON to the values templates compute with, and back. A deep copy: nothing a template does reaches the
//! caller's arguments.

use minijinja::{Value, value::ValueKind};
use serde_json::Map;

use super::display;

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

/// A value as JSON; what JSON has no form for becomes null, or its text.
pub fn to_json(value: &Value) -> serde_json::Value {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => serde_json::Value::Null,
        ValueKind::Bool => serde_json::Value::from(value.is_true()),
        ValueKind::Number => number_to_json(value),
        ValueKind::Seq | ValueKind::Iterable => value
            .try_iter()
            .into_iter()
            .flatten()
            .map(|entry| to_json(&entry))
            .collect(),
        ValueKind::Map => value
            .try_iter()
            .into_iter()
            .flatten()
            .map(|key| {
                let entry = value.get_item(&key).unwrap_or_default();
                (display::text(&key), to_json(&entry))
            })
            .collect(),
        _ => serde_json::Value::from(display::text(value)),
    }
}

fn number_to_json(value: &Value) -> serde_json::Value {
    let digits = if value.is_integer() {
        value.to_string()
    } else {
        display::text(value)
    };
    digits
        .parse::<serde_json::Number>()
        .map_or(serde_json::Value::Null, serde_json::Value::Number)
}
