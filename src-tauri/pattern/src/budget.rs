//! The work that searching may take, counted in units and never timed, so that the same pattern
//! stops at the same place of the same text on every machine.
//!
//! One unit is about a nanosecond of an optimised build. What is dearer the larger its operand is,
//! is charged by that size before it is done.

/// Units that one search may take beyond what is free, about a tenth of a second at most.
const PER_SEARCH: u64 = 40_000_000;
/// Units that all searches that share a budget may take beyond what is free.
const SHARED: u64 = 4 * PER_SEARCH;
/// Free units per byte of the text: two passes forwards and two backwards.
const FREE_PER_BYTE: u64 = 8;
/// Units of lowering the case of one byte.
const LOWER_CASE_PER_BYTE: u64 = 12;
/// Free units of all searches that share a budget: very many patterns on a large text.
const FREE: u64 = 2_000_000_000;

/// What several searches may take together, such as all patterns of a policy on one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchBudget {
    shared: u64,
    free: u64,
}

impl Default for SearchBudget {
    fn default() -> Self {
        Self {
            shared: SHARED,
            free: FREE,
        }
    }
}

impl SearchBudget {
    /// The most units that one search of a text of `length` bytes takes before it is stopped.
    #[must_use]
    pub fn most_for(length: usize) -> u64 {
        PER_SEARCH + FREE_PER_BYTE * length as u64
    }

    /// The units taken so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        (SHARED - self.shared) + (FREE - self.free)
    }

    /// Charges lowering the case of `length` bytes, for callers that compare texts without regard to
    /// case beside their patterns; false when the budget has not that much left.
    #[must_use]
    pub fn lower_case(&mut self, length: usize) -> bool {
        let units = LOWER_CASE_PER_BYTE * length as u64;
        self.search(length, |meter| meter.take(units)).is_ok()
    }

    /// Runs one search of a text of `length` bytes and takes what it used.
    pub(super) fn search<T>(
        &mut self,
        length: usize,
        search: impl FnOnce(&mut Meter) -> Result<T, OutOfBudget>,
    ) -> Result<T, OutOfBudget> {
        let free = self.free.min(FREE_PER_BYTE * length as u64);
        let whole = free + self.shared.min(PER_SEARCH);
        let mut meter = Meter { left: whole };
        let outcome = search(&mut meter);
        let used = whole - meter.left;
        self.free -= used.min(free);
        self.shared -= used.saturating_sub(free);
        outcome
    }
}

/// What one search may still take.
#[derive(Debug)]
pub(super) struct Meter {
    left: u64,
}

impl Meter {
    #[inline]
    pub fn take(&mut self, units: u64) -> Result<(), OutOfBudget> {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(OutOfBudget)
            }
        }
    }

    /// Runs `search` with the share `1 / parts` of what is left.
    pub fn share<T>(
        &mut self,
        parts: u64,
        search: impl FnOnce(&mut Self) -> Result<T, OutOfBudget>,
    ) -> Result<T, OutOfBudget> {
        let share = self.left / parts;
        let mut meter = Self { left: share };
        let outcome = search(&mut meter);
        self.left -= share - meter.left;
        outcome
    }
}

/// The budget was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutOfBudget;

/// What compiling several patterns may take together, in bytes of compiled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileBudget {
    left: usize,
}

/// Bytes that all patterns of one budget may have, compiled.
const COMPILED: usize = 32 << 20;

impl Default for CompileBudget {
    fn default() -> Self {
        Self { left: COMPILED }
    }
}

impl CompileBudget {
    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Takes `bytes`; false when they are not there.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let enough = bytes <= self.left;
        self.left = self.left.saturating_sub(bytes);
        enough
    }
}
