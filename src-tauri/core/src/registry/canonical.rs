//! The canonical form of a registry: fixed key order, two-space indent, one newline at the end.

use super::Document;
use crate::hydrate::State;

/// The document in canonical form, nothing woven in (`fmt`).
#[must_use]
pub fn format(_document: &Document) -> String {
    String::new()
}

/// The document in canonical form with the state woven into its sections (Export Model JSON).
#[must_use]
pub fn export(_document: &Document, _state: &State) -> String {
    String::new()
}

/// The names of the sections among these top-level keys, in canonical order.
#[must_use]
pub fn canonical_section_order(
    _registry: &serde_json::Map<String, serde_json::Value>,
) -> Vec<&str> {
    Vec::new()
}
