//! Keys that no reader uses, in a registry, its sections, fragments and routes. They are preserved,
//! and mostly misspelled. Items are not checked, since a token may print any of their fields.

use promptdeck_json::{
    abridged,
    nearest::{hint, nearest},
};
use serde_json::{Map, Value};

use super::{DataKey, Diagnostic, DiagnosticData, Pointer, Severity, codes};
use crate::registry::{Document, RESERVED_KEYS, canonical::SECTION_KEYS, is_section};

/// The keys of a route.
const ROUTE_KEYS: [&str; 3] = ["assembly_order", "generation", "output_policy"];

/// The keys of a fragment, including the older spelling.
const FRAGMENT_KEYS: [&str; 3] = ["if_var", "text", "var"];

/// The key by which a file names its schema, for editors.
const SCHEMA_KEY: &str = "$schema";

/// Maximum number of unknown keys reported.
const MAX_FOUND: usize = 100;

/// The unused keys of a document: warnings if a known key is similar, notes otherwise.
#[must_use]
pub fn unknown_keys(document: &Document) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (key, value) in &document.registry {
        if is_section(key, value) {
            let pointer = || Pointer::to(key);
            let subject = || Named {
                words: format!("section {:?}", abridged(key)),
                data: DiagnosticData::of(DataKey::Section, key.as_str()),
            };
            members(value, &SECTION_KEYS, pointer, subject, &mut found);
            fragments(key, value, &mut found);
        } else if key == "routes" {
            for (name, route) in value.as_object().into_iter().flatten() {
                let pointer = || Pointer::to(key).key(name);
                let subject = || Named {
                    words: format!("route {:?}", abridged(name)),
                    data: DiagnosticData::of(DataKey::Route, name.as_str()),
                };
                members(route, &ROUTE_KEYS, pointer, subject, &mut found);
            }
        } else if key != SCHEMA_KEY && !RESERVED_KEYS.contains(&key.as_str()) {
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
            let subject = || Named {
                words: format!(
                    "fragment {} of item {} of {:?}",
                    position + 1,
                    index + 1,
                    abridged(section)
                ),
                data: DiagnosticData::of(DataKey::Section, section)
                    .with(DataKey::ItemIndex, index)
                    .with(DataKey::Fragment, position),
            };
            members(fragment, &FRAGMENT_KEYS, pointer, subject, found);
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

/// An object, as a sentence and as data name it.
struct Named {
    words: String,
    data: DiagnosticData,
}

/// The unknown members of an object.
fn members(
    object: &Value,
    known: &[&str],
    pointer: impl Fn() -> Pointer,
    what: impl Fn() -> Named,
    found: &mut Vec<Diagnostic>,
) {
    let room = MAX_FOUND.saturating_sub(found.len());
    let members = object.as_object().into_iter().flat_map(Map::keys);
    let unknown = members.filter(|key| !known.contains(&key.as_str()));
    for unknown in unknown.take(room) {
        let suggestion = nearest(unknown, known.iter().copied());
        let Named { words, data } = what();
        found.push(finding(
            &pointer().key(unknown),
            &format!("{words} has a key {:?}", abridged(unknown)),
            &hint(suggestion),
            data.with(DataKey::Key, unknown.as_str())
                .with_some(DataKey::Suggestion, suggestion),
        ));
    }
}

/// Diagnostic of a top-level key that is neither known nor a section.
fn no_section(key: &str, value: &Value) -> Diagnostic {
    let members = value.as_object().into_iter().flat_map(Map::keys);
    let items = nearest("items", members.map(String::as_str));
    let suggestion = nearest(key, RESERVED_KEYS);
    let hint = match items {
        Some(items) => format!("; did you mean \"items\" where it says {items:?}?"),
        None => hint(suggestion),
    };
    let data = DiagnosticData::of(DataKey::Key, key)
        .with(DataKey::Expected, "items")
        .with_some(DataKey::Found, items)
        .with_some(DataKey::Suggestion, suggestion.filter(|_| items.is_none()));
    let subject = format!(
        "{:?} is neither a section, which has \"items\", nor a key of a registry",
        abridged(key)
    );
    finding(&Pointer::to(key), &subject, &hint, data)
}

fn finding(pointer: &Pointer, subject: &str, hint: &str, data: DiagnosticData) -> Diagnostic {
    let severity = if hint.is_empty() {
        Severity::Note
    } else {
        Severity::Warning
    };
    let message = format!("{subject}: it is kept, and nothing reads it{hint}");
    Diagnostic::new(
        codes::UNKNOWN_KEY,
        severity,
        message,
        pointer.0.clone(),
        data,
    )
}
