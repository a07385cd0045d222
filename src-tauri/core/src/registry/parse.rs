//! From the bytes of a file to a checked registry, or to the place of the fault.

use serde_json::{Map, Value};

use super::{Diagnostic, ParseError, Places, Registry};

/// A registry file as its author wrote it, nothing lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The registry object.
    pub registry: Map<String, Value>,
    /// The siblings of `registry` when the file wraps it; `None` for a bare registry.
    pub wrapper: Option<Map<String, Value>>,
}

/// A registry file that was accepted.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The author's JSON.
    pub document: Document,
    /// What it means.
    pub registry: Registry,
    /// Where everything stands in the file.
    pub places: Places,
    /// Remarks about the reading itself; lint has its own.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a whole registry file.
pub fn parse(_bytes: &[u8]) -> Result<Parsed, ParseError> {
    let document = Document::default();
    Ok(Parsed {
        registry: Registry::from_map(&document.registry)?,
        document,
        places: Places::default(),
        diagnostics: Vec::new(),
    })
}
