//! What a template may use: steps, memory, output, depth. Counted, never timed, so that the same
//! template stops at the same place on every machine. Whatever takes longer the larger its operand
//! is charged by that size before it is done.

use super::error::{Result, fail};

/// The limits of one rendering.
///
/// The defaults stop a hostile template within a quarter of a second and 64 MiB, and grow with
/// what the author gives, so that a long conversation is never refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Evaluation steps: expressions, statements, items looked at, blocks of text touched.
    pub steps: u64,
    /// Bytes of everything the template makes, output included.
    pub bytes: u64,
    /// Nested macro calls, recursive loops and nested expressions together.
    pub depth: u16,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 1_500_000,
            bytes: 24 << 20,
            depth: 180,
        }
    }
}

impl Limits {
    /// These limits with room for an input of `values` values and `bytes` bytes of text.
    #[must_use]
    pub fn for_input(self, values: usize, bytes: usize) -> Self {
        Self {
            steps: self.steps + 1_000 * values as u64 + bytes as u64 / 2,
            bytes: self.bytes + 512 * values as u64 + 24 * bytes as u64,
            ..self
        }
    }
}

/// What is left of the limits while rendering.
pub struct Budget {
    steps: u64,
    bytes: u64,
    depth: u16,
    whole: Limits,
}

/// What a rendering took so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    steps: u64,
    bytes: u64,
}

impl Budget {
    /// A full budget.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            steps: limits.steps,
            bytes: limits.bytes,
            depth: limits.depth,
            whole: limits,
        }
    }

    /// What was taken so far.
    pub(super) fn spent(&self) -> Spent {
        Spent {
            steps: self.whole.steps - self.steps,
            bytes: self.whole.bytes - self.bytes,
        }
    }

    /// Leaves what is left after something was spent elsewhere.
    pub(super) fn take(&mut self, spent: Spent) {
        self.steps = self.whole.steps.saturating_sub(spent.steps);
        self.bytes = self.whole.bytes.saturating_sub(spent.bytes);
    }

    /// One step.
    #[inline]
    pub fn step(&mut self) -> Result<()> {
        self.steps(1)
    }

    /// Several steps at once.
    #[inline]
    pub fn steps(&mut self, count: u64) -> Result<()> {
        match self.steps.checked_sub(count) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => exhausted("takes too many steps"),
        }
    }

    /// The work of looking through `bytes` bytes as fast as memory goes.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<()> {
        self.steps(1 + bytes as u64 / 256)
    }

    /// The work of looking through a text of `bytes` bytes character by character.
    #[inline]
    pub fn walk(&mut self, bytes: usize) -> Result<()> {
        self.steps(1 + bytes as u64 / 8)
    }

    /// The work of comparing two texts; short ones are free.
    #[inline]
    pub fn compare(&mut self, a: &str, b: &str) -> Result<()> {
        self.steps(a.len().min(b.len()) as u64 / 256)
    }

    /// The work of finding one of `count` things by going through them; few are free.
    #[inline]
    pub fn search(&mut self, count: usize) -> Result<()> {
        self.steps(count as u64 / 8)
    }

    /// Making something of `bytes` bytes, before it is made.
    #[inline]
    pub fn make(&mut self, bytes: usize) -> Result<()> {
        self.charge(bytes)?;
        match self.bytes.checked_sub(bytes as u64) {
            Some(left) => {
                self.bytes = left;
                Ok(())
            }
            None => exhausted("uses too much memory"),
        }
    }

    /// Making a list of `items` items.
    #[inline]
    pub fn make_items(&mut self, items: usize) -> Result<()> {
        self.steps(items as u64 / 4)?;
        self.make(items.saturating_mul(32).saturating_add(64))
    }

    /// Making a list of `count` texts, each an allocation of its own, of `bytes` bytes together.
    pub fn make_texts(&mut self, count: usize, bytes: usize) -> Result<()> {
        self.steps(count as u64)?;
        self.make_items(count)?;
        self.make(count.saturating_mul(32).saturating_add(bytes))
    }

    /// Making a mapping of `entries` entries.
    #[inline]
    pub fn make_entries(&mut self, entries: usize) -> Result<()> {
        self.steps(entries as u64)?;
        self.make(entries.saturating_mul(160).saturating_add(128))
    }

    /// One level deeper; [`Budget::rise`] comes back.
    #[inline]
    pub fn descend(&mut self) -> Result<()> {
        match self.depth.checked_sub(1) {
            Some(left) => {
                self.depth = left;
                Ok(())
            }
            None => exhausted("nests too deep"),
        }
    }

    /// One level up.
    #[inline]
    pub fn rise(&mut self) {
        self.depth += 1;
    }
}

#[cold]
fn exhausted(what: &str) -> Result<()> {
    fail!(Limit, "the template {what} and was stopped")
}
