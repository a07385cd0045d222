//! The JSON Schema of a call document, for editors and for whoever writes one by program.

use promptdeck_core::hydrate::schema::state;
use serde_json::{Value, json};

use crate::document::session_properties;

/// The schema, draft 2020-12.
#[must_use]
pub fn json_schema() -> Value {
    let text = || json!({"type": ["string", "null"]});
    let part = |mut schema: Value, description: &str| {
        schema["description"] = json!(description);
        schema["type"] = json!(["object", "null"]);
        schema
    };
    let scalar = || json!({"type": ["string", "number", "null"]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Promptdeck call document",
        "description": "One call: the registry, who the assistant is, what was said, what is asked now.",
        "type": "object",
        "properties": {
            "registry": {"description": "A registry file, named from this file's folder, or the registry itself.", "type": ["string", "object", "null"]},
            "state": part(state(), "The state of the hydration."),
            "route": {"description": "A route of the registry.", "type": ["string", "null"]},
            "seed": {"description": "The seed of every pick, below 2^53.", "type": ["integer", "string", "null"], "minimum": 0, "maximum": 9_007_199_254_740_991_u64},
            "now": {"description": "The moment of the call, RFC 3339.", "type": ["string", "null"]},
            "assistant": {"description": "Who the assistant is.", "type": ["object", "null"], "properties": {"name": scalar(), "id": scalar(), "language": scalar(), "description": scalar()}},
            "conversation": {"description": "The conversation's identity and dates.", "type": ["object", "null"], "properties": {"id": scalar(), "identifier": scalar(), "source": scalar(), "direction": scalar(), "created_date": scalar(), "updated_date": scalar()}},
            "session": {"description": "How the session is held.", "type": ["object", "null"], "properties": {"mode": scalar()}},
            "metadata": {"description": "What the client says of itself.", "type": ["object", "null"], "properties": {"client.language": text()}},
            "args": {"description": "Runtime arguments, read as args.name and as name.", "type": ["object", "null"]},
            "defaults": {"description": "What template variables hold when no argument sets them.", "type": ["object", "null"]},
            "history": {"description": "The messages so far, oldest first.", "type": ["array", "null"], "items": {"$ref": "#/$defs/message"}},
            "message": {"description": "The new user message.", "type": ["object", "null"], "properties": {"text": scalar(), "language": scalar()}},
            "tools": {"description": "The tools, in OpenAI's shape.", "type": ["array", "null"], "items": {"type": "object"}},
            "thinking": {"description": "Whether the model is to think, where a chat template or family asks.", "type": ["boolean", "null"]},
            "layers": part(
                json!({"properties": session_properties(), "additionalProperties": false}),
                "Fields of a Gemini session that have no other home.",
            ),
            "$schema": {"description": "The schema of this file, for editors.", "type": ["string", "null"]}
        },
        "additionalProperties": false,
        "$defs": {
            "message": {
                "type": "object",
                "required": ["role"],
                "properties": {
                    "role": {"type": "string"},
                    "content": {"type": ["string", "array", "null"]},
                    "language": text(),
                    "tool_calls": {"type": ["array", "null"], "items": {"type": "object", "properties": {"id": {"type": "string"}}}},
                    "tool_call_id": text()
                }
            }
        }
    })
}
