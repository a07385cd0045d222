//! The last sample of an open document against its file. The status bar and *Compare* follow the same
//! edits and show the same sample, so the first of them rolls it.

use std::sync::{Mutex, PoisonError, Weak};

use promptdeck_population::impact::{ImpactPartial, ImpactSummary};
use promptdeck_store::Hash;

use crate::session::Session;
use crate::{CancellationToken, ServiceError};

/// What is rolled. A revision identifies the registry, the state and the route of its session, and
/// begins again when a document is opened anew.
#[derive(Clone)]
pub(crate) struct SampleKey {
    pub session: Weak<Mutex<Session>>,
    pub revision: u32,
    /// The file as last saved.
    pub saved: Hash,
    pub seed: u64,
    pub rolls: u64,
    pub budget: Option<u64>,
}

impl PartialEq for SampleKey {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |key: &Self| (key.revision, key.seed, key.rolls, key.budget);
        self.session.ptr_eq(&other.session)
            && self.saved == other.saved
            && numbers(self) == numbers(other)
    }
}

/// The counts of a whole sample.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub partial: ImpactPartial,
    pub summary: ImpactSummary,
}

/// The sample that was rolled last.
#[derive(Default)]
pub(crate) struct LastSample(Mutex<Option<(SampleKey, Sample)>>);

impl LastSample {
    /// The sample of a key, rolled unless it was the last one. Concurrent callers wait.
    pub fn of(
        &self,
        key: SampleKey,
        cancel: &CancellationToken,
        roll: impl FnOnce() -> Result<Sample, ServiceError>,
    ) -> Result<Sample, ServiceError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        if let Some((_, sample)) = last.as_ref().filter(|(known_key, _)| *known_key == key) {
            return Ok(sample.clone());
        }
        let sample = roll()?;
        // A sample that was stopped is not the one asked for next time.
        if sample.summary.rolls == key.rolls {
            *last = Some((key, sample.clone()));
        }
        Ok(sample)
    }
}

#[cfg(test)]
mod tests {
    use promptdeck_core::hydrate::{Engine, Seed, State};
    use promptdeck_core::registry;
    use promptdeck_population::impact::{ImpactOptions, ImpactPlan, Side};
    use promptdeck_population::measure;

    use super::*;

    #[test]
    fn the_same_sample_is_rolled_once() {
        let parsed = registry::parse(br#"{"assembly_order": []}"#).expect("a registry");
        let engine = Engine::new(parsed.registry);
        let (state, last) = (State::default(), LastSample::default());
        let mut rolled = 0;
        let mut ask = |key: &SampleKey, rolls| {
            let sample = last.of(key.clone(), &CancellationToken::new(), || {
                rolled += 1;
                let side = Side {
                    engine: &engine,
                    route: None,
                };
                let options = ImpactOptions {
                    rolls,
                    seed: Seed::from_bits(key.seed),
                    ..ImpactOptions::default()
                };
                let plan = ImpactPlan::new(side, side, &state, options)?;
                let partial = measure(&plan)?;
                let summary = plan.summary(&partial);
                Ok(Sample { partial, summary })
            });
            assert_eq!(sample.expect("rolled").summary.rolls, rolls);
            rolled
        };
        let key = SampleKey {
            session: Weak::new(),
            revision: 3,
            saved: Hash::of(b"{}"),
            seed: 1,
            rolls: 20,
            budget: None,
        };
        assert_eq!(ask(&key, 20), 1);
        assert_eq!(ask(&key, 20), 1, "known");
        let next = SampleKey {
            revision: 4,
            ..key.clone()
        };
        assert_eq!(ask(&next, 7), 2, "another revision, stopped early");
        assert_eq!(ask(&next, 20), 3, "what was stopped is not kept");
        assert_eq!(ask(&key, 20), 4, "only the last is kept");
    }
}
