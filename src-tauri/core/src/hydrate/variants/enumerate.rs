//! Every evaluation, one after the other, made only when asked for.

use serde::Serialize;

use super::{Chances, closed, items_open, rolled_arrays, single};
use crate::hydrate::{
    Call, Engine, HydrateError, Name, Settings, State, choose::Choice, walk::Pins,
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

/// Goes through the evaluations of a call; see [`enumerate`].
pub struct Variants<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    chances: Chances,
    /// The decisions that lead to the next variant; none when there is no next.
    decisions: Option<Vec<Decision>>,
    left: usize,
}

/// One of a row of choices between a few.
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
        chances: Chances::new(engine, call.state),
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
            self.decisions = replay.following();
        }
        Some(variant)
    }
}

/// Decisions taken before are taken again; beyond them, the first option.
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
    fn following(mut self) -> Option<Vec<Decision>> {
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
        let mut settled = self.chances.settled.clone();
        let mut items = Vec::new();
        for section in &self.chances.sections {
            let options = items_open(self.engine, &settled, *section);
            let item = options[replay.decide(options.len())];
            let name = self.engine.sections()[*section as usize].name().to_owned();
            items.push((name, item as usize));
            settled[*section as usize] = Some(single(item));
        }
        let sliders: Vec<(String, u64)> = self
            .chances
            .sliders
            .iter()
            .map(|section| (section.clone(), 1 + replay.decide(10) as u64))
            .collect();
        let state = Slid {
            state: self.call.state,
            sliders: &sliders,
        };
        self.arrays(&closed(&settled), &state, replay)
            .map(|(text, arrays)| Variant {
                text,
                items,
                sliders,
                arrays,
            })
    }

    /// Settles the rolled arrays one by one: which are rendered may depend on those before, as a
    /// bracket may ask for a rolled entry.
    fn arrays(
        &self,
        choices: &[Choice],
        state: &Slid<'_>,
        replay: &mut Replay,
    ) -> Result<(String, Vec<RolledEntries>), HydrateError> {
        let call = Call {
            state,
            route: self.call.route,
            seed: self.call.seed,
        };
        let mut pins = Pins::new();
        let mut settled = Vec::new();
        loop {
            let (text, arrays) = self.engine.hydrate_settled(&call, choices, &pins)?;
            let key = |array: &crate::hydrate::ArrayEvaluation| {
                (array.section.clone(), array.item, array.field.clone())
            };
            let open = rolled_arrays(arrays)
                .into_iter()
                .find(|array| !pins.contains_key(&key(array)));
            let Some(array) = open else {
                return Ok((text, settled));
            };
            let mut entries: Vec<usize> = (0..array.total).collect();
            let taken: Vec<usize> = (0..array.kept.len())
                .map(|_| {
                    let position = replay.decide(entries.len());
                    entries.remove(position)
                })
                .collect();
            pins.insert(
                key(&array),
                taken.iter().map(|entry| *entry as u32).collect(),
            );
            settled.push((array.section, array.item, array.field, taken));
        }
    }
}

type RolledEntries = (String, usize, String, Vec<usize>);

/// A state whose rolled sliders stand where they are put.
struct Slid<'a> {
    state: &'a State,
    sliders: &'a [(String, u64)],
}

impl Slid<'_> {
    fn put(&self, section: &str) -> Option<u64> {
        let found = self.sliders.iter().find(|(name, _)| name == section);
        found.map(|(_, value)| *value)
    }
}

impl Settings for Slid<'_> {
    fn selection(&self, section: &Name) -> Option<impl Iterator<Item = &str>> {
        self.state.selection(section)
    }

    fn mode(&self, section: &Name, field: &Name) -> Option<&str> {
        self.state.mode(section, field)
    }

    fn section_random(&self, section: &Name) -> Option<bool> {
        self.state.section_random(section)
    }

    fn slider(&self, section: &Name) -> Option<f64> {
        match self.put(section.text()) {
            Some(value) => Some(value as f64),
            None => self.state.slider(section),
        }
    }

    fn slider_random(&self, section: &Name) -> Option<bool> {
        match self.put(section.text()) {
            Some(_) => Some(false),
            None => self.state.slider_random(section),
        }
    }

    fn variable(&self, key: &Name) -> Option<&str> {
        self.state.variable(key)
    }
}
