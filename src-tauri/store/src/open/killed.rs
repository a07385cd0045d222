//! Migrations that are killed: from every historic schema, at points spread over all the work that
//! SQLite does for it, backup included. A case runs in a process of its own, which is this very
//! test program, asked by environment variables to be the child.

use std::env;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::*;
use crate::connections::Connection as ModelServer;
use crate::runs::{NewRun, RunStatus};
use crate::snapshots::NewSnapshot;

const STORE: &str = "PROMPTDECK_TEST_KILLED_STORE";
/// After how many instructions of SQLite's machine the child kills itself.
const AFTER: &str = "PROMPTDECK_TEST_KILLED_AFTER";
/// The rows that the tables of each schema hold.
const TABLES: [&[&str]; 3] = [
    &["contents", "snapshots", "drafts", "draft_edits", "settings"],
    &["runs", "connections"],
    &[],
];

/// Opens the store as [`Store::open`] does, and kills itself on the way.
#[test]
fn child() {
    let (Some(path), Ok(after)) = (env::var_os(STORE), env::var(AFTER)) else {
        return;
    };
    let path = Path::new(&path);
    let mut left: u64 = after.parse().unwrap();
    let mut conn = Connection::open(path).unwrap();
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
    .unwrap();
    refuse_strangers(&conn, path).unwrap();
    conn.pragma_update(None, "journal_mode", "WAL").unwrap();
    conn.pragma_update(None, "synchronous", "FULL").unwrap();
    migrate(&mut conn, path, STEPS).unwrap();
}

fn migrated_in_child(path: &Path, after: u64) -> ExitStatus {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "open::killed::child"])
        .env(STORE, path)
        .env(AFTER, after.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

/// A store of schema `version` with rows in every table it has.
fn old_store(path: &Path, version: usize) {
    let mut conn = Connection::open(path).unwrap();
    conn.pragma_update(None, "application_id", APPLICATION_ID)
        .unwrap();
    Migrations::from_slice(STEPS)
        .to_version(&mut conn, version)
        .unwrap();
    let store = Store::over(conn, path);
    for number in 0..20 {
        let content = format!("{{\"number\": {number}}}").repeat(200);
        store
            .take_snapshot(&NewSnapshot {
                name: &format!("snapshot {number}"),
                note: "",
                file: "/a.json",
                content: content.as_bytes(),
                state: "{}",
                route: None,
                seed: number,
                target: None,
                glance: "",
                taken_at: 5,
                automatic: false,
            })
            .unwrap();
    }
    let base = crate::Hash::of(b"base");
    store
        .checkpoint_draft("/a.json", 1, &base, b"{}", true, 5)
        .unwrap();
    store.append_draft("/a.json", 1, b"[]", true, 6).unwrap();
    store.set_setting("window", "{}").unwrap();
    if version < 2 {
        return;
    }
    for seed in 0..20 {
        let run = store
            .begin_run(&NewRun {
                file: "/a.json",
                target: "work: openai http://localhost:1 tiny",
                content: b"{}",
                state: "{}",
                route: None,
                seed,
                request: "{}",
                started_at: 7,
            })
            .unwrap();
        store
            .finish_run(run.id, RunStatus::Accepted, r#"{"text":"Hi"}"#)
            .unwrap();
    }
    let connection = server();
    store
        .connection()
        .execute(
            "INSERT INTO connections (name, kind, base_url, model, keyed, seal)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            rusqlite::params![
                connection.name,
                connection.kind,
                connection.base_url,
                connection.model,
                connection.keyed,
                connection.seal(),
            ],
        )
        .unwrap();
}

/// A connection as schema 2 knew it.
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

/// Every row of the tables of schema `version`, each as SQLite prints it.
fn rows(path: &Path, version: usize) -> Vec<String> {
    let conn = Connection::open(path).unwrap();
    let mut all = Vec::new();
    for table in TABLES[..version].iter().copied().flatten() {
        let columns: Vec<String> = conn
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .filter(|name| name != "template")
            .collect();
        let quoted: Vec<_> = columns
            .iter()
            .map(|name| format!("quote({name})"))
            .collect();
        let query = format!(
            "SELECT {} FROM {table} ORDER BY 1",
            quoted.join(" || ' ' || ")
        );
        let mut statement = conn.prepare(&query).unwrap();
        let found = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        all.extend(found.map(|row| format!("{table} {}", row.unwrap())));
    }
    all
}

/// How many instructions SQLite's machine runs for a migration that nothing disturbs.
fn instructions(path: &Path) -> u64 {
    let (mut least, mut most) = (1, 2);
    let folder = tempfile::tempdir().unwrap();
    let survives = |after| {
        let copy = folder.path().join(format!("{after}.sqlite"));
        fs::copy(path, &copy).unwrap();
        migrated_in_child(&copy, after).success()
    };
    while !survives(most) {
        (least, most) = (most, most * 2);
    }
    while most - least > 8 {
        let middle = least.midpoint(most);
        if survives(middle) {
            most = middle;
        } else {
            least = middle;
        }
    }
    most
}

#[test]
fn a_killed_migration_loses_nothing() {
    const POINTS: u64 = 60;
    let mut kills = 0;
    for version in 1..STEPS.len() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old.sqlite");
        old_store(&old, version);
        let truth = rows(&old, version);
        assert!(truth.len() > 40, "{}", truth.len());
        let all = instructions(&old);
        for point in 0..POINTS {
            let case = tempfile::tempdir().unwrap();
            let path = case.path().join("store.sqlite");
            fs::copy(&old, &path).unwrap();
            let after = 1 + point * all / POINTS;
            kills += u32::from(!migrated_in_child(&path, after).success());
            let opened = Store::open(&path).unwrap();
            assert_eq!(
                opened.salvage, None,
                "schema {version}, killed after {after}"
            );
            assert_eq!(
                rows(&path, version),
                truth,
                "schema {version}, killed after {after}"
            );
            let backup = beside(&path, &format!("before-{version}"));
            assert_eq!(
                rows(&backup, version),
                truth,
                "the backup of schema {version}"
            );
            let connections = opened.store.connections().unwrap();
            assert_eq!(
                connections,
                if version < 2 { vec![] } else { vec![server()] }
            );
        }
    }
    println!("{kills} kills, every store opened with the rows it had");
    assert!(u64::from(kills) > POINTS * (STEPS.len() as u64 - 1) * 9 / 10);
}

#[test]
fn a_newer_schema_is_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.sqlite");
    old_store(&path, STEPS.len() - 1);
    let conn = Connection::open(&path).unwrap();
    let newer = i64::try_from(STEPS.len()).unwrap() + 1;
    conn.pragma_update(None, "user_version", newer).unwrap();
    drop(conn);
    let before = fs::read(&path).unwrap();
    assert_eq!(Store::open(&path).unwrap_err().code(), "store_newer");
    assert_eq!(fs::read(&path).unwrap(), before);
}
