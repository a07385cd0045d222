//! Table `runs`: requests to models, with everything needed to repeat them, and their results. A
//! run is written before it is sent, so none is lost if the program ends.

use rusqlite::{OptionalExtension, params};

use crate::blobs::{self, Hash};
use crate::columns::Columns;
use crate::drafts::forget_unused;
use crate::list_checksums;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError, row_id};

/// Maximum number of rows in a page.
pub const LONGEST_PAGE: u32 = 200;

/// Status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// Started. If it stays so for long, the program ended during the run.
    Running,
    /// The output policy accepted the text.
    Accepted,
    /// The output policy rejected the text.
    Rejected,
    /// The run produced no text.
    Failed,
    /// The user stopped the run.
    Stopped,
}

impl RunStatus {
    /// Name of the status in the table.
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

/// A run about to start.
#[derive(Debug, Clone, Copy)]
pub struct NewRun<'a> {
    /// Path of the registry's file.
    pub file: &'a str,
    /// Kind, address and model of the target, as text.
    pub target: &'a str,
    /// Bytes of the registry.
    pub content: &'a [u8],
    /// The state as JSON.
    pub state: &'a str,
    /// Route; `None` for the default order.
    pub route: Option<&'a str>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// The exact request as JSON, without the key.
    pub request: &'a str,
    /// Start time, in milliseconds since 1970.
    pub started_at: i64,
}

/// A stored run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Row id, never reused.
    pub id: i64,
    /// Path of the registry's file.
    pub file: String,
    /// Kind, address and model of the target, as text.
    pub target: String,
    /// Hash of the registry.
    pub content: Hash,
    /// The state as JSON.
    pub state: String,
    /// Route; `None` for the default order.
    pub route: Option<String>,
    /// Seed, below 2^53.
    pub seed: u64,
    /// The exact request as JSON, without the key.
    pub request: String,
    /// Start time, in milliseconds since 1970.
    pub started_at: i64,
    /// Status of the run.
    pub status: RunStatus,
    /// Result as JSON: evaluation, attempts, usage and timing, or the error; `null` while running.
    pub outcome: String,
}

/// One page of a file's run history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPage {
    /// Newest first, without damaged rows.
    pub runs: Vec<Run>,
    /// Number of runs of the file, including damaged rows.
    pub total: u64,
    /// Number of damaged rows in this page.
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

    /// Reads a row; `None` if it is damaged. A record found in a page has its id beside it.
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
    /// Records a run that is about to start; durable on return.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn begin_run(&self, new: &NewRun<'_>) -> Result<Run, StoreError> {
        let size = new.content.len() + new.request.len();
        self.write(size, |transaction| {
            let run = Run {
                id: row_id::next(transaction, "runs")?,
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
            list_checksums::change(transaction, "runs", None, Some(&run.row_checksum()))?;
            Ok(run)
        })
    }

    /// Records what a run has received so far, or its result.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no such run; otherwise if the store cannot be written.
    pub fn update_run(&self, id: i64, status: RunStatus, outcome: &str) -> Result<Run, StoreError> {
        self.write(outcome.len(), |transaction| {
            let mut run = find(transaction, id)?;
            let before = run.row_checksum();
            run.status = status;
            outcome.clone_into(&mut run.outcome);
            run.write(transaction)?;
            list_checksums::change(
                transaction,
                "runs",
                Some(&before),
                Some(&run.row_checksum()),
            )?;
            Ok(run)
        })
    }

    /// Reads one run.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no such run, [`StoreError::Damaged`] if its row is
    /// damaged.
    pub fn run(&self, id: i64) -> Result<Run, StoreError> {
        self.read(|conn| find(conn, id))
    }

    /// One page of a file's run history, at most [`LONGEST_PAGE`] rows. Damaged rows are repaired
    /// first, and counted if that is impossible.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn runs(&self, file: &str, offset: u32, limit: u32) -> Result<RunPage, StoreError> {
        let read = || self.read(|conn| page(conn, file, offset, limit));
        let found = read()?;
        if found.damaged > 0 && self.repair().is_ok() {
            return read();
        }
        Ok(found)
    }

    /// Deletes a run, and its registry if nothing else refers to it.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn forget_run(&self, id: i64) -> Result<(), StoreError> {
        self.write(0, |transaction| {
            let deleted_blobs: Option<(Vec<u8>, Vec<u8>)> = transaction
                .prepare_cached("DELETE FROM runs WHERE id = ?1 RETURNING content, seal")?
                .query_row(params![id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if let Some((content, row_checksum)) = deleted_blobs {
                list_checksums::change(transaction, "runs", Some(&row_checksum), None)?;
                forget_unused(transaction, &content)?;
            }
            Ok(())
        })
    }
}

/// Moves the runs of a file to another.
pub(crate) fn move_rows(
    conn: &rusqlite::Connection,
    from: &str,
    to: &str,
) -> Result<(), StoreError> {
    let found: Vec<Run> = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE file = ?1"))?
        .query_map(params![from], |row| Ok(Run::read(row, None)))?
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    for mut run in found {
        let before = run.row_checksum();
        to.clone_into(&mut run.file);
        conn.prepare_cached("UPDATE runs SET file = ?2, seal = ?3 WHERE id = ?1")?
            .execute(params![run.id, run.file, run.row_checksum()])?;
        list_checksums::change(conn, "runs", Some(&before), Some(&run.row_checksum()))?;
    }
    Ok(())
}

/// Reads one page of a file's run history.
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

/// Reads one run; an error if it is damaged or missing.
pub(crate) fn find(conn: &rusqlite::Connection, id: i64) -> Result<Run, StoreError> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM runs WHERE id = ?1"))?
        .query_row(params![id], |row| Ok(Run::read(row, None)))
        .optional()?
        .ok_or_else(|| StoreError::missing(format!("run {id}")))?
        .ok_or_else(|| StoreError::damaged(format!("run {id}")))
}
