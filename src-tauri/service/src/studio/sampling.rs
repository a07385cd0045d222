//! Rolls of a document by sampling mode, as on the command line.

use promptdeck_core::hydrate::variants::{self, Coverage, Sampler};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry::Item;
use promptdeck_model::tokenizer::TokenCounter as _;

use crate::open_documents::lock;
use crate::preview::value_label::entries;
use crate::preview::{SLIDER, item_name};
use crate::rolled::{Rolled, picks};
use crate::saturating::saturating_u32;
use crate::studio::Studio;
use crate::wire::{
    Change, SampleMode, SampleParams, SampledRoll, SampledRolls, ValueLabel, VariantPick,
};
use crate::{CancellationToken, ServiceError, tree};

/// Maximum number of rolls in a list.
const MOST_LISTED: u32 = 200;

/// Maximum number of evaluations that are listed; each one is found from the one before it.
const MOST_EVALUATIONS: usize = 10_000;

fn rolled(studio: &Studio, document: &str, seed: u64) -> Result<Rolled, ServiceError> {
    let seed = Seed::new(seed).map_err(|fault| tree::BadPart {
        part: "seed",
        why: fault.to_string(),
    })?;
    let session = studio.inner.session(document)?;
    let rolled = Rolled::of(&lock(&session));
    Ok(rolled.with_seed(seed))
}

impl Studio {
    /// Lists rolls of a sample.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated or sampled in this mode, or the
    /// request is cancelled.
    pub fn sample_rolls(
        &self,
        document: &str,
        params: &SampleParams,
        cancel: &CancellationToken,
    ) -> Result<SampledRolls, ServiceError> {
        let rolled = rolled(self, document, params.seed)?;
        let is_cancelled = || !self.inner.pause.proceed(cancel);
        let sampled = rolled.with_call(|engine, call| {
            let listing = Listing {
                engine,
                call,
                params,
                is_cancelled: &is_cancelled,
            };
            match params.mode {
                SampleMode::Random => listing.random(),
                SampleMode::Shuffle => listing.picked(Sampler::shuffle(engine, call)),
                SampleMode::Pairwise => {
                    listing.picked(Sampler::pairwise(engine, call, &is_cancelled)?)
                }
                SampleMode::Exhaustive => listing.exhaustive(),
            }
        });
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        let mut sampled = sampled?;
        let counter = self.inner.counter();
        for roll in &mut sampled.rolls {
            roll.tokens = saturating_u32(counter.count(&roll.text).tokens);
        }
        Ok(sampled)
    }

    /// Sets the selections and the seed that print a roll of a sample, as one step.
    ///
    /// # Errors
    /// If the document is not open, its seed is locked, or no state prints this roll.
    pub fn use_sampled(
        &self,
        document: &str,
        params: &SampleParams,
    ) -> Result<Change, ServiceError> {
        let rolled = rolled(self, document, params.seed)?;
        let found = rolled.with_call(|engine, call| {
            let mut sampler = match params.mode {
                SampleMode::Pairwise => Sampler::pairwise(engine, call, &|| false)?,
                _ => Sampler::shuffle(engine, call),
            };
            let picks = sampler.picks(u64::from(params.from));
            let picks = picks.ok_or(ServiceError::NoSampledState)?;
            let state = sampler.state(&picks)?.ok_or(ServiceError::NoSampledState)?;
            Ok::<(State, Seed), ServiceError>((state, picks.seed))
        });
        let (state, seed) = found?;
        self.with(document, |session| session.use_roll(&state, seed))
    }
}

/// A part of a sample to be listed.
struct Listing<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    params: &'a SampleParams,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl Listing<'_> {
    /// The numbers of the rolls.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let from = self.params.from;
        let numbers = from..from.saturating_add(self.params.rolls.min(MOST_LISTED));
        numbers.take_while(|_| !(self.is_cancelled)())
    }

    fn random(&self) -> Result<SampledRolls, ServiceError> {
        let mut rolls = Vec::new();
        for index in self.numbers() {
            let seed = self.call.seed.after(u64::from(index));
            let call = Call { seed, ..*self.call };
            rolls.push(SampledRoll {
                index,
                seed: Some(seed.get()),
                text: self.engine.hydrate_text(&call)?,
                picks: picks(self.engine, &call),
                tokens: 0,
                usable: true,
            });
        }
        Ok(endless(rolls))
    }

    fn picked(&self, mut sampler: Sampler<'_>) -> Result<SampledRolls, ServiceError> {
        let mut rolls = Vec::new();
        for index in self.numbers() {
            let Some(sampled) = sampler.picks(u64::from(index)) else {
                break;
            };
            rolls.push(SampledRoll {
                index,
                seed: Some(sampled.seed.get()),
                text: sampler.text(&sampled)?,
                // Its lists follow its seed.
                picks: self.labels(&sampled.items, &sampled.sliders),
                tokens: 0,
                usable: sampler.state(&sampled)?.is_some(),
            });
        }
        let all = endless(rolls);
        Ok(match sampler.coverage() {
            None => all,
            Some(Coverage {
                rolls,
                covered,
                impossible,
            }) => SampledRolls {
                total: Some(rolls.to_string()),
                pairs: Some(saturating_u32(covered)),
                impossible: saturating_u32(impossible),
                ..all
            },
        })
    }

    fn exhaustive(&self) -> Result<SampledRolls, ServiceError> {
        let factors = variants::factors_unless(self.engine, self.call, self.is_cancelled)?;
        let number = variants::product(&factors);
        let from = self.params.from as usize;
        let end = from.saturating_add(self.params.rolls.min(MOST_LISTED) as usize);
        let found = variants::enumerate(self.engine, self.call, end.min(MOST_EVALUATIONS));
        let mut rolls = Vec::new();
        for (index, variant) in found.enumerate() {
            if (self.is_cancelled)() {
                break;
            }
            let variant = variant?;
            if index < from {
                continue;
            }
            let mut labels = self.labels(&variant.items, &variant.sliders);
            let arrays = variant.arrays.iter();
            labels.extend(arrays.map(|(section, item, field, selected)| VariantPick {
                section: section.clone(),
                of: Some(field.clone()),
                value: entries(self.item(section, *item), field, selected),
            }));
            rolls.push(SampledRoll {
                index: saturating_u32(index),
                seed: None,
                text: variant.text,
                picks: labels,
                tokens: 0,
                usable: false,
            });
        }
        Ok(SampledRolls {
            total: Some(number.ordered.to_string()),
            exact: number.exact,
            ..endless(rolls)
        })
    }

    fn item(&self, section: &str, item: usize) -> Option<&Item> {
        let section = self.engine.registry().section(section)?;
        section.items().get(item).map(AsRef::as_ref)
    }

    fn labels(&self, items: &[(String, usize)], sliders: &[(String, u64)]) -> Vec<VariantPick> {
        let items = items.iter().map(|(section, item)| {
            let identity = self.item(section, *item).and_then(Item::identity);
            VariantPick {
                section: section.clone(),
                of: None,
                value: ValueLabel::plain(item_name(identity, *item)),
            }
        });
        let sliders = sliders.iter().map(|(section, value)| VariantPick {
            section: section.clone(),
            of: Some(SLIDER.to_owned()),
            value: ValueLabel::plain(value.to_string()),
        });
        items.chain(sliders).collect()
    }
}

fn endless(rolls: Vec<SampledRoll>) -> SampledRolls {
    SampledRolls {
        rolls,
        total: None,
        exact: true,
        pairs: None,
        impossible: 0,
    }
}
