//! Distributes a sample of rolls over threads.

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use promptdeck_core::hydrate::HydrateError;
use promptdeck_population::{Partial, Survey, Worker};

/// The rolls that a thread takes at once: few enough that all threads end together.
const CHUNK: u64 = 1_024;

/// How many threads a sample is worth: each core one, and no more than there are chunks.
#[must_use]
pub fn threads(rolls: u64) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let chunks = usize::try_from(rolls.div_ceil(CHUNK)).unwrap_or(usize::MAX);
    cores.min(chunks).max(1)
}

/// Rolls a sample with that many threads. Every few rolls `proceed` is called, by any of them, with
/// how many rolls were made since; once it returns false, all threads stop. The result is the same
/// for any number of threads.
///
/// # Errors
///
/// [`HydrateError`] if the registry has no such route.
pub fn survey<S: Survey>(
    survey: &S,
    threads: usize,
    proceed: &(dyn Fn(u64) -> bool + Sync),
) -> Result<S::Partial, HydrateError> {
    let next = AtomicU64::new(0);
    let rolls = survey.rolls();
    let work = || -> Result<S::Partial, HydrateError> {
        let mut worker = survey.worker()?;
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= rolls {
                break;
            }
            let end = rolls.min(start + CHUNK);
            if !worker.run(start..end, &mut |rolled_count| proceed(rolled_count)) {
                // The others find nothing left.
                next.store(rolls, Ordering::Relaxed);
                break;
            }
        }
        Ok(worker.into_partial())
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut partial = work()?;
        for other in others {
            match other.join() {
                Ok(other) => partial.merge(other?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(partial)
    })
}

#[cfg(test)]
mod tests {
    use promptdeck_core::{
        hydrate::{Call, Engine, Seed, State},
        registry,
    };
    use promptdeck_population::{
        impact::{ImpactOptions, ImpactPlan, Side},
        profile::{ProfileOptions, ProfilePlan},
    };

    use super::*;

    const SAMPLE: &str = include_str!("../../../registries/trivia_host.json");

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let parsed = registry::parse(SAMPLE.as_bytes()).expect("a registry");
        let engine = Engine::new(parsed.registry);
        let state = State::default();
        let call = Call {
            state: &state,
            route: None,
            seed: Seed::from_bits(9),
        };
        let options = ProfileOptions {
            rolls: 40_000,
            ..ProfileOptions::default()
        };
        let plan = ProfilePlan::new(&engine, &call, options).expect("the default route");
        let profile = |threads| {
            let rolled_count = AtomicU64::new(0);
            let proceed = |rolls| {
                rolled_count.fetch_add(rolls, Ordering::Relaxed);
                true
            };
            let partial = survey(&plan, threads, &proceed).expect("the default route");
            assert_eq!(rolled_count.into_inner(), 40_000);
            plan.profile(partial, &|| false).expect("the default route")
        };
        let one = profile(1);
        assert!(!one.sameness.texts.exact, "more texts than are kept");
        assert_eq!(one, profile(2));
        assert_eq!(one, profile(7));
        // A stop ends all threads.
        let rolled_count = AtomicU64::new(0);
        let stop = |rolls| rolled_count.fetch_add(rolls, Ordering::Relaxed) < 2_000;
        let partial = survey(&plan, 3, &stop).expect("the default route");
        let stopped = plan.profile(partial, &|| true).expect("the default route");
        assert!(
            !stopped.complete && stopped.rolls < 5_000,
            "{}",
            stopped.rolls
        );
    }

    #[test]
    fn any_number_of_threads_gives_the_same_impact() {
        let engine = |text: &str| {
            let parsed = registry::parse(text.as_bytes()).expect("a registry");
            Engine::new(parsed.registry)
        };
        let edited = SAMPLE.replace("three sentences", "four short sentences");
        let (old, new) = (engine(SAMPLE), engine(&edited));
        let state = State::default();
        let side = |engine| Side {
            engine,
            route: None,
        };
        let options = ImpactOptions {
            rolls: 20_000,
            seed: Seed::from_bits(9),
            tokenizer: None,
            budget: None,
        };
        let plan = ImpactPlan::new(side(&old), side(&new), &state, options);
        let plan = plan.expect("the default route");
        let impact = |threads| {
            let partial = survey(&plan, threads, &|_| true).expect("the default route");
            plan.impact(partial).expect("the default route")
        };
        let one = impact(1);
        assert!(one.changed.rolls > 0, "the edit is printed");
        assert_eq!(one, impact(2));
        assert_eq!(one, impact(7));
    }

    #[test]
    fn small_samples_have_one_thread() {
        assert_eq!((threads(1), threads(1_024)), (1, 1));
        assert!(threads(1_000_000) >= 1);
    }
}
