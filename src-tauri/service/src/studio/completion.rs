//! Help with the entries of an assembly order: what completes one, and what one would print.

use promptdeck_core::lint;

use super::Studio;
use crate::open_documents::lock;
use crate::session::insertion_trial::InsertionTrial;
use crate::wire::InsertionEffect;
use crate::{CancellationToken, ServiceError};

impl Studio {
    /// The tokens that complete a bracket left open, as in `section[`, without those that can match
    /// no item.
    ///
    /// # Errors
    /// If the document is not open.
    pub fn look_ups(&self, document: &str, typed: &str) -> Result<Vec<String>, ServiceError> {
        let engine = lock(&*self.inner.session(document)?).engine().clone();
        Ok(lint::look_ups(engine.registry(), typed))
    }

    /// What an entry at `index` of the assembly order in use would print; changes nothing.
    ///
    /// # Errors
    /// If the document is not open, the call cannot be hydrated, or the request is cancelled.
    pub fn try_insertion(
        &self,
        document: &str,
        entry: &str,
        index: u32,
        cancel: &CancellationToken,
    ) -> Result<InsertionEffect, ServiceError> {
        let trial = InsertionTrial::of(&lock(&*self.inner.session(document)?));
        if cancel.is_cancelled() {
            return Err(ServiceError::Superseded);
        }
        trial.run(entry, index, self.inner.counter())
    }
}
