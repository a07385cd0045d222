//! The interface between the engine and a text generator: request, response, streaming and
//! cancellation.
//!
//! The trait is blocking and knows no transport. Providers for chat endpoints read messages, those
//! for raw completion read text, those with a request language of their own take a finished body.

use std::time::Duration;

use promptdeck_chat::extract::Extracted;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::attempts::Attempt;
use crate::output::GenerationConfig;

/// The role of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions above the conversation.
    System,
    /// The person, or the prompt.
    User,
    /// The model.
    Assistant,
}

/// One message of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The role.
    pub role: Role,
    /// The text.
    pub content: String,
}

/// The input of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Input {
    /// A conversation, for chat endpoints.
    Messages(Vec<Message>),
    /// The exact text, for raw completion.
    Text(String),
    /// A request body that is complete but for the generation settings.
    Body(Value),
}

impl Input {
    /// How many characters the model reads. All texts of a body count.
    #[must_use]
    pub fn characters(&self) -> u64 {
        match self {
            Self::Messages(messages) => messages
                .iter()
                .map(|message| length(&message.content))
                .sum(),
            Self::Text(text) => length(text),
            Self::Body(body) => texts(body),
        }
    }
}

fn length(text: &str) -> u64 {
    text.chars().count() as u64
}

fn texts(value: &Value) -> u64 {
    match value {
        Value::String(text) => length(text),
        Value::Array(values) => values.iter().map(texts).sum(),
        Value::Object(map) => map.values().map(texts).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// One request to a provider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// The input of the model.
    pub input: Input,
    /// How the text is to be generated; `timeout_ms` bounds the whole exchange.
    pub generation: GenerationConfig,
    /// Whether the text is wanted piece by piece.
    pub stream: bool,
}

/// Token counts, as far as the provider reports them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of what was sent.
    pub prompt_tokens: Option<u64>,
    /// Tokens of what came back.
    pub completion_tokens: Option<u64>,
    /// Tokens of what was sent that came out of a cache.
    pub cached_tokens: Option<u64>,
}

/// A tool call of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's id; empty if it gives none.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, usually JSON.
    pub arguments: String,
}

impl ToolCall {
    /// Appends a part of the same call.
    pub fn append(&mut self, part: &Self) {
        self.id.push_str(&part.id);
        self.name.push_str(&part.name);
        self.arguments.push_str(&part.arguments);
    }
}

/// Timings in milliseconds, measured or reported by the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// From the request to the last byte.
    pub total_ms: Option<f64>,
    /// From the request to the first text.
    pub first_delta_ms: Option<f64>,
    /// Loading the model.
    pub load_ms: Option<f64>,
    /// Reading the prompt.
    pub prompt_ms: Option<f64>,
    /// Generating the text.
    pub generation_ms: Option<f64>,
}

impl Timing {
    /// The speed of generation, when both are known and time was measured at all.
    #[must_use]
    pub fn tokens_per_second(&self, usage: &Usage) -> Option<f64> {
        let seconds = self.generation_ms.filter(|ms| *ms > 0.0)? / 1000.0;
        Some(usage.completion_tokens? as f64 / seconds)
    }
}

/// The response of a provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Response {
    /// The whole text, streamed or not.
    pub text: String,
    /// The channels, thinking and calls extracted from a raw completion; none from a server that
    /// separates them itself.
    pub extracted: Option<Extracted>,
    /// The tool calls, from a server that separates them from the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Token counts.
    pub usage: Usage,
    /// Timings.
    pub timing: Timing,
    /// The finish reason, in the provider's words (`stop`, `length`), if known.
    pub finish: Option<String>,
    /// Failed tries before this one, oldest first.
    pub overcome: Vec<RetriedError>,
    /// The provider's raw response, for display; null if there is none.
    pub raw: Value,
}

/// Whether to continue a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Continue.
    Continue,
    /// Stop; the provider answers with [`ProviderError::cancelled`].
    Stop,
}

/// Receives a text while it is generated.
pub trait StreamListener {
    /// Receives the next piece of text.
    fn delta(&mut self, text: &str) -> Control;

    /// Receives the next part of the tool call at `index`: what it adds to the id, the name and the
    /// arguments.
    fn call_delta(&mut self, _index: usize, _part: &ToolCall) -> Control {
        self.control()
    }

    /// Called at least before sending and between any two pieces, and while waiting if the provider
    /// supports it.
    fn control(&mut self) -> Control {
        Control::Continue
    }

    /// Called when a request failed with a transient error, before the pause that precedes the next
    /// try.
    fn retrying(&mut self, _retry: &PlannedRetry) {}

    /// Receives each validated attempt before the next one begins.
    fn judged(&mut self, _attempt: &Attempt) {}
}

/// Ignores everything and never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoListener;

impl StreamListener for NoListener {
    fn delta(&mut self, _text: &str) -> Control {
        Control::Continue
    }
}

impl<F: FnMut(&str) -> Control> StreamListener for F {
    fn delta(&mut self, text: &str) -> Control {
        self(text)
    }
}

/// Why a provider returned no text: a stable code, and a message that never contains a key. The
/// codes are the provider's, except `cancelled` and `unsupported`.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
pub struct ProviderError {
    /// The stable code.
    pub code: &'static str,
    /// One line for people.
    pub message: String,
    /// How many milliseconds the server asks to wait before a retry.
    pub retry_after_ms: Option<u64>,
    /// Earlier tries that failed with transient errors.
    pub overcome: Vec<RetriedError>,
}

/// A failed try that was retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetriedError {
    /// The stable code of the error.
    pub code: String,
    /// One line for people.
    pub message: String,
}

/// A try that follows a failed one after a pause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRetry {
    /// The error of the failed try.
    pub error: RetriedError,
    /// Number of the next try, counted from 1.
    pub number: u32,
    /// The most tries.
    pub most: u32,
    /// The pause before it.
    pub pause: Duration,
}

impl ProviderError {
    /// The listener stopped the request.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new("cancelled", "stopped")
    }

    /// The provider does not support the request.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new("unsupported", message)
    }

    /// An error with a code of the provider's own list.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after_ms: None,
            overcome: Vec::new(),
        }
    }
}

/// A generator of text.
pub trait Provider {
    /// The provider's name, for messages and results.
    fn name(&self) -> &str;

    /// Generates one text. With `request.stream`, its pieces and those of its tool calls go to
    /// `listener` as they come, and their concatenation is the response's; without, nothing but
    /// [`StreamListener::control`] is called.
    ///
    /// # Errors
    ///
    /// [`ProviderError`] if no text was generated.
    fn generate(
        &mut self,
        request: &Request,
        listener: &mut dyn StreamListener,
    ) -> Result<Response, ProviderError>;
}
