//! A branch of a conversation and the call that it makes: the call document's messages followed by
//! the turns from the first to the last of the branch.

use promptdeck_request::call::Call;
use promptdeck_store::turns::{Turn, TurnState};
use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::saturating::saturating_u32;

/// Maximum number of tool rounds after a message of the user.
pub const MOST_ROUNDS: u32 = 8;

/// The turns of a tree from the first to `leaf`.
///
/// # Errors
/// [`ServiceError::Talk`] if the tree has no such turn, or a turn before it was lost.
pub fn path(turns: &[Turn], leaf: Option<u32>) -> Result<Vec<&Turn>, ServiceError> {
    let mut path = Vec::new();
    let mut next = leaf.map(i64::from);
    while let Some(id) = next {
        let found = turns.binary_search_by_key(&id, |turn| turn.id);
        let turn = found.map(|at| &turns[at]).map_err(|_| {
            ServiceError::Talk(format!(
                "turn {id} is not in this conversation; open it again"
            ))
        })?;
        // A parent is older than its turn, so a damaged tree cannot lead in a circle.
        next = turn.parent.filter(|parent| *parent < id);
        path.push(turn);
    }
    path.reverse();
    Ok(path)
}

/// The messages of a branch. An answer of which nothing arrived is no message.
pub fn messages(path: &[&Turn]) -> Result<Vec<Value>, ServiceError> {
    let mut messages = Vec::with_capacity(path.len());
    for turn in path {
        let message: Value = serde_json::from_str(&turn.message)?;
        let is_empty = message["content"] == "" && message.get("tool_calls").is_none();
        if !(is_empty && message["role"] == "assistant") {
            messages.push(message);
        }
    }
    Ok(messages)
}

/// The call with the messages of a branch after its own. The last message of the user is the
/// call's new message, as in a call document.
pub fn with_messages(call: &Call, messages: Vec<Value>) -> Call {
    let mut call = call.clone();
    if messages.is_empty() {
        return call;
    }
    if let Some(text) = call.message_text().cloned() {
        let mut message = Map::new();
        message.insert("role".to_owned(), "user".into());
        message.insert("content".to_owned(), text);
        let given = call.message.take().unwrap_or_default();
        if let Some(language) = given.get("language") {
            message.insert("language".to_owned(), language.clone());
        }
        call.history.push(Value::Object(message));
    }
    call.message = None;
    call.history.extend(messages);
    if let Some(last) = call.history.pop() {
        if last["role"] == "user" && last["content"].is_string() {
            let text = json!({"text": last["content"]});
            call.message = text.as_object().cloned();
        } else {
            call.history.push(last);
        }
    }
    call
}

/// Number of tool rounds since the last message of another role.
pub fn rounds(path: &[&Turn]) -> u32 {
    let since = path
        .iter()
        .rev()
        .take_while(|turn| matches!(role(turn).as_str(), "assistant" | "tool"));
    let rounds = since.filter(|turn| !calls(turn).is_empty()).count();
    saturating_u32(rounds)
}

/// The role of a turn.
pub fn role(turn: &Turn) -> String {
    let message: Value = serde_json::from_str(&turn.message).unwrap_or_default();
    message["role"].as_str().unwrap_or_default().to_owned()
}

/// The ids of a turn's tool calls.
pub fn calls(turn: &Turn) -> Vec<String> {
    let message: Value = serde_json::from_str(&turn.message).unwrap_or_default();
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    calls
        .map(|call| call["id"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Whether an answer is still arriving.
pub fn is_open(turn: &Turn) -> bool {
    turn.state == TurnState::Streaming
}
