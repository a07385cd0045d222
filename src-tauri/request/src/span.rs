//! A request as a model reads it: one text in spans, each with the part of the request it is. What
//! the cache view compares, and what sizes are taken from.

use promptdeck_core::hydrate::Source;
use serde::Serialize;

use super::prompt::PromptSpan;

/// A piece of a request's text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Span {
    /// The text.
    pub text: String,
    /// What it is.
    pub origin: SpanOrigin,
}

/// What a piece of a request is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SpanOrigin {
    /// The tools.
    Tools,
    /// Authored text of the registry.
    Section {
        /// Where it was authored.
        source: Source,
    },
    /// What an expression in authored text printed.
    Argument {
        /// The expression, as authored.
        expression: String,
        /// Where it was authored, when in a section.
        source: Option<Source>,
    },
    /// Text between sections.
    Glue,
    /// A message.
    Message {
        /// Its place after the prompt, counted from 0.
        index: usize,
        /// Who speaks.
        role: String,
    },
    /// A layer of a Gemini request.
    Layer {
        /// Its name.
        name: String,
    },
    /// What a chat template itself puts around the messages.
    Template,
}

impl Span {
    /// A span of that origin.
    pub fn new(text: impl Into<String>, origin: SpanOrigin) -> Self {
        Self {
            text: text.into(),
            origin,
        }
    }
}

impl From<&PromptSpan> for Span {
    fn from(span: &PromptSpan) -> Self {
        let origin = match (&span.expression, &span.source) {
            (Some(expression), source) => SpanOrigin::Argument {
                expression: expression.clone(),
                source: source.clone(),
            },
            (None, Some(source)) => SpanOrigin::Section {
                source: source.clone(),
            },
            (None, None) => SpanOrigin::Glue,
        };
        Self::new(span.text.clone(), origin)
    }
}

impl SpanOrigin {
    /// The origin in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Tools => "the tools".to_owned(),
            Self::Section { source } => place(source),
            Self::Argument {
                expression,
                source: Some(source),
            } => format!("{{{{ {expression} }}}} in {}", place(source)),
            Self::Argument {
                expression,
                source: None,
            } => format!("{{{{ {expression} }}}}"),
            Self::Glue => "the text between two sections".to_owned(),
            Self::Message { index, role } => format!("message {} ({role})", index + 1),
            Self::Layer { name } => format!("the {name} layer"),
            Self::Template => "the chat template".to_owned(),
        }
    }
}

/// The text of spans.
#[must_use]
pub fn joined(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

fn place(source: &Source) -> String {
    let item = match &source.id {
        Some(id) => format!("item {id}"),
        None => format!("item {}", source.item + 1),
    };
    let place = format!("section {}, {item}, field {}", source.section, source.field);
    match &source.variable {
        Some(variable) => format!("variable {variable} in {place}"),
        None => place,
    }
}
