//! The store of one process: opened, reopened when another program replaced its file, read and
//! written.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags, Transaction, TransactionBehavior};

use crate::check;
use crate::examine::{Examined, State, examine};
use crate::ledger;
use crate::lock::{self, StoreLock};
use crate::manifest::Manifest;
use crate::raw_file::{Identity, InUse};
use crate::salvage::{self, Salvage};
use crate::{StoreError, schema, space};

/// How long closing waits for another program before it leaves the log to the next one.
const PATIENCE_AT_END: Duration = Duration::from_millis(500);

/// The store of one process: one connection, used by one thread at a time.
#[derive(Debug)]
pub struct Store {
    live: Mutex<Option<Live>>,
    path: PathBuf,
    /// Why it can't be written to.
    read_only: Option<String>,
}

/// A connection and the file that it has open: none for one in memory.
#[derive(Debug)]
struct Live {
    conn: Connection,
    file: Option<InUse>,
    /// What the manifest beside the file was last given.
    manifest: Manifest,
}

/// The connection, held by one thread.
pub(crate) struct Held<'a>(MutexGuard<'a, Option<Live>>);

impl Deref for Held<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0.as_ref().expect("it is open while it is held").conn
    }
}

/// A store that could be opened, and what happened on the way.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Set when the file was damaged.
    pub salvage: Option<Salvage>,
}

impl Store {
    /// Opens the store, making it when there is none. A damaged one is salvaged, the damaged file
    /// kept; a newer one, or what is no store of ours, is refused and left as it is.
    pub fn open(path: &Path) -> Result<Opened, StoreError> {
        if !beside(path, "lock").exists() {
            // Never used as a store: make nothing beside it that is not wanted.
            examine(path)?;
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            make_private(folder)?;
        }
        let _lock = StoreLock::wait(path).map_err(|fault| space::explain(fault, path, 0))?;
        Self::open_locked(path).map_err(|fault| space::explain(fault, path, 0))
    }

    fn open_locked(path: &Path) -> Result<Opened, StoreError> {
        salvage::finish(path)?;
        let examined = examine(path)?;
        let cause = match examined.state {
            State::Absent | State::Sound => match connect(path) {
                Ok(live) => return Ok(Self::over(live, path, None)),
                Err(fault) if fault.is_corruption() => "SQLite finds its pages damaged".to_owned(),
                Err(fault) => return Err(fault),
            },
            State::Damaged(ref cause) => cause.clone(),
        };
        let salvage = salvage::salvage(path, &examined, cause)?;
        drop(examined);
        let live = connect(path)?;
        Ok(Self::over(live, path, Some(salvage)))
    }

    fn over(live: Live, path: &Path, salvage: Option<Salvage>) -> Opened {
        Opened {
            store: Self {
                live: Mutex::new(Some(live)),
                path: path.to_owned(),
                read_only: None,
            },
            salvage,
        }
    }

    /// Opens the store to change what is in it. Where there is none there is nothing to change:
    /// none is made, and an empty one is given that can only be read.
    pub fn open_to_change(path: &Path) -> Result<Opened, StoreError> {
        let is_there = salvage::is_pending(path) || examine(path)?.state != State::Absent;
        if is_there {
            Self::open(path)
        } else {
            Self::open_to_read(path)
        }
    }

    /// Opens the store for reading and touches nothing on the disk, so it works where nothing can
    /// be written. Where there is no store, there is an empty one to read. Of a damaged one, what
    /// is intact can be read.
    pub fn open_to_read(path: &Path) -> Result<Opened, StoreError> {
        let _lock = StoreLock::wait_to_read(path)?;
        let examined = examine(&salvage::to_read(path))?;
        let read = match &examined.state {
            State::Absent => {
                let mut conn = Connection::open_in_memory()?;
                schema::create(&mut conn, schema::NEWEST)?;
                Some(conn)
            }
            State::Sound => in_memory(&examined)?,
            State::Damaged(_) => None,
        };
        let (conn, salvage) = match read {
            Some(conn) => (conn, None),
            None => {
                let cause = match &examined.state {
                    State::Damaged(cause) => cause.clone(),
                    _ => "its tables and indexes do not agree".to_owned(),
                };
                let (conn, salvage) = salvage::into_memory(&examined, cause)?;
                (conn, Some(salvage))
            }
        };
        let live = Live {
            conn,
            file: None,
            manifest: Manifest::default(),
        };
        let mut opened = Self::over(live, path, salvage);
        opened.store.read_only = Some("it was opened to be read".to_owned());
        Ok(opened)
    }

    /// Salvages a store that was found damaged. One that another program salvaged meanwhile is
    /// opened.
    pub fn open_damaged(path: &Path) -> Result<Opened, StoreError> {
        let _lock = StoreLock::wait(path)?;
        let opened = Self::open_locked(path)?;
        if opened.salvage.is_some() || opened.store.problems()?.is_empty() {
            return Ok(opened);
        }
        drop(opened.store.take());
        drop(opened);
        let examined = examine(path)?;
        let cause = "a check found damage".to_owned();
        let salvage = salvage::salvage(path, &examined, cause)?;
        drop(examined);
        Ok(Self::over(connect(path)?, path, Some(salvage)))
    }

    /// Where the store lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was opened for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only.is_some()
    }

    /// Whether nothing is wrong with the store; see [`Store::problems`].
    pub fn is_sound(&self) -> Result<bool, StoreError> {
        Ok(self.problems()?.is_empty())
    }

    /// Reads the whole store for damage and says what is wrong, each in words. Takes a while on a
    /// large store; has a connection of its own, so that others go on. When something is wrong,
    /// [`Store::open_damaged`] mends it.
    pub fn problems(&self) -> Result<Vec<String>, StoreError> {
        let held = self.connection()?;
        let in_memory = held.0.as_ref().is_none_or(|live| live.file.is_none());
        if in_memory {
            return check::problems(&held);
        }
        drop(held);
        let in_use = Identity::at(&self.path).map(InUse::new);
        let conn = Connection::open_with_flags(
            &self.path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        set_up(&conn)?;
        let problems = check::problems(&conn);
        drop(conn);
        drop(in_use);
        problems
    }

    /// The connection, for reading.
    pub(crate) fn connection(&self) -> Result<Held<'_>, StoreError> {
        let mut live = self.lock_live();
        if !self.is_current(live.as_ref()) {
            let _lock = StoreLock::wait(&self.path)?;
            self.reopen(&mut live)?;
        }
        Ok(Held(live))
    }

    /// Does something in a transaction that is on the disk when this returns. `size` is about how
    /// many bytes it writes.
    pub(crate) fn write<T>(
        &self,
        size: usize,
        act: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(why) = &self.read_only {
            return Err(StoreError::ReadOnly {
                path: self.path.clone(),
                why: why.clone(),
            });
        }
        self.write_now(act)
            .map_err(|fault| space::explain(fault, &self.path, size as u64))
    }

    fn write_now<T>(
        &self,
        act: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut live = self.lock_live();
        // A salvage holds the same lock: the file can't be replaced until this is committed.
        let _lock = StoreLock::wait(&self.path)?;
        if !self.is_current(live.as_ref()) || salvage::is_pending(&self.path) {
            self.reopen(&mut live)?;
        }
        let Some(live) = live.as_mut() else {
            return Err(StoreError::missing("open store"));
        };
        let transaction = live
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = act(&transaction)?;
        transaction.commit()?;
        live.note_lists(&self.path);
        Ok(done)
    }

    fn lock_live(&self) -> MutexGuard<'_, Option<Live>> {
        // A panic elsewhere leaves no half transaction: SQLite rolls back when it is dropped.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Live> {
        self.lock_live().take()
    }

    /// Whether the path still leads to the file that is open.
    fn is_current(&self, live: Option<&Live>) -> bool {
        live.is_some_and(|live| {
            live.file
                .as_ref()
                .is_none_or(|file| Identity::at(&self.path) == Some(file.identity()))
        })
    }

    /// Opens the file that is there now. The caller holds the lock.
    fn reopen(&self, live: &mut Option<Live>) -> Result<(), StoreError> {
        *live = None;
        salvage::finish(&self.path)?;
        match examine(&self.path)?.state {
            State::Absent | State::Sound => {
                *live = Some(connect(&self.path)?);
                Ok(())
            }
            State::Damaged(why) => Err(StoreError::Unusable {
                path: self.path.clone(),
                why,
            }),
        }
    }
}

impl Drop for Store {
    /// Moves the log into the file, when no other program keeps us waiting and the file is still
    /// the store: SQLite would remove the log of the one that took its name.
    fn drop(&mut self) {
        let Some(live) = self.take() else {
            return;
        };
        if live.file.is_none() {
            return;
        }
        let lock = StoreLock::wait_for(&self.path, PATIENCE_AT_END);
        if lock.is_ok() && self.is_current(Some(&live)) && !salvage::is_pending(&self.path) {
            let _ = live
                .conn
                .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        }
        drop(live);
    }
}

impl Live {
    /// Brings the manifest up to the lists as they are now.
    fn note_lists(&mut self, path: &Path) {
        if let Ok(lists) = ledger::all(&self.conn)
            && lists != self.manifest.lists
        {
            self.manifest.lists = lists;
            self.manifest.write(path);
        }
    }
}

/// A store read into memory; none when its snapshots are not all to be seen.
fn in_memory(examined: &Examined) -> Result<Option<Connection>, StoreError> {
    let Some(bytes) = examined.image.to_bytes() else {
        return Ok(None);
    };
    let mut conn = Connection::open_in_memory()?;
    let read = conn
        .deserialize_read_exact(MAIN_DB, bytes.as_slice(), bytes.len(), false)
        .map_err(StoreError::from)
        .and_then(|()| schema::migrate(&mut conn, None))
        .and_then(|()| check::agrees(&conn, "snapshots"));
    match read {
        Ok(agrees) => Ok(agrees.then_some(conn)),
        Err(fault) if fault.is_corruption() => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn set_up(conn: &Connection) -> Result<(), rusqlite::Error> {
    conn.busy_handler(Some(lock::busy))?;
    // Closing would remove the log by its name, which may be another file's by then.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // The system's folder for temporary files may be full or missing.
    conn.pragma_update(None, "temp_store", "MEMORY")
}

/// Opens a file that was examined, with the settings of every connection of ours.
fn connect(path: &Path) -> Result<Live, StoreError> {
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
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.set_prepared_statement_cache_capacity(64);
    schema::migrate(&mut conn, Some(path))?;
    let manifest = describe(&conn)?;
    if Manifest::read(path).as_ref() != Some(&manifest) {
        manifest.write(path);
    }
    let file = known.or_else(|| Identity::at(path).map(InUse::new));
    Ok(Live {
        conn,
        file,
        manifest,
    })
}

/// The manifest of a store.
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
        lists: ledger::all(conn)?,
    })
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
