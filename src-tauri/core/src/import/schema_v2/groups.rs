//! Groups: separate lists that items reference. Each becomes a field of the items that name it.

use serde_json::{Map, Value, json};

use super::draft::{Draft, filled};
use super::token::Token;

/// What `section.groups` prints of one item.
enum GroupOutput {
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
    let shared_groups: Vec<Group> = draft.items("groups").map(group).collect();
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
            .map(|item| groups_of(item, &shared_groups))
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
            headed |= convert_form(draft, &section, &form, &items, headed);
        }
    }
}

/// Writes what one form of token prints into the items; whether that took the field `examples`.
fn convert_form(
    draft: &mut Draft,
    section: &str,
    form: &Token,
    items: &[Vec<Group>],
    headed: bool,
) -> bool {
    let Token::Groups { only, .. } = form else {
        return false;
    };
    let outputs: Vec<GroupOutput> = items
        .iter()
        .map(|groups| group_output(groups, only.as_deref()))
        .collect();
    let has_heading = outputs.iter().any(|output| {
        matches!(
            output,
            GroupOutput::List {
                heading: Some(_),
                ..
            }
        )
    });
    let name = match only {
        None => "groups".to_owned(),
        Some(only) => format!("groups[{only}]"),
    };
    let examples = has_heading && !headed && examples_free(draft, section, &outputs);
    let field = if examples { "examples" } else { &name };
    let mut flattened = false;
    let mut fallback = false;
    let optional = !draft.required(section);
    for (item, output) in draft.items_mut(section).zip(outputs) {
        let pool = item.get("items").is_some_and(Value::is_array);
        let value = match output {
            // Without the field a token would go on to the item's pool.
            GroupOutput::Nothing if pool => {
                fallback |= optional;
                json!([])
            }
            GroupOutput::Nothing => continue,
            GroupOutput::Blocks(text) => Value::String(text),
            GroupOutput::List {
                entries,
                heading: Some(heading),
            } if !examples => {
                flattened = true;
                Value::String(block(&entries, Some(&heading)))
            }
            GroupOutput::List { entries, heading } => {
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
    draft.add_field_rename(section, &name, field);
    draft.converted(
        &[section, "items"],
        format!(
            "the lists of {} became the field {field:?}",
            form.canonical()
        ),
    );
    if flattened {
        draft.not_supported(
            &[section, "items"],
            format!(
                "a second list with a heading has no place in an item: {} prints a text, which no \
                 mode reaches and no list joins",
                token.canonical()
            ),
        );
    }
    if optional && is_split(items, only.as_deref()) {
        draft.not_supported(
            &[section, "items"],
            format!(
                "lists of one item that stand under one heading are one list in Promptdeck; {} separates \
                 them while an item with another heading was chosen too",
                form.canonical()
            ),
        );
    }
    if fallback {
        draft.not_supported(
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
fn examples_free(draft: &Draft, section: &str, outputs: &[GroupOutput]) -> bool {
    !draft.reads(section, "examples")
        && draft.items(section).zip(outputs).all(|(item, output)| {
            let existing = filled(item, "pre_context").or_else(|| filled(item, "pre_context:"));
            let headings = match output {
                GroupOutput::List { heading, .. } => {
                    heading.as_deref() == existing || existing.is_none()
                }
                GroupOutput::Nothing | GroupOutput::Blocks(_) => true,
            };
            // An imported heading would also stand over a pool that has none.
            let pool = item.contains_key("items") && existing.is_none();
            let adds_heading = matches!(
                output,
                GroupOutput::List {
                    heading: Some(_),
                    ..
                }
            );
            headings && !item.contains_key("examples") && !(pool && adds_heading)
        })
}

/// Whether what one item makes one list of can be several lists beside another item.
fn is_split(items: &[Vec<Group>], only: Option<&str>) -> bool {
    let headings = || {
        items
            .iter()
            .flat_map(|groups| selected_groups(groups, only))
    };
    let several = items
        .iter()
        .any(|groups| selected_groups(groups, only).count() > 1);
    let first = headings().next().map(|(_, _, heading)| heading);
    several && headings().any(|(_, _, heading)| Some(heading) != first)
}

/// The groups of an item that a token selects.
fn selected_groups<'g>(groups: &'g [Group], only: Option<&str>) -> impl Iterator<Item = &'g Group> {
    groups
        .iter()
        .filter(move |(id, ..)| only.is_none_or(|only| only == id))
}

fn group_output(groups: &[Group], only: Option<&str>) -> GroupOutput {
    let wanted: Vec<&Group> = selected_groups(groups, only).collect();
    let Some((_, _, heading)) = wanted.first() else {
        return GroupOutput::Nothing;
    };
    if wanted.iter().all(|(_, _, other)| other == heading) {
        let entries = wanted.iter().flat_map(|(_, entries, _)| entries.clone());
        return GroupOutput::List {
            entries: entries.collect(),
            heading: heading.clone(),
        };
    }
    let blocks: Vec<String> = wanted
        .iter()
        .map(|(_, entries, heading)| block(entries, heading.as_deref()))
        .collect();
    GroupOutput::Blocks(blocks.join("\n\n"))
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
fn groups_of(item: &Map<String, Value>, shared_groups: &[Group]) -> Vec<Group> {
    let named = item.get("groups").and_then(Value::as_array);
    let named = named.into_iter().flatten();
    named
        .filter_map(|entry| match entry {
            // Of groups under one id the last is found.
            Value::String(id) => shared_groups
                .iter()
                .rev()
                .find(|(other, ..)| other == id)
                .cloned(),
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
