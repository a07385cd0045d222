//! Template variables: there any `{name}` with a value is filled and any other stays as written;
//! here the declared names are filled, with nothing where they are unset.

use std::collections::BTreeSet;

use promptdeck_python::text::strip;
use serde_json::{Map, Value, json};

use super::draft::{Draft, identity};
use super::token::Token;

/// One place where an item's text names a variable.
struct Use {
    name: String,
    /// The variable of the fragment that contains it.
    condition: Option<String>,
}

/// A variable's name as the dialect reads it.
pub(super) fn bare(name: &str) -> &str {
    strip(name).trim_start_matches('{').trim_end_matches('}')
}

/// Declares what every section fills, with defaults that print what is printed there.
pub(super) fn declare(draft: &mut Draft) {
    for section in draft.sections() {
        fragments(draft, &section);
        let mut names = hoisted(draft, &section);
        let item_defaults = item_defaults(draft, &section);
        let mut defaults = match draft.section_mut(&section) {
            Some(map) => match map.shift_remove("template_var_defaults") {
                Some(Value::Object(defaults)) => defaults,
                _ => Map::new(),
            },
            None => continue,
        };
        for (name, text) in item_defaults {
            defaults.entry(name).or_insert(text);
        }
        let uses: Vec<Vec<Use>> = draft
            .items(&section)
            .map(|item| uses(item, &names))
            .collect();
        let conditions: BTreeSet<String> = draft.items(&section).flat_map(conditions).collect();
        let known = names.len();
        let used = uses.iter().flatten().map(|found| found.name.clone());
        for name in defaults
            .keys()
            .cloned()
            .chain(used)
            .chain(conditions.iter().cloned())
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.len() > known {
            let added = names[known..].join(", ");
            let message =
                format!("only declared variables are filled in Promptdeck; declared: {added}");
            draft.converted(&[&section, "template_vars"], message);
        }
        unset(draft, &section, &uses, &conditions, &mut defaults);
        nested(draft, &section, &names, &defaults);
        if let Some(map) = draft.section_mut(&section) {
            if !names.is_empty() || map.contains_key("template_vars") {
                map.insert("template_vars".to_owned(), json!(names));
            }
            if !defaults.is_empty() {
                map.insert("template_var_defaults".to_owned(), Value::Object(defaults));
            }
        }
    }
}

/// Gives what is printed of an unset variable: its own name in braces.
fn unset(
    draft: &mut Draft,
    section: &str,
    uses: &[Vec<Use>],
    conditions: &BTreeSet<String>,
    defaults: &mut Map<String, Value>,
) {
    let mut filled = BTreeSet::new();
    let mut unsupported = BTreeSet::new();
    for found in uses.iter().flatten() {
        if defaults.contains_key(&found.name) || found.condition.as_ref() == Some(&found.name) {
            continue;
        }
        if conditions.contains(&found.name) {
            unsupported.insert(found.name.clone());
        } else {
            filled.insert(found.name.clone());
        }
    }
    for name in unsupported {
        let message = format!(
            "while {name} is unset, {{{name}}} prints as written in promptlibretto, and nothing in Promptdeck"
        );
        draft.not_supported(&[section, "template_vars"], message);
    }
    if filled.is_empty() {
        return;
    }
    let list: Vec<String> = filled.iter().cloned().collect();
    let message = format!(
        "an unset variable prints as written in promptlibretto, so that is its default: {}",
        list.join(", ")
    );
    draft.converted(&[section, "template_vars"], message);
    for name in filled {
        let text = format!("{{{name}}}");
        defaults.insert(name, Value::String(text));
    }
}

/// Values are filled once here; there a value is searched for further names.
fn nested(draft: &mut Draft, section: &str, names: &[String], defaults: &Map<String, Value>) {
    for (name, value) in defaults {
        let text = value.as_str().unwrap_or_default();
        let inner = names
            .iter()
            .find(|other| *other != name && text.contains(&format!("{{{other}}}")));
        if let Some(inner) = inner {
            let message = format!(
                "the default of {name} holds {{{inner}}}, which is not filled in Promptdeck"
            );
            draft.not_supported(&[section, "template_var_defaults"], message);
        }
    }
}

/// Fragments wait for `if_var` here, for `condition` there.
fn fragments(draft: &mut Draft, section: &str) {
    let mut lines = Vec::new();
    for (index, item) in draft.items_mut(section).enumerate() {
        let Some(Value::Array(fragments)) = item.get_mut("fragments") else {
            continue;
        };
        let before = fragments.len();
        let mut renamed = false;
        let mut unread = false;
        fragments.retain_mut(|fragment| {
            let Value::Object(map) = fragment else {
                return false;
            };
            unread |= map.shift_remove("if_var").is_some() | map.shift_remove("var").is_some();
            let Some(Value::String(condition)) = map.get("condition") else {
                map.shift_remove("condition");
                return true;
            };
            let name = bare(condition).to_owned();
            let is_conditional = !condition.is_empty();
            renamed = true;
            *map = std::mem::take(map)
                .into_iter()
                .filter(|(key, _)| is_conditional || key != "condition")
                .map(|(key, value)| match key.as_str() {
                    "condition" => ("if_var".to_owned(), json!(name)),
                    _ => (key, value),
                })
                .collect();
            !(is_conditional && name.is_empty())
        });
        let index = index.to_string();
        if fragments.len() < before {
            lines.push((
                index.clone(),
                "a fragment that waits for no name never prints; left out",
            ));
        }
        if unread {
            lines.push((
                index.clone(),
                "`if_var` and `var` are not read in promptlibretto: such a fragment always prints; left out",
            ));
        }
        if renamed {
            lines.push((index, "`condition` is called `if_var` in Promptdeck"));
        }
    }
    for (index, message) in lines {
        draft.converted(&[section, "items", &index, "fragments"], message.to_owned());
    }
}

/// The names declared by the section and, taken from them, by its items.
fn hoisted(draft: &mut Draft, section: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |list: Option<&Value>| {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        for name in list.filter_map(Value::as_str).map(bare) {
            if !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    };
    add(draft
        .section(section)
        .and_then(|map| map.get("template_vars")));
    let mut moved = false;
    for item in draft.items_mut(section) {
        let list = item.shift_remove("template_vars");
        moved |= list.is_some();
        add(list.as_ref());
    }
    if moved {
        let message = "the variables of items are declared by the section in Promptdeck".to_owned();
        draft.converted(&[section, "template_vars"], message);
    }
    names
}

/// The defaults of items, taken from them: one for each name, for the whole section.
fn item_defaults(draft: &mut Draft, section: &str) -> Map<String, Value> {
    let required = draft.required(section);
    let named = draft.tokens_of(section).into_iter().any(|token| {
        let (Token::Field { field: label, .. } | Token::Item { id: label, .. }) = &token else {
            return false;
        };
        draft
            .items(section)
            .any(|item| identity(item) == Some(label))
    });
    let mut defaults_by_item: Vec<Map<String, Value>> = Vec::new();
    for item in draft.items_mut(section) {
        defaults_by_item.push(match item.shift_remove("template_defaults") {
            Some(Value::Object(defaults)) => defaults
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (bare(&name).to_owned(), value))
                .collect(),
            _ => Map::new(),
        });
    }
    if defaults_by_item.iter().all(Map::is_empty) {
        return Map::new();
    }
    if !required {
        let message = "defaults of items count for the one item of a required section; left out";
        draft.converted(&[section, "items"], message.to_owned());
        return Map::new();
    }
    let mut defaults = Map::new();
    let mut lines = Vec::new();
    for (name, value) in defaults_by_item.iter().flatten() {
        if defaults.contains_key(name) {
            continue;
        }
        defaults.insert(name.clone(), value.clone());
        for (index, (item, item_defaults)) in
            draft.items(section).zip(&defaults_by_item).enumerate()
        {
            let same = item_defaults.get(name) == Some(value);
            let names = std::slice::from_ref(name);
            let read = uses(item, names).iter().any(|found| found.name == *name)
                || conditions(item).any(|condition| condition == *name);
            if !same && (read || named) {
                lines.push((index.to_string(), name.clone()));
            }
        }
    }
    for (index, name) in lines {
        let message = format!(
            "a variable has one default in a section in Promptdeck; that of {name} is not this item's"
        );
        draft.not_supported(&[section, "items", &index, "template_defaults"], message);
    }
    let message = "the defaults of items became the section's".to_owned();
    draft.converted(&[section, "items"], message);
    defaults
}

/// The variables that fragments of an item wait for.
fn conditions(item: &Map<String, Value>) -> impl Iterator<Item = String> {
    let fragments = item.get("fragments").and_then(Value::as_array);
    let conditions = fragments.into_iter().flatten().filter_map(|fragment| {
        let name = fragment.get("if_var").or_else(|| fragment.get("condition"));
        name.and_then(Value::as_str)
    });
    conditions.map(|name| bare(name).to_owned())
}

/// Where the texts of an item name one of `names`, or what looks like a variable.
fn uses(item: &Map<String, Value>, names: &[String]) -> Vec<Use> {
    let mut found = Vec::new();
    for (key, value) in item {
        match value {
            Value::String(text) => add(&mut found, text, None, names),
            Value::Array(fragments) if key == "fragments" => {
                for fragment in fragments {
                    let condition = fragment.get("if_var").and_then(Value::as_str);
                    let text = fragment.get("text").and_then(Value::as_str);
                    add(&mut found, text.unwrap_or_default(), condition, names);
                }
            }
            Value::Array(entries) => {
                for text in entries.iter().filter_map(Value::as_str) {
                    add(&mut found, text, None, names);
                }
            }
            _ => {}
        }
    }
    found
}

fn add(found: &mut Vec<Use>, text: &str, condition: Option<&str>, names: &[String]) {
    for piece in text.split('{').skip(1) {
        let Some((name, _)) = piece.split_once('}') else {
            continue;
        };
        if names.iter().any(|known| known == name) || looks_like_a_name(name) {
            found.push(Use {
                name: name.to_owned(),
                condition: condition.map(str::to_owned),
            });
        }
    }
}

fn looks_like_a_name(name: &str) -> bool {
    let mut characters = name.chars();
    let letter = |character: char| character.is_alphabetic() || character == '_';
    characters.next().is_some_and(letter)
        && characters.all(|character| letter(character) || character.is_numeric())
}
