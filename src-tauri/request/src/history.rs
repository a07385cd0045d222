//! The rules a conversation must keep before it is sent: every tool call answered at once, by
//! exactly its own responses, and an assistant speaking next. Reports violations; changes nothing.

use serde::Serialize;
use serde_json::Value;

use promptdeck_chat::message::{ROLES, unknown_role};

/// A rule of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// An assistant message with tool calls is followed at once by their responses.
    ToolCallUnanswered,
    /// The ids of the responses are exactly the ids of the calls.
    ToolIdMismatch,
    /// No response without a call before it.
    OrphanToolResponse,
    /// After responses the assistant speaks, if anybody does.
    AssistantMustFollow,
}

impl Rule {
    /// The stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::ToolCallUnanswered => "tool_call_unanswered",
            Self::ToolIdMismatch => "tool_id_mismatch",
            Self::OrphanToolResponse => "orphan_tool_response",
            Self::AssistantMustFollow => "assistant_must_follow",
        }
    }
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// The message it is broken at, counted from 0.
    pub index: usize,
    /// The tool call ids involved.
    pub ids: Vec<String>,
    /// One line that names the message and the ids.
    pub message: String,
}

/// Messages that can't be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// A message is no object.
    #[error("message {}: expected an object with a role", .index + 1)]
    NotAMessage {
        /// The message, counted from 0.
        index: usize,
    },
    /// A role that no provider knows.
    #[error("message {}: {}", .index + 1, unknown_role(role))]
    UnknownRole {
        /// The message, counted from 0.
        index: usize,
        /// Its role.
        role: String,
    },
    /// `tool_calls` is no list of objects.
    #[error("message {}: tool_calls must be a list of objects", .index + 1)]
    BadToolCalls {
        /// The message, counted from 0.
        index: usize,
    },
}

impl HistoryError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAMessage { .. } => "not_a_message",
            Self::UnknownRole { .. } => "unknown_role",
            Self::BadToolCalls { .. } => "bad_tool_calls",
        }
    }

    /// The message it is about, counted from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        match self {
            Self::NotAMessage { index }
            | Self::UnknownRole { index, .. }
            | Self::BadToolCalls { index } => *index,
        }
    }
}

/// What the rules look at in a message.
enum Turn<'a> {
    Assistant(Vec<&'a str>),
    Response(&'a str),
    Other(&'a str),
}

/// Checks messages in `OpenAI`'s format; an empty result means that no rule is violated.
///
/// With `follow_up` the history may end in tool calls, whose responses are about to be added.
///
/// # Errors
/// [`HistoryError`] if a message does not have the format.
pub fn validate(messages: &[Value], follow_up: bool) -> Result<Vec<Violation>, HistoryError> {
    let turns = messages
        .iter()
        .enumerate()
        .map(|(index, message)| turn(index, message))
        .collect::<Result<Vec<_>, _>>()?;
    let mut violations = Vec::new();
    let mut calls: Option<(usize, &[&str])> = None;
    let mut index = 0;
    while let Some(turn) = turns.get(index) {
        match turn {
            Turn::Assistant(ids) => {
                calls = (!ids.is_empty()).then_some((index, ids.as_slice()));
                let next = turns.get(index + 1);
                let about_to_be_answered = next.is_none() && follow_up;
                if calls.is_some()
                    && !matches!(next, Some(Turn::Response(_)))
                    && !about_to_be_answered
                {
                    violations.push(unanswered(index, ids));
                }
                index += 1;
            }
            Turn::Other(_) => {
                calls = None;
                index += 1;
            }
            Turn::Response(_) => {
                let responses: Vec<&str> = turns[index..]
                    .iter()
                    .map_while(|turn| match turn {
                        Turn::Response(id) => Some(*id),
                        _ => None,
                    })
                    .collect();
                match calls.take() {
                    Some((caller, ids)) => {
                        match_ids(caller, ids, index, &responses, &mut violations);
                    }
                    None => violations.extend(
                        (index..)
                            .zip(&responses)
                            .map(|(index, id)| orphan(index, id)),
                    ),
                }
                index += responses.len();
                if let Some(Turn::Other(role)) = turns.get(index) {
                    violations.push(must_follow(index, role, &responses));
                }
            }
        }
    }
    violations.sort_by_key(|violation| (violation.index, violation.rule));
    Ok(violations)
}

fn turn(index: usize, message: &Value) -> Result<Turn<'_>, HistoryError> {
    let role = message
        .get("role")
        .and_then(Value::as_str)
        .ok_or(HistoryError::NotAMessage { index })?;
    Ok(match role {
        "assistant" => Turn::Assistant(match message.get("tool_calls") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(calls)) => calls
                .iter()
                .map(|call| call.is_object().then(|| text(call, "id")))
                .collect::<Option<_>>()
                .ok_or(HistoryError::BadToolCalls { index })?,
            Some(_) => return Err(HistoryError::BadToolCalls { index }),
        }),
        "tool" => Turn::Response(text(message, "tool_call_id")),
        other if ROLES.contains(&other) => Turn::Other(other),
        other => {
            return Err(HistoryError::UnknownRole {
                index,
                role: other.to_owned(),
            });
        }
    })
}

fn text<'a>(message: &'a Value, key: &str) -> &'a str {
    message.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn match_ids(
    caller: usize,
    calls: &[&str],
    first: usize,
    responses: &[&str],
    violations: &mut Vec<Violation>,
) {
    let mut open: Vec<&str> = calls.to_vec();
    for (index, id) in (first..).zip(responses) {
        if let Some(at) = open.iter().position(|call| call == id && !id.is_empty()) {
            open.remove(at);
            continue;
        }
        let message = if id.is_empty() {
            "the tool response has no tool_call_id".to_owned()
        } else if calls.contains(id) {
            format!(
                "tool call {id:?} of message {} is answered twice",
                caller + 1
            )
        } else {
            format!(
                "no tool call of message {} has the id {id:?}; it calls {}",
                caller + 1,
                listed(calls)
            )
        };
        violations.push(violation(Rule::ToolIdMismatch, index, &[*id], &message));
    }
    if !open.is_empty() {
        let message = format!(
            "no response to tool call {}; add one before anything else is said",
            listed(&open)
        );
        violations.push(violation(Rule::ToolIdMismatch, caller, &open, &message));
    }
}

fn unanswered(index: usize, ids: &[&str]) -> Violation {
    let message = format!(
        "no result follows tool call {}; add a tool message for each, directly after",
        listed(ids)
    );
    violation(Rule::ToolCallUnanswered, index, ids, &message)
}

fn orphan(index: usize, id: &str) -> Violation {
    let message = format!("the tool response {id:?} has no tool call right before it");
    violation(Rule::OrphanToolResponse, index, &[id], &message)
}

fn must_follow(index: usize, role: &str, ids: &[&str]) -> Violation {
    let message = format!(
        "after tool response {} the assistant must speak, not the role {role:?}",
        listed(ids)
    );
    violation(Rule::AssistantMustFollow, index, ids, &message)
}

fn violation(rule: Rule, index: usize, ids: &[&str], message: &str) -> Violation {
    Violation {
        rule,
        index,
        ids: ids.iter().map(|&id| id.to_owned()).collect(),
        message: format!("message {}: {message}", index + 1),
    }
}

fn listed(ids: &[&str]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("{id:?}")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests;
