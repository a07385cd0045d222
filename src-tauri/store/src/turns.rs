//! Table `turns`: the turns of conversations. Each names its parent, so the turns of a registry and
//! a call document form a tree. No turn is ever deleted.

use rusqlite::{OptionalExtension, params};

use crate::columns::Columns;
use crate::row_checksum::RowChecksum;
use crate::{Store, StoreError, list_checksums, row_id};

/// State of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnState {
    /// The answer is arriving. If it stays so, the program ended during the turn.
    Streaming,
    /// The turn is complete.
    Complete,
    /// The user stopped the answer.
    Stopped,
    /// The answer broke off, or none came.
    Failed,
}

impl TurnState {
    const ALL: [Self; 4] = [Self::Streaming, Self::Complete, Self::Stopped, Self::Failed];

    /// Name of the state in the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// A turn to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewTurn<'a> {
    /// Path of the registry's file.
    pub file: &'a str,
    /// The call document whose messages come before the first turn.
    pub call: Option<&'a str>,
    /// The turn before; `None` for a first turn.
    pub parent: Option<i64>,
    /// The run that answers; `None` for a turn written by hand.
    pub run: Option<i64>,
    /// Time, in milliseconds since 1970.
    pub created_at: i64,
    /// State of the turn.
    pub state: TurnState,
    /// The message as JSON.
    pub message: &'a str,
    /// Verdict, figures and fault as JSON.
    pub outcome: &'a str,
}

/// A stored turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Row id, never reused.
    pub id: i64,
    /// Path of the registry's file.
    pub file: String,
    /// The call document whose messages come before the first turn.
    pub call: Option<String>,
    /// The turn before; `None` for a first turn.
    pub parent: Option<i64>,
    /// The run that answered; `None` for a turn written by hand.
    pub run: Option<i64>,
    /// Time, in milliseconds since 1970.
    pub created_at: i64,
    /// State of the turn.
    pub state: TurnState,
    /// The message as JSON.
    pub message: String,
    /// Verdict, figures and fault as JSON.
    pub outcome: String,
}

/// The turns of one registry and call document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnTree {
    /// Oldest first, without damaged rows.
    pub turns: Vec<Turn>,
    /// Number of damaged rows of the registry.
    pub damaged: u32,
}

pub(crate) const COLUMNS: &str =
    "id, file, call, parent, run, created_at, state, message, outcome, seal";

impl Turn {
    pub(crate) fn row_checksum(&self) -> Vec<u8> {
        let number = |field: Option<i64>| field.map(|number| number.to_string());
        RowChecksum::of("turns")
            .number(self.id)
            .text(&self.file)
            .optional(self.call.as_deref())
            .optional(number(self.parent).as_deref())
            .optional(number(self.run).as_deref())
            .number(self.created_at)
            .text(self.state.name())
            .text(&self.message)
            .text(&self.outcome)
            .finish()
    }

    /// Reads a row; `None` if it is damaged. A record found in a page has its id beside it.
    pub(crate) fn read<C: Columns + ?Sized>(row: &C, id: Option<i64>) -> Option<Self> {
        let state: String = row.column(6)?;
        let turn = Self {
            id: id.or_else(|| row.column(0))?,
            file: row.column(1)?,
            call: row.column(2)?,
            parent: row.column(3)?,
            run: row.column(4)?,
            created_at: row.column(5)?,
            state: TurnState::of(&state)?,
            message: row.column(7)?,
            outcome: row.column(8)?,
        };
        (row.column::<Vec<u8>>(9)? == turn.row_checksum()).then_some(turn)
    }

    pub(crate) fn write(&self, conn: &rusqlite::Connection) -> Result<(), StoreError> {
        conn.prepare_cached(&format!(
            "INSERT OR REPLACE INTO turns ({COLUMNS})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
        ))?
        .execute(params![
            self.id,
            self.file,
            self.call,
            self.parent,
            self.run,
            self.created_at,
            self.state.name(),
            self.message,
            self.outcome,
            self.row_checksum(),
        ])?;
        Ok(())
    }
}

impl Store {
    /// Adds a turn; durable on return.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_turn(&self, new: &NewTurn<'_>) -> Result<Turn, StoreError> {
        self.write(size(new), |transaction| add(transaction, new, new.parent))
    }

    /// Adds turns in one transaction, all or none. Each but the first follows the one before it in the
    /// list, whatever its parent says.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_turns(&self, new: &[NewTurn<'_>]) -> Result<Vec<Turn>, StoreError> {
        if new.is_empty() {
            return Ok(Vec::new());
        }
        self.write(new.iter().map(size).sum(), |transaction| {
            let mut added: Vec<Turn> = Vec::with_capacity(new.len());
            for turn in new {
                let parent = added.last().map_or(turn.parent, |before| Some(before.id));
                added.push(add(transaction, turn, parent)?);
            }
            Ok(added)
        })
    }

    /// Records what has arrived of a turn, or how it ended.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no such turn; otherwise if the store cannot be written.
    pub fn update_turn(
        &self,
        id: i64,
        state: TurnState,
        message: &str,
        outcome: &str,
    ) -> Result<Turn, StoreError> {
        self.write(message.len() + outcome.len(), |transaction| {
            let mut turn = find(transaction, id)?;
            let before = turn.row_checksum();
            turn.state = state;
            message.clone_into(&mut turn.message);
            outcome.clone_into(&mut turn.outcome);
            turn.write(transaction)?;
            let after = turn.row_checksum();
            list_checksums::change(transaction, "turns", Some(&before), Some(&after))?;
            Ok(turn)
        })
    }

    /// Reads one turn.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is no such turn, [`StoreError::Damaged`] if its row is
    /// damaged.
    pub fn turn(&self, id: i64) -> Result<Turn, StoreError> {
        self.read(|conn| find(conn, id))
    }

    /// The turns of a registry with one call document, or without any. Damaged rows are repaired
    /// first, and counted if that is impossible.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn turns(&self, file: &str, call: Option<&str>) -> Result<TurnTree, StoreError> {
        let read = || self.read(|conn| tree(conn, file, call));
        let found = read()?;
        if found.damaged > 0 && self.repair().is_ok() {
            return read();
        }
        Ok(found)
    }

    /// The first turns of all conversations that a call document begins, of any registry. Damaged rows
    /// are left out.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn first_turns(&self, call: &str) -> Result<Vec<Turn>, StoreError> {
        self.read(|conn| {
            let mut statement = conn.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM turns WHERE call = ?1 AND parent IS NULL ORDER BY id"
            ))?;
            let rows = statement.query_map([call], |row| Ok(Turn::read(row, None)))?;
            Ok(rows
                .filter_map(Result::transpose)
                .collect::<Result<_, _>>()?)
        })
    }
}

fn size(new: &NewTurn<'_>) -> usize {
    new.message.len() + new.outcome.len()
}

fn add(
    conn: &rusqlite::Connection,
    new: &NewTurn<'_>,
    parent: Option<i64>,
) -> Result<Turn, StoreError> {
    let turn = Turn {
        id: row_id::next(conn, "turns")?,
        file: new.file.to_owned(),
        call: new.call.map(str::to_owned),
        parent,
        run: new.run,
        created_at: new.created_at,
        state: new.state,
        message: new.message.to_owned(),
        outcome: new.outcome.to_owned(),
    };
    turn.write(conn)?;
    list_checksums::change(conn, "turns", None, Some(&turn.row_checksum()))?;
    Ok(turn)
}

/// Moves the turns of a file to another.
pub(crate) fn move_rows(
    conn: &rusqlite::Connection,
    from: &str,
    to: &str,
) -> Result<(), StoreError> {
    let found: Vec<Turn> = conn
        .prepare_cached(&format!("SELECT {COLUMNS} FROM turns WHERE file = ?1"))?
        .query_map(params![from], |row| Ok(Turn::read(row, None)))?
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    for mut turn in found {
        let before = turn.row_checksum();
        to.clone_into(&mut turn.file);
        turn.write(conn)?;
        list_checksums::change(conn, "turns", Some(&before), Some(&turn.row_checksum()))?;
    }
    Ok(())
}

fn tree(
    conn: &rusqlite::Connection,
    file: &str,
    call: Option<&str>,
) -> Result<TurnTree, StoreError> {
    let mut statement = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM turns WHERE file = ?1 AND call IS ?2 ORDER BY id"
    ))?;
    let rows = statement.query_map(params![file, call], |row| Ok(Turn::read(row, None)))?;
    let mut found = TurnTree {
        turns: Vec::new(),
        damaged: 0,
    };
    for row in rows {
        match row? {
            Some(turn) => found.turns.push(turn),
            None => found.damaged += 1,
        }
    }
    Ok(found)
}

fn find(conn: &rusqlite::Connection, id: i64) -> Result<Turn, StoreError> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM turns WHERE id = ?1"))?
        .query_row([id], |row| Ok(Turn::read(row, None)))
        .optional()?
        .ok_or_else(|| StoreError::missing(format!("turn {id}")))?
        .ok_or_else(|| StoreError::damaged(format!("turn {id}")))
}
