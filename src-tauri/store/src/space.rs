//! Why a store cannot be written to: a full disk and how much is missing, a read-only file system,
//! a missing permission. Determined without writing, or from the error of a write.

use std::io;
use std::path::Path;

use rusqlite::ffi;

use crate::StoreError;
use crate::files::{folder_of, mount_point};
use crate::image::sidecar_path;
use crate::store::sibling_path;

/// Bytes that SQLite needs besides the rows: the index of the log and the pages around a row.
const OVERHEAD: u64 = 64 * 1024;

/// Why the store cannot be written to, determined without writing; `None` if it can.
pub(crate) fn refusal(path: &Path) -> Option<StoreError> {
    let mut folder = folder_of(path);
    while !folder.exists() {
        folder = folder_of(folder);
    }
    let files = [
        path.to_owned(),
        sibling_path(path, "lock"),
        sidecar_path(path, "-wal"),
        sidecar_path(path, "-shm"),
    ];
    let files = files.into_iter().filter(|file| file.exists());
    for place in [folder.to_owned()].into_iter().chain(files) {
        if let Err(fault) = may_write(&place) {
            return Some(not_writable(path, &place, &fault));
        }
    }
    let free = free(path)?;
    (free < OVERHEAD).then(|| StoreError::Full {
        path: path.to_owned(),
        needed: OVERHEAD,
        free,
    })
}

#[cfg(unix)]
fn may_write(place: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(place, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn may_write(place: &Path) -> io::Result<()> {
    if place.metadata()?.permissions().readonly() && !place.is_dir() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(())
}

fn not_writable(path: &Path, place: &Path, fault: &io::Error) -> StoreError {
    let reason = if fault.kind() == io::ErrorKind::ReadOnlyFilesystem {
        let disk = mount_point(folder_of(place));
        format!("the disk at {} is read-only", disk.display())
    } else {
        format!("{}: {fault}", place.display())
    };
    StoreError::NotWritable {
        path: path.to_owned(),
        why: reason,
    }
}

/// Bytes this user may still write to the disk of a file.
fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let mut folder = folder_of(path);
        while !folder.exists() {
            folder = folder_of(folder);
        }
        let stat = rustix::fs::statvfs(folder).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Whether SQLite failed because it could not grow a file.
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

/// Names the disk if a write of `payload` bytes failed for lack of space; returns other errors
/// unchanged.
pub(crate) fn explain(fault: StoreError, path: &Path, payload: u64) -> StoreError {
    if let StoreError::File {
        path: place,
        source,
        ..
    } = &fault
        && matches!(
            source.kind(),
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied
        )
    {
        return not_writable(path, place, source);
    }
    if !could_not_grow(&fault) {
        return fault;
    }
    let needed = payload + OVERHEAD;
    let free = free(path);
    if free.is_some_and(|free| free >= needed) && fault.code() != "disk_full" {
        // The disk has space: a limit on file sizes or a missing permission causes the same error.
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
