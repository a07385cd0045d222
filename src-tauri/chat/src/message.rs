//! Messages and tools as the builtin formats see them, read from the shapes of the `OpenAI` API.
//! Templates see the JSON itself.

use promptdeck_json::{WrongValue, nearest::did_you_mean};
use serde_json::{Map, Value as Json, json};

/// The roles of messages.
pub const ROLES: [&str; 5] = ["system", "user", "assistant", "tool", "developer"];

/// What is wrong with a role that is none of [`ROLES`].
#[must_use]
pub fn unknown_role(role: &str) -> String {
    format!(
        "there is no role {role:?}; known are {}{}",
        ROLES.join(", "),
        did_you_mean(role, ROLES)
    )
}

/// Refuses messages that no format renders as they are meant: without a role or with one that is
/// not known, or with a content that is no text. A role that the template itself names, and an
/// object as content, are left to the template.
///
/// # Errors
/// With the JSON pointer to the first value at fault and what is expected there.
pub fn check(messages: &[Json], template: Option<&str>) -> Result<(), WrongValue> {
    let named = |role: &str| {
        let quoted = [format!("'{role}'"), format!("\"{role}\"")];
        template.is_some_and(|source| quoted.iter().any(|literal| source.contains(literal)))
    };
    for (index, message) in messages.iter().enumerate() {
        let at = format!("/messages/{index}");
        // Rendering refuses what is no object.
        let Some(message) = message.as_object() else {
            continue;
        };
        match message.get("role") {
            Some(Json::String(role)) if ROLES.contains(&&**role) || named(role) => {}
            Some(Json::String(role)) => {
                return Err(WrongValue {
                    pointer: format!("{at}/role"),
                    message: unknown_role(role),
                    expected: None,
                    found: Some(role.clone()),
                });
            }
            other => {
                let at = format!("{at}/role");
                return Err(WrongValue::new(at, "the name of a role", other));
            }
        }
        match message.get("content") {
            None | Some(Json::Null | Json::String(_) | Json::Array(_)) => {}
            Some(Json::Object(_)) if template.is_some() => {}
            other => {
                let expected = "a text, a list of parts or null";
                return Err(WrongValue::new(format!("{at}/content"), expected, other));
            }
        }
    }
    Ok(())
}

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

/// The function of a call or a tool, which may stand inside it or at its top.
fn function_of(json: &Json) -> &Json {
    json.get("function")
        .filter(|function| function.is_object())
        .unwrap_or(json)
}

impl ToolCall {
    /// Reads a call, with its function inside or at the top.
    #[must_use]
    pub fn from_json(json: &Json) -> Self {
        let function = function_of(json);
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
        let function = function_of(json);
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
#[must_use]
pub fn text_of(content: &Json) -> String {
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
    fn messages_that_no_format_renders_are_refused_with_their_place() {
        let refuses = |message: Json, template, expected: Option<&str>| {
            let messages = [json!({"role": "user", "content": "Hi"}), message];
            let found = check(&messages, template).err();
            assert_eq!(
                found.as_ref().map(WrongValue::to_string).as_deref(),
                expected
            );
        };
        let usr = json!({"role": "usr", "content": "Hi"});
        let unknown = "/messages/1/role: there is no role \"usr\"; known are system, user, \
                       assistant, tool, developer; did you mean \"user\"?";
        refuses(usr.clone(), None, Some(unknown));
        refuses(usr.clone(), Some("{{ messages }}"), Some(unknown));
        refuses(usr, Some("{% if m.role == 'usr' %}"), None);
        for (content, found) in [(json!(7), "a number"), (json!(true), "true or false")] {
            let expected = format!(
                "/messages/1/content: expected a text, a list of parts or null, found {found}"
            );
            let message = json!({"role": "user", "content": content});
            refuses(message, Some("{{ messages }}"), Some(&expected));
        }
        let object = json!({"role": "tool", "content": {"rain": true}});
        refuses(object.clone(), Some("{{ messages }}"), None);
        let expected = "/messages/1/content: expected a text, a list of parts or null, found an \
                        object";
        refuses(object, None, Some(expected));
        let missing = "/messages/1/role: expected the name of a role, found nothing";
        refuses(json!({"content": "Hi"}), None, Some(missing));
        refuses(json!({"role": "assistant", "content": null}), None, None);
    }

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
