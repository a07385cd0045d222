//! `requires` and `excludes`: rolls that satisfy them.

use std::sync::Arc;

use super::{
    Seed, Settings,
    choose::{Choice, ItemSet, first_of_ranking, is_rolled, ranking, selection_choice},
    program::SectionProgram,
};
use crate::registry::{Item, Registry};

/// What an entry of `requires` or `excludes` names: a section, and an item of it unless any will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    /// The section's position in the registry.
    pub section: u32,
    /// The item's identity.
    pub identity: Option<&'a str>,
}

impl<'a> Reference<'a> {
    /// Resolves a reference: the section of exactly that name, else the section before some dot.
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
/// Selections are fixed. Rolled sections follow in canonical order: each takes the first item of its
/// ranking that is consistent with all earlier choices, or the very first if none is. Calls
/// `on_conflict` with each section that has no consistent item.
pub(super) fn resolve<S: Settings>(
    registry: &Registry,
    sections: &[Arc<SectionProgram>],
    state: &S,
    seed: Seed,
    mut on_conflict: impl FnMut(u32),
) -> Vec<Choice> {
    let mut choices: Vec<Option<Choice>> = sections
        .iter()
        .map(|program| (!is_rolled(program, state)).then(|| selection_choice(program, state)))
        .collect();
    for section in registry.canonical_sections() {
        let Some(index) = registry.sections().get_index_of(section.name()) else {
            continue;
        };
        if choices[index].is_some() {
            continue;
        }
        let constraints = Constraints {
            registry,
            sections,
            choices: &choices,
        };
        let program = &*sections[index];
        let is_allowed = |item: &u32| constraints.allow(index as u32, *item);
        // Most often the first one is allowed, and the order of the others does not matter.
        let first = first_of_ranking(program, seed);
        let allowed = first.filter(is_allowed).or_else(|| {
            let ranked = ranking(program, seed);
            ranked.into_iter().skip(1).find(is_allowed)
        });
        if allowed.is_none() && first.is_some() {
            on_conflict(index as u32);
        }
        let chosen = allowed.or(first);
        choices[index] = Some(Choice {
            chosen: chosen.map_or(ItemSet::None, ItemSet::Single),
            origin: super::Origin::Random,
        });
    }
    let none = || Choice {
        chosen: ItemSet::None,
        origin: super::Origin::Default,
    };
    choices
        .into_iter()
        .map(|choice| choice.unwrap_or_else(none))
        .collect()
}

/// The items that a roll of an open section can take: those consistent with all choices so far, or
/// all if none is; without weight only if there are no others.
pub(super) fn allowed_items(
    registry: &Registry,
    sections: &[Arc<SectionProgram>],
    choices: &[Option<Choice>],
    section: u32,
) -> Vec<u32> {
    let consistent = consistent_items(registry, sections, choices, section);
    if !consistent.is_empty() {
        return consistent;
    }
    weighty_items(&sections[section as usize])
}

/// The items that a roll of a section can take if no choice depends on another.
pub(super) fn weighty_items(program: &SectionProgram) -> Vec<u32> {
    weighty(program, (0..program.len() as u32).collect())
}

/// As [`allowed_items`], but no item if none is consistent.
pub(super) fn consistent_items(
    registry: &Registry,
    sections: &[Arc<SectionProgram>],
    choices: &[Option<Choice>],
    section: u32,
) -> Vec<u32> {
    let constraints = Constraints {
        registry,
        sections,
        choices,
    };
    let program = &sections[section as usize];
    let all = 0..program.len() as u32;
    let consistent = all.filter(|item| constraints.allow(section, *item));
    weighty(program, consistent.collect())
}

/// Those with a weight above 0; all if none has.
fn weighty(program: &SectionProgram, mut items: Vec<u32>) -> Vec<u32> {
    if let Some(weights) = &program.weights {
        let weighs = |item: &u32| weights[*item as usize] > 0.0;
        if items.iter().any(weighs) {
            items.retain(weighs);
        }
    }
    items
}

struct Constraints<'a> {
    registry: &'a Registry,
    sections: &'a [Arc<SectionProgram>],
    choices: &'a [Option<Choice>],
}

impl Constraints<'_> {
    /// Whether an item is consistent with all choices so far, in both directions.
    fn allow(&self, section: u32, item: u32) -> bool {
        let candidate = self.item(section, item);
        let satisfied = candidate
            .requires()
            .all(|text| self.is_chosen(text).unwrap_or(true))
            && !candidate
                .excludes()
                .any(|text| self.is_chosen(text).unwrap_or(false));
        satisfied
            && self
                .sections
                .iter()
                .zip(self.choices)
                .all(|(program, choice)| {
                    let choice = choice.as_ref().filter(|_| program.section.dependent());
                    let chosen = choice.map_or(&[][..], |choice| choice.chosen.items());
                    chosen.iter().all(|other| {
                        let other = &program.section.items()[*other as usize];
                        self.permits(other, section, candidate)
                    })
                })
    }

    /// Whether the referenced item is among the choices; unknown while its section is open.
    fn is_chosen(&self, text: &str) -> Option<bool> {
        let Some(reference) = Reference::find(text, self.registry) else {
            return Some(false);
        };
        let choice = self.choices[reference.section as usize].as_ref()?;
        let mut chosen = choice.chosen.items().iter();
        Some(chosen.any(|item| matches(reference, self.item(reference.section, *item))))
    }

    /// Whether a chosen item permits the candidate.
    fn permits(&self, chosen: &Item, section: u32, candidate: &Item) -> bool {
        let reference_to = |text| {
            let reference = Reference::find(text, self.registry);
            reference.filter(|reference| reference.section == section)
        };
        chosen
            .requires()
            .filter_map(reference_to)
            .all(|reference| matches(reference, candidate))
            && !chosen
                .excludes()
                .filter_map(reference_to)
                .any(|reference| matches(reference, candidate))
    }

    fn item(&self, section: u32, item: u32) -> &Item {
        &self.sections[section as usize].section.items()[item as usize]
    }
}

/// Whether a reference names an item of its section.
pub(super) fn matches(reference: Reference<'_>, item: &Item) -> bool {
    reference
        .identity
        .is_none_or(|identity| item.identity() == Some(identity))
}
