//! The common part of the providers: a request becomes a URL and a JSON body, and the pieces of the
//! response become one answer. Each protocol has its own file.

mod answer;
pub(crate) mod chat;
pub(crate) mod completions;
pub(crate) mod gemini;
pub(crate) mod ollama;
mod streamed;

use std::ops::ControlFlow;

use promptdeck_core::run::{Input, Message, Request, Response, Role, ToolCall};
use reqwest::Url;
use serde_json::{Map, Value, json};

pub use self::answer::Arrived;
pub(crate) use self::answer::{Answer, CallPiece, Piece};
use crate::{
    base_url::BaseUrl,
    fault::{Fault, FaultKind},
    http::{CallLimits, Framing, Transport},
};

/// A protocol of model servers.
pub(crate) trait Protocol: Sync {
    /// How streams are divided.
    fn framing(&self) -> Framing;

    /// URL of a request.
    fn address(&self, base: &BaseUrl, request: &Request) -> Url;

    /// Body of a request; the error names what the protocol cannot express.
    fn body(&self, request: &Request) -> Result<Value, &'static str>;

    /// Reads a whole response or one event of a stream; `None` if the document is neither.
    fn read(&self, document: &Value) -> Option<Piece>;

    /// URL of a page of the model list; `page` is the token from the previous page.
    fn models_address(&self, base: &BaseUrl, page: Option<&str>) -> Url;

    /// The names on a page of the model list, and the token of the next page.
    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)>;
}

/// End mark of OpenAI's streams; it is not JSON.
const END: &str = "[DONE]";

/// Maximum number of pages read of a model list.
const MOST_PAGES: usize = 20;

/// Sends a request. What is streamed is passed to `listener` as it arrives.
pub(crate) fn call(
    protocol: &dyn Protocol,
    transport: &Transport,
    request: &Request,
    call_limits: CallLimits<'_>,
    listener: &mut dyn FnMut(Arrived<'_>),
) -> Result<Response, Fault> {
    let url = protocol.address(transport.base(), request);
    let body = protocol
        .body(request)
        .map_err(|reason| transport.fault(FaultKind::Unsupported, &url, reason))?;
    let mut answer = Answer::begin();
    if request.stream {
        let key = transport.key();
        let streamed =
            transport.stream(&url, &body, protocol.framing(), call_limits, &mut |event| {
                if event.trim() == END {
                    answer.finish();
                    return Ok(ControlFlow::Break(()));
                }
                let document =
                    parse(event).map_err(|(kind, reason)| transport.fault(kind, &url, &reason))?;
                take(protocol, transport, &url, document, &mut answer)?;
                answer.pass_on(key, false, listener);
                Ok(ControlFlow::Continue(()))
            });
        answer.pass_on(key, true, listener);
        streamed?;
    } else {
        let document = transport.post(&url, &body, call_limits)?;
        take(protocol, transport, &url, document, &mut answer)?;
        if answer.is_empty() {
            let reason = "neither a text, nor a tool call, nor a reason why it ended is in it";
            return Err(transport.fault(FaultKind::InvalidResponse, &url, reason));
        }
    }
    answer.end(|kind, reason| transport.fault(kind, &url, reason))
}

/// Parses an event. An incomplete one means that the stream was truncated.
fn parse(event: &str) -> Result<Value, (FaultKind, String)> {
    serde_json::from_str(event).map_err(|error| {
        let kind = if error.is_eof() {
            FaultKind::Truncated
        } else {
            FaultKind::InvalidResponse
        };
        (kind, format!("not JSON: {error}"))
    })
}

/// The names of the server's models, in the server's order.
pub(crate) fn models(
    protocol: &dyn Protocol,
    transport: &Transport,
    call_limits: CallLimits<'_>,
) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    let mut page = None;
    for _ in 0..MOST_PAGES {
        let url = protocol.models_address(transport.base(), page.as_deref());
        let document = scrubbed(transport.get(&url, call_limits)?, transport);
        if let Some(fault) = transport.fault_in_document(&document, &url) {
            return Err(fault);
        }
        let (found, next) = protocol.models(&document).ok_or_else(|| {
            transport.fault(
                FaultKind::InvalidResponse,
                &url,
                "there is no model list in it",
            )
        })?;
        names.extend(found);
        page = next;
        if page.is_none() {
            break;
        }
    }
    Ok(names)
}

fn take(
    protocol: &dyn Protocol,
    transport: &Transport,
    url: &Url,
    document: Value,
    answer: &mut Answer,
) -> Result<(), Fault> {
    let document = scrubbed(document, transport);
    if let Some(fault) = transport.fault_in_document(&document, url) {
        return Err(fault);
    }
    let piece = protocol.read(&document).ok_or_else(|| {
        transport.fault(
            FaultKind::InvalidResponse,
            url,
            "it is not an answer of this protocol",
        )
    })?;
    answer.take(piece, document);
    Ok(())
}

/// Removes the key from a document, which is displayed, stored with the run and printed.
fn scrubbed(mut document: Value, transport: &Transport) -> Value {
    if let Some(key) = transport.key() {
        key.scrub_document(&mut document);
    }
    document
}

/// The text at a pointer of a document.
fn text_at<'a>(document: &'a Value, pointer: &str) -> Option<&'a str> {
    document.pointer(pointer)?.as_str()
}

/// The tool calls of a message. A piece of a stream has the number of its call in `index`.
fn calls(message: Option<&Value>) -> Vec<CallPiece> {
    let list = message.and_then(|message| message.get("tool_calls")?.as_array());
    list.into_iter().flatten().map(call_piece).collect()
}

fn call_piece(call: &Value) -> CallPiece {
    let text = |at: &str| text_at(call, at).unwrap_or_default().to_owned();
    CallPiece {
        number: call.get("index").and_then(Value::as_u64),
        call: ToolCall {
            id: text("/id"),
            name: text("/function/name"),
            arguments: match call.pointer("/function/arguments") {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            },
        },
    }
}

/// The texts under `key` in each entry of a list.
fn names(document: &Value, list: &str, key: &str) -> Option<Vec<String>> {
    let list = document.get(list)?.as_array()?;
    let names = list.iter().filter_map(|entry| entry.get(key)?.as_str());
    Some(names.map(str::to_owned).collect())
}

/// The messages of a request, and the fields that its body starts with.
fn messages(request: &Request) -> Result<(Map<String, Value>, Vec<Message>), &'static str> {
    match &request.input {
        Input::Messages(messages) => Ok((Map::new(), messages.clone())),
        Input::Text(text) => {
            let message = Message {
                role: Role::User,
                content: text.clone(),
            };
            Ok((Map::new(), vec![message]))
        }
        Input::Body(Value::Object(body)) => Ok((body.clone(), Vec::new())),
        _ => Err("it takes messages, a text or a body that is an object"),
    }
}

/// Sets a field unless the body has it.
fn default(body: &mut Map<String, Value>, key: &str, value: impl serde::Serialize) {
    body.entry(key).or_insert_with(|| json!(value));
}

#[cfg(test)]
mod tests {
    //! Fixtures shared by the protocols' tests.

    use promptdeck_core::output::GenerationConfig;

    use super::*;

    /// A request with every sampling field set.
    pub(super) fn request(stream: bool) -> Request {
        let message = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        Request {
            input: Input::Messages(vec![
                message(Role::System, "Be brief."),
                message(Role::User, "Hello"),
            ]),
            generation: GenerationConfig {
                model: "m".to_owned(),
                temperature: 0.5,
                max_tokens: 64,
                top_p: Some(0.9),
                top_k: Some(40),
                repeat_penalty: Some(1.1),
                ..GenerationConfig::default()
            },
            stream,
        }
    }

    /// The body sent for that request.
    pub(super) fn body_of(protocol: &dyn Protocol, stream: bool) -> Value {
        protocol.body(&request(stream)).expect("a body")
    }

    /// The result of reading events in order.
    pub(super) fn read_all(
        protocol: &dyn Protocol,
        events: &[&str],
    ) -> Result<Response, FaultKind> {
        let mut answer = Answer::begin();
        for event in events {
            let document = parse(event).map_err(|(kind, _)| kind)?;
            let piece = protocol.read(&document).ok_or(FaultKind::InvalidResponse)?;
            answer.take(piece, document);
        }
        answer
            .end(|kind, reason| Fault::new(kind, "", reason))
            .map_err(|fault| fault.kind)
    }
}
