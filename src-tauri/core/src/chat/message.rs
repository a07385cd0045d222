//! Messages and tools as the builtin formats see them, read from the shapes of the `OpenAI` API.
//! Templates see the JSON itself.

use serde_json::{Map, Value as Json, json};

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// What its answer refers to it by.
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// Its arguments, parsed if they were given as a text that is JSON.
    pub arguments: Json,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// `system`, `user`, `assistant`, `tool`, `developer`, or anything else.
    pub role: String,
    /// The text; parts that are text joined, null nothing.
    pub content: String,
    /// The calls the assistant made.
    pub tool_calls: Vec<ToolCall>,
    /// Who speaks, or the tool that answers.
    pub name: Option<String>,
    /// The id of the call that is answered.
    pub tool_call_id: Option<String>,
    /// What the assistant thought before it answered.
    pub reasoning_content: Option<String>,
}

/// A tool a model may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Json,
}

impl Message {
    /// A message without calls.
    #[must_use]
    pub fn new(role: &str, content: &str) -> Self {
        Self {
            role: role.to_owned(),
            content: content.to_owned(),
            tool_calls: Vec::new(),
            name: None,
            tool_call_id: None,
            reasoning_content: None,
        }
    }

    /// Reads a message; what is missing is empty.
    #[must_use]
    pub fn from_json(json: &Json) -> Self {
        let calls = json["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        Self {
            role: text("role").unwrap_or_default(),
            content: text_of(&json["content"]),
            tool_calls: calls.iter().map(ToolCall::from_json).collect(),
            name: text("name"),
            tool_call_id: text("tool_call_id"),
            reasoning_content: text("reasoning_content"),
        }
    }
}

impl ToolCall {
    /// Reads a call, with its function inside or at the top.
    #[must_use]
    pub fn from_json(json: &Json) -> Self {
        let function = json
            .get("function")
            .filter(|own| own.is_object())
            .unwrap_or(json);
        Self {
            id: json["id"].as_str().map(str::to_owned),
            name: function["name"].as_str().unwrap_or_default().to_owned(),
            arguments: parsed_arguments(&function["arguments"]),
        }
    }
}

impl Tool {
    /// Reads a tool, with its function inside or at the top.
    #[must_use]
    pub fn from_json(json: &Json) -> Self {
        let function = json
            .get("function")
            .filter(|own| own.is_object())
            .unwrap_or(json);
        let text = |name: &str| function[name].as_str().unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            description: text("description"),
            parameters: function
                .get("parameters")
                .cloned()
                .unwrap_or_else(|| Json::Object(Map::new())),
        }
    }

    /// The tools of a list; anything else is none.
    #[must_use]
    pub fn all(json: Option<&Json>) -> Vec<Self> {
        let items = json.and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        items.iter().map(Self::from_json).collect()
    }
}

/// Arguments as an object where a text is given that holds one; otherwise as they are.
pub(crate) fn parsed_arguments(arguments: &Json) -> Json {
    match arguments {
        Json::String(text) => match serde_json::from_str(text) {
            Ok(parsed @ (Json::Object(_) | Json::Array(_))) => parsed,
            _ => arguments.clone(),
        },
        Json::Null => Json::Object(Map::new()),
        other => other.clone(),
    }
}

/// A text as the content of a message: itself, or the only part of a list.
pub(crate) fn content_of(text: &str, in_parts: bool) -> Json {
    match in_parts {
        true => json!([{"type": "text", "text": text}]),
        false => Json::from(text),
    }
}

/// The text of a content: itself, its text parts one after the other, or nothing.
pub(crate) fn text_of(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts
            .iter()
            .filter_map(|part| match part {
                Json::String(text) => Some(text.as_str()),
                part => part["text"].as_str(),
            })
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_with_all_its_fields() {
        let read = Message::from_json(&json!({
            "role": "tool", "content": "sunny", "name": "get_weather", "tool_call_id": "c1",
        }));
        let expected = Message {
            name: Some("get_weather".into()),
            tool_call_id: Some("c1".into()),
            ..Message::new("tool", "sunny")
        };
        assert_eq!(read, expected);
        let read = Message::from_json(&json!({
            "role": "assistant", "content": null, "reasoning_content": "Which city?",
            "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{}"}}],
        }));
        assert_eq!(read.reasoning_content.as_deref(), Some("Which city?"));
        assert_eq!(read.tool_calls[0].id.as_deref(), Some("c1"));
    }
}
