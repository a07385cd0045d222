//! A store that another program has locked: reported after a second.

use std::fs::File;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_store::Store;

use super::{Running, fill, path_in, take};

/// Opens and writes, and reports its wait.
pub(super) fn wait(folder: &Path) {
    promptdeck_store::on_waiting(|words| println!("\nack {words}"));
    let store = Store::open(&path_in(folder)).expect("opened").store;
    let summary = take(&store, 1);
    println!("\nack {}", summary.id);
}

#[test]
fn a_wait_is_reported_after_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    drop(fill(&Store::open(&path).expect("opened").store, 2));
    let waiting = |name: &str| {
        let mut child = Running::new("waiter", folder.path());
        let begun = Instant::now();
        let words = child.ack().expect("a report");
        let after = begun.elapsed();
        assert!(
            words.contains("another program is using"),
            "{name}: {words}"
        );
        assert!(
            (Duration::from_millis(900)..Duration::from_millis(2500)).contains(&after),
            "{name}: reported after {after:?}"
        );
        child
    };
    // Our own lock, and the lock of a program that uses only SQLite's.
    let lock = File::options()
        .write(true)
        .open(folder.path().join("store.sqlite.lock"))
        .expect("opened");
    lock.lock().expect("locked");
    let mut child = waiting("our lock");
    drop(lock);
    assert!(child.ack().expect("saved").parse::<i64>().is_ok());
    child.end();
    let conn = rusqlite::Connection::open(&path).expect("opened");
    conn.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let mut child = waiting("SQLite's lock");
    thread::sleep(Duration::from_millis(100));
    conn.execute_batch("COMMIT").expect("unlocked");
    assert!(child.ack().expect("saved").parse::<i64>().is_ok());
    child.end();
    println!("2 waits, each reported after a second");
}
