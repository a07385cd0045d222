//! What can be wrong with a pattern, when it is read and when it is run.

use thiserror::Error;

/// A pattern that cannot be used, with the place inside it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message} at character {position} of the pattern")]
pub struct PatternError {
    /// Why it was refused.
    pub kind: PatternErrorKind,
    /// What is wrong, in the words Python uses where Python refuses it too.
    pub message: String,
    /// Characters before the fault, counted from 0.
    pub position: usize,
}

/// Why a pattern was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternErrorKind {
    /// Python refuses it as well.
    Malformed,
    /// Python knows it, this translation does not.
    Unsupported,
    /// It is, or becomes, too large.
    TooLarge,
}

impl PatternError {
    pub(super) fn malformed(position: usize, message: impl Into<String>) -> Self {
        Self {
            kind: PatternErrorKind::Malformed,
            message: message.into(),
            position,
        }
    }

    pub(super) fn unsupported(position: usize, message: impl Into<String>) -> Self {
        Self {
            kind: PatternErrorKind::Unsupported,
            message: message.into(),
            position,
        }
    }

    pub(super) fn too_large(message: impl Into<String>) -> Self {
        Self {
            kind: PatternErrorKind::TooLarge,
            message: message.into(),
            position: 0,
        }
    }

    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind {
            PatternErrorKind::Malformed => "pattern_malformed",
            PatternErrorKind::Unsupported => "pattern_unsupported",
            PatternErrorKind::TooLarge => "pattern_too_large",
        }
    }
}

/// A search that was given up because it would have taken too long.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the pattern {pattern:?} takes too many steps on a text of {length} bytes; make it simpler or the text shorter"
)]
pub struct SearchLimit {
    /// The pattern as written.
    pub pattern: String,
    /// Length of the text in bytes.
    pub length: usize,
}

impl SearchLimit {
    /// The stable code of this error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "pattern_limit"
    }
}
