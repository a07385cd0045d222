//! The stages between a call document and a request: public, in one order, each timed and traced,
//! each failing under its own name. Two paths use them: the user's message going out, and a tool's
//! responses going back.

use std::time::Duration;

use promptdeck_chat::timestamp::Moment;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    arguments::{self, ArgumentError, Arguments, Sources},
    call::Call,
    history::{self, HistoryError, Violation},
    language::language,
};

/// A step of the way to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The message the call is about, with its language.
    BuildUserMessage,
    /// The messages to send, at the current stage.
    SnapshotHistory,
    /// The rules of a history.
    ValidateHistory,
    /// The context of the templates.
    PreparePromptArguments,
}

/// The stages of a request, in their order.
pub const REQUEST_STAGES: [Stage; 4] = [
    Stage::BuildUserMessage,
    Stage::SnapshotHistory,
    Stage::ValidateHistory,
    Stage::PreparePromptArguments,
];

impl Stage {
    /// Its public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BuildUserMessage => "build_user_message",
            Self::SnapshotHistory => "snapshot_history",
            Self::ValidateHistory => "validate_history",
            Self::PreparePromptArguments => "prepare_prompt_arguments",
        }
    }
}

/// A clock that times stages.
pub trait StageClock {
    /// Time since any fixed moment.
    fn elapsed(&self) -> Duration;
}

/// One stage that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TraceEntry {
    /// Which.
    pub stage: Stage,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// What it added.
    pub added: String,
}

/// What the stages have made so far; the first takes it, each gives it on.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow<'a> {
    call: &'a Call,
    now: Moment,
    /// Responses of tools that are sent back; none for a user's message.
    responses: &'a [Value],
    follow_up: bool,
    /// The user message the call is about: text, and language when known.
    pub user_message: Map<String, Value>,
    /// The messages that are sent.
    pub messages: Vec<Value>,
    /// The context of the templates.
    pub arguments: Option<Arguments>,
    /// The stages that ran.
    pub trace: Vec<TraceEntry>,
}

/// A stage that failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{fault}")]
pub struct StageError {
    /// Which.
    pub stage: Stage,
    /// Why.
    pub fault: StageFault,
    /// The stages that ran before it.
    pub trace: Vec<TraceEntry>,
}

/// Why a stage failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StageFault {
    /// The history breaks rules.
    #[error("{}", broken(.0))]
    Rules(Vec<Violation>),
    /// The history can't be judged.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The arguments can't be built.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
}

impl StageError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl StageFault {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rules(_) => "invalid_history",
            Self::History(error) => error.code(),
            Self::Arguments(error) => error.code(),
        }
    }
}

fn broken(violations: &[Violation]) -> String {
    let messages: Vec<&str> = violations.iter().map(|v| v.message.as_str()).collect();
    messages.join("; ")
}

/// What a call has become when every stage has run.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// The user message the call is about.
    pub user_message: Map<String, Value>,
    /// The messages that follow the rendered prompt, the new one included.
    pub messages: Vec<Value>,
    /// The context of the templates.
    pub arguments: Arguments,
    /// The stages, in order.
    pub trace: Vec<TraceEntry>,
}

/// Runs the stages for a user's message.
///
/// # Errors
/// [`StageError`] of the first stage that fails.
pub fn request(
    call: &Call,
    now: Moment,
    clock: &dyn StageClock,
) -> Result<Prepared, Box<StageError>> {
    run(Flow::new(call, now, &[], false), clock)
}

/// The arguments that a call's templates can read, whether or not its history is valid.
///
/// # Errors
/// [`StageFault`] if the arguments cannot be built.
pub fn arguments_of(call: &Call, now: Moment) -> Result<Arguments, StageFault> {
    let (flow, _) = build_user_message(Flow::new(call, now, &[], false));
    let (flow, _) = prepare_prompt_arguments(flow)?;
    Ok(flow.arguments.unwrap_or_default())
}

/// Runs the stages for the responses of tools: `turn` consists of the assistant's calls and their
/// responses, after the user's message. The arguments are built again for the same message.
///
/// # Errors
/// [`StageError`] of the first stage that fails.
pub fn tool_follow_up(
    call: &Call,
    turn: &[Value],
    now: Moment,
    clock: &dyn StageClock,
) -> Result<Prepared, Box<StageError>> {
    run(Flow::new(call, now, turn, true), clock)
}

fn run(mut flow: Flow<'_>, clock: &dyn StageClock) -> Result<Prepared, Box<StageError>> {
    for stage in REQUEST_STAGES {
        let start = clock.elapsed();
        let trace = flow.trace.clone();
        let (mut next, added) = stage.run(flow).map_err(|fault| {
            Box::new(StageError {
                stage,
                fault,
                trace,
            })
        })?;
        let step_time = clock.elapsed().saturating_sub(start);
        next.trace.push(TraceEntry {
            stage,
            micros: u64::try_from(step_time.as_micros()).unwrap_or(u64::MAX),
            added,
        });
        flow = next;
    }
    Ok(Prepared {
        user_message: flow.user_message,
        messages: flow.messages,
        arguments: flow.arguments.unwrap_or_default(),
        trace: flow.trace,
    })
}

impl<'a> Flow<'a> {
    fn new(call: &'a Call, now: Moment, responses: &'a [Value], follow_up: bool) -> Self {
        Self {
            call,
            now,
            responses,
            follow_up,
            user_message: Map::new(),
            messages: Vec::new(),
            arguments: None,
            trace: Vec::new(),
        }
    }
}

impl Stage {
    /// Takes what there is and gives it on, with one line that says what was added.
    fn run(self, flow: Flow<'_>) -> Result<(Flow<'_>, String), StageFault> {
        match self {
            Self::BuildUserMessage => Ok(build_user_message(flow)),
            Self::SnapshotHistory => Ok(snapshot_history(flow)),
            Self::ValidateHistory => validate_history(flow),
            Self::PreparePromptArguments => prepare_prompt_arguments(flow),
        }
    }
}

fn build_user_message(mut flow: Flow<'_>) -> (Flow<'_>, String) {
    let call = flow.call;
    let given_message = call.message.clone().unwrap_or_default();
    let mut message = Map::new();
    let text = match call.message_text() {
        Some(text) => Some(text.clone()),
        None => latest_user_text(&call.history).map(Value::from),
    };
    let reconstructed = call.message_text().is_none();
    if let Some(text) = text {
        message.insert("text".to_owned(), text);
    }
    let given_language = given_message
        .get("language")
        .filter(|own| own.as_str().is_none_or(|text| !text.is_empty()) && !own.is_null());
    let language_value = match given_language {
        Some(language) => Some(language.clone()),
        None => Some(language(&call.history, call.metadata.as_ref()))
            .filter(|language| !language.is_empty())
            .map(Value::from),
    };
    if let Some(language_value) = language_value {
        message.insert("language".to_owned(), language_value);
    }
    let added = match (message.is_empty(), reconstructed) {
        (true, _) => "no message".to_owned(),
        (false, true) => "the message the history ends with".to_owned(),
        (false, false) => "the new message".to_owned(),
    };
    flow.user_message = message;
    (flow, added)
}

fn snapshot_history(mut flow: Flow<'_>) -> (Flow<'_>, String) {
    let mut messages = flow.call.messages();
    messages.extend(flow.responses.iter().cloned());
    let added = format!("{} messages", messages.len());
    flow.messages = messages;
    (flow, added)
}

fn validate_history(flow: Flow<'_>) -> Result<(Flow<'_>, String), StageFault> {
    let violations = history::validate(&flow.messages, flow.follow_up)?;
    if violations.is_empty() {
        Ok((flow, "all rules met".to_owned()))
    } else {
        Err(StageFault::Rules(violations))
    }
}

fn prepare_prompt_arguments(mut flow: Flow<'_>) -> Result<(Flow<'_>, String), StageFault> {
    let call = flow.call;
    let built = arguments::build(&Sources {
        now: flow.now,
        assistant: call.assistant.as_ref(),
        conversation: call.conversation.as_ref(),
        session: call.session.as_ref(),
        message: Some(&flow.user_message),
        args: call.args.as_ref(),
        defaults: call.defaults.as_ref(),
    })?;
    let names: Vec<&str> = built.context.keys().map(String::as_str).collect();
    let added = names.join(", ");
    flow.arguments = Some(built);
    Ok((flow, added))
}

/// The text of the latest user message, its parts joined.
fn latest_user_text(history: &[Value]) -> Option<String> {
    let message = history
        .iter()
        .rev()
        .find(|message| message.get("role").and_then(Value::as_str) == Some("user"))?;
    content_text(message.get("content")?)
}

/// The text of a message's content: itself, or its text parts joined.
#[must_use]
pub fn content_text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => Some(
            parts
                .iter()
                .filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()))
                .collect(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
