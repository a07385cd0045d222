//! The output policy as data: parsing, layering a route over a registry, the additive merge.
//!
//! [`super::CompiledPolicy`] applies it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::object_reader::{FieldError, ObjectReader};

/// Rules for a generated text. Lengths are in characters (Unicode scalar values), patterns are
/// Python's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputPolicy {
    /// Removed from the start, each once, in this order, ignoring letter case.
    pub strip_prefixes: Vec<String>,
    /// Their matches are removed (multi-line mode).
    pub strip_patterns: Vec<String>,
    /// Texts that must not occur; case counts, empty ones are ignored.
    pub forbidden_substrings: Vec<String>,
    /// Patterns that must not match; empty ones are ignored.
    pub forbidden_patterns: Vec<String>,
    /// The text is cut to this length before the suffix comes.
    pub max_length: Option<u64>,
    /// A shorter text is rejected.
    pub min_length: Option<u64>,
    /// Patterns that must match; empty ones are ignored.
    pub require_patterns: Vec<String>,
    /// Appended to the cleaned text.
    pub append_suffix: Option<String>,
    /// Whether runs of spaces and of blank lines collapse into one.
    pub collapse_whitespace: bool,
}

impl Default for OutputPolicy {
    fn default() -> Self {
        Self {
            strip_prefixes: Vec::new(),
            strip_patterns: Vec::new(),
            forbidden_substrings: Vec::new(),
            forbidden_patterns: Vec::new(),
            max_length: None,
            min_length: None,
            require_patterns: Vec::new(),
            append_suffix: None,
            collapse_whitespace: true,
        }
    }
}

impl OutputPolicy {
    /// Whether a rule can reject a text.
    #[must_use]
    pub fn rejects_texts(&self) -> bool {
        self.min_length.is_some()
            || !self.forbidden_substrings.is_empty()
            || !self.forbidden_patterns.is_empty()
            || !self.require_patterns.is_empty()
    }

    /// The fields by their names in a registry.
    pub const FIELDS: [&str; 9] = [
        "strip_prefixes",
        "strip_patterns",
        "forbidden_substrings",
        "forbidden_patterns",
        "max_length",
        "min_length",
        "require_patterns",
        "append_suffix",
        "collapse_whitespace",
    ];

    /// Parses a registry's `output_policy` object, without compiling its patterns.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for an unknown field or a value of the wrong type.
    pub fn from_map(map: &Map<String, Value>) -> Result<Self, FieldError> {
        let reader = ObjectReader {
            object: "output_policy",
            map,
        };
        reader.check_known(&Self::FIELDS)?;
        Ok(Self {
            strip_prefixes: reader.texts("strip_prefixes")?,
            strip_patterns: reader.texts("strip_patterns")?,
            forbidden_substrings: reader.texts("forbidden_substrings")?,
            forbidden_patterns: reader.texts("forbidden_patterns")?,
            max_length: reader.count("max_length")?,
            min_length: reader.count("min_length")?,
            require_patterns: reader.texts("require_patterns")?,
            append_suffix: reader.text("append_suffix")?,
            collapse_whitespace: reader.flag("collapse_whitespace")?.unwrap_or(true),
        })
    }

    /// Parses `base` with each field of `overrides` in its place: the policy of a run on a route.
    ///
    /// # Errors
    ///
    /// [`FieldError`] for an unknown field or a value of the wrong type.
    pub fn layered(
        base: &Map<String, Value>,
        overrides: &Map<String, Value>,
    ) -> Result<Self, FieldError> {
        Self::from_map(&overlay(base, overrides))
    }
}

/// `base` with each key of `overrides` in its place.
pub(super) fn overlay(
    base: &Map<String, Value>,
    overrides: &Map<String, Value>,
) -> Map<String, Value> {
    let mut layered = base.clone();
    for (key, value) in overrides {
        layered.insert(key.clone(), value.clone());
    }
    layered
}
