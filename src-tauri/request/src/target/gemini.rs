//! Gemini from a call document: the prompt opens the static layer, the messages become turns, the
//! new message the trigger; `layers` brings what has no other home.

use promptdeck_core::registry::Diagnostic;
use serde_json::{Map, Value, json};

use super::{Request, TargetError, TargetInput, lint_messages, offered};
use crate::{
    call::Call,
    call_arguments, codes, content_parts,
    gemini::{inline_data, parts, readable},
    layers::{self, Session, canonical_json},
    pipeline::content_text,
    span::{Span, SpanOrigin},
    tools::ToolFormat,
};

/// The tools of `layers`, which are sent instead of those of the call.
pub const LAYERS_TOOLS: &str = "/layers/tools";

/// Builds the request.
pub fn build(input: &TargetInput<'_>) -> Result<Request, TargetError> {
    let mut diagnostics = input.prepared.arguments.diagnostics.clone();
    let has_turns = input.call.layers.contains_key("turns");
    let document = document(input, &mut diagnostics)?;
    let session = Session::read(&document).map_err(TargetError::Session)?;
    let mut layered = layers::build(&session, input.counter);
    let has_task = input.call.layers.contains_key("current_task");
    for found in &mut layered.diagnostics {
        if !has_turns && found.pointer.starts_with("/turns/") {
            point_at_message(input, found);
        } else if !has_turns && !has_task && found.code == codes::NO_TRIGGER {
            ask_for_message(found);
        } else {
            point_at_call(input.call, found);
        }
    }
    let spans = spans(input, &session, &layered);
    let messages = &input.prepared.messages;
    diagnostics.extend(lint_messages(
        input.call,
        messages,
        ToolFormat::Gemini,
        None,
    ));
    diagnostics.extend(layered.diagnostics);
    Ok(Request {
        body: Value::Object(layered.request),
        spans,
        layers: layered.layers,
        plan: layered.plan,
        diagnostics,
    })
}

/// The session document that is equivalent to a call, but for the parts that are left out of it.
fn document(
    input: &TargetInput<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Map<String, Value>, TargetError> {
    let mut session = input.call.layers.clone();
    let mut roles = match session.remove("roles") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(roles)) => roles,
        Some(role) => vec![role],
    };
    if !input.prompt.text.is_empty() {
        roles.insert(0, Value::from(input.prompt.text.as_str()));
    }
    session.insert("roles".to_owned(), Value::Array(roles));
    session.insert("now".to_owned(), Value::from(input.now.rfc3339()));
    for (key, value) in [
        ("model", input.generation.get("model").cloned()),
        ("tools", Some(Value::Array(input.call.tools.clone()))),
        ("generation", Some(generation(input.generation))),
    ] {
        if let (None | Some(Value::Null), Some(value)) = (session.get(key), value) {
            session.insert(key.to_owned(), value);
        }
    }
    let mut messages = input.prepared.messages.as_slice();
    let asked = messages.last().filter(|last| role(last) == "user");
    if let (false, Some(asked)) = (session.contains_key("current_task"), asked) {
        let text = asked.get("content").and_then(content_text);
        let mut task = json!({"instruction": text.unwrap_or_default()});
        add_parts(&mut task, asked);
        session.insert("current_task".to_owned(), task);
        messages = &messages[..messages.len() - 1];
        diagnostics.extend(left_out(input, messages.len(), asked));
    }
    if !session.contains_key("turns") {
        let mut of_turns = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            if sends(input.call, message) {
                call_arguments::check(input.call, index, message)?;
                of_turns.extend(left_out(input, index, message));
            }
        }
        diagnostics.splice(0..0, of_turns);
        session.insert("turns".to_owned(), Value::Array(turns(messages)));
    }
    Ok(session)
}

/// Whether the calls of a message are sent: a persisted response is sent instead of its message, and
/// turns of `layers` instead of all.
pub fn sends(call: &Call, message: &Value) -> bool {
    !call.layers.contains_key("turns") && raw_response(message).is_none()
}

/// Turns a pointer to a turn into one to the message that it was made of.
fn point_at_message(input: &TargetInput<'_>, found: &mut Diagnostic) {
    let Some(turn) = found.pointer.strip_prefix("/turns/") else {
        return;
    };
    let (index, field) = turn.split_once('/').unwrap_or((turn, ""));
    let Ok(index) = index.parse::<usize>() else {
        return;
    };
    let message = input.prepared.messages.get(index);
    // What the message lacks is in none of its fields.
    let field = match message.and_then(|message| message.get(field)) {
        Some(_) => field,
        None => "",
    };
    let pointer = content_parts::place(input.call, index, field);
    pointer.trim_end_matches('/').clone_into(&mut found.pointer);
    if let Some(rest) = found.message.strip_prefix("turn ") {
        found.message = format!("message {rest}");
    }
}

/// Turns a pointer to a part of the session into one to the part of the call that it was made of.
fn point_at_call(call: &Call, found: &mut Diagnostic) {
    let field = found.pointer.split('/').nth(1).unwrap_or_default();
    if let Some(rest) = found.pointer.strip_prefix("/tools/") {
        let (_, tools) = offered(call, ToolFormat::Gemini);
        found.pointer = format!("{tools}/{rest}");
    } else if call.layers.contains_key(field) {
        found.pointer.insert_str(0, "/layers");
    }
}

/// Says that nothing is asked in the terms of a call document, which the task of the session is made of.
fn ask_for_message(found: &mut Diagnostic) {
    "no message to respond to: fill in the new message (message.text), or end the history with a \
     message of the user or the response of a tool"
        .clone_into(&mut found.message);
    "/message".clone_into(&mut found.pointer);
}

fn left_out(input: &TargetInput<'_>, index: usize, message: &Value) -> Vec<Diagnostic> {
    let why = "Promptdeck sends Gemini texts, and images, audio and files of the user that hold their \
               data in base64 (a URL such as data:image/png;base64,iVBORw...)";
    let mut parts = content_parts::other_than_text(index, message);
    if is_users(message) {
        parts.retain(|part| part.value(message).and_then(inline_data).is_none());
    }
    let said = |part| content_parts::dropped(part, input.call, why);
    parts.iter().map(said).collect()
}

/// The registry's settings without provider and model. The layers drop what the API does not accept.
fn generation(settings: &Map<String, Value>) -> Value {
    let mut settings = settings.clone();
    for name in ["provider", "model"] {
        settings.shift_remove(name);
    }
    Value::Object(settings)
}

fn role(message: &Value) -> &str {
    message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Messages as turns. An assistant's message is restored from its `raw_response`, or else from its
/// text and calls.
fn turns(messages: &[Value]) -> Vec<Value> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    messages
        .iter()
        .map(|message| {
            let text = message
                .get("content")
                .and_then(content_text)
                .unwrap_or_default();
            let calls = message
                .get("tool_calls")
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice);
            match role(message) {
                "assistant" if !calls.is_empty() => {
                    names.extend(calls.iter().filter_map(|call| {
                        Some((
                            call.get("id")?.as_str()?,
                            call.pointer("/function/name")?.as_str()?,
                        ))
                    }));
                    let raw = raw_response(message).unwrap_or_else(|| response_of(&text, calls));
                    let words = canonical_json(&Value::Array(calls.to_vec()));
                    json!({"type": "function_calling", "response": words, "raw_response": raw})
                }
                "assistant" => match raw_response(message) {
                    Some(raw) => {
                        json!({"type": "model_response", "content": text, "raw_response": raw})
                    }
                    None => json!({"type": "model_response", "content": text}),
                },
                "tool" => {
                    let id = message.get("tool_call_id").and_then(Value::as_str);
                    let name = names
                        .iter()
                        .find(|(known, _)| Some(*known) == id)
                        .map_or_else(
                            || {
                                message
                                    .get("name")
                                    .and_then(Value::as_str)
                                    .unwrap_or_default()
                            },
                            |(_, name)| name,
                        );
                    let response = match serde_json::from_str::<Value>(&text) {
                        Ok(Value::Object(map)) => Value::Object(map),
                        _ => Value::from(text),
                    };
                    json!({"type": "tool_response", "name": name, "response": response})
                }
                _ => {
                    let mut turn = json!({"type": "user_task", "instruction": text});
                    add_parts(&mut turn, message);
                    turn
                }
            }
        })
        .collect()
}

/// Whether a message is sent in the role of the user.
fn is_users(message: &Value) -> bool {
    !matches!(role(message), "assistant" | "tool")
}

/// Adds the parts of a message to its turn if it is more than a text.
fn add_parts(turn: &mut Value, message: &Value) {
    let parts = parts(&message["content"]);
    if !parts.is_empty() {
        turn["parts"] = Value::Array(parts);
    }
}

fn raw_response(message: &Value) -> Option<Value> {
    message
        .get("raw_response")
        .filter(|raw| !raw.is_null())
        .cloned()
}

/// A model's response of these calls, whose arguments are checked before, without signature.
fn response_of(text: &str, calls: &[Value]) -> Value {
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(json!({"text": text}));
    }
    for call in calls {
        let arguments = call_arguments::object(call.pointer("/function/arguments"));
        parts.push(json!({"functionCall": {
            "id": call.get("id").cloned().unwrap_or_default(),
            "name": call.pointer("/function/name").cloned().unwrap_or_default(),
            "args": arguments.unwrap_or_default(),
        }}));
    }
    json!([{"parts": parts}])
}

/// What the model reads: tools, then the contents, the prompt within the static layer span by span.
fn spans(input: &TargetInput<'_>, session: &Session, layered: &layers::Layered) -> Vec<Span> {
    let mut spans = Vec::new();
    if let Some(tools) = layered.request.get("tools") {
        spans.push(Span::new(canonical_json(tools), SpanOrigin::Tools));
    }
    let layer = |name: &str| SpanOrigin::Layer {
        name: name.to_owned(),
    };
    let instruction = layered.request.get("systemInstruction").map(readable);
    if session.system_instruction {
        spans.extend(instruction.map(|text| Span::new(text, layer("static"))));
    }
    let contents = layered.request.get("contents").and_then(Value::as_array);
    for one in &layered.layers {
        for &index in &one.contents {
            let Some(content) = contents.and_then(|contents| contents.get(index)) else {
                continue;
            };
            spans.push(Span::new(readable(content), layer(one.name)));
        }
    }
    spans
        .into_iter()
        .flat_map(|span| match &span.origin {
            SpanOrigin::Layer { name } if name == "static" => opened(span, input),
            _ => vec![span],
        })
        .collect()
}

/// The static layer with the prompt's own spans in their place.
fn opened(span: Span, input: &TargetInput<'_>) -> Vec<Span> {
    let prompt = &input.prompt.text;
    match span.text.find(prompt.as_str()) {
        Some(start) if !prompt.is_empty() => {
            let rest = |text: &str| Span::new(text, span.origin.clone());
            let mut spans = vec![rest(&span.text[..start])];
            spans.extend(input.prompt.spans.iter().map(Span::from));
            spans.push(rest(&span.text[start + prompt.len()..]));
            spans
        }
        _ => vec![span],
    }
}
