//! The text of a chat template from a call document. The template is brought along: this module
//! knows the messages, not the templates.

use serde_json::{Value, json};

use super::{Parts, Request, TargetError, openai};
use crate::{
    chat::{
        self, ChatFormat, Family, RenderError,
        builtin::Builtin,
        detect::ModelConfig,
        factory,
        jinja::{self, Template},
    },
    request::{
        moment::Moment,
        pipeline::content_text,
        span::{Span, SpanOrigin},
    },
};

/// Renders messages to the text a model is given.
pub trait RenderChat {
    /// Renders messages and tools, a generation prompt at the end; a template that asks what time it
    /// is gets `now`.
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        now: Moment,
    ) -> Result<String, TargetError>;
}

/// A model's own template and the tokens its texts begin and end with.
pub struct ModelTemplate<'a> {
    /// The template.
    pub template: &'a Template,
    /// The token texts begin with.
    pub bos_token: Option<String>,
    /// The token texts end with.
    pub eos_token: Option<String>,
}

impl RenderChat for ModelTemplate<'_> {
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        now: Moment,
    ) -> Result<String, TargetError> {
        chat::Request {
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            ..request(messages, tools, now)
        }
        .render(self.template)
        .map_err(refused)
    }
}

/// The builtin format of a family of models, for those that bring no template.
pub struct FamilyFormat(Builtin);

impl FamilyFormat {
    /// The format of the family of that name, such as `QWEN_3_X` or `chatml`.
    pub fn named(name: &str) -> Result<Self, TargetError> {
        let family = Family::named(name).ok_or_else(|| TargetError::Chat {
            code: "unknown_family",
            message: format!("no family of models is called {name:?}; name one such as QWEN_3_X"),
        })?;
        Ok(Self(factory::builtin(&ModelConfig::of(family))))
    }
}

impl RenderChat for FamilyFormat {
    fn render(
        &self,
        messages: &[Value],
        tools: &[Value],
        now: Moment,
    ) -> Result<String, TargetError> {
        let request = request(messages, tools, now);
        self.0.format_conversation(&request).map_err(refused)
    }
}

/// What a chat format is asked for.
fn request(messages: &[Value], tools: &[Value], now: Moment) -> chat::Request {
    chat::Request {
        tools: (!tools.is_empty()).then(|| Value::from(tools.to_vec())),
        add_generation_prompt: true,
        now: jinja::Moment::from_seconds(now.unix_seconds(), 0),
        ..chat::Request::of(messages.to_vec())
    }
}

fn refused(error: RenderError) -> TargetError {
    TargetError::Chat {
        code: error.code(),
        message: error.to_string(),
    }
}

/// Builds the request.
pub fn build(parts: &Parts<'_>, chat: &dyn RenderChat) -> Result<Request, TargetError> {
    let messages = openai::messages(parts);
    let tools = openai::tools(&parts.call.tools);
    let text = chat.render(&messages, &tools, parts.now)?;
    let spans = spans(parts, &text);
    Ok(Request {
        body: json!({
            "messages": messages,
            "tools": tools,
            "prompt": text,
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
            .and_then(content_text)
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
