//! What an author changed from one snapshot to the next, read from both without evaluating either:
//! a list has many.

use std::collections::HashMap;
use std::rc::Rc;

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_store::snapshots::Summary;
use promptdeck_store::{Hash, Store};
use serde_json::{Map, Value};

use super::settings::{Used, authored, differing};
use super::tree;
use crate::ServiceError;
use crate::saturating::saturating_u32;
use crate::wire::{Setting, SettingPlace, SnapshotChanges};

/// How many bytes of registries are read for one page.
const LONGEST_REGISTRIES: usize = 8 << 20;

/// Reads registries until a page has used up its bytes.
struct Registries<'a> {
    store: &'a Store,
    left: usize,
    read: HashMap<Hash, Rc<Map<String, Value>>>,
}

impl Registries<'_> {
    /// The registry of a snapshot; `None` if it is damaged or too long for what is left.
    fn of(&mut self, row: &Summary) -> Option<Rc<Map<String, Value>>> {
        if let Some(known) = self.read.get(&row.content) {
            return Some(Rc::clone(known));
        }
        self.left = self
            .left
            .checked_sub(self.store.content_size(&row.content).ok()?)?;
        let bytes = self.store.content(&row.content).ok()?;
        let registry = Rc::new(serde_json::from_slice(&bytes).ok()?);
        self.read.insert(row.content, Rc::clone(&registry));
        Some(registry)
    }

    /// The keys of the registry that differ; `None` if that cannot be told.
    fn edited(&mut self, before: &Summary, after: &Summary) -> Option<Vec<String>> {
        if before.content == after.content {
            return Some(Vec::new());
        }
        let (old, new) = (self.of(before)?, self.of(after)?);
        let keys = tree::differing_keys(&old, &new);
        // They may differ in their order alone.
        (!keys.is_empty()).then_some(keys)
    }
}

fn settings(row: &Summary) -> Option<Vec<Used>> {
    let state: State = serde_json::from_str(&row.state).ok()?;
    let seed = Seed::new(row.seed).ok()?;
    Some(authored(&state, row.route.as_deref(), seed))
}

/// What differs in each snapshot from the one of its file that was taken before it. The first
/// snapshot of a file has no entry, nor has one whose row or the row before cannot be read.
///
/// # Errors
/// If the store cannot be read.
pub(crate) fn of(store: &Store, rows: &[Summary]) -> Result<Vec<SnapshotChanges>, ServiceError> {
    let mut registries = Registries {
        store,
        left: LONGEST_REGISTRIES,
        read: HashMap::new(),
    };
    let mut changes = Vec::new();
    for (row, before) in rows.iter().zip(store.previous_snapshots(rows)?) {
        let Some(before) = before else { continue };
        let (Some(old), Some(new)) = (settings(&before), settings(row)) else {
            continue;
        };
        let place = |setting: Setting| SettingPlace {
            section: setting.section,
            name: setting.name,
        };
        changes.push(SnapshotChanges {
            id: saturating_u32(row.id),
            settings: differing(old, new).0.into_iter().map(place).collect(),
            edited: registries.edited(&before, row),
            since: before.name,
        });
    }
    Ok(changes)
}
