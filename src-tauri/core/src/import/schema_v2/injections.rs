//! Runtime injections: in promptlibretto they only print, in Promptdeck they also filter sections.

use promptdeck_python::text::strip;
use serde_json::{Value, json};

use super::draft::Draft;
use super::token::Token;

const SECTION: &str = "runtime_injections";

/// Makes the injections include every section, and places their texts where promptlibretto does.
pub(super) fn place(draft: &mut Draft) {
    let whole = Token::Whole {
        section: SECTION.to_owned(),
    };
    if draft.section(SECTION).is_none() {
        return;
    }
    if draft.required(SECTION) {
        for order in &mut draft.orders {
            order
                .tokens
                .retain(|(_, token)| *token != Token::Injections);
        }
        let message = "a required section has no active injections; the entry prints nothing in promptlibretto";
        draft.converted(&[SECTION], message.to_owned());
        return;
    }
    for order in &mut draft.orders {
        let has_injections = order
            .tokens
            .iter()
            .any(|(_, token)| *token == Token::Injections);
        if !has_injections {
            let end = order.tokens.len();
            order.tokens.push((end, Token::Injections));
        }
    }
    let others = draft.tokens_of(SECTION).len() > 1;
    draft.replace(&Token::Injections, &whole);
    let names = draft.sections();
    let mut trimmed = false;
    let mut changed = false;
    let mut fragments = Vec::new();
    for (index, item) in draft.items_mut(SECTION).enumerate() {
        let all = json!(names);
        changed |= item.insert("include_sections".to_owned(), all.clone()) != Some(all);
        if let Some(Value::String(text)) = item.get_mut("text") {
            let bare = strip(text);
            if bare.len() < text.len() {
                *text = bare.to_owned();
                trimmed = true;
            }
        }
        let has_fragments = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
        if item.get("fragments").is_some_and(has_fragments) {
            fragments.push(index.to_string());
        }
    }
    if changed {
        let message = "an injection leaves out the sections it does not include in Promptdeck, and none \
                       in promptlibretto; each includes all of them";
        draft.converted(&[SECTION, "items"], message.to_owned());
    }
    if trimmed && others {
        let message = "the entry injections leaves out the blanks around their texts in promptlibretto, and \
                       no entry does in Promptdeck; left out";
        draft.not_supported(&[SECTION, "items"], message.to_owned());
    } else if trimmed {
        let message = "blanks around their texts are never printed in promptlibretto; left out";
        draft.converted(&[SECTION, "items"], message.to_owned());
    }
    for index in fragments {
        let message =
            "an injection prints its fragments in Promptdeck, and never in promptlibretto";
        draft.not_supported(&[SECTION, "items", &index, "fragments"], message.to_owned());
    }
}
