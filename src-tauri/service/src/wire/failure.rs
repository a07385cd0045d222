//! What the page is told when something does not work: code, message, place.

use promptdeck_core::control_chars;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A refusal or a fault, in one line with a stable code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Failure {
    /// Stable, `snake_case`; the page may act on it.
    pub code: String,
    /// One line: what, where and the way out.
    pub message: String,
    /// The file it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub file: Option<String>,
    /// JSON pointer into the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pointer: Option<String>,
    /// Line in the file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
    /// Column in the line, in characters, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub column: Option<u32>,
}

impl Failure {
    /// A failure that is about no place in a file. The message may hold names of files and servers;
    /// what in them would turn the direction of the text, or stay unseen, is written out.
    #[must_use]
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: control_chars::escape_lines(&message.into()).into_owned(),
            file: None,
            pointer: None,
            line: None,
            column: None,
        }
    }
}
