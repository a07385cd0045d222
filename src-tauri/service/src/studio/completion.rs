//! Completion of tokens in an assembly order.

use promptdeck_core::lint;

use super::Studio;
use crate::ServiceError;
use crate::open_documents::lock;

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
}
