//! JSON Schemas of messages, and of the questions about chat templates that [`answer`](crate::answer)
//! reads.

use promptdeck_json::schema::{closed, flag, open, text};
use serde_json::{Value, json};

/// What stands for a model: its template, its configuration, or where its files lie.
fn model() -> Value {
    json!({
        "template": text("The text of a chat template."),
        "config": {"description": "A configuration such as tokenizer_config.json."},
        "model_path": text("A model folder, a GGUF file or a template; or the name of a model whose family is known."),
    })
}

/// A message of a conversation: the keys of chat completions, of the templates of models, and of
/// providers and programs that add to them. Any other key is allowed, and probably misspelled if it is
/// like one of these.
#[must_use]
pub fn message() -> Value {
    let properties = json!({
        "role": {"type": "string"},
        "content": {"type": ["string", "array", "object", "null"], "items": part()},
        "tool_calls": {"type": ["array", "null"], "items": tool_call()},
        "tool_call_id": text("The call that a tool answers."),
        "language": text("Language of the message."),
        "raw_response": {"description": "The response of the provider, as it came."},
        "function_call": function(),
    });
    let reasoning = [
        "reasoning_content",
        "reasoning",
        "thinking",
        "reasoning_details",
        "thinking_blocks",
        "thought",
        "reasoning_text",
        "reasoning_opaque",
        "encrypted_content",
        "signature",
    ];
    let completions = [
        "name",
        "refusal",
        "audio",
        "annotations",
        "weight",
        "metadata",
        "id",
        "type",
        "phase",
        "parsed",
        "created_at",
        "timestamp",
    ];
    let providers = [
        "prefix",
        "partial",
        "cache_control",
        "extra_content",
        "provider_specific_fields",
        "context",
        "tool_name",
        "is_error",
    ];
    let templates = [
        "images",
        "videos",
        "documents",
        "citations",
        "tools",
        "functions",
        "tool_responses",
        "tool_plan",
        "channel",
        "recipient",
        "recipients",
        "content_type",
        "end_turn",
        "response_format",
        "system_prompt",
        "train",
    ];
    let others = [&reasoning[..], &completions, &providers, &templates].concat();
    json!({"type": "object", "required": ["role"], "properties": with(properties, &others)})
}

/// Properties, and others of which any value is allowed.
fn with(mut properties: Value, others: &[&str]) -> Value {
    for name in others {
        properties[*name] = json!({});
    }
    properties
}

/// An object with these keys, of any value.
fn object(keys: &[&str]) -> Value {
    json!({"properties": with(json!({}), keys)})
}

/// A part of a content that is a list.
fn part() -> Value {
    let source = object(&[
        "url",
        "detail",
        "data",
        "format",
        "media_type",
        "type",
        "file_id",
        "id",
    ]);
    let properties = json!({
        "image_url": source,
        "input_audio": source,
        "video_url": source,
        "audio_url": source,
        "source": source,
        "file": object(&["file_id", "filename", "file_data"]),
    });
    let texts = [
        "type",
        "text",
        "refusal",
        "thinking",
        "reasoning",
        "signature",
        "encrypted_content",
        "summary",
        "cache_control",
        "citations",
        "annotations",
        "title",
        "context",
        "extra_content",
        "uuid",
    ];
    let tools = ["id", "name", "input", "tool_use_id", "content", "is_error"];
    let media = [
        "image",
        "video",
        "audio",
        "document",
        "url",
        "path",
        "base64",
        "data",
        "format",
        "mime_type",
        "media_type",
        "detail",
        "fps",
        "nframes",
        "min_pixels",
        "max_pixels",
        "total_pixels",
        "resized_height",
        "resized_width",
        "video_start",
        "video_end",
    ];
    json!({"properties": with(properties, &[&texts[..], &tools, &media].concat())})
}

/// A call of a tool, with its function inside or at the top.
fn tool_call() -> Value {
    let properties = json!({
        "id": {"type": "string"},
        "function": function(),
        "arguments": own_keys(),
        "custom": own_keys(),
    });
    let others = [
        "type",
        "index",
        "name",
        "extra_content",
        "provider_specific_fields",
        "parsed",
        "thought_signature",
        "signature",
        "recipient",
    ];
    json!({"type": "object", "properties": with(properties, &others)})
}

fn function() -> Value {
    let properties = json!({
        "arguments": own_keys(),
        "parameters": own_keys(),
        "parsed_arguments": own_keys(),
    });
    let others = ["name", "description", "thought_signature", "index"];
    json!({"properties": with(properties, &others)})
}

/// A tool in the shape of any provider. Any other key is allowed, and probably misspelled if it is like
/// one of these. What is in a JSON Schema is its author's.
#[must_use]
pub fn tool() -> Value {
    let declared = [
        "name",
        "description",
        "parameters",
        "parametersJsonSchema",
        "parameters_json_schema",
        "response",
        "responseJsonSchema",
        "response_json_schema",
        "behavior",
    ];
    let function = [
        "name",
        "description",
        "parameters",
        "strict",
        "input_schema",
        "inputSchema",
        "output_schema",
        "outputSchema",
        "return",
        "returns",
        "response",
        "title",
        "annotations",
        "examples",
        "cache_control",
        "cacheControl",
    ];
    let providers = [
        "type",
        "id",
        "_meta",
        "icons",
        "execution",
        "custom",
        "format",
        "defer_loading",
        "allowed_callers",
        "input_examples",
        "eager_input_streaming",
        "extra_content",
        "provider_specific_fields",
    ];
    let mut properties = with(json!({}), &[&function[..], &providers].concat());
    properties["function"] = object(&function);
    for key in ["functionDeclarations", "function_declarations"] {
        properties[key] = json!({"items": object(&declared)});
    }
    json!({"type": "object", "properties": properties})
}

/// A value whose keys are the author's.
fn own_keys() -> Value {
    json!({"additionalProperties": true})
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
