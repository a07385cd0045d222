//! Parts that the JSON Schemas of documents are built from. Every optional value may be null.

use serde_json::{Value, json};

/// A schema that stands for itself, with the key by which a file names its schema.
#[must_use]
pub fn titled(title: &str, mut schema: Value) -> Value {
    schema["properties"]["$schema"] = text("The schema of this file, for editors.");
    let mut titled = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
    });
    if let (Value::Object(titled), Value::Object(schema)) = (&mut titled, schema) {
        titled.extend(schema);
    }
    titled
}

/// An object of exactly these members; the required ones may not be missing.
#[must_use]
pub fn closed(description: &str, required: &[&str], properties: Value) -> Value {
    let mut schema = json!({
        "description": description,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// A text, or null.
#[must_use]
pub fn text(description: &str) -> Value {
    json!({"description": description, "type": ["string", "null"]})
}

/// True, false or null.
#[must_use]
pub fn flag(description: &str) -> Value {
    json!({"description": description, "type": ["boolean", "null"]})
}

/// A count, or null.
#[must_use]
pub fn count(description: &str) -> Value {
    json!({"description": description, "type": ["integer", "null"], "minimum": 0})
}

/// An object whose members are the caller's own.
#[must_use]
pub fn open(description: &str) -> Value {
    json!({"description": description, "type": ["object", "null"]})
}

/// A list of objects, or null.
#[must_use]
pub fn list(description: &str) -> Value {
    json!({"description": description, "type": ["array", "null"], "items": {"type": "object"}})
}
