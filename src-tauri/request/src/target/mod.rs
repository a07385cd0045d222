//! Requests for the three kinds of receivers, from one prepared call: chat completions in `OpenAI`'s
//! shape, Gemini's four layers, and the exact text of a chat template. Bodies only; nothing is sent.

mod chat_template;
mod gemini;
mod openai;

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::registry::Diagnostic;
use serde::Serialize;
use serde_json::{Map, Value};

pub use chat_template::{
    Conversation, FamilyFormat, ModelTemplate, RenderChat, RenderedChat, changed_for_chat_template,
};
pub use openai::sent as sent_message;

use super::{
    call::Call,
    call_arguments::BadArguments,
    call_keys, codes,
    layers::{CachePlan, Layer, SessionError},
    pipeline::Prepared,
    prompt::Prompt,
    span::Span,
    tokens::CountTokens,
    tool_calls,
    tools::{self, ToolFormat},
};

/// What a request is made of.
#[derive(Clone, Copy)]
pub struct TargetInput<'a> {
    /// The call.
    pub call: &'a Call,
    /// The call after its stages.
    pub prepared: &'a Prepared,
    /// The rendered prompt, which comes before the messages.
    pub prompt: &'a Prompt,
    /// The registry's generation settings.
    pub generation: &'a Map<String, Value>,
    /// The moment of the call.
    pub now: Moment,
    /// What sizes are counted with.
    pub counter: &'a dyn CountTokens,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Request {
    /// What would be sent.
    pub body: Value,
    /// The request as the model reads it.
    pub spans: Vec<Span>,
    /// The layers, for Gemini.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// Whether to rebuild the cache, for Gemini.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<CachePlan>,
    /// What is odd about it.
    pub diagnostics: Vec<Diagnostic>,
}

/// A request that can't be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The `layers` of the call make no session.
    #[error("/layers{0}")]
    Session(SessionError),
    /// The arguments of a call are no object, which the receiver requires.
    #[error(transparent)]
    Arguments(#[from] BadArguments),
    /// The chat template raised an error.
    #[error("the chat template raised an error: {message}")]
    Chat {
        /// Its stable code.
        code: &'static str,
        /// Why, on one line.
        message: String,
    },
}

impl TargetError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Session(error) => error.code(),
            Self::Arguments(_) => codes::CALL_ARGUMENTS.as_str(),
            Self::Chat { code, .. } => code,
        }
    }
}

/// The body of a chat completion in `OpenAI`'s shape.
#[must_use]
pub fn openai(input: &TargetInput<'_>) -> Request {
    openai::build(input)
}

/// The body of Gemini's `generateContent`, in its layers.
///
/// # Errors
/// [`TargetError`] if the messages cannot be expressed.
pub fn gemini(input: &TargetInput<'_>) -> Result<Request, TargetError> {
    gemini::build(input)
}

/// The text of a chat template.
///
/// # Errors
/// [`TargetError`] if the renderer fails.
pub fn chat_template(
    input: &TargetInput<'_>,
    renderer: &dyn RenderChat,
) -> Result<Request, TargetError> {
    chat_template::build(input, renderer)
}

/// What is wrong with the tools, the messages and the tool calls of a call, if it is sent in a format.
#[must_use]
pub fn lint(call: &Call, format: ToolFormat) -> Vec<Diagnostic> {
    let (offered, at) = offered(call, format);
    let mut found = tools::lint(offered, format, at, None);
    found.extend(lint_messages(call, &call.messages(), format, None));
    found
}

/// What is wrong with the messages that a format sends, or a chat template renders, and with the tool
/// calls in them.
fn lint_messages(
    call: &Call,
    messages: &[Value],
    format: ToolFormat,
    template: Option<&str>,
) -> Vec<Diagnostic> {
    let (offered, _) = offered(call, format);
    let mut found = tool_calls::lint(call, messages, offered, |message| match format {
        ToolFormat::OpenAi => true,
        ToolFormat::Gemini => gemini::sends(call, message),
    });
    found.extend(call_keys::lint(call, messages, template));
    found
}

/// The tools that a format sends, and the pointer to their list.
fn offered(call: &Call, format: ToolFormat) -> (&[Value], &'static str) {
    match (format, call.layers.get("tools")) {
        (ToolFormat::Gemini, Some(Value::Array(tools))) => (tools, gemini::LAYERS_TOOLS),
        _ => (&call.tools, "/tools"),
    }
}

#[cfg(test)]
mod tests;
