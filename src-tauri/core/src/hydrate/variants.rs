//! Variants: how many distinct evaluations a registry and a state can roll, some of them by seed,
//! all of them one after the other.
//!
//! An evaluation is the item of every rolled section, the value of every rolled slider, and the
//! entries of every array that is rendered in mode `random:K`, whose order counts or not. Rolled
//! sections are gone through in canonical order, each taking what agrees with the choices before
//! it, just as a roll does; so `requires` and `excludes` are counted exactly.

use std::collections::BTreeSet;

use super::{
    ArrayEvaluation, Engine, Origin, State,
    choose::{Choice, Chosen, rolled, selected},
    relation::options,
};
use num_bigint::BigUint;

mod count;
mod enumerate;
mod rolls;

pub use count::{Count, Factor, Rolled, count, factors, factors_unless, product};
pub use enumerate::{Variant, Variants, enumerate};
pub use rolls::{Roll, Rolls, rolls};

/// What a state leaves to chance, beside arrays.
struct Chances {
    /// The rolled sections, by position in the registry, in canonical order.
    sections: Vec<u32>,
    /// The names of the sections whose slider is rolled.
    sliders: Vec<String>,
    /// The choices of all other sections; rolled ones are open.
    settled: Vec<Option<Choice>>,
}

impl Chances {
    fn new(engine: &Engine, state: &State) -> Self {
        let registry = engine.registry();
        let programs = engine.sections();
        let settled: Vec<Option<Choice>> = programs
            .iter()
            .map(|program| (!rolled(program, state)).then(|| selected(program, state)))
            .collect();
        let positions = registry
            .canonical_sections()
            .filter_map(|section| registry.sections().get_index_of(section.name()));
        let sections = positions
            .filter(|section| settled[*section].is_none() && programs[*section].len() > 0)
            .map(|section| section as u32)
            .collect();
        let sliders = registry.sections().values().filter(|section| {
            let name = section.name();
            state.slider_random.get(name).copied().unwrap_or_else(|| {
                section.defaults().slider_random == Some(true) && !state.sliders.contains_key(name)
            })
        });
        Self {
            sections,
            sliders: sliders.map(|section| section.name().to_owned()).collect(),
            settled,
        }
    }
}

/// The items a rolled section can take beside what is settled.
fn items_open(engine: &Engine, settled: &[Option<Choice>], section: u32) -> Vec<u32> {
    options(engine.registry(), engine.sections(), settled, section)
}

fn single(item: u32) -> Choice {
    Choice {
        chosen: Chosen::Single(item),
        origin: Origin::Random,
    }
}

/// The choices with nobody in the sections that are still open.
fn closed(settled: &[Option<Choice>]) -> Vec<Choice> {
    let nobody = Choice {
        chosen: Chosen::Nobody,
        origin: Origin::Default,
    };
    settled
        .iter()
        .map(|choice| choice.clone().unwrap_or_else(|| nobody.clone()))
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
