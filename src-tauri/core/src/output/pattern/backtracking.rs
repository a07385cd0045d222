//! Searches with `fancy-regex` under a bound on all the work done for one
//! text.
//!
//! `fancy-regex` bounds the branches of a single search and does not tell how
//! many it used. So a search starts with a small bound and gets a larger one
//! only when it asks for it, and each bound that was granted is charged: what a
//! text costs is then known within a small factor, however many searches it
//! takes. A branch may also scan text that nobody counts; where a pattern has
//! an unbounded repetition, each branch is charged as if it read all of it.

use std::sync::OnceLock;

use fancy_regex::{CompileError, Error, Regex, RegexBuilder};

use super::error::PatternError;

/// Bounds a search is granted, one after the other: 64, 256, ... 1,048,576.
const GRANTS: usize = 8;
/// What all searches on one text may cost together.
const BUDGET: u64 = 1_500_000;
/// The same for texts of at most [`SHORT`] bytes: what people read may take longer.
const BUDGET_OF_SHORT: u64 = 12_000_000;
const SHORT: usize = 64 << 10;
/// Bytes scanned in the time one branch takes.
const BYTES_PER_BRANCH: usize = 32;
/// Compiled size, in bytes, of what is handed down to automata.
const SIZE_LIMIT: usize = 2 << 20;

/// The work still allowed on one text.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub fn new(text: &str) -> Self {
        Self(if text.len() <= SHORT {
            BUDGET_OF_SHORT
        } else {
            BUDGET
        })
    }

    /// Takes `cost`, or says that it is not there.
    fn take(&mut self, cost: u64) -> bool {
        let enough = cost <= self.0;
        self.0 = self.0.saturating_sub(cost);
        enough
    }
}

/// The budget was used up.
#[derive(Debug)]
pub(super) struct OutOfBudget;

#[derive(Debug)]
pub(super) struct Backtracking {
    source: String,
    unbounded: bool,
    not_empty: bool,
    grants: [OnceLock<Option<Regex>>; GRANTS],
}

impl Backtracking {
    /// Compiles `source`, in the syntax of `fancy-regex`.
    pub fn new(source: String, unbounded: bool) -> Result<Self, PatternError> {
        let first = build(&source, false, 0).map_err(refused)?;
        Ok(Self::beginning_with(first, source, unbounded, false))
    }

    /// Compiles `source` to find matches of at least one character only; none when there can't be
    /// any.
    pub fn not_empty(source: String, unbounded: bool) -> Result<Option<Self>, PatternError> {
        match build(&source, true, 0) {
            Ok(first) => Ok(Some(Self::beginning_with(first, source, unbounded, true))),
            Err(Error::CompileError(why)) if matches!(*why, CompileError::PatternCanNeverMatch) => {
                Ok(None)
            }
            Err(error) => Err(refused(error)),
        }
    }

    fn beginning_with(first: Regex, source: String, unbounded: bool, not_empty: bool) -> Self {
        let engine = Self {
            source,
            unbounded,
            not_empty,
            grants: std::array::from_fn(|_| OnceLock::new()),
        };
        let _ = engine.grants[0].set(Some(first));
        engine
    }

    /// The first match at or after byte `from`.
    pub fn find(
        &self,
        text: &str,
        from: usize,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>, OutOfBudget> {
        let weight = if self.unbounded {
            1 + text.len() / BYTES_PER_BRANCH
        } else {
            1
        };
        for (grant, regex) in self.grants.iter().enumerate() {
            if !budget.take(branches(grant) as u64 * weight as u64) {
                return Err(OutOfBudget);
            }
            let regex = regex.get_or_init(|| build(&self.source, self.not_empty, grant).ok());
            let Some(regex) = regex else {
                return Err(OutOfBudget);
            };
            if let Ok(found) = regex.find_from_pos(text, from) {
                return Ok(found.map(|found| (found.start(), found.end())));
            }
        }
        Err(OutOfBudget)
    }
}

fn refused(error: Error) -> PatternError {
    PatternError::too_large(format!("cannot be compiled ({error})"))
}

fn branches(grant: usize) -> usize {
    64 << (2 * grant)
}

fn build(source: &str, not_empty: bool, grant: usize) -> Result<Regex, Error> {
    RegexBuilder::new(source)
        .backtrack_limit(branches(grant))
        .delegate_size_limit(SIZE_LIMIT)
        .max_prog_size(100_000)
        .find_not_empty(not_empty)
        .build()
}
