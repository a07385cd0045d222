//! Schema versions of the store and the migrations between them.
//!
//! The column `seal` of each table is the row's checksum (`row_checksum`); the table `ledger` has the
//! checksums of whole lists (`list_checksums`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusqlite::{Connection, MAIN_DB};
use rusqlite_migration::{M, Migrations};

use crate::files::sync_folder;
use crate::list_checksums;
use crate::store::sibling_path;
use crate::{StoreError, space};

/// `PRMD` in SQLite's header identifies our files.
pub const APPLICATION_ID: i64 = 0x5052_4d44;

/// The schema version that this program reads and writes.
pub const NEWEST: i64 = 5;

/// All migrations, oldest first. A released migration never changes.
fn steps() -> Vec<M<'static>> {
    vec![
        M::up(include_str!("sql/0001.sql")),
        M::up(include_str!("sql/0002.sql")),
        M::up(include_str!("sql/0003.sql")),
        M::up_with_hook(include_str!("sql/0004.sql"), |transaction| {
            Ok(list_checksums::fill(
                transaction,
                list_checksums::lists_of(4),
                &[],
            )?)
        }),
        M::up_with_hook(include_str!("sql/0005.sql"), |transaction| {
            Ok(list_checksums::fill(transaction, &["turns"], &[])?)
        }),
    ]
}

/// Creates the tables of a schema version, from 1 to [`NEWEST`], in an empty database.
///
/// # Errors
/// [`StoreError::Migration`] if SQLite fails.
pub fn create(conn: &mut Connection, version: i64) -> Result<(), StoreError> {
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    let version = usize::try_from(version).unwrap_or_default();
    Migrations::new(steps())
        .to_version(conn, version)
        .map_err(|source| StoreError::Migration {
            backup: None,
            source,
        })
}

/// Migrates a store to the newest schema, after a backup to `store.sqlite.before-N`, where N is the
/// old version. Without a path there is nothing to back up.
///
/// # Errors
/// [`StoreError::Migration`] if SQLite fails or the backup cannot be written; the store is
/// unchanged then.
pub fn migrate(conn: &mut Connection, path: Option<&Path>) -> Result<(), StoreError> {
    migrate_by(conn, path, steps())
}

fn migrate_by(
    conn: &mut Connection,
    path: Option<&Path>,
    steps: Vec<M<'static>>,
) -> Result<(), StoreError> {
    let version: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let version = version as usize;
    if version == steps.len() {
        return Ok(());
    }
    let backup = match path.filter(|_| version > 0) {
        Some(path) => Some(back_up(conn, path, version)?),
        None => None,
    };
    // Set first, so that an interrupted creation is recognized as ours.
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    Migrations::new(steps)
        .to_latest(conn)
        .map_err(|source| StoreError::Migration { backup, source })
}

/// Copies the whole store. The copy is renamed when complete, so a partial one is never mistaken
/// for a backup.
fn back_up(conn: &Connection, path: &Path, version: usize) -> Result<PathBuf, StoreError> {
    let part = sibling_path(path, "part");
    let whole = sibling_path(path, &format!("before-{version}"));
    for left_over in [part.clone(), sibling_path(path, "part-journal")] {
        if left_over.exists() {
            fs::remove_file(&left_over)
                .map_err(|fault| StoreError::file("remove", &left_over, fault))?;
        }
    }
    let copied = conn.backup(MAIN_DB, &part, None);
    if let Err(fault) = copied {
        let _ = fs::remove_file(&part);
        let size: i64 = conn
            .query_row("PRAGMA page_count", [], |row| row.get(0))
            .unwrap_or_default();
        return Err(space::explain(
            fault.into(),
            path,
            size.unsigned_abs() * 4096,
        ));
    }
    // SQLite copies the write-ahead file format version, but the copy has no log.
    fs::File::open(&part)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(&part, &whole))
        .map_err(|fault| StoreError::file("write", &whole, fault))?;
    sync_folder(&whole)?;
    Ok(whole)
}

/// Tables and indexes of a schema by name, with their SQL.
pub(crate) type Objects = BTreeSet<(String, String)>;

/// The tables and indexes of a schema version.
pub(crate) fn objects(version: i64) -> Result<&'static Objects, StoreError> {
    const SCHEMAS: usize = NEWEST.unsigned_abs() as usize + 1;
    static KNOWN: [OnceLock<Objects>; SCHEMAS] = [const { OnceLock::new() }; SCHEMAS];
    let known = usize::try_from(version)
        .ok()
        .and_then(|version| KNOWN.get(version))
        .ok_or_else(|| StoreError::missing(format!("schema {version}")))?;
    if let Some(objects) = known.get() {
        return Ok(objects);
    }
    let objects = build_objects(version)?;
    Ok(known.get_or_init(|| objects))
}

fn build_objects(version: i64) -> Result<Objects, StoreError> {
    let mut conn = Connection::open_in_memory()?;
    create(&mut conn, version)?;
    let mut statement =
        conn.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")?;
    let objects = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    Ok(objects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    /// A schema after the newest, to test migrating with a backup.
    const NEXT: M<'static> = M::up("ALTER TABLE settings ADD COLUMN extra TEXT;");
    const BROKEN: M<'static> = M::up("ALTER TABLE nowhere ADD COLUMN extra TEXT;");

    fn old_store() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.sqlite");
        let store = Store::open(&path).unwrap().store;
        store.set_setting("window", "old").unwrap();
        (folder, path)
    }

    #[test]
    fn the_newest_schema_is_the_last_step() {
        assert_eq!(steps().len(), usize::try_from(NEWEST).unwrap());
    }

    #[test]
    fn every_historic_schema_is_brought_up_to_date() {
        for version in 0..=NEWEST {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("store.sqlite");
            let mut conn = Connection::open(&path).unwrap();
            if version > 0 {
                create(&mut conn, version).unwrap();
            }
            drop(conn);
            let store = Store::open(&path).unwrap().store;
            store.set_setting("window", "{}").unwrap();
            let now: i64 = store
                .read(|conn| Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?))
                .unwrap();
            assert_eq!(now, NEWEST, "from {version}");
        }
    }

    #[test]
    fn a_backup_is_made_before_migrating() {
        let (_folder, path) = old_store();
        let mut conn = Connection::open(&path).unwrap();
        let mut steps = steps();
        steps.push(NEXT);
        migrate_by(&mut conn, Some(&path), steps).unwrap();
        let backup = sibling_path(&path, &format!("before-{NEWEST}"));
        let old = Store::open(&backup).unwrap().store;
        assert_eq!(old.setting("window").unwrap().as_deref(), Some("old"));
        assert!(!sibling_path(&path, "part").exists());
    }

    #[test]
    fn a_migration_that_fails_leaves_the_old_schema_and_names_the_backup() {
        let (_folder, path) = old_store();
        let mut conn = Connection::open(&path).unwrap();
        let mut steps = steps();
        steps.extend([NEXT, BROKEN]);
        let fault = migrate_by(&mut conn, Some(&path), steps).unwrap_err();
        assert_eq!(fault.code(), "store_migration");
        let message = fault.to_string();
        let backup = sibling_path(&path, &format!("before-{NEWEST}"));
        assert!(
            backup.exists() && message.contains(&*backup.to_string_lossy()),
            "{message}"
        );
        assert!(!message.contains("ALTER"), "{message}");
        drop(conn);
        let conn = Connection::open(&path).unwrap();
        let rows: i64 = conn
            .query_row("SELECT count(*) FROM settings", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn no_backup_is_claimed_where_none_was_made() {
        let mut conn = Connection::open_in_memory().unwrap();
        let fault = migrate_by(&mut conn, None, vec![BROKEN]).unwrap_err();
        assert!(!fault.to_string().contains("backup"), "{fault}");
    }
}
