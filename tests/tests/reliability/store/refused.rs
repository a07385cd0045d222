//! Files that are not stores: refused and unchanged, with nothing created beside them.

use std::fs;
use std::sync::mpsc;

use promptdeck_store::{Store, StoreError};

use super::{files_of, path_in};

#[test]
fn what_is_not_a_store_is_refused_and_left() {
    let registry = br#"{"version": 2, "sections": {}}"#.repeat(200);
    let database = {
        let folder = tempfile::tempdir().expect("a folder");
        let path = path_in(folder.path());
        let conn = rusqlite::Connection::open(&path).expect("opened");
        conn.execute_batch("CREATE TABLE mine (id INTEGER); INSERT INTO mine VALUES (1);")
            .expect("made");
        drop(conn);
        fs::read(path).expect("read")
    };
    let mut other_program = database.clone();
    other_program[68..72].copy_from_slice(b"ABCD");
    let filled = |range: std::ops::Range<usize>, byte: u8| {
        let mut bytes = database.clone();
        bytes[range].fill(byte);
        bytes
    };
    let cases: [(&str, Vec<u8>); 10] = [
        ("a database cut short", database[..2000].to_vec()),
        ("a database without its schema", filled(100..3100, 0)),
        ("a database with a damaged schema", filled(3500..4096, 0xff)),
        ("the first bytes of a database", database[..16].to_vec()),
        ("a registry", registry),
        ("a text", b"notes of mine\n".to_vec()),
        ("one byte", vec![b'x']),
        ("zeros", vec![0; 8192]),
        ("a database", database.clone()),
        ("another program's database", other_program),
    ];
    let mut refused = 0;
    for (name, bytes) in &cases {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.json");
        fs::write(&path, bytes).expect("written");
        let before = files_of(folder.path());
        let ways: [fn(&std::path::Path) -> Option<StoreError>; 3] = [
            |path| Store::open(path).err(),
            |path| Store::open_to_read(path).err(),
            |path| Store::open_damaged(path).err(),
        ];
        for way in &ways[..2] {
            let fault = way(&path).unwrap_or_else(|| panic!("{name} is refused"));
            assert!(
                ["not_a_store", "store_foreign"].contains(&fault.code()),
                "{name}: {fault}"
            );
            assert!(fault.to_string().contains("mine.json"), "{fault}");
            assert!(files_of(folder.path()) == before, "{name}: {fault}");
            refused += 1;
        }
        // Even if it was used as a store before, when the lock file exists.
        assert!(ways[2](&path).is_some(), "{name}");
        assert!(fs::read(&path).expect("there") == *bytes, "{name}");
        assert!(Store::open(&path).is_err(), "{name}");
        assert!(fs::read(&path).expect("there") == *bytes, "{name}");
        refused += 2;
    }
    println!(
        "{refused} refusals of {} files that are no store",
        cases.len()
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pipe");
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("made");
    for way in [Store::open, Store::open_to_read, Store::open_to_change] {
        let fault = way(&path).expect_err("refused").to_string();
        assert!(fault.contains("not a regular file"), "{fault}");
    }
    let names = fs::read_dir(folder.path()).expect("listed").count();
    assert_eq!(names, 1, "nothing is made beside it");
}

#[test]
fn reading_makes_no_folders_and_no_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("not/there/store.sqlite");
    let store = Store::open_to_read(&path).expect("read").store;
    assert_eq!(super::listed(&store).len(), 0);
    let fault = super::try_take(&store, 1).expect_err("refused");
    assert_eq!(fault.code(), "store_read_only");
    drop(store);
    assert_eq!(files_of(folder.path()).len(), 0);
    assert!(!folder.path().join("not").exists());
}

#[test]
fn messages_are_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let store = Store::open(&path).expect("opened").store;
    let conn = rusqlite::Connection::open(&path).expect("opened");
    let (reports, reported) = mpsc::channel();
    store.on_salvage(move |salvage| reports.send(salvage.to_string()).expect("awaited"));
    conn.execute_batch("DROP TABLE settings").expect("dropped");
    drop(conn);
    assert_eq!(store.setting("window").expect("repaired"), None);
    let report = reported.try_recv().expect("reported");
    for sql in ["SELECT", "no such table"] {
        assert!(!report.contains(sql), "{report}");
    }
}
