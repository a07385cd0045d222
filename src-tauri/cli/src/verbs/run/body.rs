//! Recognizes the body of `--request`, so that a document of another kind is not sent.

use promptdeck_provider::server::ServerKind;
use promptdeck_request::document::{FileKind, recognize};
use serde_json::{Map, Value};

use crate::failure::Failure;

/// The field of a body with the conversation, the servers that read it, and the target of `request`
/// that writes it.
struct Shape {
    field: &'static str,
    servers: &'static [ServerKind],
    names: &'static str,
    target: &'static str,
}

const SHAPES: [Shape; 3] = [
    Shape {
        field: "messages",
        servers: &[ServerKind::Openai, ServerKind::Ollama],
        names: "openai or ollama",
        target: "openai",
    },
    Shape {
        field: "contents",
        servers: &[ServerKind::Gemini],
        names: "gemini",
        target: "gemini",
    },
    Shape {
        field: "prompt",
        servers: &[ServerKind::Completions],
        names: "completions",
        target: "chat-template",
    },
];

/// Refuses a body without what the server reads; the mock takes the body of any server.
pub fn check(body: &Map<String, Value>, kind: Option<ServerKind>) -> Result<(), Failure> {
    let fits = |shape: &&Shape| kind.is_none_or(|kind| shape.servers.contains(&kind));
    let wanted: Vec<&Shape> = SHAPES.iter().filter(fits).collect();
    let has = |shape: &&Shape| match body.get(shape.field) {
        Some(Value::Array(values)) => !values.is_empty(),
        Some(Value::String(_)) => shape.field == "prompt",
        _ => false,
    };
    if wanted.iter().any(has) {
        return Ok(());
    }
    let (Some(first), name) = (wanted.first(), kind.map_or("mock", ServerKind::name)) else {
        return Ok(());
    };
    let fields: Vec<&str> = wanted.iter().map(|shape| shape.field).collect();
    let is = match (SHAPES.iter().find(has), recognize(body)) {
        (Some(other), _) => format!(", but is a body for {}", other.names),
        (None, FileKind::Other) => String::new(),
        (None, kind) => format!(", but is {kind}"),
    };
    let message = format!(
        "not a body for {name}: it has no {}{is}; `promptdeck request CALL --target {}` builds one",
        fields.join(" or "),
        first.target
    );
    Err(Failure::input("wrong_body", message))
}
