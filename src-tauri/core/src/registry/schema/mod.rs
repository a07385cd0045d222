//! The JSON Schema (2020-12) of a registry file, for completion and validation in editors.
//!
//! It accepts what the reader accepts, and rejects keys that nothing reads and unknown generation and
//! policy fields, which the reader leaves to lint. Checks that a schema cannot express (unknown
//! tokens, patterns, ids) are made by lint only.

mod section;
mod settings;

use serde_json::{Map, Value, json};

use super::{SCHEMA_VERSION, WELL_KNOWN_SECTIONS};

/// The schema of an output policy.
#[must_use]
pub fn output_policy() -> Value {
    settings::output_policy()
}

/// The schema of a registry file, bare or wrapped.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Promptdeck registry",
        "description": "The sections of a prompt and the order in which they are assembled.",
        "type": "object",
    });
    if let (Value::Object(schema), Value::Object(file)) = (&mut schema, file()) {
        schema.extend(file);
    }
    schema["$defs"] = Value::Object(definitions());
    schema
}

/// The schema of a registry in another document, or null; that document has [`definitions`].
#[must_use]
pub fn embedded(description: &str) -> Value {
    optional(description, json!({"$ref": "#/$defs/registry"}))
}

/// The schema of what a registry file contains, in another document, or null; that document has
/// [`definitions`].
#[must_use]
pub fn embedded_file(description: &str) -> Value {
    optional(description, file())
}

/// An object of a schema, or null. The schema is under `then` as what a document's reader says of unknown
/// keys and wrong types ends at the registry, which has a reader of its own.
fn optional(description: &str, schema: Value) -> Value {
    json!({
        "description": description,
        "type": ["object", "null"],
        "if": {"type": "object"},
        "then": schema,
    })
}

fn file() -> Value {
    json!({
        "if": {"required": ["registry"]},
        "then": {"properties": {"registry": {"$ref": "#/$defs/registry"}}},
        "else": {"$ref": "#/$defs/registry"},
    })
}

/// The `$defs` of a document with a registry in it.
#[must_use]
pub fn definitions() -> Map<String, Value> {
    let order = texts("Tokens in print order: section, section.field or section[entry].");
    let definitions = [
        ("registry", registry()),
        ("section", section::section()),
        ("item", section::item()),
        ("fragment", section::fragment()),
        ("route", route()),
        ("assembly_order", order),
        ("generation", settings::generation()),
        ("output_policy", settings::output_policy()),
    ];
    let named = definitions.map(|(name, schema)| (name.to_owned(), schema));
    named.into_iter().collect()
}

fn registry() -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "version": {
                "description": "Schema version; the same if absent.",
                "enum": [SCHEMA_VERSION, null],
            },
            "title": text("Title of the registry."),
            "description": text("Purpose of the registry."),
            "$schema": text("Schema of this file, for editors."),
            "template_engine": text("\"jinja\" enables Jinja in the texts."),
            "assembly_order": {"$ref": "#/$defs/assembly_order"},
            "routes": {
                "description": "Named alternatives: assembly order and settings over the same sections.",
                "type": ["object", "null"],
                "additionalProperties": {"$ref": "#/$defs/route"},
            },
            "generation": {"$ref": "#/$defs/generation"},
            "output_policy": {"$ref": "#/$defs/output_policy"},
        },
        "additionalProperties": {"$ref": "#/$defs/section"},
        // The order alone names no section. It is a case of its own for the message of an editor, which
        // names a missing key; the other case says that not all members are without items.
        "anyOf": [
            {"required": ["assembly_order"]},
            {"not": {"additionalProperties": {"not": {"required": ["items"], "type": "object"}}}},
        ],
    });
    for name in WELL_KNOWN_SECTIONS {
        // For completion only: a member is a section because it has items, whatever its name.
        schema["properties"][name] = schema["additionalProperties"].clone();
    }
    schema
}

fn route() -> Value {
    json!({
        "type": "object",
        "properties": {
            "assembly_order": {"$ref": "#/$defs/assembly_order"},
            "generation": {"$ref": "#/$defs/generation"},
            "output_policy": {"$ref": "#/$defs/output_policy"},
        },
        "additionalProperties": false,
    })
}

/// The schema of a text or null.
fn text(description: &str) -> Value {
    json!({"description": description, "type": ["string", "null"]})
}

/// The schema of a boolean or null.
fn flag(description: &str) -> Value {
    json!({"description": description, "type": ["boolean", "null"]})
}

/// The schema of a list of texts or null.
fn texts(description: &str) -> Value {
    json!({
        "description": description,
        "type": ["array", "null"],
        "items": {"type": "string"},
    })
}
