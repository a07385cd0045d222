//! Checks that known fields hold the types they must, and says where they don't.
//!
//! Null in an optional field means absent, everywhere. Unknown fields are never looked at.

use serde_json::{Map, Value};

use super::{ParseCode, ParseError, json::push_step};

/// A position in a JSON tree, turned into a pointer only when something is wrong there.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl At<'_> {
    /// The registry object.
    pub const ROOT: At<'static> = At {
        parent: None,
        step: Step::Root,
    };

    pub fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        At {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    pub fn index(&self, index: usize) -> At<'_> {
        At {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = self.parent.map(At::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Key(key) => push_step(&mut pointer, key),
            Step::Index(index) => push_step(&mut pointer, &index.to_string()),
        }
        pointer
    }

    fn name(&self) -> String {
        match self.step {
            Step::Root => "the registry".to_owned(),
            Step::Key(key) => format!("`{key}`"),
            Step::Index(index) => {
                let parent = self.parent.map(At::name).unwrap_or_default();
                format!("entry {index} of {parent}")
            }
        }
    }

    /// The refusal of a value that should be something else.
    pub fn wrong(&self, wanted: &str, found: &Value) -> ParseError {
        self.refuse(
            ParseCode::WrongType,
            format!("{} must be {wanted}, not {}", self.name(), kind(found)),
        )
    }

    pub fn refuse(&self, code: ParseCode, message: String) -> ParseError {
        ParseError {
            code,
            message,
            pointer: self.pointer(),
            place: None,
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// What a field holds, null and absence being the same.
pub(crate) fn present<'m>(map: &'m Map<String, Value>, key: &str) -> Option<&'m Value> {
    map.get(key).filter(|value| !value.is_null())
}

/// The text of an optional field.
pub(crate) fn text<'m>(
    map: &'m Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<Option<&'m str>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(at.key(key).wrong("a text", other)),
    }
}

/// The boolean of an optional field.
pub(crate) fn boolean(
    map: &Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<Option<bool>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(at.key(key).wrong("true or false", other)),
    }
}

/// The number of an optional field, as a double.
pub(crate) fn number(
    map: &Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<Option<f64>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(found @ Value::Number(number)) => match number.as_f64() {
            Some(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(at.key(key).wrong("a number a double can hold", found)),
        },
        Some(other) => Err(at.key(key).wrong("a number", other)),
    }
}

/// The entries of an optional list.
pub(crate) fn list<'m>(
    map: &'m Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<&'m [Value], ParseError> {
    match present(map, key) {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(other) => Err(at.key(key).wrong("a list", other)),
    }
}

/// The texts of an optional list of texts.
pub(crate) fn texts(
    map: &Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<Vec<String>, ParseError> {
    let at = at.key(key);
    let entries = match present(map, key) {
        None => return Ok(Vec::new()),
        Some(Value::Array(entries)) => entries,
        Some(other) => return Err(at.wrong("a list of texts", other)),
    };
    entries
        .iter()
        .enumerate()
        .map(|(index, entry)| match entry {
            Value::String(text) => Ok(text.clone()),
            other => Err(at.index(index).wrong("a text", other)),
        })
        .collect()
}

/// The members of an optional object.
pub(crate) fn object<'m>(
    map: &'m Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<Option<&'m Map<String, Value>>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members)),
        Some(other) => Err(at.key(key).wrong("an object", other)),
    }
}

/// The members of an optional object of texts; a member that is null is absent.
pub(crate) fn text_members<K: FromIterator<(String, String)>>(
    map: &Map<String, Value>,
    key: &str,
    at: &At<'_>,
) -> Result<K, ParseError> {
    let at = at.key(key);
    let members = match present(map, key) {
        None => return Ok(std::iter::empty().collect()),
        Some(Value::Object(members)) => members,
        Some(other) => return Err(at.wrong("an object of texts", other)),
    };
    members
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| match value {
            Value::String(text) => Ok((name.clone(), text.clone())),
            other => Err(at.key(name).wrong("a text", other)),
        })
        .collect()
}
