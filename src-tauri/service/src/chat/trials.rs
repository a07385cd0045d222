//! Two formats over conversations that show what formats differ in, and over the author's own.

use promptdeck_core::chat::Request;
use promptdeck_core::chat::jinja::Moment;
use serde_json::{Value as Json, json};

use super::format::{Format, failed};
use super::report::prepare;
use super::written;
use crate::compare;
use crate::wire::{ChatMessage, ChatProblem, ChatSetup, ChatTrial};

fn message(role: &str, content: &str, fields: Json) -> ChatMessage {
    ChatMessage {
        role: role.into(),
        content: content.into(),
        fields: match fields {
            Json::Null => String::new(),
            fields => fields.to_string(),
        },
    }
}

fn said(role: &str, content: &str) -> ChatMessage {
    message(role, content, Json::Null)
}

fn call(id: &str, city: &str, arguments: impl Fn(Json) -> Json) -> Json {
    json!({"id": id, "type": "function", "function":
        {"name": "get_weather", "arguments": arguments(json!({"city": city}))}})
}

fn answer(id: &str, content: &str) -> ChatMessage {
    message(
        "tool",
        content,
        json!({"tool_call_id": id, "name": "get_weather"}),
    )
}

/// The conversations by what they are about. The prompt is put in front of each.
fn conversations() -> Vec<(&'static str, Vec<ChatMessage>, bool)> {
    let calls = |calls: Vec<Json>| message("assistant", "", json!({"tool_calls": calls}));
    let text = |own: Json| Json::String(own.to_string());
    vec![
        (
            "One question",
            vec![said("user", "Which river is longer?")],
            false,
        ),
        (
            "Two turns",
            vec![
                said("user", "Which river is longer?"),
                said("assistant", "The Nile."),
                said("user", "By how much?"),
            ],
            false,
        ),
        (
            "Tools offered",
            vec![said("user", "Is it raining in Oslo?")],
            true,
        ),
        (
            "A call and its answer",
            vec![
                said("user", "Is it raining in Oslo?"),
                calls(vec![call("call00001", "Oslo", |own| own)]),
                answer("call00001", "{\"rain\": true}"),
            ],
            true,
        ),
        (
            "Arguments as text",
            vec![
                said("user", "Is it raining in Oslo?"),
                calls(vec![call("call00001", "Oslo", text)]),
                answer("call00001", "{\"rain\": true}"),
            ],
            true,
        ),
        (
            "Two calls at once",
            vec![
                said("user", "Oslo or Bergen?"),
                calls(vec![
                    call("call00001", "Oslo", |own| own),
                    call("call00002", "Bergen", |own| own),
                ]),
                answer("call00001", "dry"),
                answer("call00002", "rain"),
            ],
            true,
        ),
        (
            "Reasoning in an earlier turn",
            vec![
                said("user", "Which river is longer?"),
                message(
                    "assistant",
                    "The Nile.",
                    json!({"reasoning_content": "6650 km."}),
                ),
                said("user", "By how much?"),
            ],
            false,
        ),
        (
            "Content in parts",
            vec![message(
                "user",
                "",
                json!({"content": [
                {"type": "text", "text": "Which river"}, {"type": "text", "text": "is longer?"}]}),
            )],
            false,
        ),
        (
            "No content",
            vec![
                said("user", "Say nothing."),
                message("assistant", "", json!({"content": null})),
                said("user", "Thank you."),
            ],
            false,
        ),
        (
            "Two questions in a row",
            vec![
                said("user", "Which river is longer?"),
                said("user", "And wider?"),
            ],
            false,
        ),
    ]
}

fn tools() -> String {
    json!([{"type": "function", "function": {
        "name": "get_weather", "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
            "required": ["city"]}}}])
    .to_string()
}

/// Compares two formats, first over the author's conversation, then over the test conversations.
pub fn trials(
    setup: &ChatSetup,
    prompt: &str,
    left: &Result<Format, ChatProblem>,
    right: &Result<Format, ChatProblem>,
    now: Moment,
) -> Vec<ChatTrial> {
    let own = std::iter::once(("This conversation".to_owned(), setup.clone()));
    let tests = conversations()
        .into_iter()
        .map(|(name, messages, offered)| {
            let tools = if offered { tools() } else { String::new() };
            let test = ChatSetup {
                messages,
                tools,
                continue_final: false,
                generation_prompt: true,
                ..setup.clone()
            };
            (name.to_owned(), test)
        });
    own.chain(tests)
        .map(|(name, setup)| {
            let text = |format: &Result<Format, ChatProblem>| {
                let format = format.as_ref().map_err(Clone::clone)?;
                let request: Request = prepare(&setup, prompt, format, now)?.request;
                let written = written::write(format, &request).map_err(|fault| failed(&fault))?;
                Ok(written.text)
            };
            trial(name, text(left), text(right))
        })
        .collect()
}

fn trial(
    name: String,
    left: Result<String, ChatProblem>,
    right: Result<String, ChatProblem>,
) -> ChatTrial {
    let parts = match (&left, &right) {
        (Ok(left), Ok(right)) if left != right => compare::lines(left, right),
        _ => Vec::new(),
    };
    ChatTrial {
        name,
        same: match (&left, &right) {
            (Ok(left), Ok(right)) => left == right,
            // The places differ where templates do, and say nothing about the conversation.
            (Err(left), Err(right)) => (&left.code, &left.message) == (&right.code, &right.message),
            _ => false,
        },
        left: left.err(),
        right: right.err(),
        parts,
    }
}
