//! The JSON Schema (2020-12) of a registry file, for editors that complete and check while one
//! types.
//!
//! It accepts what the reader accepts, and refuses unknown generation and policy fields, which the
//! reader leaves to lint. What takes more than one look (tokens that name nothing, patterns, ids)
//! is lint's alone.

mod section;
mod settings;

use serde_json::{Value, json};

use super::{SCHEMA_VERSION, WELL_KNOWN_SECTIONS};

/// The schema of a registry file, bare or wrapped.
#[must_use]
pub fn json_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Promptdeck registry",
        "description": "A prompt laid out in sections, and the order in which they are assembled.",
        "type": "object",
        "if": {"required": ["registry"]},
        "then": {"properties": {"registry": {"$ref": "#/$defs/registry"}}},
        "else": {"$ref": "#/$defs/registry"},
        "$defs": {
            "registry": registry(),
            "section": section::section(),
            "item": section::item(),
            "fragment": section::fragment(),
            "route": route(),
            "assembly_order": texts(
                "Entries in the order they are printed: section, section.field or section[entry].",
            ),
            "generation": settings::generation(),
            "output_policy": settings::output_policy(),
        },
    })
}

fn registry() -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "version": {
                "description": "The dialect; absent means the same.",
                "enum": [SCHEMA_VERSION, null],
            },
            "title": text("What the registry is called."),
            "description": text("What it is for."),
            "template_engine": text("\"jinja\" turns Jinja on in the authored texts."),
            "assembly_order": {"$ref": "#/$defs/assembly_order"},
            "routes": {
                "description": "Other ways through the same sections, by name.",
                "type": ["object", "null"],
                "additionalProperties": {"$ref": "#/$defs/route"},
            },
            "generation": {"$ref": "#/$defs/generation"},
            "output_policy": {"$ref": "#/$defs/output_policy"},
        },
        "additionalProperties": {
            "if": {"type": "object", "required": ["items"]},
            "then": {"$ref": "#/$defs/section"},
        },
    });
    for name in WELL_KNOWN_SECTIONS {
        // For completion only: what makes a member a section is that it holds items.
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
    })
}

/// A text, or null for none.
fn text(description: &str) -> Value {
    json!({"description": description, "type": ["string", "null"]})
}

/// True or false, or null for neither.
fn flag(description: &str) -> Value {
    json!({"description": description, "type": ["boolean", "null"]})
}

/// A list of texts, or null for none.
fn texts(description: &str) -> Value {
    json!({
        "description": description,
        "type": ["array", "null"],
        "items": {"type": "string"},
    })
}
