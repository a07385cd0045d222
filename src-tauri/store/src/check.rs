//! The whole check of a store: pages, indexes against their tables, every row against its checksum,
//! every list against its count.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::StoreError;
use crate::connections::Connection as ModelServer;
use crate::contents::Hash;
use crate::drafts::DraftRow;
use crate::ledger::{self, LISTS};
use crate::runs::{self, Run};
use crate::settings;
use crate::snapshots::{self, Summary};

/// Problems named at most.
const MOST: usize = 20;

/// What is wrong with a store, each in words. Reads all of it, in one transaction.
pub(crate) fn problems(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let transaction = conn.unchecked_transaction()?;
    let mut problems = Vec::new();
    for check in [integrity, rows, lists] {
        match check(&transaction) {
            Ok(found) => problems.extend(found),
            Err(fault) if fault.is_corruption() || fault.is_missing_table() => {
                problems.push("a table can't be read to its end".to_owned());
            }
            Err(fault) => return Err(fault),
        }
    }
    problems.truncate(MOST);
    Ok(problems)
}

/// Whether a table agrees with all of its indexes.
pub(crate) fn agrees(conn: &Connection, table: &str) -> Result<bool, StoreError> {
    let verdict = conn.query_row(&format!("PRAGMA integrity_check('{table}')"), [], |row| {
        row.get::<_, String>(0)
    });
    match verdict.map_err(StoreError::from) {
        Ok(verdict) => Ok(verdict == "ok"),
        Err(fault) if fault.is_corruption() => Ok(false),
        Err(fault) => Err(fault),
    }
}

fn integrity(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = conn.prepare(&format!("PRAGMA integrity_check({MOST})"))?;
    let mut rows = statement.query([])?;
    let mut problems = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let verdict: String = row.get(0)?;
        let index = verdict
            .split_once("index ")
            .map(|(_, rest)| rest.split_whitespace().next().unwrap_or_default());
        match index {
            _ if verdict == "ok" => {}
            Some(index) => {
                problems.insert(format!("index {index} does not agree with its table"));
            }
            None => {
                problems.insert("pages of its tables are damaged".to_owned());
            }
        }
    }
    Ok(problems.into_iter().collect())
}

/// How many rows of a query are not what was written.
fn damaged(
    conn: &Connection,
    query: &str,
    holds: impl Fn(&rusqlite::Row<'_>) -> bool,
) -> Result<usize, StoreError> {
    let mut statement = conn.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut damaged = 0;
    while let Some(row) = rows.next()? {
        damaged += usize::from(!holds(row));
    }
    Ok(damaged)
}

fn content_holds(row: &rusqlite::Row<'_>) -> bool {
    let bytes = row.get_ref(1).ok();
    let bytes = bytes.and_then(|bytes| bytes.as_blob().ok());
    let hash = row.get_ref(0).ok();
    let hash = hash.and_then(|hash| hash.as_blob().ok());
    matches!((hash, bytes), (Some(hash), Some(bytes)) if Hash::of(bytes).as_bytes() == hash)
}

fn rows(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let counts = [
        (
            "contents",
            damaged(conn, "SELECT hash, bytes FROM contents", content_holds)?,
        ),
        (
            "snapshots",
            damaged(
                conn,
                &format!("SELECT {} FROM snapshots NOT INDEXED", snapshots::COLUMNS),
                |row| Summary::read(row, None).is_some(),
            )?,
        ),
        (
            "runs",
            damaged(
                conn,
                &format!("SELECT {} FROM runs NOT INDEXED", runs::COLUMNS),
                |row| Run::read(row, None).is_some(),
            )?,
        ),
        (
            "connections",
            damaged(
                conn,
                "SELECT name, kind, base_url, model, keyed, seal, template FROM connections",
                |row| ModelServer::read(row).is_some(),
            )?,
        ),
        (
            "drafts",
            damaged(
                conn,
                "SELECT file, base, tree, modified, saved_at, seal FROM drafts",
                |row| DraftRow::read(row).is_some(),
            )?,
        ),
        (
            "settings",
            damaged(conn, "SELECT name, value, seal FROM settings", |row| {
                settings::read(row).is_some()
            })?,
        ),
    ];
    let unnamed: i64 = conn.query_row(
        "SELECT (SELECT count(*) FROM snapshots NOT INDEXED
                 WHERE content NOT IN (SELECT hash FROM contents))
              + (SELECT count(*) FROM runs NOT INDEXED
                 WHERE content NOT IN (SELECT hash FROM contents))
              + (SELECT count(*) FROM drafts NOT INDEXED
                 WHERE tree NOT IN (SELECT hash FROM contents))",
        [],
        |row| row.get(0),
    )?;
    let mut problems: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(table, count)| format!("{count} rows of {table} are not what was written"))
        .collect();
    if unnamed > 0 {
        problems.push(format!("{unnamed} rows name a content that is gone"));
    }
    Ok(problems)
}

fn lists(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    for name in LISTS {
        let found = ledger::count(conn, name)?;
        match ledger::entry(conn, name) {
            Ok(stated) if stated.same_rows(&found) => {}
            Ok(stated) if stated.count == found.count => {
                problems.push(format!(
                    "the list of {name} is not the one that was written"
                ));
            }
            Ok(stated) => problems.push(format!(
                "there are {} {name} and should be {}",
                found.count, stated.count
            )),
            Err(StoreError::Damaged { .. }) => {
                problems.push(format!("the count of {name} is damaged"));
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(problems)
}
