//! Parts of messages that are no text, such as images, and what is said of those that a target
//! leaves out.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Value, json};

use super::{call::Call, codes};

/// The longest text that is shown as the source of a part; a longer one is its data.
const LONGEST_SOURCE: usize = 200;

/// The types of parts that `OpenAI` documents beside text.
const KNOWN: [&str; 4] = ["image_url", "input_audio", "file", "refusal"];

/// A part of a message that is no text, or a content that is neither text nor a list of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentPart {
    message: usize,
    role: String,
    part: Option<usize>,
    kind: String,
    source: String,
    bytes: Option<usize>,
}

impl ContentPart {
    /// It in its message; `None` for a content that is no list of parts.
    #[must_use]
    pub fn value<'m>(&self, message: &'m Value) -> Option<&'m Value> {
        message.get("content")?.get(self.part?)
    }

    /// The message, counted from 0.
    #[must_use]
    pub fn message(&self) -> usize {
        self.message
    }

    /// Its type, such as `image_url`.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Where its data is from: a URL, a file name, or the media type of data in the part; empty if
    /// unknown.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Size of the data in the part, if it holds any.
    #[must_use]
    pub fn bytes(&self) -> Option<usize> {
        self.bytes
    }

    /// The pointer to it in the call document.
    #[must_use]
    pub fn pointer(&self, call: &Call) -> String {
        let content = place(call, self.message, "content");
        match self.part {
            Some(at) => format!("{content}/{at}"),
            None => content,
        }
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
    let of = |part: Option<usize>, value: &Value| {
        let (source, bytes) = source(value);
        ContentPart {
            message: index,
            role: message["role"].as_str().unwrap_or_default().to_owned(),
            part,
            kind: value["type"].as_str().unwrap_or("unknown").to_owned(),
            source,
            bytes,
        }
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

/// Where the data of a part is from, and its size if the part holds it. Every type has its own
/// fields for that, so the longest text of the part decides.
fn source(part: &Value) -> (String, Option<usize>) {
    let text = longest(part).unwrap_or_default();
    // Four characters of Base64 are three bytes.
    let decoded = |data: &str| data.trim_end_matches('=').len() * 3 / 4;
    if let Some((head, data)) = text
        .strip_prefix("data:")
        .and_then(|url| url.split_once(','))
    {
        let bytes = match head.strip_suffix(";base64") {
            Some(_) => decoded(data),
            None => data.len(),
        };
        let media = head.split(';').next().unwrap_or_default();
        return (media.to_owned(), Some(bytes));
    }
    if text.len() > LONGEST_SOURCE && !text.contains(':') {
        return (String::new(), Some(decoded(text)));
    }
    (text.chars().take(LONGEST_SOURCE).collect(), None)
}

/// The longest text in a part, other than its type.
fn longest(part: &Value) -> Option<&str> {
    match part {
        Value::String(text) => Some(text),
        Value::Array(items) => items
            .iter()
            .filter_map(longest)
            .max_by_key(|text| text.len()),
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| *key != "type")
            .filter_map(|(_, value)| longest(value))
            .max_by_key(|text| text.len()),
        _ => None,
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
pub fn dropped(part: &ContentPart, call: &Call, reason: &str) -> Diagnostic {
    let pointer = part.pointer(call);
    let data =
        DiagnosticData::of(DataKey::Turn, part.message).with(DataKey::Found, part.kind.as_str());
    let (which, data) = match part.part {
        Some(at) => (format!("part {}", at + 1), data.with(DataKey::Entry, at)),
        None => ("the content".to_owned(), data),
    };
    let ContentPart {
        message,
        role,
        kind,
        ..
    } = part;
    let message = format!(
        "message {} ({role}): {which}, of type {kind:?}, is left out: {reason}; describe it in words, \
         or choose the target OpenAI",
        message + 1
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
    let question_count = usize::from(call.message_text().is_some());
    match message {
        _ if message < known => format!("/history/{message}/{field}"),
        _ if message < known + question_count => "/message/text".to_owned(),
        _ => format!("/messages/{}/{field}", message - known - question_count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(part: &Value, source: &str, bytes: Option<usize>) {
        let message = json!({"role": "user", "content": ["And here?", part]});
        let parts = other_than_text(3, &message);
        let [found] = &parts[..] else {
            panic!("{parts:?}");
        };
        assert_eq!((found.source(), found.bytes()), (source, bytes), "{part}");
    }

    #[test]
    fn a_part_has_the_source_or_the_size_of_its_data() {
        let url = "https://example.com/cat.png";
        check(
            &json!({"type": "image_url", "image_url": {"url": url, "detail": "low"}}),
            url,
            None,
        );
        let data = json!({"url": "data:image/png;base64,aGVsbG8="});
        check(
            &json!({"type": "image_url", "image_url": data}),
            "image/png",
            Some(5),
        );
        let audio = json!({"data": "A".repeat(400), "format": "wav"});
        check(
            &json!({"type": "input_audio", "input_audio": audio}),
            "",
            Some(300),
        );
        check(
            &json!({"type": "file", "file": {"file_id": "file-7"}}),
            "file-7",
            None,
        );
        check(&json!({"type": "refusal"}), "", None);
    }
}
