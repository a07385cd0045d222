//! Runs and connections: written before they are sent, read back unchanged, and checked for damage.

use std::fs;
use std::path::Path;

use promptdeck_store::connections::Connection;
use promptdeck_store::runs::{NewRun, Run, RunStatus};
use promptdeck_store::{OpenedStore, Store};
use tempfile::TempDir;

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let OpenedStore { store, .. } =
        Store::open(&folder.path().join("store.sqlite")).expect("opens");
    (folder, store)
}

fn new(file: &str, seed: u64) -> NewRun<'_> {
    NewRun {
        file,
        target: "ollama http://localhost:11434 tiny",
        content: br#"{"assembly_order":[]}"#,
        state: r#"{"selections":{}}"#,
        route: Some("raid"),
        seed,
        request: r#"{"address":"http://localhost:11434/api/chat","body":{}}"#,
        started_at: 1_700_000_000_000,
    }
}

fn blob_count(store: &Store) -> i64 {
    rusqlite::Connection::open(store.path())
        .and_then(|conn| conn.query_row("SELECT count(*) FROM contents", [], |row| row.get(0)))
        .expect("a count")
}

#[test]
fn a_run_is_there_from_its_beginning() {
    let (_folder, store) = store();
    let begun = store.begin_run(&new("a.json", 7)).expect("begun");
    assert_eq!(store.run(begun.id).expect("kept"), begun);
    assert_eq!(
        (begun.status, begun.outcome.as_str()),
        (RunStatus::Running, "null")
    );
    let done = store
        .update_run(begun.id, RunStatus::Rejected, r#"{"reason":"too short"}"#)
        .expect("finished");
    assert_eq!(store.run(begun.id).expect("kept"), done);
    assert_eq!(
        (done.status, done.request),
        (RunStatus::Rejected, begun.request)
    );
    let content = store.content(&done.content).expect("the registry");
    assert_eq!(content, br#"{"assembly_order":[]}"#);
}

#[test]
fn the_history_of_a_file_is_newest_first() {
    let (_folder, store) = store();
    for seed in 1..=5 {
        store.begin_run(&new("a.json", seed)).expect("begun");
        store.begin_run(&new("b.json", seed)).expect("begun");
    }
    let seeds = |offset, limit| -> Vec<u64> {
        let page = store.runs("a.json", offset, limit).expect("a page");
        assert_eq!((page.total, page.damaged), (5, 0));
        page.runs.iter().map(|run| run.seed).collect()
    };
    assert_eq!(seeds(0, 3), [5, 4, 3]);
    assert_eq!(seeds(3, 3), [2, 1]);
}

#[test]
fn a_number_is_never_given_twice_and_contents_go_with_their_last_run() {
    let (_folder, store) = store();
    let one = store.begin_run(&new("a.json", 1)).expect("begun");
    let two = store.begin_run(&new("a.json", 2)).expect("begun");
    assert_eq!(blob_count(&store), 1);
    store.forget_run(two.id).expect("forgotten");
    assert!(store.content(&one.content).is_ok());
    store.forget_run(one.id).expect("forgotten");
    assert_eq!(blob_count(&store), 0);
    assert!(store.begin_run(&new("a.json", 3)).expect("begun").id > two.id);
    assert_eq!(store.run(one.id).expect_err("gone").code(), "store_missing");
}

#[test]
fn a_changed_row_is_not_believed() {
    let (folder, store) = store();
    let run = store.begin_run(&new("a.json", 1)).expect("begun");
    let change = |sql: &str| {
        // Reopened: a repaired store is another file.
        let path = folder.path().join("store.sqlite");
        let other = rusqlite::Connection::open(path).expect("opens");
        other.execute(sql, []).expect("changed")
    };
    change("UPDATE runs SET request = replace(request, 'localhost', 'elsewhere')");
    // Repaired: the version in the log is intact.
    assert_eq!(store.run(run.id).expect("repaired"), run);
    let page = store.runs("a.json", 0, 10).expect("a page");
    assert_eq!((page.runs.as_slice(), page.damaged), (&[run][..], 0));
    let work = Connection {
        name: "work".to_owned(),
        kind: "openai".to_owned(),
        base_url: "https://api.example/v1".to_owned(),
        model: String::new(),
        template: Some("{{ messages[0].content }}".to_owned()),
        keyed: true,
    };
    store.keep_connection(&work).expect("kept");
    assert_eq!(
        store.connections().expect("a list"),
        std::slice::from_ref(&work)
    );
    change("UPDATE connections SET base_url = 'https://elsewhere.example/v1'");
    assert_eq!(store.connections().expect("a list"), []);
    store.keep_connection(&work).expect("kept");
    store.forget_connection("work").expect("forgotten");
    assert_eq!(store.connections().expect("a list"), []);
}

/// Runs and connections as written.
type Truth = (Vec<Run>, Vec<Connection>);

fn filled(path: &Path) -> Truth {
    let store = Store::open(path).expect("opens").store;
    for seed in 0..24 {
        let begun = store.begin_run(&new("a.json", seed)).expect("begun");
        let outcome = format!(r#"{{"text":"{}"}}"#, "word ".repeat(60));
        let done = store.update_run(begun.id, RunStatus::Accepted, &outcome);
        done.expect("finished");
    }
    for number in 0..6 {
        let connection = Connection {
            name: format!("server {number}"),
            kind: "completions".to_owned(),
            base_url: format!("http://localhost:{number}"),
            model: "tiny".to_owned(),
            template: (number % 2 == 0).then(|| "{{ messages }}".to_owned()),
            keyed: false,
        };
        store.keep_connection(&connection).expect("kept");
    }
    all(&store)
}

fn all(store: &Store) -> Truth {
    let runs = store.runs("a.json", 0, 100).map(|page| page.runs);
    (
        runs.unwrap_or_default(),
        store.connections().unwrap_or_default(),
    )
}

#[test]
fn a_damaged_store_gives_up_what_is_intact() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let (runs, connections) = filled(&path);
    let mut bytes = fs::read(&path).expect("read");
    bytes[..100].fill(0);
    fs::write(&path, bytes).expect("written");
    let salvaged = Store::open_damaged(&path).expect("salvaged");
    let salvage = salvaged.salvage.expect("a report");
    assert_eq!((salvage.runs, salvage.connections), (24, 6));
    assert!(salvage.complete, "{salvage}");
    assert_eq!(all(&salvaged.store), (runs, connections));
    let next = salvaged.store.begin_run(&new("a.json", 1)).expect("begun");
    assert_eq!(next.id, 25);
}

#[test]
fn flipped_bits_in_runs_and_connections_are_never_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let truth = filled(&path);
    let sound = fs::read(&path).expect("read");
    // Every 997th bit: spread over the file, and varying in its position within the byte.
    let places = (0..sound.len() * 8).step_by(997);
    let (mut flips, mut intact, mut salvaged) = (0, 0, 0);
    for place in places {
        let case = tempfile::tempdir().expect("a folder");
        let path = case.path().join("store.sqlite");
        let mut bytes = sound.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        fs::write(&path, &bytes).expect("written");
        flips += 1;
        let Ok(OpenedStore {
            mut store,
            mut salvage,
        }) = Store::open(&path)
        else {
            continue;
        };
        if salvage.is_none() && !matches!(store.is_sound(), Ok(true)) {
            drop(store);
            OpenedStore { store, salvage } = Store::open_damaged(&path).expect("salvaged");
        }
        salvaged += usize::from(salvage.is_some());
        let found = all(&store);
        // Either the last version or, with a report, the one before.
        let incomplete = salvage.is_some_and(|salvage| !salvage.complete);
        for run in &found.0 {
            let before = truth.0.iter().any(|each| {
                (each.id, &each.request, each.content) == (run.id, &run.request, run.content)
                    && run.status == RunStatus::Running
            });
            assert!(truth.0.contains(run) || (before && incomplete), "{place}");
        }
        assert!(found.1.iter().all(|each| truth.1.contains(each)), "{place}");
        intact += found.0.len() + found.1.len();
    }
    println!("{flips} flips, {salvaged} salvaged, {intact} rows read, each as it was written");
    assert!(flips > 300 && intact > flips * 15, "{flips} {intact}");
}
