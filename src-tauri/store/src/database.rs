//! A connection and its file: opens a store for writing, or for reading without changing anything
//! on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use crate::examine::Examination;
use crate::image::sidecar_path;
use crate::list_checksums;
use crate::lock;
use crate::manifest::Manifest;
use crate::raw_file::{Identity, InUse};
use crate::{StoreError, schema};

/// A connection and its open file; no file for a store in memory.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) conn: Connection,
    pub(crate) file: Option<InUse>,
    /// State of the file when it was opened without SQLite's locks; `None` if SQLite locks it.
    stamp: Option<Stamp>,
    /// The manifest last written beside the file.
    manifest: Manifest,
}

/// File properties that change with every write to a store without a log.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    log: Option<u64>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(Self {
            length: found.len(),
            modified: found.modified().ok(),
            log: fs::metadata(sidecar_path(path, "-wal"))
                .ok()
                .map(|log| log.len()),
        })
    }

    fn has_log(&self) -> bool {
        self.log.is_some_and(|length| length > 0)
    }
}

impl Database {
    /// Wraps a store in memory.
    pub(crate) fn in_memory(conn: Connection) -> Self {
        Self {
            conn,
            file: None,
            stamp: None,
            manifest: Manifest::default(),
        }
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.file.is_none()
    }

    /// Whether the connection bypasses SQLite's locks and may be used only under ours.
    pub(crate) fn needs_lock(&self) -> bool {
        self.stamp.is_some()
    }

    /// Whether the path still leads to the open file.
    pub(crate) fn is_current(&self, path: &Path) -> bool {
        let same_file = |file: &InUse| Identity::at(path) == Some(file.identity());
        self.file.as_ref().is_none_or(same_file)
            && (self.stamp.is_none() || self.stamp == Stamp::of(path))
    }

    /// Updates the manifest to the current lists.
    pub(crate) fn note_lists(&mut self, path: &Path) {
        if let Ok(lists) = list_checksums::all(&self.conn)
            && lists != self.manifest.lists
        {
            self.manifest.lists = lists;
            self.manifest.write(path);
        }
    }
}

pub(crate) fn set_up(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.busy_handler(Some(lock::busy))?;
    // On closing, SQLite would delete the log by name, which may by then belong to another file.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // The system's folder for temporary files may be full or missing.
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Opens an examined file with the settings common to all our connections.
pub(crate) fn connect(path: &Path) -> Result<Database, StoreError> {
    let known = Identity::at(path).map(InUse::new);
    let mut conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    set_up(&conn)?;
    conn.pragma_update(None, "journal_mode", "WAL")?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    schema::migrate(&mut conn, Some(path))?;
    let manifest = describe(&conn)?;
    if Manifest::read(path).as_ref() != Some(&manifest) {
        manifest.write(path);
    }
    let file = known.or_else(|| Identity::at(path).map(InUse::new));
    Ok(Database {
        conn,
        file,
        stamp: None,
        manifest,
    })
}

/// Opens a separate read-only connection, for long reads.
pub(crate) fn connect_to_read(path: &Path) -> Result<Connection, StoreError> {
    let conn = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    set_up(&conn)?;
    Ok(conn)
}

/// Opens an intact store for reading without changing anything on disk: the file itself if SQLite
/// can read it that way, otherwise a copy in memory. `None` if its pages turn out to be damaged.
///
/// The copy takes as much memory as the store. It serves old schemas, which are migrated in the
/// copy, and logs whose index is missing, which SQLite would otherwise create on disk.
pub(crate) fn read(path: &Path, examined: &Examination) -> Result<Option<Database>, StoreError> {
    if examined.schema == schema::NEWEST
        && let Some(database) = in_place(path)
    {
        return Ok(Some(database));
    }
    Ok(copy(examined)?.map(Database::in_memory))
}

fn in_place(path: &Path) -> Option<Database> {
    let in_use = InUse::new(Identity::at(path)?);
    let stamp = Stamp::of(path)?;
    let (conn, stamp) = if stamp.log.is_some() && sidecar_path(path, "-shm").exists() {
        (connect_to_read(path).ok()?, None)
    } else if stamp.has_log() {
        return None;
    } else {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let conn = Connection::open_with_flags(immutable_uri(path)?, flags).ok()?;
        set_up(&conn).ok()?;
        (conn, Some(stamp))
    };
    // SQLite opens its files on the first read, so this is where opening can fail.
    let read = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
        row.get::<_, i64>(0)
    });
    read.ok()?;
    Some(Database {
        conn,
        file: Some(in_use),
        stamp,
        manifest: Manifest::default(),
    })
}

/// The URI of a file that SQLite reads without locks and without sidecar files.
#[cfg(unix)]
fn immutable_uri(path: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let whole = std::path::absolute(path).ok()?;
    let mut address = String::from("file://");
    for byte in whole.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(byte) {
            address.push(char::from(*byte));
        } else {
            address.push_str(&format!("%{byte:02x}"));
        }
    }
    address.push_str("?immutable=1");
    Some(PathBuf::from(address))
}

#[cfg(not(unix))]
fn immutable_uri(_path: &Path) -> Option<PathBuf> {
    None
}

fn copy(examined: &Examination) -> Result<Option<Connection>, StoreError> {
    let Some(bytes) = examined.image.to_bytes() else {
        return Ok(None);
    };
    let mut conn = Connection::open_in_memory()?;
    let read = conn
        .deserialize_read_exact(MAIN_DB, bytes.as_slice(), bytes.len(), false)
        .map_err(StoreError::from)
        .and_then(|()| schema::migrate(&mut conn, None));
    match read {
        Ok(()) => Ok(Some(conn)),
        Err(fault) if fault.is_corruption() => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Reads the manifest of an open store.
fn describe(conn: &Connection) -> Result<Manifest, StoreError> {
    let mut statement =
        conn.prepare("SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'")?;
    let roots = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let page_size: u32 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    Ok(Manifest {
        schema: schema::NEWEST,
        page_size: page_size as usize,
        roots,
        lists: list_checksums::all(conn)?,
    })
}
