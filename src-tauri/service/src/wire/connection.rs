//! Connections to model servers, as the page shows them. A key crosses from the page once, to be
//! kept or tried, and never back.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A connection to a model server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConnectionEntry {
    /// Its name, which is unique.
    pub name: String,
    /// `ollama`, `openai`, `completions` or `gemini`.
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// The model to ask; empty for the registry's.
    pub model: String,
    /// The Jinja source that makes a text of a conversation, for raw completions; empty for none.
    pub template: String,
    /// A key for it is in the keyring.
    pub keyed: bool,
    /// The environment variable that is read for its key before the keyring.
    pub variable: String,
    /// That variable is set.
    pub in_environment: bool,
}

/// A kind of server that is spoken to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerKindEntry {
    /// Its name.
    pub name: String,
    /// Where such a server usually is.
    pub usual_base_url: String,
}

/// The connections there are and the kinds there may be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Connections {
    /// By name.
    pub list: Vec<ConnectionEntry>,
    /// All kinds.
    pub kinds: Vec<ServerKindEntry>,
}
