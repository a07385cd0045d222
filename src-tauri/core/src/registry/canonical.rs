//! The canonical form of a registry: fixed key order, two-space indent, one newline at the end.
//!
//! Nothing an author wrote is lost: unknown keys follow the known ones in their own order, numbers
//! keep their spelling.

use serde::Serialize as _;
use serde_json::{Map, Value, json, ser::PrettyFormatter};

use super::{Document, RESERVED_KEYS, SCHEMA_VERSION, WELL_KNOWN_SECTIONS, bare_name, is_section};

/// Reserved keys before the sections, in canonical order.
const HEAD_KEYS: [&str; 5] = [
    "version",
    "title",
    "description",
    "template_engine",
    "assembly_order",
];

/// Reserved keys after the sections, in canonical order.
const TAIL_KEYS: [&str; 3] = ["routes", "generation", "output_policy"];

/// The keys of a section, in canonical order.
pub(crate) const SECTION_KEYS: [&str; 10] = [
    "required",
    "template_vars",
    "items",
    "selected",
    "section_random",
    "array_modes",
    "slider",
    "slider_random",
    "scale_template",
    "template_var_defaults",
];

/// The document in canonical form.
#[must_use]
pub fn format(document: &Document) -> String {
    let mut top = Map::new();
    let registry = registry(&document.registry);
    top.insert("registry".to_owned(), Value::Object(registry));
    top.extend(
        document
            .wrapper
            .iter()
            .flatten()
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    to_json(&Value::Object(top))
}

/// The names of the sections among these top-level keys, in canonical order.
#[must_use]
pub fn canonical_section_order(registry: &Map<String, Value>) -> Vec<&str> {
    let known = WELL_KNOWN_SECTIONS
        .iter()
        .filter_map(|name| registry.get_key_value(*name));
    let others = registry
        .iter()
        .filter(|(name, _)| !WELL_KNOWN_SECTIONS.contains(&name.as_str()));
    known
        .chain(others)
        .filter(|(name, value)| is_section(name, value))
        .map(|(name, _)| name.as_str())
        .collect()
}

fn registry(authored: &Map<String, Value>) -> Map<String, Value> {
    let mut canonical = Map::new();
    let copy = |canonical: &mut Map<String, Value>, key: &str| {
        if let Some(value) = authored.get(key) {
            canonical.insert(key.to_owned(), value.clone());
        }
    };
    for key in HEAD_KEYS {
        copy(&mut canonical, key);
        if key == "version" {
            canonical.retain(|_, value| !value.is_null());
            canonical.entry(key).or_insert(json!(SCHEMA_VERSION));
        }
    }
    for name in canonical_section_order(authored) {
        if let Some(Value::Object(authored)) = authored.get(name) {
            canonical.insert(name.to_owned(), section(authored));
        }
    }
    for key in TAIL_KEYS {
        copy(&mut canonical, key);
    }
    for (key, value) in authored {
        if !RESERVED_KEYS.contains(&key.as_str()) && !is_section(key, value) {
            copy(&mut canonical, key);
        }
    }
    canonical
}

fn section(authored: &Map<String, Value>) -> Value {
    let mut others = authored.clone();
    let mut canonical = Map::new();
    for key in SECTION_KEYS {
        let value = others.shift_remove(key);
        let value = match key {
            "required" => Some(
                value
                    .filter(|value| !value.is_null())
                    .unwrap_or(json!(true)),
            ),
            "template_vars" => Some(bare_names(value)),
            "items" => Some(items(value)),
            "template_var_defaults" => value.map(bare_keys),
            _ => value,
        };
        if let Some(value) = value {
            canonical.insert(key.to_owned(), value);
        }
    }
    canonical.extend(others);
    Value::Object(canonical)
}

fn bare_names(names: Option<Value>) -> Value {
    let Some(Value::Array(names)) = names else {
        return json!([]);
    };
    names
        .into_iter()
        .map(|name| match name {
            Value::String(name) => Value::from(bare_name(&name)),
            other => other,
        })
        .collect()
}

fn bare_keys(defaults: Value) -> Value {
    let Value::Object(defaults) = defaults else {
        return defaults;
    };
    let clashes = |name: &str| name != bare_name(name) && defaults.contains_key(bare_name(name));
    let bare = defaults.iter().map(|(name, value)| {
        let name_or_bare = if clashes(name) { name } else { bare_name(name) };
        (name_or_bare.to_owned(), value.clone())
    });
    Value::Object(bare.collect())
}

fn items(items: Option<Value>) -> Value {
    let Some(Value::Array(items)) = items else {
        return json!([]);
    };
    items
        .into_iter()
        .map(|item| match item {
            Value::Object(fields) => Value::Object(item_fields(fields)),
            other => other,
        })
        .collect()
}

fn item_fields(fields: Map<String, Value>) -> Map<String, Value> {
    let mut fields = rename_legacy_key(fields, "pre_context:", "pre_context");
    if let Some(Value::Array(fragments)) = fields.get_mut("fragments") {
        for fragment in fragments {
            if let Value::Object(members) = fragment {
                *members = rename_legacy_key(std::mem::take(members), "var", "if_var");
                if let Some(name) = members.get_mut("if_var") {
                    bare_value(name);
                }
            }
        }
    }
    if let Some(Value::Array(variables)) = fields.get_mut("runtime_variables") {
        for variable in variables {
            bare_value(variable);
        }
    }
    fields
}

fn bare_value(value: &mut Value) {
    if let Value::String(name) = value {
        *name = bare_name(name).to_owned();
    }
}

/// Renames a legacy key to its canonical name, in place. If both exist and the canonical one has a
/// value, the legacy one is never read and stays unchanged.
fn rename_legacy_key(
    fields: Map<String, Value>,
    legacy: &str,
    canonical: &str,
) -> Map<String, Value> {
    if !fields.contains_key(legacy) {
        return fields;
    }
    let has_value = |value: &Value| !value.is_null() && value.as_str() != Some("");
    if fields.get(canonical).is_some_and(has_value) {
        return fields;
    }
    fields
        .into_iter()
        .filter(|(key, _)| key != canonical)
        .map(|(key, value)| {
            if key == legacy {
                (canonical.to_owned(), value)
            } else {
                (key, value)
            }
        })
        .collect()
}

fn to_json(value: &Value) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(b"  ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    // A JSON value always serialises, and into UTF-8.
    let result = value.serialize(&mut serializer).is_ok();
    debug_assert!(result, "a JSON value serialises");
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}
