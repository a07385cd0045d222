//! The texts that an evaluation leaves out, as the page shows them.

use promptdeck_core::hydrate::{Call, Engine, Hydration};
use promptdeck_core::registry::Registry;
use promptdeck_core::unprinted::{self, Unprinted, UnprintedReason as Why};

use super::{dropped, picked};
use crate::saturating::saturating_u32;
use crate::wire::{UnprintedReason, UnprintedText};

/// Every text of the items in use that the call does not print.
pub(crate) fn of(engine: &Engine, call: &Call<'_>, hydration: &Hydration) -> Vec<UnprintedText> {
    let found = unprinted::unprinted(engine, call, hydration);
    let registry = engine.registry();
    found
        .into_iter()
        .map(|one| text(one, registry, hydration))
        .collect()
}

fn text(one: Unprinted, registry: &Registry, hydration: &Hydration) -> UnprintedText {
    let section = registry.section(&one.section);
    let item = section.and_then(|section| section.items().get(one.item));
    let identity = item.and_then(|item| item.identity());
    let mut insertion = None;
    let (reason, words) = match one.reason {
        Why::NotInAssembly { insertion: found } => {
            insertion = found;
            (UnprintedReason::NotInAssembly, "in no entry".to_owned())
        }
        Why::OtherRoute {
            routes,
            insertion: found,
        } => {
            insertion = found;
            (UnprintedReason::OtherRoute, unprinted::only_routes(&routes))
        }
        Why::Filtered { by } => (
            UnprintedReason::Filtered,
            format!("filtered by {}", by.join(", ")),
        ),
        Why::NotRolled => (UnprintedReason::NotRolled, "not rolled".to_owned()),
        Why::Mode { mode } => (UnprintedReason::Mode, format!("left out by mode {mode}")),
        Why::Condition { variable } => (UnprintedReason::Condition, format!("{variable} is empty")),
        Why::Dropped { token, reason } => {
            let token = hydration.tokens.get(token);
            let written = token.map_or("", |report| report.token.as_str());
            let used = hydration.evaluation.sections.get(&one.section);
            let items = used.into_iter().flat_map(|section| &section.items);
            let items: Vec<_> = items
                .map(|item| picked(item.id.as_deref(), item.index))
                .collect();
            (
                UnprintedReason::Dropped,
                format!("dropped: {}", dropped(reason, written, registry, &items)),
            )
        }
        _ => (
            UnprintedReason::Replaced,
            "another text is printed in its place".to_owned(),
        ),
    };
    UnprintedText {
        item: picked(identity, one.item),
        section: one.section,
        field: one.field,
        entry: one.entry.map(saturating_u32),
        fragment: one.fragment.map(saturating_u32),
        reason,
        words,
        token: insertion.as_ref().map(|insertion| insertion.token.clone()),
        index: insertion.map(|insertion| saturating_u32(insertion.index)),
    }
}
