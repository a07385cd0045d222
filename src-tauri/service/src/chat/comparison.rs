//! Compares two formats over test conversations that bring out their differences, and over the
//! author's own.

use promptdeck_chat::Request;
use promptdeck_jinja::{LimitPool, Moment};
use serde_json::{Value as Json, json};

use promptdeck_chat::polyfill::Step;

use super::format::{Format, failed};
use super::rendering;
use super::report::polyfilled;
use super::request;
use crate::diff::text;
use crate::wire::{ChatMessage, ChatProblem, ChatSetup, ChatTrial};

fn message(role: &str, content: &str, fields: Json) -> Json {
    let mut message = json!({"role": role, "content": content});
    if let (Json::Object(message), Json::Object(fields)) = (&mut message, fields) {
        message.extend(fields);
    }
    message
}

fn text_message(role: &str, content: &str) -> Json {
    message(role, content, Json::Null)
}

fn call(id: &str, city: &str, arguments: impl Fn(Json) -> Json) -> Json {
    json!({"id": id, "type": "function", "function":
        {"name": "get_weather", "arguments": arguments(json!({"city": city}))}})
}

fn answer(id: &str, content: &str) -> Json {
    message(
        "tool",
        content,
        json!({"tool_call_id": id, "name": "get_weather"}),
    )
}

/// The test conversations, each with its subject and whether it has tools.
fn conversations() -> Vec<(&'static str, Vec<Json>, bool)> {
    let calls = |calls: Vec<Json>| message("assistant", "", json!({"tool_calls": calls}));
    let text = |arguments: Json| Json::String(arguments.to_string());
    vec![
        (
            "One question",
            vec![text_message("user", "Which river is longer?")],
            false,
        ),
        (
            "Two turns",
            vec![
                text_message("user", "Which river is longer?"),
                text_message("assistant", "The Nile."),
                text_message("user", "By how much?"),
            ],
            false,
        ),
        (
            "Tools offered",
            vec![text_message("user", "Is it raining in Oslo?")],
            true,
        ),
        (
            "A call and its answer",
            vec![
                text_message("user", "Is it raining in Oslo?"),
                calls(vec![call("call00001", "Oslo", |arguments| arguments)]),
                answer("call00001", "{\"rain\": true}"),
            ],
            true,
        ),
        (
            "Arguments as text",
            vec![
                text_message("user", "Is it raining in Oslo?"),
                calls(vec![call("call00001", "Oslo", text)]),
                answer("call00001", "{\"rain\": true}"),
            ],
            true,
        ),
        (
            "Two calls at once",
            vec![
                text_message("user", "Oslo or Bergen?"),
                calls(vec![
                    call("call00001", "Oslo", |arguments| arguments),
                    call("call00002", "Bergen", |arguments| arguments),
                ]),
                answer("call00001", "dry"),
                answer("call00002", "rain"),
            ],
            true,
        ),
        (
            "Reasoning in an earlier turn",
            vec![
                text_message("user", "Which river is longer?"),
                message(
                    "assistant",
                    "The Nile.",
                    json!({"reasoning_content": "6650 km."}),
                ),
                text_message("user", "By how much?"),
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
                text_message("user", "Say nothing."),
                message("assistant", "", json!({"content": null})),
                text_message("user", "Thank you."),
            ],
            false,
        ),
        (
            "Two questions in a row",
            vec![
                text_message("user", "Which river is longer?"),
                text_message("user", "And wider?"),
            ],
            false,
        ),
    ]
}

fn tools() -> Json {
    json!([{"type": "function", "function": {
        "name": "get_weather", "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
            "required": ["city"]}}}])
}

/// A conversation for two formats, before polyfills.
pub struct Question {
    /// Subject of the conversation.
    pub name: String,
    /// The request, or why it cannot be built.
    pub request: Result<Request, ChatProblem>,
}

/// Settings that apply to both formats.
pub struct SharedSettings {
    /// Polyfills that are turned off.
    pub off: Vec<Step>,
    /// Whether the model thinks before it answers; `None` leaves the template's default.
    pub thinking: Option<bool>,
    /// Number of the first message.
    pub first: usize,
}

/// The test conversations, each after `opening`; other settings are those of `base`.
pub fn tests(base: &Result<Request, ChatProblem>, opening: &[Json]) -> Vec<Question> {
    let all = conversations().into_iter();
    all.map(|(name, messages, offered)| Question {
        name: name.to_owned(),
        request: base.clone().map(|base| Request {
            messages: opening.iter().cloned().chain(messages).collect(),
            tools: offered.then(tools),
            add_generation_prompt: true,
            continue_field: None,
            ..base
        }),
    })
    .collect()
}

/// The author's conversation and the test conversations, each after the prompt.
pub fn of_setup(setup: &ChatSetup, prompt: &str, now: Moment) -> (Vec<Question>, SharedSettings) {
    let without = ChatSetup {
        messages: Vec::<ChatMessage>::new(),
        tools: String::new(),
        ..setup.clone()
    };
    let base = request::request(&without, prompt, now);
    let opening = base.as_ref().map(|base| base.messages.clone());
    let mut questions = vec![Question {
        name: "This conversation".to_owned(),
        request: request::request(setup, prompt, now),
    }];
    questions.extend(tests(&base, &opening.unwrap_or_default()));
    let settings = SharedSettings {
        off: request::switched_off(setup),
        thinking: Some(setup.thinking),
        first: usize::from(prompt.is_empty()),
    };
    (questions, settings)
}

/// Budget of all conversations for one format, in renderings at their limits.
const TOGETHER: u64 = 2;

/// Compares two formats, conversation by conversation.
pub fn trials(
    questions: Vec<Question>,
    settings: &SharedSettings,
    left: &Result<Format, ChatProblem>,
    right: &Result<Format, ChatProblem>,
) -> Vec<ChatTrial> {
    // A template that exhausts its budget is not rendered again, which each trial reports.
    let pools = [LimitPool::new(TOGETHER), LimitPool::new(TOGETHER)];
    let questions = questions.into_iter();
    questions
        .map(|Question { name, request }| {
            let text = |format: &Result<Format, ChatProblem>, pool: &LimitPool| {
                let format = format.as_ref().map_err(Clone::clone)?;
                let request = match settings.thinking {
                    Some(thinking) => format.complete(request.clone()?, thinking),
                    None => format.with_tokens(request.clone()?),
                };
                let request = Request {
                    pool: Some(pool.clone()),
                    ..request
                };
                let prepared = polyfilled(request, settings.off.clone(), settings.first, format);
                let written =
                    rendering::write(format, &prepared.request).map_err(|fault| failed(&fault))?;
                Ok(written.text)
            };
            trial(name, text(left, &pools[0]), text(right, &pools[1]))
        })
        .collect()
}

fn trial(
    name: String,
    left: Result<String, ChatProblem>,
    right: Result<String, ChatProblem>,
) -> ChatTrial {
    let parts = match (&left, &right) {
        (Ok(left), Ok(right)) if left != right => text::lines(left, right),
        _ => Vec::new(),
    };
    ChatTrial {
        name,
        same: match (&left, &right) {
            (Ok(left), Ok(right)) => left == right,
            // Positions differ between templates and say nothing about the conversation.
            (Err(left), Err(right)) => (&left.code, &left.message) == (&right.code, &right.message),
            _ => false,
        },
        left: left.err(),
        right: right.err(),
        parts,
    }
}
