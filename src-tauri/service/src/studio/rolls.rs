//! The seed of an open document, and what it rolls.

use promptdeck_core::hydrate::Seed;

use crate::session::Session;
use crate::studio::Studio;
use crate::wire::{Change, Slot};
use crate::{ServiceError, clock, tree};

impl Studio {
    /// Draws a new seed.
    ///
    /// # Errors
    /// If the document is not open, its seed is locked, or the system provides no random numbers.
    pub fn roll(&self, document: &str) -> Result<Change, ServiceError> {
        let seed = clock::draw_seed()?;
        self.with(document, |session| session.set_seed("Roll", seed))
    }

    /// Sets the seed, which must be below 2^53.
    ///
    /// # Errors
    /// If the document is not open, its seed is locked, or the seed is too large.
    pub fn use_seed(&self, document: &str, seed: u64) -> Result<Change, ServiceError> {
        let seed = Seed::new(seed).map_err(|fault| tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })?;
        self.with(document, |session| session.set_seed("Use seed", seed))
    }

    /// Restores the seed before the last roll.
    ///
    /// # Errors
    /// If the document is not open, its seed is locked, or there is no earlier seed.
    pub fn use_last_seed(&self, document: &str) -> Result<Change, ServiceError> {
        self.with(document, Session::use_last_seed)
    }

    /// Locks or unlocks the seed.
    ///
    /// # Errors
    /// If the document is not open or the setting cannot be stored.
    pub fn lock_seed(&self, document: &str, locked: bool) -> Result<Change, ServiceError> {
        let change = self.with(document, |session| {
            session.lock_seed(locked);
            Ok(session.unchanged())
        })?;
        self.inner
            .store_handle
            .remember_seed_lock(&self.key(document)?, locked)?;
        Ok(change)
    }

    /// Turns rolled values into selections: those of the given slots, or all.
    ///
    /// # Errors
    /// If the document is not open.
    pub fn lock(&self, document: &str, slots: Option<&[Slot]>) -> Result<Change, ServiceError> {
        self.with(document, |session| session.lock(slots))
    }
}
