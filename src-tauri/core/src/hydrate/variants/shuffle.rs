//! Shuffled values: every value of a slot once before any comes again, round after round.

use super::slots::Slot;
use crate::hydrate::{
    Engine, Seed,
    pick::{Picker, name_hash},
};

/// The values of the slots in the order of the current round, which is computed once for each.
pub(super) struct Shuffle {
    seed: Seed,
    rounds: Vec<Option<Round>>,
}

struct Round {
    number: u64,
    order: Vec<u32>,
}

impl Shuffle {
    pub fn new(seed: Seed, slots: usize) -> Self {
        Self {
            seed,
            rounds: (0..slots).map(|_| None).collect(),
        }
    }

    /// The values of a slot, that of roll `index` first. The order of a round depends on the seed
    /// and the names of section, items and round.
    pub fn values(
        &mut self,
        engine: &Engine,
        (number, slot): (usize, &Slot),
        index: u64,
    ) -> impl Iterator<Item = u32> {
        let values = slot.values.len().max(1) as u64;
        let (round, at) = (index / values, (index % values) as usize);
        let cached = &mut self.rounds[number];
        if cached.as_ref().is_none_or(|cached| cached.number != round) {
            *cached = Some(Round {
                number: round,
                order: order(engine, slot, self.seed, round),
            });
        }
        let order = cached.as_ref().map_or(&[][..], |cached| &cached.order);
        let (before, after) = order.split_at(at.min(order.len()));
        after.iter().chain(before).copied()
    }
}

fn order(engine: &Engine, slot: &Slot, seed: Seed, round: u64) -> Vec<u32> {
    let program = &engine.sections()[slot.section as usize];
    let kind = if slot.slider { "slider" } else { "item" };
    let picker = Picker::of_shuffle(seed, program.name(), kind, round);
    let name = |value: u32| match slot.slider {
        true => name_hash([&*value.to_string()]),
        false => program.draws()[value as usize],
    };
    let mut drawn: Vec<(u64, u32)> = slot
        .values
        .iter()
        .map(|value| (picker.draw(name(*value)), *value))
        .collect();
    drawn.sort_unstable();
    drawn.into_iter().map(|(_, value)| value).collect()
}
