//! Finds seed-dependent text that precedes stable text, and what that costs: a provider's prefix
//! cache ends at the first piece that changes. Shared by the registry's lint and by requests, which
//! know further reasons for a piece to change.

use std::collections::{BTreeMap, BTreeSet};

use super::{Evaluation, Origin, Part, Source};

/// What an evaluation rolled, and so which text depends on the seed.
pub struct SeedDependence<'e> {
    evaluation: &'e Evaluation,
    arrays: BTreeSet<(&'e str, usize, &'e str)>,
}

impl<'e> SeedDependence<'e> {
    /// The seed dependence of an evaluation.
    #[must_use]
    pub fn of(evaluation: &'e Evaluation) -> Self {
        let arrays = evaluation
            .arrays
            .iter()
            .filter(|array| array.origin == Origin::Random);
        Self {
            evaluation,
            arrays: arrays
                .map(|array| (array.section.as_str(), array.item, array.field.as_str()))
                .collect(),
        }
    }

    /// Whether a roll affects text from this source.
    #[must_use]
    pub fn affects(&self, source: &Source) -> bool {
        let Some(section) = self.evaluation.sections.get(&*source.section) else {
            return false;
        };
        let array = (&*source.section, source.item, &*source.field);
        section.origin == Origin::Random
            || (source.part == Part::Scale && section.slider.origin == Origin::Random)
            || (source.part == Part::Entry && self.arrays.contains(&array))
    }
}

/// A piece of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptPiece<'a> {
    /// The section it was authored in; glue has none.
    pub section: Option<&'a str>,
    /// Its length in Unicode scalar values.
    pub chars: usize,
    /// Whether the next call may have another text here.
    pub changes: bool,
}

/// A section that changes before text that doesn't.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlyChange<'a> {
    /// The section.
    pub section: &'a str,
    /// The index of its first piece that changes.
    pub piece: usize,
    /// Unicode scalar values before that piece.
    pub at: usize,
    /// Unicode scalar values of authored text that would join the cacheable start if the section
    /// stood last, as all those found before it would.
    pub gain: usize,
}

/// The sections that change before text that doesn't, in the order of the prompt.
#[must_use]
pub fn early_changes<'a>(pieces: &[PromptPiece<'a>]) -> Vec<EarlyChange<'a>> {
    let mut found: Vec<EarlyChange<'a>> = Vec::new();
    let mut moved: BTreeSet<&str> = BTreeSet::new();
    // The authored text before the first change, by section, those that were moved left out.
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut start, mut longest, mut at) = (0_usize, 0, 0);
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(section) = piece.section.filter(|section| !moved.contains(section)) {
            if piece.changes {
                if let Some(last) = found.last_mut() {
                    last.gain = start.saturating_sub(longest);
                }
                longest = longest.max(start);
                start -= counted.remove(section).unwrap_or_default();
                moved.insert(section);
                found.push(EarlyChange {
                    section,
                    piece: index,
                    at,
                    gain: 0,
                });
            } else {
                *counted.entry(section).or_default() += piece.chars;
                start += piece.chars;
            }
        }
        at += piece.chars;
    }
    if let Some(last) = found.last_mut() {
        last.gain = start.saturating_sub(longest);
    }
    found.retain(|early| early.gain > 0);
    found
}
