//! Connections to model servers for the page. The page sends a key once, to be stored or tried, and
//! never receives one.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A connection to a model server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConnectionEntry {
    /// Unique name.
    pub name: String,
    /// `ollama`, `openai`, `completions` or `gemini`.
    pub kind: String,
    /// Base URL.
    pub base_url: String,
    /// Default model; empty for the registry's.
    pub model: String,
    /// Jinja source that renders a conversation to text, for raw completions; empty for none.
    pub template: String,
    /// Whether the keyring holds a key for this connection.
    pub keyed: bool,
    /// Environment variable that takes precedence over the keyring.
    pub variable: String,
    /// Whether that variable is set.
    pub in_environment: bool,
}

/// A supported kind of server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerKindEntry {
    /// Name of the kind.
    pub name: String,
    /// Default base URL.
    pub usual_base_url: String,
}

/// The connections and the supported kinds of servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Connections {
    /// The connections, by name.
    pub list: Vec<ConnectionEntry>,
    /// All kinds.
    pub kinds: Vec<ServerKindEntry>,
}
