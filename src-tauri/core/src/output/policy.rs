//! The output policy as data: reading it, layering a route over a registry, the additive merge.
//!
//! Applying it is [`super::CompiledPolicy`]'s.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{FieldError, Fields};

/// Rules for a generated text. Lengths are in characters (Unicode scalar values), patterns are
/// Python's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputPolicy {
    /// Taken off the start, each once, in this order, whatever their letter case.
    pub strip_prefixes: Vec<String>,
    /// Their matches are removed (multi-line mode).
    pub strip_patterns: Vec<String>,
    /// Texts that must not occur; case counts, empty ones are ignored.
    pub forbidden_substrings: Vec<String>,
    /// Patterns that must not match; empty ones are ignored.
    pub forbidden_patterns: Vec<String>,
    /// The text is cut to this length before the suffix comes.
    pub max_length: Option<u64>,
    /// A shorter text is refused.
    pub min_length: Option<u64>,
    /// Patterns that must match; empty ones are ignored.
    pub require_patterns: Vec<String>,
    /// Appended to what is left.
    pub append_suffix: Option<String>,
    /// Whether runs of blanks become one and blank lines at most one.
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

    /// Reads a registry's `output_policy` object. Patterns are not compiled here.
    pub fn from_map(map: &Map<String, Value>) -> Result<Self, FieldError> {
        let fields = Fields {
            object: "output_policy",
            map,
        };
        fields.only(&Self::FIELDS)?;
        Ok(Self {
            strip_prefixes: fields.texts("strip_prefixes")?,
            strip_patterns: fields.texts("strip_patterns")?,
            forbidden_substrings: fields.texts("forbidden_substrings")?,
            forbidden_patterns: fields.texts("forbidden_patterns")?,
            max_length: fields.count("max_length")?,
            min_length: fields.count("min_length")?,
            require_patterns: fields.texts("require_patterns")?,
            append_suffix: fields.text("append_suffix")?,
            collapse_whitespace: fields.flag("collapse_whitespace")?.unwrap_or(true),
        })
    }

    /// Reads `base` with each field of `overrides` in its place: what a run on a route uses.
    pub fn layered(
        base: &Map<String, Value>,
        overrides: &Map<String, Value>,
    ) -> Result<Self, FieldError> {
        Self::from_map(&replaced(base, overrides))
    }

    /// This policy with `overrides` merged in: the five lists grow, the other fields named in
    /// `overrides` are replaced. A run does not merge so; it is for callers that want both sets.
    pub fn merged_with(&self, overrides: &Map<String, Value>) -> Result<Self, FieldError> {
        let over = Self::from_map(overrides)?;
        let named = |field: &str| overrides.contains_key(field);
        let both = |mine: &[String], theirs: Vec<String>| [mine, &theirs].concat();
        Ok(Self {
            strip_prefixes: both(&self.strip_prefixes, over.strip_prefixes),
            strip_patterns: both(&self.strip_patterns, over.strip_patterns),
            forbidden_substrings: both(&self.forbidden_substrings, over.forbidden_substrings),
            forbidden_patterns: both(&self.forbidden_patterns, over.forbidden_patterns),
            require_patterns: both(&self.require_patterns, over.require_patterns),
            max_length: if named("max_length") {
                over.max_length
            } else {
                self.max_length
            },
            min_length: if named("min_length") {
                over.min_length
            } else {
                self.min_length
            },
            append_suffix: if named("append_suffix") {
                over.append_suffix
            } else {
                self.append_suffix.clone()
            },
            collapse_whitespace: if named("collapse_whitespace") {
                over.collapse_whitespace
            } else {
                self.collapse_whitespace
            },
        })
    }
}

/// `base` with each key of `overrides` in its place.
pub(super) fn replaced(
    base: &Map<String, Value>,
    overrides: &Map<String, Value>,
) -> Map<String, Value> {
    let mut layered = base.clone();
    for (key, value) in overrides {
        layered.insert(key.clone(), value.clone());
    }
    layered
}
