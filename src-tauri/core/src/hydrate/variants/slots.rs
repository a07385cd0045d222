//! The slots of a call: each rolled section and each rolled slider, with the values it can take and
//! the pairs of values that `requires` and `excludes` forbid.

use super::{OpenChoices, covering::Grid};
use crate::{
    hydrate::{
        Engine, Reference,
        constraints::{consistent_items, matches},
    },
    registry::Item,
};

/// The positions of a slider.
const POSITIONS: std::ops::RangeInclusive<u32> = 1..=10;

/// A rolled value.
pub(super) struct Slot {
    /// The section's position in the registry.
    pub section: u32,
    /// Whether it is the slider; otherwise the item.
    pub slider: bool,
    /// The positions of the items that can be rolled, or those of the slider.
    pub values: Vec<u32>,
}

/// The slots of a call: sections in canonical order, then sliders. Items that contradict a
/// selection are left out.
pub(super) fn slots(engine: &Engine, open: &OpenChoices) -> Vec<Slot> {
    let registry = engine.registry();
    let items = open.sections.iter().map(|section| Slot {
        section: *section,
        slider: false,
        values: consistent_items(registry, engine.sections(), &open.choices, *section),
    });
    let sliders = open.sliders.iter().filter_map(|name| {
        let section = registry.sections().get_index_of(name.as_str())?;
        Some(Slot {
            section: section as u32,
            slider: true,
            values: POSITIONS.collect(),
        })
    });
    items.chain(sliders).collect()
}

/// Forbids the pairs of items that contradict each other.
pub(super) fn forbid_contradictions(engine: &Engine, slots: &[Slot], grid: &mut Grid) {
    let registry = engine.registry();
    let item = |slot: &Slot, value: u32| -> &Item {
        &engine.sections()[slot.section as usize].section.items()[value as usize]
    };
    for (at, slot) in slots.iter().enumerate() {
        if slot.slider || !engine.sections()[slot.section as usize].section.dependent() {
            continue;
        }
        for (value, position) in slot.values.iter().enumerate() {
            let value_item = item(slot, *position);
            let required = value_item.requires().map(|text| (text, true));
            let excluded = value_item.excludes().map(|text| (text, false));
            for (text, wanted) in required.chain(excluded) {
                let Some(reference) = Reference::find(text, registry) else {
                    continue;
                };
                let other = slots.iter().position(|other| {
                    !other.slider
                        && other.section == reference.section
                        && other.section != slot.section
                });
                let Some(other) = other else {
                    continue;
                };
                for (other_value, position) in slots[other].values.iter().enumerate() {
                    if matches(reference, item(&slots[other], *position)) != wanted {
                        grid.forbid((at, value), (other, other_value));
                    }
                }
            }
        }
    }
}
