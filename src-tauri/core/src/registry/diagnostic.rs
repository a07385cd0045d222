//! A diagnostic: its code, severity, message, data and position.

use serde::{Deserialize, Serialize};

use super::{DiagnosticCode, DiagnosticData, Position, SourceMap};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The prompt can't be what the author meant.
    Error,
    /// Probably a mistake.
    Warning,
    /// Worth knowing.
    Note,
}

/// One finding about a registry or a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// A stable code, in snake case.
    pub code: DiagnosticCode,
    /// The severity.
    pub severity: Severity,
    /// One line that names the thing and the way out.
    pub message: String,
    /// JSON pointer from the registry object (not from the file, until [`Diagnostic::located`]).
    pub pointer: String,
    /// Pointers to the other values with the same fault, such as the same token in other assembly
    /// orders.
    pub also: Vec<String>,
    /// What the message names, for programs.
    pub data: DiagnosticData,
    /// The position in the file, once known.
    pub place: Option<Position>,
}

impl Diagnostic {
    /// Creates a diagnostic without a position, its pointer counted from the registry object.
    pub fn new(
        code: DiagnosticCode,
        severity: Severity,
        message: impl Into<String>,
        pointer: impl Into<String>,
        data: DiagnosticData,
    ) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            pointer: pointer.into(),
            also: Vec::new(),
            data,
            place: None,
        }
    }

    /// Resolves the pointers against the file and fills in the position.
    #[must_use]
    pub fn located(mut self, source_map: &SourceMap) -> Self {
        for pointer in self.also.iter_mut().chain([&mut self.pointer]) {
            pointer.insert_str(0, source_map.root());
        }
        self.place = source_map.find(&self.pointer);
        self
    }
}
