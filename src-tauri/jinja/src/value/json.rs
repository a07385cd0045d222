//! From JSON to the values of a template.

use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigInt;
use serde_json::Value as Json;
use smallvec::SmallVec;

use super::super::error::Result;
use super::{Dict, Value};

/// The most texts that a pool holds: a search through it stays cheap.
const MAX_TEXTS: usize = 32;

/// Keys, roles and types that documents of one kind have in common, each allocated once.
#[derive(Default)]
#[doc(hidden)]
pub struct TextPool(Vec<Arc<str>>);

impl TextPool {
    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(interned) = self.0.iter().find(|known| &***known == text) {
            return Arc::clone(interned);
        }
        let interned: Arc<str> = text.into();
        if self.0.len() < MAX_TEXTS {
            self.0.push(Arc::clone(&interned));
        }
        interned
    }
}

impl Value {
    /// The value of a JSON document, numbers as Python's `json.loads` reads them. Errors when it
    /// nests deeper than the limits allow.
    pub(crate) fn from_json(json: &Json, texts: &mut TextPool) -> Result<Self> {
        Ok(match json {
            Json::Null => Self::None,
            Json::Bool(flag) => Self::Bool(*flag),
            Json::Number(number) => number_of(&number.to_string()),
            Json::String(text) => Self::str(text.as_str()),
            Json::Array(items) => {
                let items = items.iter().map(|item| Self::from_json(item, texts));
                Self::list(items.collect::<Result<_>>()?)?
            }
            Json::Object(entries) => {
                let mut pairs = SmallVec::with_capacity(entries.len());
                for (key, value) in entries {
                    let value = match value {
                        Json::String(text) if matches!(&**key, "role" | "type") => {
                            Self::Str(texts.text(text))
                        }
                        value => Self::from_json(value, texts)?,
                    };
                    pairs.push((Self::Str(texts.text(key)), value));
                }
                Self::Dict(Arc::new(Dict::of_texts(pairs)?))
            }
        })
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
