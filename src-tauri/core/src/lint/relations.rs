//! `requires` and `excludes` that name nothing or contradict each other.

use super::{Findings, Pointer, Registry, Section, title};
use crate::hydrate::Reference;
use crate::registry::Item;

pub(super) fn check(section: &Section, registry: &Registry, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let pointer = Pointer::item(section, index);
        let of = title(section, index);
        let lists = [
            ("requires", item.requires().collect::<Vec<_>>()),
            ("excludes", item.excludes().collect()),
        ];
        for (list, texts) in &lists {
            for (position, text) in texts.iter().enumerate() {
                if !names_something(text, registry) {
                    let message = format!("{list} of {of} names {text:?}, which does not exist");
                    let pointer = pointer.key(list).index(position);
                    findings.error("relation_unknown", &pointer, message);
                }
            }
        }
        for (position, text) in item.requires().enumerate() {
            if let Some(why) = contradiction(text, item, section, registry) {
                let message = format!("{of} requires {text:?}, but {why}: it can never be rolled");
                let pointer = pointer.key("requires").index(position);
                findings.error("relation_contradiction", &pointer, message);
            }
        }
    }
}

fn names_something(text: &str, registry: &Registry) -> bool {
    let Some(reference) = Reference::find(text, registry) else {
        return false;
    };
    reference
        .identity
        .is_none_or(|identity| target(reference.section, identity, registry).is_some())
}

fn target<'r>(section: u32, identity: &str, registry: &'r Registry) -> Option<&'r Item> {
    let (_, section) = registry.sections().get_index(section as usize)?;
    let mut items = section.items().iter();
    let found = items.find(|item| item.identity() == Some(identity));
    found.map(AsRef::as_ref)
}

/// Why the requirement of an item cannot be met together with the item.
fn contradiction(
    text: &str,
    item: &Item,
    section: &Section,
    registry: &Registry,
) -> Option<String> {
    let wanted = Reference::find(text, registry)?;
    let excluding = item.excludes().find(|excluded| {
        Reference::find(excluded, registry).is_some_and(|excluded| {
            excluded.section == wanted.section
                && (excluded.identity.is_none() || excluded.identity == wanted.identity)
        })
    });
    if let Some(excluded) = excluding {
        return Some(format!("excludes {excluded:?}"));
    }
    let (name, wanted_section) = registry.sections().get_index(wanted.section as usize)?;
    let identity = wanted.identity?;
    let other = item.requires().find(|other| {
        Reference::find(other, registry).is_some_and(|other| {
            other.section == wanted.section && other.identity.is_some_and(|id| id != identity)
        })
    });
    if let Some(other) = other.filter(|_| wanted_section.required()) {
        return Some(format!("also {other:?}, and {name:?} gives one item only"));
    }
    let required = target(wanted.section, identity, registry)?;
    let refused = required.excludes().find(|excluded| {
        Reference::find(excluded, registry).is_some_and(|excluded| {
            let here = registry.sections().get_index_of(section.name());
            here == Some(excluded.section as usize)
                && (excluded.identity.is_none() || excluded.identity == item.identity())
        })
    });
    refused.map(|refused| format!("that excludes {refused:?}"))
}
