//! The stored form of a run and its conversion for the page.

use std::collections::HashSet;

use promptdeck_chat::extract::{Channel, Extracted, FoundCall};
use promptdeck_core::hydrate::Hydration;
use promptdeck_core::run::{Attempt, RetriedError, RunError, RunResult, Timing, ToolCall, Usage};
use promptdeck_store::runs::{Run, RunStatus as StoredStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::saturating::saturating_u32;
use crate::wire::{
    Failure, Part, PartKind, RunAttempt, RunCall, RunChannel, RunDetail, RunExtracted, RunRetry,
    RunStatus, RunSummary, ValueLabel,
};
use crate::{ServiceError, diff::text};

/// Maximum length of the text in a line of the history, in characters.
const BEGINNING: usize = 600;

/// The stored result of a run. Rows from before a field existed lack it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RunRecord {
    text: String,
    reason: Option<String>,
    prompt: String,
    evaluation: Value,
    glance: String,
    glance_detail: String,
    attempts: Vec<RecordedAttempt>,
    error: Option<RecordedFields>,
    overcome: Vec<RetriedError>,
    partial: String,
    partial_calls: Vec<ToolCall>,
}

/// The stored form of an attempt.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RecordedAttempt {
    raw: String,
    extracted: Option<Extracted>,
    tool_calls: Vec<ToolCall>,
    cleaned: String,
    accepted: bool,
    reason: Option<String>,
    usage: Usage,
    timing: Timing,
    finish: Option<String>,
    overcome: Vec<RetriedError>,
}

#[derive(Debug, Deserialize)]
struct RecordedFields {
    code: String,
    message: String,
}

/// What arrived of an attempt that was not judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partial<'a> {
    pub text: &'a str,
    pub calls: &'a [ToolCall],
}

/// How a run ended and everything that is kept of it.
pub(super) fn outcome(
    result: &Result<RunResult, RunError>,
    (prompt, hydration): (&str, Option<&Hydration>),
    glance: &ValueLabel,
    partial: Partial<'_>,
) -> Result<(StoredStatus, String), ServiceError> {
    let (status, mut outcome) = match result {
        Ok(result) if result.accepted => (StoredStatus::Accepted, serde_json::to_value(result)?),
        Ok(result) => (StoredStatus::Rejected, serde_json::to_value(result)?),
        Err(error) => {
            let (attempts, overcome): (&[Attempt], &[RetriedError]) = match error {
                RunError::Provider {
                    attempts, error, ..
                } => (attempts, &error.overcome),
                _ => (&[], &[]),
            };
            let status = if error.code() == "cancelled" {
                StoredStatus::Stopped
            } else {
                StoredStatus::Failed
            };
            let outcome = json!({
                "error": {"code": error.code(), "message": error.to_string()},
                "attempts": attempts,
                "overcome": overcome,
                "partial": partial.text,
                "partial_calls": partial.calls,
                "prompt": prompt,
                "evaluation": hydration.map(|hydration| &hydration.evaluation),
            });
            (status, outcome)
        }
    };
    outcome["glance"] = glance.text.as_str().into();
    outcome["glance_detail"] = glance.detail.as_str().into();
    Ok((status, outcome.to_string()))
}

/// What is kept of a run that is still on its way.
pub(super) fn unfinished(
    attempts: &[Attempt],
    prompt: &str,
    glance: &ValueLabel,
    partial: Partial<'_>,
) -> String {
    let outcome = json!({
        "attempts": attempts,
        "partial": partial.text,
        "partial_calls": partial.calls,
        "prompt": prompt,
        "glance": glance.text,
        "glance_detail": glance.detail,
    });
    outcome.to_string()
}

/// A run as one line. A run without a result that is not in `live` was interrupted with the
/// program.
pub(super) fn summary(run: &Run, live: &HashSet<i64>) -> Result<RunSummary, ServiceError> {
    let request: Value = serde_json::from_str(&run.request)?;
    Ok(summary_of(run, live, &request, &read(run)?))
}

/// A run with all details.
pub(super) fn detail(run: &Run, live: &HashSet<i64>) -> Result<RunDetail, ServiceError> {
    let mut request: Value = serde_json::from_str(&run.request)?;
    let outcome = read(run)?;
    Ok(RunDetail {
        run: summary_of(run, live, &request, &outcome),
        attempts: outcome.attempts.iter().map(attempt).collect(),
        address: request["address"].as_str().map(str::to_owned),
        body: request["body"].take(),
        partial: outcome.partial,
        partial_calls: outcome.partial_calls.iter().map(call_view).collect(),
        overcome: retries(&outcome.overcome),
        prompt: outcome.prompt,
        evaluation: outcome.evaluation,
    })
}

/// What the output policy was applied to in an attempt, counted from 0, or in the last one: the
/// answer, or the final channel of it.
pub(crate) fn judged_text(run: &Run, attempt: Option<u32>) -> Result<Option<String>, ServiceError> {
    let mut attempts = read(run)?.attempts;
    let last = attempts.len().checked_sub(1);
    let index = attempt.map_or(last, |attempt| Some(attempt as usize));
    let found = index.filter(|index| *index < attempts.len());
    Ok(found.map(|index| {
        let attempt = attempts.swap_remove(index);
        let content = attempt.extracted.map(|extracted| extracted.content);
        content.unwrap_or(attempt.raw)
    }))
}

/// An attempt as the page shows it during the run.
pub(super) fn attempt_view(finished: &Attempt) -> RunAttempt {
    attempt(&RecordedAttempt {
        raw: finished.raw.clone(),
        extracted: finished.extracted.clone(),
        tool_calls: finished.tool_calls.clone(),
        cleaned: finished.cleaned.clone(),
        accepted: finished.accepted,
        reason: finished.reason.clone(),
        usage: finished.usage,
        timing: finished.timing,
        finish: finished.finish.clone(),
        overcome: finished.overcome.clone(),
    })
}

fn read(run: &Run) -> Result<RunRecord, ServiceError> {
    let outcome: Option<RunRecord> = serde_json::from_str(&run.outcome)?;
    Ok(outcome.unwrap_or_default())
}

fn summary_of(run: &Run, live: &HashSet<i64>, request: &Value, outcome: &RunRecord) -> RunSummary {
    let model = request["model"]
        .as_str()
        .or_else(|| request["body"]["model"].as_str());
    let last = outcome.attempts.last();
    let ended = outcome.error.is_none() && run.status != StoredStatus::Running;
    let text = match ended {
        true => &outcome.text,
        false if outcome.partial.is_empty() => last.map_or("", |last| &last.cleaned),
        false => &outcome.partial,
    };
    let calls = last.filter(|_| text.trim().is_empty()).map(calls_line);
    let text = match &calls {
        Some(calls) if !calls.is_empty() => calls,
        _ => text,
    };
    let tokens = |attempt: &RecordedAttempt| attempt.usage.completion_tokens;
    let times = |attempt: &RecordedAttempt| attempt.timing.total_ms;
    RunSummary {
        id: number(run.id),
        target: run.target.clone(),
        model: model.unwrap_or_default().to_owned(),
        route: run.route.clone(),
        seed: run.seed,
        glance: match outcome.glance_detail.as_str() {
            "" => ValueLabel::plain(outcome.glance.clone()),
            detail => ValueLabel {
                text: outcome.glance.clone(),
                detail: detail.to_owned(),
            },
        },
        started_at: run.started_at.try_into().unwrap_or_default(),
        status: match run.status {
            StoredStatus::Running if live.contains(&run.id) => RunStatus::Running,
            StoredStatus::Running => RunStatus::Interrupted,
            StoredStatus::Accepted => RunStatus::Accepted,
            StoredStatus::Rejected => RunStatus::Rejected,
            StoredStatus::Failed => RunStatus::Failed,
            StoredStatus::Stopped => RunStatus::Stopped,
        },
        text: text.chars().take(BEGINNING).collect(),
        reason: outcome.reason.clone(),
        fault: outcome
            .error
            .as_ref()
            .map(|error| Failure::new(&error.code, &error.message)),
        tokens: count(
            outcome
                .attempts
                .iter()
                .filter_map(tokens)
                .reduce(u64::saturating_add),
        ),
        attempts: saturating_u32(outcome.attempts.len()),
        total_ms: outcome
            .attempts
            .iter()
            .filter_map(times)
            .reduce(|sum, ms| sum + ms),
    }
}

fn attempt(recorded: &RecordedAttempt) -> RunAttempt {
    RunAttempt {
        changes: changes(recorded),
        extracted: beside_text(recorded),
        accepted: recorded.accepted,
        reason: recorded.reason.clone(),
        prompt_tokens: count(recorded.usage.prompt_tokens),
        completion_tokens: count(recorded.usage.completion_tokens),
        cached_tokens: count(recorded.usage.cached_tokens),
        total_ms: recorded.timing.total_ms,
        first_delta_ms: recorded.timing.first_delta_ms,
        tokens_per_second: recorded.timing.tokens_per_second(&recorded.usage),
        finish: recorded.finish.clone(),
        overcome: retries(&recorded.overcome),
    }
}

/// From the text as it came to the text as the policy left it. What is around the final channel is
/// taken off as a whole: compared with it, no word of the text itself would be called the same.
fn changes(recorded: &RecordedAttempt) -> Vec<Part> {
    let content = recorded
        .extracted
        .as_ref()
        .map(|extracted| extracted.content.as_str());
    let content_range = content.and_then(|content| Some((content, recorded.raw.rfind(content)?)));
    let Some((content, at)) = content_range else {
        return text::words(&recorded.raw, &recorded.cleaned);
    };
    let removed = |text: &str| Part {
        kind: PartKind::Removed,
        text: text.to_owned(),
        section: None,
    };
    let mut parts = vec![removed(&recorded.raw[..at])];
    parts.extend(text::words(content, &recorded.cleaned));
    parts.push(removed(&recorded.raw[at + content.len()..]));
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// The parts of an answer displayed beside its text.
fn beside_text(recorded: &RecordedAttempt) -> Option<RunExtracted> {
    let extracted_parts = recorded.extracted.as_ref();
    let beside_content = extracted_parts.filter(|extracted_parts| extracted_parts.tells_more());
    let calls = calls(recorded);
    (beside_content.is_some() || !calls.is_empty()).then(|| RunExtracted {
        channels: beside_content
            .map(|extracted| extracted.channels.iter().map(channel).collect())
            .unwrap_or_default(),
        thinking: beside_content.and_then(|extracted| extracted.thinking.clone()),
        calls,
    })
}

/// The tool calls of an attempt, from the server or found in its text.
fn calls(recorded: &RecordedAttempt) -> Vec<RunCall> {
    let separate = recorded.tool_calls.iter().map(call_view);
    let found = recorded
        .extracted
        .iter()
        .flat_map(|extracted| &extracted.tool_calls);
    separate.chain(found.map(found_call)).collect()
}

/// A tool call for the page.
pub(super) fn call_view(call: &ToolCall) -> RunCall {
    RunCall {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    }
}

/// The calls of an attempt in a line, for an answer without text.
fn calls_line(recorded: &RecordedAttempt) -> String {
    let calls = calls(recorded);
    let written = calls
        .iter()
        .map(|call| format!("{}({})", call.name, call.arguments));
    written.collect::<Vec<_>>().join(", ")
}

fn channel(channel: &Channel) -> RunChannel {
    RunChannel {
        name: channel.name.clone(),
        recipient: channel.recipient.clone(),
    }
}

fn found_call(found: &FoundCall) -> RunCall {
    RunCall {
        name: found.name.clone(),
        arguments: found.arguments.to_string(),
    }
}

fn retries(overcome: &[RetriedError]) -> Vec<RunRetry> {
    overcome.iter().map(retry_view).collect()
}

/// A retried error as the page shows it.
pub(super) fn retry_view(error: &RetriedError) -> RunRetry {
    RunRetry {
        code: error.code.clone(),
        message: error.message.clone(),
    }
}

fn count(tokens: Option<u64>) -> Option<u32> {
    tokens.map(saturating_u32)
}

/// The run's id for the page.
pub(super) fn number(id: i64) -> u32 {
    saturating_u32(id)
}
