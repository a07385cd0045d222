//! Runtime injections of a call: the active ones drop every section that none of them includes.

use smallvec::SmallVec;

use super::{choose::ItemSet, program::SectionProgram};

/// The runtime injections of a call that has some.
#[derive(Clone)]
pub(super) struct Injections {
    /// The section's position in the registry.
    pub section: u32,
    /// The active items, in item order.
    pub items: SmallVec<[u32; 4]>,
    /// The sections they let through, by position in the registry.
    admitted: SmallVec<[u32; 8]>,
}

impl Injections {
    /// The injections of a call: none unless the section is optional and some are selected.
    pub fn new(
        section: u32,
        program: &SectionProgram,
        chosen: &ItemSet,
        find: impl Fn(&str) -> Option<u32>,
    ) -> Option<Self> {
        let ItemSet::Many(items) = chosen else {
            return None;
        };
        if program.section.required() {
            return None;
        }
        let included = items
            .iter()
            .flat_map(|item| program.section.items()[*item as usize].include_sections());
        Some(Self {
            section,
            items: items.clone(),
            admitted: std::iter::once(section)
                .chain(included.filter_map(find))
                .collect(),
        })
    }

    /// Whether the tokens of a section print while these injections are active.
    pub fn admits(&self, section: u32) -> bool {
        self.admitted.contains(&section)
    }

    /// The names of the active items that have one.
    pub fn names(&self, program: &SectionProgram) -> Vec<String> {
        let identities = self.items.iter().map(|item| &program.item(*item).identity);
        identities
            .filter_map(|identity| identity.as_deref().map(str::to_owned))
            .collect()
    }
}
