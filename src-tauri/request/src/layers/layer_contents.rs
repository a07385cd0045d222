//! What a layer is made of, counted, for whoever shows it in a few words.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Session, Turn};

/// One kind of thing a layer or block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Held {
    /// What it is: `roles`, `cached_turns`, `todos`, `signatures`, ...
    pub what: &'static str,
    /// How many of it; never 0.
    pub count: usize,
}

/// Those of which there are any.
pub fn some(counts: impl IntoIterator<Item = (&'static str, usize)>) -> Vec<Held> {
    counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(what, count)| Held { what, count })
        .collect()
}

/// What the static layer holds: the session's fixed fields, and turns that are told.
pub(super) fn by_static(session: &Session, old: &[Turn]) -> Vec<Held> {
    let fields = ["roles", "procedure", "constraints", "session_goal"];
    let mut counts = counted(&fields, &session.fixed);
    let told = old.iter().filter(|turn| !turn.is_empty()).count();
    counts.push(("cached_turns", told));
    some(counts)
}

/// What the dynamic layer holds.
pub(super) fn by_dynamic(session: &Session) -> Vec<Held> {
    let fields = ["file_references", "artifacts", "todos"];
    let mut counts = counted(&fields, &session.volatile);
    counts.push(("current_datetime", usize::from(session.now.is_some())));
    some(counts)
}

/// What the buffered layer holds: its contents, and how many of the model's carry a signature.
pub(super) fn by_buffered(contents: &[Value]) -> Vec<Held> {
    let signed = contents
        .iter()
        .filter_map(|content| content.get("parts")?.as_array())
        .filter(|parts| {
            parts
                .iter()
                .any(|part| part.get("thoughtSignature").is_some())
        })
        .count();
    some([("turns", contents.len()), ("signatures", signed)])
}

/// What the trigger is.
pub(super) fn by_trigger(session: &Session, trigger: Option<&Value>) -> Vec<Held> {
    let asks = usize::from(trigger.is_some());
    let responds = trigger.is_some_and(|content| {
        content.pointer("/parts/0/functionResponse").is_some() && session.instruction.is_none()
    });
    if responds {
        some([("tool_response", asks)])
    } else {
        some([("instruction", asks)])
    }
}

fn counted(fields: &[&'static str], from: &Map<String, Value>) -> Vec<(&'static str, usize)> {
    let size = |value: &Value| match value {
        Value::Array(list) => list.len(),
        Value::Null => 0,
        _ => 1,
    };
    fields
        .iter()
        .map(|&field| (field, from.get(field).map_or(0, size)))
        .collect()
}
