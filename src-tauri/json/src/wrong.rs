//! Values of a document that don't match its schema: their JSON pointer, what was found and what is
//! expected. Messages of serde would name types of this program instead.

use std::fmt;

use serde_json::Value;

use crate::{abridged, push_step};

/// A value that is not what its document needs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// JSON pointer to it, counted from the document.
    pub pointer: String,
    /// What is expected, and what was found.
    pub message: String,
    /// What is expected, where the schema or a list of names decides.
    pub expected: Option<String>,
    /// What was found there.
    pub found: Option<String>,
}

impl WrongValue {
    /// A value that has not the type it must have; `found` is none when it is missing.
    #[must_use]
    pub fn new(pointer: impl Into<String>, expected: &str, found: Option<&Value>) -> Self {
        let found = match found {
            None => "nothing",
            Some(Value::Null) => "null",
            Some(Value::Bool(_)) => "true or false",
            Some(Value::Number(_)) => "a number",
            Some(Value::String(_)) => "a text",
            Some(Value::Array(_)) => "a list",
            Some(Value::Object(_)) => "an object",
        };
        Self {
            pointer: pointer.into(),
            message: format!("expected {expected}, found {found}"),
            expected: Some(expected.to_owned()),
            found: Some(found.to_owned()),
        }
    }
}

impl fmt::Display for WrongValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", abridged(&self.pointer))?;
        }
        f.write_str(&self.message)
    }
}

/// Why a document that its schema describes could not be read: the first value that the schema
/// refuses. `error` is what the reader said; it counts where the schema leaves more open than the
/// reader takes, such as the range of a seed.
///
/// ```
/// use promptdeck_json::{explain, schema};
/// use serde_json::{from_value, json};
/// use std::collections::BTreeMap;
///
/// let mood = json!({"type": ["string", "array", "null"]});
/// let schema = schema::closed("Selections.", &[], json!({"mood": mood}));
/// let document = json!({"mood": {"id": "calm"}});
/// let error = from_value::<BTreeMap<String, String>>(document.clone()).unwrap_err();
/// let wrong = explain(&schema, &document, &error);
/// assert_eq!(
///     wrong.to_string(),
///     "/mood: expected a text, a list or null, found an object"
/// );
/// ```
#[must_use]
pub fn explain(schema: &Value, document: &Value, error: &serde_json::Error) -> WrongValue {
    wrong_value(schema, document).unwrap_or_else(|| {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(&*text, |(own, _)| own);
        WrongValue {
            pointer: String::new(),
            message: message.to_owned(),
            expected: None,
            found: None,
        }
    })
}

/// The first value of a document, in its order, that has another type than its schema says.
fn wrong_value(schema: &Value, document: &Value) -> Option<WrongValue> {
    let mut walk = Walk {
        root: schema,
        pointer: String::new(),
    };
    walk.value(schema, document)
}

struct Walk<'a> {
    root: &'a Value,
    pointer: String,
}

impl<'a> Walk<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value) -> Option<WrongValue> {
        let named = schema.get("$ref").and_then(Value::as_str);
        let target = named.and_then(|named| self.root.pointer(named.strip_prefix('#')?));
        let schema = target.unwrap_or(schema);
        let types = types(schema);
        if !types.is_empty() && !types.iter().any(|own| is_of(own, value)) {
            return Some(self.wrong(&types, Some(value)));
        }
        match value {
            Value::Object(members) => {
                let properties = schema.get("properties");
                let others = schema.get("additionalProperties");
                for (key, value) in members {
                    let own = properties.and_then(|all| all.get(key)).or(others);
                    let Some(own) = own.filter(|own| own.is_object()) else {
                        continue;
                    };
                    let found = self.step(key, |walk| walk.value(own, value));
                    if found.is_some() {
                        return found;
                    }
                }
                let required = schema.get("required").and_then(Value::as_array);
                let mut required = required.into_iter().flatten().filter_map(Value::as_str);
                let missing = required.find(|key| !members.contains_key(*key))?;
                let own = properties.and_then(|all| all.get(missing));
                let types = own.map(types_of_required).unwrap_or_default();
                self.step(missing, |walk| Some(walk.wrong(&types, None)))
            }
            Value::Array(entries) => {
                let own = schema.get("items")?;
                let mut entries = entries.iter().enumerate();
                entries.find_map(|(index, entry)| {
                    self.step(&index.to_string(), |walk| walk.value(own, entry))
                })
            }
            _ => None,
        }
    }

    fn step<T>(&mut self, step: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        push_step(&mut self.pointer, step);
        let found = inner(self);
        self.pointer.truncate(length);
        found
    }

    fn wrong(&self, types: &[&str], found: Option<&Value>) -> WrongValue {
        WrongValue::new(self.pointer.as_str(), &listed(types), found)
    }
}

/// The types that a schema allows; none when it allows all.
fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn types_of_required(schema: &Value) -> Vec<&str> {
    let mut types = types(schema);
    types.retain(|own| *own != "null");
    types
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// Types in words.
fn listed(types: &[&str]) -> String {
    let words = types.iter().map(|own| match *own {
        "boolean" => "true or false",
        "number" => "a number",
        "integer" => "an integer",
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        other => other,
    });
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        None => "a value".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
