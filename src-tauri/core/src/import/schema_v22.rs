//! Schema version 22, the dialect of promptlibretto 0.5 and 0.6: the canonical model with some older
//! spellings and some differences in meaning.

use serde_json::{Map, Value};

use super::{ConversionStatus, ReportEntry, pointer::pointer};
use crate::hydrate::Token;
use crate::registry::{ParseError, bare_name, check, is_section};

/// Keys of an item and of a section that hold a text, where that dialect also takes a number.
const TEXTS: [&str; 7] = [
    "id",
    "name",
    "text",
    "context",
    "pre_context",
    "pre_context:",
    "scale_emotion",
];

/// Defaults of a section, which promptlibretto applies in its studio only.
const DEFAULT_KEYS: [&str; 5] = [
    "selected",
    "section_random",
    "array_modes",
    "slider",
    "slider_random",
];

struct Converter {
    registry: Map<String, Value>,
    lines: Vec<ReportEntry>,
}

/// Converts a registry of schema version 22. Values of the wrong type are rejected later, by the
/// parser of the canonical form.
pub(super) fn convert(
    registry: Map<String, Value>,
) -> Result<(Map<String, Value>, Vec<ReportEntry>), ParseError> {
    let at = check::FieldPath::ROOT;
    let mut errors = check::TypeErrors::default();
    let mut orders: Vec<(Vec<String>, Vec<String>)> = vec![(
        vec!["assembly_order".to_owned()],
        check::texts(&registry, "assembly_order", &at, &mut errors),
    )];
    let routes = errors.or_default(check::object(&registry, "routes", &at));
    for (name, route) in routes.into_iter().flatten() {
        if let Value::Object(route) = route {
            let at = at.key("routes");
            let keys = ["routes", name, "assembly_order"].map(str::to_owned);
            let order = check::texts(route, "assembly_order", &at.key(name), &mut errors);
            orders.push((keys.to_vec(), order));
        }
    }
    errors.first_or(())?;
    let mut converter = Converter {
        registry,
        lines: Vec::new(),
    };
    let sections: Vec<String> = converter
        .registry
        .iter()
        .filter(|(name, value)| is_section(name, value))
        .map(|(name, _)| name.clone())
        .collect();
    for name in &sections {
        converter.section(name);
    }
    for (keys, order) in &orders {
        for (position, token) in order.iter().enumerate() {
            converter.token(keys, position, token);
        }
    }
    Ok((converter.registry, converter.lines))
}

impl Converter {
    fn report(&mut self, status: ConversionStatus, at: &[&str], message: &str) {
        self.lines.push(ReportEntry {
            status,
            pointer: pointer(at),
            message: message.to_owned(),
            place: None,
        });
    }

    fn section(&mut self, name: &str) {
        let Some(Value::Object(section)) = self.registry.get_mut(name) else {
            return;
        };
        let mut found: Vec<(ConversionStatus, Vec<String>, &str)> = Vec::new();
        let texts = section.get("template_vars").and_then(Value::as_array);
        let braced = texts
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .any(|name| bare_name(name) != name);
        if braced {
            found.push((
                ConversionStatus::NotSupported,
                vec!["template_vars".to_owned()],
                "a variable declared in braces keeps them in a call's state in promptlibretto; its name is bare in Promptdeck",
            ));
        }
        for key in DEFAULT_KEYS
            .iter()
            .filter(|key| section.contains_key(**key))
        {
            found.push((
                ConversionStatus::Ambiguous,
                vec![(*key).to_owned()],
                "in Promptdeck this is the default of a call; promptlibretto applies it in its studio, not in its library",
            ));
        }
        if let Some(Value::Object(defaults)) = section.get_mut("template_var_defaults") {
            for (name, value) in defaults.iter_mut() {
                let path = || vec!["template_var_defaults".to_owned(), name.clone()];
                if let Value::Number(number) = value {
                    *value = Value::String(number.to_string());
                    found.push((
                        ConversionStatus::Converted,
                        path(),
                        "the number became a text",
                    ));
                }
                if value.as_str().is_some_and(|text| text.contains('{')) {
                    let message =
                        "braces in a value are filled in promptlibretto, and printed in Promptdeck";
                    found.push((ConversionStatus::NotSupported, path(), message));
                }
            }
        }
        if let Some(Value::Array(items)) = section.get_mut("items") {
            for (index, item) in items.iter_mut().enumerate() {
                if let Value::Object(item) = item {
                    for (status, key, message) in convert_item(item) {
                        let path = vec!["items".to_owned(), index.to_string(), key];
                        found.push((status, path, message));
                    }
                }
            }
        }
        for (status, path, message) in found {
            let mut at = vec![name];
            at.extend(path.iter().map(String::as_str));
            self.report(status, &at, message);
        }
    }

    fn token(&mut self, keys: &[String], position: usize, text: &str) {
        let position = position.to_string();
        let mut at: Vec<&str> = keys.iter().map(String::as_str).collect();
        at.push(&position);
        let Ok(token) = Token::parse(text) else {
            return;
        };
        let section = self.registry.get(token.section());
        let holds = |key: &str| section.is_some_and(|section| section.get(key).is_some());
        match &token {
            Token::Bracket { section, inner } => {
                let plain = section
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
                if !plain || matches!(**inner, Token::Bracket { .. }) {
                    let message =
                        "this bracket is not read in promptlibretto, and prints in Promptdeck";
                    self.report(ConversionStatus::NotSupported, &at, message);
                }
            }
            Token::Dotted { section, field } if field == "scale" => {
                let sentence = holds("scale_template");
                if section != "sentiment" && (sentence || holds("slider") || holds("slider_random"))
                {
                    let message = "only sentiment has a scale in promptlibretto; in Promptdeck every slider has one";
                    self.report(ConversionStatus::NotSupported, &at, message);
                } else if section == "sentiment" && !sentence {
                    let message = "0.5.0 and 0.5.1 say \"on a scale of 1-10 chat is ...\", later \
                                   releases the sentence of Promptdeck";
                    self.report(ConversionStatus::Ambiguous, &at, message);
                }
            }
            Token::Bare { section } | Token::Dotted { section, .. }
                if section == "runtime_injections" && self.optional(section) =>
            {
                let message = "active injections print in Promptdeck and once more at the end in promptlibretto; only \
                               once in Promptdeck";
                self.report(ConversionStatus::NotSupported, &at, message);
            }
            Token::Dotted { section, field } if field == "text" && self.lone_fragments(section) => {
                let message =
                    "fragments without a `text` print in Promptdeck, and nothing in promptlibretto";
                self.report(ConversionStatus::NotSupported, &at, message);
            }
            Token::Bare { .. } | Token::Dotted { .. } => {}
        }
    }

    fn optional(&self, section: &str) -> bool {
        let required = self
            .registry
            .get(section)
            .and_then(|map| map.get("required"));
        required == Some(&Value::Bool(false))
    }

    fn lone_fragments(&self, section: &str) -> bool {
        let items = self.registry.get(section).and_then(|map| map.get("items"));
        let mut items = items.and_then(Value::as_array).into_iter().flatten();
        items.any(|item| {
            let fragments = item.get("fragments").and_then(Value::as_array);
            item.get("text").is_none() && fragments.is_some_and(|list| !list.is_empty())
        })
    }
}

/// Converts one item and reports on its keys.
fn convert_item(item: &mut Map<String, Value>) -> Vec<(ConversionStatus, String, &'static str)> {
    let mut lines = Vec::new();
    for key in TEXTS {
        if let Some(Value::Number(number)) = item.get(key) {
            let text = Value::String(number.to_string());
            item.insert(key.to_owned(), text);
            lines.push((
                ConversionStatus::Converted,
                key.to_owned(),
                "the number became a text",
            ));
        }
    }
    if item.contains_key("pre_context:") {
        let message = "the heading is spelled `pre_context` now";
        lines.push((
            ConversionStatus::Converted,
            "pre_context:".to_owned(),
            message,
        ));
    }
    for (key, value) in item.iter() {
        let odd =
            |value: &Value| matches!(value, Value::Bool(_) | Value::Object(_) | Value::Array(_));
        let Value::Array(entries) = value else {
            continue;
        };
        if key == "fragments" {
            if entries.iter().any(|fragment| fragment.get("var").is_some()) {
                let message = "the condition is spelled `if_var` now";
                lines.push((ConversionStatus::Converted, key.clone(), message));
            }
        } else if entries.iter().any(odd) {
            let message = "booleans, lists and objects in a list print as JSON in Promptdeck";
            lines.push((ConversionStatus::NotSupported, key.clone(), message));
        }
    }
    lines
}
