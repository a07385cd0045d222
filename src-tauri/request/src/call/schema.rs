//! The JSON Schema of a call document, for editors and programs that write one.

use promptdeck_core::{hydrate::schema::state, registry::schema as registry};
use promptdeck_json::schema::text;
use serde_json::{Value, json};

use crate::document::session_properties;

/// The schema, draft 2020-12.
#[must_use]
pub fn json_schema() -> Value {
    let part = |mut schema: Value, description: &str| {
        schema["description"] = json!(description);
        schema["type"] = json!(["object", "null"]);
        schema
    };
    let scalar = |description: &str| json!({"description": description, "type": ["string", "number", "null"]});
    let assistant = json!({
        "name": scalar("Name of the assistant."),
        "id": scalar("Id of the assistant; a number is read as a text."),
        "language": scalar("Language that the assistant answers in."),
        "description": scalar("What the assistant is for."),
    });
    let conversation = json!({
        "id": scalar("Id of the conversation."),
        "identifier": scalar("Further identifier, such as that of a channel."),
        "source": scalar("Where the conversation takes place, such as web."),
        "direction": scalar("Who began it, such as inbound."),
        "created_date": scalar("When it began, ISO 8601."),
        "updated_date": scalar("When it was last changed, ISO 8601."),
    });
    let session = json!({"mode": scalar("Mode of the session.")});
    let metadata = json!({"client.language": text("Language of the user's client.")});
    let mut registry = registry::embedded(
        "Path of a registry file, relative to this file's folder, or the registry itself.",
    );
    registry["type"] = json!(["string", "object", "null"]);
    let mut definitions = registry::definitions();
    definitions.insert("message".to_owned(), promptdeck_chat::schema::message());
    let message = json!({
        "text": scalar("What the user writes."),
        "language": scalar("Language of the message."),
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Promptdeck call document",
        "description": "One call: the registry, the assistant, the conversation, and the new message.",
        "type": "object",
        "properties": {
            "registry": registry,
            "state": part(state(), "The state of the hydration."),
            "route": {"description": "Route of the registry.", "type": ["string", "null"]},
            "seed": {"description": "Seed of all picks, below 2^53.", "type": ["integer", "string", "null"], "minimum": 0, "maximum": 9_007_199_254_740_991_u64},
            "now": {"description": "Time of the call, RFC 3339.", "type": ["string", "null"]},
            "assistant": {"description": "The assistant.", "type": ["object", "null"], "properties": assistant},
            "conversation": {"description": "Id and dates of the conversation.", "type": ["object", "null"], "properties": conversation},
            "session": {"description": "Settings of the session.", "type": ["object", "null"], "properties": session},
            "metadata": {"description": "Information about the client.", "type": ["object", "null"], "properties": metadata},
            "args": {"description": "Runtime arguments, available as args.name and as name.", "type": ["object", "null"]},
            "defaults": {"description": "Default values of template variables.", "type": ["object", "null"]},
            "history": {"description": "The messages so far, oldest first.", "type": ["array", "null"], "items": {"$ref": "#/$defs/message"}},
            "message": {"description": "The new user message.", "type": ["object", "null"], "properties": message},
            "tools": {"description": "Tools in OpenAI's format.", "type": ["array", "null"], "items": {"type": "object"}},
            "thinking": {"description": "Whether the model thinks, for chat templates and families that have a thinking switch.", "type": ["boolean", "null"]},
            "layers": part(
                json!({"properties": session_properties(), "additionalProperties": false}),
                "Further fields of a Gemini session.",
            ),
            "$schema": {"description": "Schema of this file, for editors.", "type": ["string", "null"]}
        },
        "additionalProperties": false,
        "$defs": definitions,
    })
}
