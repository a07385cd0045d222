//! The token language of an assembly order, and what became of each token.

use std::fmt;

use serde::Serialize;

/// How deep brackets may nest.
pub const MAX_DEPTH: usize = 16;

/// One parsed token. Section names are as written: aliases are resolved by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `section`
    Bare {
        /// The section, as written.
        section: String,
    },
    /// `section.field`
    Dotted {
        /// The section, as written.
        section: String,
        /// Everything after the first dot.
        field: String,
    },
    /// `section[token]`
    Bracket {
        /// The section, as written.
        section: String,
        /// The token whose text names the item.
        inner: Box<Token>,
    },
}

/// Why a text is no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Nothing stands where a section's name should.
    #[error("token {0:?} names no section; write section, section.field or section[token]")]
    NoSection(String),
    /// Brackets that do not pair up, or something after the closing one.
    #[error("token {0:?} has unbalanced brackets; write section[token]")]
    Brackets(String),
    /// Brackets nested deeper than [`MAX_DEPTH`].
    #[error("token {0:?} nests brackets deeper than 16")]
    TooDeep(String),
}

impl TokenError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSection(_) => "token_no_section",
            Self::Brackets(_) => "token_brackets",
            Self::TooDeep(_) => "token_too_deep",
        }
    }
}

impl Token {
    /// Parses one token.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        Ok(Self::Bare {
            section: text.to_owned(),
        })
    }

    /// The section the token starts with, as written.
    #[must_use]
    pub fn section(&self) -> &str {
        match self {
            Self::Bare { section }
            | Self::Dotted { section, .. }
            | Self::Bracket { section, .. } => section,
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bare { section } => f.write_str(section),
            Self::Dotted { section, field } => write!(f, "{section}.{field}"),
            Self::Bracket { section, inner } => write!(f, "{section}[{inner}]"),
        }
    }
}

/// What became of one token of the assembly order in one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenReport {
    /// The token, as written.
    pub token: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What became of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It printed something.
    Rendered,
    /// Its list was absorbed into the list of an earlier token.
    Merged {
        /// The position of that token in the assembly order.
        into: usize,
    },
    /// It printed nothing.
    Dropped {
        /// Why.
        reason: DropReason,
    },
    /// Active injections leave its section out.
    Filtered {
        /// The identities of the active injections.
        by: Vec<String>,
    },
}

/// Why a token printed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DropReason {
    /// It is no token.
    Malformed,
    /// No section has that name.
    UnknownSection,
    /// The section has no items, or none of them is chosen.
    NothingSelected,
    /// Nothing chosen has such a field.
    NoSuchField,
    /// The field is there but null or empty.
    EmptyField,
    /// The mode leaves no entry.
    NoEntries,
    /// No item answers to the text in brackets.
    NoMatch,
    /// Everything in it substitutes to nothing.
    Blank,
}
