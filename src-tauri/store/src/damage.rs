//! How a program handles damage. One rule for the studio and the command line:
//!
//! | found by | a program that may write | a program that only reads |
//! |---|---|---|
//! | opening: header, schema, ledger, log, manifest | salvages the store under its lock and keeps the damaged file | reads the intact part from memory |
//! | a read or transaction that meets a damaged row or page | the same, after a full check, and then repeats the operation | the same |
//! | a check: on opening if the store is small and the program is short-lived; otherwise in the studio's background and in `doctor` | the same | the same |
//! | opening: the file is missing | creates a new store | reads an empty one |
//! | opening: the file is older than its manifest but intact | continues with it | reads it |
//! | opening: the store is newer, or possibly a foreign file | refuses it and changes nothing | the same |
//!
//! Each action is reported as a [`Salvage`]. A failed salvage, for example on a full disk, is an
//! error and changes nothing.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::check;
use crate::database::{self, Database};
use crate::examine::{Examination, State, examine};
use crate::image::sidecar_path;
use crate::salvage::{self, Salvage};
use crate::{StoreError, schema};

/// Largest store, in bytes, that a short-lived program checks in full on opening. Reading this much
/// takes a few milliseconds.
const SMALL: u64 = 4 << 20;

/// Maximum number of problems listed as the cause of a salvage.
const MOST_CAUSES: usize = 3;

/// An opened store, and the report if damage was handled.
pub(crate) type OpenedDatabase = (Database, Option<Salvage>);

/// Opens a store for writing. The caller must hold the lock.
pub(crate) fn open(path: &Path) -> Result<OpenedDatabase, StoreError> {
    salvage::finish(path)?;
    let examined = examine(path)?;
    let cause = match &examined.state {
        State::Damaged(cause) => cause.clone(),
        state => match database::connect(path).and_then(|database| in_order(database, state)) {
            Ok(Ok(database)) => return Ok((database, report_unchanged(path, &examined))),
            Ok(Err(problems)) => causes(&problems),
            Err(fault) if fault.is_damage() => "SQLite finds its pages damaged".to_owned(),
            Err(fault) => return Err(fault),
        },
    };
    open_salvaged(path, &examined, cause)
}

/// Opens a store for reading and changes nothing on disk. The caller must hold the lock if there is
/// one.
pub(crate) fn open_to_read(path: &Path) -> Result<OpenedDatabase, StoreError> {
    let examined = examine(&salvage::to_read(path))?;
    let cause = match &examined.state {
        State::Damaged(cause) => cause.clone(),
        State::Absent | State::Gone => {
            let mut conn = rusqlite::Connection::open_in_memory()?;
            schema::create(&mut conn, schema::NEWEST)?;
            return Ok((Database::in_memory(conn), report_unchanged(path, &examined)));
        }
        state => match database::read(&salvage::to_read(path), &examined)? {
            Some(database) => match in_order(database, state)? {
                Ok(database) => return Ok((database, report_unchanged(path, &examined))),
                Err(problems) => causes(&problems),
            },
            None => "SQLite finds its pages damaged".to_owned(),
        },
    };
    open_intact(path, &examined, cause)
}

/// A store that lacks its last changes passes only if the rest of it is intact; otherwise it counts
/// as damaged.
fn in_order(
    database: Database,
    state: &State,
) -> Result<Result<Database, Vec<String>>, StoreError> {
    if !matches!(state, State::Older(_)) {
        return Ok(Ok(database));
    }
    let problems = check::problems(&database.conn)?;
    Ok(if problems.is_empty() {
        Ok(database)
    } else {
        Err(problems)
    })
}

/// The report for a store that was opened unchanged.
fn report_unchanged(path: &Path, examined: &Examination) -> Option<Salvage> {
    match (&examined.state, &examined.manifest) {
        (State::Gone, Some(manifest)) => Some(Salvage::of_gone(path, manifest)),
        (State::Older(missing), _) => Some(Salvage::of_older(path, missing)),
        _ => None,
    }
}

/// Checks a store in which an operation or a check found damage, and applies the rule. Without a
/// problem it is reopened, since the connection itself may have been at fault. The caller must hold
/// the lock.
pub(crate) fn repair(
    path: &Path,
    database: Database,
    may_write: bool,
) -> Result<OpenedDatabase, StoreError> {
    let problems = check::problems(&database.conn)?;
    // Close the connection before the file is read past SQLite.
    drop(database);
    if problems.is_empty() {
        return if may_write {
            open(path)
        } else {
            open_to_read(path)
        };
    }
    if may_write {
        open_salvaged(path, &examine(path)?, causes(&problems))
    } else {
        let examined = examine(&salvage::to_read(path))?;
        open_intact(path, &examined, causes(&problems))
    }
}

fn open_salvaged(
    path: &Path,
    examined: &Examination,
    cause: String,
) -> Result<OpenedDatabase, StoreError> {
    let salvage = salvage::salvage(path, examined, cause)?;
    Ok((database::connect(path)?, Some(salvage)))
}

fn open_intact(
    path: &Path,
    examined: &Examination,
    cause: String,
) -> Result<OpenedDatabase, StoreError> {
    let (conn, salvage) = salvage::into_memory(path, examined, cause)?;
    Ok((Database::in_memory(conn), Some(salvage)))
}

fn causes(problems: &[String]) -> String {
    let named = problems.len().min(MOST_CAUSES);
    let mut text = problems[..named].join("; ");
    if problems.len() > named {
        text.push_str(&format!("; {} more problems", problems.len() - named));
    }
    text
}

/// Whether a store is small enough to be checked in full on opening.
pub(crate) fn is_small(path: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    length(path) + length(&sidecar_path(path, "-wal")) <= SMALL
}

/// Callback for a repair of an open store.
type Report = Box<dyn Fn(&Salvage) + Send + Sync>;

/// Holds the callback for repairs of an open store.
#[derive(Default)]
pub(crate) struct Reporter(OnceLock<Report>);

impl Reporter {
    pub(crate) fn set(&self, report: Report) {
        let _ = self.0.set(report);
    }

    pub(crate) fn report(&self, salvage: &Salvage) {
        if let Some(report) = self.0.get() {
            report(salvage);
        }
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reporter")
            .field(&self.0.get().is_some())
            .finish()
    }
}
