//! A deterministic provider without model or clock. It answers with a report of the request, or
//! with scripted turns.

use std::collections::VecDeque;

use promptdeck_core::run::{
    Control, Input, Message, Provider, ProviderError, Request, Response, StreamListener, Timing,
    Usage,
};
use serde_json::json;

/// A scripted response.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// The text of the response.
    Text(String),
    /// The error to fail with.
    Error(ProviderError),
}

/// A provider for tests and offline use.
#[derive(Debug, Clone, Default)]
pub struct Mock {
    script: VecDeque<Turn>,
    requests: Vec<Request>,
}

impl Mock {
    /// Creates a mock that reports each request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a mock that plays `turns` in order and then reports.
    pub fn scripted(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self {
            script: turns.into_iter().collect(),
            requests: Vec::new(),
        }
    }

    /// All requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }
}

impl Provider for Mock {
    fn name(&self) -> &'static str {
        "mock"
    }

    fn generate(
        &mut self,
        request: &Request,
        listener: &mut dyn StreamListener,
    ) -> Result<Response, ProviderError> {
        if listener.control() == Control::Stop {
            return Err(ProviderError::cancelled());
        }
        self.requests.push(request.clone());
        let prompt = prompt_of(&request.input);
        let text = match self.script.pop_front() {
            Some(Turn::Error(error)) => return Err(error),
            Some(Turn::Text(text)) => text,
            None => report(&prompt, request),
        };
        if request.stream {
            for piece in text.split_inclusive(' ') {
                let stopped =
                    listener.control() == Control::Stop || listener.delta(piece) == Control::Stop;
                if stopped {
                    return Err(ProviderError::cancelled());
                }
            }
        }
        Ok(Response {
            usage: Usage {
                prompt_tokens: Some(words(&prompt)),
                completion_tokens: Some(words(&text)),
                cached_tokens: None,
            },
            // Without a clock, all durations are zero.
            timing: Timing {
                total_ms: Some(0.0),
                ..Timing::default()
            },
            finish: Some("stop".to_owned()),
            overcome: Vec::new(),
            extracted: None,
            raw: json!({"provider": "mock", "request": self.requests.len()}),
            text,
        })
    }
}

/// The text that the model would read.
fn prompt_of(input: &Input) -> String {
    match input {
        Input::Messages(messages) => {
            let contents: Vec<&str> = messages.iter().map(content).collect();
            contents.join("\n\n")
        }
        Input::Text(text) => text.clone(),
        Input::Body(body) => body.to_string(),
        _ => String::new(),
    }
}

fn content(message: &Message) -> &str {
    &message.content
}

fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

fn report(prompt: &str, request: &Request) -> String {
    let ending = prompt.lines().rev().find(|line| !line.trim().is_empty());
    format!(
        "This is the mock provider: no model was asked. It was sent {} characters in {} lines for \
         model {}, at temperature {}. The prompt ends with: {}",
        prompt.chars().count(),
        prompt.lines().count(),
        request.generation.model,
        request.generation.temperature,
        ending.unwrap_or("(nothing)").trim(),
    )
}
