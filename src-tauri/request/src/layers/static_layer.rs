//! The static layer: what seldom changes, and the turns older than the buffer, as one text.

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::{Map, Value, json};

use super::{Session, Turn};
use crate::{
    codes,
    template::{self, Limits},
};

/// The template used unless the session brings its own `static.j2`.
pub const DEFAULT_STATIC_TEMPLATE: &str = include_str!("static.j2");

/// Renders the layer; empty without fields and turns.
pub fn render(session: &Session, old: &[Turn], diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut context = session.fixed.clone();
    let entries: Vec<Value> = old.iter().filter_map(history_entry).collect();
    diagnostics.extend(old.iter().enumerate().filter_map(without_data));
    context.insert("cached_history".to_owned(), Value::Array(entries));
    if let Some(custom_template) = &session.static_template {
        match render_with(custom_template, &context) {
            Ok(text) => return text,
            Err(error) => diagnostics.push(Diagnostic::new(
                codes::STATIC_TEMPLATE,
                Severity::Error,
                format!("static.j2 of the session is not used: {error}"),
                "/templates/static.j2",
                DiagnosticData::of(DataKey::Template, "static.j2").with(DataKey::Reason, error),
            )),
        }
    }
    match render_with(DEFAULT_STATIC_TEMPLATE, &context) {
        Ok(text) => text,
        Err(error) => {
            diagnostics.push(Diagnostic::new(
                codes::STATIC_TOO_LARGE,
                Severity::Error,
                format!("the static layer is left out: {error}"),
                "/roles",
                DiagnosticData::of(DataKey::Reason, error),
            ));
            String::new()
        }
    }
}

/// Renders a layer's template.
///
/// # Errors
/// The reason on one line.
pub fn render_with(template: &str, context: &Map<String, Value>) -> Result<String, String> {
    let limits = Limits::default().with_room_for(context);
    let rendering = template::render_with(template, &[], context, &limits);
    match rendering.error {
        None => Ok(rendering.output.trim().to_owned()),
        Some(error) => Err(match error.line {
            Some(line) => format!("line {line}: {}", error.message),
            None => error.message,
        }),
    }
}

/// The diagnostic of a turn with parts that are no text, which the layer cannot have.
fn without_data((index, turn): (usize, &Turn)) -> Option<Diagnostic> {
    let Turn::UserTask { parts, .. } = turn else {
        return None;
    };
    let data = parts.iter().find(|part| part.get("text").is_none())?;
    let kind = data.pointer("/inlineData/mimeType").and_then(Value::as_str);
    let kind = kind.unwrap_or("data");
    Some(Diagnostic::new(
        codes::PART_LEFT_OUT,
        Severity::Warning,
        format!(
            "turn {}: {kind} is left out, since the turn is in the static layer, which is a text; \
             lower cached_turn_count to send it",
            index + 1
        ),
        format!("/turns/{index}/parts"),
        DiagnosticData::of(DataKey::Turn, index).with(DataKey::Found, kind),
    ))
}

/// A turn as the template's history entry; none if it is empty.
fn history_entry(turn: &Turn) -> Option<Value> {
    if turn.is_empty() {
        return None;
    }
    let (title, text) = match turn {
        Turn::UserTask { instruction, .. } => ("The user".to_owned(), instruction.clone()),
        Turn::ModelResponse { content, .. } => ("You".to_owned(), content.clone()),
        Turn::FunctionCalling { response, .. } => ("You called".to_owned(), response.clone()),
        Turn::ToolResponse { name, response } => {
            let text = match response {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            (format!("The tool {name} answered"), text)
        }
        Turn::CompressedHistory { content } => ("In short".to_owned(), content.clone()),
    };
    Some(json!({"title": title, "text": text}))
}
