//! Snapshots of documents for the window and the command line, in one store.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_store::Store;
use promptdeck_store::snapshots::{NewSnapshot, Query, Summary};
use serde_json::{Map, Value};

use crate::diff::snapshot_changes;
use crate::saturating::saturating_u32;
use crate::wire::{SnapshotKind, SnapshotPage, SnapshotQuery, SnapshotSummary};
use crate::{ServiceError, clock, path_text, tree};

/// The contents of a snapshot.
#[derive(Debug, Clone)]
pub struct Contents {
    /// Its row in the store.
    pub summary: Summary,
    /// The registry object.
    pub registry: Map<String, Value>,
    /// The state.
    pub state: State,
    /// The route.
    pub route: Option<String>,
    /// The seed.
    pub seed: Seed,
}

/// The document state from which a snapshot is taken.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotSource<'a> {
    /// Name; empty to be named by what is chosen.
    pub name: &'a str,
    /// Note of the user.
    pub note: &'a str,
    /// Path of the registry's file.
    pub file: &'a Path,
    /// The registry object.
    pub registry: &'a Map<String, Value>,
    /// The state.
    pub state: &'a State,
    /// The route.
    pub route: Option<&'a str>,
    /// The seed.
    pub seed: Seed,
    /// Short summary of the selections.
    pub glance: &'a str,
    /// Whether the program takes it before a destructive action.
    pub automatic: bool,
}

/// The key of a file's snapshots and draft: its absolute path with links resolved. A file that is
/// not there has the key it would have.
#[must_use]
pub fn key(file: &Path) -> String {
    let beside = || {
        let folder = file.parent()?.canonicalize().ok()?;
        Some(folder.join(file.file_name()?))
    };
    let whole = file.canonicalize().ok().or_else(beside);
    let whole = whole.or_else(|| std::path::absolute(file).ok());
    path_text::encode(&whole.unwrap_or_else(|| file.to_owned()))
}

/// The file of a key.
#[must_use]
pub fn path(key: &str) -> PathBuf {
    path_text::decode(key)
}

/// A snapshot not stored yet. It copies the document, so that the document is not locked while the
/// store is busy.
#[derive(Debug)]
pub(crate) struct SnapshotCopy {
    name: String,
    note: String,
    file: PathBuf,
    content: Vec<u8>,
    state: String,
    route: Option<String>,
    seed: Seed,
    glance: String,
    taken_at: i64,
    automatic: bool,
    /// Whether the name was given; else it is the glance, numbered where another has it.
    is_named: bool,
    unless_stored: bool,
}

impl SnapshotCopy {
    /// Copies what there is to keep.
    pub(crate) fn of(source: &SnapshotSource<'_>) -> Result<Self, ServiceError> {
        let trimmed_name = source.name.trim();
        let is_named = !trimmed_name.is_empty();
        let name = if is_named {
            trimmed_name
        } else {
            source.glance
        };
        Ok(Self {
            name: name.to_owned(),
            note: source.note.to_owned(),
            file: source.file.to_owned(),
            content: serde_json::to_vec(source.registry)?,
            state: serde_json::to_string(source.state)?,
            route: source.route.map(str::to_owned),
            seed: source.seed,
            glance: source.glance.to_owned(),
            taken_at: clock::now_signed(),
            automatic: source.automatic,
            is_named,
            unless_stored: false,
        })
    }

    /// Stores the snapshot only if no other snapshot has exactly these contents: for a document
    /// state that is replaced and may be needed again.
    pub(crate) fn unless_stored(self) -> Self {
        Self {
            unless_stored: true,
            ..self
        }
    }

    /// Stores it; durable on return.
    pub(crate) fn store(&self, store: &Store) -> Result<Summary, ServiceError> {
        self.store_named(store)
            .map_err(|fault| ServiceError::NoSnapshot {
                name: self.name.clone(),
                fault: Box::new(fault),
            })
    }

    fn store_named(&self, store: &Store) -> Result<Summary, ServiceError> {
        let name = if self.is_named {
            Cow::Borrowed(self.name.as_str())
        } else {
            free_name(store, &key(&self.file), &self.name)?
        };
        self.with_row(|row| {
            Ok(store.take_snapshot(&NewSnapshot {
                name: &name,
                ..*row
            })?)
        })
    }

    /// Stores it unless a snapshot has its contents.
    pub(crate) fn store_if_needed(&self, store: &Store) -> Result<(), ServiceError> {
        if self.unless_stored && self.with_row(|row| Ok(store.has_snapshot_of(row)?))? {
            return Ok(());
        }
        self.store(store).map(drop)
    }

    fn with_row<T>(
        &self,
        use_row: impl FnOnce(&NewSnapshot<'_>) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        use_row(&NewSnapshot {
            name: &self.name,
            note: &self.note,
            file: &key(&self.file),
            content: &self.content,
            state: &self.state,
            route: self.route.as_deref(),
            seed: self.seed.get(),
            target: None,
            glance: &self.glance,
            taken_at: self.taken_at,
            automatic: self.automatic,
        })
    }
}

/// How many of the newest names a new name must differ from.
const COMPARED_NAMES: u32 = 200;

/// A name that none of the file's newest snapshots has: the wanted one, or with a number behind it.
fn free_name<'a>(store: &Store, file: &str, wanted: &'a str) -> Result<Cow<'a, str>, ServiceError> {
    let page = store.snapshots(&Query {
        file: Some(file),
        limit: COMPARED_NAMES,
        ..Query::default()
    })?;
    let used_names: HashSet<String> = page.snapshots.into_iter().map(|row| row.name).collect();
    let mut name = Cow::Borrowed(wanted);
    let mut number = 1_u32;
    while used_names.contains(name.as_ref()) {
        number += 1;
        name = Cow::Owned(format!("{wanted} ({number})"));
    }
    Ok(name)
}

/// Takes a snapshot; it is on the disk when this returns.
///
/// # Errors
/// If the source cannot be read or the store cannot be written.
pub fn take(store: &Store, source: &SnapshotSource<'_>) -> Result<Summary, ServiceError> {
    SnapshotCopy::of(source)?.store(store)
}

/// Reads and verifies the contents of a snapshot.
///
/// # Errors
/// If there is no such snapshot or it is damaged.
pub fn contents(store: &Store, id: i64) -> Result<Contents, ServiceError> {
    let (summary, content) = store.snapshot_with_content(id)?;
    let registry = serde_json::from_slice(&content)?;
    let state = serde_json::from_str(&summary.state)?;
    let seed = Seed::new(summary.seed).map_err(|fault| {
        ServiceError::BadPart(tree::BadPart {
            part: "seed",
            why: fault.to_string(),
        })
    })?;
    Ok(Contents {
        registry,
        state,
        route: summary.route.clone(),
        seed,
        summary,
    })
}

/// Deletes a snapshot; it can be restored for 30 days.
///
/// # Errors
/// If there is no such snapshot or the store cannot be written.
pub fn delete(store: &Store, id: i64) -> Result<(), ServiceError> {
    Ok(store.delete_snapshot(id, clock::now_signed())?)
}

/// One page of the list. `query.file` is a [`key`].
///
/// # Errors
/// If the store cannot be read.
pub fn list(store: &Store, query: &SnapshotQuery) -> Result<SnapshotPage, ServiceError> {
    let page = store.snapshots(&Query {
        file: query.file.as_deref(),
        text: query.text.as_deref(),
        deleted: query.deleted,
        offset: query.offset,
        limit: query.limit,
    })?;
    let changes = match query.changes {
        true => snapshot_changes::of(store, &page.snapshots)?,
        false => Vec::new(),
    };
    Ok(SnapshotPage {
        snapshots: page.snapshots.into_iter().map(summary).collect(),
        changes,
        total: saturating_u32(page.total),
        damaged: page.damaged,
    })
}

/// A row for the page, except that `file` is still the key.
#[must_use]
pub fn summary(row: Summary) -> SnapshotSummary {
    SnapshotSummary {
        id: saturating_u32(row.id),
        name: row.name,
        note: row.note,
        file: row.file,
        taken_at: row.taken_at.unsigned_abs(),
        deleted_at: row.deleted_at.map(i64::unsigned_abs),
        kind: if row.automatic {
            SnapshotKind::Auto
        } else {
            SnapshotKind::Manual
        },
        pinned: row.pinned,
        route: row.route,
        seed: row.seed,
        target: row.target,
        glance: row.glance,
    }
}
