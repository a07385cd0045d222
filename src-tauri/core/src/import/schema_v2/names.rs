//! Names: identities and field names as each release normalizes them, unread keys, and tokens that
//! name nothing.

use super::super::{ConversionStatus, Dialect};
use super::draft::{Draft, filled, identity};
use super::token::Token;

/// Keys of the canonical model that schema version 2 does not read.
const UNREAD: [&str; 7] = [
    "selected",
    "section_random",
    "array_modes",
    "slider",
    "slider_random",
    "scale_template",
    "template_var_defaults",
];

/// Normalizes the names of items and their fields, as the release does when it reads a file.
pub(super) fn normalize(draft: &mut Draft) {
    if let Some(engine) = draft.registry.shift_remove("template_engine") {
        draft.converted(
            &["template_engine"],
            format!("nothing in promptlibretto reads it; left out: {engine}"),
        );
    }
    for section in draft.sections() {
        remove_unread_keys(draft, &section);
        if draft.dialect == Dialect::V0_8 {
            rename_to_newer(draft, &section);
        } else if draft
            .items(&section)
            .any(|item| item.contains_key("context"))
        {
            let message = "0.8 reads `context` as `text`; read as 0.7 does".to_owned();
            draft.ambiguous(&[&section], message);
        }
        if draft.reads(&section, "name")
            && draft.items(&section).any(|item| !item.contains_key("id"))
        {
            let message = "0.8 reads a `name` without an `id` as the id".to_owned();
            draft.ambiguous(&[&section], message);
        }
        two_names(draft, &section);
    }
}

fn remove_unread_keys(draft: &mut Draft, section: &str) {
    for key in UNREAD {
        let value = draft
            .section_mut(section)
            .and_then(|map| map.shift_remove(key));
        if let Some(value) = value {
            draft.converted(
                &[section, key],
                format!(
                    "nothing in promptlibretto reads it, and in Promptdeck it would be a default; left out: {value}"
                ),
            );
        }
    }
}

/// Release 0.8 takes a lone `name` for the id and a lone `context` for the text.
fn rename_to_newer(draft: &mut Draft, section: &str) {
    let mut renamed = false;
    let mut texts = false;
    for item in draft.items_mut(section) {
        texts |= item.contains_key("text");
        for (old, new) in [("name", "id"), ("context", "text")] {
            if item.contains_key(old) && !item.contains_key(new) {
                *item = std::mem::take(item)
                    .into_iter()
                    .map(|(key, value)| (if key == old { new.to_owned() } else { key }, value))
                    .collect();
                renamed = true;
            }
        }
    }
    if renamed {
        draft.converted(
            &[section, "items"],
            "a lone `name` became `id`, a lone `context` became `text`".to_owned(),
        );
        let message = "0.7 does not rename `name` and `context`; read as 0.8 does".to_owned();
        draft.ambiguous(&[section], message);
    } else if texts && ["personas", "sentiment"].contains(&section) {
        let message =
            format!("0.7 prints `context` for a plain `{section}`, 0.8 `text`; read as 0.8");
        draft.ambiguous(&[section], message);
    }
}

/// Tokens name an item by its id there, and by its name first here.
fn two_names(draft: &mut Draft, section: &str) {
    let read = draft.reads(section, "name") || draft.reads(section, "label");
    let mut moved = Vec::new();
    let mut stuck = Vec::new();
    for (index, item) in draft.items_mut(section).enumerate() {
        let two = filled(item, "id").is_some()
            && filled(item, "name").is_some_and(|name| filled(item, "id") != Some(name));
        if !two {
            continue;
        }
        if read || item.contains_key("label") {
            stuck.push(index.to_string());
        } else {
            *item = std::mem::take(item)
                .into_iter()
                .map(|(key, value)| {
                    (
                        if key == "name" {
                            "label".to_owned()
                        } else {
                            key
                        },
                        value,
                    )
                })
                .collect();
            moved.push(index.to_string());
        }
    }
    for index in moved {
        draft.converted(
            &[section, "items", &index, "name"],
            "the name of an item that has an id became its label".to_owned(),
        );
    }
    for index in stuck {
        draft.not_supported(
            &[section, "items", &index, "name"],
            "entries find this item by its name in Promptdeck and by its id in promptlibretto"
                .to_owned(),
        );
    }
}

/// Takes out the tokens that never print, and has those in brackets name their item plainly.
pub(super) fn find_items(draft: &mut Draft) {
    let sections = draft.sections();
    let mut lines = Vec::new();
    for order in &mut draft.orders {
        let mut tokens = std::mem::take(&mut order.tokens);
        tokens.retain(|(position, token)| {
            let known = sections.iter().any(|name| name == token.section());
            let message = match token {
                Token::Injections if !known => "there are no runtime injections; left out",
                _ if !known => "no section has that name in promptlibretto; left out",
                _ if token.section().is_empty() || token.section().contains(['[', ']']) => {
                    lines.push((
                        ConversionStatus::NotSupported,
                        order.pointer(*position),
                        "no entry can name a section called that in Promptdeck; left out"
                            .to_owned(),
                    ));
                    return false;
                }
                _ => return true,
            };
            lines.push((
                ConversionStatus::Converted,
                order.pointer(*position),
                message.to_owned(),
            ));
            false
        });
        order.tokens = tokens;
    }
    for (status, pointer, message) in lines {
        draft.line(status, pointer, message);
    }
    for section in sections {
        for token in draft.tokens_of(&section) {
            if let Token::Item { id, .. } = &token {
                find_item(draft, &section, &token, id);
            }
        }
    }
}

fn find_item(draft: &mut Draft, section: &str, token: &Token, id: &str) {
    let found = draft.items(section).any(|item| identity(item) == Some(id));
    let shadowed =
        draft.items(section).any(|item| item.contains_key(id)) || ["scale", "text"].contains(&id);
    let positions: Vec<String> = draft
        .orders
        .iter()
        .flat_map(|order| {
            let of_token = order.tokens.iter().filter(|(_, other)| other == token);
            of_token.map(|(position, _)| order.pointer(*position))
        })
        .collect();
    let (status, message) = if !found {
        for order in &mut draft.orders {
            order.tokens.retain(|(_, other)| other != token);
        }
        (
            ConversionStatus::Converted,
            "no item has that id; left out".to_owned(),
        )
    } else if shadowed {
        let message = format!("{section}.{id} is a field in Promptdeck before it is an item");
        (ConversionStatus::NotSupported, message)
    } else {
        let message = format!("brackets hold an entry in Promptdeck; the item is {section}.{id}");
        (ConversionStatus::Converted, message)
    };
    for pointer in positions {
        draft.line(status, pointer, message.clone());
    }
}
