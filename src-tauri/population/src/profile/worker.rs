//! Rolls parts of a sample and counts what they print.

use std::ops::Range;

use promptdeck_core::hydrate::{HydrateError, RolledText, Roller};

use super::{ProfilePlan, pairs, rendering::Rendering};
use crate::{
    counts::Counts,
    distinct::{DistinctSketch, Entry},
    distribution::LengthCounts,
    rows::{PieceRows, Rows},
    survey::{Partial, Worker, in_batches},
    tally::Tally,
    text_hash::{numbers_hash, text_hash},
    tokens::TokenMemo,
    too_large::FirstTooLarge,
};

/// The counts of some rolls.
#[derive(Clone, Debug)]
pub struct ProfilePartial {
    pub(super) rolls: u64,
    pub(super) characters: LengthCounts,
    pub(super) tokens: Option<LengthCounts>,
    /// By row: the rolls that print it.
    pub(super) printed: Vec<u64>,
    /// By row of an item: the rolls that choose it.
    pub(super) chosen: Vec<Tally>,
    /// By pair: the rolls of each combination.
    pub(super) pairs: Vec<Vec<u64>>,
    /// How many bytes of the most common start the rolls share.
    pub(super) shared: Counts,
    pub(super) texts: DistinctSketch<TextEntry>,
    pub(super) evaluations: DistinctSketch<EvaluationEntry>,
    /// The rolls that print nothing.
    pub(super) empty: Tally,
    /// The rolls that do not render.
    pub(super) unrendered: Tally,
    /// By section: the rolls in which no item satisfies the constraints.
    pub(super) conflicts: Vec<Tally>,
    pub(super) too_large: FirstTooLarge,
}

/// What is stored about a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextEntry(pub Tally);

impl Entry for TextEntry {
    fn merge(&mut self, other: Self) {
        self.0.merge(other.0);
    }
}

/// What is stored about an evaluation: its text and its first roll.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluationEntry {
    pub text: u128,
    pub first: u64,
}

impl Entry for EvaluationEntry {
    fn merge(&mut self, other: Self) {
        self.first = self.first.min(other.first);
    }
}

impl Partial for ProfilePartial {
    fn merge(&mut self, other: Self) {
        self.rolls += other.rolls;
        self.characters.merge(&other.characters);
        if let (Some(tokens), Some(other)) = (&mut self.tokens, &other.tokens) {
            tokens.merge(other);
        }
        for (count, other) in self.printed.iter_mut().zip(&other.printed) {
            *count += other;
        }
        for (tally, other) in self.chosen.iter_mut().zip(&other.chosen) {
            tally.merge(*other);
        }
        let pairs = self.pairs.iter_mut().flatten();
        for (count, other) in pairs.zip(other.pairs.iter().flatten()) {
            *count += other;
        }
        self.shared.merge(&other.shared);
        self.texts.merge(other.texts);
        self.evaluations.merge(other.evaluations);
        self.empty.merge(other.empty);
        self.unrendered.merge(other.unrendered);
        for (tally, other) in self.conflicts.iter_mut().zip(&other.conflicts) {
            tally.merge(*other);
        }
        self.too_large.merge(other.too_large);
    }
}

/// What a text adds to every prompt that it is part of.
struct TextParts {
    /// How many bytes more than characters it has.
    extra_bytes: u64,
    rows: Box<[usize]>,
}

/// Rolls parts of a sample.
pub struct ProfileWorker<'s> {
    plan: &'s ProfilePlan<'s>,
    roller: Roller<'s>,
    tokens: Option<TokenMemo<'s>>,
    /// By number of a text that prompts are put together from.
    texts: Vec<Option<TextParts>>,
    /// By row: the number of the last roll of this worker that printed it.
    stamps: Vec<u64>,
    stamp: u64,
    bytes: Vec<u8>,
    partial: ProfilePartial,
}

impl<'s> ProfileWorker<'s> {
    pub(super) fn new(plan: &'s ProfilePlan<'_>) -> Result<Self, HydrateError> {
        let options = &plan.options;
        let budget = |of_tokens: bool| {
            options
                .budget
                .filter(|_| options.tokenizer.is_some() == of_tokens)
        };
        let partial = ProfilePartial {
            rolls: 0,
            characters: LengthCounts::new(budget(false)),
            tokens: options.tokenizer.map(|_| LengthCounts::new(budget(true))),
            printed: vec![0; plan.rows.len()],
            chosen: vec![Tally::default(); plan.rows.len()],
            pairs: plan
                .pairs
                .iter()
                .map(|pair| vec![0; pair.cells()])
                .collect(),
            shared: Counts::default(),
            texts: DistinctSketch::new(),
            evaluations: DistinctSketch::new(),
            empty: Tally::default(),
            unrendered: Tally::default(),
            conflicts: vec![Tally::default(); plan.engine.registry().sections().len()],
            too_large: FirstTooLarge::default(),
        };
        Ok(Self {
            plan,
            roller: Roller::new(plan.engine, plan.state, plan.route)?,
            tokens: options.tokenizer.map(TokenMemo::new),
            texts: Vec::new(),
            stamps: vec![0; plan.rows.len()],
            stamp: 0,
            bytes: Vec::new(),
            partial,
        })
    }

    fn roll(&mut self, number: u64) {
        let Self {
            plan,
            roller,
            tokens,
            texts,
            stamps,
            stamp,
            bytes,
            partial,
        } = self;
        let seed = plan.seed.after(number);
        let roll = roller.roll(seed);
        if partial.too_large.add(number, roll) {
            return;
        }
        let rendered = Rendering::of(plan).map(|rendering| rendering.text(seed));
        if matches!(rendered, Some(None)) {
            partial.unrendered.add(number);
        }
        let rendered = rendered.flatten();
        let prompt = rendered.as_deref().unwrap_or(roll.text);
        *stamp += 1;
        partial.rolls += 1;
        if let (Some(memo), Some(lengths)) = (tokens, &mut partial.tokens) {
            lengths.add(memo.count(prompt), number);
        }
        if prompt.is_empty() {
            partial.empty.add(number);
        }
        let mut print = |row: usize| {
            if stamps[row] != *stamp {
                stamps[row] = *stamp;
                partial.printed[row] += 1;
            }
        };
        let characters = if let Some(parts) = roll.texts() {
            // What joins them is ASCII.
            let mut characters = roll.text.len() as u64;
            for part in parts {
                let known = TextParts::of(&part, &plan.rows, texts);
                characters -= known.extra_bytes;
                known.rows.iter().copied().for_each(&mut print);
            }
            characters
        } else {
            let pieces = roll.pieces();
            let rows = pieces.filter_map(|piece| plan.rows.of_piece(&piece));
            rows.for_each(|rows| rows.all().for_each(&mut print));
            roll.text.chars().count() as u64
        };
        let characters = match &rendered {
            Some(prompt) => prompt.chars().count() as u64,
            None => characters,
        };
        partial.characters.add(characters, number);
        for (section, items) in roll.chosen() {
            for item in items {
                if let Some(row) = plan.rows.of_item(section, *item as usize) {
                    partial.chosen[row].add(number);
                }
            }
        }
        for (pair, counts) in plan.pairs.iter().zip(&mut partial.pairs) {
            pairs::count(pair, counts, |row| stamps[row] == *stamp);
        }
        partial.shared.add(plan.start.shared_with(prompt));
        let text = text_hash(prompt);
        partial.texts.add(text, TextEntry(Tally::of(number)));
        let evaluation = numbers_hash(roll.decisions(), bytes);
        let first = number;
        partial
            .evaluations
            .add(evaluation, EvaluationEntry { text, first });
        for section in roll.conflicts() {
            partial.conflicts[section].add(number);
        }
    }
}

impl TextParts {
    /// Those of a text, which are looked for when it is printed first.
    fn of<'t>(
        text: &RolledText<'_, '_>,
        rows: &Rows,
        known: &'t mut Vec<Option<Self>>,
    ) -> &'t Self {
        if text.number >= known.len() {
            known.resize_with(text.number + 1, || None);
        }
        known[text.number].get_or_insert_with(|| {
            let pieces = text.pieces();
            let printed = pieces.filter_map(|piece| rows.of_piece(&piece));
            let mut printed: Vec<usize> = printed.flat_map(PieceRows::all).collect();
            printed.sort_unstable();
            printed.dedup();
            let text = text.text();
            Self {
                extra_bytes: (text.len() - text.chars().count()) as u64,
                rows: printed.into(),
            }
        })
    }
}

impl Worker for ProfileWorker<'_> {
    type Partial = ProfilePartial;

    fn run(&mut self, rolls: Range<u64>, proceed: &mut dyn FnMut(u64) -> bool) -> bool {
        in_batches(rolls, proceed, |number| self.roll(number))
    }

    fn into_partial(self) -> ProfilePartial {
        self.partial
    }
}
