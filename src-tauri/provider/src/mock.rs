//! A deterministic provider without a model. It answers with a report of the request, with scripted
//! turns, or with a tool call if the request offers a tool that its last message names.

mod sample;

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_core::{
    plural::plural,
    run::{
        Control, Input, Message, Provider, ProviderError, Request, Response, StreamListener,
        Timing, ToolCall, Usage,
    },
};
use serde_json::{Value, json};

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
    pause: Duration,
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
            ..Self::default()
        }
    }

    /// Waits after each word of a streamed response, so that a person can watch and stop it.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
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
        let started = Instant::now();
        let prompt = prompt_of(&request.input);
        let mut tool_calls = Vec::new();
        let text = match self.script.pop_front() {
            Some(Turn::Error(error)) => return Err(error),
            Some(Turn::Text(text)) => text,
            None => {
                tool_calls.extend(named_tool(&request.input));
                match tool_calls.is_empty() {
                    true => report(&prompt, request),
                    false => String::new(),
                }
            }
        };
        if request.stream {
            for piece in text.split_inclusive(' ') {
                let stopped =
                    listener.control() == Control::Stop || listener.delta(piece) == Control::Stop;
                if stopped {
                    return Err(ProviderError::cancelled());
                }
                thread::sleep(self.pause);
            }
            for (index, call) in tool_calls.iter().enumerate() {
                if listener.call_delta(index, call) == Control::Stop {
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
            timing: Timing {
                // Without pauses the response is the same in every run.
                total_ms: (request.stream && !self.pause.is_zero())
                    .then(|| started.elapsed().as_secs_f64() * 1000.0),
                ..Timing::default()
            },
            finish: Some("stop".to_owned()),
            overcome: Vec::new(),
            extracted: None,
            tool_calls,
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
        Input::Body(body) => texts_of(body),
        _ => String::new(),
    }
}

/// The texts of a body's messages; of a rendered chat template its prompt.
fn texts_of(body: &Value) -> String {
    if let Some(prompt) = body.get("prompt").and_then(Value::as_str) {
        return prompt.to_owned();
    }
    let texts: Vec<String> = messages_of(body).iter().filter_map(text_of).collect();
    match texts.is_empty() {
        true => body.to_string(),
        false => texts.join("\n\n"),
    }
}

/// The messages of a body, in OpenAI's or in Gemini's format.
fn messages_of(body: &Value) -> &[Value] {
    let list = body.get("messages").or_else(|| body.get("contents"));
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text_of(message: &Value) -> Option<String> {
    if let Some(text) = message.get("content").and_then(Value::as_str) {
        return Some(text.to_owned());
    }
    let parts = message.get("content").or_else(|| message.get("parts"))?;
    let texts = parts
        .as_array()?
        .iter()
        .filter_map(|part| part.get("text")?.as_str());
    Some(texts.collect())
}

/// A call of the first tool that the last message names, if that is the user's.
fn named_tool(input: &Input) -> Option<ToolCall> {
    let Input::Body(body) = input else {
        return None;
    };
    let last = messages_of(body).last()?;
    let text = text_of(last).filter(|_| last.get("role").is_some_and(|role| role == "user"))?;
    let tools = body.get("tools")?.as_array()?.iter();
    let functions = tools.flat_map(|tool| match tool.get("functionDeclarations") {
        Some(Value::Array(functions)) => functions.iter().collect(),
        _ => vec![tool.get("function").unwrap_or(tool)],
    });
    let mut named =
        functions.filter_map(|function| Some((function.get("name")?.as_str()?, function)));
    let (name, function) = named.find(|(name, _)| !name.is_empty() && text.contains(name))?;
    let keys = ["parameters", "parametersJsonSchema"].into_iter();
    let mut schemas = keys.filter_map(|key| function.get(key));
    let arguments = schemas.next().map_or_else(|| json!({}), sample::arguments);
    Some(ToolCall {
        id: String::new(),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    })
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
        "This is the mock provider: no model was asked. It was sent {} in {} for \
         model {}, at temperature {}. The prompt ends with: {}",
        plural(prompt.chars().count(), "character"),
        plural(prompt.lines().count(), "line"),
        request.generation.model,
        request.generation.temperature,
        ending.unwrap_or("(nothing)").trim(),
    )
}
