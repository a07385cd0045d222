//! The probability of each item of a section, where no other roll decides over it.

use std::collections::{BTreeMap, BTreeSet};

use super::{OpenChoices, open_items};
use crate::{
    hydrate::{Engine, Reference, State, program::SectionProgram},
    registry::Registry,
};

/// The probabilities of the items of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionOdds {
    /// The section.
    pub section: String,
    /// Whether its item is rolled.
    pub rolled: bool,
    /// The probability of each item, by position; of a section that is not rolled 1 for each
    /// selected item. `None` if `requires` or `excludes` make it depend on another roll.
    pub items: Option<Vec<f64>>,
}

/// The probability of each item of all sections, in canonical order: its weight divided by the sum
/// of the weights of those that a roll can take.
///
/// ```
/// use promptdeck_core::hydrate::{Engine, State, variants::odds};
/// use promptdeck_core::registry;
///
/// let text = br#"{"mood": {"section_random": true, "items": [
///     {"id": "calm", "text": "Calm.", "weight": 3}, {"id": "wild", "text": "Wild."}
/// ]}}"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let odds = odds(&engine, &State::default());
/// assert_eq!(odds[0].items, Some(vec![0.75, 0.25]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn odds(engine: &Engine, state: &State) -> Vec<SectionOdds> {
    let registry = engine.registry();
    let open = OpenChoices::new(engine, state);
    let related = related_sections(registry);
    let mut rolled_before = BTreeSet::new();
    let mut found = Vec::new();
    for section in registry.canonical_sections() {
        let Some(index) = registry.sections().get_index_of(section.name()) else {
            continue;
        };
        let program = &engine.sections()[index];
        let choice = &open.choices[index];
        let items = if let Some(choice) = choice {
            Some(shares(program.len(), choice.chosen.items(), |_| None))
        } else if related[index].is_disjoint(&rolled_before) {
            let allowed = open_items(engine, &open.choices, index as u32);
            Some(rolled_shares(program, &first_arrivals(program, &allowed)))
        } else {
            None
        };
        if choice.is_none() {
            rolled_before.insert(index);
        }
        found.push(SectionOdds {
            section: section.name().to_owned(),
            rolled: choice.is_none(),
            items,
        });
    }
    found
}

fn rolled_shares(program: &SectionProgram, allowed: &[u32]) -> Vec<f64> {
    let total: f64 = allowed.iter().map(|item| weight(program, *item)).sum();
    // Items without weight are rolled only if there are no others, and then equally often.
    let share = |item: u32| match total > 0.0 {
        true => weight(program, item) / total,
        false => 1.0 / allowed.len() as f64,
    };
    shares(program.len(), allowed, |item| Some(share(item)))
}

/// Of items with the same identity, which share a draw, the only one that a roll can take: the
/// heaviest, and the first of those.
fn first_arrivals(program: &SectionProgram, allowed: &[u32]) -> Vec<u32> {
    let draws = program.draws();
    let mut first: BTreeMap<u64, u32> = BTreeMap::new();
    for item in allowed {
        let earlier = first.entry(draws[*item as usize]).or_insert(*item);
        if weight(program, *item) > weight(program, *earlier) {
            *earlier = *item;
        }
    }
    first.into_values().collect()
}

fn weight(program: &SectionProgram, item: u32) -> f64 {
    let weights = program.weights.as_ref();
    weights.map_or(1.0, |weights| weights[item as usize])
}

/// A number for each item: that of `share` for those listed, 1 if it has none; 0 for the others.
fn shares(len: usize, items: &[u32], share: impl Fn(u32) -> Option<f64>) -> Vec<f64> {
    let mut shares = vec![0.0; len];
    for item in items {
        shares[*item as usize] = share(*item).unwrap_or(1.0);
    }
    shares
}

/// For each section the others that its items require or exclude, or that do so with it.
pub(in crate::hydrate) fn related_sections(registry: &Registry) -> Vec<BTreeSet<usize>> {
    let mut related = vec![BTreeSet::new(); registry.sections().len()];
    for (index, section) in registry.sections().values().enumerate() {
        if !section.dependent() {
            continue;
        }
        for item in section.items() {
            for text in item.requires().chain(item.excludes()) {
                if let Some(reference) = Reference::find(text, registry) {
                    related[index].insert(reference.section as usize);
                    related[reference.section as usize].insert(index);
                }
            }
        }
    }
    related
}
