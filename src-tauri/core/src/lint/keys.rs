//! Keys that no reader uses, in a registry, its sections, fragments and routes. They are preserved,
//! and mostly misspelled. Items are not checked, since a token may print any of their fields.

use promptdeck_json::{
    abridged,
    nearest::{did_you_mean, nearest},
};
use serde_json::{Map, Value};

use super::{Diagnostic, Pointer, Severity};
use crate::registry::{Document, RESERVED_KEYS, canonical::SECTION_KEYS, is_section};

/// The keys of a route.
const ROUTE_KEYS: [&str; 3] = ["assembly_order", "generation", "output_policy"];

/// The keys of a fragment, including the older spelling.
const FRAGMENT_KEYS: [&str; 3] = ["if_var", "text", "var"];

/// Maximum number of unknown keys reported.
const MAX_FOUND: usize = 100;

/// The unused keys of a document: warnings if a known key is similar, notes otherwise.
#[must_use]
pub fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (key, value) in &document.registry {
        if is_section(key, value) {
            let pointer = || Pointer::to(key);
            let what = || format!("section {:?}", abridged(key));
            members(value, &SECTION_KEYS, pointer, what, &mut found);
            fragments(key, value, &mut found);
        } else if key == "routes" {
            for (name, route) in value.as_object().into_iter().flatten() {
                let pointer = || Pointer::to(key).key(name);
                let what = || format!("route {:?}", abridged(name));
                members(route, &ROUTE_KEYS, pointer, what, &mut found);
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

/// Checks the fragments of a section's items.
fn fragments(section: &str, value: &Value, found: &mut Vec<Diagnostic>) {
    for (index, item) in list(value, "items").enumerate() {
        for (position, fragment) in list(item, "fragments").enumerate() {
            let pointer = || {
                let item = Pointer::to(section).key("items").index(index);
                item.key("fragments").index(position)
            };
            let what = || {
                format!(
                    "fragment {position} of item {index} of {:?}",
                    abridged(section)
                )
            };
            members(fragment, &FRAGMENT_KEYS, pointer, what, found);
        }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Reports the members of an object that are not among the known ones.
fn members(
    object: &Value,
    known: &[&str],
    pointer: impl Fn() -> Pointer,
    what: impl Fn() -> String,
    found: &mut Vec<Diagnostic>,
) {
    let room = MAX_FOUND.saturating_sub(found.len());
    let members = object.as_object().into_iter().flat_map(Map::keys);
    let unknown = members.filter(|own| !known.contains(&own.as_str()));
    for unknown in unknown.take(room) {
        let known = || known.iter().copied();
        found.push(finding(
            &pointer().key(unknown),
            &format!("{} has a key {:?}", what(), abridged(unknown)),
            nearest(unknown, known()).is_some(),
            &did_you_mean(unknown, known()),
        ));
    }
}

/// Diagnostic of a top-level key that is neither known nor a section.
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
