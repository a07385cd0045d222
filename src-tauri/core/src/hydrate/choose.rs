//! Chooses the items of a section that a call uses, and the position of its slider.

#![allow(
    clippy::inline_always,
    reason = "a choice is large and written in parts: built in place, it is never moved, \
              which avoids a store-forwarding stall"
)]

use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::{
    HashedKey, Origin, SectionSettings, Seed, Settings, SliderEvaluation, SliderSetting,
    constraints,
    pick::Picker,
    program::SectionProgram,
    race::{Arrival, Race},
};
use crate::registry::{Registry, Section, Selection};

/// The slider's position when nothing sets it.
pub const SLIDER_DEFAULT: f64 = 5.0;

/// The positions of a slider.
pub(crate) const SCALE: RangeInclusive<f64> = 1.0..=10.0;

/// The items a call uses from one section.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub chosen: ItemSet,
    pub origin: Origin,
}

/// A set of items of one section, by position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ItemSet {
    /// No item.
    None,
    /// The one item of a required section, or the rolled one of any.
    Single(u32),
    /// The items selected in an optional section, in item order; at least one.
    Many(SmallVec<[u32; 4]>),
}

impl ItemSet {
    /// The positions of the items.
    pub fn items(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::Single(item) => std::slice::from_ref(item),
            Self::Many(items) => items,
        }
    }
}

/// The choices of some sections, in the order requested.
pub(super) type Choices = SmallVec<[Choice; 12]>;

/// Chooses in the sections wanted. Calls `on_conflict` with each rolled section in which no item
/// satisfies the constraints.
pub(super) fn choices<S: Settings>(
    registry: &Registry,
    sections: &[std::sync::Arc<SectionProgram>],
    dependent: bool,
    wanted: &[u32],
    state: &S,
    seed: Seed,
    on_conflict: impl FnMut(u32),
) -> Choices {
    if dependent {
        let choices = constraints::resolve(registry, sections, state, seed, on_conflict);
        let choice = |section: &u32| choices[*section as usize].clone();
        return wanted.iter().map(choice).collect();
    }
    let mut choices = Choices::new();
    for section in wanted {
        let program = &*sections[*section as usize];
        if is_rolled(program, state) {
            choices.push(roll(program, seed));
        } else {
            with_selection_choice(program, state, |choice| choices.push(choice));
        }
    }
    choices
}

/// Whether the section's item is rolled.
pub(super) fn is_rolled<S: Settings>(program: &SectionProgram, state: &S) -> bool {
    let name = &program.key;
    state.section_random(name).unwrap_or_else(|| {
        program.section.defaults().section_random == Some(true) && state.selection(name).is_none()
    })
}

/// The first item of the section's ranking.
pub(super) fn roll(program: &SectionProgram, seed: Seed) -> Choice {
    Choice {
        chosen: first_of_ranking(program, seed).map_or(ItemSet::None, ItemSet::Single),
        origin: Origin::Random,
    }
}

/// The first item of the section's ranking.
pub(super) fn first_of_ranking(program: &SectionProgram, seed: Seed) -> Option<u32> {
    // Nothing is drawn where only one item can be first.
    if program.len() < 2 {
        return (program.len() == 1).then_some(0);
    }
    let picker = Picker::new(seed, program.pick);
    let draws = program.draws().iter().map(|hash| picker.draw(*hash));
    if let Some(weights) = &program.weights {
        let mut race = Race::default();
        for ((draw, weight), index) in draws.zip(weights).zip(0..) {
            race.enter(draw, *weight, index);
        }
        return race.winner();
    }
    draws.zip(0..).min().map(|(_, index)| index)
}

/// All items of the section, the best drawn first.
pub(super) fn ranking(program: &SectionProgram, seed: Seed) -> Vec<u32> {
    let picker = Picker::new(seed, program.pick);
    let draws = program.draws().iter().map(|hash| picker.draw(*hash));
    if let Some(weights) = &program.weights {
        let entries = draws.zip(weights).zip(0..);
        let arrivals = entries.map(|((draw, weight), index)| Arrival::new(draw, *weight, index));
        let mut ranked: Vec<_> = arrivals.collect();
        ranked.sort_unstable();
        return ranked.into_iter().map(Arrival::index).collect();
    }
    let mut ranked: Vec<(u64, u32)> = draws.zip(0..).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, index)| index).collect()
}

/// The choice of a section that is not rolled.
pub(super) fn selection_choice<S: Settings>(program: &SectionProgram, state: &S) -> Choice {
    with_selection_choice(program, state, |choice| choice)
}

/// Chooses in a section that is not rolled, and passes the choice on.
#[inline(always)]
fn with_selection_choice<S: Settings, R>(
    program: &SectionProgram,
    state: &S,
    consume: impl FnOnce(Choice) -> R,
) -> R {
    let baked = program
        .section
        .defaults()
        .selected
        .as_ref()
        .map(Selection::ids);
    if let Some(ids) = state.selection(&program.key) {
        choose_by_ids(program, ids, Origin::Selection, consume)
    } else if let Some(ids) = baked {
        let ids = ids.iter().map(String::as_str);
        choose_by_ids(program, ids, Origin::Baked, consume)
    } else {
        choose_by_ids(program, std::iter::empty(), Origin::Default, consume)
    }
}

#[inline(always)]
fn choose_by_ids<'a, R>(
    program: &SectionProgram,
    mut ids: impl Iterator<Item = &'a str>,
    origin: Origin,
    consume: impl FnOnce(Choice) -> R,
) -> R {
    if program.section.required() {
        let found = ids.find_map(|id| program.find(id).first().copied());
        let (chosen, origin) = match found {
            Some(item) => (ItemSet::Single(item), origin),
            None if program.len() > 0 => (ItemSet::Single(0), Origin::Default),
            None => (ItemSet::None, Origin::Default),
        };
        return consume(Choice { chosen, origin });
    }
    let mut found = ids.flat_map(|id| program.find(id)).copied();
    let (Some(one), next) = (found.next(), found.next()) else {
        let chosen = ItemSet::None;
        return consume(Choice { chosen, origin });
    };
    let Some(two) = next else {
        let chosen = ItemSet::Many(SmallVec::from_slice(&[one]));
        return consume(Choice { chosen, origin });
    };
    let mut items = SmallVec::from_slice(&[one, two]);
    items.extend(found);
    items.sort_unstable();
    items.dedup();
    let chosen = ItemSet::Many(items);
    consume(Choice { chosen, origin })
}

/// The position of the section's slider.
pub(super) fn slider<S: Settings>(
    program: &SectionProgram,
    state: &S,
    seed: Seed,
) -> SliderEvaluation {
    let defaults = program.section.defaults();
    let set = state.slider(&program.key);
    let rolled = slider_is_rolled(program, state);
    let (value, origin) = if rolled {
        let position = Picker::new(seed, program.slider_pick).slider();
        (position as f64, Origin::Random)
    } else if let Some(value) = set {
        (value, Origin::Selection)
    } else if let Some(value) = defaults.slider {
        (value, Origin::Baked)
    } else {
        (SLIDER_DEFAULT, Origin::Default)
    };
    SliderEvaluation { value, origin }
}

/// Whether the section's slider is rolled.
pub(super) fn slider_is_rolled<S: Settings>(program: &SectionProgram, state: &S) -> bool {
    let name = &program.key;
    state.slider_random(name).unwrap_or_else(|| {
        program.section.defaults().slider_random == Some(true) && state.slider(name).is_none()
    })
}

/// What the state sets in the section.
pub(super) fn settings<S: Settings>(program: &SectionProgram, state: &S) -> SectionSettings {
    let selected = with_selection_choice(program, state, |choice| {
        let items = choice.chosen.items().iter();
        items.map(|index| *index as usize).collect()
    });
    let baked = program.section.defaults().slider;
    let slider = program_has_slider(program, state).then(|| SliderSetting {
        selected: state
            .slider(&program.key)
            .or(baked)
            .unwrap_or(SLIDER_DEFAULT),
        rolled: slider_is_rolled(program, state),
    });
    SectionSettings {
        selected,
        rolled: is_rolled(program, state),
        slider,
    }
}

/// Whether a section has a slider in a call, so that its `.scale` means the slider's sentence.
#[must_use]
pub fn has_slider<S: Settings>(section: &Section, state: &S) -> bool {
    section.has_slider() || sets_slider(&HashedKey::new(section.name()), state)
}

/// Whether an author set the section's slider or wrote its sentence, rather than that its name gives it
/// one.
pub(crate) fn is_slider_set<S: Settings>(section: &Section, state: &S) -> bool {
    let defaults = section.defaults();
    let key = HashedKey::new(section.name());
    defaults.scale_template.is_some()
        || defaults.slider.is_some()
        || defaults.slider_random == Some(true)
        || state.slider(&key).is_some()
        || state.slider_random(&key) == Some(true)
}

/// As [`has_slider`], for a compiled section.
pub(super) fn program_has_slider<S: Settings>(program: &SectionProgram, state: &S) -> bool {
    program.section.has_slider() || sets_slider(&program.key, state)
}

fn sets_slider<S: Settings>(section: &HashedKey, state: &S) -> bool {
    state.slider(section).is_some() || state.slider_random(section).is_some()
}
