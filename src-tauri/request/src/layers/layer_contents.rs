//! Counts the contents of a layer for a short display.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Session, Turn};

/// How much of one kind a layer or block contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ContentCount {
    /// Such as `roles`, `cached_turns`, `todos` or `signatures`.
    #[serde(rename = "what")]
    pub kind: &'static str,
    /// Never 0.
    pub count: usize,
}

/// The counts that are not 0.
pub fn non_zero(counts: impl IntoIterator<Item = (&'static str, usize)>) -> Vec<ContentCount> {
    counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| ContentCount { kind, count })
        .collect()
}

/// Contents of the static layer: the session's fixed fields, and the turns it includes.
pub(super) fn by_static(session: &Session, old: &[Turn]) -> Vec<ContentCount> {
    let fields = ["roles", "procedure", "constraints", "session_goal"];
    let mut counts = count_fields(&fields, &session.fixed);
    let turns = old.iter().filter(|turn| !turn.is_empty()).count();
    counts.push(("cached_turns", turns));
    non_zero(counts)
}

/// Contents of the dynamic layer.
pub(super) fn by_dynamic(session: &Session) -> Vec<ContentCount> {
    let fields = ["file_references", "artifacts", "todos"];
    let mut counts = count_fields(&fields, &session.volatile);
    counts.push(("current_datetime", usize::from(session.now.is_some())));
    non_zero(counts)
}

/// Contents of the buffered layer: its turns, and how many of them have a signature.
pub(super) fn by_buffered(contents: &[Value]) -> Vec<ContentCount> {
    let signed = contents
        .iter()
        .filter_map(|content| content.get("parts")?.as_array())
        .filter(|parts| {
            parts
                .iter()
                .any(|part| part.get("thoughtSignature").is_some())
        })
        .count();
    non_zero([("turns", contents.len()), ("signatures", signed)])
}

/// Contents of the trigger: an instruction or a tool response.
pub(super) fn by_trigger(session: &Session, trigger: Option<&Value>) -> Vec<ContentCount> {
    let asks = usize::from(trigger.is_some());
    let responds = trigger.is_some_and(|content| {
        content.pointer("/parts/0/functionResponse").is_some()
            && session.instruction.is_none()
            && session.instruction_parts.is_empty()
    });
    if responds {
        non_zero([("tool_response", asks)])
    } else {
        non_zero([("instruction", asks)])
    }
}

fn count_fields(fields: &[&'static str], from: &Map<String, Value>) -> Vec<(&'static str, usize)> {
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
