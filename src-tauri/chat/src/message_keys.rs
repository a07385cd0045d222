//! Keys of messages that are probably misspelled, and messages without a content. Neither is an error
//! to a reader: it reads what it knows, and the rest is not sent.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use promptdeck_json::{
    abridged,
    nearest::{hint, nearest},
    unlisted_keys,
};
use serde_json::{Map, Value as Json};

use crate::schema;

/// How many different faults of one conversation are reported.
const MAX_FAULTS: usize = 20;

/// The keys of messages, their parts and their calls.
static SCHEMA: LazyLock<Json> = LazyLock::new(schema::message);

/// Keys that name a message or what it answers: one that is misspelled changes what is sent.
const NAMES: [&str; 4] = ["role", "name", "tool_name", "tool_call_id"];

/// Further keys that say what a message is about or how it is used, not what it says. Providers have
/// others of that kind, whose names are like these.
const LABELS: [&str; 16] = [
    "cache_control",
    "channel",
    "content_type",
    "created_at",
    "end_turn",
    "id",
    "is_error",
    "language",
    "metadata",
    "partial",
    "prefix",
    "recipient",
    "recipients",
    "timestamp",
    "type",
    "weight",
];

/// The types of parts that formats and providers have. Any other is allowed, and probably misspelled if it
/// is like one of these.
const PART_TYPES: [&str; 32] = [
    "audio",
    "audio_url",
    "container_upload",
    "document",
    "file",
    "function_call",
    "image",
    "image_file",
    "image_url",
    "input_audio",
    "input_file",
    "input_image",
    "input_text",
    "input_video",
    "json",
    "mcp_tool_result",
    "mcp_tool_use",
    "media",
    "output_text",
    "reasoning",
    "redacted_thinking",
    "refusal",
    "search_result",
    "server_tool_use",
    "summary_text",
    "text",
    "thinking",
    "tool_result",
    "tool_use",
    "video",
    "video_url",
    "web_search_tool_result",
];

/// Whether a key carries no content itself.
fn is_label(key: &str) -> bool {
    NAMES.contains(&key) || LABELS.contains(&key)
}

/// What is wrong with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A key that no format of messages has.
    UnknownKey {
        /// The key.
        key: String,
        /// The known key that is probably meant.
        nearest: Option<String>,
    },
    /// A part of its content is of a type that is probably misspelled.
    UnknownType {
        /// The type.
        kind: String,
        /// The known type that is probably meant.
        nearest: String,
    },
    /// It is empty: no content, no calls, nothing else that a format reads.
    NoContent,
}

/// A fault of a message, and of others that have the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFault {
    /// The message, counted from 0.
    pub message: usize,
    /// Its role.
    pub role: String,
    /// JSON pointer to the key, counted from the message; empty for the message.
    pub pointer: String,
    /// What is wrong.
    pub fault: Fault,
    /// The place of the same fault in later messages, or in later parts of this one: a message and a
    /// pointer each.
    pub also: Vec<(usize, String)>,
}

impl MessageFault {
    /// One line for a person.
    #[must_use]
    pub fn sentence(&self) -> String {
        let number = self.message + 1;
        let which = match self.role.as_str() {
            "" => format!("message {number}"),
            role => format!("message {number} ({})", abridged(role)),
        };
        let others = match self.also.len() {
            0 => String::new(),
            1 => ", once more below".to_owned(),
            times => format!(", {times} times more below"),
        };
        match &self.fault {
            Fault::UnknownKey { key, nearest } => {
                let parent = self
                    .pointer
                    .rsplit_once('/')
                    .map_or("", |(parent, _)| parent);
                let place = match parent {
                    "" => String::new(),
                    parent => format!(" in {}", abridged(parent)),
                };
                let hint = hint(nearest.as_deref());
                format!(
                    "{which}: unknown key {:?}{place}{others}{hint}",
                    abridged(key)
                )
            }
            Fault::UnknownType { kind, nearest } => {
                let place = self.pointer.trim_end_matches("/type");
                let hint = hint(Some(nearest));
                format!(
                    "{which}: unknown type {:?} in {place}{others}{hint}",
                    abridged(kind)
                )
            }
            Fault::NoContent => {
                format!("{which} says nothing{others}: it has no content and no tool calls")
            }
        }
    }
}

/// The faults of messages, one for each key. Keys that the template mentions are its own.
#[must_use]
pub fn lint(messages: &[Json], template: Option<&str>) -> Vec<MessageFault> {
    let mut faults: Vec<MessageFault> = Vec::new();
    let mut add = |found: MessageFault| {
        let is_same = |known: &MessageFault| {
            known.fault == found.fault && shape(&known.pointer).eq(shape(&found.pointer))
        };
        match faults.iter().position(is_same) {
            Some(known) => faults[known].also.push((found.message, found.pointer)),
            None if faults.len() < MAX_FAULTS => faults.push(found),
            None => {}
        }
    };
    let template_reads = |key: &str| template.is_some_and(|source| mentions(source, key));
    for (index, message) in messages.iter().enumerate() {
        let Some(fields) = message.as_object() else {
            continue;
        };
        let fault = |pointer: String, fault: Fault| MessageFault {
            message: index,
            role: message["role"].as_str().unwrap_or_default().to_owned(),
            pointer,
            fault,
            also: Vec::new(),
        };
        let mut is_suggested = false;
        for unknown in unlisted_keys(&SCHEMA, message) {
            if template_reads(&unknown.key) {
                continue;
            }
            let is_top = unknown.pointer.rfind('/') == Some(0);
            is_suggested |= is_top && unknown.nearest.as_deref().is_some_and(carries_content);
            let key = unknown.key;
            // Without its type, a part or a call is none.
            let is_meant = |suggestion: &str| {
                !LABELS.contains(&suggestion) || (!is_top && suggestion == "type")
            };
            let nearest = unknown.nearest.filter(|suggestion| is_meant(suggestion));
            add(fault(unknown.pointer, Fault::UnknownKey { key, nearest }));
        }
        for (part, kind, nearest) in unknown_types(fields) {
            let pointer = format!("/content/{part}/type");
            let kind = kind.to_owned();
            add(fault(pointer, Fault::UnknownType { kind, nearest }));
        }
        // A misspelled key of a content is reported as such.
        if !is_suggested && !has_content(fields, template_reads) {
            add(fault(String::new(), Fault::NoContent));
        }
    }
    faults
}

/// The parts of a content whose type is like a known one: the part, its type and that one.
fn unknown_types(fields: &Map<String, Json>) -> impl Iterator<Item = (usize, &str, String)> {
    let parts = fields.get("content").and_then(Json::as_array);
    let parts = parts.into_iter().flatten().enumerate();
    parts.filter_map(|(index, part)| {
        let kind = part.get("type")?.as_str()?;
        let nearest = nearest(kind, PART_TYPES)?;
        (nearest != kind).then(|| (index, kind, nearest.to_owned()))
    })
}

/// Whether a key of a message carries content.
fn carries_content(key: &str) -> bool {
    !is_label(key) && KNOWN.contains(key)
}

/// The keys of a message, without those of its parts and calls.
static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let listed = SCHEMA["properties"].as_object();
    listed.into_iter().flat_map(Map::keys).cloned().collect()
});

fn has_content(fields: &Map<String, Json>, template_reads: impl Fn(&str) -> bool) -> bool {
    fields.iter().any(|(key, value)| {
        let is_empty = value.is_null() || (key != "content" && value == &Json::Array(Vec::new()));
        !is_empty && (carries_content(key) || (template_reads(key) && !is_label(key)))
    })
}

/// A pointer without the indices in it.
fn shape(pointer: &str) -> impl Iterator<Item = &str> {
    let is_index = |step: &&str| step.bytes().all(|byte| byte.is_ascii_digit());
    pointer
        .split('/')
        .skip(1)
        .filter(move |step| !is_index(step))
}

/// Whether a template has a word anywhere: as an attribute, as a key, or as a name.
#[must_use]
pub fn mentions(source: &str, word: &str) -> bool {
    let in_word =
        |next: Option<char>| next.is_some_and(|next| next == '_' || next.is_alphanumeric());
    !word.is_empty()
        && source.match_indices(word).any(|(at, _)| {
            let (before, after) = (&source[..at], &source[at + word.len()..]);
            !in_word(before.chars().next_back()) && !in_word(after.chars().next())
        })
}

/// Every key of messages, their parts and their calls.
pub(crate) static ALL_KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut keys = BTreeSet::new();
    collect(&SCHEMA, &mut keys);
    keys
});

fn collect(schema: &Json, keys: &mut BTreeSet<String>) {
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        keys.insert(key.clone());
        collect(value, keys);
    }
    if let Some(items) = schema.get("items") {
        collect(items, keys);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(messages: Json, template: Option<&str>, expected: &[&str]) {
        let messages = messages.as_array().expect("a list");
        let found = lint(messages, template);
        let sentences: Vec<String> = found.iter().map(MessageFault::sentence).collect();
        assert_eq!(sentences, expected, "{messages:?}");
    }

    #[test]
    fn misspelled_keys_are_named_with_the_one_that_is_meant() {
        check(
            json!([{"role": "user", "contnt": "Hi"}]),
            None,
            &["message 1 (user): unknown key \"contnt\"; did you mean \"content\"?"],
        );
        check(
            json!([{"role": "assistant", "content": null, "tool_cals": []}]),
            None,
            &["message 1 (assistant): unknown key \"tool_cals\"; did you mean \"tool_calls\"?"],
        );
        check(
            json!([{"role": "user", "content": [{"type": "text", "txt": "Hi"}]}]),
            None,
            &["message 1 (user): unknown key \"txt\" in /content/0; did you mean \"text\"?"],
        );
        check(
            json!([{"role": "assistant", "tool_calls": [{"function": {"nam": "f", "arguments": {"nam": 1}}}]}]),
            None,
            &[
                "message 1 (assistant): unknown key \"nam\" in /tool_calls/0/function; did you mean \"name\"?",
            ],
        );
    }

    #[test]
    fn a_key_that_stands_in_many_messages_is_reported_once() {
        let messages: Vec<Json> = (0..30)
            .map(|at| json!({"role": "user", "content": "Hi", "colour": at}))
            .collect();
        check(
            json!(messages),
            None,
            &["message 1 (user): unknown key \"colour\", 29 times more below"],
        );
        let many: Map<String, Json> = (0..90)
            .map(|at| (format!("own{at}"), Json::Null))
            .chain([("content".to_owned(), json!("Hi"))])
            .collect();
        assert_eq!(lint(&[Json::Object(many)], None).len(), MAX_FAULTS);
    }

    #[test]
    fn a_message_that_says_nothing_is_reported() {
        let nothing = "message 1 (user) says nothing: it has no content and no tool calls";
        check(json!([{"role": "user"}]), None, &[nothing]);
        check(
            json!([{"role": "user", "content": null, "name": "Ada"}]),
            None,
            &[nothing],
        );
        check(
            json!([{"role": "user", "content": "", "tool_calls": []}]),
            None,
            &[],
        );
        check(
            json!([{"role": "assistant", "content": null, "tool_calls": []}]),
            None,
            &["message 1 (assistant) says nothing: it has no content and no tool calls"],
        );
        check(
            json!([{"role": "assistant", "channel": "final", "end_turn": true}]),
            None,
            &["message 1 (assistant) says nothing: it has no content and no tool calls"],
        );
        check(
            json!([{"role": "assistant", "reasoning_content": "Hm."}]),
            None,
            &[],
        );
    }

    #[test]
    fn a_key_of_the_template_is_known() {
        let message = json!([{"role": "user", "mood": "calm"}]);
        check(message.clone(), Some("{{ m.mood }}"), &[]);
        check(message.clone(), Some("{{ m['mood'] }}"), &[]);
        let unknown = "message 1 (user): unknown key \"mood\"";
        let nothing = "message 1 (user) says nothing: it has no content and no tool calls";
        check(message, Some("{{ m.moods }}"), &[unknown, nothing]);
    }

    #[test]
    fn a_key_like_a_label_may_be_a_provider_s() {
        check(
            json!([{"role": "user", "content": "Hi", "createdAt": 1, "idx": 0}]),
            None,
            &[
                "message 1 (user): unknown key \"createdAt\"",
                "message 1 (user): unknown key \"idx\"",
            ],
        );
        check(
            json!([{"rle": "user", "content": "Hi"}]),
            None,
            &["message 1: unknown key \"rle\"; did you mean \"role\"?"],
        );
    }

    #[test]
    fn a_part_of_a_misspelled_type_is_reported() {
        let parts = json!([
            {"type": "imge_url", "image_url": {"url": "x"}},
            {"typ": "text", "text": "lost"},
            {"type": "zzz_of_a_provider"},
            {"type": "image"},
        ]);
        check(
            json!([{"role": "user", "content": parts}]),
            None,
            &[
                "message 1 (user): unknown key \"typ\" in /content/1; did you mean \"type\"?",
                "message 1 (user): unknown type \"imge_url\" in /content/0; did you mean \"image_url\"?",
            ],
        );
    }

    #[test]
    fn keys_of_providers_are_known() {
        check(
            json!([
                {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}},
                    {"type": "image_url", "image_url": {"url": "https://example.com/a.png", "detail": "low"}}]},
                {"role": "assistant", "content": "Yo", "prefix": true, "weight": 0, "refusal": null,
                    "annotations": [], "audio": {"id": "a"}, "thinking_blocks": [{"type": "thinking"}]},
                {"role": "tool", "tool_call_id": "1", "name": "f", "content": {"any": {"thing": 1}}},
                {"role": "assistant", "content": "Yo", "context": {"intent": "greet"}, "reasoning_text": "Hm."},
            ]),
            None,
            &[],
        );
    }
}
