//! Recognizes the kind of a JSON file by its keys. Call documents and schemas are often beside
//! registries, and each kind has its own reader.

use std::fmt;

use promptdeck_json::nearest::nearest;
use serde_json::{Map, Value};

use crate::registry::{Document, RESERVED_KEYS};

/// The fields of a call document that no other file has beside a registry. Programs write `metadata`
/// and `$schema` beside theirs.
pub const CALL_FIELDS: [&str; 14] = [
    "state",
    "route",
    "seed",
    "now",
    "assistant",
    "conversation",
    "session",
    "args",
    "defaults",
    "history",
    "message",
    "tools",
    "thinking",
    "layers",
];

/// The probable kind of a JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A registry, bare or wrapped.
    Registry,
    /// A call document that names its registry or has none.
    Call,
    /// A call document with an embedded registry, which can be read as a wrapped registry.
    CallWithRegistry,
    /// The checks of a registry.
    Checks,
    /// A JSON Schema.
    Schema,
    /// Any other object.
    Other,
}

impl FileKind {
    /// Why a file of this kind is not a registry.
    #[must_use]
    pub fn why_no_registry(self) -> String {
        match self {
            Self::Registry | Self::Other => {
                "not a registry: it has no section, which is an object with \"items\"".to_owned()
            }
            other => format!("not a registry but {other}"),
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Registry => "a registry",
            Self::Call => "a call document",
            Self::CallWithRegistry => "a call document that holds its registry",
            Self::Checks => "a file of checks",
            Self::Schema => "a JSON Schema",
            Self::Other => "JSON of another kind",
        })
    }
}

/// Recognizes an object by its keys.
///
/// ```
/// use promptdeck_core::file_kind::{FileKind, recognize};
/// use serde_json::json;
///
/// let call = json!({"registry": "deck.json", "message": {"text": "Hi"}});
/// assert_eq!(recognize(call.as_object().unwrap()), FileKind::Call);
/// ```
#[must_use]
pub fn recognize(members: &Map<String, Value>) -> FileKind {
    let calls = || members.keys().any(|key| is_call_field(key));
    match members.get("registry") {
        Some(Value::Object(_)) if !holds_registry(members) && calls() => FileKind::Call,
        Some(Value::Object(_)) if calls() => FileKind::CallWithRegistry,
        _ if holds_registry(members) => FileKind::Registry,
        Some(Value::String(_)) => FileKind::Call,
        None | Some(Value::Null) if calls() => FileKind::Call,
        _ if is_schema(members) => FileKind::Schema,
        _ if members.get("checks").is_some_and(Value::is_array) => FileKind::Checks,
        _ => FileKind::Other,
    }
}

/// Whether a file is a registry or has one beside the fields of a call, as imported messages do: the
/// window lists these files, and verbs read them in folders.
#[must_use]
pub fn holds_registry(members: &Map<String, Value>) -> bool {
    match members.get("registry") {
        Some(Value::Object(inner)) => looks_like_registry(inner),
        _ => looks_like_registry(members),
    }
}

/// The key under which an object without `registry` has what looks like one, if the key is probably
/// `registry` misspelled.
#[must_use]
pub fn misspelled_registry(members: &Map<String, Value>) -> Option<&str> {
    if members.contains_key("registry") || holds_registry(members) {
        return None;
    }
    let mut members = members.iter();
    let misspelled_registry = members.find(|(key, value)| {
        let inner = value.as_object();
        inner.is_some_and(looks_like_registry) && nearest(key, ["registry"]).is_some()
    });
    misspelled_registry.map(|(key, _)| key.as_str())
}

/// Whether a key beside `registry` is one of [`CALL_FIELDS`].
#[must_use]
pub fn is_call_field(key: &str) -> bool {
    CALL_FIELDS.contains(&key)
}

/// Removes the fields of a call document beside the registry: state, messages and arguments of one
/// call are not part of the model JSON.
#[must_use]
pub fn without_call(document: &Document) -> Document {
    let mut document = document.clone();
    if let Some(wrapper) = &mut document.wrapper {
        wrapper.retain(|key, _| !is_call_field(key));
    }
    document
}

fn looks_like_registry(members: &Map<String, Value>) -> bool {
    members.contains_key("assembly_order")
        || members.iter().any(|(key, value)| {
            !RESERVED_KEYS.contains(&key.as_str())
                && value.get("items").is_some_and(Value::is_array)
        })
}

fn is_schema(members: &Map<String, Value>) -> bool {
    let names_one = |value: &Value| {
        let dialect = value.as_str();
        dialect.is_some_and(|dialect| dialect.contains("json-schema.org"))
    };
    members.get("$schema").is_some_and(names_one)
        || (members.contains_key("type") && members.contains_key("properties"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::registry::schema::json_schema;

    #[test]
    fn a_misspelled_key_of_a_registry_is_recognized() {
        let registry = json!({"assembly_order": [], "a": {"items": []}});
        for (document, expected) in [
            (json!({"registery": registry}), Some("registery")),
            (json!({"by": "me", "Registry": registry}), Some("Registry")),
            (
                json!({"regstry": {"a": {"items": []}}, "seed": 7}),
                Some("regstry"),
            ),
            (json!({"registery": {"name": "npm"}}), None),
            (json!({"registery": "deck.json"}), None),
            (json!({"deck": registry}), None),
            (
                json!({"registry": "deck.json", "registery": registry}),
                None,
            ),
            (json!({"a": {"items": []}, "registery": registry}), None),
            (json!({}), None),
        ] {
            let members = document.as_object().expect("an object");
            assert_eq!(misspelled_registry(members), expected, "{document}");
        }
    }

    #[test]
    fn files_are_distinguished_by_their_keys() {
        use FileKind::{Call, CallWithRegistry, Checks, Other, Registry, Schema};
        let section = json!({"items": []});
        let registry = json!({"assembly_order": [], "a": section});
        for (document, expected) in [
            (registry.clone(), Registry),
            (json!({"a": section, "message": section}), Registry),
            (json!({"registry": registry}), Registry),
            (
                json!({"registry": registry, "metadata": {}, "by": "me"}),
                Registry,
            ),
            (json!({"registry": registry, "seed": 7}), CallWithRegistry),
            (json!({"registry": "deck.json"}), Call),
            (json!({"history": []}), Call),
            (json_schema(), Schema),
            (json!({"type": "object", "properties": {}}), Schema),
            (json!({"version": 1, "checks": []}), Checks),
            (json!({"checks": {"items": []}}), Registry),
            (json!({"registry": {}}), Other),
            (json!({"registry": {}, "seed": 7}), Call),
            (json!({"registry": {}, "a": section}), Other),
            (json!({"title": "x"}), Other),
            (json!({}), Other),
        ] {
            let members = document.as_object().expect("an object");
            assert_eq!(recognize(members), expected, "{document}");
        }
    }
}
