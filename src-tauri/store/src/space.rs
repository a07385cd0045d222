//! A full disk, told with its place and what is missing.

use std::path::Path;

use rusqlite::ffi;

use crate::StoreError;

/// What SQLite needs beside the rows: the index of the log and the pages around a row.
const OVERHEAD: u64 = 64 * 1024;

/// Bytes that this user may still write where a file is.
fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let stat = rustix::fs::statvfs(folder.unwrap_or(Path::new("."))).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Whether SQLite failed because it could not make a file larger.
fn could_not_grow(fault: &StoreError) -> bool {
    let of = |fault: &rusqlite::Error| {
        fault.sqlite_error().is_some_and(|fault| {
            matches!(
                fault.extended_code,
                ffi::SQLITE_FULL
                    | ffi::SQLITE_IOERR_WRITE
                    | ffi::SQLITE_IOERR_SHMSIZE
                    | ffi::SQLITE_IOERR_SHMOPEN
                    | ffi::SQLITE_IOERR_SHMMAP
                    | ffi::SQLITE_IOERR_TRUNCATE
                    | ffi::SQLITE_IOERR_FSYNC
                    | ffi::SQLITE_CANTOPEN
            )
        })
    };
    match fault {
        StoreError::Sqlite(fault) => of(fault),
        StoreError::Migration {
            source: rusqlite_migration::Error::RusqliteError { err, .. },
            ..
        } => of(err),
        StoreError::File { .. } => fault.code() == "disk_full",
        _ => false,
    }
}

/// Names the disk where a write failed for want of room; other faults stay what they are.
/// `payload` is how many bytes were to be written.
pub(crate) fn explain(fault: StoreError, path: &Path, payload: u64) -> StoreError {
    if !could_not_grow(&fault) {
        return fault;
    }
    let needed = payload + OVERHEAD;
    let free = free(path);
    if free.is_some_and(|free| free >= needed) && fault.code() != "disk_full" {
        // There is room: a limit on the size of files fails in the same way, a missing right too.
        let limited = matches!(&fault, StoreError::Sqlite(fault) if fault.sqlite_error()
            .is_some_and(|fault| fault.extended_code == ffi::SQLITE_IOERR_WRITE));
        if !limited {
            return fault;
        }
    }
    StoreError::Full {
        path: path.to_owned(),
        needed,
        free: free.unwrap_or_default(),
    }
}
