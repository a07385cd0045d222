//! What a walk tells about itself while it prints: everything to an explanation, nothing to speed.

use std::ops::Range;

use super::{ArrayEvaluation, Outcome, segment::Part};

/// Where a piece of text comes from, in numbers; names are looked up when it is explained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'p> {
    pub token: Option<u32>,
    pub section: u32,
    pub item: u32,
    pub field: &'p str,
    pub part: Part,
    pub entry: Option<u32>,
    pub fragment: Option<u32>,
    pub variable: Option<u32>,
}

/// Hears what a walk prints and decides.
pub(super) trait Trace<'p> {
    /// Whether anybody listens: to nobody, pieces that stand together may be told as one.
    const LISTENS: bool;

    /// The text up to `end`, from where the last mark ended, comes from there; glue from nowhere.
    fn mark(&mut self, end: usize, spot: Option<Spot<'p>>);
    /// The text was cut to that length.
    fn truncate(&mut self, length: usize);
    /// These bytes were taken out: ranges of the text before, in order.
    fn remove(&mut self, cuts: &[Range<usize>]);
    /// An array was rendered.
    fn array(&mut self, array: impl FnOnce() -> ArrayEvaluation);
    /// A token, the next of the order, is done with.
    fn token(&mut self, outcome: impl FnOnce() -> Outcome);
}

/// Nobody listens.
pub(super) struct Silence;

impl<'p> Trace<'p> for Silence {
    const LISTENS: bool = false;

    #[inline]
    fn mark(&mut self, _end: usize, _spot: Option<Spot<'p>>) {}

    #[inline]
    fn truncate(&mut self, _length: usize) {}

    #[inline]
    fn remove(&mut self, _cuts: &[Range<usize>]) {}

    #[inline]
    fn array(&mut self, _array: impl FnOnce() -> ArrayEvaluation) {}

    #[inline]
    fn token(&mut self, _outcome: impl FnOnce() -> Outcome) {}
}
