//! Errors of the store and of file operations.

use std::io;
use std::path::{Path, PathBuf};

/// An error of the store or of a file: one line and a stable code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store has a schema of a newer Promptdeck.
    #[error(
        "the store {} was written by a newer Promptdeck (schema {found}, this one knows {known}); \
         update Promptdeck or point PROMPTDECK_STORE to another file", path.display()
    )]
    Newer {
        /// Path of the store.
        path: PathBuf,
        /// Schema version of the store.
        found: i64,
        /// Newest schema version that this program supports.
        known: i64,
    },
    /// The file is a database of another program.
    #[error(
        "{} is a database of another program and was left as it is; point PROMPTDECK_STORE to \
         another file", path.display()
    )]
    Foreign {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file is no store and contains no rows written by Promptdeck.
    #[error(
        "{} is not a store of snapshots and was left as it is; point PROMPTDECK_STORE to \
         another file, or move this one away", path.display()
    )]
    NotAStore {
        /// Path of the file.
        path: PathBuf,
    },
    /// Another program holds the lock of the store.
    #[error(
        "another program has been using the store {} for {seconds} seconds; close it and try again",
        path.display()
    )]
    Busy {
        /// Path of the store.
        path: PathBuf,
        /// Time waited, in seconds.
        seconds: u64,
    },
    /// The disk of the store is full.
    #[error(
        "the disk of {} is full: {} kB are free, about {} kB are needed, {} kB are missing; make \
         room and try again (snapshots can still be read)",
        path.display(), free / 1000, needed.div_ceil(1000), needed.saturating_sub(*free).div_ceil(1000)
    )]
    Full {
        /// Path of the store.
        path: PathBuf,
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// The store or its folder is not writable.
    #[error(
        "the store {} cannot be written to: {why}; point PROMPTDECK_STORE to a file elsewhere \
         (what is in this one can still be read)", path.display()
    )]
    NotWritable {
        /// Path of the store.
        path: PathBuf,
        /// What denies the write, and why.
        why: String,
    },
    /// The store was opened read-only.
    #[error("{} cannot be written to: {why}", path.display())]
    ReadOnly {
        /// Path of the store.
        path: PathBuf,
        /// Reason in words.
        why: String,
    },
    /// Stored data does not match its checksum.
    #[error("{what} is damaged in the store; take it again or restore a backup of the store")]
    Damaged {
        /// What is damaged, as the start of a sentence.
        what: String,
    },
    /// No such row exists.
    #[error("there is no {what}")]
    Missing {
        /// What is missing, in words.
        what: String,
    },
    /// An operation on a file or folder failed.
    #[error("cannot {action} {}: {source}{}", path.display(), way_out(action, source))]
    File {
        /// The failed operation, as a verb phrase.
        action: &'static str,
        /// Path of the file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The disk has no room for a file.
    #[error(
        "cannot write {}: the disk at {} is full: {needed} bytes are needed, {free} are free, {} are \
         missing; delete something there", path.display(), disk.display(), missing(*needed, *free)
    )]
    DiskFull {
        /// Path of the file.
        path: PathBuf,
        /// Mount point of the disk.
        disk: PathBuf,
        /// Size of the file in bytes.
        needed: u64,
        /// Bytes this user may still write.
        free: u64,
    },
    /// Another program changed a file that was about to be replaced.
    #[error(
        "cannot write {}: another program changed it meanwhile; it was left as that program wrote it, \
         try again", path.display()
    )]
    ChangedOutside {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file could not be moved to the trash.
    #[error(
        "cannot move {} to the trash: {why}; nothing was deleted, delete it in the file manager",
        path.display()
    )]
    NoTrash {
        /// Path of the file.
        path: PathBuf,
        /// Reason in words.
        why: String,
    },
    /// The file is not in the trash, or the system gives nothing back from there.
    #[error(
        "{} is not found in the trash; look for it there with the file manager", path.display()
    )]
    NotInTrash {
        /// Path at which the file was.
        path: PathBuf,
    },
    /// The file exceeds the caller's size limit.
    #[error("{} is larger than {limit} bytes and is not read", path.display())]
    TooLarge {
        /// Path of the file.
        path: PathBuf,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A folder could not be watched.
    #[error("{} cannot be watched for changes: {source}; reopen it to see them", path.display())]
    Watch {
        /// Path of the folder.
        path: PathBuf,
        /// The watcher's error.
        source: notify::Error,
    },
    /// SQLite returned an error.
    #[error("the store could not be used: {}", in_words(.0))]
    Sqlite(#[from] rusqlite::Error),
    /// A migration failed and was rolled back.
    #[error(
        "the store could not be updated to this version of Promptdeck: {}{}",
        migration_in_words(source), backup_in_words(backup.as_deref())
    )]
    Migration {
        /// Path of the backup made before the migration, if there is one.
        backup: Option<PathBuf>,
        /// The cause.
        source: rusqlite_migration::Error,
    },
}

/// Describes a SQLite error. SQLite's own message may quote SQL, which does not help the user.
fn in_words(fault: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode;
    let Some(fault) = fault.sqlite_error() else {
        return match fault {
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                "a row has unexpected content; run `promptdeck doctor --recover`".to_owned()
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
        ErrorCode::CannotOpen => "its file cannot be opened; check that its folder is there",
        ErrorCode::DiskFull => "the disk is full; make room and try again",
        ErrorCode::SystemIoFailure => "reading or writing its file failed; check the disk",
        ErrorCode::OutOfMemory => "out of memory; close some programs",
        ErrorCode::TooBig => "the data is larger than a store can hold (1 GB)",
        ErrorCode::ConstraintViolation => {
            "a row violates a constraint; run `promptdeck doctor --recover`"
        }
        _ => "its tables do not have the expected schema; run `promptdeck doctor --recover`",
    };
    format!("{words} (SQLite error {})", fault.extended_code)
}

fn migration_in_words(fault: &rusqlite_migration::Error) -> String {
    match fault {
        rusqlite_migration::Error::RusqliteError { err, .. } => in_words(err),
        _ => "its tables do not have the expected schema".to_owned(),
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

    /// Stable code, in `snake_case`.
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
            Self::NoTrash { .. } => "no_trash",
            Self::NotInTrash { .. } => "not_in_trash",
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

    /// Whether a table is missing or has the wrong columns.
    pub(crate) fn is_missing_table(&self) -> bool {
        use rusqlite::ErrorCode;
        matches!(self, Self::Sqlite(fault)
            if fault.sqlite_error_code() == Some(ErrorCode::Unknown)
                || matches!(fault, rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)))
    }

    /// Whether the cause is damage to the store: a page, a table or a row.
    pub(crate) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode;
        // Our statements satisfy the constraints as long as the rows are intact.
        let is_constraint = matches!(self, Self::Sqlite(fault)
            if fault.sqlite_error_code() == Some(ErrorCode::ConstraintViolation));
        matches!(self, Self::Damaged { .. })
            || self.is_corruption()
            || self.is_missing_table()
            || is_constraint
    }

    /// Whether the store's file itself is damaged, as opposed to one row or to file access.
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

/// What can be done about an error of the system without words of its own.
fn way_out(action: &str, source: &io::Error) -> &'static str {
    if source.raw_os_error().is_none() {
        return "";
    }
    match source.kind() {
        io::ErrorKind::PermissionDenied if action == "read" => "; allow reading it",
        io::ErrorKind::PermissionDenied => "; allow writing to it and to its folder",
        io::ErrorKind::ReadOnlyFilesystem => "; its disk is read-only, choose another",
        _ => "",
    }
}

/// Bytes missing on a full disk. At least 1: a file occupies whole blocks, and its folder may grow
/// too, so a write can fail although the byte counts fit.
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
