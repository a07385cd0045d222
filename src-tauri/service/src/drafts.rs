//! Unsaved work: kept while the author works, found again when the document is opened.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use promptdeck_store::Store;
use promptdeck_store::drafts::Draft;
use serde_json::Value;

use crate::open_documents::{FileDocument, lock};
use crate::wire::Edit;
use crate::{ServiceError, clock, edit};

/// Groups appended before the whole tree is written anew.
const GROUPS: u32 = 200;

/// Knows which drafts have a checkpoint to append to.
#[derive(Debug)]
pub struct Drafts {
    /// Tells this process's drafts from another's.
    owner: i64,
    /// Held while one is written, so that two keepers never append in the wrong order.
    writing: Mutex<()>,
    /// Held for a moment only: callers may hold a session.
    checkpoints: Mutex<HashMap<String, Checkpoint>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Checkpoint {
    /// Groups appended to it; none when the whole tree has to be written.
    groups: Option<u32>,
    /// Counted up whenever the base changes.
    generation: u64,
}

/// Unsaved work that was found.
#[derive(Debug)]
pub struct StoredDraft {
    /// The tree, all kept edits applied.
    pub tree: Value,
    /// Hash of the file it is based on.
    pub base: promptdeck_store::Hash,
    /// The registry was modified.
    pub modified: bool,
    /// When it was kept, in milliseconds since 1970.
    pub saved_at: u64,
}

impl Drafts {
    /// None kept yet. `owner` is a number no other process has.
    #[must_use]
    pub fn new(owner: i64) -> Self {
        Self {
            owner,
            writing: Mutex::default(),
            checkpoints: Mutex::default(),
        }
    }

    /// Brings the draft of a document up to date; gives the revision that is safe. Nothing is
    /// written when there is nothing new.
    pub fn save(
        &self,
        store: &Store,
        key: &str,
        document: &Mutex<impl FileDocument>,
    ) -> Result<Option<u32>, ServiceError> {
        let _alone = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (update, tree, groups, generation) = {
            let mut document = lock(document);
            let copy = document.copy_mut();
            let Checkpoint { groups, generation } = self.checkpoint(key);
            let groups = groups.filter(|groups| *groups < GROUPS);
            let update = copy.take_draft_update();
            if update.edits.is_empty() && groups.is_some() {
                return Ok(None);
            }
            let tree = groups.is_none().then(|| copy.tree().clone());
            (update, tree, groups, generation)
        };
        let now = clock::now_signed();
        let result = match &tree {
            Some(tree) => serde_json::to_vec(tree)
                .map_err(ServiceError::from)
                .and_then(|tree| {
                    Ok(store.checkpoint_draft(
                        key,
                        self.owner,
                        &update.base,
                        &tree,
                        update.modified,
                        now,
                    )?)
                }),
            None => serde_json::to_vec(&update.edits)
                .map_err(ServiceError::from)
                .and_then(|edits| {
                    Ok(store.append_draft(key, self.owner, &edits, update.modified, now)?)
                }),
        };
        match result {
            Ok(()) => {
                self.set_groups(key, groups.map_or(0, |groups| groups + 1), generation);
                Ok(Some(update.revision))
            }
            Err(fault) => {
                // Whatever the store holds now: the next attempt writes the whole tree, these edits
                // in it.
                self.start_over(key);
                Err(fault)
            }
        }
    }

    /// The next time, the whole tree is written: its base has changed.
    pub fn start_over(&self, key: &str) {
        let mut checkpoints = self
            .checkpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let checkpoint = checkpoints.entry(key.to_owned()).or_default();
        checkpoint.groups = None;
        checkpoint.generation += 1;
    }

    fn checkpoint(&self, key: &str) -> Checkpoint {
        let checkpoints = self
            .checkpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        checkpoints.get(key).copied().unwrap_or_default()
    }

    fn set_groups(&self, key: &str, groups: u32, generation: u64) {
        let mut checkpoints = self
            .checkpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let checkpoint = checkpoints.entry(key.to_owned()).or_default();
        if checkpoint.generation == generation {
            checkpoint.groups = Some(groups);
        }
    }
}

/// The draft as a tree. Edits behind the first one that does not fit are left out.
pub fn find(store: &Store, key: &str) -> Result<Option<StoredDraft>, ServiceError> {
    let Some(Draft {
        base,
        tree,
        edits,
        modified,
        saved_at,
        ..
    }) = store.draft(key)?
    else {
        return Ok(None);
    };
    let mut tree: Value = serde_json::from_slice(&tree)?;
    for group in edits {
        let group: Vec<Edit> = serde_json::from_slice(&group)?;
        if edit::apply_all(&mut tree, &group).is_err() {
            break;
        }
    }
    Ok(Some(StoredDraft {
        tree,
        base,
        modified,
        saved_at: saved_at.unsigned_abs(),
    }))
}
