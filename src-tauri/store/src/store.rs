//! The store of one process: opening, reopening after another program replaced the file, reading
//! and writing. [`crate::damage`] handles damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::check;
use crate::damage::{self, Reporter};
use crate::database::{self, Database};
use crate::examine::{State, examine};
use crate::lock::StoreLock;
use crate::raw_file::{Identity, InUse};
use crate::salvage::{self, Salvage};
use crate::write_monitor::WriteMonitor;
use crate::{StoreError, space};

/// How long closing waits for another program before it leaves the log in place.
const WAIT_AT_END: Duration = Duration::from_millis(500);

/// The store of one process: one connection, used by one thread at a time.
#[derive(Debug)]
pub struct Store {
    database: Mutex<Option<Database>>,
    path: PathBuf,
    read_only: bool,
    reporter: Reporter,
    writes: WriteMonitor,
}

/// An opened store and what happened while opening it.
#[derive(Debug)]
pub struct OpenedStore {
    /// The opened store.
    pub store: Store,
    /// Set if the file was damaged, missing or older than expected.
    pub salvage: Option<Salvage>,
}

impl OpenedStore {
    fn new(path: &Path, (database, salvage): damage::OpenedDatabase, read_only: bool) -> Self {
        Self {
            store: Store {
                database: Mutex::new(Some(database)),
                path: path.to_owned(),
                read_only,
                reporter: Reporter::default(),
                writes: WriteMonitor::default(),
            },
            salvage,
        }
    }
}

impl Store {
    /// Opens the store, or creates it. A damaged store is salvaged and the damaged file kept. A
    /// newer store or a foreign file is an error and stays unchanged.
    ///
    /// # Errors
    /// If the file is newer, foreign, busy, or cannot be written.
    pub fn open(path: &Path) -> Result<OpenedStore, StoreError> {
        if !sibling_path(path, "lock").exists() {
            // The file may be no store at all: create nothing beside it before it is examined.
            examine(path)?;
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            make_private(folder).map_err(|fault| space::explain(fault, path, 0))?;
        }
        let _lock = StoreLock::wait(path).map_err(|fault| space::explain(fault, path, 0))?;
        let opened = damage::open(path).map_err(|fault| space::explain(fault, path, 0))?;
        Ok(OpenedStore::new(path, opened, false))
    }

    /// Opens an existing store for changes. Without one there is nothing to change, so none is
    /// created and the result is an empty read-only store.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_to_change(path: &Path) -> Result<OpenedStore, StoreError> {
        let is_there = salvage::is_pending(path)
            || !matches!(examine(path)?.state, State::Absent | State::Gone);
        if is_there {
            Self::open(path)
        } else {
            Self::open_to_read(path)
        }
    }

    /// Opens the store for reading and changes nothing on disk, so it works on read-only media.
    /// Without a store, the result is an empty one. Of a damaged store, the intact part is
    /// readable.
    ///
    /// # Errors
    /// If the file is newer, foreign, or cannot be read.
    pub fn open_to_read(path: &Path) -> Result<OpenedStore, StoreError> {
        let _lock = StoreLock::wait_to_read(path)?;
        Ok(OpenedStore::new(path, damage::open_to_read(path)?, true))
    }

    /// Whether there is a store at a path, or what is left of one: a salvage to be finished, or the
    /// manifest of a store that is gone.
    #[must_use]
    pub fn exists(path: &Path) -> bool {
        let manifest = sibling_path(path, "manifest");
        // One that may not be looked for is opened, which says why it cannot be.
        path.try_exists().unwrap_or(true) || salvage::is_pending(path) || manifest.exists()
    }

    /// Why the store at a path cannot be written to, determined without writing: a full disk, a
    /// read-only file system, a missing permission. `None` if it can.
    #[must_use]
    pub fn refusal(path: &Path) -> Option<StoreError> {
        space::refusal(path)
    }

    /// Opens the store, checks all of it and salvages it if it is damaged.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_damaged(path: &Path) -> Result<OpenedStore, StoreError> {
        let mut opened = Self::open(path)?;
        if opened.salvage.is_none() && !opened.store.is_sound()? {
            opened.salvage = opened.store.repair()?;
        }
        Ok(opened)
    }

    /// Sets the callback for damage found and repaired while the store is open. Only the first call
    /// has an effect. `report` must not use the store.
    pub fn on_salvage(&self, report: impl Fn(&Salvage) + Send + Sync + 'static) {
        self.reporter.set(Box::new(report));
    }

    /// Sets the callback for writes that fail since the disk is full or denies them, called with the
    /// error each time, and with `None` once a write succeeds again. Only the first call has an effect.
    /// `report` must not use the store.
    pub fn on_write_fault(&self, report: impl Fn(Option<&StoreError>) + Send + Sync + 'static) {
        self.writes.set(Box::new(report));
    }

    /// Path of the store.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was opened for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether the store has no [`Store::problems`].
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn is_sound(&self) -> Result<bool, StoreError> {
        Ok(self.problems()?.is_empty())
    }

    /// Checks the whole store for damage and describes each problem. This takes a while on a large
    /// store and uses a separate connection, so other operations continue. [`Store::repair`]
    /// handles the problems.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn problems(&self) -> Result<Vec<String>, StoreError> {
        let shared = {
            let database = self.lock_database();
            database
                .as_ref()
                .is_some_and(|database| !database.is_in_memory() && !database.needs_lock())
        };
        if !shared {
            return self.read_once(&check::problems);
        }
        let in_use = Identity::at(&self.path).map(InUse::new);
        let conn = database::connect_to_read(&self.path)?;
        let problems = check::problems(&conn);
        drop(conn);
        drop(in_use);
        problems
    }

    /// Checks a small store in full and repairs it: for short-lived programs, which cannot do so in
    /// the background.
    ///
    /// # Errors
    /// If the store is damaged and cannot be repaired.
    pub fn check_if_small(&self) -> Result<(), StoreError> {
        if damage::is_small(&self.path) && !self.is_sound()? {
            self.repair()?;
        }
        Ok(())
    }

    /// Checks the list of snapshots against its indexes and its ledger entry, and repairs the store
    /// if they differ. Reads the whole list.
    ///
    /// # Errors
    /// If the store is damaged and cannot be repaired.
    pub fn check_snapshots(&self) -> Result<(), StoreError> {
        if !self.read_once(&|conn: &Connection| check::list_holds(conn, "snapshots"))? {
            self.repair()?;
        }
        Ok(())
    }

    /// Applies the rule of `crate::damage` and reports the result; `None` if there is no damage
    /// or another program has repaired it.
    ///
    /// # Errors
    /// If the store is damaged and cannot be repaired; it is unchanged then.
    pub fn repair(&self) -> Result<Option<Salvage>, StoreError> {
        let salvage = self
            .repair_now()
            .map_err(|fault| space::explain(fault, &self.path, 0))?;
        if let Some(salvage) = &salvage {
            self.reporter.report(salvage);
        }
        Ok(salvage)
    }

    fn repair_now(&self) -> Result<Option<Salvage>, StoreError> {
        let mut database = self.lock_database();
        let _lock = self.wait_for_lock()?;
        let opened = match database.take() {
            Some(found) if !self.is_stale(Some(&found)) => {
                damage::repair(&self.path, found, !self.read_only)
            }
            _ => self.open_now(),
        };
        let (opened, salvage) = opened?;
        *database = Some(opened);
        Ok(salvage)
    }

    /// Takes the lock as a writer or as a reader.
    fn wait_for_lock(&self) -> Result<Option<StoreLock>, StoreError> {
        if self.read_only {
            StoreLock::wait_to_read(&self.path)
        } else {
            StoreLock::wait(&self.path).map(Some)
        }
    }

    fn open_now(&self) -> Result<damage::OpenedDatabase, StoreError> {
        if self.read_only {
            damage::open_to_read(&self.path)
        } else {
            damage::open(&self.path)
        }
    }

    /// Runs a read operation. On damage, repairs the store and repeats the operation.
    pub(crate) fn read<T>(
        &self,
        act: impl Fn(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.again_when_damaged(|| self.read_once(&act))
    }

    fn read_once<T>(
        &self,
        act: &dyn Fn(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut database = self.lock_database();
        let mut lock = None;
        let mut salvage = None;
        if self.is_stale(database.as_ref()) || database.as_ref().is_some_and(Database::needs_lock) {
            lock = self.wait_for_lock()?;
        }
        if self.is_stale(database.as_ref()) {
            salvage = self.reopen(&mut database)?;
        }
        let Some(open) = database.as_ref() else {
            return Err(StoreError::missing("open store"));
        };
        let done = act(&open.conn);
        drop(lock);
        drop(database);
        if let Some(salvage) = salvage {
            self.reporter.report(&salvage);
        }
        done
    }

    /// Runs a transaction that is durable on return. `size` is the approximate number of bytes it
    /// writes. On damage, repairs the store and repeats the transaction.
    pub(crate) fn write<T>(
        &self,
        size: usize,
        act: impl Fn(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly {
                path: self.path.clone(),
                why: "it was opened to be read".to_owned(),
            });
        }
        let written = self
            .again_when_damaged(|| self.write_once(&act))
            .map_err(|fault| space::explain(fault, &self.path, size as u64));
        self.writes.note(&written);
        written
    }

    fn write_once<T>(
        &self,
        act: &dyn Fn(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut database = self.lock_database();
        // A salvage takes the same lock, so the file cannot be replaced before the commit.
        let lock = StoreLock::wait(&self.path)?;
        let mut salvage = None;
        if self.is_stale(database.as_ref()) || salvage::is_pending(&self.path) {
            salvage = self.reopen(&mut database)?;
        }
        let Some(open) = database.as_mut() else {
            return Err(StoreError::missing("open store"));
        };
        let done = write_into(open, act);
        if done.is_ok() {
            open.note_lists(&self.path);
        }
        drop(lock);
        drop(database);
        if let Some(salvage) = salvage {
            self.reporter.report(&salvage);
        }
        done
    }

    /// Runs an operation; on damage, repairs the store and runs it once more.
    fn again_when_damaged<T>(
        &self,
        act: impl Fn() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let fault = match act() {
            Err(fault) if fault.is_damage() => fault,
            done => return done,
        };
        self.repair()?;
        match act() {
            // The damaged row is gone after the repair. The first error names it.
            Err(StoreError::Missing { .. }) => Err(fault),
            done => done,
        }
    }

    fn lock_database(&self) -> MutexGuard<'_, Option<Database>> {
        // A panic leaves no partial transaction: SQLite rolls back on drop.
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the path leads to another file than the open one.
    fn is_stale(&self, database: Option<&Database>) -> bool {
        !database.is_some_and(|database| database.is_current(&self.path))
    }

    /// Opens the file now at the path. The caller must hold the lock.
    fn reopen(&self, database: &mut Option<Database>) -> Result<Option<Salvage>, StoreError> {
        *database = None;
        let (opened, salvage) = self.open_now()?;
        *database = Some(opened);
        Ok(salvage)
    }
}

fn write_into<T>(
    database: &mut Database,
    act: &dyn Fn(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = database
        .conn
        .transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = act(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

impl Drop for Store {
    /// Moves the log into the file, unless another program holds the lock or the file was replaced:
    /// SQLite would then remove the log of the new file.
    fn drop(&mut self) {
        let Some(database) = self.lock_database().take() else {
            return;
        };
        if database.is_in_memory() || self.read_only {
            return;
        }
        let lock = StoreLock::wait_for(&self.path, WAIT_AT_END);
        if lock.is_ok() && !self.is_stale(Some(&database)) && !salvage::is_pending(&self.path) {
            let _ = database
                .conn
                .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false);
        }
        drop(database);
    }
}

/// Path of a file beside the store: `store.sqlite` and `lock` give `store.sqlite.lock`.
pub(crate) fn sibling_path(path: &Path, ending: &str) -> PathBuf {
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
        .map_err(|fault| StoreError::file("create the folder", folder, fault))
}
