//! Errors of hydration.

use std::fmt;

use super::{MAX_PROMPT_BYTES, MAX_PROMPT_PIECES};

/// Why a call can't be hydrated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HydrateError {
    /// The registry has no such route.
    #[error("no route {route:?} in this registry; {}", routes(known))]
    UnknownRoute {
        /// The requested route.
        route: String,
        /// The known routes.
        known: Vec<String>,
    },
    /// The prompt is larger than [`MAX_PROMPT_BYTES`](super::MAX_PROMPT_BYTES), or of more pieces than
    /// [`MAX_PROMPT_PIECES`](super::MAX_PROMPT_PIECES).
    #[error("the prompt is too large: {} it is more than {}", place(entry.as_ref()), limit)]
    PromptTooLarge {
        /// The entry of the assembly order at which the limit is exceeded, and its position; none for the
        /// injections at the end.
        entry: Option<(usize, String)>,
        /// The limit.
        limit: PromptLimit,
    },
}

/// A limit of prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptLimit {
    /// [`MAX_PROMPT_BYTES`](super::MAX_PROMPT_BYTES).
    Bytes,
    /// [`MAX_PROMPT_PIECES`](super::MAX_PROMPT_PIECES).
    Pieces,
}

impl fmt::Display for PromptLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes => write!(formatter, "{} MiB", MAX_PROMPT_BYTES >> 20),
            Self::Pieces => write!(formatter, "{MAX_PROMPT_PIECES} pieces of text"),
        }
    }
}

fn place(entry: Option<&(usize, String)>) -> String {
    match entry {
        Some((_, token)) => format!("with the entry {token:?} of the assembly order"),
        None => "with its injections".to_owned(),
    }
}

impl HydrateError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownRoute { .. } => "unknown_route",
            Self::PromptTooLarge { .. } => "prompt_too_large",
        }
    }
}

fn routes(known: &[String]) -> String {
    if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    }
}
