//! Schemas of the documents about requests: policies, histories, arguments, sessions.

use promptdeck_json::schema::{closed, count, flag, list, open, text};
use serde_json::{Value, json};

/// The document of `policy`. The policy itself refuses fields it does not know.
pub(super) fn policy() -> Value {
    closed(
        "A text, and the output policy that cleans and judges it.",
        &["policy", "text"],
        json!({
            "policy": {"description": "The output policy, as in a registry.", "type": "object"},
            "text": {"description": "What a model wrote.", "type": "string"},
        }),
    )
}

/// The document of `history`.
pub(super) fn history() -> Value {
    closed(
        "The messages of a conversation, judged by the rules a provider holds them to.",
        &["messages"],
        json!({
            "messages": {
                "description": "The messages, oldest first, in OpenAI's shape.",
                "type": "array",
                "items": {"type": "object"},
            },
            "follow_up": flag("Whether a new user message follows; false when missing."),
        }),
    )
}

/// The document of `arguments`.
pub(super) fn arguments() -> Value {
    closed(
        "The parts of the context that a prompt may read, and a template to render with it.",
        &["now"],
        json!({
            "now": {"description": "The moment of the call, ISO 8601.", "type": "string"},
            "assistant": open("Who the assistant is."),
            "conversation": open("The conversation's identity and dates."),
            "session": open("How the session is held."),
            "message": open("The new message."),
            "args": open("Runtime arguments, read as args.name and as name."),
            "defaults": open("What variables hold when no argument sets them."),
            "template": text("A template to render; without it the context is the answer."),
        }),
    )
}

/// The session document of `layers`.
pub(super) fn session() -> Value {
    let mut schema = closed(
        "What the four layers of a Gemini request are built from.",
        &["turns"],
        session_properties(),
    );
    schema["properties"]["turns"]["type"] = json!("array");
    schema
}

/// The fields of a session document.
pub(crate) fn session_properties() -> Value {
    let part = |description: &str| json!({"description": description});
    let object = |description: &str, properties: Value| {
        let mut schema = closed(description, &[], properties);
        schema["type"] = json!(["object", "null"]);
        schema
    };
    json!({
        "model": text("The model called."),
        "now": text("The moment of the call, ISO 8601."),
        "roles": part("Who the model is: a text, or a list of texts or objects."),
        "procedure": part("How the model proceeds."),
        "constraints": part("What the model must keep to."),
        "session_goal": part("What the session is for."),
        "file_references": part("Files the model may refer to."),
        "artifacts": part("What the session has made so far."),
        "todos": part("What is left to do."),
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
        "cached_turn_count": count("How many of the oldest turns belong to the static layer."),
        "cache": object("A cache that the provider holds.", json!({
            "name": text("Its resource name."),
            "model": text("The model it was made for."),
            "content_hash": text("The hash of what it was made of."),
            "expires": text("When it ends, ISO 8601."),
        })),
        "current_task": object("What the user wants now.", json!({
            "instruction": text("The instruction."),
        })),
        "tools": list("The tools, in OpenAI's shape."),
        "generation": open("Generation settings."),
        "system_instruction": flag("Whether the static layer is sent as systemInstruction."),
        "templates": object("Templates in the place of the built-in ones.", json!({
            "static.j2": text("The template of the static layer."),
            "dynamic.j2": text("The template of the dynamic layer."),
        })),
        "usage": object("What the last response cost.", json!({
            "cached_tokens": count("Tokens read from the cache."),
            "prompt_tokens": count("Tokens of the whole prompt."),
        })),
        "cache_threshold": count("Buffered tokens above which the cache should be rebuilt."),
    })
}
