//! Groups: lists kept apart and named by items. Each becomes a field of the items that name it.

use serde_json::{Map, Value, json};

use super::draft::{Draft, filled};
use super::token::Token;

/// What `section.groups` prints of one item.
enum Printed {
    Nothing,
    List {
        entries: Vec<Value>,
        heading: Option<String>,
    },
    /// Several lists under headings that are not the same: one text.
    Blocks(String),
}

/// A group of an item: its id, its entries, its heading.
type Group = (String, Vec<Value>, Option<String>);

/// Gives every item the lists that tokens print of its groups.
pub(super) fn inline(draft: &mut Draft) {
    let shelf: Vec<Group> = draft.items("groups").map(group).collect();
    for section in draft.sections() {
        let forms: Vec<Token> = draft
            .tokens_of(&section)
            .into_iter()
            .filter(|token| matches!(token, Token::Groups { .. }))
            .collect();
        let everything = forms
            .iter()
            .any(|form| matches!(form, Token::Groups { only: None, .. }));
        let items: Vec<Vec<Group>> = draft
            .items(&section)
            .map(|item| groups_of(item, &shelf))
            .collect();
        if forms.is_empty() {
            continue;
        }
        if everything {
            for item in draft.items_mut(&section) {
                item.shift_remove("groups");
            }
        }
        let mut headed = false;
        for form in forms {
            headed |= one_form(draft, &section, &form, &items, headed);
        }
    }
}

/// Writes what one form of token prints into the items; whether that took the field `examples`.
fn one_form(
    draft: &mut Draft,
    section: &str,
    form: &Token,
    items: &[Vec<Group>],
    headed: bool,
) -> bool {
    let Token::Groups { only, .. } = form else {
        return false;
    };
    let printed: Vec<Printed> = items
        .iter()
        .map(|groups| printed(groups, only.as_deref()))
        .collect();
    let has_heading = printed.iter().any(|printed| {
        matches!(
            printed,
            Printed::List {
                heading: Some(_),
                ..
            }
        )
    });
    let name = match only {
        None => "groups".to_owned(),
        Some(only) => format!("groups[{only}]"),
    };
    let examples = has_heading && !headed && examples_free(draft, section, &printed);
    let field = if examples { "examples" } else { &name };
    let mut flattened = false;
    let mut fallback = false;
    let optional = !draft.required(section);
    for (item, printed) in draft.items_mut(section).zip(printed) {
        let pool = item.get("items").is_some_and(Value::is_array);
        let value = match printed {
            // Without the field a token would go on to the item's pool.
            Printed::Nothing if pool => {
                fallback |= optional;
                json!([])
            }
            Printed::Nothing => continue,
            Printed::Blocks(text) => Value::String(text),
            Printed::List {
                entries,
                heading: Some(heading),
            } if !examples => {
                flattened = true;
                Value::String(block(&entries, Some(&heading)))
            }
            Printed::List { entries, heading } => {
                if let Some(heading) = heading {
                    item.insert("pre_context".to_owned(), Value::String(heading));
                }
                Value::Array(entries)
            }
        };
        item.insert(field.to_owned(), value);
    }
    let token = Token::Field {
        section: section.to_owned(),
        field: field.to_owned(),
    };
    draft.replace(form, &token);
    draft.moved(section, &name, field);
    draft.rewritten(
        &[section, "items"],
        format!(
            "the lists of {} became the field {field:?}",
            form.canonical()
        ),
    );
    if flattened {
        draft.differs(
            &[section, "items"],
            format!(
                "a second list with a heading has no place in an item: {} prints a text, which no \
                 mode reaches and no list joins",
                token.canonical()
            ),
        );
    }
    if optional && torn_apart(items, only.as_deref()) {
        draft.differs(
            &[section, "items"],
            format!(
                "lists of one item that stand under one heading are one list in Promptdeck; {} tore them \
                 apart while an item with another heading was chosen too",
                form.canonical()
            ),
        );
    }
    if fallback {
        draft.differs(
            &[section, "items"],
            format!(
                "where no item chosen has such groups, {} prints their pools in Promptdeck",
                token.canonical()
            ),
        );
    }
    examples
}

/// Whether the field `examples`, which alone beside `items` carries a heading, can be had.
fn examples_free(draft: &Draft, section: &str, printed: &[Printed]) -> bool {
    !draft.reads(section, "examples")
        && draft.items(section).zip(printed).all(|(item, printed)| {
            let own = filled(item, "pre_context").or_else(|| filled(item, "pre_context:"));
            let headings = match printed {
                Printed::List { heading, .. } => heading.as_deref() == own || own.is_none(),
                Printed::Nothing | Printed::Blocks(_) => true,
            };
            // A heading brought along would also stand over a pool that has none.
            let pool = item.contains_key("items") && own.is_none();
            let brings = matches!(
                printed,
                Printed::List {
                    heading: Some(_),
                    ..
                }
            );
            headings && !item.contains_key("examples") && !(pool && brings)
        })
}

/// Whether what one item makes one list of can be several lists beside another item.
fn torn_apart(items: &[Vec<Group>], only: Option<&str>) -> bool {
    let headings = || items.iter().flat_map(|groups| wanted(groups, only));
    let several = items.iter().any(|groups| wanted(groups, only).count() > 1);
    let first = headings().next().map(|(_, _, heading)| heading);
    several && headings().any(|(_, _, heading)| Some(heading) != first)
}

/// The groups of an item that a token asks for.
fn wanted<'g>(groups: &'g [Group], only: Option<&str>) -> impl Iterator<Item = &'g Group> {
    groups
        .iter()
        .filter(move |(id, ..)| only.is_none_or(|only| only == id))
}

fn printed(groups: &[Group], only: Option<&str>) -> Printed {
    let wanted: Vec<&Group> = wanted(groups, only).collect();
    let Some((_, _, heading)) = wanted.first() else {
        return Printed::Nothing;
    };
    if wanted.iter().all(|(_, _, other)| other == heading) {
        let entries = wanted.iter().flat_map(|(_, entries, _)| entries.clone());
        return Printed::List {
            entries: entries.collect(),
            heading: heading.clone(),
        };
    }
    let blocks: Vec<String> = wanted
        .iter()
        .map(|(_, entries, heading)| block(entries, heading.as_deref()))
        .collect();
    Printed::Blocks(blocks.join("\n\n"))
}

/// A list as the text it prints.
fn block(entries: &[Value], heading: Option<&str>) -> String {
    let bulleted = heading.is_some() || entries.len() > 1;
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| {
            let text = match entry {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                other => other.to_string(),
            };
            if bulleted { format!("- {text}") } else { text }
        })
        .collect();
    let body = lines.join("\n");
    heading.map_or(body.clone(), |heading| format!("{heading}\n{body}"))
}

/// The groups of an item that hold anything; unknown ids are passed over.
fn groups_of(item: &Map<String, Value>, shelf: &[Group]) -> Vec<Group> {
    let named = item.get("groups").and_then(Value::as_array);
    let named = named.into_iter().flatten();
    named
        .filter_map(|entry| match entry {
            // Of groups under one id the last is found.
            Value::String(id) => shelf.iter().rev().find(|(other, ..)| other == id).cloned(),
            other => other.as_object().map(group),
        })
        .filter(|(_, entries, _)| !entries.is_empty())
        .collect()
}

fn group(item: &Map<String, Value>) -> Group {
    let entries = item.get("items").and_then(Value::as_array);
    let id = filled(item, "id").or_else(|| filled(item, "name"));
    (
        id.unwrap_or_default().to_owned(),
        entries.cloned().unwrap_or_default(),
        filled(item, "pre_context").map(str::to_owned),
    )
}
