//! The compile-time trace of an assembly: records everything for provenance, or nothing for speed.

use std::ops::Range;

use super::{ArrayEvaluation, TextOrigin, TokenOutcome, segment::Part};

/// The source of a piece of text, by index; names are looked up when segments are built.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceRef<'p> {
    pub token: Option<u32>,
    pub section: u32,
    pub item: u32,
    pub field: &'p str,
    pub part: Part,
    pub entry: Option<u32>,
    pub fragment: Option<u32>,
    pub variable: Option<u32>,
    pub origin: TextOrigin,
}

/// Receives what an assembly prints and decides.
pub(super) trait Trace<'p> {
    /// Whether anything is recorded; if not, adjacent pieces may be written as one.
    const RECORDS: bool;

    /// The text from the end of the last mark up to `end` comes from `source`; glue has none.
    fn mark(&mut self, end: usize, source: Option<SourceRef<'p>>);
    /// The text was cut to that length.
    fn truncate(&mut self, length: usize);
    /// These ranges of the text were removed, in order.
    fn remove(&mut self, cuts: &[Range<usize>]);
    /// An array was rendered.
    fn array(&mut self, array: impl FnOnce() -> ArrayEvaluation);
    /// The next token of the order is finished.
    fn token(&mut self, outcome: impl FnOnce() -> TokenOutcome);
}

/// Records nothing.
pub(super) struct NoTrace;

impl<'p> Trace<'p> for NoTrace {
    const RECORDS: bool = false;

    #[inline]
    fn mark(&mut self, _end: usize, _source: Option<SourceRef<'p>>) {}

    #[inline]
    fn truncate(&mut self, _length: usize) {}

    #[inline]
    fn remove(&mut self, _cuts: &[Range<usize>]) {}

    #[inline]
    fn array(&mut self, _array: impl FnOnce() -> ArrayEvaluation) {}

    #[inline]
    fn token(&mut self, _outcome: impl FnOnce() -> TokenOutcome) {}
}
