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
        "role": {
            "description": "Who speaks: system, developer, user, assistant or tool.",
            "type": "string",
        },
        "content": {
            "description": "What is said: a text, or a list of parts.",
            "type": ["string", "array", "object", "null"],
            "items": part(),
        },
        "tool_calls": {
            "description": "The calls of tools that the assistant makes.",
            "type": ["array", "null"],
            "items": tool_call(),
        },
        "tool_call_id": text("The call that a tool answers."),
        "language": text("Language of the message."),
        "raw_response": {"description": "The response of the provider, as it came."},
        "function_call": function("A call in the older shape of chat completions."),
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
    let properties = with(
        properties,
        "Reasoning of the model, under one of its names.",
        &reasoning,
    );
    let properties = with(
        properties,
        "Further field of chat completions.",
        &completions,
    );
    let properties = with(properties, "Field that some providers add.", &providers);
    let properties = with(
        properties,
        "Field that the templates of some models read.",
        &templates,
    );
    json!({"type": "object", "required": ["role"], "properties": properties})
}

/// Properties, and others of which any value is allowed.
fn with(mut properties: Value, description: &str, others: &[&str]) -> Value {
    for name in others {
        properties[*name] = json!({"description": description});
    }
    properties
}

/// An object with these keys, of any value.
fn object(description: &str, of_keys: &str, keys: &[&str]) -> Value {
    json!({"description": description, "properties": with(json!({}), of_keys, keys)})
}

/// A part of a content that is a list.
fn part() -> Value {
    let keys = [
        "url",
        "detail",
        "data",
        "format",
        "media_type",
        "type",
        "file_id",
        "id",
    ];
    let of_key = "Where the medium is, or its data, and how to read it.";
    let source = |what: &str| object(what, of_key, &keys);
    let properties = json!({
        "type": {"description": "Kind of the part, such as text or image_url."},
        "text": {"description": "The text of a text part."},
        "image_url": source("An image."),
        "input_audio": source("Audio."),
        "video_url": source("A video."),
        "audio_url": source("Audio."),
        "source": source("An image or a file, in the shape of Anthropic's messages."),
        "file": object("A file.", "Id, name or data of the file.", &["file_id", "filename", "file_data"]),
    });
    let texts = [
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
    let properties = with(properties, "Field of a part of text or reasoning.", &texts);
    let properties = with(
        properties,
        "Field of a part that calls a tool or answers a call.",
        &tools,
    );
    let properties = with(
        properties,
        "Field of an image, a video, audio or a document.",
        &media,
    );
    json!({"properties": properties})
}

/// A call of a tool, with its function inside or at the top.
fn tool_call() -> Value {
    let properties = json!({
        "id": {"description": "Id of the call, which the answer of the tool names.", "type": "string"},
        "function": function("The function that is called, and its arguments."),
        "arguments": own_keys("The arguments of the function."),
        "custom": own_keys("The call of a custom tool."),
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
    let properties = with(properties, "Further field of a tool call.", &others);
    json!({"type": "object", "properties": properties})
}

fn function(description: &str) -> Value {
    let properties = json!({
        "name": {"description": "Name of the function."},
        "arguments": own_keys("The arguments: JSON as a text, or an object."),
        "parameters": own_keys("The arguments, under the name that some models use."),
        "parsed_arguments": own_keys("The arguments as an object, as clients add them."),
    });
    let others = ["description", "thought_signature", "index"];
    let properties = with(properties, "Further field of the function.", &others);
    json!({"description": description, "properties": properties})
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
    let of_function = "Field of the function that the tool offers.";
    let properties = with(json!({}), of_function, &function);
    let mut properties = with(properties, "Field that some providers add.", &providers);
    properties["function"] = object("The function that the tool offers.", of_function, &function);
    let declared = object("A function that the tool offers.", of_function, &declared);
    for key in ["functionDeclarations", "function_declarations"] {
        properties[key] = json!({"description": "Functions of Gemini.", "items": declared});
    }
    json!({"type": "object", "properties": properties})
}

/// A value whose keys are the author's.
fn own_keys(description: &str) -> Value {
    json!({"description": description, "additionalProperties": true})
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
        "thinking": flag("Whether the model is to think; a variable in extra takes precedence."),
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
