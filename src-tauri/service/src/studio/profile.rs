//! Profiles of a document: measurements in the background, and lists of their rolls.

use promptdeck_core::hydrate::Seed;
use promptdeck_model::tokenizer::TokenCounter as _;
use promptdeck_population::Tokenizer;
use promptdeck_population::profile::{ProfileOptions, ProfilePlan};

use crate::open_documents::lock;
use crate::profile::{Counter, MAX_ROLLS, ProfileContext, filter, row_slots, view};
use crate::rolled::Rolled;
use crate::saturating::saturating_u32;
use crate::studio::Studio;
use crate::wire::{Profile, ProfileParams, ProfileProgress, RollFilter, RollList, Variant};
use crate::{CancellationToken, ServiceError, population, tree};

/// Maximum number of rolls in a list; the page asks for more.
const MOST_LISTED: usize = 60;

impl Studio {
    /// Measures a sample of the document's rolls. Stopping returns the rolls made so far.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated, or the request is cancelled.
    pub fn measure_profile(
        &self,
        document: &str,
        params: &ProfileParams,
        cancel: &CancellationToken,
    ) -> Result<Profile, ServiceError> {
        let rolled = self.sampled(document, params)?;
        let counter = self.inner.counter();
        let tokenizer = Counter(counter);
        let pairs: Vec<_> = params.pair.iter().map(row_slots).collect();
        let options = ProfileOptions {
            renderer: rolled.renderer(),
            ..options(params, &tokenizer, &pairs)
        };
        let running = self.inner.profile.begin(params.rolls.min(MAX_ROLLS));
        let measured = rolled.with_call(|engine, call| {
            let plan = ProfilePlan::new(engine, call, options)?;
            // One core is left to the window.
            let threads = population::threads(options.rolls).saturating_sub(1).max(1);
            let proceed =
                |completed| running.proceed(completed) && self.inner.pause.proceed(cancel);
            let partial = population::survey(&plan, threads, &proceed)?;
            if cancel.is_cancelled() {
                return Err(ServiceError::Superseded);
            }
            let profile = plan.profile(partial, &|| !self.inner.pause.proceed(cancel))?;
            let context = ProfileContext {
                engine,
                call,
                counter,
            };
            Ok(view(profile, &context))
        });
        self.inner.profile.end(&running);
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        measured
    }

    /// How far the running measurement is; `None` if none runs.
    #[must_use]
    pub fn profile_progress(&self) -> Option<ProfileProgress> {
        self.inner.profile.progress()
    }

    /// Stops the running measurement.
    pub fn stop_profile(&self) {
        self.inner.profile.stop();
    }

    /// Lists rolls of a sample, from the roll `from` on, counted from 0.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated, or the request is cancelled.
    pub fn profile_rolls(
        &self,
        document: &str,
        params: &ProfileParams,
        wanted: &RollFilter,
        from: u32,
        cancel: &CancellationToken,
    ) -> Result<RollList, ServiceError> {
        let rolled = self.sampled(document, params)?;
        let counter = self.inner.counter();
        let tokenizer = Counter(counter);
        let options = ProfileOptions {
            renderer: rolled.renderer(),
            ..options(params, &tokenizer, &[])
        };
        let (found, texts) = rolled.with_call(|engine, call| {
            let plan = ProfilePlan::new(engine, call, options)?;
            let proceed = || !cancel.is_cancelled();
            let found = plan.find(&filter(wanted), u64::from(from), MOST_LISTED, &proceed)?;
            let texts = found.seeds.iter().map(|seed| rolled.text(*seed));
            let texts: Result<Vec<String>, _> = texts.collect();
            Ok::<_, ServiceError>((found, texts?))
        })?;
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        let rolls = found.seeds.iter().zip(texts);
        let rolls = rolls.map(|(seed, text)| Variant {
            seed: seed.get(),
            picks: rolled.picks(*seed),
            tokens: saturating_u32(counter.count(&text).tokens),
            text,
        });
        Ok(RollList {
            rolls: rolls.collect(),
            next: found.next.and_then(|next| u32::try_from(next).ok()),
        })
    }

    /// The document with the first seed of a sample.
    fn sampled(&self, document: &str, params: &ProfileParams) -> Result<Rolled, ServiceError> {
        let seed = Seed::new(params.seed).map_err(|fault| tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })?;
        Ok(Rolled::of(&lock(&*self.inner.session(document)?)).with_seed(seed))
    }
}

fn options<'a>(
    params: &ProfileParams,
    tokenizer: &'a dyn Tokenizer,
    pairs: &'a [(
        promptdeck_population::profile::Slot,
        promptdeck_population::profile::Slot,
    )],
) -> ProfileOptions<'a> {
    ProfileOptions {
        rolls: u64::from(params.rolls.min(MAX_ROLLS)),
        tokenizer: Some(tokenizer),
        budget: params.budget.map(u64::from),
        pairs,
        renderer: None,
    }
}
