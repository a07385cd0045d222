//! Rolls parts of a sample with both versions and counts what changes.

use std::{collections::BTreeMap, ops::Range};

use promptdeck_core::hydrate::{HydrateError, Roller};

use super::{
    ImpactPlan,
    changes::LargestChanges,
    parts::{Versions, difference},
};
use crate::{
    counts::Counts,
    distinct::{DistinctSketch, Entry},
    distribution::ChangeCounts,
    survey::{Partial, Worker, in_batches},
    tally::Tally,
    text_hash::text_hash,
    tokens::TokenMemo,
    too_large::FirstTooLarge,
};

/// The counts of some rolls.
#[derive(Clone, Debug)]
pub struct ImpactPartial {
    pub(super) rolls: u64,
    pub(super) changed: Tally,
    /// By section, as the plan numbers them.
    pub(super) sections: Vec<Tally>,
    pub(super) fields: BTreeMap<usize, BTreeMap<Box<str>, Tally>>,
    /// The changed rolls in which no text changes, but their order or white space.
    pub(super) order: Tally,
    pub(super) characters: ChangeCounts,
    pub(super) tokens: Option<ChangeCounts>,
    /// Rolls that are over the budget after the change alone, and before it alone.
    pub(super) above: Tally,
    pub(super) below: Tally,
    pub(super) changes: LargestChanges,
    pub(super) different: DistinctSketch<Once>,
    pub(super) old: SideCounts,
    pub(super) new: SideCounts,
    pub(super) too_large: FirstTooLarge,
}

/// Nothing is stored about a change but that it occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Once;

impl Entry for Once {
    fn merge(&mut self, _other: Self) {}
}

/// The counts of one version.
#[derive(Clone, Debug, Default)]
pub(super) struct SideCounts {
    /// How many bytes of the most common start the rolls share.
    pub shared: Counts,
    pub empty: Tally,
    /// The rolls in which a section has no item that satisfies the constraints.
    pub conflicts: Tally,
}

impl SideCounts {
    fn merge(&mut self, other: &Self) {
        self.shared.merge(&other.shared);
        self.empty.merge(other.empty);
        self.conflicts.merge(other.conflicts);
    }
}

impl Partial for ImpactPartial {
    fn merge(&mut self, other: Self) {
        self.rolls += other.rolls;
        self.changed.merge(other.changed);
        for (section, other) in self.sections.iter_mut().zip(other.sections) {
            section.merge(other);
        }
        for (section, fields) in other.fields {
            let section_fields = self.fields.entry(section).or_default();
            for (field, tally) in fields {
                section_fields.entry(field).or_default().merge(tally);
            }
        }
        self.order.merge(other.order);
        self.characters.merge(&other.characters);
        if let (Some(tokens), Some(other)) = (&mut self.tokens, &other.tokens) {
            tokens.merge(other);
        }
        self.above.merge(other.above);
        self.below.merge(other.below);
        self.changes.merge(other.changes);
        self.different.merge(other.different);
        self.old.merge(&other.old);
        self.new.merge(&other.new);
        self.too_large.merge(other.too_large);
    }
}

/// Rolls parts of a sample.
pub struct ImpactWorker<'s> {
    plan: &'s ImpactPlan<'s>,
    old: Roller<'s>,
    new: Roller<'s>,
    versions: Versions<'s>,
    tokens: Option<TokenMemo<'s>>,
    /// The change of a roll as text, to be hashed.
    change: String,
    partial: ImpactPartial,
}

impl<'s> ImpactWorker<'s> {
    pub(super) fn new(plan: &'s ImpactPlan<'_>) -> Result<Self, HydrateError> {
        let tokenizer = plan.options.tokenizer;
        Ok(Self {
            plan,
            old: Roller::new(plan.old.engine, plan.state, plan.old.route)?,
            new: Roller::new(plan.new.engine, plan.state, plan.new.route)?,
            versions: Versions::default(),
            tokens: tokenizer.map(TokenMemo::new),
            change: String::new(),
            partial: ImpactPartial {
                rolls: 0,
                changed: Tally::default(),
                sections: vec![Tally::default(); plan.sections.len()],
                fields: BTreeMap::new(),
                order: Tally::default(),
                characters: ChangeCounts::default(),
                tokens: tokenizer.map(|_| ChangeCounts::default()),
                above: Tally::default(),
                below: Tally::default(),
                changes: LargestChanges::default(),
                different: DistinctSketch::new(),
                old: SideCounts::default(),
                new: SideCounts::default(),
                too_large: FirstTooLarge::default(),
            },
        })
    }

    fn roll(&mut self, number: u64) {
        let Self {
            plan,
            old,
            new,
            versions,
            tokens,
            change,
            partial,
        } = self;
        let seed = plan.options.seed.after(number);
        let (old, new) = (old.roll(seed), new.roll(seed));
        if partial.too_large.add(number, old) || partial.too_large.add(number, new) {
            return;
        }
        partial.rolls += 1;
        for (side, start, roll) in [
            (&mut partial.old, &plan.old_start, old),
            (&mut partial.new, &plan.new_start, new),
        ] {
            side.shared.add(start.shared_with(roll.text));
            if roll.text.is_empty() {
                side.empty.add(number);
            }
            if roll.conflicts().next().is_some() {
                side.conflicts.add(number);
            }
        }
        if old.text == new.text {
            return;
        }
        partial.changed.add(number);
        let (before, after) = (
            old.text.chars().count() as u64,
            new.text.chars().count() as u64,
        );
        partial.characters.add(before, after);
        let mut lengths = (before, after);
        if let (Some(memo), Some(changes)) = (tokens, &mut partial.tokens) {
            // The whole lengths matter to a budget alone.
            lengths = match plan.options.budget {
                Some(_) => (memo.count(old.text), memo.count(new.text)),
                None => memo.count_differing(old.text, new.text),
            };
            changes.add(lengths.0, lengths.1);
        }
        if let Some(budget) = plan.options.budget {
            match (lengths.0 > budget, lengths.1 > budget) {
                (false, true) => partial.above.add(number),
                (true, false) => partial.below.add(number),
                _ => {}
            }
        }
        change.clear();
        let mut size = 0;
        let mut last_section = None;
        let mut changed_sections: Vec<usize> = Vec::new();
        for (section, field, before, after) in versions.differences(plan.numbered(old, new)) {
            let fields = partial.fields.entry(section).or_default();
            match fields.get_mut(field) {
                Some(tally) => tally.add(number),
                None => {
                    fields.insert(field.into(), Tally::of(number));
                }
            }
            if last_section != Some(section) && !changed_sections.contains(&section) {
                changed_sections.push(section);
                if let Some(tally) = partial.sections.get_mut(section) {
                    tally.add(number);
                }
            }
            last_section = Some(section);
            size += difference(before, after);
            let name = plan.sections.get(section).copied().unwrap_or_default();
            for text in [name, field, before, after] {
                // The length keeps texts that meet in different places apart.
                change.push_str(text);
                change.push_str(&format!("\u{0}{}\u{0}", text.len()));
            }
        }
        if changed_sections.is_empty() {
            partial.order.add(number);
            size = difference(old.text, new.text);
            change.push_str(old.text);
            change.push('\u{0}');
            change.push_str(new.text);
        }
        let hash = text_hash(change);
        partial.changes.add(size, hash, Tally::of(number));
        partial.different.add(hash, Once);
    }
}

impl Worker for ImpactWorker<'_> {
    type Partial = ImpactPartial;

    fn run(&mut self, rolls: Range<u64>, proceed: &mut dyn FnMut(u64) -> bool) -> bool {
        in_batches(rolls, proceed, |number| self.roll(number))
    }

    fn into_partial(self) -> ImpactPartial {
        self.partial
    }
}
