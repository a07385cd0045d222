//! From JSON to the values of a template.

use std::str::FromStr;

use num_bigint::BigInt;
use serde_json::Value as Json;

use super::super::error::Result;
use super::Value;

impl Value {
    /// The value of a JSON document, numbers as Python's `json.loads` reads them. Errors when it
    /// nests deeper than the limits allow.
    pub fn from_json(json: &Json) -> Result<Self> {
        Ok(match json {
            Json::Null => Self::None,
            Json::Bool(flag) => Self::Bool(*flag),
            Json::Number(number) => number_of(&number.to_string()),
            Json::String(text) => Self::str(text.as_str()),
            Json::Array(items) => {
                Self::list(items.iter().map(Self::from_json).collect::<Result<_>>()?)?
            }
            Json::Object(entries) => {
                let pairs = entries
                    .iter()
                    .map(|(key, value)| Ok((Self::str(key.as_str()), Self::from_json(value)?)));
                Self::dict(pairs.collect::<Result<Vec<_>>>()?)?
            }
        })
    }
}

impl Value {
    /// A list of JSON documents.
    ///
    /// # Errors
    /// As [`Value::from_json`].
    pub fn from_items(items: &[Json]) -> Result<Self> {
        Self::list(items.iter().map(Self::from_json).collect::<Result<_>>()?)
    }

    /// A list of values.
    ///
    /// # Errors
    /// When it nests too deep.
    pub fn from_values(items: &[Self]) -> Result<Self> {
        Self::list(items.to_vec())
    }
}

/// A JSON number by how it was typed: a point or an exponent makes a float.
fn number_of(typed: &str) -> Value {
    if let Ok(small) = typed.parse() {
        return Value::Int(small);
    }
    if typed.contains(['.', 'e', 'E']) {
        return Value::Float(typed.parse().unwrap_or(f64::NAN));
    }
    // JSON numbers of thousands of digits exist only to be expensive.
    if typed.len() > 4300 {
        return Value::Float(typed.parse().unwrap_or(f64::INFINITY));
    }
    BigInt::from_str(typed).map_or(Value::Float(f64::NAN), Value::integer)
}
