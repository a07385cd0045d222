//! Row ids of tables with `AUTOINCREMENT`. A row's checksum covers its id, so the id must be known
//! before the row is written.

use rusqlite::{Connection, OptionalExtension, params};

/// The id of the next row of a table; ids are never reused.
pub(crate) fn next(conn: &Connection, table: &str) -> Result<i64, rusqlite::Error> {
    let last: Option<i64> = conn
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = ?1")?
        .query_row(params![table], |row| row.get(0))
        .optional()?;
    Ok(last.unwrap_or(0) + 1)
}
