//! One remark about a registry: what, how bad, and where.

use serde::{Deserialize, Serialize};

use super::{Place, Places};

/// How bad a diagnostic is.
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

/// One remark about a registry or a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// A stable code, in kebab case.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One line that names the thing and the way out.
    pub message: String,
    /// JSON pointer from the registry object (not from the file, until [`Diagnostic::located`]).
    pub pointer: String,
    /// Pointers to the other values with the same fault, such as the same token in other assembly
    /// orders.
    pub also: Vec<String>,
    /// The place in the file, once known.
    pub place: Option<Place>,
}

impl Diagnostic {
    /// A diagnostic without a place, its pointer counted from the registry object.
    pub fn new(
        code: &'static str,
        severity: Severity,
        message: impl Into<String>,
        pointer: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            pointer: pointer.into(),
            also: Vec::new(),
            place: None,
        }
    }

    /// The same diagnostic with its pointers counted from the file and its place filled in.
    #[must_use]
    pub fn located(mut self, places: &Places) -> Self {
        for pointer in self.also.iter_mut().chain([&mut self.pointer]) {
            pointer.insert_str(0, places.root());
        }
        self.place = places.find(&self.pointer);
        self
    }
}
