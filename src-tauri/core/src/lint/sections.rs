//! Checks within one section: ids and names, reachability, defaults, modes, injections, list
//! entries, legacy spellings.

use std::collections::BTreeMap;

use promptdeck_json::nearest::{hint, nearest};
use promptdeck_python::{repr::json_number, text::strip};
use serde_json::Value;

use super::{
    DataKey, DiagnosticData, Findings, Pointer, Registry, Section, codes, item_data, named, title,
};
use crate::{
    hydrate::{Mode, State, baked_faults, beyond_longest, longest_below},
    plural::plural,
    registry::{NameFault, is_substituted, name_fault},
};

pub(super) fn check(
    section: &Section,
    state: &State,
    registry: &Registry,
    findings: &mut Findings,
) {
    names(section, findings);
    identities(section, state, findings);
    defaults(section, findings);
    modes(section, state, findings);
    undeclared_defaults(section, findings);
    entries(section, findings);
    fragments(section, findings);
    legacy(section, findings);
    if section.name() == "runtime_injections" {
        injections(section, registry, findings);
    }
}

/// Checks for names that no token can refer to.
fn names(section: &Section, findings: &mut Findings) {
    let mut warn = |name: &str, subject: &dyn Fn() -> (String, Pointer, DiagnosticData)| {
        if let Some(fault) = name_fault(name) {
            let (subject, pointer, data) = subject();
            let message = format!("{subject}: {fault}; rename it");
            let found = match fault {
                NameFault::Separator(character) => Some(character.to_string()),
                NameFault::Empty | NameFault::WhiteSpace => None,
            };
            let data = data.with_some(DataKey::Found, found);
            findings.warning(codes::NAME_NOT_IN_TOKENS, &pointer, message, data);
        }
    };
    let name = section.name();
    warn(name, &|| {
        let data = DiagnosticData::of(DataKey::Section, name);
        (format!("section {name:?}"), Pointer::to(name), data)
    });
    for (index, item) in section.items().iter().enumerate() {
        let pointer = || Pointer::item(section, index);
        if let Some(identity) = item.identity() {
            warn(identity, &|| {
                let key = if item.id().is_some() { "id" } else { "name" };
                let subject = format!("item {identity:?} of {name:?}");
                (subject, pointer().key(key), item_data(section, index))
            });
        }
        for field in item.fields().keys() {
            warn(field, &|| {
                let subject = format!("field {field:?} of {}", title(section, index));
                let data = item_data(section, index).with(DataKey::Field, field.as_str());
                (subject, pointer().key(field), data)
            });
        }
    }
}

/// Checks for duplicate ids and names, and for items that only a roll could select.
fn identities(section: &Section, state: &State, findings: &mut Findings) {
    let rolled = state
        .section_random
        .get(section.name())
        .copied()
        .or(section.defaults().section_random)
        .unwrap_or_default();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, item) in section.items().iter().enumerate() {
        let pointer = Pointer::item(section, index);
        let by_default = section.required() && index == 0;
        match item.identity() {
            Some(identity) => {
                if let Some(first) = seen.get(identity) {
                    let key = if item.id().is_some() { "id" } else { "name" };
                    let message = format!(
                        "{:?} is the identity of items {} and {} of {:?}; rename one",
                        identity,
                        first + 1,
                        index + 1,
                        section.name()
                    );
                    let data = item_data(section, index).with(DataKey::OtherIndex, *first);
                    findings.warning(codes::DUPLICATE_ID, &pointer.key(key), message, data);
                } else {
                    seen.insert(identity, index);
                }
            }
            None if !by_default && !rolled => {
                let message = format!(
                    "item {} of {:?} has neither id nor name: no entry and no selection can reach it",
                    index + 1,
                    section.name()
                );
                let data = item_data(section, index);
                findings.warning(codes::ITEM_UNREACHABLE, &pointer, message, data);
            }
            None => {}
        }
    }
}

/// Checks for built-in selections and sliders that are invalid, and for required sections without
/// items.
fn defaults(section: &Section, findings: &mut Findings) {
    for fault in baked_faults(section) {
        findings.add_found(fault);
    }
    if section.required() && section.items().is_empty() {
        let message = format!(
            "{:?} is required and has no item: its entries print nothing; add an item, or set \
             required to false",
            section.name()
        );
        findings.error(
            codes::SECTION_EMPTY,
            &Pointer::to(section.name()).key("items"),
            message,
            DiagnosticData::of(DataKey::Section, section.name()),
        );
    }
}

/// Checks for entries of printed lists that are empty, or not texts and print differently than they
/// look.
fn entries(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let lists = item.fields().iter().filter(|(field, value)| {
            value.is_array() && *field != "fragments" && is_substituted(field)
        });
        for (field, list) in lists {
            let list = list.as_array().into_iter().flatten();
            for (position, entry) in list.enumerate() {
                let (found, prints, printed) = match entry {
                    Value::String(text) if strip(text).is_empty() => {
                        ("empty".to_owned(), "an empty entry".to_owned(), None)
                    }
                    Value::String(_) => continue,
                    Value::Number(number) => {
                        let spelled = number.to_string();
                        let printed = json_number(&spelled);
                        if printed == spelled {
                            continue;
                        }
                        let found = format!("the number {spelled}");
                        (found, format!("as {printed}"), Some(printed.into_owned()))
                    }
                    Value::Null => ("null".to_owned(), "an empty entry".to_owned(), None),
                    Value::Bool(flag) => (flag.to_string(), "as JSON".to_owned(), None),
                    Value::Array(_) => ("a list".to_owned(), "as JSON".to_owned(), None),
                    Value::Object(_) => ("an object".to_owned(), "as JSON".to_owned(), None),
                };
                let message = format!(
                    "entry {} of {field} in {} is {found}, which prints {prints}; write a text, or \
                     remove it",
                    position + 1,
                    title(section, index)
                );
                let pointer = Pointer::item(section, index).key(field).index(position);
                let data = item_data(section, index)
                    .with(DataKey::Field, field.as_str())
                    .with(DataKey::Entry, position)
                    .with(DataKey::Found, found)
                    .with_some(DataKey::Printed, printed);
                findings.warning(codes::ENTRY_NOT_TEXT, &pointer, message, data);
            }
        }
    }
}

/// Checks for invalid modes, modes on fields without a list, and indices out of range.
fn modes(section: &Section, state: &State, findings: &mut Findings) {
    let baked = section.defaults().array_modes.iter();
    let called = state.array_modes.get(section.name()).into_iter().flatten();
    let pointer = Pointer::to(section.name()).key("array_modes");
    for (field, text) in baked {
        mode(section, field, text, &pointer.key(field), findings);
    }
    for (field, text) in called {
        mode(section, field, text, &Pointer::to(section.name()), findings);
    }
}

fn mode(section: &Section, field: &str, text: &str, pointer: &Pointer, findings: &mut Findings) {
    let (mode, fault) = Mode::parse(text);
    let subject = format!("mode {text:?} of {}.{field}", section.name());
    let data = || {
        DiagnosticData::of(DataKey::Mode, text)
            .with(DataKey::Section, section.name())
            .with(DataKey::Field, field)
    };
    if let Some(fault) = fault {
        findings.warning(
            codes::MODE_MALFORMED,
            pointer,
            format!("{subject} {}", fault.consequence()),
            data(),
        );
    }
    let Some(longest) = longest_list(section, field) else {
        return without_list(section, field, text, pointer, findings);
    };
    let indices = match &mode {
        Mode::Index(index) => std::slice::from_ref(index),
        Mode::Indices(indices) => indices.as_slice(),
        _ => &[],
    };
    let outside = |index: &&i64| usize::try_from(**index).map_or(true, |index| index >= longest);
    if let Some(index) = indices.iter().find(outside) {
        let message = format!(
            "{subject}: index {index} is out of range, the longest list there has {}",
            plural(longest, "entry")
        );
        let data = data()
            .with(DataKey::Entry, *index)
            .with(DataKey::Count, longest);
        findings.warning(codes::MODE_OUT_OF_RANGE, pointer, message, data);
    }
    if let Some(longest) = longest_below(section, field, &mode) {
        let message = beyond_longest(&subject, longest);
        let data = data().with(DataKey::Count, longest);
        // A note, as some authors write a large number for all entries in a rolled order.
        findings.note(codes::MODE_OUT_OF_RANGE, pointer, message, data);
    }
}

/// The length of the longest list that an item of the section has in a field.
fn longest_list(section: &Section, field: &str) -> Option<usize> {
    let items = section.items().iter();
    let lists = items.filter_map(|item| item.fields().get(field)?.as_array());
    lists.map(Vec::len).max()
}

fn without_list(
    section: &Section,
    field: &str,
    text: &str,
    pointer: &Pointer,
    findings: &mut Findings,
) {
    let name = section.name();
    let lists = section.items().iter().flat_map(|item| {
        let lists = item.fields().iter().filter(|(_, value)| value.is_array());
        lists.map(|(field, _)| field.as_str())
    });
    let suggestion = nearest(field, lists);
    let message = format!(
        "mode {text:?} of {name}.{field} has no effect: no item has a list in that field{}",
        hint(suggestion)
    );
    let data = DiagnosticData::of(DataKey::Mode, text)
        .with(DataKey::Section, name)
        .with(DataKey::Field, field)
        .with_some(DataKey::Suggestion, suggestion);
    findings.warning(codes::MODE_WITHOUT_LIST, pointer, message, data);
}

/// Checks for defaults of variables that are not declared; a condition reads them all the same.
fn undeclared_defaults(section: &Section, findings: &mut Findings) {
    let is_read = |name: &str| {
        let mut fragments = section.items().iter().flat_map(|item| item.fragments());
        section.template_vars().iter().any(|own| own == name)
            || fragments.any(|fragment| fragment.if_var == Some(name))
    };
    let defaults = section.defaults().template_var_defaults.keys();
    for name in defaults.filter(|name| !is_read(name)) {
        let near = nearest(name, section.template_vars().iter().map(String::as_str));
        let message = format!(
            "template_var_defaults of {:?} set {name:?}, which its template_vars do not declare: it has \
             no effect{}",
            section.name(),
            hint(near)
        );
        let data = DiagnosticData::of(DataKey::Section, section.name())
            .with(DataKey::Name, name.as_str())
            .with_some(DataKey::Suggestion, near);
        let pointer = Pointer::to(section.name())
            .key("template_var_defaults")
            .key(name);
        findings.warning(codes::DEFAULT_UNDECLARED, &pointer, message, data);
    }
}

/// The names in a section's defaults and injections that nothing has.
pub(super) fn unknown(section: &Section, registry: &Registry, findings: &mut Findings) {
    for found in baked_faults(section) {
        if found.code == codes::BAKED_UNKNOWN_ITEM {
            findings.add_found(found);
        }
    }
    undeclared_defaults(section, findings);
    let modes = Pointer::to(section.name()).key("array_modes");
    for (field, text) in &section.defaults().array_modes {
        if longest_list(section, field).is_none() {
            without_list(section, field, text, &modes.key(field), findings);
        }
    }
    if section.name() == "runtime_injections" {
        included(section, registry, findings);
    }
}

/// Checks for fragments without a text.
pub(super) fn fragments(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let fragments = item.fields().get("fragments").and_then(Value::as_array);
        for (position, fragment) in fragments.into_iter().flatten().enumerate() {
            if fragment.get("text").is_none_or(Value::is_null) {
                let message = format!(
                    "fragment {} of {} has no text and prints nothing; write one, or remove it",
                    position + 1,
                    title(section, index)
                );
                let pointer = Pointer::item(section, index)
                    .key("fragments")
                    .index(position);
                let data = item_data(section, index).with(DataKey::Fragment, position);
                findings.warning(codes::FRAGMENT_WITHOUT_TEXT, &pointer, message, data);
            }
        }
    }
}

fn injections(section: &Section, registry: &Registry, findings: &mut Findings) {
    if section.required() {
        let pointer = Pointer::to(section.name());
        let message = "\"runtime_injections\" is required, so its items never act as injections; \
                       set required to false";
        let data = DiagnosticData::of(DataKey::Section, section.name());
        findings.warning(
            codes::INJECTIONS_REQUIRED,
            &pointer,
            message.to_owned(),
            data,
        );
    }
    included(section, registry, findings);
}

/// Checks the sections that injections let through.
fn included(section: &Section, registry: &Registry, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        for (position, name) in item.include_sections().enumerate() {
            let pointer = Pointer::item(section, index)
                .key("include_sections")
                .index(position);
            if registry.section(name).is_some() {
                continue;
            }
            let owner = title(section, index);
            let data = item_data(section, index).with(DataKey::Target, name);
            if let Some(section_name) = named(name, registry) {
                let message = format!(
                    "include_sections of {owner} names the alias {name:?}; write {:?}",
                    section_name.name()
                );
                let data = data.with(DataKey::Replacement, section_name.name());
                findings.error(codes::INCLUDE_ALIAS, &pointer, message, data);
            } else {
                let suggestion = nearest(name, registry.sections().keys().map(String::as_str));
                let message = format!(
                    "include_sections of {owner} names {name:?}, which is not a section{}",
                    hint(suggestion)
                );
                let data = data.with_some(DataKey::Suggestion, suggestion);
                findings.error(codes::INCLUDE_UNKNOWN, &pointer, message, data);
            }
        }
    }
}

fn legacy(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let pointer = || Pointer::item(section, index);
        if item.fields().contains_key("pre_context:") {
            let message = format!(
                "{} spells its heading \"pre_context:\"; the spelling now is \"pre_context\"",
                title(section, index)
            );
            let pointer = pointer().key("pre_context:");
            let data = item_data(section, index)
                .with(DataKey::Key, "pre_context:")
                .with(DataKey::Replacement, "pre_context");
            findings.note(codes::LEGACY_SPELLING, &pointer, message, data);
        }
        let fragments = item.fields().get("fragments").and_then(Value::as_array);
        for (position, fragment) in fragments.into_iter().flatten().enumerate() {
            if fragment.get("var").is_some() {
                let message = format!(
                    "fragment {} of {} spells its condition \"var\"; the spelling now is \"if_var\"",
                    position + 1,
                    title(section, index)
                );
                let pointer = pointer().key("fragments").index(position).key("var");
                let data = item_data(section, index)
                    .with(DataKey::Fragment, position)
                    .with(DataKey::Key, "var")
                    .with(DataKey::Replacement, "if_var");
                findings.note(codes::LEGACY_SPELLING, &pointer, message, data);
            }
        }
    }
}
