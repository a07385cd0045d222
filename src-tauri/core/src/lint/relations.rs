//! `requires` and `excludes` that name nothing or contradict each other.

use std::collections::{HashMap, HashSet};

use super::{
    DataKey, DiagnosticData, Findings, Pointer, Registry, Section, codes, item_data, title,
};
use crate::hydrate::{Engine, Reference};
use crate::registry::Item;

pub(super) fn check(section: &Section, engine: &Engine, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let is_known = |section, identity: &str| engine.item(section, identity).is_some();
        unknown_of(section, index, engine.registry(), is_known, findings);
        let owner = title(section, index);
        for (position, text) in item.requires().enumerate() {
            if let Some(Contradiction { why: reason, data }) =
                contradiction(text, item, section, engine)
            {
                let message =
                    format!("{owner} requires {text:?}, but {reason}: it can never be rolled");
                let pointer = Pointer::item(section, index)
                    .key("requires")
                    .index(position);
                let data = item_data(section, index)
                    .with(DataKey::Target, text)
                    .and(data);
                findings.error(codes::RELATION_CONTRADICTION, &pointer, message, data);
            }
        }
    }
}

/// The identities of the sections that relations name.
#[derive(Default)]
pub(super) struct Identities<'r>(HashMap<u32, HashSet<&'r str>>);

impl<'r> Identities<'r> {
    /// The entries of a section's items that name nothing.
    pub(super) fn unknown(
        &mut self,
        section: &Section,
        registry: &'r Registry,
        findings: &mut Findings,
    ) {
        for index in 0..section.items().len() {
            let is_known = |section: u32, identity: &str| {
                let known = self.0.entry(section).or_insert_with(|| {
                    let named = registry.sections().get_index(section as usize);
                    let items = named.into_iter().flat_map(|(_, named)| named.items());
                    items.filter_map(|item| item.identity()).collect()
                });
                known.contains(identity)
            };
            unknown_of(section, index, registry, is_known, findings);
        }
    }
}

fn unknown_of(
    section: &Section,
    index: usize,
    registry: &Registry,
    mut is_known: impl FnMut(u32, &str) -> bool,
    findings: &mut Findings,
) {
    let item = &section.items()[index];
    let requires = item.requires().enumerate().map(|entry| ("requires", entry));
    let excludes = item.excludes().enumerate().map(|entry| ("excludes", entry));
    for (list, (position, text)) in requires.chain(excludes) {
        let names_something = Reference::find(text, registry).is_some_and(|found| {
            let identity = found.identity;
            identity.is_none_or(|identity| is_known(found.section, identity))
        });
        if !names_something {
            let owner = title(section, index);
            let message = format!("{list} of {owner} names {text:?}, which does not exist");
            let pointer = Pointer::item(section, index).key(list).index(position);
            let data = item_data(section, index)
                .with(DataKey::Field, list)
                .with(DataKey::Target, text);
            findings.error(codes::RELATION_UNKNOWN, &pointer, message, data);
        }
    }
}

/// Why what an item requires cannot be had along with it, in words and as data.
struct Contradiction {
    why: String,
    data: DiagnosticData,
}

/// What contradicts an entry of an item's `requires`.
fn contradiction(
    text: &str,
    item: &Item,
    section: &Section,
    engine: &Engine,
) -> Option<Contradiction> {
    let registry = engine.registry();
    let conflict = |text: &str| DiagnosticData::of(DataKey::Conflict, text);
    let wanted = Reference::find(text, registry)?;
    let excluding = item.excludes().find(|excluded| {
        Reference::find(excluded, registry).is_some_and(|excluded| {
            excluded.section == wanted.section
                && (excluded.identity.is_none() || excluded.identity == wanted.identity)
        })
    });
    if let Some(excluded) = excluding {
        return Some(Contradiction {
            why: format!("excludes {excluded:?}"),
            data: conflict(excluded),
        });
    }
    let (name, wanted_section) = registry.sections().get_index(wanted.section as usize)?;
    let identity = wanted.identity?;
    let other = item.requires().find(|other| {
        Reference::find(other, registry).is_some_and(|other| {
            other.section == wanted.section && other.identity.is_some_and(|id| id != identity)
        })
    });
    if let Some(other) = other.filter(|_| wanted_section.required()) {
        return Some(Contradiction {
            why: format!("also {other:?}, and {name:?} gives one item only"),
            data: conflict(other).with(DataKey::TargetSection, name.as_str()),
        });
    }
    let required = engine.item(wanted.section, identity)?;
    let refused = required.excludes().find(|excluded| {
        Reference::find(excluded, registry).is_some_and(|excluded| {
            let section_index = registry.sections().get_index_of(section.name());
            section_index == Some(excluded.section as usize)
                && (excluded.identity.is_none() || excluded.identity == item.identity())
        })
    });
    refused.map(|refused| Contradiction {
        why: format!("that excludes {refused:?}"),
        data: conflict(refused),
    })
}
