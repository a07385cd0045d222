//! Which items of a section a call uses, and where its slider stands.

#![allow(
    clippy::inline_always,
    reason = "a choice is large: built where it is kept, it is never moved"
)]

use smallvec::{SmallVec, smallvec};

use super::{
    Origin, Seed, Settings, SliderEvaluation, pick::Picker, program::SectionProgram, relation,
};
use crate::registry::{Registry, Selection};

/// The slider's position when nobody says anything.
const SLIDER_DEFAULT: f64 = 5.0;

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
        choices.push(choose(&sections[*section as usize], state, seed));
    }
    choices
}

/// The choice of one section, regardless of what its items require.
#[inline(always)]
pub(super) fn choose<S: Settings>(program: &SectionProgram, state: &S, seed: Seed) -> Choice {
    if rolled(program, state) {
        return roll(program, seed);
    }
    selected(program, state)
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
#[inline(always)]
pub(super) fn selected<S: Settings>(program: &SectionProgram, state: &S) -> Choice {
    let baked = program
        .section
        .defaults()
        .selected
        .as_ref()
        .map(Selection::ids);
    if let Some(ids) = state.selection(&program.key) {
        pick_selected(program, ids, Origin::Selection)
    } else if let Some(ids) = baked {
        pick_selected(program, ids.iter().map(String::as_str), Origin::Baked)
    } else {
        pick_selected(program, std::iter::empty(), Origin::Default)
    }
}

#[inline(always)]
fn pick_selected<'a>(
    program: &SectionProgram,
    mut ids: impl Iterator<Item = &'a str>,
    origin: Origin,
) -> Choice {
    if program.section.required() {
        let found = ids.find_map(|id| program.find(id).first().copied());
        return match found {
            Some(item) => Choice {
                chosen: Chosen::Single(item),
                origin,
            },
            None if program.len() > 0 => Choice {
                chosen: Chosen::Single(0),
                origin: Origin::Default,
            },
            None => Choice {
                chosen: Chosen::Nobody,
                origin: Origin::Default,
            },
        };
    }
    let mut items: SmallVec<[u32; 4]> = smallvec![];
    for id in ids {
        items.extend_from_slice(program.find(id));
    }
    items.sort_unstable();
    items.dedup();
    Choice {
        chosen: if items.is_empty() {
            Chosen::Nobody
        } else {
            Chosen::Many(items)
        },
        origin,
    }
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
