//! A cache of checked entries of states, for batches: most states set what others set.

use std::{collections::HashMap, hash::BuildHasher, sync::Arc};

use foldhash::fast::FixedState;

use super::{StateEntry, entry_fault};
use crate::registry::{Diagnostic, Registry};

/// Maximum number of cached entries; when it is reached, the cache begins anew.
const MAX_ENTRIES: usize = 1 << 16;

/// The fault of each entry of one registry that was checked, by the hash of the entry.
#[derive(Default)]
pub struct KnownEntries {
    hasher: FixedState,
    faults: HashMap<u64, Option<Arc<Diagnostic>>, FixedState>,
}

impl KnownEntries {
    /// What [`entry_fault`] says of an entry. The registry is the same in every call.
    pub fn fault(&mut self, registry: &Registry, entry: StateEntry<'_>) -> Option<Arc<Diagnostic>> {
        let hash = self.hasher.hash_one(entry);
        if let Some(known) = self.faults.get(&hash) {
            return known.clone();
        }
        let fault = entry_fault(registry, entry).map(Arc::new);
        if self.faults.len() >= MAX_ENTRIES {
            self.faults.clear();
        }
        self.faults.insert(hash, fault.clone());
        fault
    }
}
