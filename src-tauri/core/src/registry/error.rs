//! Parse errors with their position.

use std::fmt;

use promptdeck_json::abridged;
use serde::Serialize;

use super::{DiagnosticData, Position};

/// What kind of fault made a registry unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParseCode {
    /// Not JSON.
    Syntax,
    /// Not UTF-8.
    Encoding,
    /// Half of a surrogate pair in an escape: no text holds that.
    LoneSurrogate,
    /// The same key twice in one object.
    DuplicateKey,
    /// Nested deeper than 128 levels.
    TooDeep,
    /// Larger than the reader accepts, in bytes or in values.
    TooLarge,
    /// A known field holds a value of another type.
    WrongType,
    /// A dialect that is not supported.
    UnsupportedVersion,
    /// A document to import that has no section.
    NotARegistry,
}

impl ParseCode {
    /// All codes.
    pub const ALL: &[Self] = &[
        Self::Syntax,
        Self::Encoding,
        Self::LoneSurrogate,
        Self::DuplicateKey,
        Self::TooDeep,
        Self::TooLarge,
        Self::WrongType,
        Self::UnsupportedVersion,
        Self::NotARegistry,
    ];

    /// The stable code, in snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Encoding => "encoding",
            Self::LoneSurrogate => "lone_surrogate",
            Self::DuplicateKey => "duplicate_key",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::WrongType => "wrong_type",
            Self::UnsupportedVersion => "unsupported_version",
            Self::NotARegistry => "not_a_registry",
        }
    }
}

/// Why a registry was rejected: the fault, its JSON pointer, and its position if the text is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParseError {
    /// The kind of fault.
    pub code: ParseCode,
    /// What is wrong and what would be right, in one line.
    pub message: String,
    /// JSON pointer to the value at fault; empty for the whole text.
    pub pointer: String,
    /// What the message names, for programs.
    #[serde(skip_serializing_if = "DiagnosticData::is_empty")]
    pub data: DiagnosticData,
    /// Where in the text, when there is a text.
    pub place: Option<Position>,
}

impl ParseError {
    /// The stable code, in snake case.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code.as_str()
    }

    /// The line, counted from 1, when there is a text.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        self.place.map(|place| place.line)
    }

    /// The column, counted from 1 in Unicode scalar values, when there is a text.
    #[must_use]
    pub fn column(&self) -> Option<u32> {
        self.place.map(|place| place.column)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "line {}, column {}: ", place.line, place.column)?;
        }
        if !self.pointer.is_empty() {
            write!(f, "{}: ", abridged(&self.pointer))?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}
