//! Damage to each area of the files: header, schema, trees, indexes, free list, log, and whole
//! files.

use std::collections::BTreeMap;
use std::fs;

use promptdeck_store::Store;
use promptdeck_store::runs::NewRun;
use promptdeck_store::snapshots::KEPT_AFTER_DELETION;

use super::{Dice, Truth, files_of, fill, path_in, repair, take, write_files};

pub(super) const PAGE: usize = 4096;
pub(super) const STORE: &str = "store.sqlite";
pub(super) const LOG: &str = "store.sqlite-wal";

pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// A store of 100 snapshots, with trees of several levels and a free list.
pub(super) fn large() -> (Files, Truth) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&path_in(folder.path())).expect("opened").store;
    let truth = fill(&store, 100);
    let gone = vec![b'x'; 200_000];
    let run = store
        .begin_run(&NewRun {
            file: "/b.json",
            target: "mock",
            content: &gone,
            state: "{}",
            route: None,
            seed: 1,
            request: "{}",
            started_at: 1,
        })
        .expect("begun");
    store.forget_run(run.id).expect("forgotten");
    let forgotten = take(&store, 9);
    store.delete_snapshot(forgotten.id, 1).expect("deleted");
    store
        .forget_deleted(KEPT_AFTER_DELETION + 2)
        .expect("forgotten");
    drop(store);
    (files_of(folder.path()), truth)
}

/// Pages by the table or index whose tree they belong to.
pub(super) fn pages(files: &Files) -> BTreeMap<String, Vec<usize>> {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path(), files);
    let conn = rusqlite::Connection::open(path_in(folder.path())).expect("opened");
    let mut pages: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut statement = conn
        .prepare("SELECT name, pagetype, pageno FROM dbstat ORDER BY pageno")
        .expect("prepared");
    let mut rows = statement.query([]).expect("asked");
    while let Some(row) = rows.next().expect("a row") {
        let (name, kind, number): (String, String, u32) = (
            row.get(0).expect("a name"),
            row.get(1).expect("a kind"),
            row.get(2).expect("a number"),
        );
        if kind != "overflow" {
            pages.entry(name).or_default().push(number as usize);
        }
    }
    pages
}

fn flipped(files: &Files, name: &str, place: usize, bit: usize) -> Files {
    let mut files = files.clone();
    files.get_mut(name).expect("the file")[place] ^= 1 << bit;
    files
}

/// Repairs a case; returns the number of snapshots lost and whether the damage was reported.
fn case(files: &Files, truth: &Truth, name: &str) -> (usize, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(folder.path(), files);
    let repaired = repair(folder.path(), truth, name);
    (repaired.missing, repaired.reported)
}

#[test]
fn a_damaged_first_page_costs_nothing() {
    let (files, truth) = large();
    let mut dice = Dice(0x51ce_b00c);
    let (mut cases, mut reported) = (0, 0);
    let mut check = |files: &Files, name: &str| {
        let (missing, noticed) = case(files, &truth, name);
        assert_eq!(missing, 0, "{name}");
        cases += 1;
        reported += usize::from(noticed);
    };
    for place in 0..100 {
        let damaged = flipped(&files, STORE, place, dice.below(8));
        check(&damaged, &format!("byte {place} of the header"));
    }
    for _ in 0..30 {
        let place = 100 + dice.below(PAGE - 100);
        let damaged = flipped(&files, STORE, place, dice.below(8));
        check(&damaged, &format!("byte {place} of the schema"));
    }
    for (with_manifest, fill) in [(true, 0), (true, 255), (false, 0), (false, 255)] {
        let mut damaged = files.clone();
        damaged.get_mut(STORE).expect("the file")[..PAGE].fill(fill);
        if !with_manifest {
            damaged.remove("store.sqlite.manifest");
        }
        check(&damaged, &format!("the first page filled with {fill}"));
    }
    assert!(reported > 60, "{reported}");
    println!("{cases} first pages damaged, {reported} reported, no snapshot lost");
}

#[test]
fn damaged_trees_indexes_and_free_lists_are_reported_and_repaired() {
    let (files, truth) = large();
    let mut dice = Dice(0x07ee_5eed);
    let pages = pages(&files);
    let (mut cases, mut reported, mut cost) = (0, 0, 0);
    for (name, numbers) in &pages {
        if name == "sqlite_schema" {
            continue;
        }
        for _ in 0..3 {
            let page = numbers[dice.below(numbers.len())] - 1;
            let within = if dice.below(2) == 0 {
                dice.below(16)
            } else {
                dice.below(PAGE)
            };
            let damaged = flipped(&files, STORE, page * PAGE + within, dice.below(8));
            let name = format!("byte {within} of page {} of {name}", page + 1);
            let (missing, noticed) = case(&damaged, &truth, &name);
            assert!(missing <= 1, "{name}: {missing} lost");
            cases += 1;
            cost += missing;
            reported += usize::from(noticed);
        }
    }
    // A whole index page, and a whole interior page.
    for (name, numbers) in &pages {
        let mut damaged = files.clone();
        let start = (numbers[0] - 1) * PAGE;
        let only = numbers.len() == 1;
        if name == "sqlite_schema" || (only && !name.contains('_')) {
            continue;
        }
        let page = &mut damaged.get_mut(STORE).expect("the file")[start..start + PAGE];
        // The root page of `contents` can contain rows, since the table has no row ids.
        let rows = match name.as_str() {
            "contents" => usize::from(u16::from_be_bytes([page[3], page[4]])),
            _ => 0,
        };
        page.fill(0);
        let (missing, noticed) = case(&damaged, &truth, &format!("the first page of {name}"));
        assert!(missing <= rows, "the first page of {name}: {missing} lost");
        cost += missing;
        assert!(noticed, "the first page of {name}");
        cases += 1;
        reported += 1;
    }
    let bytes = &files[STORE];
    let trunk = u32::from_be_bytes(bytes[32..36].try_into().expect("four")) as usize;
    assert!(trunk > 1, "there is a free list");
    for _ in 0..8 {
        let place = (trunk - 1) * PAGE + dice.below(24);
        let damaged = flipped(&files, STORE, place, dice.below(8));
        let (missing, noticed) = case(&damaged, &truth, &format!("byte {place}, free list"));
        assert_eq!(missing, 0);
        cases += 1;
        reported += usize::from(noticed);
    }
    assert!(reported * 2 > cases, "{reported} of {cases}");
    println!("{cases} pages damaged, {reported} reported, {cost} snapshots lost, each reported");
}

/// A store whose last snapshots are only in its log.
fn logged() -> (Files, Truth) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let mut truth = fill(&Store::open(&path).expect("opened").store, 20);
    let store = Store::open(&path).expect("opened").store;
    for number in 0..10 {
        let summary = take(&store, 5_000 + number);
        truth.insert(summary.id, (summary, super::content(5_000 + number)));
    }
    // As after kill -9: the log has not been moved into the file.
    (files_of(folder.path()), truth)
}

#[test]
fn a_damaged_log_is_reported_and_repaired() {
    let (files, truth) = logged();
    let length = files[LOG].len();
    let frame = PAGE + 24;
    assert!(length > 32 + 10 * frame);
    let (mut dice, mut cases, mut cost, mut reported) = (Dice(0x10c0_ffee), 0, 0, 0);
    let mut check = |files: &Files, name: &str, most: usize, must: bool| {
        let (missing, noticed) = case(files, &truth, name);
        assert!(missing <= most, "{name}: {missing} lost");
        assert!(noticed || !must, "{name}: not reported");
        cases += 1;
        cost += missing;
        reported += usize::from(noticed);
    };
    for place in 0..32 {
        let damaged = flipped(&files, LOG, place, dice.below(8));
        check(
            &damaged,
            &format!("byte {place} of the log's header"),
            0,
            true,
        );
    }
    let frames = (length - 32) / frame;
    for number in (0..frames).step_by(3).chain([frames - 1]) {
        let header = 32 + number * frame;
        let damaged = flipped(&files, LOG, header + dice.below(24), dice.below(8));
        check(&damaged, &format!("header of frame {number}"), 10, true);
        let damaged = flipped(&files, LOG, header + 24 + dice.below(PAGE), dice.below(8));
        check(&damaged, &format!("page of frame {number}"), 10, true);
        let mut cut = files.clone();
        let log = cut.get_mut(LOG).expect("the log");
        log.truncate(header + dice.below(frame));
        check(&cut, &format!("cut at frame {number}"), 10, true);
    }
    let mut without = files.clone();
    without.remove(LOG);
    check(&without, "no log", 10, true);
    // Without a manifest the loss cannot be counted, but it must be reported as possible. Damage in
    // the last commit alone looks like an interrupted write.
    for number in (0..frames - 2).step_by(5).chain([frames - 3]) {
        let place = 32 + number * frame + dice.below(frame);
        let mut damaged = flipped(&files, LOG, place, dice.below(8));
        damaged.remove("store.sqlite.manifest");
        let name = format!("frame {number}, no manifest");
        check(&damaged, &name, 10, true);
    }
    println!("{cases} logs damaged, {reported} reported, {cost} snapshots lost");
    assert_eq!(cases, reported);
}

#[test]
fn truncated_and_missing_files_are_reported() {
    let (files, truth) = large();
    let mut cases = 0;
    let length = files[STORE].len();
    for retained_length in [0, 1, 100, PAGE, length / 2, length - PAGE, length - 1] {
        let mut damaged = files.clone();
        damaged
            .get_mut(STORE)
            .expect("the file")
            .truncate(retained_length);
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &damaged);
        match Store::open(&path_in(folder.path())) {
            Ok(opened) => {
                let salvage = opened.salvage.expect("a report");
                assert_eq!(salvage.expected_snapshots, Some(truth.len()));
                let found = super::listed(&opened.store);
                assert!(found.iter().all(|(id, found)| truth.get(id) == Some(found)));
                assert!(found.len() == truth.len() || !salvage.complete, "{salvage}");
            }
            // Nothing in the file identifies it as ours: refused and unchanged.
            Err(fault) => {
                assert_eq!(fault.code(), "not_a_store", "{retained_length} bytes");
                let left = fs::read(path_in(folder.path())).expect("read");
                assert_eq!(left, damaged[STORE]);
            }
        }
        cases += 1;
    }
    println!("{cases} files cut short, each reported");
}

#[test]
fn a_missing_table_is_reported() {
    let (files, truth) = large();
    for table in ["settings", "draft_edits", "runs", "ledger", "connections"] {
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &files);
        let conn = rusqlite::Connection::open(path_in(folder.path())).expect("opened");
        conn.execute_batch(&format!("PRAGMA foreign_keys = OFF; DROP TABLE {table}"))
            .expect("dropped");
        drop(conn);
        let repaired = repair(folder.path(), &truth, table);
        assert_eq!((repaired.missing, repaired.reported), (0, true), "{table}");
    }
    println!("5 tables dropped, each reported");
}
