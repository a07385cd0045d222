//! The text of a chat template from a call document. Rendering itself is brought along: this module
//! knows the messages, not the templates.

use serde_json::{Value, json};

use super::{Parts, Request, TargetError, openai};
use crate::request::span::{Span, SpanOrigin};

/// Renders messages to the text a model is given.
pub trait RenderChat {
    /// Renders messages and tools, a generation prompt at the end.
    fn render(&self, messages: &[Value], tools: &[Value]) -> Result<RenderedChat, TargetError>;
}

/// A rendered conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedChat {
    /// The text.
    pub text: String,
}

/// Builds the request.
pub fn build(parts: &Parts<'_>, chat: &dyn RenderChat) -> Result<Request, TargetError> {
    let messages = openai::messages(parts);
    let tools = openai::tools(&parts.call.tools);
    let rendered = chat.render(&messages, &tools)?;
    let spans = spans(parts, &rendered.text);
    Ok(Request {
        body: json!({
            "messages": messages,
            "tools": tools,
            "prompt": rendered.text,
        }),
        spans,
        layers: Vec::new(),
        plan: None,
        diagnostics: parts.prepared.arguments.diagnostics.clone(),
    })
}

/// The text cut where the prompt and the messages are found in it, in their order; what is between
/// is the template's.
fn spans(parts: &Parts<'_>, text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    let mut add = |needle: &str, pieces: Vec<Span>| {
        let found = text[at..].find(needle).filter(|_| !needle.is_empty());
        if let Some(found) = found {
            if found > 0 {
                spans.push(Span::new(&text[at..at + found], SpanOrigin::Template));
            }
            at += found + needle.len();
            spans.extend(pieces);
        }
    };
    let prompt = parts.prompt.spans.iter().map(Span::from).collect();
    add(&parts.prompt.text, prompt);
    for (index, message) in parts.prepared.messages.iter().enumerate() {
        let content = message
            .get("content")
            .and_then(crate::request::pipeline::content_text)
            .unwrap_or_default();
        let content = content.trim();
        let span = Span::new(content, openai::origin(index, message));
        add(content, vec![span]);
    }
    if at < text.len() {
        spans.push(Span::new(&text[at..], SpanOrigin::Template));
    }
    spans
}
