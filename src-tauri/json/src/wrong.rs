//! Values of a document that don't match its schema: their JSON pointer, what was found and what is
//! expected. Messages of serde would name types of this program instead.

use std::fmt;

use serde_json::{Map, Value};

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
            Some(number @ Value::Number(_)) if !is_double(number) => {
                "a number too large for a double"
            }
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
    let first = wrong_values(schema, document, 1).pop();
    first.unwrap_or_else(|| reader_fault(error))
}

/// As [`explain`], but all values that the schema refuses, in the order of the document: at least
/// one, and at most `limit`.
#[must_use]
pub fn explain_all(
    schema: &Value,
    document: &Value,
    error: &serde_json::Error,
    limit: usize,
) -> Vec<WrongValue> {
    match wrong_values(schema, document, limit) {
        found if found.is_empty() => vec![reader_fault(error)],
        found => found,
    }
}

/// What a reader said, without its position, which is that of a parsed value.
fn reader_fault(error: &serde_json::Error) -> WrongValue {
    let text = error.to_string();
    let message = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(message, _)| message);
    WrongValue {
        pointer: String::new(),
        message: message.to_owned(),
        expected: None,
        found: None,
    }
}

/// The first values of a document, in its order, that have another type than its schema says.
fn wrong_values(schema: &Value, document: &Value, limit: usize) -> Vec<WrongValue> {
    let mut walk = Walk {
        root: schema,
        pointer: String::new(),
        limit,
        found: Vec::new(),
    };
    walk.value(schema, document);
    walk.found
}

struct Walk<'a> {
    root: &'a Value,
    pointer: String,
    limit: usize,
    found: Vec<WrongValue>,
}

impl<'a> Walk<'a> {
    fn value(&mut self, schema: &'a Value, value: &Value) {
        let named = schema.get("$ref").and_then(Value::as_str);
        let target = named.and_then(|named| self.root.pointer(named.strip_prefix('#')?));
        let schema = target.unwrap_or(schema);
        let types = types(schema);
        if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
            self.wrong(&types, Some(value));
            return;
        }
        match value {
            Value::Object(members) => self.members(schema, members),
            Value::Array(entries) => {
                let Some(item_schema) = schema.get("items") else {
                    return;
                };
                for (index, entry) in entries.iter().enumerate() {
                    if self.is_full() {
                        return;
                    }
                    self.step(&index.to_string(), |walk| walk.value(item_schema, entry));
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, schema: &'a Value, members: &Map<String, Value>) {
        let properties = schema.get("properties");
        let others = schema.get("additionalProperties");
        for (key, value) in members {
            if self.is_full() {
                return;
            }
            let member_schema = properties.and_then(|all| all.get(key)).or(others);
            if let Some(schema) = member_schema.filter(|member_schema| member_schema.is_object()) {
                self.step(key, |walk| walk.value(schema, value));
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        for missing in required.filter(|key| !members.contains_key(*key)) {
            let member_schema = properties.and_then(|all| all.get(missing));
            let types = member_schema.map(types_of_required).unwrap_or_default();
            self.step(missing, |walk| walk.wrong(&types, None));
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= self.limit
    }

    fn step(&mut self, step: &str, inner: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_step(&mut self.pointer, step);
        inner(self);
        self.pointer.truncate(length);
    }

    fn wrong(&mut self, types: &[&str], found: Option<&Value>) {
        if !self.is_full() {
            let wrong = WrongValue::new(self.pointer.as_str(), &listed(types), found);
            self.found.push(wrong);
        }
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
    types.retain(|name| *name != "null");
    types
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => is_double(value),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

/// Whether a value is a number that a double can hold.
fn is_double(value: &Value) -> bool {
    value.as_f64().is_some_and(f64::is_finite)
}

/// Types in words.
fn listed(types: &[&str]) -> String {
    let words = types.iter().map(|name| match *name {
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
