//! Prompt arguments: the six namespaces a template may read, and how defaults, runtime arguments
//! and namespaces are merged into one context. Rendering is [`template`](super::template)'s.

use promptdeck_chat::timestamp::{Moment, MomentError};
use serde_json::{Map, Value, json};

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};

use crate::codes;

/// The names that belong to the program; no argument at the root may take one of them.
pub const NAMESPACES: [&str; 6] = [
    "system",
    "assistant",
    "conversation",
    "session",
    "message",
    "args",
];

/// What a context is made of. Every part but `now` may be missing.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The moment of the call.
    pub now: Moment,
    /// Who the assistant is.
    pub assistant: Option<&'a Map<String, Value>>,
    /// The conversation's identity and dates.
    pub conversation: Option<&'a Map<String, Value>>,
    /// How the session is held.
    pub session: Option<&'a Map<String, Value>>,
    /// The user message the call is about.
    pub message: Option<&'a Map<String, Value>>,
    /// The runtime arguments.
    pub args: Option<&'a Map<String, Value>>,
    /// The template variables' defaults.
    pub defaults: Option<&'a Map<String, Value>>,
}

impl Sources<'_> {
    /// Nothing but the moment.
    #[must_use]
    pub fn at(now: Moment) -> Self {
        Self {
            now,
            assistant: None,
            conversation: None,
            session: None,
            message: None,
            args: None,
            defaults: None,
        }
    }
}

/// The context of a rendering, and what is odd about it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    /// What a template may read: the namespaces, and the arguments once more at the root.
    pub context: Map<String, Value>,
    /// Arguments that could not have their copy at the root.
    pub diagnostics: Vec<Diagnostic>,
}

/// A part of the sources that has the wrong type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// A field that is shown as text holds a list or an object.
    #[error("/{namespace}/{field}: expected text or a number, found {found}")]
    NotText {
        /// The namespace.
        namespace: &'static str,
        /// The field in it.
        field: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// `now` names no moment.
    #[error("/now: {0}")]
    Now(#[from] MomentError),
}

impl ArgumentError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotText { .. } => "wrong_type",
            Self::Now(error) => error.code(),
        }
    }

    /// JSON pointer to the value, counted from the call document.
    #[must_use]
    pub fn pointer(&self) -> String {
        match self {
            Self::NotText {
                namespace, field, ..
            } => format!("/{namespace}/{field}"),
            Self::Now(_) => "/now".to_owned(),
        }
    }
}

/// Builds the context: namespaces take precedence over arguments, and arguments over defaults. The
/// sources are copied, so that later changes do not affect the context.
///
/// # Errors
/// [`ArgumentError`] if a source has a value of the wrong type.
pub fn build(sources: &Sources<'_>) -> Result<Arguments, ArgumentError> {
    let mut diagnostics = Vec::new();
    let args = sources.args.cloned().unwrap_or_default();
    let mut runtime = namespaces(sources)?;
    for (name, value) in &args {
        if NAMESPACES.contains(&name.as_str()) {
            diagnostics.push(hidden(name));
        } else {
            runtime.insert(name.clone(), value.clone());
        }
    }
    runtime.insert("args".to_owned(), Value::Object(args));
    let mut context = sources.defaults.cloned().unwrap_or_default();
    merge(&mut context, runtime);
    Ok(Arguments {
        context,
        diagnostics,
    })
}

/// Lays `over` upon `base`: maps are merged key by key, anything else replaces what was there.
pub fn merge(base: &mut Map<String, Value>, over: Map<String, Value>) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => merge(below, above),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn hidden(name: &str) -> Diagnostic {
    Diagnostic::new(
        codes::ARGUMENT_HIDDEN,
        Severity::Warning,
        format!("the argument {name:?} has the name of a namespace; write args.{name} to read it"),
        format!("/args/{name}"),
        DiagnosticData::of(DataKey::Name, name).with(DataKey::Replacement, format!("args.{name}")),
    )
}

fn namespaces(sources: &Sources<'_>) -> Result<Map<String, Value>, ArgumentError> {
    let mut conversation = texts(
        "conversation",
        sources.conversation,
        &[
            "id",
            "identifier",
            "source",
            "direction",
            "created_date",
            "updated_date",
        ],
    )?;
    if let Some(seconds) = duration(sources) {
        conversation.insert("duration".to_owned(), Value::from(seconds));
    }
    let session = texts("session", sources.session, &["mode"])?;
    let mut all = Map::new();
    all.insert("system".to_owned(), system(sources.now));
    all.insert(
        "assistant".to_owned(),
        Value::Object(texts(
            "assistant",
            sources.assistant,
            &["name", "id", "language", "description"],
        )?),
    );
    all.insert("conversation".to_owned(), Value::Object(conversation));
    if !session.is_empty() {
        all.insert("session".to_owned(), Value::Object(session));
    }
    all.insert(
        "message".to_owned(),
        Value::Object(texts("message", sources.message, &["text", "language"])?),
    );
    Ok(all)
}

/// The `system` namespace: one moment in every form a prompt may show. All UTC.
fn system(now: Moment) -> Value {
    json!({
        "current_date": now.format("%Y-%m-%d"),
        "current_time": now.format("%H:%M:%S"),
        "current_datetime": now.rfc3339(),
        "day_of_week": now.format("%A"),
        "date_rfc1123": now.format("%a, %d %b %Y %H:%M:%S UTC"),
        "date_unix": now.unix_seconds(),
        "date_unix_ms": now.unix_ms(),
    })
}

/// The known fields that have a value, as text.
fn texts(
    namespace: &'static str,
    source: Option<&Map<String, Value>>,
    fields: &[&'static str],
) -> Result<Map<String, Value>, ArgumentError> {
    let mut known = Map::new();
    for &field in fields {
        let text = match source.and_then(|source| source.get(field)) {
            None | Some(Value::Null) => continue,
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(other) => {
                return Err(ArgumentError::NotText {
                    namespace,
                    field,
                    found: kind(other),
                });
            }
        };
        // A mode that is empty is no mode.
        if field == "mode" && text.is_empty() {
            continue;
        }
        known.insert(field.to_owned(), Value::from(text));
    }
    Ok(known)
}

/// How long the conversation has lasted, when its beginning can be read.
fn duration(sources: &Sources<'_>) -> Option<i64> {
    let created = sources.conversation?.get("created_date")?.as_str()?;
    sources.now.seconds_since(Moment::parse(created).ok()?)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
