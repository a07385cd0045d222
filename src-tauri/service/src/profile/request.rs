//! Converts the page's parameters to the library's.

use promptdeck_population::RowKind;
use promptdeck_population::profile::{self, Slot};

use crate::wire::{self, CoverageKind, ProfileSlot};

/// Two slots whose combinations are counted.
pub(crate) fn row_slots([first, second]: &[ProfileSlot; 2]) -> (Slot, Slot) {
    (slot(first), slot(second))
}

fn slot(slot: &ProfileSlot) -> Slot {
    let section = slot.section.clone();
    if slot.slider {
        Slot::Slider { section }
    } else {
        Slot::Item { section }
    }
}

/// Which rolls to find.
pub(crate) fn filter(filter: &wire::RollFilter) -> profile::RollFilter {
    match filter {
        wire::RollFilter::Tokens { from, to } => profile::RollFilter::Length {
            from: u64::from(*from),
            to: u64::from(*to),
        },
        wire::RollFilter::Prints { rows } => {
            profile::RollFilter::Prints(rows.iter().map(row).collect())
        }
    }
}

fn row(row: &wire::RowKey) -> profile::RowKey {
    let kind = match &row.kind {
        CoverageKind::Item => RowKind::Item,
        CoverageKind::Text { field } => RowKind::Text {
            field: field.clone(),
        },
        CoverageKind::Entry { field, entry } => RowKind::Entry {
            field: field.clone(),
            entry: *entry as usize,
        },
        CoverageKind::Fragment { fragment } => RowKind::Fragment {
            fragment: *fragment as usize,
        },
        CoverageKind::Slider { value } => RowKind::Slider {
            value: i64::from(*value),
        },
    };
    profile::RowKey {
        section: row.section.clone(),
        item: row.item.map(|item| item as usize),
        kind,
    }
}
