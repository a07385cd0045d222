//! The JSON documents of programs and people, each with its JSON Schema.
//!
//! A schema is the only list of a document's keys: editors complete and validate with it,
//! [`unknown_keys`](promptdeck_json::unknown_keys) finds keys that a reader would ignore, and
//! [`explain`](promptdeck_json::explain) finds why a reader rejected a document.

#![warn(clippy::missing_errors_doc)]

mod content;
mod request;
#[cfg(test)]
mod tests;

use promptdeck_chat::schema as chat;
use promptdeck_core::{hydrate, registry};
use promptdeck_json::schema::titled;
use serde_json::Value;

pub use content::{Content, OtherContent, kind_of};
pub use promptdeck_core::file_kind::{
    FileKind, holds_registry, is_call_field, misspelled_registry, recognize, without_call,
};

use crate::call;

pub(crate) use request::session_properties;

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// A registry.
    Registry,
    /// The checks of a registry.
    Checks,
    /// The state of one hydration.
    State,
    /// A call document.
    Call,
    /// A line of `hydrate --batch`.
    Hydrate,
    /// An output policy and a text.
    Policy,
    /// Messages to check against the history rules.
    History,
    /// The parts of a prompt's context.
    Arguments,
    /// A session for the layered request.
    Layers,
    /// A conversation to render.
    ChatRender,
    /// A model to inspect.
    ChatInspect,
    /// A raw answer to parse.
    ChatExtract,
}

impl DocumentKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Registry,
        Self::Checks,
        Self::State,
        Self::Call,
        Self::Hydrate,
        Self::Policy,
        Self::History,
        Self::Arguments,
        Self::Layers,
        Self::ChatRender,
        Self::ChatInspect,
        Self::ChatExtract,
    ];

    /// Name of the kind in arguments, in kebab case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Registry => "registry",
            Self::Checks => "checks",
            Self::State => "state",
            Self::Call => "call",
            Self::Hydrate => "hydrate",
            Self::Policy => "policy",
            Self::History => "history",
            Self::Arguments => "arguments",
            Self::Layers => "layers",
            Self::ChatRender => "chat-render",
            Self::ChatInspect => "chat-inspect",
            Self::ChatExtract => "chat-extract",
        }
    }

    /// Name of the kind in messages.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Registry => "a registry",
            Self::Checks => "a file of checks",
            Self::State => "the state of a call",
            Self::Call => "a call document",
            Self::Hydrate => "a call to hydrate",
            Self::Policy => "a policy and a text",
            Self::History => "a history to check",
            Self::Arguments => "a context in its parts",
            Self::Layers => "a session document",
            Self::ChatRender => "a conversation to render",
            Self::ChatInspect => "a model to inspect",
            Self::ChatExtract => "an answer to extract from",
        }
    }

    /// The outline of a document, for an error about input that is not a JSON object.
    #[must_use]
    pub fn outline(self) -> &'static str {
        match self {
            Self::Registry => r#"{"assembly_order": [...], "SECTION": {"items": [...]}}"#,
            Self::Checks => r#"{"checks": [{"name": "...", "expect": [...]}]}"#,
            Self::State => r#"{"selections": {...}}"#,
            Self::Call => r#"{"registry": "FILE", "message": {"text": "..."}}"#,
            Self::Hydrate => r#"{"registry": {...}, "state": {...}}"#,
            Self::Policy => r#"{"policy": {...}, "text": "..."}"#,
            Self::History | Self::ChatRender => r#"{"messages": [...]}"#,
            Self::Arguments => r#"{"now": "2026-01-15T10:30:00Z", "args": {...}}"#,
            Self::Layers => r#"{"model": "...", "turns": [...], "current_task": {...}}"#,
            Self::ChatInspect => r#"{"template": "..."}"#,
            Self::ChatExtract => r#"{"output": "..."}"#,
        }
    }

    /// The JSON Schema (2020-12) of the kind.
    #[must_use]
    pub fn schema(self) -> Value {
        match self {
            Self::Registry => registry::schema::json_schema(),
            Self::Checks => promptdeck_checks::schema::json_schema(),
            Self::Call => call::json_schema(),
            Self::State => titled("Promptdeck state", hydrate::schema::state()),
            Self::Hydrate => titled("Promptdeck hydrate call", hydrate::schema::hydrate()),
            Self::Policy => titled("Promptdeck policy document", request::policy()),
            Self::History => titled("Promptdeck history document", request::history()),
            Self::Arguments => titled("Promptdeck arguments document", request::arguments()),
            Self::Layers => titled("Promptdeck session document", request::session()),
            Self::ChatRender => titled("Promptdeck chat render document", chat::render()),
            Self::ChatInspect => titled("Promptdeck chat inspect document", chat::inspect()),
            Self::ChatExtract => titled("Promptdeck chat extract document", chat::extract()),
        }
    }
}
