//! Migrations killed at points spread over SQLite's work, from every historic schema.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use promptdeck_store::connections::Connection as ModelServer;
use promptdeck_store::runs::{NewRun, RunStatus};
use promptdeck_store::{Store, schema};
use rusqlite::Connection;

use super::{child_command, fill, path_in};

/// Number of instructions of SQLite's virtual machine after which the child kills itself.
const AFTER: &str = "PROMPTDECK_TEST_KILLED_AFTER";

/// The tables that each schema added.
const TABLES: [&[&str]; 3] = [
    &["contents", "snapshots", "drafts", "draft_edits", "settings"],
    &["connections", "runs"],
    &[],
];

/// Migrates like opening does, and kills itself in between.
pub(super) fn migrate_and_die(folder: &Path) {
    let mut left: u64 = env::var(AFTER)
        .expect("a number")
        .parse()
        .expect("a number");
    let path = path_in(folder);
    let mut conn = Connection::open(&path).expect("opened");
    conn.progress_handler(
        1,
        Some(move || {
            left -= 1;
            if left == 0 {
                let _ = Command::new("kill")
                    .args(["-9", &std::process::id().to_string()])
                    .status();
            }
            false
        }),
    )
    .expect("set");
    conn.pragma_update(None, "journal_mode", "WAL")
        .expect("set");
    conn.pragma_update(None, "synchronous", "FULL")
        .expect("set");
    schema::migrate(&mut conn, Some(&path)).expect("migrated");
}

/// Whether a migration completes before it is killed.
fn survives(folder: &Path, after: u64) -> bool {
    child_command("migration", folder)
        .env(AFTER, after.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("a child")
        .success()
}

fn server() -> ModelServer {
    ModelServer {
        name: "work".to_owned(),
        kind: "openai".to_owned(),
        base_url: "http://localhost:1".to_owned(),
        model: "tiny".to_owned(),
        template: None,
        keyed: false,
    }
}

/// A store of the newest schema with rows in every table.
fn full_store(path: &Path) {
    let store = Store::open(path).expect("opened").store;
    fill(&store, 20);
    for seed in 0..20 {
        let new = NewRun {
            file: "/a.json",
            target: "work: openai http://localhost:1 tiny",
            content: b"{}",
            state: "{}",
            route: None,
            seed,
            request: "{}",
            started_at: 7,
        };
        let run = store.begin_run(&new).expect("begun");
        store
            .update_run(run.id, RunStatus::Accepted, r#"{"text":"Hi"}"#)
            .expect("finished");
    }
    store.keep_connection(&server()).expect("kept");
}

fn columns(conn: &Connection, table: &str) -> Vec<String> {
    let mut statement = conn
        .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))
        .expect("prepared");
    let names = statement.query_map([], |row| row.get(0)).expect("asked");
    names.map(|name| name.expect("a name")).collect()
}

fn tables(version: usize) -> impl Iterator<Item = &'static str> {
    TABLES[..version.min(TABLES.len())]
        .iter()
        .copied()
        .flatten()
        .copied()
}

/// First schema with a ledger.
const LEDGER_SINCE: usize = 4;

/// Copies the rows of a newest store into a store of an old schema.
fn old_store(path: &Path, full: &Path, version: usize) {
    let mut conn = Connection::open(path).expect("opened");
    conn.pragma_update(None, "foreign_keys", false)
        .expect("set");
    schema::create(&mut conn, i64::try_from(version).expect("small")).expect("made");
    conn.execute("ATTACH ?1 AS full", [full.to_str().expect("text")])
        .expect("attached");
    for table in tables(version) {
        let columns = columns(&conn, table).join(", ");
        conn.execute_batch(&format!(
            "INSERT INTO main.{table} ({columns}) SELECT {columns} FROM full.{table}"
        ))
        .expect("copied");
    }
    if version >= LEDGER_SINCE {
        // Its entries for the lists of this schema; the newest has further ones.
        conn.execute_batch(
            "UPDATE main.ledger AS old SET (revision, count, checksum, seal) = (
                 SELECT revision, count, checksum, seal FROM full.ledger AS new
                 WHERE new.name = old.name)",
        )
        .expect("copied");
    }
}

/// Every row of the tables of a schema, as printed by SQLite.
fn rows(path: &Path, version: usize) -> Vec<String> {
    let conn = Connection::open(path).expect("opened");
    let mut all = Vec::new();
    for table in tables(version) {
        let quoted: Vec<_> = columns(&conn, table)
            .into_iter()
            .filter(|name| name != "template")
            .map(|name| format!("quote({name})"))
            .collect();
        let query = format!(
            "SELECT {} FROM {table} ORDER BY 1",
            quoted.join(" || ' ' || ")
        );
        let mut statement = conn.prepare(&query).expect("prepared");
        let found = statement
            .query_map([], |row| row.get::<_, String>(0))
            .expect("asked");
        all.extend(found.map(|row| format!("{table} {}", row.expect("a row"))));
    }
    all
}

/// Number of instructions of an undisturbed migration.
fn instructions(old: &Path) -> u64 {
    let survives = |after| {
        let folder = tempfile::tempdir().expect("a folder");
        fs::copy(old, path_in(folder.path())).expect("copied");
        survives(folder.path(), after)
    };
    let (mut least, mut most) = (1, 2);
    while !survives(most) {
        (least, most) = (most, most * 2);
    }
    while most - least > 8 {
        let middle = u64::midpoint(least, most);
        if survives(middle) {
            most = middle;
        } else {
            least = middle;
        }
    }
    most
}

#[test]
fn row_03_kill_9_at_every_migration_step() {
    const POINTS: u64 = 50;
    let newest = usize::try_from(schema::NEWEST).expect("small");
    let folder = tempfile::tempdir().expect("a folder");
    let full = folder.path().join("full.sqlite");
    full_store(&full);
    let mut kills = 0;
    for version in 1..newest {
        let old = folder.path().join(format!("old-{version}.sqlite"));
        old_store(&old, &full, version);
        let truth = rows(&old, version);
        assert!(truth.len() > 40, "{}", truth.len());
        let all = instructions(&old);
        for point in 0..POINTS {
            let case = tempfile::tempdir().expect("a folder");
            let path = path_in(case.path());
            fs::copy(&old, &path).expect("copied");
            let after = 1 + point * all / POINTS;
            kills += u32::from(!survives(case.path(), after));
            let opened = Store::open(&path).expect("opened");
            let name = format!("schema {version}, killed after {after} of {all}");
            assert_eq!(opened.salvage, None, "{name}");
            assert_eq!(rows(&path, version), truth, "{name}");
            assert_eq!(opened.store.problems().expect("checked"), [""; 0], "{name}");
            let backup = case.path().join(format!("store.sqlite.before-{version}"));
            assert_eq!(rows(&backup, version), truth, "the backup, {name}");
            let connections = opened.store.connections().expect("listed");
            assert_eq!(
                connections,
                if version < 2 { vec![] } else { vec![server()] }
            );
        }
    }
    println!(
        "{kills} kills from {} historic schemas, every store opened with the rows it had",
        newest - 1
    );
    assert!(u64::from(kills) > POINTS * (newest as u64 - 1) * 9 / 10);
}

#[test]
fn a_newer_schema_is_left_untouched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    full_store(&path);
    let conn = Connection::open(&path).expect("opened");
    conn.execute_batch("CREATE TABLE later (id INTEGER); DROP INDEX runs_by_file;")
        .expect("changed");
    conn.pragma_update(None, "user_version", schema::NEWEST + 1)
        .expect("set");
    drop(conn);
    let before = super::files_of(folder.path());
    for fault in [Store::open(&path).err(), Store::open_to_read(&path).err()] {
        assert_eq!(fault.expect("refused").code(), "store_newer");
    }
    assert!(super::files_of(folder.path()) == before);
}
