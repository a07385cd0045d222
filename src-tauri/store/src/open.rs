//! Opening the store: settings of SQLite, migrations with a backup, refusal of what is newer,
//! the check, and salvage of what is damaged.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use crate::StoreError;
use crate::aside::{self, Salvaged};

/// `PRMD`: tells our files from other programs' databases.
const APPLICATION_ID: i64 = 0x5052_4d44;

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(30);

/// All schema changes, oldest first. Released ones never change.
const STEPS: &[M<'static>] = &[
    M::up(include_str!("sql/0001.sql")),
    M::up(include_str!("sql/0002.sql")),
    M::up(include_str!("sql/0003.sql")),
];

/// The store of one process: one connection, used by one thread at a time.
#[derive(Debug)]
pub struct Store {
    conn: Mutex<Connection>,
    path: PathBuf,
}

/// A store that could be opened, and what happened on the way.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Set when the file was damaged.
    pub salvage: Option<Salvage>,
}

/// What became of a damaged store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// Where the damaged file is kept.
    pub aside: PathBuf,
    /// Snapshots carried over.
    pub snapshots: usize,
    /// Drafts carried over.
    pub drafts: usize,
    /// Connections carried over.
    pub connections: usize,
    /// Runs carried over.
    pub runs: usize,
    /// Rows that could not be read or were not what had been written.
    pub lost: usize,
}

impl fmt::Display for Salvage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} snapshots, {} drafts, {} connections and {} runs were carried over, {} rows could \
             not be; the damaged file is {}",
            self.snapshots,
            self.drafts,
            self.connections,
            self.runs,
            self.lost,
            self.aside.display()
        )
    }
}

impl Store {
    /// Opens the store, making it when there is none. A damaged one is kept aside and what is
    /// intact of it carried over; a newer or foreign one is refused and left as it is.
    pub fn open(path: &Path) -> Result<Opened, StoreError> {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            make_private(folder)?;
        }
        let _alone = lock(path)?;
        match Self::connect(path) {
            Ok(store) => Ok(Opened {
                store,
                salvage: None,
            }),
            Err(fault) if fault.is_corruption() => Self::salvage(path),
            Err(fault) => Err(fault),
        }
    }

    fn connect(path: &Path) -> Result<Self, StoreError> {
        let mut conn = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        conn.busy_timeout(PATIENCE)?;
        refuse_strangers(&conn, path)?;
        conn.pragma_update(None, "journal_mode", "WAL")?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        conn.pragma_update(None, "foreign_keys", true)?;
        conn.pragma_update(None, "cell_size_check", true)?;
        conn.set_prepared_statement_cache_capacity(64);
        migrate(&mut conn, path, STEPS)?;
        Ok(Self::over(conn, path))
    }

    fn salvage(path: &Path) -> Result<Opened, StoreError> {
        let aside = aside::move_away(path)?;
        let store = Self::connect(path)?;
        let Salvaged {
            snapshots,
            drafts,
            connections,
            runs,
            lost,
        } = aside::carry_over(&aside, &store)?;
        Ok(Opened {
            store,
            salvage: Some(Salvage {
                aside,
                snapshots,
                drafts,
                connections,
                runs,
                lost,
            }),
        })
    }

    /// A store over a connection that is open already, its schema being the current one.
    pub(crate) fn over(conn: Connection, path: &Path) -> Self {
        Self {
            conn: Mutex::new(conn),
            path: path.to_owned(),
        }
    }

    /// Where the store lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the whole file for damage. Takes a while on a large store; has a connection of its
    /// own, so that others go on. False when something is wrong: close the store, then call
    /// [`Store::open_damaged`].
    pub fn is_sound(&self) -> Result<bool, StoreError> {
        let conn = Connection::open_with_flags(
            &self.path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        conn.busy_timeout(PATIENCE)?;
        match conn.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0)) {
            Ok(verdict) => Ok(verdict == "ok"),
            Err(fault) => {
                let fault = StoreError::from(fault);
                if fault.is_corruption() {
                    Ok(false)
                } else {
                    Err(fault)
                }
            }
        }
    }

    /// Keeps a store that was found damaged aside and carries over what is intact.
    pub fn open_damaged(path: &Path) -> Result<Opened, StoreError> {
        let _alone = lock(path)?;
        Self::salvage(path)
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic elsewhere leaves no half transaction: SQLite rolls back when it is dropped.
        self.conn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Only one process at a time opens, migrates or salvages a store.
fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = beside(path, "lock");
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock_path)
        .map_err(|fault| StoreError::file("open", &lock_path, fault))?;
    lock.lock()
        .map_err(|fault| StoreError::file("lock", &lock_path, fault))?;
    Ok(lock)
}

/// A file beside the store: `store.sqlite` and `lock` give `store.sqlite.lock`.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn make_private(folder: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|fault| StoreError::file("make the folder", folder, fault))
}

fn refuse_strangers(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let application: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let version: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || tables > 0) {
        return Err(StoreError::Foreign {
            path: path.to_owned(),
        });
    }
    if version > known {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: version,
            known,
        });
    }
    Ok(())
}

fn migrate(conn: &mut Connection, path: &Path, steps: &[M<'static>]) -> Result<(), StoreError> {
    let version: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = version as usize;
    if version == steps.len() {
        return Ok(());
    }
    if version > 0 {
        back_up(conn, path, version)?;
    }
    // Set first: a store whose making was cut short is then known as ours.
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    Migrations::from_slice(steps).to_latest(conn)?;
    Ok(())
}

/// A whole copy as `store.sqlite.before-N`, N being the schema it has. Written under another
/// name first, so that a copy cut short is never taken for one.
fn back_up(conn: &Connection, path: &Path, version: usize) -> Result<(), StoreError> {
    let part = beside(path, "part");
    let whole = beside(path, &format!("before-{version}"));
    if part.exists() {
        fs::remove_file(&part).map_err(|fault| StoreError::file("remove", &part, fault))?;
    }
    conn.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
    fs::rename(&part, &whole).map_err(|fault| StoreError::file("write", &whole, fault))
}

#[cfg(test)]
mod killed;

#[cfg(test)]
mod tests {
    use super::*;

    /// A schema after ours, so that migrating with a backup can be shown.
    const NEXT: M<'static> = M::up("ALTER TABLE settings ADD COLUMN extra TEXT;");
    const BROKEN: M<'static> = M::up("ALTER TABLE nowhere ADD COLUMN extra TEXT;");

    fn old_store() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let store = Store::open(&path).unwrap().store;
        store.set_setting("window", "old").unwrap();
        (folder, path)
    }

    #[test]
    fn every_historic_schema_is_brought_up_to_date() {
        for version in 0..=STEPS.len() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store.sqlite");
            let mut conn = Connection::open(&path).unwrap();
            if version > 0 {
                conn.pragma_update(None, "application_id", APPLICATION_ID)
                    .unwrap();
                Migrations::from_slice(STEPS)
                    .to_version(&mut conn, version)
                    .unwrap();
            }
            drop(conn);
            let store = Store::open(&path).unwrap().store;
            store.set_setting("window", "{}").unwrap();
            let now: u32 = store
                .connection()
                .query_row("PRAGMA user_version", [], |row| row.get(0))
                .unwrap();
            assert_eq!(now as usize, STEPS.len(), "from {version}");
        }
    }

    #[test]
    fn a_backup_is_made_before_migrating() {
        let (_folder, path) = old_store();
        let mut conn = Connection::open(&path).unwrap();
        let steps: Vec<_> = STEPS.iter().cloned().chain([NEXT]).collect();
        migrate(&mut conn, &path, steps.leak()).unwrap();
        let backup = beside(&path, &format!("before-{}", STEPS.len()));
        let old = Store::open(&backup).unwrap().store;
        assert_eq!(old.setting("window").unwrap().as_deref(), Some("old"));
        assert!(!beside(&path, "part").exists());
    }

    #[test]
    fn a_migration_that_fails_leaves_the_old_schema() {
        let (_folder, path) = old_store();
        let mut conn = Connection::open(&path).unwrap();
        let steps: Vec<_> = STEPS.iter().cloned().chain([NEXT, BROKEN]).collect();
        let fault = migrate(&mut conn, &path, steps.leak()).unwrap_err();
        assert_eq!(fault.code(), "store_migration");
        drop(conn);
        let conn = Connection::open(&path).unwrap();
        let rows: i64 = conn
            .query_row("SELECT count(*) FROM settings", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }
}
