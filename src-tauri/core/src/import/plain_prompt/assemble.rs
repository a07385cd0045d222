//! The registry of an outline.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{OutlinePart, PartKind, Separator, outline::list_of};
use crate::{
    import::{
        ConversionStatus, ReportEntry,
        deck::{Deck, SectionDraft, Variables},
    },
    plural::plural,
    registry::TextPositions,
};

/// The registry of the parts of a text, and the report.
pub(super) fn deck(text: &str, parts: &[OutlinePart], variables: &Variables) -> Deck {
    let mut deck = Deck::new(title(text));
    let mut declared: BTreeMap<String, Vec<&[OutlinePart]>> = BTreeMap::new();
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
            let part_text = &text[part.range.clone()];
            let list = (part.kind == PartKind::List)
                .then(|| list_of(part_text))
                .flatten();
            let value = match list {
                Some((heading, entries)) => {
                    if let Some(heading) = heading {
                        item.insert("pre_context".to_owned(), json!(heading));
                    }
                    json!(entries)
                }
                None => Value::from(part_text),
            };
            item.insert(part.field.clone(), value);
            deck.token(match group.len() {
                1 => first.section.clone(),
                _ => format!("{}.{}", first.section, part.field),
            });
        }
        let mut section = SectionDraft::of(item);
        for name in section.declare_braced(variables) {
            declared.entry(name).or_default().push(group);
        }
        deck.section(&first.section, section);
    }
    let positions = TextPositions::new(text);
    for (name, groups) in declared {
        let more = match groups.len() - 1 {
            0 => String::new(),
            more => format!(" and of {}", plural(more, "other section")),
        };
        let message = format!(
            "{{{name}}} is a template variable of {:?}{more}; it prints as written until it has a value",
            groups[0][0].section
        );
        let braced = format!("{{{name}}}");
        let first = groups[0].iter().find_map(|part| {
            let at = text[part.range.clone()].find(&braced)?;
            Some(positions.at(part.range.start + at))
        });
        deck.entries.push(ReportEntry {
            status: ConversionStatus::Converted,
            pointer: String::new(),
            message,
            place: first,
        });
    }
    deck
}

/// The title of a text that begins with its heading.
fn title(text: &str) -> Option<&str> {
    let first = text.trim_start().lines().next()?;
    let title = first.strip_prefix("# ")?.trim();
    (!title.is_empty()).then_some(title)
}
