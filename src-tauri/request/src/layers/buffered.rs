//! The buffered layer: the turns no cache holds, as content objects, the model's own restored from
//! what it sent.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Value, json};

use super::{
    Session, Turn,
    persisted_turn::{self, Restored},
    rebuilt_call::rebuild,
};
use crate::codes;

/// The contents of the recent turns; `first` is the index of the first of them in the session.
pub fn contents(
    session: &Session,
    recent: &[Turn],
    first: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Value> {
    let latest_model = recent.iter().rposition(is_models);
    let mut contents: Vec<Value> = Vec::new();
    for (offset, turn) in recent.iter().enumerate() {
        let index = first + offset;
        let latest = latest_model == Some(offset);
        let signature = match latest {
            true if is_signature_required(session, &recent[offset..]) => Signature::Required,
            true => Signature::Useful,
            false => Signature::Unused,
        };
        match turn {
            Turn::UserTask { parts, .. } if !parts.is_empty() => {
                contents.push(content("user", parts));
            }
            Turn::UserTask {
                instruction: text, ..
            }
            | Turn::CompressedHistory { content: text } => {
                // The API refuses a text without a character in it.
                if !turn.is_empty() {
                    contents.push(content("user", &[json!({"text": text})]));
                }
            }
            Turn::ModelResponse { content: text, raw } => {
                let parts = models_parts(raw.as_ref(), || texts(text));
                report(&parts, index, signature, diagnostics);
                contents.extend(sent("model", &parts.0.parts));
            }
            Turn::FunctionCalling { response, raw } => {
                let answers = answers_after(&recent[offset + 1..]);
                let mut guessed = false;
                let parts = models_parts(raw.as_ref(), || {
                    let rebuilt = rebuild(response, &answers);
                    guessed = rebuilt.guessed;
                    rebuilt.parts
                });
                if guessed {
                    diagnostics.push(Diagnostic::new(
                        codes::CALL_REBUILT,
                        Severity::Warning,
                        format!(
                            "turn {} is sent as a call without arguments, named after the tool \
                             response that follows: give it a raw_response",
                            index + 1
                        ),
                        format!("/turns/{index}/raw_response"),
                        DiagnosticData::of(DataKey::Turn, index),
                    ));
                }
                report(&parts, index, signature, diagnostics);
                contents.extend(sent("model", &parts.0.parts));
            }
            Turn::ToolResponse { name, response } => {
                if !answer(name, response, &mut contents) {
                    diagnostics.push(Diagnostic::new(
                        codes::ORPHAN_RESPONSE,
                        Severity::Warning,
                        format!(
                            "turn {}, the response of {name:?}, answers no call of the turn before \
                             it; it is sent as text",
                            index + 1
                        ),
                        format!("/turns/{index}"),
                        DiagnosticData::of(DataKey::Turn, index).with(DataKey::Tool, name.as_str()),
                    ));
                }
            }
        }
    }
    contents
}

/// The tools whose responses follow a call.
fn answers_after(turns: &[Turn]) -> Vec<&str> {
    turns
        .iter()
        .filter(|turn| !turn.is_empty())
        .map_while(|turn| match turn {
            Turn::ToolResponse { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect()
}

/// A text as parts; a blank one is none.
fn texts(text: &str) -> Vec<Value> {
    let text = (!text.trim().is_empty()).then(|| json!({"text": text}));
    text.into_iter().collect()
}

/// A content of these parts, when there are any.
fn sent(role: &str, parts: &[Value]) -> Option<Value> {
    (!parts.is_empty()).then(|| content(role, parts))
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
fn models_parts(
    raw: Option<&Value>,
    rebuilt: impl FnOnce() -> Vec<Value>,
) -> (Restored, Option<String>) {
    let reason = match raw.map(persisted_turn::restore) {
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
        parts: rebuilt(),
        ..Restored::default()
    };
    (restored, Some(reason))
}

/// What the API does with a turn of the model that has no thought signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signature {
    /// Refuses it.
    Required,
    /// Goes on without the thoughts that led to it.
    Useful,
    /// Nothing: it is not the latest.
    Unused,
}

/// Whether the API refuses the first of these turns, the latest of the model's, without a signature: from
/// Gemini 3 on, calls to which only their responses were added since.
///
/// <https://ai.google.dev/gemini-api/docs/thought-signatures>
fn is_signature_required(session: &Session, turns: &[Turn]) -> bool {
    let model = session.model.as_deref().unwrap_or_default();
    let model = model.rsplit('/').next().unwrap_or_default();
    let version = model.strip_prefix("gemini-").unwrap_or_default();
    let major = version.split(['.', '-']).next().unwrap_or_default();
    let is_answered = |turn: &Turn| matches!(turn, Turn::ToolResponse { .. }) || turn.is_empty();
    major.parse::<u32>().is_ok_and(|major| major >= 3)
        && session.instruction.is_none()
        && matches!(turns, [Turn::FunctionCalling { .. }, answers @ ..] if answers.iter().all(is_answered))
}

/// Says when the latest of the model's turns goes out without its signature, and when any turn is
/// not what the model sent.
fn report(
    (restored, reason): &(Restored, Option<String>),
    index: usize,
    signature: Signature,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(reason) = reason else { return };
    let data = DiagnosticData::of(DataKey::Turn, index).with(DataKey::Reason, reason.as_str());
    if signature != Signature::Unused && !restored.signed {
        let (severity, so) = match signature {
            Signature::Required => (Severity::Error, "the model refuses the request without it"),
            _ => (Severity::Warning, "the model goes on without its thoughts"),
        };
        let how = match restored.parts.is_empty() {
            true => "is not sent, as nothing is known of it",
            false => "is sent without its thought signature",
        };
        diagnostics.push(Diagnostic::new(
            codes::SIGNATURE_MISSING,
            severity,
            format!(
                "turn {}, the latest of the model's, {how}: {reason}; {so}: give it the response of \
                 the API as raw_response",
                index + 1
            ),
            format!("/turns/{index}/raw_response"),
            data,
        ));
    } else if restored.unreadable > 0 {
        diagnostics.push(Diagnostic::new(
            codes::SIGNATURE_UNREADABLE,
            Severity::Warning,
            format!(
                "turn {} is sent without a thought signature: {reason}",
                index + 1
            ),
            format!("/turns/{index}/raw_response"),
            data,
        ));
    }
}

/// Adds a tool's response: beside the one before it when both answer calls of one model turn, as
/// the API wants the responses of parallel calls together. One that answers no call is added as
/// text, and false is returned.
fn answer(name: &str, response: &Value, contents: &mut Vec<Value>) -> bool {
    let answered = contents.last().map_or(0, |last| responses(last).count());
    let asked_calls = contents
        .iter()
        .rev()
        .nth(usize::from(answered > 0))
        .map(calls)
        .unwrap_or_default();
    if answered >= asked_calls.len() {
        let text = match response {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let text = format!("The tool {name} answered: {text}");
        contents.push(content("user", &[json!({"text": text})]));
        return false;
    }
    let mut function_response = json!({
        "name": name,
        "response": match response {
            Value::Object(map) => Value::Object(map.clone()),
            other => json!({"output": other}),
        },
    });
    let buffered_parts: Vec<&Value> = contents
        .last()
        .map(|last| responses(last).filter_map(|r| r.get("id")).collect())
        .unwrap_or_default();
    let id = asked_calls
        .iter()
        .filter(|call| call.get("name").and_then(Value::as_str) == Some(name))
        .filter_map(|call| call.get("id"))
        .find(|id| !buffered_parts.contains(id))
        .cloned();
    if let (Some(id), Some(map)) = (id, function_response.as_object_mut()) {
        map.shift_insert(0, "id".to_owned(), id);
    }
    let together = answered > 0;
    let part = json!({"functionResponse": function_response});
    match contents.last_mut().and_then(|last| last.get_mut("parts")) {
        Some(Value::Array(parts)) if together => parts.push(part),
        _ => contents.push(content("user", &[part])),
    }
    true
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
