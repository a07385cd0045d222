//! The registry of an outline.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{OutlinePart, PartKind, Separator, outline::list_of};
use crate::{
    import::{
        ConversionStatus,
        deck::{Deck, SectionDraft, Variables},
    },
    plural::plural,
};

/// The registry of the parts of a text, and the report.
pub(super) fn deck(text: &str, parts: &[OutlinePart], variables: &Variables) -> Deck {
    let mut deck = Deck::new(title(text));
    let mut declared: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut rest = parts;
    while let Some(first) = rest.first() {
        let others = rest[1..]
            .iter()
            .take_while(|part| part.separator == Separator::LineBreak);
        let (group, after) = rest.split_at(1 + others.count());
        rest = after;
        let mut item = Map::new();
        item.insert("id".to_owned(), json!(first.name));
        for part in group {
            let own = &text[part.range.clone()];
            let list = (part.kind == PartKind::List)
                .then(|| list_of(own))
                .flatten();
            let value = match list {
                Some((heading, entries)) => {
                    if let Some(heading) = heading {
                        item.insert("pre_context".to_owned(), json!(heading));
                    }
                    json!(entries)
                }
                None => Value::from(own),
            };
            item.insert(part.field.clone(), value);
            deck.token(match group.len() {
                1 => first.section.clone(),
                _ => format!("{}.{}", first.section, part.field),
            });
        }
        let mut section = SectionDraft::of(item);
        for name in section.declare_braced(variables) {
            declared.entry(name).or_default().push(&first.section);
        }
        deck.section(&first.section, section);
    }
    for (name, sections) in declared {
        let more = match sections.len() - 1 {
            0 => String::new(),
            more => format!(" and of {}", plural(more, "other section")),
        };
        let message = format!(
            "{{{name}}} is a template variable of {:?}{more}; it prints as written until it has a value",
            sections[0]
        );
        deck.report(ConversionStatus::Converted, "", message);
    }
    deck
}

/// The title of a text that begins with its heading.
fn title(text: &str) -> Option<&str> {
    let first = text.trim_start().lines().next()?;
    let title = first.strip_prefix("# ")?.trim();
    (!title.is_empty()).then_some(title)
}
