//! Writes recovered rows into a store of their own.

use rusqlite::{Connection, ErrorCode, Transaction, params};

use super::Recovered;
use crate::contents;
use crate::ledger::{self, Entry};
use crate::snapshots::Summary;
use crate::{StoreError, settings};

/// Owner of the drafts carried over: no window.
const NOBODY: i64 = 0;

/// A number this far above all rows is damage.
const FARTHEST_NUMBER: i64 = 1_000_000;

/// What was carried over, and what was not, in words.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    pub(crate) snapshots: usize,
    pub(crate) drafts: usize,
    pub(crate) connections: usize,
    pub(crate) runs: usize,
    /// The list and what to call it.
    pub(crate) lost: Vec<(&'static str, String)>,
}

/// Fills a store whose tables are empty.
pub(crate) fn fill(conn: &mut Connection, recovered: &Recovered) -> Result<Carried, StoreError> {
    let found = &recovered.found;
    let transaction = conn.transaction()?;
    let mut carried = Carried::default();
    for summary in found.snapshots.values() {
        if let Some(bytes) = found.contents.get(&summary.content) {
            contents::put(&transaction, bytes)?;
            write_snapshot(&transaction, summary)?;
            carried.snapshots += 1;
        } else {
            let lost = format!("{} (its registry)", summary.label());
            carried.lost.push(("snapshots", lost));
        }
    }
    for run in found.runs.values() {
        if let Some(bytes) = found.contents.get(&run.content) {
            contents::put(&transaction, bytes)?;
            run.write(&transaction)?;
            carried.runs += 1;
        } else {
            carried.lost.push(("runs", format!("run {}", run.id)));
        }
    }
    for connection in found.connections.values() {
        connection.write(&transaction)?;
        carried.connections += 1;
    }
    carry_drafts(&transaction, recovered, &mut carried)?;
    for (name, value) in &found.settings {
        settings::write(&transaction, name, value)?;
    }
    for (table, last) in &found.numbers {
        let highest: i64 = transaction.query_row(
            &format!("SELECT coalesce(max(id), 0) FROM {table}"),
            [],
            |row| row.get(0),
        )?;
        if (highest..=highest.saturating_add(FARTHEST_NUMBER)).contains(last) {
            transaction.execute("DELETE FROM sqlite_sequence WHERE name = ?1", [table])?;
            transaction.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
                params![table, last],
            )?;
        }
    }
    let before: Vec<Entry> = recovered.expected.values().cloned().collect();
    ledger::fill(&transaction, &before)?;
    transaction.commit()?;
    Ok(carried)
}

/// An older version of a snapshot may claim a key that another one got since.
fn write_snapshot(conn: &Connection, summary: &Summary) -> Result<(), StoreError> {
    match summary.write(conn) {
        Err(fault) if fault.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            let without_key = Summary {
                pinned: None,
                ..summary.clone()
            };
            Ok(without_key.write(conn)?)
        }
        written => Ok(written?),
    }
}

fn carry_drafts(
    transaction: &Transaction<'_>,
    recovered: &Recovered,
    carried: &mut Carried,
) -> Result<(), StoreError> {
    let found = &recovered.found;
    for (file, draft) in &found.drafts {
        let Some(tree) = found.contents.get(&draft.tree) else {
            let lost = format!("the draft of {file}");
            carried.lost.push(("drafts", lost));
            continue;
        };
        contents::put(transaction, tree)?;
        draft.write(transaction, NOBODY)?;
        carried.drafts += 1;
        let places = found
            .edits
            .range((file.clone(), 0)..)
            .take_while(|((of, _), _)| of == file);
        for (expected, ((_, place), versions)) in (1..).zip(places) {
            let edits = versions.iter().find(|edits| edits.changes(&draft.tree));
            let Some(edits) = edits.filter(|_| *place == expected) else {
                let lost = format!("the last edits of the draft of {file}");
                carried.lost.push(("edits", lost));
                break;
            };
            edits.write(transaction)?;
        }
    }
    Ok(())
}
