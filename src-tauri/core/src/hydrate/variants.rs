//! Variants: how many distinct evaluations a registry and a state can roll, some of them by seed,
//! or all in sequence.
//!
//! An evaluation is the item of every rolled section, the value of every rolled slider, and the
//! entries of every array that is rendered in mode `random:K`, whose order counts or not. Rolled
//! sections are enumerated in canonical order, each limited to the items that are consistent with
//! the choices before it, as a roll is; so `requires` and `excludes` are counted exactly.

use std::collections::BTreeSet;

use super::{
    ArrayEvaluation, Engine, Origin, State,
    choose::{Choice, ItemSet, is_rolled, selection_choice, slider_is_rolled},
    constraints::{allowed_items, weighty_items},
};
use num_bigint::BigUint;

mod count;
mod covering;
mod enumerate;
mod odds;
mod reduce;
mod rolls;
mod sample;
mod satisfy;
mod shuffle;
mod slots;

pub use count::{
    Count, Factor, Rolled, bracketed_sections, count, factors, factors_unless, product,
};
pub use enumerate::{Variant, Variants, enumerate};
pub(super) use odds::related_sections;
pub use odds::{SectionOdds, odds};
pub use rolls::{Roll, Rolls, rolls};
pub use sample::{Coverage, Picks, SampleError, Sampler};

/// What a state leaves open to rolls, arrays excepted.
struct OpenChoices {
    /// The rolled sections, by position in the registry, in canonical order.
    sections: Vec<u32>,
    /// The names of the sections whose slider is rolled.
    sliders: Vec<String>,
    /// The choices of all other sections; rolled ones are open.
    choices: Vec<Option<Choice>>,
}

impl OpenChoices {
    fn new(engine: &Engine, state: &State) -> Self {
        let registry = engine.registry();
        let programs = engine.sections();
        let choices: Vec<Option<Choice>> = programs
            .iter()
            .map(|program| (!is_rolled(program, state)).then(|| selection_choice(program, state)))
            .collect();
        let positions = registry
            .canonical_sections()
            .filter_map(|section| registry.sections().get_index_of(section.name()));
        let sections = positions
            .filter(|section| choices[*section].is_none() && programs[*section].len() > 0)
            .map(|section| section as u32)
            .collect();
        let sliders = programs
            .iter()
            .filter(|program| slider_is_rolled(program, state));
        Self {
            sections,
            sliders: sliders.map(|program| program.name().to_owned()).collect(),
            choices,
        }
    }
}

/// The items that a rolled section can take, given the choices so far.
fn open_items(engine: &Engine, choices: &[Option<Choice>], section: u32) -> Vec<u32> {
    if !engine.is_dependent() {
        return weighty_items(&engine.sections()[section as usize]);
    }
    allowed_items(engine.registry(), engine.sections(), choices, section)
}

fn single(item: u32) -> Choice {
    Choice {
        chosen: ItemSet::Single(item),
        origin: Origin::Random,
    }
}

/// The choices, with no item in the sections that are still open.
fn close(choices: &[Option<Choice>]) -> Vec<Choice> {
    let none = Choice {
        chosen: ItemSet::None,
        origin: Origin::Default,
    };
    choices
        .iter()
        .map(|choice| choice.clone().unwrap_or_else(|| none.clone()))
        .collect()
}

/// The arrays of a hydration whose entries were rolled, each once.
fn rolled_arrays(arrays: Vec<ArrayEvaluation>) -> Vec<ArrayEvaluation> {
    let mut seen = BTreeSet::new();
    arrays
        .into_iter()
        .filter(|array| array.origin == Origin::Random)
        .filter(|array| seen.insert((array.section.clone(), array.item, array.field.clone())))
        .collect()
}

/// n! / (n - k)!
fn arrangements(n: usize, k: usize) -> BigUint {
    (0..k.min(n)).fold(BigUint::from(1_u8), |product, taken| product * (n - taken))
}

/// n! / (n - k)! / k!
fn subsets(n: usize, k: usize) -> BigUint {
    arrangements(n, k) / arrangements(k.min(n), k.min(n))
}
