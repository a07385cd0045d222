//! Messages for a call document that exists already: those of `OpenAI` as they are, those of Anthropic
//! in the shape of `OpenAI`, with their system prompt as the first message.

use serde_json::{Map, Value, json};

use super::{Conversation, blocks, is_anthropic, tools, wrong};
use crate::{
    import::{ConversionStatus, locate},
    registry::{ParseError, read_json},
};

/// What a call document takes over from a text.
#[derive(Debug, Clone, PartialEq)]
pub struct PastedMessages {
    /// The messages.
    pub messages: Vec<Value>,
    /// The tools of a request.
    pub tools: Vec<Value>,
    /// Whether they were in the shape of Anthropic.
    pub anthropic: bool,
    /// What is left out, a sentence each.
    pub left_out: Vec<String>,
}

/// Reads a list of messages, a request, an answer or one message.
///
/// # Errors
///
/// With a position: JSON that a registry's reader rejects, and what is no message.
pub fn read_messages(text: &str) -> Result<PastedMessages, ParseError> {
    let (value, source_map) = read_json(text.as_bytes())?;
    convert(value).map_err(|mut error| {
        error.place = locate(&source_map, &error.pointer);
        error
    })
}

fn convert(value: Value) -> Result<PastedMessages, ParseError> {
    let (mut body, messages, at) = match value {
        Value::Array(messages) => (Map::new(), messages, ""),
        Value::Object(mut body) => match (
            body.shift_remove("messages"),
            body.get("choices").and_then(Value::as_array),
        ) {
            (Some(Value::Array(messages)), _) => (body, messages, "/messages"),
            (Some(_), _) => {
                return Err(wrong("/messages", "`messages` must be a list of messages"));
            }
            (None, Some(choices)) => {
                let message = |choice: &Value| choice.get("message").cloned().unwrap_or_default();
                let messages = choices.iter().map(message).collect();
                (Map::new(), messages, "/choices")
            }
            (None, None) => (Map::new(), vec![Value::Object(body)], ""),
        },
        other => (Map::new(), vec![other], ""),
    };
    for (index, message) in messages.iter().enumerate() {
        if !message.get("role").is_some_and(Value::is_string) {
            let words = format!("message {}: expected an object with a role", index + 1);
            return Err(wrong(at, words));
        }
    }
    let anthropic = is_anthropic(&body, &messages);
    let mut conversation = Conversation {
        system: Vec::new(),
        history: Vec::new(),
        entries: Vec::new(),
    };
    if anthropic {
        let system = body.shift_remove("system").filter(|text| !text.is_null());
        if let Some(system) = system {
            let texts = blocks::system_texts(&system, &mut conversation)?;
            let message = json!({"role": "system", "content": texts.join("\n\n")});
            conversation.history.push(message);
        }
        for (index, message) in messages.into_iter().enumerate() {
            super::add_message(&mut conversation, message, &format!("{at}/{index}"))?;
        }
    } else {
        conversation.history = messages;
    }
    let tools = match body.shift_remove("tools") {
        Some(tools) => tools::convert(tools, &mut conversation)?,
        None => Vec::new(),
    };
    let mut left_out = Vec::new();
    for entry in conversation.entries {
        if entry.status == ConversionStatus::NotSupported && !left_out.contains(&entry.message) {
            left_out.push(entry.message);
        }
    }
    Ok(PastedMessages {
        messages: conversation.history,
        tools,
        anthropic,
        left_out,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{PastedMessages, read_messages};

    fn read(value: &Value) -> PastedMessages {
        read_messages(&value.to_string()).expect("messages")
    }

    #[test]
    fn messages_of_openai_are_taken_as_they_are() {
        let user = json!({"role": "user", "content": "Hi", "name": "Ada"});
        let answer = json!({"role": "assistant", "content": [{"type": "text", "text": "Ho"}]});
        for (pasted, expected) in [
            (json!([user, answer]), vec![user.clone(), answer.clone()]),
            (
                json!({"model": "m", "messages": [user]}),
                vec![user.clone()],
            ),
            (
                json!({"choices": [{"index": 0, "message": answer}]}),
                vec![answer.clone()],
            ),
            (user.clone(), vec![user.clone()]),
        ] {
            let found = read(&pasted);
            assert_eq!(found.messages, expected);
            assert!(!found.anthropic && found.left_out.is_empty());
        }
        let tool = json!({"type": "function", "function": {"name": "f"}});
        assert_eq!(
            read(&json!({"messages": [user], "tools": [tool]})).tools,
            [tool]
        );
    }

    #[test]
    fn messages_of_anthropic_are_converted_with_their_system_text_and_tools() {
        let found = read(&json!({
            "system": [
                {"type": "text", "text": "You are a clerk.", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "Be brief."},
            ],
            "messages": [
                {"role": "user", "content": [
                    {"type": "text", "text": "Look this up"},
                    {"type": "image", "source": {
                        "type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="
                    }},
                ]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "x", "signature": "y"},
                    {"type": "tool_use", "id": "t1", "name": "find", "input": {"q": "x"}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "found 3"},
                    {"type": "text", "text": "And now?"},
                ]},
            ],
            "tools": [{"name": "find", "input_schema": {"type": "object"}}],
        }));
        assert!(found.anthropic);
        assert_eq!(
            found.messages,
            [
                json!({"role": "system", "content": "You are a clerk.\n\nBe brief."}),
                json!({"role": "user", "content": [
                    {"type": "text", "text": "Look this up"},
                    {"type": "image_url", "image_url": {
                        "url": "data:image/png;base64,iVBORw0KGgo="
                    }},
                ]}),
                json!({"role": "assistant", "content": null, "tool_calls": [{
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "find", "arguments": "{\"q\":\"x\"}"},
                }]}),
                json!({"role": "tool", "tool_call_id": "t1", "content": "found 3"}),
                json!({"role": "user", "content": "And now?"}),
            ]
        );
        assert_eq!(
            found.tools,
            [json!({"type": "function", "function": {
                "name": "find", "parameters": {"type": "object"}
            }})]
        );
        assert_eq!(
            found.left_out,
            [
                "cache_control is left out: what may be cached is worked out from the prompt",
                "the block thinking is left out: it is valid for its model only",
            ]
        );
        let answer = read(
            &json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "find", "input": {}}
            ]}),
        );
        assert_eq!(answer.messages[0]["tool_calls"][0]["id"], "t1");
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let refusal = |text: &str| read_messages(text).expect_err("refused").to_string();
        assert!(refusal("{").contains("line 1"), "{}", refusal("{"));
        for text in ["[1]", r#"[{"content": "x"}]"#, r#"{"a": 1}"#, "7"] {
            let refusal = refusal(text);
            let reason = "message 1: expected an object with a role";
            assert!(refusal.ends_with(reason), "{text}: {refusal}");
        }
    }
}
