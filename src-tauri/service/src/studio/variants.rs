//! Variants of a document: their number, and a sample of them.

use promptdeck_core::hydrate::{Seed, variants};
use promptdeck_model::tokenizer::TokenCounter as _;

use crate::open_documents::lock;
use crate::preview::SLIDER;
use crate::rolled::Rolled;
use crate::saturating::saturating_u32;
use crate::studio::Studio;
use crate::wire::{Variant, VariantCount, VariantFactor};
use crate::{CancellationToken, ServiceError, tree};

/// Maximum number of variants per sample.
const MOST_VARIANTS: u32 = 200;

impl Studio {
    /// Counts the variants that the document can roll.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated, or the request is cancelled.
    pub fn variant_count(
        &self,
        document: &str,
        cancel: &CancellationToken,
    ) -> Result<VariantCount, ServiceError> {
        let rolled = Rolled::of(&lock(&*self.inner.session(document)?));
        let is_cancelled = || !self.inner.pause.proceed(cancel);
        let factors = rolled
            .with_call(|engine, call| variants::factors_unless(engine, call, &is_cancelled))?;
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        let count = variants::product(&factors);
        Ok(VariantCount {
            ordered: count.ordered.to_string(),
            unordered: count.unordered.to_string(),
            exact: count.exact,
            factors: page_factors(factors),
        })
    }

    /// Rolls up to `count` different prompts (at most 200), each with its seed, starting at `seed`.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated, or the request is cancelled.
    pub fn roll_variants(
        &self,
        document: &str,
        seed: u64,
        count: u32,
        cancel: &CancellationToken,
    ) -> Result<Vec<Variant>, ServiceError> {
        let seed = Seed::new(seed).map_err(|fault| tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })?;
        let rolled = Rolled::of(&lock(&*self.inner.session(document)?)).with_seed(seed);
        let wanted = count.min(MOST_VARIANTS) as usize;
        let is_cancelled = || !self.inner.pause.proceed(cancel);
        let rolls = rolled.with_call(|engine, call| {
            let rolls = variants::rolls(engine, call, wanted).unless(&is_cancelled);
            rolls.collect::<Result<Vec<_>, _>>()
        })?;
        let counter = self.inner.counter();
        let variant = |roll: variants::Roll| {
            let text = rolled.text(roll.seed).unwrap_or(roll.text);
            Variant {
                seed: roll.seed.get(),
                picks: rolled.picks(roll.seed),
                tokens: saturating_u32(counter.count(&text).tokens),
                text,
            }
        };
        let rolls = rolls.into_iter().take_while(|_| !is_cancelled());
        let listed = rolls.map(variant).collect();
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        Ok(listed)
    }
}

/// The factors of a count for the page, which groups the lists of one field.
fn page_factors(factors: Vec<variants::Factor>) -> Vec<VariantFactor> {
    let mut rows: Vec<VariantFactor> = Vec::new();
    for factor in factors {
        let of = match factor.rolled {
            variants::Rolled::Items => None,
            variants::Rolled::Slider => Some(SLIDER.to_owned()),
            variants::Rolled::Entries { field, .. } => Some(field),
        };
        let ways = factor.count.unordered.to_string();
        if ways == "1" && factor.count.ordered == factor.count.unordered {
            continue;
        }
        match rows.last_mut() {
            Some(last) if of.is_some() && last.of == of && last.sections == factor.sections => {
                last.ways.push(ways);
            }
            _ => rows.push(VariantFactor {
                sections: factor.sections,
                of,
                ways: vec![ways],
            }),
        }
    }
    rows
}
