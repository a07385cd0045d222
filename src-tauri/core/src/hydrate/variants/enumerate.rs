//! Every evaluation in sequence, computed lazily.

use serde::Serialize;

use super::{OpenChoices, close, open_items, rolled_arrays, single};
use crate::hydrate::{
    Call, Engine, HashedKey, HydrateError, Settings, State, assembler::PinnedEntries,
    choose::Choice,
};

/// One evaluation and its prompt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Variant {
    /// The prompt.
    pub text: String,
    /// The item of every rolled section: its name and the item's position.
    pub items: Vec<(String, usize)>,
    /// The value of every rolled slider: its section and the value.
    pub sliders: Vec<(String, u64)>,
    /// The entries of every rolled array: section, item's position, field, entries in order.
    pub arrays: Vec<(String, usize, String, Vec<usize>)>,
}

/// An iterator over the evaluations of a call; see [`enumerate`].
pub struct Variants<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    open: OpenChoices,
    /// The decisions that lead to the next variant; none when there is no next.
    decisions: Option<Vec<Decision>>,
    left: usize,
}

/// One decision: the option taken, and how many there are.
#[derive(Clone, Copy)]
struct Decision {
    taken: usize,
    options: usize,
}

/// Every evaluation of `call`'s state and route, shuffled entries in every order, lazily and at
/// most `limit` of them. Equal prompts occur as often as there are evaluations for them.
#[must_use]
pub fn enumerate<'a>(engine: &'a Engine, call: &'a Call<'a>, limit: usize) -> Variants<'a> {
    Variants {
        engine,
        call,
        open: OpenChoices::new(engine, call.state),
        decisions: Some(Vec::new()),
        left: limit,
    }
}

impl Iterator for Variants<'_> {
    type Item = Result<Variant, HydrateError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let mut replay = Replay {
            decisions: self.decisions.take()?,
            at: 0,
        };
        let variant = self.variant(&mut replay);
        if variant.is_ok() {
            self.decisions = replay.next_decisions();
        }
        Some(variant)
    }
}

/// Repeats earlier decisions, then takes the first option of each further one.
struct Replay {
    decisions: Vec<Decision>,
    at: usize,
}

impl Replay {
    fn decide(&mut self, options: usize) -> usize {
        if self.at == self.decisions.len() {
            self.decisions.push(Decision { taken: 0, options });
        }
        let decision = self.decisions[self.at];
        self.at += 1;
        decision.taken
    }

    /// The decisions of the next variant: the last that has another option takes it.
    fn next_decisions(mut self) -> Option<Vec<Decision>> {
        self.decisions.truncate(self.at);
        while let Some(last) = self.decisions.last_mut() {
            if last.taken + 1 < last.options {
                last.taken += 1;
                return Some(self.decisions);
            }
            self.decisions.pop();
        }
        None
    }
}

impl Variants<'_> {
    fn variant(&self, replay: &mut Replay) -> Result<Variant, HydrateError> {
        let mut choices = self.open.choices.clone();
        let mut items = Vec::new();
        for section in &self.open.sections {
            let options = open_items(self.engine, &choices, *section);
            let item = options[replay.decide(options.len())];
            let name = self.engine.sections()[*section as usize].name().to_owned();
            items.push((name, item as usize));
            choices[*section as usize] = Some(single(item));
        }
        let sliders: Vec<(String, u64)> = self
            .open
            .sliders
            .iter()
            .map(|section| (section.clone(), 1 + replay.decide(10) as u64))
            .collect();
        let state = WithSliders {
            state: self.call.state,
            sliders: &sliders,
        };
        self.arrays(&close(&choices), &state, replay)
            .map(|(text, arrays)| Variant {
                text,
                items,
                sliders,
                arrays,
            })
    }

    /// Decides the rolled arrays one by one: which are rendered may depend on those before, as a
    /// bracket may look up a rolled entry.
    fn arrays(
        &self,
        choices: &[Choice],
        state: &WithSliders<'_>,
        replay: &mut Replay,
    ) -> Result<(String, Vec<RolledEntries>), HydrateError> {
        let call = Call {
            state,
            route: self.call.route,
            seed: self.call.seed,
        };
        let mut pinned = PinnedEntries::new();
        let mut rolled = Vec::new();
        loop {
            let (text, arrays) = self.engine.hydrate_with_choices(&call, choices, &pinned)?;
            let key = |array: &crate::hydrate::ArrayEvaluation| {
                (array.section.clone(), array.item, array.field.clone())
            };
            let open = rolled_arrays(arrays)
                .into_iter()
                .find(|array| !pinned.contains_key(&key(array)));
            let Some(array) = open else {
                return Ok((text, rolled));
            };
            let mut entries: Vec<usize> = (0..array.total).collect();
            let permutation: Vec<usize> = (0..array.selected.len())
                .map(|_| {
                    let position = replay.decide(entries.len());
                    entries.remove(position)
                })
                .collect();
            pinned.insert(
                key(&array),
                permutation.iter().map(|entry| *entry as u32).collect(),
            );
            rolled.push((array.section, array.item, array.field, permutation));
        }
    }
}

type RolledEntries = (String, usize, String, Vec<usize>);

/// A state with the rolled sliders set to given values.
pub(super) struct WithSliders<'a> {
    pub state: &'a State,
    pub sliders: &'a [(String, u64)],
}

impl WithSliders<'_> {
    fn value_of(&self, section: &str) -> Option<u64> {
        let found = self.sliders.iter().find(|(name, _)| name == section);
        found.map(|(_, value)| *value)
    }
}

impl Settings for WithSliders<'_> {
    fn selection(&self, section: &HashedKey) -> Option<impl Iterator<Item = &str>> {
        self.state.selection(section)
    }

    fn mode(&self, section: &HashedKey, field: &HashedKey) -> Option<&str> {
        self.state.mode(section, field)
    }

    fn section_random(&self, section: &HashedKey) -> Option<bool> {
        self.state.section_random(section)
    }

    fn slider(&self, section: &HashedKey) -> Option<f64> {
        match self.value_of(section.text()) {
            Some(value) => Some(value as f64),
            None => self.state.slider(section),
        }
    }

    fn slider_random(&self, section: &HashedKey) -> Option<bool> {
        match self.value_of(section.text()) {
            Some(_) => Some(false),
            None => self.state.slider_random(section),
        }
    }

    fn variable(&self, key: &HashedKey) -> Option<&str> {
        self.state.variable(key)
    }
}
