//! The dynamic layer: files, artifacts, todos and the time, as a JSON text that is valid whatever
//! they hold.

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData, Severity};
use serde_json::Value;

use super::{Session, static_layer::render_with};
use crate::codes;

/// The template used unless the session brings its own `dynamic.j2`.
pub const DEFAULT_DYNAMIC_TEMPLATE: &str = include_str!("dynamic.j2");

/// Renders the layer.
pub fn render(session: &Session, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut context = session.volatile.clone();
    for list in ["file_references", "artifacts", "todos"] {
        context
            .entry(list)
            .or_insert_with(|| Value::Array(Vec::new()));
    }
    let now = session.now.map(Moment::rfc3339).map(Value::from);
    context.insert("current_datetime".to_owned(), now.unwrap_or_default());
    if let Some(custom_template) = &session.dynamic_template {
        match rendered_json(custom_template, &context) {
            Ok(text) => return text,
            Err(reason) => diagnostics.push(Diagnostic::new(
                codes::DYNAMIC_TEMPLATE,
                Severity::Error,
                format!("dynamic.j2 of the session is not used: {reason}"),
                "/templates/dynamic.j2",
                DiagnosticData::of(DataKey::Template, "dynamic.j2").with(DataKey::Reason, reason),
            )),
        }
    }
    rendered_json(DEFAULT_DYNAMIC_TEMPLATE, &context)
        .unwrap_or_else(|_| Value::Object(context).to_string())
}

fn rendered_json(
    template: &str,
    context: &serde_json::Map<String, Value>,
) -> Result<String, String> {
    let text = render_with(template, context)?;
    match serde_json::from_str::<serde::de::IgnoredAny>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("its output is not JSON: {error}")),
    }
}
