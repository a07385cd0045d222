//! Reports differences in output that no conversion step covers.

use promptdeck_python::text::is_space;
use serde_json::{Map, Value};

use super::draft::{Draft, filled};
use super::token::Token;
use crate::registry::is_section;

/// Settings of promptlibretto 0.8's memory, which has no counterpart.
const MEMORY: [&str; 3] = ["memory_config", "memory_rules", "style_blend"];

/// Fragments without a `text` are printed by `section.text` here.
pub(super) fn lone_fragments(draft: &mut Draft) {
    for section in draft.sections() {
        if !draft.required(&section) || !draft.reads(&section, "text") {
            continue;
        }
        let lone = |item: &Map<String, Value>| {
            !item.contains_key("text")
                && item
                    .get("fragments")
                    .and_then(Value::as_array)
                    .is_some_and(|fragments| !fragments.is_empty())
        };
        if draft.items(&section).any(lone) {
            let message = format!("{section}.text prints fragments without a `text` in Promptdeck");
            draft.not_supported(&[&section, "items"], message);
        }
    }
}

/// Reports the remaining differences.
pub(super) fn report(draft: &mut Draft) {
    for section in draft.sections() {
        printed(draft, &section);
        if !draft.required(&section) {
            several(draft, &section);
        }
        let related = |item: &Map<String, Value>| {
            item.contains_key("requires") || item.contains_key("excludes")
        };
        if draft.items(&section).any(related) {
            let message = "`requires` and `excludes` steer rolls in Promptdeck, and nothing in promptlibretto";
            draft.not_supported(&[&section, "items"], message.to_owned());
        }
        if draft
            .items(&section)
            .any(|item| item.contains_key("weight"))
        {
            let message = "`weight` decides how often an item is rolled in Promptdeck, and nothing in promptlibretto";
            draft.not_supported(&[&section, "items"], message.to_owned());
        }
        let rolled = draft
            .section(&section)
            .is_some_and(|map| map.contains_key("section_random"));
        if rolled && section == "runtime_injections" {
            let message =
                "an injection that is rolled prints in Promptdeck, and nothing in promptlibretto";
            draft.not_supported(&[&section], message.to_owned());
        }
    }
    for key in MEMORY {
        let Some(value) = draft.reserved.shift_remove(key) else {
            continue;
        };
        if is_section(key, &value) {
            let message = "it would be a section in Promptdeck; left out".to_owned();
            draft.not_supported(&[key], message);
        } else {
            draft.registry.insert(key.to_owned(), value);
            draft.unread(
                &[key],
                "there is no memory in Promptdeck; kept as written".to_owned(),
            );
        }
    }
    let cut = |policy: Option<&Value>| {
        policy
            .and_then(|policy| policy.get("max_length"))
            .is_some_and(|length| !length.is_null())
    };
    if cut(draft.registry.get("output_policy")) {
        let message = "0.8 cuts an answer at a word near `max_length`, 0.7 at the length itself as in Promptdeck";
        draft.ambiguous(&["output_policy", "max_length"], message.to_owned());
    }
}

/// Values that print as Python spells them there, and as JSON here.
fn printed(draft: &mut Draft, section: &str) {
    let odd = |value: &Value| matches!(value, Value::Bool(_) | Value::Object(_) | Value::Array(_));
    let mut fields = vec!["items".to_owned(), "examples".to_owned()];
    for token in draft.tokens_of(section) {
        if let Token::Field { field, .. } = token {
            fields.push(field);
        }
    }
    let mut found = Vec::new();
    for (index, item) in draft.items(section).enumerate() {
        for field in &fields {
            let prints_oddly = match item.get(field) {
                Some(Value::Array(entries)) => entries.iter().any(odd),
                Some(value) => odd(value),
                None => false,
            };
            if prints_oddly && !found.contains(&(index, field.clone())) {
                found.push((index, field.clone()));
            }
        }
    }
    for (index, field) in found {
        let message = "booleans, lists and objects print as JSON in Promptdeck".to_owned();
        draft.not_supported(&[section, "items", &index.to_string(), &field], message);
    }
}

/// Several chosen items, printed one after the other.
fn several(draft: &mut Draft, section: &str) {
    let tokens = draft.tokens_of(section);
    for field in ["items", "examples"] {
        let mut headings: Vec<Option<&str>> = draft
            .items(section)
            .filter(|item| item.get(field).is_some_and(Value::is_array))
            .map(|item| filled(item, "pre_context").or_else(|| filled(item, "pre_context:")))
            .collect();
        headings.sort_unstable();
        headings.dedup();
        let read = tokens
            .iter()
            .any(|token| matches!(token, Token::Field { .. } | Token::Groups { .. }));
        if headings.len() > 1 && read {
            let message = "lists of several items go under the first heading in Promptdeck, and stay apart \
                           in promptlibretto when their headings differ";
            draft.not_supported(&[section, "items"], message.to_owned());
        }
    }
    let blank = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        !text.is_empty() && text.chars().all(is_space)
    };
    let field = |token: &Token| match token {
        Token::Whole { .. } => Some("text".to_owned()),
        Token::Field { field, .. } => Some(field.clone()),
        _ => None,
    };
    let fields: Vec<String> = tokens.iter().filter_map(field).collect();
    let lonely = draft.items(section).any(|item| {
        fields
            .iter()
            .any(|field| item.get(field).is_some_and(blank))
    });
    if lonely {
        let message = "a text of nothing but blanks leaves no gap in Promptdeck".to_owned();
        draft.not_supported(&[section, "items"], message);
    }
}
