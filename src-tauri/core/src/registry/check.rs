//! Checks the types of known fields, with the paths to the wrong ones.
//!
//! Null in an optional field means absent, everywhere. Unknown fields are never looked at.

use promptdeck_json::{abridged, push_step};
use serde_json::{Map, Value};

use super::{DataKey, DiagnosticData, ParseCode, ParseError};

/// A path in a JSON tree, rendered as a pointer only for an error.
#[derive(Clone, Copy)]
pub(crate) struct FieldPath<'a> {
    parent: Option<&'a FieldPath<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl FieldPath<'_> {
    /// The registry object.
    pub const ROOT: FieldPath<'static> = FieldPath {
        parent: None,
        step: Step::Root,
    };

    pub fn key<'b>(&'b self, key: &'b str) -> FieldPath<'b> {
        FieldPath {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    pub fn index(&self, index: usize) -> FieldPath<'_> {
        FieldPath {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = self.parent.map(FieldPath::pointer).unwrap_or_default();
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
                let parent = self.parent.map(FieldPath::name).unwrap_or_default();
                format!("entry {} of {parent}", index + 1)
            }
        }
    }

    /// The error of a value of the wrong type.
    pub fn wrong_type(&self, wanted: &str, found: &Value) -> ParseError {
        let data = self
            .data()
            .with(DataKey::Expected, wanted)
            .with(DataKey::Found, kind(found));
        self.error(
            ParseCode::WrongType,
            format!("{} must be {wanted}, not {}", self.name(), kind(found)),
            data,
        )
    }

    /// The error for a number that a double cannot hold.
    fn too_large(&self, found: &Value) -> ParseError {
        let wanted = "a number that a double can hold";
        let number = found.to_string();
        let number = abridged(&number);
        let data = self
            .data()
            .with(DataKey::Expected, wanted)
            .with(DataKey::Found, number.as_ref());
        let message = format!("{} must be {wanted}, not {number}", self.name());
        self.error(ParseCode::WrongType, message, data)
    }

    pub fn error(&self, code: ParseCode, message: String, data: DiagnosticData) -> ParseError {
        ParseError {
            code,
            message,
            pointer: self.pointer(),
            data,
            place: None,
        }
    }

    /// What [`Self::name`] names.
    fn data(&self) -> DiagnosticData {
        match self.step {
            Step::Root => DiagnosticData::none(),
            Step::Key(key) => DiagnosticData::of(DataKey::Key, key),
            Step::Index(index) => {
                let parent = self.parent.map(FieldPath::data).unwrap_or_default();
                parent.with(DataKey::Entry, index)
            }
        }
    }
}

/// The most type errors that are reported of one registry.
const MAX_TYPE_ERRORS: usize = 1_000;

/// The type errors of a registry, in the order in which it is read.
#[derive(Default)]
pub(crate) struct TypeErrors(Vec<ParseError>);

impl TypeErrors {
    pub fn add(&mut self, error: ParseError) {
        if self.0.len() < MAX_TYPE_ERRORS {
            self.0.push(error);
        }
    }

    /// The value of a field; a default in place of one of the wrong type, whose error is added.
    pub fn or_default<T: Default>(&mut self, read: Result<T, ParseError>) -> T {
        read.unwrap_or_else(|error| {
            self.add(error);
            T::default()
        })
    }

    /// The value unless there are errors, else the first of them.
    pub fn first_or<T>(self, value: T) -> Result<T, ParseError> {
        match self.0.into_iter().next() {
            None => Ok(value),
            Some(first) => Err(first),
        }
    }

    pub fn into_vec(self) -> Vec<ParseError> {
        self.0
    }
}

/// The type of a value, as messages call it.
pub(crate) fn kind(value: &Value) -> &'static str {
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
    path: &FieldPath<'_>,
) -> Result<Option<&'m str>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(path.key(key).wrong_type("a text", other)),
    }
}

/// The boolean of an optional field.
pub(crate) fn boolean(
    map: &Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
) -> Result<Option<bool>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::Bool(value)) => Ok(Some(*value)),
        Some(other) => Err(path.key(key).wrong_type("true or false", other)),
    }
}

/// The number of an optional field, as a double.
pub(crate) fn number(
    map: &Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
) -> Result<Option<f64>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(found @ Value::Number(number)) => match number.as_f64() {
            Some(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(path.key(key).too_large(found)),
        },
        Some(other) => Err(path.key(key).wrong_type("a number", other)),
    }
}

/// The entries of an optional list.
pub(crate) fn list<'m>(
    map: &'m Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
) -> Result<&'m [Value], ParseError> {
    match present(map, key) {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(other) => Err(path.key(key).wrong_type("a list", other)),
    }
}

/// The texts of an optional list of texts.
pub(crate) fn texts(
    map: &Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
    errors: &mut TypeErrors,
) -> Vec<String> {
    let path = path.key(key);
    let entries = match present(map, key) {
        None => return Vec::new(),
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            errors.add(path.wrong_type("a list of texts", other));
            return Vec::new();
        }
    };
    let text = |(index, entry): (usize, &Value)| match entry {
        Value::String(text) => Some(text.clone()),
        other => {
            errors.add(path.index(index).wrong_type("a text", other));
            None
        }
    };
    entries.iter().enumerate().filter_map(text).collect()
}

/// The members of an optional object.
pub(crate) fn object<'m>(
    map: &'m Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
) -> Result<Option<&'m Map<String, Value>>, ParseError> {
    match present(map, key) {
        None => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members)),
        Some(other) => Err(path.key(key).wrong_type("an object", other)),
    }
}

/// The members of an optional object of texts; a member that is null is absent.
pub(crate) fn text_members<K: FromIterator<(String, String)>>(
    map: &Map<String, Value>,
    key: &str,
    path: &FieldPath<'_>,
    errors: &mut TypeErrors,
) -> K {
    let path = path.key(key);
    let members = match present(map, key) {
        None => return std::iter::empty().collect(),
        Some(Value::Object(members)) => members,
        Some(other) => {
            errors.add(path.wrong_type("an object of texts", other));
            return std::iter::empty().collect();
        }
    };
    let text = |(name, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name.clone(), text.clone())),
        other => {
            errors.add(path.key(name).wrong_type("a text", other));
            None
        }
    };
    members.iter().filter_map(text).collect()
}
