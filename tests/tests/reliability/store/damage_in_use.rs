//! Damage found while reading or writing: repaired under the lock and reported, or skipped by
//! readers, and never ignored.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use promptdeck_store::{Salvage, SalvageKind, Store};

use super::damage_per_area::{Files, PAGE, STORE, large, pages};
use super::{Truth, files_of, listed, path_in, take, write_files};

/// Damage that opening does not detect.
struct Case {
    name: String,
    files: Files,
    /// Number of snapshots lost.
    costs: usize,
}

fn place_of(bytes: &[u8], text: &[u8]) -> usize {
    let found = bytes.windows(text.len()).position(|each| each == text);
    found.expect("it is there")
}

fn cases(files: &Files, truth: &Truth) -> Vec<Case> {
    let with = |name: &str, costs: usize, damage: &dyn Fn(&mut [u8])| {
        let mut files = files.clone();
        damage(files.get_mut(STORE).expect("the store"));
        Case {
            name: name.to_owned(),
            files,
            costs,
        }
    };
    let pages = pages(files);
    let page = |name: &str, number: usize| (pages[name][number] - 1) * PAGE;
    let (summary, _) = &truth[&3];
    let content_of_row = summary.content.as_bytes().to_vec();
    let last = pages["snapshots"].len() - 1;
    vec![
        with("a bit of a snapshot's row", 1, &|bytes| {
            // Including pages that still contain an earlier version of the row.
            for start in (0..=last).map(|number| page("snapshots", number)) {
                let leaf = &mut bytes[start..start + PAGE];
                for place in 0..PAGE - 35 {
                    if leaf[place..].starts_with(&content_of_row) {
                        leaf[place + 34] ^= 1;
                    }
                }
            }
        }),
        with("a bit of a registry", 1, &|bytes| {
            let place = place_of(bytes, b"{\"number\": 93}");
            bytes[place + 11] ^= 1;
        }),
        with("the header of the newest page of snapshots", 0, &|bytes| {
            bytes[page("snapshots", last)] = 0;
        }),
        with("the cell pointers of an index", 0, &|bytes| {
            let index = page("snapshots_by_time", 0);
            bytes[index + 8..index + 64].fill(0xff);
        }),
        with("a page of an index of contents", 0, &|bytes| {
            let index = page("snapshots_by_content", 0);
            bytes[index..index + PAGE].fill(0);
        }),
    ]
}

fn reports(store: &Store) -> Arc<Mutex<Vec<Salvage>>> {
    let reports = Arc::new(Mutex::new(Vec::new()));
    let theirs = Arc::clone(&reports);
    store.on_salvage(move |salvage| theirs.lock().expect("free").push(salvage.clone()));
    reports
}

/// Checks the report of damage and the remaining snapshots.
fn check(case: &Case, store: &Store, reports: &[Salvage], truth: &Truth) {
    let name = &case.name;
    assert_eq!(reports.len(), 1, "{name}: reported once");
    let salvage = &reports[0];
    assert_eq!(salvage.kind, SalvageKind::Damaged, "{name}");
    assert_eq!(salvage.lost.len(), case.costs, "{name}: {salvage}");
    for lost in &salvage.lost {
        assert!(
            lost.contains("snapshot ") && lost.contains("of a.json, taken 2023-11-14"),
            "{lost}"
        );
    }
    let found = listed(store);
    let whole = truth
        .iter()
        .filter(|(id, summary)| found.get(id) == Some(summary));
    assert_eq!(whole.count(), truth.len() - case.costs, "{name}");
    assert_eq!(store.problems().expect("checked"), [""; 0], "{name}");
}

#[test]
fn damage_found_in_use_is_repaired_or_skipped() {
    let (files, truth) = large();
    let mut ways = 0;
    let in_folder = |case: &Case, act: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &case.files);
        act(folder.path());
    };
    for case in cases(&files, &truth) {
        // A short-lived program checks a small store before it writes.
        in_folder(&case, &|folder| {
            let opened = Store::open(&path_in(folder)).expect("opened");
            assert_eq!(opened.salvage, None, "{}: not seen by opening", case.name);
            let reports = reports(&opened.store);
            opened.store.check_if_small().expect("repaired");
            let new = take(&opened.store, 7);
            let mut truth = truth.clone();
            truth.insert(new.id, (new, super::content(7)));
            check(&case, &opened.store, &reports.lock().expect("free"), &truth);
            let damaged_copy = reports.lock().expect("free")[0].damaged_copy.clone();
            let damaged_copy =
                fs::read(damaged_copy.expect("the damaged file is kept")).expect("read");
            assert!(damaged_copy == case.files[STORE], "{}", case.name);
        });
        // A long-lived program finds the damage while reading and repairs it too.
        in_folder(&case, &|folder| {
            let store = Store::open(&path_in(folder)).expect("opened").store;
            let reports = reports(&store);
            for id in truth.keys() {
                let _ = store.snapshot_with_content(*id);
            }
            store.check_snapshots().expect("repaired");
            check(&case, &store, &reports.lock().expect("free"), &truth);
        });
        // A read-only program reads the intact part and changes nothing.
        in_folder(&case, &|folder| {
            let before = files_of(folder);
            let opened = Store::open_to_read(&path_in(folder)).expect("read");
            let reports = reports(&opened.store);
            opened.store.check_if_small().expect("skipped");
            check(&case, &opened.store, &reports.lock().expect("free"), &truth);
            assert!(files_of(folder) == before, "{}: a file changed", case.name);
        });
        ways += 3;
    }
    println!("{ways} uses of damaged stores, each reported once, everything intact read");
}

#[test]
fn a_transaction_that_finds_damage_succeeds_after_the_repair() {
    let (files, truth) = large();
    let mut done = 0;
    for table in ["snapshots", "snapshots_by_time", "contents", "ledger"] {
        let numbers = &pages(&files)[table];
        // The pages that a new snapshot changes: all of the index, the last of the table.
        let mut damaged = files.clone();
        let bytes = damaged.get_mut(STORE).expect("the store");
        let start = (numbers[0] - 1) * PAGE;
        bytes[start..start + 8].fill(0xff);
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &damaged);
        let opened = Store::open(&path_in(folder.path())).expect("opened");
        let reports = reports(&opened.store);
        let new = take(&opened.store, 1_000_003);
        let reported = opened.salvage.is_some() || !reports.lock().expect("free").is_empty();
        assert!(reported, "{table}");
        let found = listed(&opened.store);
        assert!(found.contains_key(&new.id), "{table}");
        let whole = truth
            .iter()
            .filter(|(id, summary)| found.get(id) == Some(summary));
        let whole = whole.count();
        assert!(
            whole + 2 >= truth.len(),
            "{table}: {whole} of {}",
            truth.len()
        );
        assert_eq!(
            opened.store.problems().expect("checked"),
            [""; 0],
            "{table}"
        );
        done += 1;
    }
    println!("{done} snapshots taken in damaged stores, each after a repair");
}

#[test]
fn a_missing_row_is_no_damage() {
    let (files, truth) = large();
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path(), &files);
    let store = Store::open(&path_in(folder.path())).expect("opened").store;
    let reports = reports(&store);
    let gone = promptdeck_store::Hash::of(b"never stored");
    assert_eq!(
        store.content(&gone).expect_err("refused").code(),
        "store_damaged"
    );
    assert_eq!(
        store.snapshot(9_999).expect_err("refused").code(),
        "store_missing"
    );
    assert_eq!(
        reports.lock().expect("free").len(),
        0,
        "a sound store is not salvaged"
    );
    assert!(listed(&store) == truth);
    let damaged_copy = files_of(folder.path())
        .into_keys()
        .filter(|name| name.contains("damaged"));
    assert_eq!(damaged_copy.count(), 0);
}
