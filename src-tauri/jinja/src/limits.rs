//! What a template may use: steps, memory, output, depth. Counted, never timed, so that the same
//! template stops at the same place on every interpreter. Whatever takes longer the larger its operand
//! is charged by that size before it is done.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
        let room = |base: u64, parts: &[(u64, usize)]| {
            let each = parts
                .iter()
                .map(|(times, size)| times.saturating_mul(*size as u64));
            each.fold(base, u64::saturating_add)
        };
        Self {
            steps: room(self.steps, &[(1_000, values), (1, bytes / 2)]),
            bytes: room(self.bytes, &[(512, values), (24, bytes)]),
            ..self
        }
    }
}

/// Steps and bytes that several renderings share, such as all probes of an inspection. A clone
/// takes from the same pool.
#[derive(Debug, Clone)]
pub struct LimitPool {
    state: Arc<Mutex<PoolState>>,
    /// The pool that this one is a part of.
    whole: Option<Arc<LimitPool>>,
}

/// Whether both are one pool.
impl PartialEq for LimitPool {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }
}

#[derive(Debug, Clone, Copy)]
struct PoolState {
    times: u64,
    /// The most that one of the renderings may take alone.
    largest: Limits,
    spent: Spent,
    exhausted: bool,
}

impl LimitPool {
    /// A pool of `times` as much as the largest of the renderings may take alone.
    #[must_use]
    pub fn new(times: u64) -> Self {
        let state = PoolState {
            times,
            largest: Limits {
                steps: 0,
                bytes: 0,
                depth: 0,
            },
            spent: Spent::default(),
            exhausted: false,
        };
        Self {
            state: Arc::new(Mutex::new(state)),
            whole: None,
        }
    }

    /// A pool of its own size that also takes from this one, so that one user leaves something to
    /// the others.
    #[must_use]
    pub fn part(&self, times: u64) -> Self {
        Self {
            whole: Some(Arc::new(self.clone())),
            ..Self::new(times)
        }
    }

    /// Another pool with as much in it as is left in this one.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            state: Arc::new(Mutex::new(*self.state())),
            whole: self.whole.as_ref().map(|whole| Arc::new(whole.fork())),
        }
    }

    /// Whether something was stopped because nothing was left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.state().exhausted
            || self
                .whole
                .as_ref()
                .is_some_and(|whole| whole.is_exhausted())
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a rendering with these limits may take, where `spent` of it was taken before.
    pub(super) fn lend(&self, limits: Limits, spent: Spent) -> Result<Limits> {
        let granted = match &self.whole {
            Some(whole) => whole.lend(limits, spent)?,
            None => limits,
        };
        let mut state = self.state();
        state.largest.steps = state.largest.steps.max(limits.steps);
        state.largest.bytes = state.largest.bytes.max(limits.bytes);
        let left = state.left();
        if state.exhausted || left.steps == 0 || left.bytes == 0 {
            state.exhausted = true;
            return fail!(
                Limit,
                "not rendered: the renderings before it used up what all of them may take together"
            );
        }
        Ok(Limits {
            steps: granted.steps.min(left.steps.saturating_add(spent.steps)),
            bytes: granted.bytes.min(left.bytes.saturating_add(spent.bytes)),
            ..granted
        })
    }

    /// Takes what a rendering used.
    pub(super) fn take(&self, spent: Spent) {
        if let Some(whole) = &self.whole {
            whole.take(spent);
        }
        let mut state = self.state();
        state.spent.steps += spent.steps;
        state.spent.bytes += spent.bytes;
        let left = state.left();
        state.exhausted |= left.steps == 0 || left.bytes == 0;
    }
}

impl PoolState {
    fn left(&self) -> Spent {
        let left = |most: u64, spent: u64| most.saturating_mul(self.times).saturating_sub(spent);
        Spent {
            steps: left(self.largest.steps, self.spent.steps),
            bytes: left(self.largest.bytes, self.spent.bytes),
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
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    steps: u64,
    bytes: u64,
}

impl Spent {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    /// What was taken since an earlier point.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(earlier.steps),
            bytes: self.bytes.saturating_sub(earlier.bytes),
        }
    }
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

    /// Leaves what is left of these limits after something was spent.
    pub(super) fn resume(&mut self, limits: Limits, spent: Spent) {
        self.whole = Limits {
            depth: self.whole.depth,
            ..limits
        };
        self.steps = limits.steps.saturating_sub(spent.steps);
        self.bytes = limits.bytes.saturating_sub(spent.bytes);
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
            None => {
                self.steps = 0;
                exhausted("takes too many steps")
            }
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
            None => {
                self.bytes = 0;
                exhausted("uses too much memory")
            }
        }
    }

    /// Making a list of `items` items.
    #[inline]
    pub fn make_items(&mut self, items: usize) -> Result<()> {
        self.steps(items as u64 / 4)?;
        self.make(items.saturating_mul(32).saturating_add(64))
    }

    /// Making a list of `count` texts, each a separate allocation, of `bytes` bytes together.
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

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: Limits = Limits {
        steps: 100,
        bytes: 100,
        depth: 1,
    };

    fn spent(steps: u64) -> Spent {
        Spent { steps, bytes: 0 }
    }

    fn lent(pool: &LimitPool) -> Option<u64> {
        let lent = pool.lend(EACH, Spent::default());
        lent.ok().map(|limits| limits.steps)
    }

    #[test]
    fn a_part_takes_from_the_whole_and_leaves_the_rest() {
        let whole = LimitPool::new(3);
        let part = whole.part(1);
        assert_eq!(lent(&part), Some(100));
        part.take(spent(100));
        assert!(part.is_exhausted());
        assert_eq!(lent(&part), None);
        assert!(!whole.is_exhausted());
        assert_eq!(lent(&whole), Some(100));
        whole.take(spent(150));
        assert_eq!(lent(&whole.part(2)), Some(50));
        // A fork is charged for itself alone.
        whole.part(1).fork().take(spent(50));
        assert_eq!(lent(&whole.part(2)), Some(50));
    }

    #[test]
    fn a_part_of_an_exhausted_whole_is_exhausted() {
        let whole = LimitPool::new(1);
        let part = whole.part(1);
        assert_eq!(lent(&whole), Some(100));
        whole.take(spent(100));
        assert!(part.is_exhausted());
        assert_eq!(lent(&part), None);
    }
}
