//! Assembles a response from its pieces: text, usage and timing, and whether it ended properly.

use std::time::Instant;

use promptdeck_core::run::{Response, Timing, ToolCall, Usage};
use serde_json::Value;

use super::streamed::StreamedText;
use crate::fault::{Fault, FaultKind};
use crate::secret::Secret;

/// Maximum number of tool calls of an answer; further ones are dropped.
const MOST_CALLS: usize = 64;

/// A tool call, or a part of one.
#[derive(Debug, Default)]
pub(crate) struct CallPiece {
    /// Number of the call that this piece continues; `None` for a complete call.
    pub number: Option<u64>,
    /// What it adds.
    pub call: ToolCall,
}

/// One event of a stream, or a whole response.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    /// Text to append.
    pub text: String,
    /// Tool calls, or parts of them.
    pub calls: Vec<CallPiece>,
    /// Token counts known so far.
    pub usage: Usage,
    /// Durations known so far.
    pub timing: Timing,
    /// Reason why the text ended, in the provider's words; `None` before the end.
    pub finish: Option<String>,
    /// Reason why the provider refused.
    pub blocked: Option<String>,
}

/// What has arrived of an answer since the last time.
#[derive(Debug, Clone, Copy)]
pub enum Arrived<'a> {
    /// The next piece of the text.
    Text(&'a str),
    /// The next part of a tool call.
    Call {
        /// The position of the call among those of the answer.
        index: usize,
        /// What is added to its id, name and arguments.
        part: &'a ToolCall,
    },
}

/// A tool call that may still grow.
#[derive(Debug, Default)]
struct OpenCall {
    /// Its number in the stream.
    number: Option<u64>,
    id: StreamedText,
    name: StreamedText,
    arguments: StreamedText,
}

/// The pieces received so far.
pub(crate) struct Answer {
    started: Instant,
    text: StreamedText,
    calls: Vec<OpenCall>,
    usage: Usage,
    timing: Timing,
    finish: Option<String>,
    blocked: Option<String>,
    is_finished: bool,
    /// Number of pieces with text.
    pieces: u32,
    raw: Value,
}

impl Answer {
    pub(crate) fn begin() -> Self {
        Self {
            started: Instant::now(),
            text: StreamedText::default(),
            calls: Vec::new(),
            usage: Usage::default(),
            timing: Timing::default(),
            finish: None,
            blocked: None,
            is_finished: false,
            pieces: 0,
            raw: Value::Null,
        }
    }

    /// Passes on what has arrived since the last time, without the key.
    pub(crate) fn pass_on(
        &mut self,
        key: Option<&Secret>,
        is_end: bool,
        listener: &mut dyn FnMut(Arrived<'_>),
    ) {
        let text = self.text.pass_on(key, is_end);
        if !text.is_empty() {
            listener(Arrived::Text(text));
        }
        for (index, call) in self.calls.iter_mut().enumerate() {
            let take = |streamed: &mut StreamedText| streamed.pass_on(key, is_end).to_owned();
            let part = ToolCall {
                id: take(&mut call.id),
                name: take(&mut call.name),
                arguments: take(&mut call.arguments),
            };
            if part != ToolCall::default() {
                listener(Arrived::Call { index, part: &part });
            }
        }
    }

    /// Appends a piece. Only the last document is stored, since it holds the totals.
    pub(crate) fn take(&mut self, piece: Piece, document: Value) {
        self.text.push(&piece.text);
        self.pieces += u32::from(!piece.text.is_empty());
        piece.calls.into_iter().for_each(|call| self.add_call(call));
        let usage = &mut self.usage;
        usage.prompt_tokens = piece.usage.prompt_tokens.or(usage.prompt_tokens);
        usage.completion_tokens = piece.usage.completion_tokens.or(usage.completion_tokens);
        usage.cached_tokens = piece.usage.cached_tokens.or(usage.cached_tokens);
        let elapsed = self.elapsed_ms();
        let timing = &mut self.timing;
        timing.total_ms = piece.timing.total_ms.or(timing.total_ms);
        timing.load_ms = piece.timing.load_ms.or(timing.load_ms);
        timing.prompt_ms = piece.timing.prompt_ms.or(timing.prompt_ms);
        timing.generation_ms = piece.timing.generation_ms.or(timing.generation_ms);
        if timing.first_delta_ms.is_none() && !self.text.as_str().is_empty() {
            timing.first_delta_ms = Some(elapsed);
        }
        self.blocked = piece.blocked.or(self.blocked.take());
        self.is_finished |= piece.finish.is_some();
        self.finish = piece.finish.or(self.finish.take());
        self.raw = document;
    }

    /// Only the first piece of a call has its id and name; the arguments come in parts.
    fn add_call(&mut self, piece: CallPiece) {
        let CallPiece { number, call } = piece;
        let is_open = |open: &OpenCall| number.is_some() && open.number == number;
        let at = match self.calls.iter().position(is_open) {
            Some(at) => at,
            None if self.calls.len() < MOST_CALLS => {
                self.calls.push(OpenCall {
                    number,
                    ..OpenCall::default()
                });
                self.calls.len() - 1
            }
            None => return,
        };
        let open = &mut self.calls[at];
        open.id.push(&call.id);
        open.name.push(&call.name);
        open.arguments.push(&call.arguments);
    }

    /// Whether nothing that makes an answer has come.
    pub(crate) fn is_empty(&self) -> bool {
        let has_text = !self.text.as_str().is_empty();
        !(has_text || self.is_finished || self.blocked.is_some()) && self.calls.is_empty()
    }

    /// Records the end mark of the stream.
    pub(crate) fn finish(&mut self) {
        self.is_finished = true;
    }

    /// The complete response.
    pub(crate) fn end(
        mut self,
        fault: impl FnOnce(FaultKind, &str) -> Fault,
    ) -> Result<Response, Fault> {
        if let Some(reason) = self
            .blocked
            .take()
            .filter(|_| self.text.as_str().is_empty())
        {
            return Err(fault(FaultKind::Blocked, &reason));
        }
        if !self.is_finished {
            let characters = self.text.as_str().chars().count();
            return Err(fault(
                FaultKind::Truncated,
                &format!("it ended after {characters} characters without an end mark"),
            ));
        }
        // Servers without measurements send 0.
        let reported = self.timing.total_ms.filter(|ms| *ms > 0.0);
        let elapsed = self.elapsed_ms();
        self.timing.total_ms = reported.or(Some(elapsed));
        // Without the server's figure, use the time between the first and the last piece.
        if self.pieces > 1 && self.timing.generation_ms.is_none() {
            let first = self.timing.first_delta_ms.unwrap_or(elapsed);
            self.timing.generation_ms = Some(elapsed - first);
        }
        Ok(Response {
            text: self.text.into_string(),
            usage: self.usage,
            timing: self.timing,
            finish: self.finish,
            overcome: Vec::new(),
            extracted: None,
            tool_calls: self
                .calls
                .into_iter()
                .map(|call| ToolCall {
                    id: call.id.into_string(),
                    name: call.name.into_string(),
                    arguments: call.arguments.into_string(),
                })
                .collect(),
            raw: self.raw,
        })
    }

    fn elapsed_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1000.0
    }
}
