//! Writes recovered rows into an empty store.

use rusqlite::{Connection, ErrorCode, Transaction, params};

use crate::blobs;
use crate::list_checksums::{self, Entry, LISTS};
use crate::row_scan::Recovered;
use crate::snapshots::Summary;
use crate::{StoreError, settings};

/// Owner of recovered drafts: no window.
const NO_OWNER: i64 = 0;

/// A row id this far above all rows is damage.
const FARTHEST_NUMBER: i64 = 1_000_000;

/// Result of rebuilding: what was recovered and what was lost.
#[derive(Debug, Default)]
pub(crate) struct Rebuilt {
    pub(crate) snapshots: usize,
    pub(crate) drafts: usize,
    pub(crate) connections: usize,
    pub(crate) runs: usize,
    pub(crate) turns: usize,
    /// Name of the list and label of the lost row.
    pub(crate) lost: Vec<(&'static str, String)>,
}

/// Fills a store whose tables are empty.
pub(crate) fn fill(conn: &mut Connection, recovered: &Recovered) -> Result<Rebuilt, StoreError> {
    let rows = &recovered.rows;
    let transaction = conn.transaction()?;
    let mut rebuilt = Rebuilt::default();
    for summary in rows.snapshots.values() {
        if let Some(bytes) = rows.contents.get(&summary.content) {
            blobs::put(&transaction, bytes)?;
            write_snapshot(&transaction, summary)?;
            rebuilt.snapshots += 1;
        } else {
            let lost = format!("{} (its registry)", summary.label());
            rebuilt.lost.push(("snapshots", lost));
        }
    }
    for run in rows.runs.values() {
        if let Some(bytes) = rows.contents.get(&run.content) {
            blobs::put(&transaction, bytes)?;
            run.write(&transaction)?;
            rebuilt.runs += 1;
        } else {
            rebuilt.lost.push(("runs", format!("run {}", run.id)));
        }
    }
    for turn in rows.turns.values() {
        turn.write(&transaction)?;
        rebuilt.turns += 1;
    }
    for connection in rows.connections.values() {
        connection.write(&transaction)?;
        rebuilt.connections += 1;
    }
    copy_drafts(&transaction, recovered, &mut rebuilt)?;
    for (name, value) in &rows.settings {
        settings::write(&transaction, name, value)?;
    }
    for (table, last) in &rows.numbers {
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
    list_checksums::fill(&transaction, &LISTS, &before)?;
    transaction.commit()?;
    Ok(rebuilt)
}

/// An older version of a snapshot may claim a pin that another snapshot has got since.
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

fn copy_drafts(
    transaction: &Transaction<'_>,
    recovered: &Recovered,
    rebuilt: &mut Rebuilt,
) -> Result<(), StoreError> {
    let rows = &recovered.rows;
    for (file, draft) in &rows.drafts {
        let Some(tree) = rows.contents.get(&draft.tree) else {
            let lost = format!("the draft of {file}");
            rebuilt.lost.push(("drafts", lost));
            continue;
        };
        blobs::put(transaction, tree)?;
        if let Some(base) = rows.contents.get(&draft.base) {
            blobs::put(transaction, base)?;
        }
        draft.write(transaction, NO_OWNER)?;
        rebuilt.drafts += 1;
        let places = rows
            .edits
            .range((file.clone(), 0)..)
            .take_while(|((of, _), _)| of == file);
        for (expected, ((_, place), versions)) in (1..).zip(places) {
            let edits = versions.iter().find(|edits| edits.changes(&draft.tree));
            let Some(edits) = edits.filter(|_| *place == expected) else {
                let lost = format!("the last edits of the draft of {file}");
                rebuilt.lost.push(("edits", lost));
                break;
            };
            edits.write(transaction)?;
        }
    }
    Ok(())
}
