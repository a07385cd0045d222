//! JSON Schemas of the documents about requests: policies, histories, arguments, sessions.

use promptdeck_core::registry::schema::output_policy;
use promptdeck_json::schema::{closed, count, flag, list, open, text};
use serde_json::{Value, json};

/// The document of `policy`.
pub(super) fn policy() -> Value {
    // Under `allOf`, where unknown keys are not looked for: the policy's own reader rejects them.
    let fields = json!([output_policy()]);
    closed(
        "A text and the output policy to apply to it.",
        &["policy", "text"],
        json!({
            "policy": {
                "description": "The output policy, as in a registry.",
                "type": "object",
                "allOf": fields,
            },
            "text": {"description": "The output of a model.", "type": "string"},
        }),
    )
}

/// The document of `history`.
pub(super) fn history() -> Value {
    closed(
        "The messages of a conversation, to be checked against the rules of providers.",
        &["messages"],
        json!({
            "messages": {
                "description": "The messages in OpenAI's format, oldest first.",
                "type": "array",
                "items": promptdeck_chat::schema::message(),
            },
            "follow_up": flag("Whether a new user message follows; false by default."),
        }),
    )
}

/// The document of `arguments`.
pub(super) fn arguments() -> Value {
    closed(
        "The parts of the context that a prompt can read, and a template to render with it.",
        &["now"],
        json!({
            "now": {"description": "Time of the call, ISO 8601.", "type": "string"},
            "assistant": open("The assistant."),
            "conversation": open("Id and dates of the conversation."),
            "session": open("Settings of the session."),
            "message": open("The new message."),
            "args": open("Runtime arguments, available as args.name and as name."),
            "defaults": open("Default values of variables."),
            "template": text("Template to render; without it the result is the context."),
        }),
    )
}

/// The session document of `layers`.
pub(super) fn session() -> Value {
    let mut schema = closed(
        "The session from which the four layers of a Gemini request are built.",
        &["turns"],
        session_properties(),
    );
    schema["properties"]["turns"]["type"] = json!("array");
    schema
}

/// The properties of a session document.
pub(crate) fn session_properties() -> Value {
    let part = |description: &str| json!({"description": description});
    let object = |description: &str, properties: Value| {
        let mut schema = closed(description, &[], properties);
        schema["type"] = json!(["object", "null"]);
        schema
    };
    json!({
        "model": text("Name of the model."),
        "now": text("Time of the call, ISO 8601."),
        "roles": part("Roles of the model: a text, or a list of texts or objects."),
        "procedure": part("Procedure that the model follows."),
        "constraints": part("Constraints on the model."),
        "session_goal": part("Goal of the session."),
        "file_references": part("Files that the model may refer to."),
        "artifacts": part("Artifacts of the session so far."),
        "todos": part("Open tasks."),
        "turns": {
            "description": "The turns so far, oldest first.",
            "type": ["array", "null"],
            "items": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {
                        "description": "user_task, model_response, function_calling, \
                                        tool_response or compressed_history.",
                        "type": "string",
                    },
                },
            },
        },
        "cached_turn_count": count("Number of turns, from the oldest, in the static layer."),
        "cache": object("Cached content at the provider.", json!({
            "name": text("Resource name."),
            "model": text("Model that it was created for."),
            "content_hash": text("Hash of its source."),
            "expires": text("Expiry time, ISO 8601."),
        })),
        "current_task": object("The current task of the user.", json!({
            "instruction": text("The instruction."),
            "parts": list("Its parts in Gemini's format, if it is more than a text: text or inlineData."),
        })),
        "tools": list("Tools in OpenAI's format."),
        "generation": open("Generation settings."),
        "system_instruction": flag("Whether the static layer is sent as systemInstruction."),
        "templates": object("Templates that replace the built-in ones.", json!({
            "static.j2": text("Template of the static layer."),
            "dynamic.j2": text("Template of the dynamic layer."),
        })),
        "usage": object("Token usage of the last response.", json!({
            "cached_tokens": count("Tokens read from the cache."),
            "prompt_tokens": count("Tokens of the whole prompt."),
        })),
        "cache_threshold": count("Number of tokens outside the cache above which it should be rebuilt."),
    })
}
