//! Which items of a section a call uses, and where its slider stands.

#![allow(
    clippy::inline_always,
    reason = "a choice is large and written in parts: built where it is kept, it is never moved, \
              and no processor waits to read as a whole what it wrote in parts"
)]

use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::{
    Origin, Seed, Settings, SliderEvaluation, pick::Picker, program::SectionProgram, relation,
};
use crate::registry::{Registry, Selection};

/// The slider's position when nobody says anything.
const SLIDER_DEFAULT: f64 = 5.0;

/// The positions of a slider.
pub(crate) const SCALE: RangeInclusive<f64> = 1.0..=10.0;

/// The items a call uses of one section.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub chosen: Chosen,
    pub origin: Origin,
}

/// How many items are chosen, and which.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Chosen {
    /// None.
    Nobody,
    /// The one item of a required section, or the rolled one of any.
    Single(u32),
    /// The items selected in an optional section, in item order; at least one.
    Many(SmallVec<[u32; 4]>),
}

impl Chosen {
    /// The positions chosen.
    pub fn items(&self) -> &[u32] {
        match self {
            Self::Nobody => &[],
            Self::Single(item) => std::slice::from_ref(item),
            Self::Many(items) => items,
        }
    }
}

/// The choices of some sections, in the order asked for.
pub(super) type Choices = SmallVec<[Choice; 12]>;

/// Chooses in the sections wanted. `unsettled` hears of rolls that nothing agreed with.
pub(super) fn choices<S: Settings>(
    registry: &Registry,
    sections: &[std::sync::Arc<SectionProgram>],
    dependent: bool,
    wanted: &[u32],
    state: &S,
    seed: Seed,
    unsettled: impl FnMut(u32),
) -> Choices {
    if dependent {
        let settled = relation::settle(registry, sections, state, seed, unsettled);
        let choice = |section: &u32| settled[*section as usize].clone();
        return wanted.iter().map(choice).collect();
    }
    let mut choices = Choices::new();
    for section in wanted {
        let program = &*sections[*section as usize];
        if rolled(program, state) {
            choices.push(roll(program, seed));
        } else {
            select(program, state, |choice| choices.push(choice));
        }
    }
    choices
}

/// Whether the section's item is rolled.
pub(super) fn rolled<S: Settings>(program: &SectionProgram, state: &S) -> bool {
    let name = &program.key;
    state.section_random(name).unwrap_or_else(|| {
        program.section.defaults().section_random == Some(true) && state.selection(name).is_none()
    })
}

fn roll(program: &SectionProgram, seed: Seed) -> Choice {
    let mut picker = Picker::of_section(seed, program.name());
    let draws = program.draws().iter().enumerate();
    let lowest = draws.min_by_key(|(index, hash)| (picker.draw(**hash), *index));
    Choice {
        chosen: lowest.map_or(Chosen::Nobody, |(index, _)| Chosen::Single(index as u32)),
        origin: Origin::Random,
    }
}

/// All items of the section, the best drawn first.
pub(super) fn ranking(program: &SectionProgram, seed: Seed) -> Vec<u32> {
    let mut picker = Picker::of_section(seed, program.name());
    let draws = program.draws().iter().map(|hash| picker.draw(*hash));
    let mut ranked: Vec<_> = draws.zip(0_u32..).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, index)| index).collect()
}

/// The choice of a section that is not rolled.
pub(super) fn selected<S: Settings>(program: &SectionProgram, state: &S) -> Choice {
    select(program, state, |choice| choice)
}

/// Chooses in a section that is not rolled, and hands over the choice.
#[inline(always)]
fn select<S: Settings, R>(
    program: &SectionProgram,
    state: &S,
    take: impl FnOnce(Choice) -> R,
) -> R {
    let baked = program
        .section
        .defaults()
        .selected
        .as_ref()
        .map(Selection::ids);
    if let Some(ids) = state.selection(&program.key) {
        pick_selected(program, ids, Origin::Selection, take)
    } else if let Some(ids) = baked {
        let ids = ids.iter().map(String::as_str);
        pick_selected(program, ids, Origin::Baked, take)
    } else {
        pick_selected(program, std::iter::empty(), Origin::Default, take)
    }
}

#[inline(always)]
fn pick_selected<'a, R>(
    program: &SectionProgram,
    mut ids: impl Iterator<Item = &'a str>,
    origin: Origin,
    take: impl FnOnce(Choice) -> R,
) -> R {
    if program.section.required() {
        let found = ids.find_map(|id| program.find(id).first().copied());
        let (chosen, origin) = match found {
            Some(item) => (Chosen::Single(item), origin),
            None if program.len() > 0 => (Chosen::Single(0), Origin::Default),
            None => (Chosen::Nobody, Origin::Default),
        };
        return take(Choice { chosen, origin });
    }
    let mut found = ids.flat_map(|id| program.find(id)).copied();
    let (Some(one), next) = (found.next(), found.next()) else {
        let chosen = Chosen::Nobody;
        return take(Choice { chosen, origin });
    };
    let Some(two) = next else {
        let chosen = Chosen::Many(SmallVec::from_slice(&[one]));
        return take(Choice { chosen, origin });
    };
    let mut items = SmallVec::from_slice(&[one, two]);
    items.extend(found);
    items.sort_unstable();
    items.dedup();
    let chosen = Chosen::Many(items);
    take(Choice { chosen, origin })
}

/// Where the section's slider stands.
pub(super) fn slider<S: Settings>(
    program: &SectionProgram,
    state: &S,
    seed: Seed,
) -> SliderEvaluation {
    let name = &program.key;
    let defaults = program.section.defaults();
    let set = state.slider(name);
    let rolled = state
        .slider_random(name)
        .unwrap_or_else(|| defaults.slider_random == Some(true) && set.is_none());
    let (value, origin) = if rolled {
        (
            Picker::of_slider(seed, name.text()).slider() as f64,
            Origin::Random,
        )
    } else if let Some(value) = set {
        (value, Origin::Selection)
    } else if let Some(value) = defaults.slider {
        (value, Origin::Baked)
    } else {
        (SLIDER_DEFAULT, Origin::Default)
    };
    SliderEvaluation { value, origin }
}

/// Whether the section has a slider at all, so that its `.scale` means the slider's sentence.
pub(super) fn has_slider<S: Settings>(program: &SectionProgram, state: &S) -> bool {
    let name = &program.key;
    let defaults = program.section.defaults();
    name.text() == "sentiment"
        || defaults.scale_template.is_some()
        || defaults.slider.is_some()
        || defaults.slider_random.is_some()
        || state.slider(name).is_some()
        || state.slider_random(name).is_some()
}
