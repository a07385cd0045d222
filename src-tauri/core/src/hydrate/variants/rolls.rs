//! Different prompts, seed by seed, computed lazily.

use std::collections::HashSet;

use num_bigint::BigUint;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::count;
use crate::hydrate::{Call, Engine, HydrateError, Seed};

/// A prompt and the seed that gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Roll {
    /// The seed.
    pub seed: Seed,
    /// The prompt.
    pub text: String,
}

/// The search ends after this many consecutive seeds without a new prompt, for each prompt found and
/// one more. A prompt as likely as the others is missed in one case of ten million.
const MISSES_PER_PROMPT: u64 = 16;

/// The least consecutive seeds without a new prompt before the search ends.
const MIN_MISSES: u64 = 1_024;

/// An iterator over the seeds of a call; see [`rolls`].
pub struct Rolls<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    left: usize,
    tried: u64,
    /// Seeds since the last new prompt.
    misses: u64,
    /// The first 16 bytes of the SHA-256 of each prompt found; storing millions of prompts would take
    /// too much memory.
    known: HashSet<[u8; 16]>,
    /// The upper bound of prompts, once computed.
    most: Option<BigUint>,
    is_cancelled: &'a dyn Fn() -> bool,
}

/// Up to `wanted` different prompts, each with the first seed that gives it, from the seed of `call`
/// on. Fewer if all prompts were found, or if many consecutive seeds give no new one.
#[must_use]
pub fn rolls<'a>(engine: &'a Engine, call: &'a Call<'a>, wanted: usize) -> Rolls<'a> {
    Rolls {
        engine,
        call,
        left: wanted,
        tried: 0,
        misses: 0,
        known: HashSet::new(),
        most: None,
        is_cancelled: &|| false,
    }
}

impl<'a> Rolls<'a> {
    /// Ends the iteration once `is_cancelled` returns true; it is called before each seed.
    #[must_use]
    pub fn unless(self, is_cancelled: &'a dyn Fn() -> bool) -> Self {
        Self {
            is_cancelled,
            ..self
        }
    }

    /// How many different prompts were found, and how many seeds were tried.
    #[must_use]
    pub fn found(&self) -> (usize, u64) {
        (self.known.len(), self.tried)
    }

    /// Whether no more prompts are to be expected.
    fn is_exhausted(&mut self) -> bool {
        let found = self.known.len();
        if self.misses < MIN_MISSES {
            return false;
        }
        // Counting may take longer than many rolls, so it happens once, and only if nothing new comes.
        let (engine, call) = (self.engine, self.call);
        let most = self.most.get_or_insert_with(|| {
            count::count(engine, call)
                .map_or_else(|_| BigUint::from(u64::MAX), |count| count.ordered)
        });
        *most <= BigUint::from(found) || self.misses >= MISSES_PER_PROMPT * (found as u64 + 1)
    }
}

impl Iterator for Rolls<'_> {
    type Item = Result<Roll, HydrateError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left.checked_sub(1)?;
        while !(self.is_cancelled)() && !self.is_exhausted() {
            let seed = self.call.seed.after(self.tried);
            self.tried += 1;
            let call = Call { seed, ..*self.call };
            let text = match self.engine.hydrate_text(&call) {
                Ok(text) => text,
                Err(error) => {
                    self.left = 0;
                    return Some(Err(error));
                }
            };
            let mut start = [0; 16];
            start.copy_from_slice(&Sha256::digest(&text)[..16]);
            if self.known.insert(start) {
                self.misses = 0;
                self.left -= 1;
                return Some(Ok(Roll { seed, text }));
            }
            self.misses += 1;
        }
        self.left = 0;
        None
    }
}
