//! The full check of a store: SQLite's integrity check, each row against its checksum, and each
//! list against its ledger entry.

use std::collections::BTreeSet;

use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use crate::StoreError;
use crate::blobs::Hash;
use crate::connections::Connection as ModelServer;
use crate::drafts::DraftRow;
use crate::list_checksums::{self, LISTS};
use crate::runs::{self, Run};
use crate::settings;
use crate::snapshots::{self, Summary};
use crate::turns::{self, Turn};

/// Maximum number of problems reported.
const MOST: usize = 20;

/// Reads the whole store in one transaction and describes each problem in one phrase.
pub(crate) fn problems(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let transaction = conn.unchecked_transaction()?;
    let mut problems = Vec::new();
    for check in [snapshot_rows, contents, rows, lists, integrity] {
        match check(&transaction) {
            Ok(found) => problems.extend(found),
            Err(fault) if fault.is_corruption() || fault.is_missing_table() => {
                problems.push("a table cannot be read to its end".to_owned());
            }
            Err(fault) => return Err(fault),
        }
    }
    problems.dedup();
    problems.truncate(MOST);
    Ok(problems)
}

/// Whether a list agrees with all its indexes and with its ledger entry.
pub(crate) fn list_holds(conn: &Connection, name: &str) -> Result<bool, StoreError> {
    let is_consistent = || {
        let transaction = conn.unchecked_transaction()?;
        let verdict: String =
            transaction.query_row(&format!("PRAGMA integrity_check('{name}')"), [], |row| {
                row.get(0)
            })?;
        let stated = list_checksums::entry(&transaction, name)?;
        Ok(verdict == "ok" && stated.same_rows(&list_checksums::count(&transaction, name)?))
    };
    match is_consistent() {
        Err(fault) if StoreError::is_damage(&fault) => Ok(false),
        verdict => verdict,
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

/// Counts the rows of a query that fail their checksum.
fn damaged(
    conn: &Connection,
    query: &str,
    is_consistent: impl Fn(&Row<'_>) -> bool,
) -> Result<usize, StoreError> {
    let mut statement = conn.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut damaged = 0;
    while let Some(row) = rows.next()? {
        damaged += usize::from(!is_consistent(row));
    }
    Ok(damaged)
}

/// Checks the tables whose rows have no name worth reporting.
fn rows(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let counts = [
        (
            "runs",
            damaged(
                conn,
                &format!("SELECT {} FROM runs NOT INDEXED", runs::COLUMNS),
                |row| Run::read(row, None).is_some(),
            )?,
        ),
        (
            "turns",
            damaged(
                conn,
                &format!("SELECT {} FROM turns NOT INDEXED", turns::COLUMNS),
                |row| Turn::read(row, None).is_some(),
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
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    Ok(counts
        .map(|(table, count)| match count {
            1 => format!("1 row of {table} is not what was written"),
            _ => format!("{count} rows of {table} are not what was written"),
        })
        .collect())
}

/// Checks every snapshot and names each one that fails its checksum.
fn snapshot_rows(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = conn.prepare(&format!(
        "SELECT {} FROM snapshots NOT INDEXED",
        snapshots::COLUMNS
    ))?;
    let mut rows = statement.query([])?;
    let mut problems = Vec::new();
    while let Some(row) = rows.next()? {
        if Summary::read(row, None).is_none() {
            problems.push(format!("{} is not what was written", name_of(row)));
        }
    }
    Ok(problems)
}

fn name_of(row: &Row<'_>) -> String {
    let id = row.get(0).unwrap_or_default();
    snapshots::label(row, id).unwrap_or_else(|| format!("snapshot {id}"))
}

/// Checks every content against its hash, and every row that refers to a damaged or missing
/// content.
fn contents(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut whole = BTreeSet::new();
    let mut damaged = 0;
    let mut statement = conn.prepare("SELECT hash, bytes FROM contents")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        match content_of(row) {
            Some(hash) => {
                whole.insert(hash);
            }
            None => damaged += 1,
        }
    }
    let mut problems = Vec::new();
    let mut statement = conn.prepare(&format!(
        "SELECT {} FROM snapshots NOT INDEXED",
        snapshots::COLUMNS
    ))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let is_consistent =
            Summary::read(row, None).is_none_or(|summary| whole.contains(&summary.content));
        if !is_consistent {
            problems.push(format!(
                "the registry of {} is damaged or gone",
                name_of(row)
            ));
        }
    }
    for (what, query) in [
        (
            "the registry of run",
            "SELECT id, content FROM runs NOT INDEXED",
        ),
        ("the draft of", "SELECT file, tree FROM drafts NOT INDEXED"),
    ] {
        let mut statement = conn.prepare(query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let hash: Option<Vec<u8>> = row.get(1).ok();
            if !hash
                .and_then(|hash| Hash::from_slice(&hash))
                .is_some_and(|hash| whole.contains(&hash))
            {
                let name = row.get(0).unwrap_or(Value::Null);
                problems.push(format!("{what} {} is damaged or gone", plain(&name)));
            }
        }
    }
    if problems.is_empty() && damaged > 0 {
        problems.push(format!("{damaged} contents that nothing names are damaged"));
    }
    Ok(problems)
}

fn content_of(row: &Row<'_>) -> Option<Hash> {
    let hash = Hash::from_slice(row.get_ref(0).ok()?.as_blob().ok()?)?;
    (Hash::of(row.get_ref(1).ok()?.as_blob().ok()?) == hash).then_some(hash)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        _ => "an unknown name".to_owned(),
    }
}

fn lists(conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    for name in LISTS {
        let found = list_checksums::count(conn, name)?;
        match list_checksums::entry(conn, name) {
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
