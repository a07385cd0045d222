//! Reads the flat JSON objects of generation settings and output policies, field by field; errors
//! name the field.

use promptdeck_json::nearest::{hint, nearest};
use serde_json::{Map, Value};
use thiserror::Error;

/// A field of `generation` or `output_policy` that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldError {
    /// No such field.
    #[error(
        "unknown {object} field {field:?}; known are {}{}",
        known.join(", "),
        hint(*nearest)
    )]
    Unknown {
        /// `generation` or `output_policy`.
        object: &'static str,
        /// The field as written.
        field: String,
        /// The known fields.
        known: &'static [&'static str],
        /// The known field nearest to it.
        nearest: Option<&'static str>,
    },
    /// The value of the field has the wrong type.
    #[error("{object} field {field:?} must be {expected}, not {found}")]
    WrongType {
        /// `generation` or `output_policy`.
        object: &'static str,
        /// The field as written.
        field: String,
        /// The expected type.
        expected: &'static str,
        /// The start of its value.
        found: String,
    },
}

impl FieldError {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown_field",
            Self::WrongType { .. } => "wrong_type",
        }
    }

    /// The field at fault.
    #[must_use]
    pub fn field(&self) -> &str {
        match self {
            Self::Unknown { field, .. } | Self::WrongType { field, .. } => field,
        }
    }
}

/// Reads one object; its name is for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObjectReader<'a> {
    pub object: &'static str,
    pub map: &'a Map<String, Value>,
}

impl<'a> ObjectReader<'a> {
    /// Rejects the first field that is not in `known`.
    pub fn check_known(self, known: &'static [&'static str]) -> Result<(), FieldError> {
        match self.map.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(field) => Err(FieldError::Unknown {
                object: self.object,
                field: field.clone(),
                known,
                nearest: nearest(field, known.iter().copied()),
            }),
        }
    }

    /// The value of a field; null counts as absent.
    fn value(self, field: &str) -> Option<&'a Value> {
        self.map.get(field).filter(|value| !value.is_null())
    }

    fn read<T>(
        self,
        field: &str,
        expected: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, FieldError> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        read(value).map(Some).ok_or_else(|| FieldError::WrongType {
            object: self.object,
            field: field.to_owned(),
            expected,
            found: excerpt(value),
        })
    }

    /// A text.
    pub fn text(self, field: &str) -> Result<Option<String>, FieldError> {
        self.read(field, "text", |value| value.as_str().map(str::to_owned))
    }

    /// `true` or `false`.
    pub fn flag(self, field: &str) -> Result<Option<bool>, FieldError> {
        self.read(field, "true or false", Value::as_bool)
    }

    /// A finite number.
    pub fn number(self, field: &str) -> Result<Option<f64>, FieldError> {
        self.read(field, "a number", |value| {
            value.as_f64().filter(|number| number.is_finite())
        })
    }

    /// An integer from 0.
    pub fn count(self, field: &str) -> Result<Option<u64>, FieldError> {
        self.read(field, "an integer from 0", Value::as_u64)
    }

    /// An integer from 0 to 4294967295.
    pub fn small_count(self, field: &str) -> Result<Option<u32>, FieldError> {
        self.read(field, "an integer from 0 to 4294967295", |value| {
            value.as_u64().and_then(|count| u32::try_from(count).ok())
        })
    }

    /// A list of texts; empty when absent.
    pub fn texts(self, field: &str) -> Result<Vec<String>, FieldError> {
        let texts = self.read(field, "a list of texts", |value| {
            value
                .as_array()?
                .iter()
                .map(|entry| entry.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
        })?;
        Ok(texts.unwrap_or_default())
    }
}

/// The start of a value's JSON, for a message of one line.
fn excerpt(value: &Value) -> String {
    const MAX_CHARS: usize = 40;
    let json = value.to_string();
    match json.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &json[..end]),
        None => json,
    }
}
