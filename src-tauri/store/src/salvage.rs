//! Salvage: moves the intact rows of a damaged store into a new file beside it, which replaces the
//! store in one rename. The damaged file is preserved under another name.
//!
//! All of this happens under the store's lock. The new file is complete and synced before it is
//! renamed to `store.sqlite.salvaged`; from then on any opener completes the replacement. A salvage
//! interrupted earlier has changed nothing and starts again.

mod rebuild;

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rebuild::Rebuilt;
use rusqlite::Connection;

use crate::examine::Examination;
use crate::files::sync_folder;
use crate::image::sidecar_path;
use crate::manifest::Manifest;
use crate::raw_file::{Identity, RawFile};
use crate::row_scan::{self, Recovered};
use crate::store::sibling_path;
use crate::{StoreError, schema, space};

/// Maximum number of lost rows listed by name; the rest are counted.
const MOST_NAMED: usize = 10;

/// A number of rows of a list, named in the plural.
pub(crate) fn counted<N: fmt::Display + PartialEq + From<u8>>(count: N, name: &str) -> String {
    match count == N::from(1) {
        true => format!("1 {}", name.strip_suffix('s').unwrap_or(name)),
        false => format!("{count} {name}"),
    }
}

/// Why a store is not the one written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SalvageKind {
    /// Some of its bytes are damaged.
    Damaged,
    /// The file is missing.
    Gone,
    /// It is an older copy, or it lost its log.
    Older,
}

/// Report on a store that is not the one written last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// The reason.
    pub kind: SalvageKind,
    /// Path of the store.
    pub path: PathBuf,
    /// Description of the damage.
    pub cause: String,
    /// Path of the preserved damaged file; `None` if nothing on disk was changed.
    pub damaged_copy: Option<PathBuf>,
    /// Number of snapshots recovered.
    pub snapshots: usize,
    /// Expected number of snapshots; `None` if unknown.
    pub expected_snapshots: Option<usize>,
    /// Number of drafts recovered.
    pub drafts: usize,
    /// Number of connections recovered.
    pub connections: usize,
    /// Number of runs recovered.
    pub runs: usize,
    /// Number of turns of conversations recovered.
    pub turns: usize,
    /// Descriptions of what is known to be lost.
    pub lost: Vec<String>,
    /// Whether every row of these lists was recovered, as proven by their counts and checksums.
    pub complete: bool,
    /// Number of pages of tables and indexes that were partly unreadable.
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
            ("turns", rebuilt.turns),
            ("connections", rebuilt.connections),
            ("drafts", rebuilt.drafts),
            ("edits", 0),
        ] {
            // A page may still hold deleted rows, so never report more lost rows than the list had.
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
            turns: rebuilt.turns,
            complete: lost.is_empty() && recovered.is_whole(),
            lost,
            unread_pages: recovered.broken_pages,
        }
    }

    /// Report on a store whose file is missing.
    pub(crate) fn of_gone(path: &Path, manifest: &Manifest) -> Self {
        let counts = manifest.lists.iter().filter(|list| list.count > 0);
        let lost = counts.map(|list| counted(list.count, &list.name));
        Self {
            lost: lost.collect(),
            expected_snapshots: manifest
                .list("snapshots")
                .and_then(|list| usize::try_from(list.count).ok()),
            ..Self::unchanged(SalvageKind::Gone, path, "its file is gone or empty")
        }
    }

    /// Report on an intact store that lacks its last changes.
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
            turns: 0,
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
                    "the store {path} is gone or empty, and held {}; restore a copy of it, or \
                     continue with a new one",
                    self.lost.join(", ")
                );
            }
            SalvageKind::Older => {
                return write!(
                    f,
                    "the store {path} is older than what was written last: {}; an older copy was \
                     put in its place, or its log is gone; restore the newer files, or \
                     continue with this one",
                    self.cause
                );
            }
            SalvageKind::Damaged if self.damaged_copy.is_some() => {
                write!(f, "the store {path} was damaged: ")?;
            }
            SalvageKind::Damaged => write!(f, "the store {path} is damaged: ")?,
        }
        write!(f, "{}; recovered: ", self.cause)?;
        match self.expected_snapshots {
            Some(_) => write!(f, "{}", self.snapshots)?,
            None => f.write_str(&counted(self.snapshots, "snapshots"))?,
        }
        if let Some(expected) = self.expected_snapshots {
            write!(f, " of {}", counted(expected, "snapshots"))?;
        }
        let others = [
            (self.drafts, "drafts"),
            (self.connections, "connections"),
            (self.runs, "runs"),
            (self.turns, "turns"),
        ];
        let others = others.map(|(count, name)| counted(count, name));
        write!(f, ", {}; ", others.join(", "))?;
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
                "; {} could not be read, settings and edits of drafts are not counted",
                counted(self.unread_pages, "pages")
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

/// Path of a complete salvage before its final rename.
fn ready(path: &Path) -> PathBuf {
    sibling_path(path, "salvaged")
}

/// Whether a salvage was interrupted before its final rename.
pub(crate) fn is_pending(path: &Path) -> bool {
    ready(path).exists()
}

/// The file to read where nothing may be changed. A complete salvage takes precedence over the
/// damaged store, whose log may already be gone.
pub(crate) fn to_read(path: &Path) -> PathBuf {
    let ready = ready(path);
    if ready.exists() {
        ready
    } else {
        path.to_owned()
    }
}

/// Replaces the damaged store by a complete salvage. The caller must hold the lock.
pub(crate) fn finish(path: &Path) -> Result<(), StoreError> {
    let ready = ready(path);
    if !ready.exists() {
        return Ok(());
    }
    // The log belongs to the damaged file and must be gone before the new file takes its name.
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

/// Recovers the intact rows into memory and changes nothing on disk.
pub(crate) fn into_memory(
    path: &Path,
    examined: &Examination,
    cause: String,
) -> Result<(Connection, Salvage), StoreError> {
    let recovered = row_scan::recover(&examined.image, examined.manifest.as_ref());
    let mut conn = Connection::open_in_memory()?;
    schema::create(&mut conn, schema::NEWEST)?;
    let rebuilt = rebuild::fill(&mut conn, &recovered)?;
    Ok((conn, Salvage::new(path, cause, &recovered, rebuilt)))
}

/// Salvages a store. The caller must hold the lock.
pub(crate) fn salvage(
    path: &Path,
    examined: &Examination,
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
    examined: &Examination,
    cause: String,
) -> Result<Salvage, StoreError> {
    let recovered = row_scan::recover(&examined.image, examined.manifest.as_ref());
    let mut conn = Connection::open(part)?;
    // No rollback journal: a truncated file is discarded on the next attempt, and this one is
    // synced as a whole below.
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

/// Gives the damaged file and its log a second name.
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
    // An interrupted salvage may have got this far.
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

/// Second name that an earlier attempt gave the damaged file together with its log.
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
        .find(|copy| {
            Identity::at(copy) == Some(identity) && Identity::at(&sidecar_path(copy, "-wal")) == log
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
