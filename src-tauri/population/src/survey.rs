//! Dividing a sample: workers roll ranges of it, and their partial results are merged.

use std::ops::Range;

use promptdeck_core::hydrate::HydrateError;

/// The rolls between two looks at whether to go on.
pub(crate) const BATCH: u64 = 64;

/// A sample to be rolled in parts.
pub trait Survey: Sync {
    /// The result of some of the rolls.
    type Partial: Partial;
    /// Rolls parts of the sample.
    type Worker<'s>: Worker<Partial = Self::Partial>
    where
        Self: 's;

    /// How many rolls the sample has.
    fn rolls(&self) -> u64;

    /// A worker; each thread needs its own.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route.
    fn worker(&self) -> Result<Self::Worker<'_>, HydrateError>;
}

/// Rolls parts of a sample and adds them up.
pub trait Worker {
    /// The result of some of the rolls.
    type Partial: Partial;

    /// Rolls these rolls of the sample, counted from 0. Every few rolls it calls `proceed` with how
    /// many it has made since, and stops if that returns false. Returns whether it made all of them.
    fn run(&mut self, rolls: Range<u64>, proceed: &mut dyn FnMut(u64) -> bool) -> bool;

    /// The result of all rolls made.
    fn into_partial(self) -> Self::Partial;
}

/// The result of some rolls of a sample. Merging is commutative and associative, and the same rolls
/// give the same result in any division.
pub trait Partial: Send {
    /// Adds the result of other rolls of the same sample.
    fn merge(&mut self, other: Self);
}

/// Rolls the whole sample in the calling thread.
///
/// # Errors
///
/// [`HydrateError`] if the registry has no such route.
pub fn measure<S: Survey>(survey: &S) -> Result<S::Partial, HydrateError> {
    let mut worker = survey.worker()?;
    worker.run(0..survey.rolls(), &mut |_| true);
    Ok(worker.into_partial())
}

/// Runs `roll` for each number of a range, and looks every [`BATCH`] of them whether to go on.
pub(crate) fn in_batches(
    rolls: Range<u64>,
    proceed: &mut dyn FnMut(u64) -> bool,
    mut roll: impl FnMut(u64),
) -> bool {
    let mut at = rolls.start;
    while at < rolls.end {
        let end = rolls.end.min(at + BATCH);
        (at..end).for_each(&mut roll);
        if !proceed(end - at) && end < rolls.end {
            return false;
        }
        at = end;
    }
    true
}
