//! What the providers have in common: a request becomes an address and a JSON body, and what comes
//! back is read piece by piece into one answer. The protocols themselves are files of their own.

mod answer;
pub(crate) mod chat;
pub(crate) mod completions;
pub(crate) mod gemini;
pub(crate) mod ollama;

use std::ops::ControlFlow;

use promptdeck_core::run::{Input, Message, Request, Response, Role};
use reqwest::Url;
use serde_json::{Map, Value, json};

pub(crate) use self::answer::{Answer, Piece};
use crate::{
    base_url::BaseUrl,
    fault::{Fault, FaultKind},
    http::{Framing, Transport, Watch},
};

/// One way of speaking to model servers.
pub(crate) trait Protocol: Sync {
    /// How streams are divided.
    fn framing(&self) -> Framing;

    /// Where a request goes.
    fn address(&self, base: &BaseUrl, request: &Request) -> Url;

    /// What is sent there; an error says what it cannot express.
    fn body(&self, request: &Request) -> Result<Value, &'static str>;

    /// Reads a whole answer or one event of a stream; none when it is neither.
    fn read(&self, document: &Value) -> Option<Piece>;

    /// Where a page of the model list is; `page` is what the page before it ended with.
    fn models_address(&self, base: &BaseUrl, page: Option<&str>) -> Url;

    /// The names on a page of the model list, and what to ask the next page with.
    fn models(&self, document: &Value) -> Option<(Vec<String>, Option<String>)>;
}

/// What OpenAI's streams end with; it is no JSON.
const END: &str = "[DONE]";

/// The most pages of a model list that are read.
const MOST_PAGES: usize = 20;

/// Sends a request. The text of a stream is handed over as it arrives.
pub(crate) fn call(
    protocol: &dyn Protocol,
    transport: &Transport,
    request: &Request,
    watch: Watch<'_>,
    on_text: &mut dyn FnMut(&str),
) -> Result<Response, Fault> {
    let url = protocol.address(transport.base(), request);
    let body = protocol
        .body(request)
        .map_err(|why| transport.fault(FaultKind::Unsupported, &url, why))?;
    let mut answer = Answer::begin();
    if request.stream {
        let mut sent = 0;
        let streamed = transport.stream(&url, &body, protocol.framing(), watch, &mut |event| {
            if event.trim() == END {
                answer.finish();
                return Ok(ControlFlow::Break(()));
            }
            let document = parse(event).map_err(|(kind, why)| transport.fault(kind, &url, &why))?;
            take(protocol, transport, &url, document, &mut answer)?;
            hand_over(&mut answer, &mut sent, transport, false, on_text);
            Ok(ControlFlow::Continue(()))
        });
        hand_over(&mut answer, &mut sent, transport, true, on_text);
        streamed?;
    } else {
        let document = transport.post(&url, &body, watch)?;
        take(protocol, transport, &url, document, &mut answer)?;
    }
    answer.end(|kind, why| transport.fault(kind, &url, why))
}

/// Hands over what arrived since `sent` without the key, which may arrive in pieces: until the end,
/// what may be its beginning waits for the next piece.
fn hand_over(
    answer: &mut Answer,
    sent: &mut usize,
    transport: &Transport,
    is_end: bool,
    on_text: &mut dyn FnMut(&str),
) {
    if answer.text().len() == *sent {
        return;
    }
    let mut held = 0;
    if let Some(key) = transport.key() {
        answer.replace_from(*sent, |text| key.scrub_answer(text));
        if !is_end {
            held = key.beginning_at_end(&answer.text()[*sent..]);
        }
    }
    let until = answer.text().len() - held;
    if until > *sent {
        on_text(&answer.text()[*sent..until]);
        *sent = until;
    }
}

/// Reads an event; one that ends in the middle was cut with the stream.
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

/// The names of the models the server has, in its order.
pub(crate) fn models(
    protocol: &dyn Protocol,
    transport: &Transport,
    watch: Watch<'_>,
) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    let mut page = None;
    for _ in 0..MOST_PAGES {
        let url = protocol.models_address(transport.base(), page.as_deref());
        let document = scrubbed(transport.get(&url, watch)?, transport);
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

/// A document without the key: it is shown, kept with the run and printed.
fn scrubbed(mut document: Value, transport: &Transport) -> Value {
    if let Some(key) = transport.key() {
        key.scrub_document(&mut document);
    }
    document
}

/// The text at a place of a document.
fn text_at<'a>(document: &'a Value, pointer: &str) -> Option<&'a str> {
    document.pointer(pointer)?.as_str()
}

/// The names under `key` of each entry of a list.
fn names(document: &Value, list: &str, key: &str) -> Option<Vec<String>> {
    let list = document.get(list)?.as_array()?;
    let names = list.iter().filter_map(|entry| entry.get(key)?.as_str());
    Some(names.map(str::to_owned).collect())
}

/// The messages of a request and what else its body begins with.
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

/// Puts a field in where the body does not say it itself.
fn default(body: &mut Map<String, Value>, key: &str, value: impl serde::Serialize) {
    body.entry(key).or_insert_with(|| json!(value));
}

#[cfg(test)]
mod tests {
    //! What the protocols' own tests share.

    use promptdeck_core::output::GenerationConfig;

    use super::*;

    /// A request with every sampling field set.
    pub(super) fn request(stream: bool) -> Request {
        let says = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        Request {
            input: Input::Messages(vec![
                says(Role::System, "Be brief."),
                says(Role::User, "Hello"),
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

    /// What is sent for it.
    pub(super) fn body_of(protocol: &dyn Protocol, stream: bool) -> Value {
        protocol.body(&request(stream)).expect("a body")
    }

    /// What comes of events that arrive one after the other.
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
            .end(|kind, why| Fault::new(kind, "", why))
            .map_err(|fault| fault.kind)
    }
}
