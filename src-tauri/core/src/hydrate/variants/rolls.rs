//! Different prompts, seed by seed, each made when it is asked for.

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

/// Seeds in a row without a new prompt, for each prompt found and one more, before there are taken
/// to be no more: one that is as likely as the others is missed in one case of ten million.
const TRIES: u64 = 16;

/// The fewest seeds in a row without a new prompt before there are taken to be no more.
const FEWEST_TRIES: u64 = 1_024;

/// Goes through the seeds of a call; see [`rolls`].
pub struct Rolls<'a> {
    engine: &'a Engine,
    call: &'a Call<'a>,
    left: usize,
    tried: u64,
    /// Seeds since the last new prompt.
    misses: u64,
    /// Of each prompt found the beginning of its SHA-256: a prompt may be long, and there may be
    /// millions.
    known: HashSet<[u8; 16]>,
    /// The most prompts there can be, once that was asked.
    most: Option<BigUint>,
    is_cancelled: &'a dyn Fn() -> bool,
}

/// Up to `wanted` different prompts, each with the first seed that gives it, from the seed of `call`
/// on. Fewer when there are no more: all of them were found, or seeds in a row give none that is
/// new.
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
    /// The same, ending once `is_cancelled` says so, which is asked before each seed.
    #[must_use]
    pub fn unless(self, is_cancelled: &'a dyn Fn() -> bool) -> Self {
        Self {
            is_cancelled,
            ..self
        }
    }

    /// How many different prompts were found, and of how many seeds.
    #[must_use]
    pub fn found(&self) -> (usize, u64) {
        (self.known.len(), self.tried)
    }

    /// Whether no more prompts are to be expected.
    fn is_exhausted(&mut self) -> bool {
        let found = self.known.len();
        if self.misses < FEWEST_TRIES {
            return false;
        }
        // Counting may take longer than many rolls: asked once, and only where nothing new comes.
        let (engine, call) = (self.engine, self.call);
        let most = self.most.get_or_insert_with(|| {
            count::count(engine, call).map_or_else(|_| BigUint::from(u64::MAX), |own| own.ordered)
        });
        *most <= BigUint::from(found) || self.misses >= TRIES * (found as u64 + 1)
    }
}

impl Iterator for Rolls<'_> {
    type Item = Result<Roll, HydrateError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left.checked_sub(1)?;
        while !(self.is_cancelled)() && !self.is_exhausted() {
            let seed = Seed::from_bits(self.call.seed.get().wrapping_add(self.tried));
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
