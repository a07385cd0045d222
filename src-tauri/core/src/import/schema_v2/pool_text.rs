//! Items with a text and a list: printed one above the other there, the list alone here. The text
//! becomes the list's heading.

use promptdeck_python::text::{is_space, strip};
use serde_json::{Map, Value};

use super::draft::{Draft, filled, identity};
use super::token::Token;

/// Puts the texts of such items over their lists, where a token prints both.
pub(super) fn to_heading(draft: &mut Draft) {
    for section in draft.sections() {
        let tokens = draft.tokens_of(&section);
        let required = draft.required(&section);
        let read = draft.reads(&section, "text") || draft.reads(&section, "items");
        let mut done = Vec::new();
        for (index, item) in draft.items_mut(&section).enumerate() {
            let text = item.get("text").and_then(Value::as_str).unwrap_or_default();
            let text = strip(text).to_owned();
            let Some(Value::Array(entries)) = item.get("items") else {
                continue;
            };
            let empty = entries.is_empty();
            if text.chars().all(is_space)
                || !tokens
                    .iter()
                    .any(|token| prints_whole(token, item, required))
            {
                continue;
            }
            if empty {
                item.shift_remove("items");
            } else {
                let heading = filled(item, "pre_context").or_else(|| filled(item, "pre_context:"));
                let heading = heading.map_or_else(
                    || format!("{text}\n"),
                    |heading| format!("{text}\n\n{heading}"),
                );
                item.shift_remove("pre_context:");
                item.insert("pre_context".to_owned(), Value::String(heading));
                if !read {
                    item.shift_remove("text");
                }
            }
            done.push((index.to_string(), empty));
        }
        for (index, empty) in done {
            let at = [section.as_str(), "items", &index];
            if empty {
                draft.converted(
                    &at,
                    "its list is empty; left out, its text prints".to_owned(),
                );
            } else {
                draft.not_supported(
                    &at,
                    "a text above a list is the list's heading in Promptdeck: a lone entry gets a bullet, \
                     lists that follow may join it, and the mode none drops both"
                        .to_owned(),
                );
            }
        }
    }
}

/// Whether a token may print that item as a whole.
fn prints_whole(token: &Token, item: &Map<String, Value>, required: bool) -> bool {
    match token {
        Token::Whole { .. } => required,
        Token::Field { field, .. } => {
            identity(item) == Some(field) || (required && !item.contains_key(field.as_str()))
        }
        _ => false,
    }
}
