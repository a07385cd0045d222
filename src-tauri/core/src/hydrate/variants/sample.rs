//! Samples that are planned over several rolls: shuffled, or with every pair of values.
//!
//! A sample gives values to the slots of a call, which are its rolled sections and sliders. The
//! entries of lists in mode `random:K` follow the seed of each roll. Roll `index` is the same whether
//! it is computed alone or with all others, so a range of indices is a part of the whole.

use serde::Serialize;

use super::{
    OpenChoices, close,
    covering::{Covering, Grid, MAX_ROWS, MAX_VALUES, cover},
    enumerate::WithSliders,
    open_items,
    shuffle::Shuffle,
    single,
    slots::{Slot, forbid_contradictions, slots},
};
use crate::{
    hydrate::{Call, Engine, HydrateError, Seed, State, assembler::PinnedEntries},
    registry::Selection,
};

/// The values of one roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picks {
    /// Its number, from 0.
    pub index: u64,
    /// Its seed: that of the call plus the number.
    pub seed: Seed,
    /// The item of every rolled section: its name and the item's position.
    pub items: Vec<(String, usize)>,
    /// The value of every rolled slider: its section and the value.
    pub sliders: Vec<(String, u64)>,
}

/// What a sample of pairs covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The number of rolls.
    pub rolls: u64,
    /// The pairs of values that occur.
    pub covered: u64,
    /// The pairs that `requires` and `excludes` rule out.
    pub impossible: u64,
}

/// Why a call cannot be sampled by pairs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// Too many values.
    #[error(
        "a sample of pairs takes at most {MAX_VALUES} rolled values in all and {MAX_ROWS} pairs of \
         any two slots; roll fewer sections, or sample by shuffling"
    )]
    TooLarge,
    /// It was cancelled.
    #[error("the sample was cancelled")]
    Cancelled,
}

impl SampleError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge => "sample_too_large",
            Self::Cancelled => "sample_cancelled",
        }
    }
}

/// A sample of a call.
///
/// ```
/// use promptdeck_core::hydrate::{Call, Engine, Seed, State, variants::Sampler};
/// use promptdeck_core::registry;
///
/// let text = br#"{"assembly_order": ["who", "mood"],
///     "who": {"section_random": true, "items": [{"id": "ann", "text": "Ann"}, {"id": "bob", "text": "Bob"}]},
///     "mood": {"section_random": true, "items": [{"id": "calm", "text": "calm"}, {"id": "wild", "text": "wild"}]}}"#;
/// let engine = Engine::new(registry::parse(text)?.registry);
/// let state = State::default();
/// let call = Call { state: &state, route: None, seed: Seed::new(7)? };
/// let mut pairs = Sampler::pairwise(&engine, &call, &|| false)?;
/// assert_eq!(pairs.coverage().map(|coverage| (coverage.rolls, coverage.covered)), Some((4, 4)));
/// let picks = pairs.picks(0).expect("the first roll");
/// let state = pairs.state(&picks)?.expect("every item has an id");
/// let call = Call { state: &state, route: None, seed: picks.seed };
/// assert_eq!(engine.hydrate_text(&call)?, pairs.text(&picks)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sampler<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    open: OpenChoices,
    slots: Vec<Slot>,
    plan: Plan,
}

enum Plan {
    Shuffle(Shuffle),
    Pairs(Covering),
}

impl<'a> Sampler<'a> {
    /// Every item of a section, and every position of a slider, once before any comes again.
    /// Without end. Weights above 0 make no difference. Where `requires` or `excludes` forbid an
    /// item, the next of its round that they allow takes its place.
    #[must_use]
    pub fn shuffle(engine: &'a Engine, call: &'a Call<'a>) -> Self {
        let open = OpenChoices::new(engine, call.state);
        let mut slots = slots(engine, &open);
        for slot in slots.iter_mut().filter(|slot| slot.values.is_empty()) {
            // Nothing agrees with the selections: a roll takes any item.
            slot.values = open_items(engine, &open.choices, slot.section);
        }
        let plan = Plan::Shuffle(Shuffle::new(call.seed, slots.len()));
        Self {
            engine,
            call,
            open,
            slots,
            plan,
        }
    }

    /// Every pair of values of any two slots at least once, in few rolls. Items of weight 0 take no
    /// part, nor do pairs that `requires` and `excludes` forbid. With one slot, each of its values.
    ///
    /// # Errors
    ///
    /// [`SampleError`] if there are too many values, or once `is_cancelled` returns true.
    pub fn pairwise(
        engine: &'a Engine,
        call: &'a Call<'a>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, SampleError> {
        let open = OpenChoices::new(engine, call.state);
        let slots = slots(engine, &open);
        let mut grid = Grid::new(slots.iter().map(|slot| slot.values.len()).collect());
        if !grid.is_small() {
            return Err(SampleError::TooLarge);
        }
        forbid_contradictions(engine, &slots, &mut grid);
        let covering = cover(&grid, call.seed, is_cancelled);
        if is_cancelled() {
            return Err(SampleError::Cancelled);
        }
        Ok(Self {
            engine,
            call,
            open,
            slots,
            plan: Plan::Pairs(covering),
        })
    }

    /// How many rolls there are; `None` if they never end.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        match &self.plan {
            Plan::Shuffle(_) => None,
            Plan::Pairs(covering) => Some(covering.rows.len() as u64),
        }
    }

    /// Whether there is no roll, as nothing satisfies `requires` and `excludes`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// What a sample of pairs covers.
    #[must_use]
    pub fn coverage(&self) -> Option<Coverage> {
        match &self.plan {
            Plan::Shuffle(_) => None,
            Plan::Pairs(covering) => Some(Coverage {
                rolls: covering.rows.len() as u64,
                covered: covering.covered,
                impossible: covering.impossible,
            }),
        }
    }

    /// How many pairs the first so many rolls of a sample of pairs cover.
    #[must_use]
    pub fn covered_by(&self, rolls: u64) -> Option<u64> {
        match &self.plan {
            Plan::Shuffle(_) => None,
            Plan::Pairs(covering) => Some(covering.covered_by(rolls)),
        }
    }

    /// The values of a roll; `None` after the last one.
    #[must_use]
    pub fn picks(&mut self, index: u64) -> Option<Picks> {
        let values = match &mut self.plan {
            Plan::Pairs(covering) => {
                let row = covering.rows.get(usize::try_from(index).ok()?)?;
                let values = row.iter().zip(&self.slots);
                values
                    .map(|(value, slot)| slot.values[*value as usize])
                    .collect()
            }
            Plan::Shuffle(shuffle) => {
                shuffled(self.engine, &self.open, &self.slots, shuffle, index)
            }
        };
        let mut picks = Picks {
            index,
            seed: Seed::from_bits(self.call.seed.get().wrapping_add(index)),
            items: Vec::new(),
            sliders: Vec::new(),
        };
        for (slot, value) in self.slots.iter().zip(values) {
            let name = self.engine.sections()[slot.section as usize].name();
            match slot.slider {
                true => picks.sliders.push((name.to_owned(), u64::from(value))),
                false => picks.items.push((name.to_owned(), value as usize)),
            }
        }
        Some(picks)
    }

    /// The prompt of a roll.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route.
    pub fn text(&self, picks: &Picks) -> Result<String, HydrateError> {
        let mut choices = self.open.choices.clone();
        let sections = self.engine.registry().sections();
        for (section, item) in &picks.items {
            if let Some(index) = sections.get_index_of(section.as_str()) {
                choices[index] = Some(single(*item as u32));
            }
        }
        let call = Call {
            state: &WithSliders {
                state: self.call.state,
                sliders: &picks.sliders,
            },
            route: self.call.route,
            seed: picks.seed,
        };
        let pinned = PinnedEntries::new();
        let hydrated = self
            .engine
            .hydrate_with_choices(&call, &close(&choices), &pinned);
        hydrated.map(|(text, _)| text)
    }

    /// The state that gives the prompt of a roll with its seed. `None` if no selection does: an item
    /// has no identity of its own, or prints another text when it is selected than when it is rolled.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route.
    pub fn state(&self, picks: &Picks) -> Result<Option<State>, HydrateError> {
        let mut state = self.call.state.clone();
        for (section, item) in &picks.items {
            let found = self.engine.registry().section(section);
            let found = found.and_then(|found| found.items().get(*item)?.identity());
            let Some(identity) = found else {
                return Ok(None);
            };
            let selection = Selection::One(identity.to_owned());
            state.selections.insert(section.clone(), selection);
            state.section_random.shift_remove(section);
        }
        for (section, value) in &picks.sliders {
            state.sliders.insert(section.clone(), *value as f64);
            state.slider_random.shift_remove(section);
        }
        let call = Call {
            state: &state,
            route: self.call.route,
            seed: picks.seed,
        };
        let same = self.engine.hydrate_text(&call)? == self.text(picks)?;
        Ok(same.then_some(state))
    }
}

fn shuffled(
    engine: &Engine,
    open: &OpenChoices,
    slots: &[Slot],
    shuffle: &mut Shuffle,
    index: u64,
) -> Vec<u32> {
    let sections = engine.registry().sections();
    let dependent = sections.values().any(|section| section.dependent());
    let mut choices = dependent.then(|| open.choices.clone());
    let mut picked = Vec::with_capacity(slots.len());
    for (number, slot) in slots.iter().enumerate() {
        let mut order = shuffle.values(engine, (number, slot), index);
        let value = match &mut choices {
            Some(choices) if !slot.slider => {
                let allowed = open_items(engine, choices, slot.section);
                let value = order.find(|value| allowed.contains(value));
                let value = value.or(allowed.first().copied()).unwrap_or_default();
                choices[slot.section as usize] = Some(single(value));
                value
            }
            _ => order.next().unwrap_or_default(),
        };
        picked.push(value);
    }
    picked
}
