//! Why something could not be kept or found again.

use std::io;
use std::path::{Path, PathBuf};

/// A fault of the store or of a file, in one line with a stable code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A newer Promptdeck wrote the store.
    #[error(
        "the store {} was written by a newer Promptdeck (schema {found}, this one knows {known}); \
         update Promptdeck or point PROMPTDECK_STORE to another file", path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema known here.
        known: i64,
    },
    /// The file is a database of another program.
    #[error(
        "{} is a database of another program; point PROMPTDECK_STORE to another file", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// What was read is not what was written.
    #[error("{what} is damaged in the store; take it again or restore a backup of the store")]
    Damaged {
        /// What.
        what: String,
    },
    /// There is no such row.
    #[error("there is no {what}")]
    Missing {
        /// What.
        what: String,
    },
    /// A file or folder refused.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was being done.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk has no room for a file.
    #[error(
        "cannot write {}: the disk at {} is full: {needed} bytes are needed, {free} are free, {} are \
         missing; delete something there", path.display(), disk.display(), missing(*needed, *free)
    )]
    DiskFull {
        /// The file.
        path: PathBuf,
        /// Where the disk is mounted.
        disk: PathBuf,
        /// The bytes of the file.
        needed: u64,
        /// The bytes that may still be written.
        free: u64,
    },
    /// Another program changed a file that was about to be replaced.
    #[error(
        "cannot write {}: another program changed it meanwhile; it was left as that program wrote it, \
         try again", path.display()
    )]
    ChangedOutside {
        /// The file.
        path: PathBuf,
    },
    /// A file larger than the caller reads.
    #[error("{} is larger than {limit} bytes and is not read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that is read.
        limit: u64,
    },
    /// Watching a folder failed.
    #[error("{} can't be watched for changes: {source}; reopen it to see them", path.display())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: notify::Error,
    },
    /// SQLite refused.
    #[error("the store refused: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A migration failed; the backup beside the store is whole.
    #[error("the store could not be brought up to date: {0}; its backup lies beside it")]
    Migration(#[from] rusqlite_migration::Error),
}

impl StoreError {
    pub(crate) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    pub(crate) fn missing(what: impl Into<String>) -> Self {
        Self::Missing { what: what.into() }
    }

    /// Stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        use rusqlite::ErrorCode;
        match self {
            Self::Newer { .. } => "store_newer",
            Self::Foreign { .. } => "store_foreign",
            Self::Damaged { .. } => "store_damaged",
            Self::Missing { .. } => "store_missing",
            Self::File { source, .. } => file_code(source),
            Self::DiskFull { .. } => "disk_full",
            Self::ChangedOutside { .. } => "changed_outside",
            Self::TooLarge { .. } => "file_too_large",
            Self::Watch { .. } => "watch",
            Self::Sqlite(fault) => match fault.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => "disk_full",
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    "permission_denied"
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "store_busy",
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "store_damaged",
                _ => "store_sqlite",
            },
            Self::Migration(_) => "store_migration",
        }
    }

    /// Whether the store's own file is broken, as opposed to one row or the way to it.
    pub(crate) fn is_corruption(&self) -> bool {
        use rusqlite::ErrorCode;
        let of = |fault: &rusqlite::Error| {
            matches!(
                fault.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            )
        };
        match self {
            Self::Sqlite(fault) => of(fault),
            Self::Migration(rusqlite_migration::Error::RusqliteError { err, .. }) => of(err),
            _ => false,
        }
    }
}

/// A file takes up whole blocks, and its folder may too: at least a byte is missing where bytes
/// did not fit.
fn missing(needed: u64, free: u64) -> u64 {
    needed.saturating_sub(free).max(1)
}

fn file_code(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "file_missing",
        io::ErrorKind::AlreadyExists => "file_exists",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "permission_denied",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "disk_full"
        }
        _ => "file",
    }
}
