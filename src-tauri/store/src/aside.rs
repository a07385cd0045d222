//! Salvage: a damaged store is moved aside, and every row that still is what was written is
//! carried into a new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags, params};

use crate::open::beside;
use crate::{Store, StoreError, connections, contents, runs, snapshots};

/// Owner of what was carried over: no window.
const NOBODY: i64 = 0;

/// Rows carried over, and rows that were lost.
#[derive(Default)]
pub(crate) struct Salvaged {
    pub(crate) snapshots: usize,
    pub(crate) drafts: usize,
    pub(crate) connections: usize,
    pub(crate) runs: usize,
    pub(crate) lost: usize,
}

/// Renames the store and its companions (log, index); gives the new path.
pub(crate) fn move_away(path: &Path) -> Result<PathBuf, StoreError> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    let mut copy = 0;
    let aside = loop {
        let aside = beside(path, &format!("damaged-{now}-{copy}"));
        if !aside.exists() {
            break aside;
        }
        copy += 1;
    };
    fs::rename(path, &aside).map_err(|fault| StoreError::file("keep aside", path, fault))?;
    for ending in ["-wal", "-shm"] {
        let with = |base: &Path| {
            let mut name = base.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let from = with(path);
        if from.exists() {
            fs::rename(&from, with(&aside))
                .map_err(|fault| StoreError::file("keep aside", &from, fault))?;
        }
    }
    Ok(aside)
}

/// Carries over what is intact. The damaged file itself is only read.
pub(crate) fn carry_over(aside: &Path, store: &Store) -> Result<Salvaged, StoreError> {
    let mut salvaged = Salvaged::default();
    // Reading a write-ahead log needs a place for its index: read a copy, touch nothing.
    let Ok(folder) = tempfile::tempdir() else {
        return Ok(salvaged);
    };
    let copy = folder.path().join("store.sqlite");
    copy_with_log(aside, &copy)?;
    let Ok(old) = Connection::open_with_flags(
        &copy,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    ) else {
        return Ok(salvaged);
    };
    carry_snapshots(&old, store, &mut salvaged)?;
    carry_connections(&old, store, &mut salvaged)?;
    carry_runs(&old, store, &mut salvaged)?;
    carry_drafts(old, &copy, store, &mut salvaged)?;
    Ok(salvaged)
}

fn copy_with_log(aside: &Path, copy: &Path) -> Result<(), StoreError> {
    fs::copy(aside, copy).map_err(|fault| StoreError::file("read", aside, fault))?;
    let with_log = |base: &Path| {
        let mut name = base.as_os_str().to_owned();
        name.push("-wal");
        PathBuf::from(name)
    };
    let log = with_log(aside);
    if log.exists() {
        fs::copy(&log, with_log(copy)).map_err(|fault| StoreError::file("read", &log, fault))?;
    }
    Ok(())
}

/// The ids of `snapshots` or `runs` worth trying: those a scan yields until it fails, then all up
/// to the largest seen by any index or counter that can still be read.
fn ids(old: &Connection, table: &str) -> Vec<i64> {
    let mut seen = std::collections::BTreeSet::new();
    for query in [
        format!("SELECT id FROM {table} NOT INDEXED ORDER BY id"),
        format!("SELECT id FROM {table} NOT INDEXED ORDER BY id DESC"),
        format!("SELECT id FROM {table} INDEXED BY {table}_by_content WHERE content > x''"),
    ] {
        let Ok(mut statement) = old.prepare(&query) else {
            continue;
        };
        let Ok(mut rows) = statement.query([]) else {
            continue;
        };
        while let Ok(Some(row)) = rows.next() {
            if let Ok(id) = row.get::<_, i64>(0) {
                seen.insert(id);
            }
        }
    }
    let counter = old
        .query_row(
            "SELECT seq FROM sqlite_sequence WHERE name = ?1",
            params![table],
            |row| row.get::<_, i64>(0),
        )
        .unwrap_or(0)
        .min(1_000_000);
    seen.extend(1..=counter);
    seen.into_iter().collect()
}

/// Whether a row that can't be read is there, as far as can be told.
fn is_there(old: &Connection, table: &str, id: i64) -> bool {
    old.prepare_cached(&format!("SELECT 1 FROM {table} WHERE id = ?1"))
        .and_then(|mut statement| statement.exists(params![id]))
        .unwrap_or(true)
}

fn carry_snapshots(
    old: &Connection,
    store: &Store,
    salvaged: &mut Salvaged,
) -> Result<(), StoreError> {
    let conn = store.connection();
    for id in ids(old, "snapshots") {
        match snapshots::read_one(old, id) {
            Ok(Some(summary)) => match contents::get(old, &summary.content) {
                Ok(bytes) => {
                    contents::put(&conn, &bytes)?;
                    summary.write(&conn)?;
                    salvaged.snapshots += 1;
                }
                Err(_) => salvaged.lost += 1,
            },
            Ok(None) => salvaged.lost += usize::from(is_there(old, "snapshots", id)),
            Err(_) => salvaged.lost += 1,
        }
    }
    Ok(())
}

fn carry_connections(
    old: &Connection,
    store: &Store,
    salvaged: &mut Salvaged,
) -> Result<(), StoreError> {
    match connections::all(old) {
        Ok((kept, damaged)) => {
            for connection in &kept {
                store.keep_connection(connection)?;
            }
            salvaged.connections += kept.len();
            salvaged.lost += damaged;
        }
        Err(_) => salvaged.lost += usize::from(has_table(old, "connections")),
    }
    Ok(())
}

fn carry_runs(old: &Connection, store: &Store, salvaged: &mut Salvaged) -> Result<(), StoreError> {
    let conn = store.connection();
    for id in ids(old, "runs") {
        let intact = runs::find(old, id)
            .and_then(|run| contents::get(old, &run.content).map(|bytes| (run, bytes)));
        match intact {
            Ok((run, bytes)) => {
                contents::put(&conn, &bytes)?;
                run.write(&conn)?;
                salvaged.runs += 1;
            }
            Err(_) => salvaged.lost += usize::from(is_there(old, "runs", id)),
        }
    }
    Ok(())
}

/// Whether the schema, as far as it can be read, has a table; older ones have fewer.
fn has_table(old: &Connection, table: &str) -> bool {
    old.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE name = ?1",
        params![table],
        |row| row.get::<_, i64>(0),
    )
    .is_ok_and(|count| count > 0)
}

fn carry_drafts(
    old: Connection,
    copy: &Path,
    store: &Store,
    salvaged: &mut Salvaged,
) -> Result<(), StoreError> {
    let files: Vec<String> = old
        .prepare("SELECT file FROM drafts")
        .and_then(|mut statement| {
            let files = statement.query_map([], |row| row.get(0))?;
            Ok(files.map_while(Result::ok).collect())
        })
        .unwrap_or_default();
    let old = Store::over(old, copy);
    for file in files {
        match old.draft(&file) {
            Ok(Some(draft)) => {
                store.checkpoint_draft(
                    &file,
                    NOBODY,
                    &draft.base,
                    &draft.tree,
                    draft.modified,
                    draft.saved_at,
                )?;
                for edits in &draft.edits {
                    store.append_draft(&file, NOBODY, edits, draft.modified, draft.saved_at)?;
                }
                salvaged.drafts += 1;
                salvaged.lost += usize::from(draft.lost > 0);
            }
            Ok(None) | Err(_) => salvaged.lost += 1,
        }
    }
    Ok(())
}
