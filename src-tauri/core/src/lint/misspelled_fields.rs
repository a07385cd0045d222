//! Fields of items that are probably misspelled: no entry prints them, and a known field is similar.

use promptdeck_json::{
    abridged,
    nearest::{hint, nearest},
};

use super::{
    DataKey, Findings, Pointer, Registry, Section, codes, item_data, title, unreached::has_text,
};
use crate::{
    registry::{ITEM_KEYS, Item},
    unprinted::Reach,
};

/// Maximum number of fields compared, so that a large registry of unknown fields takes no longer.
const MAX_COMPARED: usize = 10_000;

/// Suggests a field for a misspelled one.
pub(super) struct Spelling<'r> {
    reaches: &'r [Reach<'r>],
    compared: usize,
}

impl<'r> Spelling<'r> {
    pub(super) fn new(reaches: &'r [Reach<'r>]) -> Self {
        Self {
            reaches,
            compared: 0,
        }
    }

    /// The field to suggest instead of one that no entry names: the nearest of those that every
    /// item may have or that entries print of the section, and that the item lacks.
    pub(super) fn suggestion(
        &mut self,
        section: &Section,
        item: &Item,
        field: &str,
    ) -> Option<&'r str> {
        let reaches = self.reaches;
        let printed = || reaches.iter().flat_map(|reach| reach.fields(section));
        if ITEM_KEYS.contains(&field)
            || self.compared == MAX_COMPARED
            || printed().any(|printed| printed == field)
        {
            return None;
        }
        self.compared += 1;
        let known = ITEM_KEYS.into_iter().chain(printed().map(String::as_str));
        nearest(
            field,
            known.filter(|known| !item.fields().contains_key(*known)),
        )
    }
}

/// Fields that [`check`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fields {
    /// All of them.
    All,
    /// Those without a text. The texts are reported with the entry that would print them.
    WithoutText,
}

/// Reports the misspelled fields of all items.
pub(super) fn check(
    registry: &Registry,
    fields: Fields,
    spelling: &mut Spelling<'_>,
    findings: &mut Findings,
) {
    for section in registry.sections().values() {
        for (index, item) in section.items().iter().enumerate() {
            for (field, value) in item.fields() {
                if (fields == Fields::All || !has_text(value))
                    && let Some(suggestion) = spelling.suggestion(section, item, field)
                {
                    report(section, index, field, suggestion, findings);
                }
            }
        }
    }
}

fn report(section: &Section, index: usize, field: &str, suggestion: &str, findings: &mut Findings) {
    let message = format!(
        "{} has a field {:?}: it is kept, and nothing reads it{}",
        title(section, index),
        abridged(field),
        hint(Some(suggestion))
    );
    let data = item_data(section, index)
        .with(DataKey::Key, field)
        .with(DataKey::Suggestion, suggestion);
    let pointer = Pointer::item(section, index).key(field);
    findings.warning(codes::UNKNOWN_KEY, &pointer, message, data);
}
