//! A failure for the page: code, message, position.

use promptdeck_core::control_chars;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A failure in one line with a stable code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Failure {
    /// Stable code in `snake_case`, on which the page may act.
    pub code: String,
    /// One line: what, where and the way out.
    pub message: String,
    /// The message without the name of the file, for a place that shows the name itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
    /// Name of the file, if the failure concerns one.
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
    /// A failure without a position in a file. The message may contain foreign names; characters in
    /// it that are invisible or change the text direction are escaped.
    #[must_use]
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: control_chars::escape_lines(&message.into()).into_owned(),
            reason: None,
            file: None,
            pointer: None,
            line: None,
            column: None,
        }
    }
}
