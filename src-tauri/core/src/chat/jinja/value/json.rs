//! From JSON to the values of a template.

use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;
use serde_json::Value as Json;

use super::super::error::Result;
use super::{Dict, Value};

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
                let mut pairs = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    pairs.push((Self::str(key.as_str()), Self::from_json(value)?));
                }
                Self::Dict(Arc::new(Dict::of_texts(pairs)?))
            }
        })
    }
}

impl Value {
    /// A list of values.
    ///
    /// # Errors
    /// When it nests too deep.
    pub fn from_values(items: Vec<Self>) -> Result<Self> {
        Self::list(items)
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
