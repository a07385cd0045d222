//! The stages, their order, and what the two paths keep.

use std::{cell::Cell, time::Duration};

use promptdeck_chat::timestamp::Moment;
use serde_json::{Value, json};

use super::{Prepared, REQUEST_STAGES, Stage, StageClock, StageError, request, tool_follow_up};
use crate::call::Call;

/// A clock that advances by a millisecond at each reading.
struct Ticking(Cell<u64>);

impl StageClock for Ticking {
    fn elapsed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_millis(self.0.get())
    }
}

fn call(document: &Value) -> Call {
    Call::from_map(document.as_object().expect("an object")).expect("a call")
}

fn now() -> Moment {
    Moment::parse("2026-01-15T10:30:00Z").expect("a moment")
}

fn requested(document: &Value) -> Result<Prepared, Box<StageError>> {
    request(&call(document), now(), &Ticking(Cell::new(0)))
}

fn followed(document: &Value, turn: &[Value]) -> Result<Prepared, Box<StageError>> {
    tool_follow_up(&call(document), turn, now(), &Ticking(Cell::new(0)))
}

#[test]
fn request_pipeline_default_stages() {
    let names = REQUEST_STAGES.map(Stage::name);
    assert_eq!(
        names,
        [
            "build_user_message",
            "snapshot_history",
            "validate_history",
            "prepare_prompt_arguments"
        ]
    );
    let prepared = requested(&json!({"message": {"text": "hi"}})).expect("prepared");
    assert_eq!(
        prepared
            .trace
            .iter()
            .map(|entry| entry.stage)
            .collect::<Vec<_>>(),
        REQUEST_STAGES
    );
}

#[test]
fn the_trace_has_durations_and_added_arguments() {
    let prepared =
        requested(&json!({"message": {"text": "hi"}, "args": {"a": 1}})).expect("prepared");
    let entries: Vec<_> = prepared
        .trace
        .iter()
        .map(|entry| (entry.micros, entry.added.as_str()))
        .collect();
    assert_eq!(
        entries,
        [
            (1000, "the new message"),
            (1000, "1 messages"),
            (1000, "all rules met"),
            (1000, "system, assistant, conversation, message, a, args"),
        ]
    );
}

#[test]
fn the_new_message_follows_the_history() {
    let prepared = requested(&json!({
        "history": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        "message": {"text": "c", "language": "fr"}
    }))
    .expect("prepared");
    assert_eq!(
        prepared.messages[2],
        json!({"role": "user", "content": "c"})
    );
    assert_eq!(
        prepared.arguments.context["message"],
        json!({"text": "c", "language": "fr"})
    );
}

#[test]
fn a_broken_history_fails_in_its_stage() {
    let error = requested(&json!({
        "history": [{"role": "assistant", "tool_calls": [{"id": "t1"}]}],
        "message": {"text": "c"}
    }))
    .expect_err("refused");
    assert_eq!(
        (error.stage, error.code()),
        (Stage::ValidateHistory, "invalid_history")
    );
    assert_eq!(
        error.to_string(),
        "message 1: no result follows tool call \"t1\"; add a tool message for each, directly after"
    );
    assert_eq!(error.trace.len(), 2);
}

#[test]
fn bad_arguments_fail_in_their_stage() {
    let error = requested(&json!({"assistant": {"name": []}})).expect_err("refused");
    assert_eq!(
        (error.stage, error.code()),
        (Stage::PreparePromptArguments, "wrong_type")
    );
}

#[test]
fn a_message_after_tool_responses_is_refused_before_it_is_sent() {
    let error = requested(&json!({
        "history": [{"role": "assistant", "tool_calls": [{"id": "t1"}]}, {"role": "tool", "tool_call_id": "t1", "content": ""}],
        "message": {"text": "c"}
    })).expect_err("refused");
    assert_eq!(error.stage, Stage::ValidateHistory);
}

#[test]
fn prepare_prompt_arguments_for_response_uses_latest_user_and_client_language() {
    let prepared = requested(&json!({
        "history": [{"role": "user", "content": "first"}, {"role": "assistant", "content": "ok"}, {"role": "user", "content": [{"type": "text", "text": "sec"}, {"type": "text", "text": "ond"}]}],
        "metadata": {"client.language": "es"}
    })).expect("prepared");
    assert_eq!(
        prepared.arguments.context["message"],
        json!({"text": "second", "language": "es"})
    );
}

#[test]
fn prepare_prompt_arguments_for_response_prefers_latest_history_language() {
    let prepared = requested(&json!({
        "history": [{"role": "user", "content": "first", "language": "de"}, {"role": "user", "content": "second", "language": "fr"}],
        "metadata": {"client.language": "es"}
    })).expect("prepared");
    assert_eq!(
        prepared.arguments.context["message"],
        json!({"text": "second", "language": "fr"})
    );
}

#[test]
fn handle_response_tool_follow_up_retains_user_message_context() {
    let document = json!({
        "history": [{"role": "user", "content": "old"}, {"role": "assistant", "content": "done"}],
        "message": {"text": "what is the weather", "language": "it"},
        "args": {"city": "Rome"}
    });
    let first = requested(&document).expect("prepared");
    let turn = [
        json!({"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "function": {"name": "weather", "arguments": "{}"}}]}),
        json!({"role": "tool", "tool_call_id": "t1", "content": "sunny"}),
    ];
    let second = followed(&document, &turn).expect("prepared");
    assert_eq!(
        second.arguments.context["message"],
        first.arguments.context["message"]
    );
    assert_eq!(second.arguments.context["city"], json!("Rome"));
    assert_eq!(second.messages.len(), 5);
    assert_eq!(second.messages[..3], first.messages[..]);

    let waiting = followed(&document, &turn[..1]).expect("the responses are about to be added");
    assert_eq!(waiting.messages.len(), 4);
    let wrong = [
        turn[0].clone(),
        json!({"role": "tool", "tool_call_id": "t2"}),
    ];
    assert_eq!(
        followed(&document, &wrong).expect_err("refused").stage,
        Stage::ValidateHistory
    );
}
