//! Keys that nothing reads: at the top of a registry and in its sections. They are kept, and mostly
//! a typing error. Items are not looked at, as any field of theirs may be printed.

use serde_json::{Map, Value};

use super::{Diagnostic, Pointer, Severity};
use crate::{
    nearest::{did_you_mean, nearest},
    registry::{Document, RESERVED_KEYS, abridged, canonical::SECTION_KEYS, is_section},
};

/// How many unknown keys are listed.
const MAX_FOUND: usize = 100;

/// The keys of a document that nothing reads: warnings where a known key is near, notes elsewhere.
#[must_use]
pub fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (key, value) in &document.registry {
        if is_section(key, value) {
            let members = value.as_object().into_iter().flat_map(Map::keys);
            for unknown in members.filter(|own| !SECTION_KEYS.contains(&own.as_str())) {
                let what = format!(
                    "section {:?} has a key {:?}",
                    abridged(key),
                    abridged(unknown)
                );
                found.push(finding(
                    &Pointer::to(key).key(unknown),
                    &what,
                    nearest(unknown, SECTION_KEYS).is_some(),
                    &did_you_mean(unknown, SECTION_KEYS),
                ));
            }
        } else if !RESERVED_KEYS.contains(&key.as_str()) {
            found.push(no_section(key, value));
        }
        if found.len() >= MAX_FOUND {
            found.truncate(MAX_FOUND);
            break;
        }
    }
    found
}

/// A key at the top that is neither known nor a section.
fn no_section(key: &str, value: &Value) -> Diagnostic {
    let members = value.as_object().into_iter().flat_map(Map::keys);
    let items = nearest("items", members.map(String::as_str));
    let hint = match items {
        Some(items) => format!("; did you mean \"items\" where it says {items:?}?"),
        None => did_you_mean(key, RESERVED_KEYS),
    };
    let what = format!(
        "{:?} is neither a section, which has \"items\", nor a key of a registry",
        abridged(key)
    );
    finding(&Pointer::to(key), &what, !hint.is_empty(), &hint)
}

fn finding(pointer: &Pointer, what: &str, near: bool, hint: &str) -> Diagnostic {
    let severity = if near {
        Severity::Warning
    } else {
        Severity::Note
    };
    let message = format!("{what}: it is kept, and nothing reads it{hint}");
    Diagnostic::new("unknown_key", severity, message, pointer.0.clone())
}
