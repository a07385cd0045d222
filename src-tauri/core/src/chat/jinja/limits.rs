//! What a template may use: steps, memory, output, depth. Counted, never timed, so that the same
//! template stops at the same place on every machine.

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
            steps: self.steps + 1_000 * values as u64 + bytes as u64 / 4,
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
}

impl Budget {
    /// A full budget.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            steps: limits.steps,
            bytes: limits.bytes,
            depth: limits.depth,
        }
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

    /// The work of looking through `bytes` bytes.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Result<()> {
        self.steps(1 + bytes as u64 / 256)
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

    /// Making a list or mapping of `items` items.
    #[inline]
    pub fn make_items(&mut self, items: usize) -> Result<()> {
        self.steps(items as u64 / 4)?;
        self.make(items.saturating_mul(32))
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
