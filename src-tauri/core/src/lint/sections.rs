//! Checks within one section: ids and names, reachability, defaults, modes, injections, list
//! entries, legacy spellings.

use std::collections::BTreeMap;

use promptdeck_json::nearest::did_you_mean;
use promptdeck_python::repr::json_number;
use serde_json::Value;

use super::variables::NAMES;
use super::{Findings, Pointer, Registry, Section, named, title};
use crate::{
    hydrate::{Mode, State, baked_faults},
    plural::plural,
    registry::name_fault,
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
    entries(section, findings);
    legacy(section, findings);
    if section.name() == "runtime_injections" {
        injections(section, registry, findings);
    }
}

/// Checks for names that no token can refer to.
fn names(section: &Section, findings: &mut Findings) {
    let mut warn = |what: String, pointer: &Pointer, name: &str| {
        if let Some(fault) = name_fault(name) {
            let message = format!("{what}: {fault}; rename it");
            findings.warning("name_not_in_tokens", pointer, message);
        }
    };
    let name = section.name();
    warn(format!("section {name:?}"), &Pointer::to(name), name);
    for (index, item) in section.items().iter().enumerate() {
        let pointer = || Pointer::item(section, index);
        if let Some(identity) = item.identity() {
            let key = if item.id().is_some() { "id" } else { "name" };
            let what = format!("item {identity:?} of {name:?}");
            warn(what, &pointer().key(key), identity);
        }
        for field in item.fields().keys() {
            let what = format!("field {field:?} of {}", title(section, index));
            warn(what, &pointer().key(field), field);
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
                        "{:?} is the identity of items {first} and {index} of {:?}; rename one",
                        identity,
                        section.name()
                    );
                    findings.warning("duplicate_id", &pointer.key(key), message);
                } else {
                    seen.insert(identity, index);
                }
            }
            None if !by_default && !rolled => {
                let message = format!(
                    "item {index} of {:?} has neither id nor name: no entry and no selection can \
                     reach it",
                    section.name()
                );
                findings.warning("item_unreachable", &pointer, message);
            }
            None => {}
        }
    }
}

/// Checks for built-in selections and sliders that are invalid, and for required sections without
/// items.
fn defaults(section: &Section, findings: &mut Findings) {
    for fault in baked_faults(section) {
        findings.add(
            fault.code,
            fault.severity,
            &Pointer(fault.pointer),
            fault.message,
        );
    }
    if section.required() && section.items().is_empty() {
        let message = format!(
            "{:?} is required and has no item: its entries print nothing; add an item, or set \
             required to false",
            section.name()
        );
        findings.error(
            "section_empty",
            &Pointer::to(section.name()).key("items"),
            message,
        );
    }
}

/// Checks for entries of printed lists that are not texts and print differently than they look.
fn entries(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let lists = item.fields().iter().filter(|(field, value)| {
            value.is_array() && *field != "fragments" && !NAMES.contains(&field.as_str())
        });
        for (field, list) in lists {
            let list = list.as_array().into_iter().flatten();
            for (position, entry) in list.enumerate() {
                let prints = match entry {
                    Value::String(_) => continue,
                    Value::Number(number) => {
                        let spelled = number.to_string();
                        let printed = json_number(&spelled);
                        if printed == spelled {
                            continue;
                        }
                        format!("the number {spelled}, which prints as {printed}")
                    }
                    Value::Null => "null, which prints an empty entry".to_owned(),
                    Value::Bool(flag) => format!("{flag}, which prints as JSON"),
                    Value::Array(_) => "a list, which prints as JSON".to_owned(),
                    Value::Object(_) => "an object, which prints as JSON".to_owned(),
                };
                let message = format!(
                    "entry {position} of {field} in {} is {prints}; write a text",
                    title(section, index)
                );
                let pointer = Pointer::item(section, index).key(field).index(position);
                findings.warning("entry_not_text", &pointer, message);
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
    let what = format!("mode {text:?} of {}.{field}", section.name());
    if let Some(fault) = fault {
        findings.warning(
            "mode_malformed",
            pointer,
            format!("{what} {}", fault.consequence()),
        );
    }
    let lengths = section
        .items()
        .iter()
        .filter_map(|item| item.fields().get(field)?.as_array().map(Vec::len));
    let Some(longest) = lengths.max() else {
        let message = format!("{what} has no effect: no item has a list in that field");
        return findings.warning("mode_without_list", pointer, message);
    };
    let indices = match &mode {
        Mode::Index(index) => std::slice::from_ref(index),
        Mode::Indices(indices) => indices.as_slice(),
        _ => &[],
    };
    let outside = |index: &&i64| usize::try_from(**index).map_or(true, |index| index >= longest);
    if let Some(index) = indices.iter().find(outside) {
        let message = format!(
            "{what}: index {index} is out of range, the longest list there has {}",
            plural(longest, "entry")
        );
        findings.warning("mode_out_of_range", pointer, message);
    }
}

fn injections(section: &Section, registry: &Registry, findings: &mut Findings) {
    if section.required() {
        let pointer = Pointer::to(section.name());
        let message = "\"runtime_injections\" is required, so its items never act as injections; \
                       set required to false";
        findings.warning("injections_required", &pointer, message.to_owned());
    }
    for (index, item) in section.items().iter().enumerate() {
        for (position, name) in item.include_sections().enumerate() {
            let pointer = Pointer::item(section, index)
                .key("include_sections")
                .index(position);
            if registry.section(name).is_some() {
                continue;
            }
            let of = title(section, index);
            if let Some(real) = named(name, registry) {
                let message = format!(
                    "include_sections of {of} names the alias {name:?}; write {:?}",
                    real.name()
                );
                findings.error("include_alias", &pointer, message);
            } else {
                let near = did_you_mean(name, registry.sections().keys().map(String::as_str));
                let message =
                    format!("include_sections of {of} names {name:?}, which is no section{near}");
                findings.error("include_unknown", &pointer, message);
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
            findings.note("legacy_spelling", &pointer().key("pre_context:"), message);
        }
        let fragments = item.fields().get("fragments").and_then(Value::as_array);
        for (position, fragment) in fragments.into_iter().flatten().enumerate() {
            if fragment.get("var").is_some() {
                let message = format!(
                    "fragment {position} of {} spells its condition \"var\"; the spelling now is \
                     \"if_var\"",
                    title(section, index)
                );
                let pointer = pointer().key("fragments").index(position).key("var");
                findings.note("legacy_spelling", &pointer, message);
            }
        }
    }
}
