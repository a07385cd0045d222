//! The settings above the template of a prompt file, in YAML.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Input;
use crate::registry::Registry;

/// Generation settings, and what the formats call them.
const PARAMETERS: [(&str, &str, &str); 4] = [
    ("temperature", "temperature", "temperature"),
    ("top_p", "topP", "top_p"),
    ("top_k", "topK", "top_k"),
    ("max_tokens", "maxOutputTokens", "max_tokens"),
];

/// The settings of a dotprompt file; what it says is taken from `generation`.
pub(super) fn dotprompt(
    registry: &Registry,
    generation: &mut Map<String, Value>,
    inputs: &BTreeMap<String, Input>,
) -> String {
    let mut yaml = head(registry);
    if let Some(Value::String(model)) = generation.shift_remove("model") {
        yaml.push_str(&format!("model: {}\n", text(&model)));
    }
    let parameters = parameters(generation, "  ", |(_, theirs, _)| theirs);
    if !parameters.is_empty() {
        yaml.push_str("config:\n");
        yaml.push_str(&parameters);
    }
    if !inputs.is_empty() {
        yaml.push_str("input:\n  schema:\n");
        for (name, input) in inputs {
            let mark = if input.is_optional { "?" } else { "" };
            yaml.push_str(&format!("    {}: string\n", text(&format!("{name}{mark}"))));
        }
        let mut defaults = inputs
            .iter()
            .filter_map(|(name, input)| Some((name, input.value.as_ref()?)))
            .peekable();
        if defaults.peek().is_some() {
            yaml.push_str("  default:\n");
        }
        for (name, value) in defaults {
            yaml.push_str(&format!("    {}: {}\n", text(name), text(value)));
        }
    }
    yaml
}

/// The settings of a Prompty file; what it says is taken from `generation`.
pub(super) fn prompty(
    registry: &Registry,
    generation: &mut Map<String, Value>,
    inputs: &BTreeMap<String, Input>,
) -> String {
    let mut yaml = head(registry);
    let model = generation.shift_remove("model");
    let parameters = parameters(generation, "    ", |(.., theirs)| theirs);
    if model.is_some() || !parameters.is_empty() {
        yaml.push_str("model:\n  api: chat\n");
    }
    if let Some(Value::String(model)) = model {
        yaml.push_str(&format!("  id: {}\n", text(&model)));
    }
    if !parameters.is_empty() {
        yaml.push_str("  parameters:\n");
        yaml.push_str(&parameters);
    }
    if !inputs.is_empty() {
        yaml.push_str("inputs:\n");
        for (name, input) in inputs {
            yaml.push_str(&format!("  {}:\n    type: string\n", text(name)));
            if let Some(value) = &input.value {
                yaml.push_str(&format!("    default: {}\n", text(value)));
            }
        }
    }
    yaml
}

fn head(registry: &Registry) -> String {
    let mut yaml = String::new();
    for (key, value) in [
        ("name", registry.title()),
        ("description", registry.description()),
    ] {
        if let Some(value) = value {
            yaml.push_str(&format!("{key}: {}\n", text(value)));
        }
    }
    yaml
}

/// Takes the parameters that a format has from the settings.
fn parameters<'n>(
    generation: &mut Map<String, Value>,
    indent: &str,
    name: impl Fn((&'n str, &'n str, &'n str)) -> &'n str,
) -> String {
    let mut yaml = String::new();
    for parameter in PARAMETERS {
        if let Some(value @ Value::Number(_)) = generation.shift_remove(parameter.0) {
            yaml.push_str(&format!("{indent}{}: {value}\n", name(parameter)));
        }
    }
    yaml
}

/// A text as YAML: every JSON string is one.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}
