//! The trace of a roll: sources by position, and what was rolled.

use std::ops::Range;

use super::{
    ArrayEvaluation, TokenOutcome,
    trace::{Marks, RolledArray, SourceRef, Trace},
};

/// Records sources and rolled entries.
#[derive(Default)]
pub(super) struct RollTrace<'e> {
    pub marks: Marks<'e>,
    pub arrays: Vec<(RolledArray<'e>, Range<usize>)>,
    /// The arrays whose mode names entries that they do not have.
    pub incomplete: Vec<ArrayEvaluation>,
    /// What was rolled, as numbers: each array as how many entries follow, and these.
    pub decisions: Vec<u32>,
}

impl<'e> RollTrace<'e> {
    /// Entries of an array were rolled.
    #[inline]
    pub fn roll(&mut self, array: RolledArray<'e>, entries: &[u32]) {
        self.decisions.push(entries.len() as u32);
        let start = self.decisions.len();
        self.decisions.extend_from_slice(entries);
        self.arrays.push((array, start..self.decisions.len()));
    }

    pub fn clear(&mut self) {
        self.marks.0.clear();
        self.arrays.clear();
        self.incomplete.clear();
        self.decisions.clear();
    }
}

impl<'e> Trace<'e> for &mut RollTrace<'e> {
    const RECORDS: bool = true;

    #[inline]
    fn mark(&mut self, end: usize, source: Option<SourceRef<'e>>) {
        self.marks.push(end, source);
    }

    fn truncate(&mut self, length: usize) {
        self.marks.truncate(length);
    }

    fn remove(&mut self, cuts: &[Range<usize>]) {
        self.marks.remove(cuts);
    }

    #[inline]
    fn array(&mut self, names_missing: bool, array: impl FnOnce() -> ArrayEvaluation) {
        if names_missing {
            self.incomplete.push(array());
        }
    }

    #[inline]
    fn rolled(&mut self, array: RolledArray<'e>, entries: &[u32]) {
        self.roll(array, entries);
    }

    #[inline]
    fn token(&mut self, _outcome: impl FnOnce() -> TokenOutcome) {}
}
