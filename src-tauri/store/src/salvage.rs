//! Salvage: what is intact of a damaged store goes into a new file beside it, which takes its
//! place in one rename. The damaged file stays as it is, under another name.
//!
//! All of it happens under the store's lock. The new file is complete and on the disk before it is
//! named `store.sqlite.salvaged`; from then on every opener finishes what is left to do. Before
//! that, a salvage that was interrupted has changed nothing and starts again.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;

use crate::examine::Examined;
use crate::files::sync_folder;
use crate::image::sidecar_path;
use crate::manifest::Manifest;
use crate::raw_file::{Identity, RawFile};
use crate::recovery::rebuild::{self, Rebuilt};
use crate::recovery::{self, Recovered};
use crate::store::sibling_path;
use crate::{StoreError, schema, space};

/// Lost things named one by one; more are counted.
const MOST_NAMED: usize = 10;

/// Why a store is not the one that was written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SalvageKind {
    /// Bytes of it are damaged.
    Damaged,
    /// Its file is gone.
    Gone,
    /// It is an older copy, or lost its log.
    Older,
}

/// A store that is not the one written last: an older copy, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// Why it is not.
    pub kind: SalvageKind,
    /// The store.
    pub path: PathBuf,
    /// What was wrong with it.
    pub cause: String,
    /// Where the damaged file is kept; none when nothing on the disk was changed.
    pub damaged_copy: Option<PathBuf>,
    /// Snapshots recovered.
    pub snapshots: usize,
    /// Snapshots that there should be; none where that is not known.
    pub expected_snapshots: Option<usize>,
    /// Drafts recovered.
    pub drafts: usize,
    /// Connections recovered.
    pub connections: usize,
    /// Runs recovered.
    pub runs: usize,
    /// What is known to be lost, each in words.
    pub lost: Vec<String>,
    /// Every row of these lists is there: by their counts and checksums, not for want of trouble.
    pub complete: bool,
    /// Pages of tables and indexes that could not be read as a whole.
    pub unread_pages: usize,
}

impl Salvage {
    fn new(path: &Path, cause: String, recovered: &Recovered, rebuilt: Rebuilt) -> Self {
        let expected = |name: &str| {
            let entry = recovered.expected.get(name);
            let count = entry.filter(|_| !recovered.may_be_behind)?.count;
            usize::try_from(count).ok()
        };
        let mut lost: Vec<String> = Vec::new();
        for (name, rows) in [
            ("snapshots", rebuilt.snapshots),
            ("runs", rebuilt.runs),
            ("connections", rebuilt.connections),
            ("drafts", rebuilt.drafts),
            ("edits", 0),
        ] {
            // A deleted row may lie in a page still: no more are lost than there were.
            let missing = expected(name).map(|expected| expected.saturating_sub(rows));
            let named = rebuilt.lost.iter().filter(|(list, _)| *list == name);
            let mut named: Vec<&str> = named.map(|(_, label)| label.as_str()).collect();
            if name == "snapshots" && missing.is_some() {
                named.extend(recovered.rows.damaged_snapshots());
            }
            named.truncate(missing.unwrap_or(named.len()));
            lost.extend(named.iter().map(|label| (*label).to_owned()));
            let unnamed = missing.unwrap_or(0).saturating_sub(named.len());
            if unnamed > 0 {
                lost.push(format!("{unnamed} {name}"));
            }
        }
        Self {
            kind: SalvageKind::Damaged,
            path: path.to_owned(),
            cause,
            damaged_copy: None,
            snapshots: rebuilt.snapshots,
            expected_snapshots: expected("snapshots"),
            drafts: rebuilt.drafts,
            connections: rebuilt.connections,
            runs: rebuilt.runs,
            complete: lost.is_empty() && recovered.is_whole(),
            lost,
            unread_pages: recovered.broken_pages,
        }
    }

    /// The report of a store whose file is gone.
    pub(crate) fn of_gone(path: &Path, manifest: &Manifest) -> Self {
        let counts = manifest.lists.iter().filter(|list| list.count > 0);
        let lost = counts.map(|list| format!("{} {}", list.count, list.name));
        Self {
            lost: lost.collect(),
            expected_snapshots: manifest
                .list("snapshots")
                .and_then(|list| usize::try_from(list.count).ok()),
            ..Self::unchanged(SalvageKind::Gone, path, "its file is gone or empty")
        }
    }

    /// The report of a store that is in order, and older than what was written last.
    pub(crate) fn of_older(path: &Path, missing: &str) -> Self {
        Self::unchanged(SalvageKind::Older, path, missing)
    }

    fn unchanged(kind: SalvageKind, path: &Path, cause: &str) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            cause: cause.to_owned(),
            damaged_copy: None,
            snapshots: 0,
            expected_snapshots: None,
            drafts: 0,
            connections: 0,
            runs: 0,
            lost: Vec::new(),
            complete: false,
            unread_pages: 0,
        }
    }
}

impl fmt::Display for Salvage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.kind {
            SalvageKind::Gone => {
                return write!(
                    f,
                    "the store {path} is gone or empty, {} were in it; put a copy of it in its \
                     place to have them again, or go on with a new one",
                    self.lost.join(", ")
                );
            }
            SalvageKind::Older => {
                return write!(
                    f,
                    "the store {path} is older than what was written last: {}; an older copy was \
                     put in its place, or its log is gone; put the newer files back, or go on \
                     with this one",
                    self.cause
                );
            }
            SalvageKind::Damaged if self.damaged_copy.is_some() => {
                write!(f, "the store {path} was damaged: ")?;
            }
            SalvageKind::Damaged => write!(f, "the store {path} is damaged: ")?,
        }
        write!(f, "{}; recovered: {}", self.cause, self.snapshots)?;
        if let Some(expected) = self.expected_snapshots {
            write!(f, " of {expected}")?;
        }
        write!(
            f,
            " snapshots, {} drafts, {} connections, {} runs; ",
            self.drafts, self.connections, self.runs
        )?;
        if self.complete {
            f.write_str("none of them is missing")?;
        } else if !self.lost.is_empty() {
            let named = self.lost.len().min(MOST_NAMED);
            write!(f, "lost: {}", self.lost[..named].join(", "))?;
            if self.lost.len() > named {
                write!(f, " and {} more", self.lost.len() - named)?;
            }
        } else if self.expected_snapshots.is_some() {
            f.write_str("some of them may be an earlier version")?;
        } else {
            f.write_str("how many there were is not known")?;
        }
        if self.unread_pages > 0 {
            write!(
                f,
                "; {} pages could not be read, settings and edits of drafts are not counted",
                self.unread_pages
            )?;
        }
        match &self.damaged_copy {
            Some(damaged_copy) => write!(f, "; the damaged file is kept as {}", damaged_copy.display()),
            None => f.write_str(
                "; it was left as it is, and `promptdeck doctor --recover` with PROMPTDECK_STORE set \
                 to it recovers what is intact",
            ),
        }
    }
}

/// Where a salvage that is complete waits for its name.
fn ready(path: &Path) -> PathBuf {
    sibling_path(path, "salvaged")
}

/// Whether a salvage was interrupted between its last two steps.
pub(crate) fn is_pending(path: &Path) -> bool {
    ready(path).exists()
}

/// The file to read where nothing may be changed: a complete salvage before the damaged store, whose
/// log may be gone already.
pub(crate) fn to_read(path: &Path) -> PathBuf {
    let ready = ready(path);
    if ready.exists() {
        ready
    } else {
        path.to_owned()
    }
}

/// Puts a complete salvage in the place of the damaged store. The caller holds the lock.
pub(crate) fn finish(path: &Path) -> Result<(), StoreError> {
    let ready = ready(path);
    if !ready.exists() {
        return Ok(());
    }
    // The log is the damaged file's: it must be gone before the new file has its name.
    for ending in ["-wal", "-shm", "-journal"] {
        remove(&sidecar_path(path, ending))?;
    }
    sync_folder(path)?;
    fs::rename(&ready, path).map_err(|fault| StoreError::file("write", path, fault))?;
    sync_folder(path)
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::file("remove", path, fault))
        }
        _ => Ok(()),
    }
}

/// What is intact, in memory: nothing on the disk changes.
pub(crate) fn into_memory(
    path: &Path,
    examined: &Examined,
    cause: String,
) -> Result<(Connection, Salvage), StoreError> {
    let recovered = recovery::recover(&examined.image, examined.manifest.as_ref());
    let mut conn = Connection::open_in_memory()?;
    schema::create(&mut conn, schema::NEWEST)?;
    let rebuilt = rebuild::fill(&mut conn, &recovered)?;
    Ok((conn, Salvage::new(path, cause, &recovered, rebuilt)))
}

/// Salvages a store. The caller holds the lock.
pub(crate) fn salvage(
    path: &Path,
    examined: &Examined,
    cause: String,
) -> Result<Salvage, StoreError> {
    let part = sibling_path(path, "salvage-part");
    remove(&part)?;
    let written = write_new(path, &part, examined, cause);
    let mut salvage = written.map_err(|fault| {
        let _ = fs::remove_file(&part);
        space::explain(fault, path, examined.image.main_len())
    })?;
    salvage.damaged_copy = preserve_damaged(path)?;
    fs::rename(&part, ready(path)).map_err(|fault| StoreError::file("write", path, fault))?;
    sync_folder(path)?;
    finish(path)?;
    Ok(salvage)
}

fn write_new(
    path: &Path,
    part: &Path,
    examined: &Examined,
    cause: String,
) -> Result<Salvage, StoreError> {
    let recovered = recovery::recover(&examined.image, examined.manifest.as_ref());
    let mut conn = Connection::open(part)?;
    // A file that is cut short is begun again, so no journal; it is synced as a whole below.
    conn.pragma_update(None, "journal_mode", "MEMORY")?;
    conn.pragma_update(None, "synchronous", "OFF")?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    schema::create(&mut conn, schema::NEWEST)?;
    let rebuilt = rebuild::fill(&mut conn, &recovered)?;
    let problems = crate::check::problems(&conn)?;
    if let Some(problem) = problems.first() {
        return Err(StoreError::damaged(format!(
            "what was salvaged ({problem})"
        )));
    }
    conn.close().map_err(|(_, fault)| fault)?;
    File::options()
        .write(true)
        .open(part)
        .and_then(|file| file.sync_all())
        .map_err(|fault| StoreError::file("write", part, fault))?;
    Ok(Salvage::new(path, cause, &recovered, rebuilt))
}

/// Gives the damaged file a second name, and its log.
fn preserve_damaged(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let log = sidecar_path(path, "-wal");
    if !path.exists() && !log.exists() {
        return Ok(None);
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let (mut damaged_copy, mut copy) = (sibling_path(path, &format!("damaged-{now}-0")), 0);
    while damaged_copy.exists() || sidecar_path(&damaged_copy, "-wal").exists() {
        copy += 1;
        damaged_copy = sibling_path(path, &format!("damaged-{now}-{copy}"));
    }
    // An interrupted salvage may have come this far.
    if let Some(known) = existing_copy(path) {
        return Ok(Some(known));
    }
    for (from, to) in [
        (&log, sidecar_path(&damaged_copy, "-wal")),
        (&path.to_owned(), damaged_copy.clone()),
    ] {
        if from.exists() {
            link_or_copy(from, &to)?;
        }
    }
    sync_folder(path)?;
    Ok(Some(damaged_copy))
}

/// A second name that the damaged file has already, its log with it.
fn existing_copy(path: &Path) -> Option<PathBuf> {
    let identity = Identity::at(path)?;
    let log = Identity::at(&sidecar_path(path, "-wal"));
    let prefix = format!("{}.damaged-", path.file_name()?.to_str()?);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        .map(|entry| entry.path())
        .find(|kept| {
            Identity::at(kept) == Some(identity) && Identity::at(&sidecar_path(kept, "-wal")) == log
        })
}

fn link_or_copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    let part = sidecar_path(to, "-part");
    remove(&part)?;
    RawFile::open(from)
        .and_then(|file| file.copy_to(&part))
        .and_then(|()| fs::rename(&part, to))
        .map_err(|fault| {
            let _ = fs::remove_file(&part);
            space::explain(StoreError::file("copy", from, fault), from, 0)
        })
}
