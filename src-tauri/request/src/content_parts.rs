//! Parts of messages that are no text, such as images, and what is said of those that a target
//! leaves out.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Value, json};

use super::{call::Call, codes};

/// The types of parts that `OpenAI` documents beside text.
const KNOWN: [&str; 4] = ["image_url", "input_audio", "file", "refusal"];

/// A part of a message that is no text, or a content that is neither text nor a list of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentPart {
    message: usize,
    role: String,
    part: Option<usize>,
    kind: String,
}

impl ContentPart {
    /// It in its message; `None` for a content that is no list of parts.
    pub fn value<'m>(&self, message: &'m Value) -> Option<&'m Value> {
        message.get("content")?.get(self.part?)
    }

    /// One of a few groups of types that a chat template treats alike, so that a trial of each
    /// group is bounded work.
    fn group(&self) -> Option<&'static str> {
        KNOWN.into_iter().find(|known| *known == self.kind)
    }
}

/// The parts of a message that are no text.
#[must_use]
pub fn other_than_text(index: usize, message: &Value) -> Vec<ContentPart> {
    let of = |part: Option<usize>, value: &Value| ContentPart {
        message: index,
        role: message["role"].as_str().unwrap_or_default().to_owned(),
        part,
        kind: value["type"].as_str().unwrap_or("unknown").to_owned(),
    };
    match message.get("content") {
        None | Some(Value::Null | Value::String(_)) => Vec::new(),
        Some(Value::Array(parts)) => parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.is_string() && !part["text"].is_string())
            .map(|(at, part)| of(Some(at), part))
            .collect(),
        Some(content) => vec![of(None, content)],
    }
}

/// The parts that do not change a text rendered from the messages: types are left out in turn, and
/// one without which the text is the same is not in it.
#[must_use]
pub fn without_effect(
    messages: &[Value],
    text: &str,
    render: impl Fn(&[Value]) -> Option<String>,
) -> Vec<ContentPart> {
    let all: Vec<ContentPart> = messages
        .iter()
        .enumerate()
        .flat_map(|(index, message)| other_than_text(index, message))
        .collect();
    let mut dropped = Vec::new();
    for group in KNOWN.into_iter().map(Some).chain([None]) {
        let of_group = all.iter().filter(|part| part.group() == group);
        let of_group: Vec<ContentPart> = of_group.cloned().collect();
        if !of_group.is_empty() && render(&without(messages, &of_group)).as_deref() == Some(text) {
            dropped.extend(of_group);
        }
    }
    dropped.sort_by_key(|part| (part.message, part.part));
    dropped
}

fn without(messages: &[Value], parts: &[ContentPart]) -> Vec<Value> {
    let mut messages = messages.to_vec();
    // From the end, as each removal moves the parts behind it.
    for part in parts.iter().rev() {
        match (&mut messages[part.message]["content"], part.part) {
            (Value::Array(all), Some(at)) => {
                all.remove(at);
            }
            (content, _) => *content = json!(null),
        }
    }
    messages
}

/// The diagnostic of a part that a target leaves out; `why` says what the target takes.
#[must_use]
pub fn dropped(part: &ContentPart, call: &Call, why: &str) -> Diagnostic {
    let mut pointer = place(call, part.message, "content");
    let data =
        DiagnosticData::of(DataKey::Turn, part.message).with(DataKey::Found, part.kind.as_str());
    let (which, data) = match part.part {
        Some(at) => {
            pointer.push_str(&format!("/{at}"));
            (format!("part {at}"), data.with(DataKey::Entry, at))
        }
        None => ("the content".to_owned(), data),
    };
    let ContentPart {
        message,
        role,
        kind,
        ..
    } = part;
    let message = format!(
        "message {message} ({role}): {which}, of type {kind:?}, is left out: {why}; describe it in \
         words, or choose the target OpenAI"
    );
    Diagnostic::new(
        codes::PART_LEFT_OUT,
        Severity::Warning,
        message,
        pointer,
        data,
    )
}

/// The pointer to a field of a message in the call document; for messages that are sent back, in
/// the document of the follow-up.
#[must_use]
pub fn place(call: &Call, message: usize, field: &str) -> String {
    let known = call.history.len();
    let asked = usize::from(call.message_text().is_some());
    match message {
        _ if message < known => format!("/history/{message}/{field}"),
        _ if message < known + asked => "/message/text".to_owned(),
        _ => format!("/messages/{}/{field}", message - known - asked),
    }
}
