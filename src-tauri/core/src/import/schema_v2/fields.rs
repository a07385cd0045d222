//! Fields whose names mean something else in the canonical model: `examples` carries a heading
//! here, and personas and sentiment print `context`.

use serde_json::{Map, Value};

use super::super::Dialect;
use super::draft::{Draft, filled, identity};
use super::token::Token;

/// Where a list called `examples` goes when it must not carry a heading.
const PLAIN_EXAMPLES: &str = "example_list";

/// Renames such fields, and the tokens that read them.
pub(super) fn rename(draft: &mut Draft) {
    for section in draft.sections() {
        let headed = |item: &Map<String, Value>| {
            let heading = filled(item, "pre_context").or_else(|| filled(item, "pre_context:"));
            heading.is_some() && item.get("examples").is_some_and(Value::is_array)
        };
        let clashes = draft.reads(&section, "examples") && draft.items(&section).any(headed);
        if clashes && !draft.groups_in_examples(&section) {
            swap(draft, &section, "examples", PLAIN_EXAMPLES);
            let message =
                "`examples` carries the heading in Promptdeck; the list is `example_list`";
            draft.converted(&[&section, "items"], message.to_owned());
        }
        if draft.dialect == Dialect::V0_8 && ["personas", "sentiment"].contains(&section.as_str()) {
            rename_primary(draft, &section);
        }
    }
}

/// Release 0.8 prints the `text` of every section, the canonical model the `context` of these.
fn rename_primary(draft: &mut Draft, section: &str) {
    let whole = Token::Whole {
        section: section.to_owned(),
    };
    let fixed = draft
        .items(section)
        .any(|item| item.contains_key("context") || item.contains_key("fragments"));
    let texts = draft.items(section).any(|item| item.contains_key("text"));
    if !texts && !fixed {
        return;
    }
    if !fixed {
        swap(draft, section, "text", "context");
        let message = format!("what `{section}` prints is called `context` in Promptdeck");
        draft.converted(&[section, "items"], message);
        return;
    }
    let tokens = draft.tokens_of(section);
    let named = |item: &Map<String, Value>| {
        tokens.iter().any(|token| match token {
            Token::Field { field: label, .. } | Token::Item { id: label, .. } => {
                identity(item) == Some(label)
            }
            _ => false,
        })
    };
    if draft.items(section).any(named) {
        let message =
            format!("an entry that names an item of {section} prints its `context` in Promptdeck");
        draft.not_supported(&[section, "items"], message);
    }
    if !tokens.contains(&whole) {
        return;
    }
    let pool = |item: &Map<String, Value>| item.get("items").is_some_and(Value::is_array);
    if draft.items(section).any(pool) && !draft.required(section) {
        let message = format!("without a text, {section} prints its pool in Promptdeck");
        draft.not_supported(&[section, "items"], message);
    }
    let both = |item: &Map<String, Value>| pool(item) && item.contains_key("fragments");
    if draft.items(section).any(both) && draft.required(section) {
        let message = "of a pool and fragments the pool prints in promptlibretto, and the fragments in Promptdeck";
        draft.not_supported(&[section, "items"], message.to_owned());
    }
    // A null text would end the token before the pool is reached.
    for item in draft.items_mut(section) {
        if pool(item) && filled(item, "text").is_none() {
            item.shift_remove("text");
        }
    }
    let text = Token::Field {
        section: section.to_owned(),
        field: "text".to_owned(),
    };
    draft.replace(&whole, &text);
    let message = format!(
        "what prints the text of `{section}` in Promptdeck is {}",
        text.canonical()
    );
    draft.converted(&[section], message);
}

/// Gives the fields of one name the other, in place; tokens keep reading what they read.
fn swap(draft: &mut Draft, section: &str, old: &str, new: &str) {
    for item in draft.items_mut(section) {
        *item = std::mem::take(item)
            .into_iter()
            .map(|(key, value)| (swapped(&key, old, new).to_owned(), value))
            .collect();
    }
    let tokens = draft.orders.iter_mut().flat_map(|order| &mut order.tokens);
    for (_, token) in tokens {
        if let Token::Field { section: of, field } = token
            && of == section
        {
            *field = swapped(field, old, new).to_owned();
        }
    }
    draft.add_field_rename(section, old, new);
}

fn swapped<'n>(name: &'n str, old: &'n str, new: &'n str) -> &'n str {
    match name {
        _ if name == old => new,
        _ if name == new => old,
        other => other,
    }
}
