//! Help with the entries of an assembly order: what completes one, and what one would print.

use promptdeck_core::{lint, unprinted};
use serde_json::Value;

use super::Studio;
use crate::open_documents::lock;
use crate::saturating::saturating_u32;
use crate::session::insertion_trial::InsertionTrial;
use crate::wire::{EntrySplit, InsertionEffect};
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

    /// The index in the registry's own assembly order that the entry of a new section takes; `None` if
    /// the section is printed without another entry.
    ///
    /// # Errors
    /// If the document is not open, or `value` is no section.
    pub fn section_index(
        &self,
        document: &str,
        section: &str,
        value: &Value,
    ) -> Result<Option<u32>, ServiceError> {
        let engine = lock(&*self.inner.session(document)?).engine().clone();
        let registry = engine.registry().with_section(section, value);
        let registry = registry.map_err(|fault| ServiceError::Parse {
            file: document.to_owned(),
            fault,
        })?;
        let insertion = unprinted::section_insertion(&registry, section);
        Ok(insertion.map(|found| saturating_u32(found.index)))
    }

    /// The entries to split when an item of a section gets a list that would print in place of its
    /// text; `value` is the section with the list.
    ///
    /// # Errors
    /// If the document is not open, or `value` is no section.
    pub fn entry_splits(
        &self,
        document: &str,
        section: &str,
        value: &Value,
        item: u32,
    ) -> Result<Vec<EntrySplit>, ServiceError> {
        let engine = lock(&*self.inner.session(document)?).engine().clone();
        let before = engine.registry();
        let after = before.with_section(section, value);
        let after = after.map_err(|fault| ServiceError::Parse {
            file: document.to_owned(),
            fault,
        })?;
        let splits = unprinted::entry_splits(before, &after, section, item as usize);
        let splits = splits.into_iter().map(|split| EntrySplit {
            route: split.route,
            index: saturating_u32(split.index),
            tokens: split.tokens,
        });
        Ok(splits.collect())
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
