//! The JSON interface of the command line's batches: one object validates a history, builds or renders
//! arguments, or layers a session. Its format is stable.

use promptdeck_chat::timestamp::{Moment, MomentError};
use promptdeck_core::registry::Diagnostic;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    arguments::{self, ArgumentError, Sources},
    call_keys,
    history::{self, HistoryError, Rule, Violation},
    layers::{self, Layered, Session, SessionError},
    prompt::{PromptGap, TextLoop},
    template::{self, Limits, TemplateError},
    tokens::CountTokens,
};

/// How many expressions without a value an answer lists.
const MAX_GAPS: usize = 100;

/// A question that can't be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// A part that must be there is not, or has another type.
    #[error("/{field}: expected {expected}")]
    Field {
        /// The key.
        field: &'static str,
        /// What it should hold.
        expected: &'static str,
    },
    /// The messages can't be judged.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The arguments can't be built.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// The session can't be read.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// `now` names no moment.
    #[error("/now: {0}")]
    Now(#[from] MomentError),
}

impl AskError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Field { .. } => "wrong_type",
            Self::History(error) => error.code(),
            Self::Arguments(error) => error.code(),
            Self::Session(error) => error.code(),
            Self::Now(error) => error.code(),
        }
    }
}

/// The verdict on a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryAnswer {
    /// Always true.
    pub ok: bool,
    /// Whether every rule is kept.
    pub valid: bool,
    /// The rules that are not, in the order of the messages.
    pub violations: Vec<Broken>,
    /// Keys that are probably misspelled, and messages without a content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Which one.
    pub rule: Rule,
    /// At which message, counted from 0.
    pub index: usize,
    /// One line that names the message and the ids.
    pub message: String,
}

impl From<Violation> for Broken {
    fn from(violation: Violation) -> Self {
        Self {
            rule: violation.rule,
            index: violation.index,
            message: violation.message,
        }
    }
}

/// Checks the messages of `{"messages", "follow_up"?}`.
///
/// # Errors
/// [`AskError::Field`] if the question has a value of the wrong type.
pub fn history(question: &Map<String, Value>) -> Result<HistoryAnswer, AskError> {
    let messages = question
        .get("messages")
        .and_then(Value::as_array)
        .ok_or(AskError::Field {
            field: "messages",
            expected: "a list of messages",
        })?;
    let follow_up = match question.get("follow_up") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => *flag,
        Some(_) => {
            return Err(AskError::Field {
                field: "follow_up",
                expected: "true or false",
            });
        }
    };
    let violations: Vec<Broken> = history::validate(messages, follow_up)?
        .into_iter()
        .map(Broken::from)
        .collect();
    Ok(HistoryAnswer {
        ok: true,
        valid: violations.is_empty(),
        violations,
        diagnostics: call_keys::of_messages(messages),
    })
}

/// A context, or what became of a template with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArgumentsAnswer {
    /// Always true.
    pub ok: bool,
    /// What was asked for.
    #[serde(flatten)]
    pub given: Given,
    /// Arguments hidden by a namespace, keys that nothing reads, expressions without a value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// What a question about arguments is answered with.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Given {
    /// Without a template: the context.
    Context {
        /// What a template may read.
        context: Map<String, Value>,
    },
    /// With one: its rendering.
    Rendered {
        /// The output, or the template's own text.
        output: String,
        /// Why there is no output.
        error: Option<TemplateError>,
    },
}

/// Builds the context of `{"now", "assistant"?, ..., "defaults"?}` and renders `"template"` with
/// it.
///
/// # Errors
/// [`AskError::Field`] if the question has a value of the wrong type. A failed rendering is part of
/// the answer.
pub fn arguments(question: &Map<String, Value>) -> Result<ArgumentsAnswer, AskError> {
    let part = |field: &'static str| match question.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(_) => Err(AskError::Field {
            field,
            expected: "an object",
        }),
    };
    let text = |field: &'static str| match question.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(AskError::Field {
            field,
            expected: "text",
        }),
    };
    let now = text("now")?.ok_or(AskError::Field {
        field: "now",
        expected: "the date and time of the call, like 2026-01-15T10:30:00Z",
    })?;
    let built = arguments::build(&Sources {
        now: Moment::parse(now)?,
        assistant: part("assistant")?,
        conversation: part("conversation")?,
        session: part("session")?,
        message: part("message")?,
        args: part("args")?,
        defaults: part("defaults")?,
    })?;
    let mut diagnostics = built.diagnostics;
    for name in ["assistant", "conversation", "session", "message"] {
        let part = part(name)?;
        diagnostics.extend(
            part.into_iter()
                .flat_map(|part| call_keys::of_part(name, part)),
        );
    }
    let given = match text("template")? {
        None => Given::Context {
            context: built.context,
        },
        Some(source) => {
            let limits = Limits::default().with_room_for(&built.context);
            let rendering = template::render_with(source, &[], &built.context, &limits);
            let text_loops = rendering.text_loops.iter();
            let text_loops = text_loops
                .filter_map(|looped| TextLoop::of(looped, source))
                .map(|found| found.diagnostic_at("/template".to_owned(), "args"));
            diagnostics.extend(text_loops.take(MAX_GAPS));
            let gaps = rendering.gaps.into_iter();
            diagnostics.extend(gaps.take(MAX_GAPS).map(|gap| {
                PromptGap::of(gap, source).diagnostic_at("/template".to_owned(), Some("args"))
            }));
            Given::Rendered {
                output: rendering.output,
                error: rendering.error,
            }
        }
    };
    Ok(ArgumentsAnswer {
        ok: true,
        given,
        diagnostics,
    })
}

/// A layered request.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayersAnswer {
    /// Always true.
    pub ok: bool,
    /// The request and its layers.
    #[serde(flatten)]
    pub layered: Layered,
}

/// Builds the layered request of a session document.
///
/// # Errors
/// If the document is not a valid session.
pub fn layers(
    question: &Map<String, Value>,
    counter: &dyn CountTokens,
) -> Result<LayersAnswer, AskError> {
    let session = Session::read(question)?;
    let mut layered = layers::build(&session, counter);
    layered
        .diagnostics
        .splice(0..0, layers::turn_keys::lint(question, ""));
    Ok(LayersAnswer { ok: true, layered })
}
