//! The stored form of a turn and its conversion for the page.

use std::collections::HashSet;

use promptdeck_core::run::{Attempt, RunError, RunResult, ToolCall};
use promptdeck_request::call::Call;
use promptdeck_store::turns::{Turn, TurnState as Stored};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::runs::record::Partial;
use crate::saturating::saturating_u32;
use crate::wire::{Failure, Part, TalkCall, TalkTurn, TurnState};
use crate::{ServiceError, diff};

/// What is stored of a turn beside its message. Rows from before a field existed lack it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnRecord {
    pub model: String,
    pub accepted: Option<bool>,
    pub reason: Option<String>,
    /// The text that the model wrote, where the output policy changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_policy: Option<String>,
    pub thinking: Option<String>,
    pub tokens: Option<u64>,
    pub total_ms: Option<f64>,
    pub attempts: u32,
    pub fault: Option<(String, String)>,
    /// Of a first turn: what came before it, if its call document got other messages since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<CallMessages>,
}

/// The messages of a call document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CallMessages {
    pub history: Vec<Value>,
    pub message: Option<Map<String, Value>>,
}

impl CallMessages {
    pub fn of(call: &Call) -> Self {
        Self {
            history: call.history.clone(),
            message: call.message.clone(),
        }
    }

    /// Puts these messages in the place of those of a call; false if it has them.
    pub fn replace_in(self, call: &mut Call) -> bool {
        let differs = call.history != self.history || call.message != self.message;
        call.history = self.history;
        call.message = self.message;
        differs
    }
}

/// What is stored of a turn beside its message.
pub fn outcome(stored: &Turn) -> Result<TurnRecord, ServiceError> {
    let outcome: Option<TurnRecord> = serde_json::from_str(&stored.outcome)?;
    Ok(outcome.unwrap_or_default())
}

/// The state, message and outcome of an answer that ended.
pub fn ended(
    result: &Result<RunResult, RunError>,
    model: &str,
    partial: Partial<'_>,
) -> (Stored, Value, TurnRecord) {
    let mut outcome = TurnRecord {
        model: model.to_owned(),
        ..TurnRecord::default()
    };
    match result {
        Ok(result) => {
            let last = result.attempts.last();
            let calls = last.map(calls_of).unwrap_or_default();
            let message = message(&result.text, &calls);
            outcome.attempts = saturating_u32(result.attempts.len());
            outcome.tokens = result.usage.completion_tokens;
            outcome.total_ms = result.timing.total_ms;
            let extracted = last.and_then(|last| last.extracted.as_ref());
            let written =
                last.map(|last| extracted.map_or(&last.raw, |extracted| &extracted.content));
            let changed = written.filter(|text| **text != result.text);
            outcome.before_policy = changed.cloned();
            outcome.thinking = extracted.and_then(|extracted| extracted.thinking.clone());
            outcome.accepted = Some(result.accepted);
            outcome.reason.clone_from(&result.reason);
            (Stored::Complete, message, outcome)
        }
        Err(error) => {
            let earlier = match error {
                RunError::Provider { attempts, .. } => attempts.as_slice(),
                _ => &[],
            };
            outcome.attempts = saturating_u32(earlier.len());
            // An attempt that the policy rejected is better than nothing.
            let mut message = match earlier.last() {
                Some(last) if partial.text.is_empty() && partial.calls.is_empty() => {
                    message(&last.cleaned, &[])
                }
                _ => message(partial.text, &whole(partial.calls)),
            };
            if error.code() == "cancelled" {
                return (Stored::Stopped, message, outcome);
            }
            // What a failed answer asks of tools is in its run; no result of it is waited for.
            if let Some(message) = message.as_object_mut() {
                message.remove("tool_calls");
            }
            outcome.fault = Some((error.code().to_owned(), error.to_string()));
            (Stored::Failed, message, outcome)
        }
    }
}

/// The tool calls of an attempt, from the server or found in its text.
fn calls_of(attempt: &Attempt) -> Vec<ToolCall> {
    let extracted = attempt
        .extracted
        .iter()
        .flat_map(|extracted| &extracted.tool_calls);
    let found = extracted.map(|call| ToolCall {
        id: String::new(),
        name: call.name.clone(),
        arguments: call.arguments.to_string(),
    });
    attempt.tool_calls.iter().cloned().chain(found).collect()
}

/// The calls whose arguments are complete: the others can neither be answered nor sent.
fn whole(calls: &[ToolCall]) -> Vec<ToolCall> {
    let is_whole = |call: &&ToolCall| serde_json::from_str::<Value>(&call.arguments).is_ok();
    calls.iter().filter(is_whole).cloned().collect()
}

/// The message of an answer that is on its way.
pub fn arrived(partial: Partial<'_>, turn: i64) -> Value {
    let mut message = message(partial.text, &whole(partial.calls));
    number_calls(&mut message, turn);
    message
}

/// The message of an assistant, in the format of OpenAI.
pub fn message(text: &str, calls: &[ToolCall]) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    message.insert("content".to_owned(), text.into());
    if !calls.is_empty() {
        let calls = calls.iter().map(|call| {
            json!({
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            })
        });
        message.insert("tool_calls".to_owned(), calls.collect());
    }
    Value::Object(message)
}

/// Gives each call without an id, or with that of a call before it, one that is unique in the
/// conversation: a result names its call by the id alone.
pub fn number_calls(message: &mut Value, turn: i64) {
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    let mut given = HashSet::new();
    for (number, call) in (1..).zip(calls.into_iter().flatten()) {
        let id = call["id"].as_str().unwrap_or_default();
        if id.is_empty() || given.contains(id) {
            call["id"] = format!("call_{turn}_{number}").into();
        }
        given.extend(call["id"].as_str().map(str::to_owned));
    }
}

/// A turn for the page. An answer that is neither complete nor in `live` was interrupted with the
/// program.
pub fn turn(stored: &Turn, live: &HashSet<i64>) -> Result<TalkTurn, ServiceError> {
    let message: Value = serde_json::from_str(&stored.message)?;
    let outcome = outcome(stored)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let is_live = stored.run.is_some_and(|run| live.contains(&run));
    Ok(TalkTurn {
        id: number(stored.id),
        parent: stored.parent.map(number),
        run: stored.run.map(number),
        at: stored.created_at.try_into().unwrap_or_default(),
        role: text(&message["role"]),
        changes: changes(&outcome, message["content"].as_str().unwrap_or_default()),
        content: text(&message["content"]),
        calls: calls
            .map(|call| TalkCall {
                id: text(&call["id"]),
                name: text(&call["function"]["name"]),
                arguments: text(&call["function"]["arguments"]),
            })
            .collect(),
        answers: message["tool_call_id"].as_str().map(str::to_owned),
        state: match stored.state {
            Stored::Streaming if is_live => TurnState::Streaming,
            Stored::Streaming => TurnState::Interrupted,
            Stored::Complete => TurnState::Complete,
            Stored::Stopped => TurnState::Stopped,
            Stored::Failed => TurnState::Failed,
        },
        model: outcome.model,
        accepted: outcome.accepted,
        reason: outcome.reason,
        thinking: outcome.thinking,
        tokens: outcome.tokens.map(saturating_u32),
        total_ms: outcome.total_ms,
        attempts: outcome.attempts,
        fault: outcome
            .fault
            .map(|(code, message)| Failure::new(&code, message)),
    })
}

/// What the output policy changed, from the text of the model to that of the message.
fn changes(outcome: &TurnRecord, content: &str) -> Vec<Part> {
    let before = outcome.before_policy.as_deref();
    before.map_or_else(Vec::new, |before| diff::text::words(before, content))
}

/// The id of a row for the page.
pub fn number(id: i64) -> u32 {
    saturating_u32(id)
}
