//! JSON Schemas of the questions about chat templates that [`answer`](crate::answer) reads.

use promptdeck_json::schema::{closed, flag, open, text};
use serde_json::{Value, json};

/// What stands for a model: its template, its configuration, or where its files lie.
fn model() -> Value {
    json!({
        "template": text("The text of a chat template."),
        "config": {"description": "A configuration such as tokenizer_config.json."},
        "model_path": text("A model folder, a GGUF file or a template; or the name of a model."),
    })
}

/// The document of `chat render`.
#[must_use]
pub fn render() -> Value {
    closed(
        "A conversation, and the template or family that renders it.",
        &["messages"],
        conversation(json!({"description": "The messages, oldest first.", "type": "array"})),
    )
}

fn conversation(messages: Value) -> Value {
    json!({
        "template": text("The text of a chat template."),
        "family": text("A family whose built-in format is used, such as QWEN_3_X."),
        "messages": messages,
        "tools": {"description": "The tools offered.", "type": ["array", "object", "null"]},
        "add_generation_prompt": flag("Whether the text ends where the model begins."),
        "bos_token": text("The token that texts begin with."),
        "eos_token": text("The token that texts end with."),
        "extra": open("Further variables of the template; documents is one of them."),
        "thinking": flag("Whether the model is to think; a variable in extra goes before it."),
        "now": text("The clock, ISO 8601; local time when it has no offset."),
        "continue_final_message": {
            "description": "true, or the name of the field that is continued.",
            "type": ["boolean", "string", "null"],
        },
        "polyfill": flag("Whether the conversation is changed to what the template can show."),
        "off": {
            "description": "Polyfills that are switched off.",
            "type": ["array", "null"],
            "items": {"type": "string"},
        },
        "alias_reasoning": flag("Whether reasoning is given under all the names in use."),
    })
}

/// A line of `chat inspect`, and the file of its `--conversation`.
#[must_use]
pub fn inspect() -> Value {
    let messages = json!({"description": "The messages, oldest first.", "type": ["array", "null"]});
    let mut properties = conversation(messages);
    if let (Value::Object(all), Value::Object(model)) = (&mut properties, model()) {
        all.extend(model);
    }
    let mut against = closed("Another model to compare with.", &[], model());
    against["type"] = json!(["object", "null"]);
    properties["against"] = against;
    closed(
        "A model to inspect, and a conversation to inspect it with.",
        &[],
        properties,
    )
}

/// The document of `chat extract`.
#[must_use]
pub fn extract() -> Value {
    closed(
        "What a model wrote, to be taken apart.",
        &["output"],
        json!({
            "template": text("The chat template whose markers count."),
            "markers": {
                "description": "Begin and end of the final channel, as an object or a pair.",
                "type": ["object", "array", "null"],
            },
            "output": {"description": "What the model wrote.", "type": "string"},
        }),
    )
}
