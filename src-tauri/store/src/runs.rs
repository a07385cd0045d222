//! Table `runs`: what was asked of a model, with everything it takes to ask it again, and what came
//! of it. A run is written before it is sent, so that none is lost with the program.

use rusqlite::{OptionalExtension, params};

use crate::blobs::{self, Hash};
use crate::columns::Columns;
use crate::drafts::forget_unused;
use crate::ledger;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError};

/// Rows a list gives at most.
pub const LONGEST_PAGE: u32 = 200;

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// It was begun. Long after, it means that the program ended in the middle of it.
    Running,
    /// The output policy accepted its text.
    Accepted,
    /// The output policy rejected its text.
    Rejected,
    /// No text came of it.
    Failed,
    /// A person stopped it.
    Stopped,
}

impl RunStatus {
    /// Its name in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    fn of(name: &str) -> Option<Self> {
        [
            Self::Running,
            Self::Accepted,
            Self::Rejected,
            Self::Failed,
            Self::Stopped,
        ]
        .into_iter()
        .find(|status| status.name() == name)
    }
}

/// A run that begins.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// The registry's file.
    pub file: &'a str,
    /// Whom it asks, in words: kind, address, model.
    pub target: &'a str,
    /// The registry.
    pub content: &'a [u8],
    /// The state, as JSON.
    pub state: &'a str,
    /// Route, none for the default order.
    pub route: Option<&'a str>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// The request exactly as it is sent, as JSON, without the key.
    pub request: &'a str,
    /// When, in milliseconds since 1970.
    pub started_at: i64,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Number, never given twice.
    pub id: i64,
    /// The registry's file.
    pub file: String,
    /// Whom it asked, in words.
    pub target: String,
    /// Hash of the registry.
    pub content: Hash,
    /// The state, as JSON.
    pub state: String,
    /// Route.
    pub route: Option<String>,
    /// Seed.
    pub seed: u64,
    /// The request exactly as it was sent, as JSON, without the key.
    pub request: String,
    /// When, in milliseconds since 1970.
    pub started_at: i64,
    /// How it stands.
    pub status: RunStatus,
    /// What came of it, as JSON: evaluation, attempts, usage, timing, or the fault; `null` before.
    pub outcome: String,
}

/// A stretch of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPage {
    /// The newest first. Damaged rows are left out.
    pub runs: Vec<Run>,
    /// How many there are of that file, damaged ones included.
    pub total: u64,
    /// How many rows of this stretch are damaged.
    pub damaged: u32,
}

pub(crate) const COLUMNS: &str = "id, file, target, content, state, route, seed, request, started_at, status, \
                       outcome, seal";

impl Run {
    pub(crate) fn row_checksum(&self) -> Vec<u8> {
        RowChecksum::of("runs")
            .number(self.id)
            .text(&self.file)
            .text(&self.target)
            .bytes(self.content.as_bytes())
            .text(&self.state)
            .optional(self.route.as_deref())
            .number(self.seed.cast_signed())
            .text(&self.request)
            .number(self.started_at)
            .text(self.status.name())
            .text(&self.outcome)
            .finish()
    }

    /// Reads a row; none when it is damaged. A record found in a page has its id beside it.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C, id: Option<i64>) -> Option<Self> {
        let content: Vec<u8> = row.column(3)?;
        let status: String = row.column(9)?;
        let run = Self {
            id: id.or_else(|| row.column(0))?,
            file: row.column(1)?,
            target: row.column(2)?,
            content: Hash::from_slice(&content)?,
            state: row.column(4)?,
            route: row.column(5)?,
            seed: row.column::<i64>(6)?.cast_unsigned(),
            request: row.column(7)?,
            started_at: row.column(8)?,
            status: RunStatus::of(&status)?,
            outcome: row.column(10)?,
        };
        (row.column::<Vec<u8>>(11)? == run.row_checksum()).then_some(run)
    }

    pub(crate) fn write(&self, conn: &rusqlite::Connection) -> Result<(), StoreError> {
        conn.prepare_cached(&format!(
            "INSERT OR REPLACE INTO runs ({COLUMNS})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        ))?
        .execute(params![
            self.id,
            self.file,
            self.target,
            self.content.as_bytes(),
            self.state,
            self.route,
            self.seed.cast_signed(),
            self.request,
            self.started_at,
            self.status.name(),
            self.outcome,
            self.row_checksum(),
        ])?;
        Ok(())
    }
}

impl Store {
    /// Writes down a run that begins; it is on the disk when this returns.
    pub fn begin_run(&self, new: &NewRun<'_>) -> Result<Run, StoreError> {
        let size = new.content.len() + new.request.len();
        self.write(size, |transaction| {
            let last: Option<i64> = transaction
                .query_row(
                    "SELECT seq FROM sqlite_sequence WHERE name = 'runs'",
                    [],
                    |row| row.get(0),
                )
                .optional()?;
            let run = Run {
                id: last.unwrap_or(0) + 1,
                file: new.file.to_owned(),
                target: new.target.to_owned(),
                content: blobs::put(transaction, new.content)?,
                state: new.state.to_owned(),
                route: new.route.map(str::to_owned),
                seed: new.seed,
                request: new.request.to_owned(),
                started_at: new.started_at,
                status: RunStatus::Running,
                outcome: "null".to_owned(),
            };
            run.write(transaction)?;
            ledger::change(transaction, "runs", None, Some(&run.row_checksum()))?;
            Ok(run)
        })
    }

    /// Writes down what came of a run.
    pub fn finish_run(&self, id: i64, status: RunStatus, outcome: &str) -> Result<Run, StoreError> {
        self.write(outcome.len(), |transaction| {
            let mut run = find(transaction, id)?;
            let before = run.row_checksum();
            run.status = status;
            outcome.clone_into(&mut run.outcome);
            run.write(transaction)?;
            ledger::change(
                transaction,
                "runs",
                Some(&before),
                Some(&run.row_checksum()),
            )?;
            Ok(run)
        })
    }

    /// One run.
    pub fn run(&self, id: i64) -> Result<Run, StoreError> {
        self.read(|conn| find(conn, id))
    }

    /// A stretch of a file's history, no more than [`LONGEST_PAGE`] rows. Where rows of it are
    /// damaged, the store is mended first; where it can't be, they are counted.
    pub fn runs(&self, file: &str, offset: u32, limit: u32) -> Result<RunPage, StoreError> {
        let read = || self.read(|conn| page(conn, file, offset, limit));
        let found = read()?;
        if found.damaged > 0 && self.repair().is_ok() {
            return read();
        }
        Ok(found)
    }

    /// Forgets a run, and its registry when nothing else names it.
    pub fn forget_run(&self, id: i64) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let gone: Option<(Vec<u8>, Vec<u8>)> = transaction
                .prepare_cached("DELETE FROM runs WHERE id = ?1 RETURNING content, seal")?
                .query_row(params![id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if let Some((content, row_checksum)) = gone {
                ledger::change(transaction, "runs", Some(&row_checksum), None)?;
                forget_unused(transaction, &content)?;
            }
            Ok(())
        })
    }
}

/// A stretch of a file's history.
fn page(
    conn: &rusqlite::Connection,
    file: &str,
    offset: u32,
    limit: u32,
) -> Result<RunPage, StoreError> {
    let total: i64 = conn
        .prepare_cached("SELECT count(*) FROM runs WHERE file = ?1")?
        .query_row(params![file], |row| row.get(0))?;
    let mut statement = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM runs WHERE file = ?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3"
    ))?;
    let rows = statement.query_map(params![file, limit.min(LONGEST_PAGE), offset], |row| {
        Ok(Run::read(row, None))
    })?;
    let mut page = RunPage {
        runs: Vec::new(),
        total: total.cast_unsigned(),
        damaged: 0,
    };
    for row in rows {
        match row? {
            Some(run) => page.runs.push(run),
            None => page.damaged += 1,
        }
    }
    Ok(page)
}

/// One run; refused when it is damaged or not there.
pub(crate) fn find(conn: &rusqlite::Connection, id: i64) -> Result<Run, StoreError> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"))?
        .query_row(params![id], |row| Ok(Run::read(row, None)))
        .optional()?
        .ok_or_else(|| StoreError::missing(format!("run {id}")))?
        .ok_or_else(|| StoreError::damaged(format!("run {id}")))
}
