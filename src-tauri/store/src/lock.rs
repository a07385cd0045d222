//! The lock file beside the store. One program at a time opens, writes, migrates or salvages a
//! store; readers need no lock.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::StoreError;
use crate::store::sibling_path;

/// How long a writer waits for another program.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// Waits longer than this are reported.
const REPORT_AFTER: Duration = Duration::from_secs(1);

type Notice = Box<dyn Fn(&str) + Send + Sync>;

static NOTICE: RwLock<Option<Notice>> = RwLock::new(None);

/// Sets the process-wide callback for waits and replaces the previous one. It receives one line
/// when another program has held a store for a second and the wait goes on.
pub fn on_waiting(notice: impl Fn(&str) + Send + Sync + 'static) {
    *NOTICE.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(notice));
}

fn report_wait() {
    if let Some(notice) = &*NOTICE.read().unwrap_or_else(PoisonError::into_inner) {
        notice(&format!(
            "another program is using the store; waiting for it, {} seconds at most",
            TIMEOUT.as_secs()
        ));
    }
}

/// The lock, released on drop.
#[derive(Debug)]
pub(crate) struct StoreLock {
    _file: File,
}

impl StoreLock {
    /// Waits for the lock for up to [`TIMEOUT`].
    pub(crate) fn wait(path: &Path) -> Result<Self, StoreError> {
        Self::wait_for(path, TIMEOUT)
    }

    /// Waits for the lock for at most `timeout`.
    pub(crate) fn wait_for(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        let lock_path = sibling_path(path, "lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_path)
            .map_err(|fault| StoreError::file("open", &lock_path, fault))?;
        Self::hold(file, path, &lock_path, timeout)
    }

    /// The lock for a reader; `None` if the lock file cannot be opened.
    pub(crate) fn wait_to_read(path: &Path) -> Result<Option<Self>, StoreError> {
        let lock_path = sibling_path(path, "lock");
        match File::open(&lock_path) {
            Ok(file) => Self::hold(file, path, &lock_path, TIMEOUT).map(Some),
            Err(_) => Ok(None),
        }
    }

    fn hold(
        file: File,
        path: &Path,
        lock_path: &Path,
        timeout: Duration,
    ) -> Result<Self, StoreError> {
        let started = Instant::now();
        let (mut pause, mut reported) = (Duration::from_micros(200), false);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(fault)) => {
                    return Err(StoreError::file("lock", lock_path, fault));
                }
                Err(TryLockError::WouldBlock) => {}
            }
            if started.elapsed() >= timeout {
                return Err(StoreError::busy(path, timeout));
            }
            if started.elapsed() >= REPORT_AFTER && !reported {
                reported = true;
                report_wait();
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }
}

thread_local! {
    static WAITING: Cell<Option<(Instant, bool)>> = const { Cell::new(None) };
}

/// Busy handler of SQLite, for programs that do not use our lock.
pub(crate) fn busy(count: i32) -> bool {
    let (started, reported) = WAITING
        .get()
        .filter(|_| count > 0)
        .unwrap_or_else(|| (Instant::now(), false));
    let report = !reported && started.elapsed() >= REPORT_AFTER;
    if report {
        report_wait();
    }
    WAITING.set(Some((started, reported || report)));
    thread::sleep(Duration::from_millis(if count < 10 { 1 } else { 10 }));
    started.elapsed() < TIMEOUT
}
