//! Keys of turns that nothing reads, and turns that say nothing: each is left out in silence where it is
//! read.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use promptdeck_json::{
    abridged,
    nearest::{hint, nearest},
    push_step,
};
use serde_json::{Map, Value};

use crate::{call_keys, codes};

/// How many different faults of one session are reported.
const MAX_FAULTS: usize = 20;

/// The keys of every turn.
const COMMON: [&str; 4] = ["type", "timestamp", "id", "metadata"];

/// The keys of a type of turn: those that say something, the first of which is the usual one, and the
/// others. A call and its response are sent whatever they say.
fn keys(kind: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match kind {
        "user_task" => (&["instruction", "parts"], &[]),
        "model_response" => (&["content", "raw_response"], &["thought"]),
        "function_calling" => (&[], &["response", "thought", "raw_response"]),
        "tool_response" => (&[], &["response", "name"]),
        "compressed_history" => (&["content"], &["original_turns_range"]),
        _ => return None,
    })
}

/// What is odd about the turns of a session; `at` is the pointer to the session.
pub fn lint(session: &Map<String, Value>, at: &str) -> Vec<Diagnostic> {
    let turns = session.get("turns").and_then(Value::as_array);
    let mut found: Vec<Diagnostic> = Vec::new();
    for (index, turn) in turns.into_iter().flatten().enumerate() {
        let (Some(members), Some(kind)) = (turn.as_object(), turn["type"].as_str()) else {
            continue;
        };
        if let Some(keys) = keys(kind) {
            for diagnostic in of_turn(index, kind, members, keys, at) {
                add(&mut found, diagnostic);
            }
        }
    }
    found
}

/// Adds a fault, or its place to the same one of an earlier turn.
fn add(found: &mut Vec<Diagnostic>, diagnostic: Diagnostic) {
    let names = |one: &Diagnostic| {
        let text = |key| one.data.text(key).map(str::to_owned);
        (one.code, text(DataKey::Object), text(DataKey::Key))
    };
    let same = |known: &Diagnostic| names(known) == names(&diagnostic);
    match found.iter().position(same) {
        Some(known) => found[known].also.push(diagnostic.pointer),
        None if found.len() < MAX_FAULTS => found.push(diagnostic),
        None => {}
    }
}

fn of_turn(
    index: usize,
    kind: &str,
    members: &Map<String, Value>,
    (content_keys, others): (&[&str], &[&str]),
    at: &str,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut is_meant = false;
    let which = format!("turn {} ({kind})", index + 1);
    let at = format!("{at}/turns/{index}");
    let data = || DiagnosticData::of(DataKey::Turn, index).with(DataKey::Object, kind);
    let known = [content_keys, others, &COMMON].concat();
    for key in members.keys().filter(|key| !known.contains(&key.as_str())) {
        let suggestion = nearest(key, known.iter().copied());
        is_meant |= suggestion.is_some_and(|suggestion| content_keys.contains(&suggestion));
        let sentence = format!(
            "{which}: unknown key {:?}{}",
            abridged(key),
            hint(suggestion)
        );
        let mut pointer = at.clone();
        push_step(&mut pointer, key);
        found.push(call_keys::of_key(
            sentence,
            pointer,
            data(),
            key,
            suggestion,
        ));
    }
    let has = |key: &&str| members.get(*key).is_some_and(|value| !value.is_null());
    if let Some(usual) = content_keys.first()
        && !is_meant
        && !content_keys.iter().any(has)
    {
        let sentence = format!("{which} says nothing and is left out: it has no {usual}");
        let severity = Severity::Warning;
        found.push(Diagnostic::new(
            codes::NO_CONTENT,
            severity,
            sentence,
            at,
            data(),
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(session: &Value, expected: &[&str]) {
        let found = lint(session.as_object().expect("an object"), "");
        let reported = found.iter().map(|found| match found.severity {
            Severity::Warning => found.message.clone(),
            _ => format!("note: {}", found.message),
        });
        assert_eq!(reported.collect::<Vec<_>>(), expected, "{session}");
    }

    #[test]
    fn misspelled_keys_are_named_and_turns_that_say_nothing() {
        check(
            &json!({"turns": [
                {"type": "user_task", "instruction": "Hi", "own": 1},
                {"type": "user_task", "instructon": "x"},
                {"type": "user_task", "content": "x"},
                {"type": "model_response", "thought": "x"},
                {"type": "user_task", "instructon": "y"},
            ]}),
            &[
                "note: turn 1 (user_task): unknown key \"own\"",
                "turn 2 (user_task): unknown key \"instructon\"; did you mean \"instruction\"?",
                "note: turn 3 (user_task): unknown key \"content\"",
                "turn 3 (user_task) says nothing and is left out: it has no instruction",
                "turn 4 (model_response) says nothing and is left out: it has no content",
            ],
        );
    }

    #[test]
    fn what_is_read_is_no_mistake() {
        check(
            &json!({"turns": [
                {"type": "user_task", "instruction": "", "timestamp": "x"},
                {"type": "user_task", "parts": [{"text": "x"}]},
                {"type": "model_response", "thought": "x", "raw_response": []},
                {"type": "function_calling"},
                {"type": "tool_response", "name": "f", "response": {"status": "ok"}},
                {"type": "compressed_history", "content": "x", "original_turns_range": [1, 8]},
                {"type": "of a later version", "x": 1},
            ], "todos": [{"titel": "printed as it is"}]}),
            &[],
        );
    }
}
