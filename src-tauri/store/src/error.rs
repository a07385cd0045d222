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
        "{} is a database of another program and was left as it is; point PROMPTDECK_STORE or \
         --store to another file", path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is no store, and nothing in it was written by Promptdeck.
    #[error(
        "{} is not a store of snapshots and was left as it is; point PROMPTDECK_STORE or --store \
         to another file, or move this one away", path.display()
    )]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// Another program holds the store.
    #[error(
        "another program has been using the store {} for {seconds} seconds; close it and try again",
        path.display()
    )]
    Busy {
        /// The store.
        path: PathBuf,
        /// How long it was waited for.
        seconds: u64,
    },
    /// There is no room left on the disk.
    #[error(
        "the disk of {} is full: {} kB are free, about {} kB are needed, {} kB are missing; make \
         room and try again (snapshots can still be read)",
        path.display(), free / 1000, needed.div_ceil(1000), needed.saturating_sub(*free).div_ceil(1000)
    )]
    Full {
        /// The store.
        path: PathBuf,
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The file of the store, or its folder, may not be written to.
    #[error(
        "the store {} can't be written to: {why}; name a file elsewhere by PROMPTDECK_STORE or \
         --store (what is in this one can still be read)", path.display()
    )]
    NotWritable {
        /// The store.
        path: PathBuf,
        /// What refuses, and why.
        why: String,
    },
    /// The store was opened for reading only.
    #[error("{} can't be written to: {why}", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
        /// Why.
        why: String,
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
    #[error("the store could not be used: {}", in_words(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// A migration failed and was taken back.
    #[error(
        "the store could not be updated to this version of Promptdeck: {}{}",
        migration_in_words(source), backup_in_words(backup.as_deref())
    )]
    Migration {
        /// The copy made before, if any.
        backup: Option<PathBuf>,
        /// What failed.
        source: rusqlite_migration::Error,
    },
}

/// What SQLite's refusal means. Its own message may quote SQL, which helps nobody.
fn in_words(fault: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode;
    let Some(fault) = fault.sqlite_error() else {
        return match fault {
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                "a row does not hold what it should; run `promptdeck doctor --recover`".to_owned()
            }
            _ => "a row or column is missing; run `promptdeck doctor --recover`".to_owned(),
        };
    };
    let words = match fault.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            "another program is using it; close that program and try again"
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            "its file is damaged; run `promptdeck doctor --recover`"
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
            "its file or folder may not be written to; check their permissions"
        }
        ErrorCode::CannotOpen => "its file can't be opened; check that its folder is there",
        ErrorCode::DiskFull => "the disk is full; make room and try again",
        ErrorCode::SystemIoFailure => "reading or writing its file failed; check the disk",
        ErrorCode::OutOfMemory => "memory is short; close some programs",
        ErrorCode::TooBig => "what is to be kept is larger than a store takes (1 GB)",
        ErrorCode::ConstraintViolation => {
            "a row does not fit the others; run `promptdeck doctor --recover`"
        }
        _ => "its tables are not as they should be; run `promptdeck doctor --recover`",
    };
    format!("{words} (SQLite error {})", fault.extended_code)
}

fn migration_in_words(fault: &rusqlite_migration::Error) -> String {
    match fault {
        rusqlite_migration::Error::RusqliteError { err, .. } => in_words(err),
        _ => "its tables are not as they should be".to_owned(),
    }
}

fn backup_in_words(backup: Option<&Path>) -> String {
    backup.map_or_else(
        || "; nothing was changed".to_owned(),
        |backup| {
            format!(
                "; nothing was changed, and a backup is {}",
                backup.display()
            )
        },
    )
}

impl StoreError {
    pub(crate) fn file(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File {
            action,
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn busy(path: &Path, waited: std::time::Duration) -> Self {
        Self::Busy {
            path: path.to_owned(),
            seconds: waited.as_secs(),
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
            Self::NotAStore { .. } => "not_a_store",
            Self::Busy { .. } => "store_busy",
            Self::Full { .. } => "disk_full",
            Self::ReadOnly { .. } => "store_read_only",
            Self::NotWritable { .. } => "permission_denied",
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
            Self::Migration { .. } => "store_migration",
        }
    }

    /// Whether a table is not there, or not as it should be.
    pub(crate) fn is_missing_table(&self) -> bool {
        use rusqlite::ErrorCode;
        matches!(self, Self::Sqlite(fault)
            if fault.sqlite_error_code() == Some(ErrorCode::Unknown)
                || matches!(fault, rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)))
    }

    /// Whether the cause is damage to the store: a page, a table, a row.
    pub(crate) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode;
        // Our own statements fit the constraints as long as the rows do.
        let is_constraint = matches!(self, Self::Sqlite(fault)
            if fault.sqlite_error_code() == Some(ErrorCode::ConstraintViolation));
        matches!(self, Self::Damaged { .. })
            || self.is_corruption()
            || self.is_missing_table()
            || is_constraint
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
            Self::Migration {
                source: rusqlite_migration::Error::RusqliteError { err, .. },
                ..
            } => of(err),
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
