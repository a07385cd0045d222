//! Keys of messages and of other parts of a call that nothing reads, messages without a content, and
//! misspelled names of a chat template: each is silent where it is read, and text is missing.

use std::sync::LazyLock;

use promptdeck_chat::{
    answer::{RenderAnswer, UnmatchedNames},
    message_keys::{self, Fault, MessageFault},
    misspelled::Misspelled,
    unread::{Unread, UnreadVariable},
};
use promptdeck_core::registry::{
    self, DataKey, Diagnostic, DiagnosticData, Position, Severity, SourceMap,
};
use promptdeck_json::{
    abridged,
    nearest::{hint, nearest},
    push_step, unknown_keys, unlisted_keys,
};
use serde_json::{Map, Value};

use crate::{
    call::{self, Call},
    codes,
    content_parts::place,
    layers::turn_keys,
};

static SCHEMA: LazyLock<Value> = LazyLock::new(call::json_schema);
static CONVERSATION: LazyLock<Value> = LazyLock::new(promptdeck_chat::schema::render);

/// What is odd about the messages of a call that is sent to a chat template, if to one, and about the
/// parts that its arguments are made of.
#[must_use]
pub fn lint(call: &Call, messages: &[Value], template: Option<&str>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for fault in message_keys::lint(messages, template) {
        let pointer = |message: usize, rest: &str| {
            let pointer = place(call, message, rest.trim_start_matches('/'));
            pointer.trim_end_matches('/').to_owned()
        };
        found.push(of_message(&fault, pointer));
    }
    for (name, part) in [
        ("assistant", &call.assistant),
        ("conversation", &call.conversation),
        ("session", &call.session),
        ("message", &call.message),
    ] {
        found.extend(part.iter().flat_map(|part| of_part(name, part)));
    }
    found.extend(call.message.as_ref().and_then(without_text));
    found.extend(turn_keys::lint(&call.layers, "/layers"));
    found
}

/// What is odd about the messages of a document that has them under `messages`.
#[must_use]
pub fn of_messages(messages: &[Value]) -> Vec<Diagnostic> {
    let faults = message_keys::lint(messages, None);
    faults
        .iter()
        .map(|fault| of_message(fault, in_messages))
        .collect()
}

/// What is odd about a conversation that was rendered.
#[must_use]
pub fn of_conversation(answer: &RenderAnswer, names: &UnmatchedNames) -> Vec<Diagnostic> {
    let faults = answer.faults.iter();
    let faults = faults.map(|fault| of_message(fault, in_messages));
    // A misspelled name explains it.
    let is_empty = answer.output.is_empty() && names.misspelled.is_empty();
    let empty = is_empty.then(|| empty_text("/template"));
    faults.chain(empty).collect()
}

/// That a template prints nothing; `at` points to it.
pub(crate) fn empty_text(at: &str) -> Diagnostic {
    Diagnostic::new(
        codes::EMPTY_TEXT,
        Severity::Warning,
        "the template prints nothing for this conversation".to_owned(),
        at,
        DiagnosticData::none(),
    )
}

/// The names of a conversation that do not fit.
#[must_use]
pub fn of_names(names: &UnmatchedNames) -> Vec<Diagnostic> {
    let misspelled = names.misspelled.iter();
    let of_template = misspelled.map(|found| of_template(found, "/template"));
    of_template
        .chain(names.unread.iter().map(of_variable))
        .collect()
}

/// A further variable of a conversation that has no effect.
fn of_variable(unread: &UnreadVariable) -> Diagnostic {
    let name = unread.name.as_str();
    let mut pointer = "/extra".to_owned();
    push_step(&mut pointer, name);
    let beside = match unread.nearest() {
        None => {
            let keys = CONVERSATION["properties"].as_object().into_iter();
            nearest(name, keys.flat_map(Map::keys).map(String::as_str))
        }
        Some(_) => None,
    };
    let way_out = match beside {
        None => String::new(),
        Some(key) if key == name => format!("; write {key:?} beside \"extra\""),
        Some(key) => format!("; did you mean {key:?} beside \"extra\"?"),
    };
    let meant = unread.nearest().or(beside);
    let severity = match meant.is_some() || unread.why == Unread::Hidden {
        true => Severity::Warning,
        false => Severity::Note,
    };
    let data = DiagnosticData::of(DataKey::Object, "extra")
        .with(DataKey::Name, abridged(name).as_ref())
        .with_some(DataKey::Suggestion, meant);
    let sentence = format!("extra: {}{way_out}", unread.sentence());
    Diagnostic::new(codes::UNREAD_VARIABLE, severity, sentence, pointer, data)
}

/// The new message of a call if it has no text, and none under a misspelled key.
fn without_text(message: &Map<String, Value>) -> Option<Diagnostic> {
    let is_meant = |key: &String| nearest(key, ["text"]).is_some();
    let says_nothing =
        message.get("text").is_none_or(Value::is_null) && !message.keys().any(is_meant);
    says_nothing.then(|| {
        Diagnostic::new(
            codes::NO_CONTENT,
            Severity::Warning,
            "the message has no text, and none is sent".to_owned(),
            "/message",
            DiagnosticData::none(),
        )
    })
}

/// The keys that nothing reads in a part of a call, such as `assistant`.
pub fn of_part<'a>(
    name: &'a str,
    part: &'a Map<String, Value>,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let schema = &SCHEMA["properties"][name];
    let unknown = unlisted_keys(schema, &Value::Object(part.clone()));
    unknown.into_iter().map(move |unknown| {
        let pointer = format!("/{name}{}", unknown.pointer);
        let sentence = format!(
            "{name}: unknown key {:?}, which is ignored{}",
            abridged(&unknown.key),
            hint(unknown.nearest.as_deref())
        );
        of_key(
            sentence,
            pointer,
            DiagnosticData::of(DataKey::Object, name),
            &unknown.key,
            unknown.nearest.as_deref(),
        )
    })
}

/// The keys of a call document that its schema does not know.
#[must_use]
pub fn of_document(document: &Map<String, Value>) -> Vec<Diagnostic> {
    let found = unknown_keys(&SCHEMA, &Value::Object(document.clone())).into_iter();
    found
        .map(|unknown| {
            let data = DiagnosticData::of(DataKey::Key, unknown.key.as_str())
                .with_some(DataKey::Suggestion, unknown.nearest.as_deref())
                .with_some(DataKey::Expected, unknown.inner.as_deref());
            let (code, severity) = (registry::codes::UNKNOWN_KEY, Severity::Warning);
            Diagnostic::new(code, severity, unknown.message, unknown.pointer, data)
        })
        .collect()
}

/// Where a call document has what a diagnostic is about.
#[must_use]
pub fn position(found: &Diagnostic, places: &SourceMap) -> Option<Position> {
    let is_of_key = [codes::CALL_KEY, registry::codes::UNKNOWN_KEY].contains(&found.code);
    let key = is_of_key.then(|| places.find_key(&found.pointer));
    key.unwrap_or_else(|| places.find(&found.pointer))
}

fn in_messages(message: usize, rest: &str) -> String {
    format!("/messages/{message}{rest}")
}

fn of_message(fault: &MessageFault, pointer: impl Fn(usize, &str) -> String) -> Diagnostic {
    let sentence = fault.sentence();
    let data = DiagnosticData::of(DataKey::Turn, fault.message);
    let data = match fault.also.len() {
        0 => data,
        times => data.with(DataKey::Count, times),
    };
    let at = pointer(fault.message, &fault.pointer);
    let mut found = match &fault.fault {
        Fault::UnknownKey { key, nearest } => of_key(sentence, at, data, key, nearest.as_deref()),
        Fault::UnknownType { kind, nearest } => {
            let data = data
                .with(DataKey::Found, kind.as_str())
                .with(DataKey::Suggestion, nearest.as_str());
            Diagnostic::new(codes::UNKNOWN_TYPE, Severity::Warning, sentence, at, data)
        }
        Fault::NoContent => {
            Diagnostic::new(codes::NO_CONTENT, Severity::Warning, sentence, at, data)
        }
    };
    let also = fault.also.iter();
    found.also = also
        .map(|(message, rest)| pointer(*message, rest))
        .collect();
    found
}

/// A key like a known one is misspelled; any other may be a provider's.
pub(crate) fn of_key(
    sentence: String,
    pointer: String,
    data: DiagnosticData,
    key: &str,
    nearest: Option<&str>,
) -> Diagnostic {
    let severity = match nearest {
        Some(_) => Severity::Warning,
        None => Severity::Note,
    };
    let data = data
        .with(DataKey::Key, key)
        .with_some(DataKey::Suggestion, nearest);
    Diagnostic::new(codes::CALL_KEY, severity, sentence, pointer, data)
}

/// A name of a template that is probably misspelled; `at` points to the template.
pub(crate) fn of_template(found: &Misspelled, at: &str) -> Diagnostic {
    let code = match found.is_attribute {
        true => codes::UNKNOWN_ATTRIBUTE,
        false => codes::UNKNOWN_VARIABLE,
    };
    let data = DiagnosticData::of(DataKey::Name, found.name.as_str())
        .with(DataKey::Suggestion, found.nearest.as_str());
    Diagnostic::new(code, Severity::Warning, found.sentence(), at, data)
}
