//! Drafts: unsaved edits, written to the store while the author works and restored when the
//! document is opened.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use promptdeck_store::drafts::{Draft, DraftCheckpoint, DraftVersion};
use promptdeck_store::{Hash, Store};
use serde_json::Value;

use crate::open_documents::{FileDocument, lock};
use crate::wire::Edit;
use crate::working_copy::DraftUpdate;
use crate::{ServiceError, clock, edit, file_version, snapshots};

/// How many groups of edits are appended before the whole tree is written again.
const GROUPS: u32 = 200;

/// Writes drafts: tracks which have a checkpoint to append to.
#[derive(Debug)]
pub struct Drafts {
    /// Distinguishes this process's drafts from another's.
    owner: i64,
    /// Held during a write, so that two threads never append in the wrong order.
    writing: Mutex<()>,
    /// Held briefly, since callers may hold a session's lock.
    checkpoints: Mutex<HashMap<String, Checkpoint>>,
    /// Drafts of other processes whose work is kept: it was opened here, or copied elsewhere.
    preserved: Mutex<HashSet<DraftVersion>>,
}

/// A draft that was written.
#[derive(Debug)]
pub struct WrittenDraft {
    /// The revision that is stored.
    pub revision: u32,
    /// Where the unsaved work of another window is now, if this draft took its place.
    pub displaced_copy: Option<String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Checkpoint {
    /// How many groups were appended; `None` if the whole tree has to be written.
    groups: Option<u32>,
    /// Whether edits were taken from the document that no write has stored yet.
    has_taken: bool,
    /// Increases whenever the base changes.
    generation: u64,
}

/// A draft that was read.
#[derive(Debug)]
pub struct StoredDraft {
    /// The tree with all edits applied.
    pub tree: Value,
    /// Hash of the file version it is based on.
    pub base: Hash,
    /// Whether the registry differs from the file.
    pub modified: bool,
    /// Whether it differs from the file only by names of another document that it follows.
    pub only_follows: bool,
    /// When it was written, in milliseconds since 1970.
    pub saved_at: u64,
    /// Whether edits are missing from the tree: the first damaged group of them and all later ones.
    pub incomplete: bool,
}

impl Drafts {
    /// Creates a writer without drafts. `owner` is a number that no other process has.
    #[must_use]
    pub fn new(owner: i64) -> Self {
        Self {
            owner,
            writing: Mutex::default(),
            checkpoints: Mutex::default(),
            preserved: Mutex::default(),
        }
    }

    /// Keeps drafts from being written while the guard lives: a file is about to be renamed.
    pub fn pause(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a document's new edits to its draft. Writes nothing if there is nothing new. Unsaved work
    /// of another window in that place is kept elsewhere first.
    pub fn save<T: FileDocument>(
        &self,
        store: &Store,
        document: &Mutex<T>,
    ) -> Result<Option<WrittenDraft>, ServiceError> {
        let _alone = self.pause();
        let path = lock(document).copy().path().to_owned();
        let key = snapshots::key(&path);
        let mut displaced_copy = None;
        loop {
            let found = store.draft_version(&key)?;
            let others = found.filter(|version| version.owner != self.owner);
            let displaced =
                others.filter(|version| version.modified && !self.is_preserved(version));
            let (update, tree, followed, groups, generation) = {
                let mut document = lock(document);
                let copy = document.copy_mut();
                let checkpoint = self.checkpoint(&key);
                let is_appended = |groups: &u32| *groups < GROUPS && others.is_none();
                let groups = checkpoint.groups.filter(is_appended);
                let update = copy.take_draft_update();
                let is_new = checkpoint.has_taken || !update.edits.is_empty();
                if !is_new && (groups.is_some() || displaced.is_some()) {
                    return Ok(None);
                }
                self.note_taken(&key, is_new);
                let tree = groups.is_none().then(|| copy.tree().clone());
                let followed = update.only_follows.then(|| tree_hash(copy.tree()));
                (update, tree, followed, groups, checkpoint.generation)
            };
            if let Some(version) = displaced {
                let elsewhere = self.keep::<T>(store, &key, &path, version);
                displaced_copy = elsewhere
                    .inspect_err(|_| self.start_over(&key))?
                    .or(displaced_copy);
            }
            let written = match &tree {
                Some(tree) => self.write_tree(store, &path, &update, tree, found),
                None => self.append(store, &key, &update),
            };
            let outcome = written.and_then(|written| {
                if let Some(hash) = followed.filter(|_| written) {
                    store.set_setting(&follows_setting(&key), &hash.to_string())?;
                }
                Ok(written)
            });
            match outcome {
                Ok(true) => {
                    self.set_groups(&key, groups.map_or(0, |groups| groups + 1), generation);
                    return Ok(Some(WrittenDraft {
                        revision: update.revision,
                        displaced_copy,
                    }));
                }
                // Another window has written its draft meanwhile, which may hold work to keep.
                Ok(false) => self.start_over(&key),
                Err(fault) => {
                    // The store's content is unknown now: the next attempt writes the whole tree,
                    // which includes these edits.
                    self.start_over(&key);
                    return Err(fault);
                }
            }
        }
    }

    /// Writes the whole tree in place of the draft that was found; `false` if there is another by now.
    fn write_tree(
        &self,
        store: &Store,
        path: &Path,
        update: &DraftUpdate,
        tree: &Value,
        found: Option<DraftVersion>,
    ) -> Result<bool, ServiceError> {
        let key = snapshots::key(path);
        let checkpoint = DraftCheckpoint {
            owner: self.owner,
            replaces: found,
            base: update.base,
            tree: &serde_json::to_vec(tree)?,
            modified: update.modified,
            saved_at: clock::now_signed(),
        };
        let written = store.checkpoint_draft(&key, &checkpoint)?;
        if written {
            keep_base(store, &key, path, &update.base)?;
        }
        Ok(written)
    }

    /// Appends the new edits to the draft; `false` if it is another window's by now.
    fn append(&self, store: &Store, key: &str, update: &DraftUpdate) -> Result<bool, ServiceError> {
        let edits = serde_json::to_vec(&update.edits)?;
        let now = clock::now_signed();
        Ok(store.append_draft(key, self.owner, &edits, update.modified, now)?)
    }

    /// Keeps the unsaved work of another window where its draft's place is about to be taken, and says
    /// where. A draft that cannot be read holds nothing to keep.
    fn keep<T: FileDocument>(
        &self,
        store: &Store,
        key: &str,
        path: &Path,
        version: DraftVersion,
    ) -> Result<Option<String>, ServiceError> {
        let Ok(Some(draft)) = find(store, key) else {
            return Ok(None);
        };
        let copy_name = T::keep_unsaved(path, &draft.tree, store)?;
        self.note_preserved(version);
        Ok(Some(copy_name))
    }

    /// Notes that the work of this draft is kept, as that of one which was opened here is.
    pub fn note_preserved(&self, version: DraftVersion) {
        let mut preserved = self
            .preserved
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        preserved.insert(version);
    }

    fn is_preserved(&self, version: &DraftVersion) -> bool {
        let preserved = self
            .preserved
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        preserved.contains(version)
    }

    /// Makes the next write store the whole tree, since its base has changed.
    pub fn start_over(&self, key: &str) {
        self.with_checkpoint(key, |checkpoint| {
            checkpoint.groups = None;
            checkpoint.generation += 1;
        });
    }

    fn checkpoint(&self, key: &str) -> Checkpoint {
        self.with_checkpoint(key, |checkpoint| *checkpoint)
    }

    fn note_taken(&self, key: &str, has_taken: bool) {
        self.with_checkpoint(key, |checkpoint| checkpoint.has_taken = has_taken);
    }

    fn set_groups(&self, key: &str, groups: u32, generation: u64) {
        self.with_checkpoint(key, |checkpoint| {
            checkpoint.has_taken = false;
            if checkpoint.generation == generation {
                checkpoint.groups = Some(groups);
            }
        });
    }

    fn with_checkpoint<R>(&self, key: &str, work: impl FnOnce(&mut Checkpoint) -> R) -> R {
        let mut checkpoints = self
            .checkpoints
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        work(checkpoints.entry(key.to_owned()).or_default())
    }
}

/// Stores the version of the file that its draft is based on, if the file still has it.
fn keep_base(store: &Store, key: &str, path: &Path, base: &Hash) -> Result<(), ServiceError> {
    if store.content_size(base)? > 0 {
        return Ok(());
    }
    match file_version::bytes(path) {
        Ok(bytes) => Ok(store.keep_base(key, &bytes)?),
        // Missing or unreadable: what it was based on is gone.
        Err(_) => Ok(()),
    }
}

/// The setting with the hash of the draft's tree that differs from its file only by names of another
/// document that it follows. A tree of another hash is the author's.
fn follows_setting(key: &str) -> String {
    format!("draft_follows:{key}")
}

fn tree_hash(tree: &Value) -> Hash {
    Hash::of(tree.to_string().as_bytes())
}

/// The draft as a tree. A group of edits that does not apply is as damaged as one that cannot be read.
pub fn find(store: &Store, key: &str) -> Result<Option<StoredDraft>, ServiceError> {
    let Some(Draft {
        base,
        tree,
        edits,
        modified,
        saved_at,
        lost,
    }) = store.draft(key)?
    else {
        return Ok(None);
    };
    let mut tree: Value = serde_json::from_slice(&tree)?;
    let mut incomplete = lost > 0;
    for group in edits {
        let group: Vec<Edit> = serde_json::from_slice(&group)?;
        if edit::apply_all(&mut tree, &group).is_err() {
            incomplete = true;
            break;
        }
    }
    let followed = store.setting(&follows_setting(key))?;
    let only_follows = followed.is_some_and(|hash| hash == tree_hash(&tree).to_string());
    Ok(Some(StoredDraft {
        tree,
        only_follows,
        base,
        modified,
        saved_at: saved_at.unsigned_abs(),
        incomplete,
    }))
}
