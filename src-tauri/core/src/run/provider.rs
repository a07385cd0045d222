//! The line between the engine and whoever generates text: what is asked, what comes back, how it
//! arrives piece by piece, and how it is stopped.
//!
//! The trait is blocking and knows no transport. Providers for chat endpoints read messages, those
//! for raw completion read text, those with a request language of their own take a finished body.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::attempts::Attempt;
use crate::chat::extract::Extracted;
use crate::output::GenerationConfig;

/// Who says a message.
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
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// What the model gets.
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
    /// How many characters the model is given to read. Of a body, all its texts count.
    #[must_use]
    pub fn characters(&self) -> u64 {
        match self {
            Self::Messages(messages) => messages.iter().map(|said| length(&said.content)).sum(),
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
    /// What the model gets.
    pub input: Input,
    /// How the text is to be generated; `timeout_ms` bounds the whole exchange.
    pub generation: GenerationConfig,
    /// Whether the text is wanted piece by piece.
    pub stream: bool,
}

/// Tokens spent, as far as the provider tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of what was sent.
    pub prompt_tokens: Option<u64>,
    /// Tokens of what came back.
    pub completion_tokens: Option<u64>,
    /// Tokens of what was sent that came out of a cache.
    pub cached_tokens: Option<u64>,
}

/// Where the time went, in milliseconds, as measured or told by the provider.
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

/// What a provider gives back.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Response {
    /// The whole text, streamed or not.
    pub text: String,
    /// What a raw completion says: its channels, thinking and calls. Providers that are told these
    /// apart by their server have none.
    pub extracted: Option<Extracted>,
    /// Tokens spent.
    pub usage: Usage,
    /// Where the time went.
    pub timing: Timing,
    /// Why the text ended, in the provider's words (`stop`, `length`), when it tells.
    pub finish: Option<String>,
    /// Tries that failed on the way before this one, oldest first.
    pub overcome: Vec<RetriedError>,
    /// The provider's own answer, for people; null when there is nothing worth showing.
    pub raw: Value,
}

/// Whether an exchange goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop; the provider answers with [`ProviderError::cancelled`].
    Stop,
}

/// Whoever listens to a text while it is generated.
pub trait StreamListener {
    /// Takes the next piece of text.
    fn delta(&mut self, text: &str) -> Control;

    /// Asked at least before sending and between any two pieces, and while waiting when the
    /// provider can.
    fn control(&mut self) -> Control {
        Control::Continue
    }

    /// Hears what the policy made of an attempt, before the next one begins.
    fn judged(&mut self, _attempt: &Attempt) {}
}

/// Nobody listens.
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

/// Why there is no text: a stable code, one line that says what, where and the way out and never
/// holds a key, and what else a caller may act on. The list of codes is the provider's, but for
/// the two made here.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
pub struct ProviderError {
    /// The stable code.
    pub code: &'static str,
    /// One line for people.
    pub message: String,
    /// How many milliseconds the other side asks to wait before another try.
    pub retry_after_ms: Option<u64>,
    /// The tries that failed for reasons that might have passed, before the one this tells of.
    pub overcome: Vec<RetriedError>,
}

/// A try that failed on the way and was followed by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetriedError {
    /// The stable code of what went wrong.
    pub code: String,
    /// One line for people.
    pub message: String,
}

impl ProviderError {
    /// The listener said stop.
    #[must_use]
    pub fn cancelled() -> Self {
        Self::new("cancelled", "stopped")
    }

    /// The provider cannot do what is asked.
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

/// Someone who generates text.
pub trait Provider {
    /// The provider's name, for messages and results.
    fn name(&self) -> &str;

    /// Generates one text. With `request.stream`, its pieces go to `listener` as they come, and
    /// their concatenation is the response's text; without, nothing but
    /// [`StreamListener::control`] is called.
    fn generate(
        &mut self,
        request: &Request,
        listener: &mut dyn StreamListener,
    ) -> Result<Response, ProviderError>;
}
