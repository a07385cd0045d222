//! Dependent picks: rolls that respect what items require and exclude.

use std::sync::Arc;

use super::{
    Seed, Settings,
    choose::{Choice, Chosen, ranking, rolled, selected},
    program::SectionProgram,
};
use crate::registry::{Item, Registry};

/// What `requires` and `excludes` name: a section, and an item of it unless any will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    /// The section's position in the registry.
    pub section: u32,
    /// The item's identity.
    pub identity: Option<&'a str>,
}

impl<'a> Reference<'a> {
    /// Finds what a text names: a section of that very name, else a section before some dot.
    pub(crate) fn find(text: &'a str, registry: &Registry) -> Option<Self> {
        let section = |name: &str| {
            registry
                .sections()
                .get_index_of(name)
                .map(|index| index as u32)
        };
        if let Some(section) = section(text) {
            return Some(Self {
                section,
                identity: None,
            });
        }
        text.match_indices('.').find_map(|(dot, _)| {
            Some(Self {
                section: section(&text[..dot])?,
                identity: Some(&text[dot + 1..]),
            })
        })
    }
}

/// The choices of all sections, by position in the registry.
///
/// Selections stand; rolled sections follow in canonical order, each taking the first item of its
/// ranking that agrees with everything settled before it, or the very first when none does.
pub(super) fn settle<S: Settings>(
    registry: &Registry,
    sections: &[Arc<SectionProgram>],
    state: &S,
    seed: Seed,
    mut unsettled: impl FnMut(u32),
) -> Vec<Choice> {
    let mut settled: Vec<Option<Choice>> = sections
        .iter()
        .map(|program| (!rolled(program, state)).then(|| selected(program, state)))
        .collect();
    for section in registry.canonical_sections() {
        let Some(index) = registry.sections().get_index_of(section.name()) else {
            continue;
        };
        if settled[index].is_some() {
            continue;
        }
        let table = Table {
            registry,
            sections,
            settled: &settled,
        };
        let ranked = ranking(&sections[index], seed);
        let agreeing = ranked
            .iter()
            .find(|item| table.agrees(index as u32, **item));
        if agreeing.is_none() && !ranked.is_empty() {
            unsettled(index as u32);
        }
        let chosen = agreeing.or(ranked.first());
        settled[index] = Some(Choice {
            chosen: chosen.map_or(Chosen::Nobody, |item| Chosen::Single(*item)),
            origin: super::Origin::Random,
        });
    }
    let nobody = || Choice {
        chosen: Chosen::Nobody,
        origin: super::Origin::Default,
    };
    settled
        .into_iter()
        .map(|choice| choice.unwrap_or_else(nobody))
        .collect()
}

/// The items of an open section that agree with everything settled so far; all of them when none
/// does, as a roll then takes any.
pub(super) fn options(
    registry: &Registry,
    sections: &[Arc<SectionProgram>],
    settled: &[Option<Choice>],
    section: u32,
) -> Vec<u32> {
    let table = Table {
        registry,
        sections,
        settled,
    };
    let all = 0..sections[section as usize].len() as u32;
    let agreeing: Vec<u32> = all
        .clone()
        .filter(|item| table.agrees(section, *item))
        .collect();
    if agreeing.is_empty() {
        all.collect()
    } else {
        agreeing
    }
}

struct Table<'a> {
    registry: &'a Registry,
    sections: &'a [Arc<SectionProgram>],
    settled: &'a [Option<Choice>],
}

impl Table<'_> {
    /// Whether an item agrees with everything settled so far, in both directions.
    fn agrees(&self, section: u32, item: u32) -> bool {
        let candidate = self.item(section, item);
        let own = candidate
            .requires()
            .all(|text| self.holds(text).unwrap_or(true))
            && !candidate
                .excludes()
                .any(|text| self.holds(text).unwrap_or(false));
        own && self
            .sections
            .iter()
            .zip(self.settled)
            .all(|(program, choice)| {
                let choice = choice.as_ref().filter(|_| program.section.dependent());
                let chosen = choice.map_or(&[][..], |choice| choice.chosen.items());
                chosen.iter().all(|other| {
                    let other = &program.section.items()[*other as usize];
                    self.admits(other, section, candidate)
                })
            })
    }

    /// Whether what is named is among the settled choices; unknown while its section is open.
    fn holds(&self, text: &str) -> Option<bool> {
        let Some(reference) = Reference::find(text, self.registry) else {
            return Some(false);
        };
        let choice = self.settled[reference.section as usize].as_ref()?;
        let mut chosen = choice.chosen.items().iter();
        Some(chosen.any(|item| names(reference, self.item(reference.section, *item))))
    }

    /// Whether a settled item lets the candidate in.
    fn admits(&self, settled: &Item, section: u32, candidate: &Item) -> bool {
        let about = |text| {
            let reference = Reference::find(text, self.registry);
            reference.filter(|reference| reference.section == section)
        };
        settled
            .requires()
            .filter_map(about)
            .all(|reference| names(reference, candidate))
            && !settled
                .excludes()
                .filter_map(about)
                .any(|reference| names(reference, candidate))
    }

    fn item(&self, section: u32, item: u32) -> &Item {
        &self.sections[section as usize].section.items()[item as usize]
    }
}

fn names(reference: Reference<'_>, item: &Item) -> bool {
    reference
        .identity
        .is_none_or(|identity| item.identity() == Some(identity))
}
