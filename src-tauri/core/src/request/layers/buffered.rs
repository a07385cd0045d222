//! The buffered layer: the turns no cache holds, as content objects, the model's own restored from
//! what it sent.

use serde_json::{Value, json};

use super::{
    Turn,
    restore::{self, Restored},
};
use crate::registry::{Diagnostic, Severity};

/// The contents of the recent turns; `first` is the index of the first of them in the session.
pub fn contents(recent: &[Turn], first: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<Value> {
    let latest_model = recent.iter().rposition(is_models);
    let mut contents: Vec<Value> = Vec::new();
    for (offset, turn) in recent.iter().enumerate() {
        let index = first + offset;
        match turn {
            Turn::UserTask { instruction: text } | Turn::CompressedHistory { content: text } => {
                contents.push(content("user", &[json!({"text": text})]));
            }
            Turn::ModelResponse { content: text, raw } => {
                let parts = models_parts(text, raw.as_ref());
                report(&parts, index, latest_model == Some(offset), diagnostics);
                contents.push(content("model", &parts.0.parts));
            }
            Turn::FunctionCalling { response, raw } => {
                let parts = models_parts(response, raw.as_ref());
                report(&parts, index, latest_model == Some(offset), diagnostics);
                contents.push(content("model", &parts.0.parts));
            }
            Turn::ToolResponse { name, response } => answer(name, response, &mut contents),
            Turn::Unknown { kind } => diagnostics.push(Diagnostic::new(
                "unknown-turn",
                Severity::Warning,
                format!("turn {index} has the type {kind:?}, which is not known; it is not sent"),
                format!("/turns/{index}/type"),
            )),
        }
    }
    contents
}

fn is_models(turn: &Turn) -> bool {
    matches!(
        turn,
        Turn::ModelResponse { .. } | Turn::FunctionCalling { .. }
    )
}

fn content(role: &str, parts: &[Value]) -> Value {
    json!({"role": role, "parts": parts})
}

/// The model's parts, and why they are not the original ones if they are not.
fn models_parts(text: &str, raw: Option<&Value>) -> (Restored, Option<String>) {
    let reason = match raw.map(restore::restore) {
        Some(Ok(restored)) => {
            let reason = match (restored.signed, restored.unreadable) {
                (true, 0) => None,
                (_, 0) => Some("no part of its raw_response carries one".to_owned()),
                _ => Some("a signature in its raw_response is no base64".to_owned()),
            };
            return (restored, reason);
        }
        Some(Err(error)) => error.to_string(),
        None => "it has no raw_response".to_owned(),
    };
    let restored = Restored {
        parts: vec![json!({"text": text})],
        ..Restored::default()
    };
    (restored, Some(reason))
}

/// Says when the latest of the model's turns goes out without its signature, and when any turn is
/// not what the model sent.
fn report(
    (restored, reason): &(Restored, Option<String>),
    index: usize,
    latest: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(reason) = reason else { return };
    if latest && !restored.signed {
        diagnostics.push(Diagnostic::new(
            "signature-missing",
            Severity::Error,
            format!("turn {index}, the latest of the model's, is sent without its thought signature: {reason}"),
            format!("/turns/{index}/raw_response"),
        ));
    } else if restored.unreadable > 0 {
        diagnostics.push(Diagnostic::new(
            "signature-unreadable",
            Severity::Warning,
            format!("turn {index} is sent without a thought signature: {reason}"),
            format!("/turns/{index}/raw_response"),
        ));
    }
}

/// Adds a tool's response: beside the one before it when both answer calls of one model turn, as
/// the API wants the responses of parallel calls together.
fn answer(name: &str, response: &Value, contents: &mut Vec<Value>) {
    let mut function_response = json!({
        "name": name,
        "response": match response {
            Value::Object(map) => Value::Object(map.clone()),
            other => json!({"output": other}),
        },
    });
    let answered = contents.last().map_or(0, |last| responses(last).count());
    let asked = contents
        .iter()
        .rev()
        .nth(usize::from(answered > 0))
        .map(calls)
        .unwrap_or_default();
    let taken: Vec<&Value> = contents
        .last()
        .map(|last| responses(last).filter_map(|r| r.get("id")).collect())
        .unwrap_or_default();
    let id = asked
        .iter()
        .filter(|call| call.get("name").and_then(Value::as_str) == Some(name))
        .filter_map(|call| call.get("id"))
        .find(|id| !taken.contains(id))
        .cloned();
    if let (Some(id), Some(map)) = (id, function_response.as_object_mut()) {
        map.shift_insert(0, "id".to_owned(), id);
    }
    let together = answered > 0 && answered < asked.len();
    let part = json!({"functionResponse": function_response});
    match contents.last_mut().and_then(|last| last.get_mut("parts")) {
        Some(Value::Array(parts)) if together => parts.push(part),
        _ => contents.push(content("user", &[part])),
    }
}

fn inner<'a>(content: &'a Value, key: &'static str) -> impl Iterator<Item = &'a Value> {
    content
        .get("parts")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(move |part| part.get(key))
}

fn responses(content: &Value) -> impl Iterator<Item = &Value> {
    inner(content, "functionResponse")
}

fn calls(content: &Value) -> Vec<Value> {
    inner(content, "functionCall").cloned().collect()
}
