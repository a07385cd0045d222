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

/// An array whose mode rolls entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledArray<'p> {
    /// The section.
    pub section: &'p str,
    /// The item's position in its section.
    pub item: u32,
    /// The field.
    pub field: &'p str,
    /// How many entries are rolled.
    pub rolled: u32,
    /// How many entries the array has.
    pub total: u32,
}

/// Receives what an assembly prints and decides. What a trace does not record, it leaves out.
pub(super) trait Trace<'p> {
    /// Whether anything is recorded; if not, adjacent pieces may be written as one.
    const RECORDS: bool;
    /// Whether variables without a value of their own are reported to [`Self::gap`].
    const FINDS_GAPS: bool = false;

    /// The text from the end of the last mark up to `end` comes from `source`; glue has none.
    #[inline]
    fn mark(&mut self, _end: usize, _source: Option<SourceRef<'p>>) {}
    /// The text was cut to that length.
    #[inline]
    fn truncate(&mut self, _length: usize) {}
    /// Whitespace at the end of the text was cut, to that length.
    #[inline]
    fn trim(&mut self, length: usize) {
        self.truncate(length);
    }
    /// These ranges of the text were removed, in order.
    #[inline]
    fn remove(&mut self, _cuts: &[Range<usize>]) {}
    /// An array was rendered; whether its mode names entries that it does not have.
    #[inline]
    fn array(&mut self, _names_missing: bool, _array: impl FnOnce() -> ArrayEvaluation) {}
    /// The entries of that array were rolled: these, in the order printed.
    #[inline]
    fn rolled(&mut self, _array: RolledArray<'p>, _entries: &[u32]) {}
    /// A variable without a value, or with its own name as value, in a text that printed something.
    #[inline]
    fn gap(&mut self, _section: u32, _item: u32, _variable: u32, _is_placeholder: bool) {}
    /// The next token of the order is finished.
    #[inline]
    fn token(&mut self, _outcome: impl FnOnce() -> TokenOutcome) {}
}

/// The sources of the pieces of a text, in order: each with the end of its piece. Glue has no source.
#[derive(Default)]
pub(super) struct Marks<'p>(pub Vec<(usize, Option<SourceRef<'p>>)>);

impl<'p> Marks<'p> {
    pub fn push(&mut self, end: usize, source: Option<SourceRef<'p>>) {
        self.0.push((end, source));
    }

    /// The text was cut to that length.
    pub fn truncate(&mut self, length: usize) {
        while let Some((end, _)) = self.0.last_mut()
            && *end > length
        {
            *end = length;
            let start = self.0.iter().rev().nth(1).map_or(0, |(end, _)| *end);
            if start < length {
                break;
            }
            self.0.pop();
        }
    }

    /// Whitespace at the end was cut, to that length. A variable without a value has none to lose.
    pub fn trim(&mut self, length: usize) {
        let first = self.0.iter().rposition(|(end, _)| *end <= length);
        let first = first.map_or(0, |index| index + 1);
        let mut start = first.checked_sub(1).map_or(0, |index| self.0[index].0);
        let mut retained_count = first;
        for index in first..self.0.len() {
            let (end, source) = self.0[index];
            let is_variable = source.is_some_and(|source| source.variable.is_some());
            if start < length || (start == end && is_variable) {
                self.0[retained_count] = (length, source);
                retained_count += 1;
            }
            start = end;
        }
        self.0.truncate(retained_count);
    }

    /// These ranges of the text were removed, in order.
    pub fn remove(&mut self, cuts: &[Range<usize>]) {
        let mut cuts = cuts.iter().peekable();
        let mut removed = 0;
        for (end, _) in &mut self.0 {
            while let Some(cut) = cuts.next_if(|cut| cut.end <= *end) {
                removed += cut.len();
            }
            // A cut that reaches beyond this mark takes its tail.
            let tail = cuts.peek().map_or(0, |cut| end.saturating_sub(cut.start));
            *end -= removed + tail;
        }
    }
}

/// Records nothing.
pub(super) struct NoTrace;

impl Trace<'_> for NoTrace {
    const RECORDS: bool = false;
}
