//! Damage and salvage while a second program has the store open.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use promptdeck_store::Store;

use super::{Dice, Running, Truth, content, fill, listed, path_in, try_take};

/// Opens the store and takes a snapshot for every input line.
pub(super) fn hold(folder: &Path, from: u64) {
    let store = Store::open(&path_in(folder)).expect("opened").store;
    println!("\nack open");
    for (number, _) in (from..).zip(io::stdin().lines()) {
        let id = save(&store, number);
        println!("\nack {id} {number}");
    }
}

/// Saves, and retries while the store is damaged and not yet repaired: reported, not lost.
fn save(store: &Store, number: u64) -> i64 {
    loop {
        match try_take(store, number) {
            Ok(summary) => return summary.id,
            Err(fault) => assert_eq!(fault.code(), "store_damaged", "{fault}"),
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Adds an acknowledged snapshot.
fn add(truth: &mut Truth, store: &Store, ack: &str) {
    let (id, number) = ack.split_once(' ').expect("two words");
    let id = id.parse().expect("a number");
    let summary = store
        .snapshot(id)
        .expect("an acknowledged snapshot is there");
    assert_eq!(summary.name, number);
    let content = content(number.parse().expect("a number"));
    assert_eq!(store.content(&summary.content).expect("whole"), content);
    truth.insert(id, (summary, content));
}

#[test]
fn a_store_salvaged_while_another_program_has_it_open_loses_no_save() {
    let (mut dice, mut salvaged, cases) = (Dice(0xabcd_ef01), 0, 24);
    for case in 0..cases {
        let folder = tempfile::tempdir().expect("a folder");
        let path = path_in(folder.path());
        let mut truth = fill(&Store::open(&path).expect("opened").store, 12);
        let mut holder = Running::new("holder", folder.path());
        holder.ack().expect("open");
        holder.go_on();
        let before = holder.ack().expect("saved");
        // The header, anywhere in the first page, or the header of the log.
        let (file, place) = match case % 3 {
            0 => (path.clone(), dice.below(24) as u64),
            1 => (path.clone(), dice.below(4096) as u64),
            _ => (
                folder.path().join("store.sqlite-wal"),
                dice.below(24) as u64,
            ),
        };
        let mut damaged = File::options()
            .write(true)
            .read(true)
            .open(&file)
            .expect("opened");
        let mut byte = [0];
        damaged.seek(SeekFrom::Start(place)).expect("there");
        io::Read::read_exact(&mut damaged, &mut byte).expect("read");
        byte[0] ^= 1 << dice.below(8);
        damaged.seek(SeekFrom::Start(place)).expect("there");
        damaged.write_all(&byte).expect("written");
        drop(damaged);
        let mut opened = Store::open(&path).expect("opened");
        if opened.salvage.is_none() && !opened.store.is_sound().expect("checked") {
            opened = Store::open_damaged(&path).expect("salvaged");
        }
        salvaged += usize::from(opened.salvage.is_some());
        holder.go_on();
        let after = holder.ack().expect("saved");
        add(&mut truth, &opened.store, &before);
        add(&mut truth, &opened.store, &after);
        assert!(listed(&opened.store) == truth, "case {case}");
        drop(holder.child.stdin.take());
        holder.end();
        drop(opened);
        let again = Store::open(&path).expect("opened");
        assert_eq!(again.salvage, None, "case {case}");
        assert!(listed(&again.store) == truth, "case {case}");
        assert_eq!(again.store.problems().expect("checked"), [""; 0]);
    }
    println!("{cases} stores damaged while open elsewhere, {salvaged} salvaged, no save lost");
    assert!(salvaged >= cases / 3);
}

#[test]
fn two_programs_that_save_during_salvages_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let mut truth = fill(&Store::open(&path).expect("opened").store, 12);
    // On a busy machine few salvages fall between the saves: they go on until there were some.
    let salvaged = Arc::new(AtomicBool::new(false));
    let savers: Vec<_> = (0..2)
        .map(|_| {
            let salvaged = Arc::clone(&salvaged);
            let mut holder = Running::new("holder", folder.path());
            thread::spawn(move || {
                holder.ack().expect("open");
                let mut acks = Vec::new();
                while acks.len() < 60 || (acks.len() < 2000 && !salvaged.load(Ordering::Relaxed)) {
                    holder.go_on();
                    acks.push(holder.ack().expect("saved"));
                }
                drop(holder.child.stdin.take());
                holder.end();
                acks
            })
        })
        .collect();
    // Whoever meets the damage first salvages, a saver as well; each salvage preserves a copy.
    let salvages = || {
        let names = fs::read_dir(folder.path()).expect("listed").flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names
            .filter(|name| name.contains(".damaged-") && !name.ends_with("-wal"))
            .count()
    };
    while !savers.iter().all(thread::JoinHandle::is_finished) {
        // A reserved header byte that must be zero: damage without loss.
        if let Ok(mut damaged) = File::options().write(true).open(&path) {
            damaged.seek(SeekFrom::Start(80)).expect("there");
            damaged.write_all(b"!").expect("written");
        }
        let log = folder.path().join("store.sqlite-wal");
        if let Ok(mut damaged) = File::options().write(true).open(log) {
            damaged.write_all(b"!").expect("written");
        }
        Store::open(&path).expect("opened");
        salvaged.store(salvages() > 1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(5));
    }
    let salvages = salvages();
    let store = Store::open(&path).expect("opened").store;
    let mut saves = 0;
    for saver in savers {
        for ack in saver.join().expect("ended") {
            add(&mut truth, &store, &ack);
            saves += 1;
        }
    }
    assert!(listed(&store) == truth);
    assert!(salvages > 1, "{salvages}");
    println!("{saves} saves of 2 programs during {salvages} salvages, none lost");
}
