//! The contents of messages: texts, and the blocks of Anthropic in the shape of `OpenAI`.

use serde_json::{Map, Value, json};

use super::{Conversation, wrong};
use crate::{
    import::{ConversionStatus, pointer::pointer},
    registry::ParseError,
};

/// The mark of Anthropic for what may be cached.
const CACHE_CONTROL: &str = "cache_control";

/// The kinds of blocks that only Anthropic has.
pub(super) const ANTHROPIC: [&str; 6] = [
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "image",
    "document",
];

/// The text of a content that is nothing else: a text, or one block of text.
pub(super) fn plain_text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => match blocks.as_slice() {
            [block] => text_of(block).map(str::to_owned),
            _ => None,
        },
        _ => None,
    }
}

/// The texts of the field `system`.
pub(super) fn system_texts(
    system: &Value,
    conversation: &mut Conversation,
) -> Result<Vec<String>, ParseError> {
    let blocks = match system {
        Value::String(text) => return Ok(vec![text.clone()]),
        Value::Array(blocks) => blocks,
        _ => {
            return Err(wrong(
                "/system",
                "`system` must be a text or a list of text blocks",
            ));
        }
    };
    blocks
        .iter()
        .enumerate()
        .map(|(index, block)| {
            let at = format!("/system/{index}");
            unread_block(block, &["type", "text"], &at, conversation);
            let text = text_of(block).map(str::to_owned);
            text.ok_or_else(|| wrong(&at, "a block of `system` must be a text"))
        })
        .collect()
}

/// The text of a block that is a text.
fn text_of(block: &Value) -> Option<&str> {
    match block.get("type")?.as_str()? {
        "text" => block.get("text")?.as_str(),
        _ => None,
    }
}

/// Reports the fields of a block that are not among the `read` ones.
pub(super) fn unread_block(
    block: &Value,
    read: &[&str],
    at: &str,
    conversation: &mut Conversation,
) {
    if let Value::Object(members) = block {
        unread_fields(members, read, at, conversation);
    }
}

/// Reports the fields of an object that are neither `read` nor null.
pub(super) fn unread_fields(
    members: &Map<String, Value>,
    read: &[&str],
    at: &str,
    conversation: &mut Conversation,
) {
    let unread = members
        .iter()
        .filter(|(key, value)| !read.contains(&key.as_str()) && !value.is_null());
    for (key, _) in unread {
        let note = match key.as_str() {
            CACHE_CONTROL => {
                "cache_control is left out: what may be cached is worked out from the prompt"
                    .to_owned()
            }
            _ => format!("{key} is left out: a message of a call has no such field"),
        };
        let at = format!("{at}{}", pointer(&[key]));
        conversation.report(ConversionStatus::NotSupported, &at, note);
    }
}

/// Adds a message to the history, its blocks in the shape of `OpenAI`.
pub(super) fn convert(
    conversation: &mut Conversation,
    role: &str,
    mut message: Map<String, Value>,
    at: &str,
) -> Result<(), ParseError> {
    check_tool_calls(&message, at)?;
    let at = format!("{at}/content");
    let blocks = match message.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        Some(content @ (Value::String(_) | Value::Null)) => {
            message.insert("content".to_owned(), content);
            conversation.history.push(Value::Object(message));
            return Ok(());
        }
        None => {
            conversation.history.push(Value::Object(message));
            return Ok(());
        }
        Some(_) => return Err(wrong(&at, "`content` must be a text or a list of blocks")),
    };
    let before = conversation.history.len();
    let mut parts = Vec::new();
    let mut calls = Vec::new();
    for (index, block) in blocks.into_iter().enumerate() {
        let at = format!("{at}/{index}");
        if !block.is_object() {
            return Err(wrong(&at, "a block must be an object with a type"));
        }
        let read: &[&str] = match block.get("type").and_then(Value::as_str) {
            Some("tool_use") => &["type", "id", "name", "input"],
            Some("tool_result") => &["type", "tool_use_id", "content", "is_error"],
            Some("image") => &["type", "source"],
            Some("text") => &["type", "text"],
            // Left out as a whole, or taken over as it is.
            _ => &[],
        };
        if !read.is_empty() {
            unread_block(&block, read, &at, conversation);
        }
        match block.get("type").and_then(Value::as_str) {
            Some("tool_use") => calls.push(tool_call(&block, &at)?),
            // Responses precede what the user says in the same message.
            Some("tool_result") => tool_response(&block, &at, conversation)?,
            Some(kind @ ("thinking" | "redacted_thinking")) => {
                let note = format!("the block {kind} is left out: it is valid for its model only");
                conversation.report(ConversionStatus::NotSupported, &at, note);
            }
            Some("image") => parts.push(image(&block, &at)?),
            Some("text") => {
                parts.push(json!({"type": "text", "text": text_of(&block).unwrap_or_default()}));
            }
            _ => {
                let mut block = block;
                if let Some(members) = block.as_object_mut()
                    && let Some(control) = members.shift_remove(CACHE_CONTROL)
                {
                    let control = Map::from_iter([(CACHE_CONTROL.to_owned(), control)]);
                    unread_fields(&control, &[], &at, conversation);
                }
                parts.push(block);
            }
        }
    }
    let is_answer = conversation.history.len() > before;
    let content = match parts.as_slice() {
        [] if calls.is_empty() => return Ok(()),
        [] => Value::Null,
        [only]
            if text_of(only).is_some()
                && (role == "assistant" || !calls.is_empty() || is_answer) =>
        {
            json!(text_of(only))
        }
        _ => Value::Array(parts),
    };
    if is_answer {
        let note = "what is said beside a tool's result follows it as a message of its own: no request is \
                    built before an answer of the assistant stands between them"
            .to_owned();
        conversation.report(ConversionStatus::Converted, &at, note);
    }
    message.insert("content".to_owned(), content);
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    conversation.history.push(Value::Object(message));
    Ok(())
}

fn check_tool_calls(message: &Map<String, Value>, at: &str) -> Result<(), ParseError> {
    let valid = match message.get("tool_calls") {
        None | Some(Value::Null) => true,
        Some(Value::Array(calls)) => calls.iter().all(Value::is_object),
        Some(_) => false,
    };
    match valid {
        true => Ok(()),
        false => Err(wrong(
            &format!("{at}/tool_calls"),
            "`tool_calls` must be a list of objects",
        )),
    }
}

fn tool_call(block: &Value, at: &str) -> Result<Value, ParseError> {
    let (Some(id), Some(name)) = (text(block, "id"), text(block, "name")) else {
        return Err(wrong(at, "a tool_use block needs an id and a name"));
    };
    let arguments = block.get("input").unwrap_or(&Value::Null);
    let arguments = if arguments.is_null() {
        "{}".to_owned()
    } else {
        arguments.to_string()
    };
    Ok(json!({
        "id": id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }))
}

fn tool_response(
    block: &Value,
    at: &str,
    conversation: &mut Conversation,
) -> Result<(), ParseError> {
    let Some(id) = text(block, "tool_use_id") else {
        return Err(wrong(at, "a tool_result block needs a tool_use_id"));
    };
    if block.get("is_error").and_then(Value::as_bool) == Some(true) {
        let note = "is_error is left out: a tool message has no such field";
        conversation.report(
            ConversionStatus::NotSupported,
            &format!("{at}/is_error"),
            note,
        );
    }
    let content = match block.get("content") {
        None | Some(Value::Null) => json!(""),
        Some(content) => plain_text(content).map_or_else(|| content.clone(), Value::String),
    };
    let message = json!({"role": "tool", "tool_call_id": id, "content": content});
    conversation.history.push(message);
    Ok(())
}

fn image(block: &Value, at: &str) -> Result<Value, ParseError> {
    let source = block.get("source").unwrap_or(&Value::Null);
    let url = match (
        text(source, "url"),
        text(source, "media_type"),
        text(source, "data"),
    ) {
        (Some(url), ..) => url.to_owned(),
        (None, Some(kind), Some(data)) => format!("data:{kind};base64,{data}"),
        _ => {
            return Err(wrong(
                at,
                "an image block needs a source with a url, or a media_type and data",
            ));
        }
    };
    Ok(json!({"type": "image_url", "image_url": {"url": url}}))
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key)?.as_str()
}
