//! The outcome of each token of an assembly order in one call.

use serde::Serialize;

/// The outcome of one token of the assembly order in one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TokenReport {
    /// The token, as written.
    pub token: String,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: TokenOutcome,
}

/// The outcome of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TokenOutcome {
    /// It printed something.
    Rendered,
    /// Its list was merged into the list of an earlier token.
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
    /// It is not a valid token.
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
    /// No item matches the text in brackets.
    NoMatch,
    /// Everything in it substitutes to nothing.
    Blank,
}
