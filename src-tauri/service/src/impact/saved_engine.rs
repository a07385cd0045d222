//! The engine of a file as last saved. It is built once for each version of the file.

use std::sync::{Mutex, PoisonError};

use promptdeck_core::hydrate::Engine;
use promptdeck_core::registry::Registry;
use promptdeck_store::Hash;

use crate::ServiceError;
use crate::open_documents::{FileDocument as _, Shared, lock};
use crate::session::Session;

/// The engine of the document that was looked at last, and the hash of its file.
#[derive(Debug, Default)]
pub(crate) struct SavedEngine(Mutex<Option<(String, Hash, Engine)>>);

impl SavedEngine {
    /// The registry that the file of an open document holds.
    pub fn of(&self, session: &Shared<Session>) -> Result<Engine, ServiceError> {
        let (document, hash, content) = {
            let session = lock(session);
            let copy = session.copy();
            let (document, hash) = (copy.document(), copy.disk().hash);
            if let Some(engine) = self.known(document, hash) {
                return Ok(engine);
            }
            // Shares its unchanged sections with the edited versions to come.
            if !copy.modified() {
                let engine = session.engine().clone();
                self.remember(document, hash, &engine);
                return Ok(engine);
            }
            (document.to_owned(), hash, copy.disk().content.clone())
        };
        let registry = Registry::from_map(&content).map_err(ServiceError::Refused)?;
        let engine = Engine::new(registry);
        self.remember(&document, hash, &engine);
        Ok(engine)
    }

    fn known(&self, document: &str, hash: Hash) -> Option<Engine> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slot.as_ref();
        let known =
            known.filter(|(known_document, of, _)| known_document == document && *of == hash);
        known.map(|(_, _, engine)| engine.clone())
    }

    fn remember(&self, document: &str, hash: Hash, engine: &Engine) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Some((document.to_owned(), hash, engine.clone()));
    }
}
