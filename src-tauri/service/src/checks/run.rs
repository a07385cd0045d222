//! Runs the checks of a file on the registry that is open, and gives the verdicts in the page's form.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use promptdeck_checks::{Failure, Fault, GoldenUpdate, Outcome, Suite, Verdict};
use promptdeck_core::hydrate::Seed;

use crate::ServiceError;
use crate::diff::text;
use crate::preview;
use crate::saturating::saturating_u32;
use crate::wire::{CheckFailure, CheckFault, CheckOutcome, CheckVerdict, GoldenChange};

/// Runs all batches and gives the verdicts in the order of the file. One core is left to the window.
pub(super) fn run(
    suite: &Suite,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Verdict>, ServiceError> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = cores.saturating_sub(1).clamp(1, suite.batches().max(1));
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    let work = || {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= suite.batches() {
                return;
            }
            let Some(found) = suite.run(batch, is_cancelled) else {
                return;
            };
            let mut verdicts = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            verdicts.extend(found);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    if is_cancelled() {
        return Err(ServiceError::Superseded);
    }
    let mut verdicts = verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|verdict| verdict.index);
    Ok(verdicts)
}

/// A verdict in the page's form.
pub(super) fn view(verdict: Verdict) -> CheckVerdict {
    let mut golden = GoldenUpdate::of(&verdict);
    let (outcome, failures, faults) = match verdict.outcome {
        Outcome::Passed => (CheckOutcome::Passed, Vec::new(), Vec::new()),
        Outcome::Failed { failures } => {
            let failures = failures.into_iter();
            let failures = failures
                .map(|failed| failure(failed, &mut golden))
                .collect();
            (CheckOutcome::Failed, failures, Vec::new())
        }
        Outcome::Invalid { faults } => {
            let faults = faults.into_iter().map(fault).collect();
            (CheckOutcome::Invalid, Vec::new(), faults)
        }
    };
    CheckVerdict {
        index: saturating_u32(verdict.index),
        name: verdict.name,
        rolls: verdict.rolls.map(saturating_u32),
        outcome,
        failures,
        faults,
    }
}

fn failure(failure: Failure, golden: &mut Vec<GoldenUpdate>) -> CheckFailure {
    let pointer = format!("{}/{}", failure.pointer, failure.expectation);
    let update = golden.iter().position(|update| update.pointer == pointer);
    let update = update.map(|at| golden.remove(at));
    CheckFailure {
        expectation: failure.expectation.to_owned(),
        pointer: failure.pointer,
        seed: failure.seed.map(Seed::get),
        expected: failure.expected,
        found: failure.found,
        sources: failure.sources.into_iter().map(preview::source).collect(),
        golden: update.map(|update| GoldenChange {
            parts: text::words(&update.old, &update.new),
            pointer: update.pointer,
            new: update.new,
        }),
    }
}

fn fault(fault: Fault) -> CheckFault {
    CheckFault {
        pointer: fault.pointer,
        message: fault.message,
        line: fault.place.map(|place| place.line),
        column: fault.place.map(|place| place.column),
    }
}
