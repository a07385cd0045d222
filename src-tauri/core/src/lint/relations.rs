//! `requires` and `excludes` that name nothing or contradict each other.

use super::{DataKey, DiagnosticData, Findings, Pointer, Section, codes, item_data, title};
use crate::hydrate::{Engine, Reference};
use crate::registry::Item;

pub(super) fn check(section: &Section, engine: &Engine, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let pointer = Pointer::item(section, index);
        let of = title(section, index);
        let lists = [
            ("requires", item.requires().collect::<Vec<_>>()),
            ("excludes", item.excludes().collect()),
        ];
        for (list, texts) in &lists {
            for (position, text) in texts.iter().enumerate() {
                if !names_something(text, engine) {
                    let message = format!("{list} of {of} names {text:?}, which does not exist");
                    let pointer = pointer.key(list).index(position);
                    let data = item_data(section, index)
                        .with(DataKey::Field, *list)
                        .with(DataKey::Target, *text);
                    findings.error(codes::RELATION_UNKNOWN, &pointer, message, data);
                }
            }
        }
        for (position, text) in item.requires().enumerate() {
            if let Some(Contradiction { why, data }) = contradiction(text, item, section, engine) {
                let message = format!("{of} requires {text:?}, but {why}: it can never be rolled");
                let pointer = pointer.key("requires").index(position);
                let data = item_data(section, index)
                    .with(DataKey::Target, text)
                    .and(data);
                findings.error(codes::RELATION_CONTRADICTION, &pointer, message, data);
            }
        }
    }
}

fn names_something(text: &str, engine: &Engine) -> bool {
    let Some(reference) = Reference::find(text, engine.registry()) else {
        return false;
    };
    reference
        .identity
        .is_none_or(|identity| engine.item(reference.section, identity).is_some())
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
            let here = registry.sections().get_index_of(section.name());
            here == Some(excluded.section as usize)
                && (excluded.identity.is_none() || excluded.identity == item.identity())
        })
    });
    refused.map(|refused| Contradiction {
        why: format!("that excludes {refused:?}"),
        data: conflict(refused),
    })
}
