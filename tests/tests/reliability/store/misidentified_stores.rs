//! Stores that are easily misidentified: a damaged version as a newer program's store, a truncated
//! store as a foreign file, an older copy or a missing file as damage.

use std::fs;

use promptdeck_store::{OpenedStore, SalvageKind, Store};

use super::damage_per_area::{Files, LOG, STORE, large};
use super::{files_of, fill, listed, path_in, take, write_files};

const MANIFEST: &str = "store.sqlite.manifest";

fn opened(files: &Files) -> (tempfile::TempDir, OpenedStore) {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path(), files);
    let opened = Store::open(&path_in(folder.path())).expect("opened");
    (folder, opened)
}

#[test]
fn a_damaged_header_is_not_mistaken_for_a_newer_or_foreign_store() {
    let (files, truth) = large();
    let mut cases = 0;
    let mut check = |name: &str, place: usize, value: &[u8]| {
        for with_manifest in [true, false] {
            let mut damaged = files.clone();
            let bytes = damaged.get_mut(STORE).expect("the store");
            bytes[place..place + value.len()].copy_from_slice(value);
            if !with_manifest {
                damaged.remove(MANIFEST);
            }
            let (_folder, opened) = opened(&damaged);
            let salvage = opened
                .salvage
                .unwrap_or_else(|| panic!("{name} is noticed"));
            assert_eq!(salvage.kind, SalvageKind::Damaged, "{name}");
            assert!(salvage.complete, "{name}: {salvage}");
            assert!(listed(&opened.store) == truth, "{name}");
            cases += 1;
        }
    };
    for version in [
        0_u32,
        1,
        3,
        4,
        6,
        36,
        999,
        0x0400_0004,
        0x7fff_ffff,
        u32::MAX,
    ] {
        check(&format!("version {version}"), 60, &version.to_be_bytes());
    }
    for application in [0_u32, 1, 0x5052_4d45, u32::MAX] {
        let name = format!("application {application:x}");
        check(&name, 68, &application.to_be_bytes());
    }
    check("version and application", 60, &[0xff; 12]);
    check("the number of pages", 28, &[0x7f, 0, 0, 0]);
    println!("{cases} damaged headers, each repaired with every snapshot");
}

#[test]
fn a_store_cut_short_beside_its_manifest_is_damaged() {
    let (files, _) = large();
    for (retained_length, cause) in [
        (1, "cut short to 1 bytes"),
        (15, "cut short to 15 bytes"),
        (50, "cut short to 50 bytes"),
        (71, "cut short to 71 bytes"),
        (511, "pages and its file holds 0"),
    ] {
        let mut cut = files.clone();
        cut.get_mut(STORE)
            .expect("the store")
            .truncate(retained_length);
        let (_folder, opened) = opened(&cut);
        let report = opened.salvage.expect("reported").to_string();
        for word in [cause, "0 of 100 snapshots", "is kept as"] {
            assert!(report.contains(word), "{retained_length} bytes: {report}");
        }
    }
    // Without the manifest, or with other bytes, the owner is unknown.
    for bytes in [files[STORE][..50].to_vec(), b"notes of mine".to_vec()] {
        let mut foreign = files.clone();
        foreign.insert(STORE.to_owned(), bytes.clone());
        if bytes.starts_with(b"SQLite") {
            foreign.remove(MANIFEST);
        }
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &foreign);
        let fault = Store::open(&path_in(folder.path())).expect_err("refused");
        assert_eq!(fault.code(), "not_a_store", "{fault}");
        assert!(fs::read(path_in(folder.path())).expect("there") == bytes);
    }
}

#[test]
fn another_database_beside_the_manifest_is_refused_and_left() {
    let (files, _) = large();
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let conn = rusqlite::Connection::open(&path).expect("opened");
    conn.execute_batch("CREATE TABLE mine (id INTEGER); INSERT INTO mine VALUES (1);")
        .expect("made");
    drop(conn);
    fs::write(folder.path().join(MANIFEST), &files[MANIFEST]).expect("written");
    let before = files_of(folder.path());
    for fault in [Store::open(&path).err(), Store::open_to_read(&path).err()] {
        assert_eq!(fault.expect("refused").code(), "store_foreign");
    }
    assert!(fs::read(&path).expect("there") == before[STORE]);
}

#[test]
fn an_older_copy_is_used_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let truth = fill(&Store::open(&path).expect("opened").store, 12);
    let older = files_of(folder.path())[STORE].clone();
    let store = Store::open(&path).expect("opened").store;
    for number in 0..5 {
        take(&store, 500 + number);
    }
    drop(store);
    fs::write(&path, &older).expect("put back");
    let before = files_of(folder.path());
    let words = [
        "older",
        "last 5 changes of snapshots are missing",
        "restore the newer files",
    ];
    let read = Store::open_to_read(&path).expect("read");
    let report = read.salvage.expect("reported").to_string();
    assert!(words.iter().all(|word| report.contains(word)), "{report}");
    assert!(listed(&read.store) == truth);
    drop(read.store);
    assert!(files_of(folder.path()) == before, "reading changed a file");
    let opened = Store::open(&path).expect("opened");
    let salvage = opened.salvage.expect("reported");
    assert_eq!(
        (salvage.kind, salvage.complete),
        (SalvageKind::Older, false)
    );
    assert!(
        words.iter().all(|word| salvage.to_string().contains(word)),
        "{salvage}"
    );
    assert!(listed(&opened.store) == truth);
    take(&opened.store, 9);
    drop(opened.store);
    // It is the store from now on.
    assert_eq!(Store::open(&path).expect("opened").salvage, None);
    let names = files_of(folder.path()).into_keys();
    assert_eq!(names.filter(|name| name.contains("damaged")).count(), 0);
}

#[test]
fn a_missing_store_is_reported() {
    let (mut files, _) = large();
    files.remove(STORE);
    files.remove(LOG);
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    write_files(folder.path(), &files);
    let before = files_of(folder.path());
    let words = [
        "is gone or empty",
        "100 snapshots, 1 draft",
        "restore a copy of it",
    ];
    for open in [Store::open_to_read, Store::open_to_change] {
        let opened = open(&path).expect("read");
        let report = opened.salvage.expect("reported").to_string();
        assert!(words.iter().all(|word| report.contains(word)), "{report}");
        assert_eq!(listed(&opened.store).len(), 0);
        drop(opened.store);
        assert!(files_of(folder.path()) == before, "nothing is made");
    }
    let opened = Store::open(&path).expect("opened");
    let salvage = opened.salvage.expect("reported");
    assert_eq!(salvage.kind, SalvageKind::Gone);
    assert!(
        words.iter().all(|word| salvage.to_string().contains(word)),
        "{salvage}"
    );
    take(&opened.store, 1);
    drop(opened.store);
    assert_eq!(Store::open(&path).expect("opened").salvage, None);
}
