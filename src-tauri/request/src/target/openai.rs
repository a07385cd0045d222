//! Chat completions in `OpenAI`'s shape: the prompt as the system message, then the messages.

use promptdeck_core::registry::Diagnostic;
use serde_json::{Map, Value, json};

use super::{Request, TargetInput, lint_messages};
use crate::{
    layers::canonical_json,
    pipeline::content_text,
    span::{Span, SpanOrigin},
    tools::{self, ToolFormat},
};

/// Settings of a registry that a chat completion knows under the same name.
const SETTINGS: [&str; 4] = ["model", "temperature", "top_p", "max_tokens"];
/// Keys of a message that are this program's own.
const OWN_KEYS: [&str; 2] = ["language", "raw_response"];

/// Builds the request.
pub fn build(input: &TargetInput<'_>) -> Request {
    let tools = tools::in_openai_shape(&input.call.tools);
    let mut body = Map::new();
    for name in SETTINGS {
        if let Some(value) = input.generation.get(name).filter(|value| !value.is_null()) {
            body.insert(name.to_owned(), value.clone());
        }
    }
    body.insert("messages".to_owned(), Value::Array(messages(input)));
    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools.clone()));
    }
    let mut diagnostics = input.prepared.arguments.diagnostics.clone();
    diagnostics.extend(lint(input, None));
    Request {
        body: Value::Object(body),
        spans: spans(input, &tools),
        layers: Vec::new(),
        plan: None,
        diagnostics,
    }
}

/// What is wrong with the tools, the messages and the tool calls; keys that `template` mentions are its
/// own.
pub fn lint(input: &TargetInput<'_>, template: Option<&str>) -> Vec<Diagnostic> {
    let mut found = tools::lint(&input.call.tools, ToolFormat::OpenAi, "/tools", template);
    let messages = &input.prepared.messages;
    found.extend(lint_messages(
        input.call,
        messages,
        ToolFormat::OpenAi,
        template,
    ));
    found
}

/// The prompt and the messages as they are sent.
pub fn messages(input: &TargetInput<'_>) -> Vec<Value> {
    let mut messages = Vec::new();
    if !input.prompt.text.is_empty() {
        messages.push(json!({"role": "system", "content": input.prompt.text}));
    }
    messages.extend(input.prepared.messages.iter().map(sent));
    messages
}

/// A message as it is sent: without the keys that are this program's own.
#[must_use]
pub fn sent(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(map) = message.as_object_mut() {
        for key in OWN_KEYS {
            map.shift_remove(key);
        }
        // The API refuses an empty list of calls.
        if map
            .get("tool_calls")
            .is_some_and(|calls| calls.is_null() || calls == &json!([]))
        {
            map.shift_remove("tool_calls");
        }
    }
    message
}

/// What the model reads, in the order in which providers cache it: tools, prompt, messages.
fn spans(input: &TargetInput<'_>, tools: &[Value]) -> Vec<Span> {
    let mut spans = Vec::new();
    if !tools.is_empty() {
        let text = canonical_json(&Value::Array(tools.to_vec()));
        spans.push(Span::new(text, SpanOrigin::Tools));
    }
    spans.extend(input.prompt.spans.iter().map(Span::from));
    for (index, message) in input.prepared.messages.iter().enumerate() {
        spans.push(Span::new(readable(message), origin(index, message)));
    }
    spans
}

/// Where a message's text comes from.
pub fn origin(index: usize, message: &Value) -> SpanOrigin {
    let role = message.get("role").and_then(Value::as_str);
    SpanOrigin::Message {
        index,
        role: role.unwrap_or_default().to_owned(),
    }
}

/// A message as a model reads it: who speaks, the text, the calls and what they answer.
fn readable(message: &Value) -> String {
    let role = message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut text = format!("\n{role}\n");
    if let Some(content) = message.get("content") {
        match content_text(content) {
            Some(content) => text.push_str(&content),
            None if content.is_null() => {}
            None => text.push_str(&canonical_json(content)),
        }
    }
    for key in ["tool_calls", "tool_call_id"] {
        match message.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Array(calls)) if calls.is_empty() => {}
            Some(value) => {
                text.push('\n');
                text.push_str(&canonical_json(value));
            }
        }
    }
    text
}
