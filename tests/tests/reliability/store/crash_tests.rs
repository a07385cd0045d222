//! Programs killed while saving, and programs saving at the same time.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_store::Store;

use super::{Dice, Running, checkpoint, content, path_in, take};

/// Saves snapshots until killed.
pub(super) fn save_until_killed(folder: &Path, from: u64) {
    let store = Store::open(&path_in(folder)).expect("opened").store;
    for number in from.. {
        let summary = take(&store, number);
        println!("\nack {} {}", summary.id, summary.content);
    }
}

/// Keeps one store open, like the studio: snapshots, names, drafts and a concurrent check.
pub(super) fn write_as_studio(folder: &Path, from: u64) {
    let store = Store::open(&path_in(folder)).expect("opened").store;
    for number in from..from + 25 {
        let summary = take(&store, number);
        store
            .describe_snapshot(summary.id, "named", "noted")
            .expect("described");
        // Not written if another of these programs was faster.
        checkpoint(&store, &content(number), 1).expect("kept");
        println!("\nack {} {}", summary.id, summary.content);
    }
    assert_eq!(store.problems().expect("checked"), [""; 0]);
}

/// Opens the store for every save, like the command line.
pub(super) fn write_as_commands(folder: &Path, from: u64) {
    for number in from..from + 25 {
        let opened = Store::open(&path_in(folder)).expect("opened");
        assert_eq!(opened.salvage, None);
        let summary = take(&opened.store, number);
        opened
            .store
            .describe_snapshot(summary.id, "named", "noted")
            .expect("described");
        println!("\nack {} {}", summary.id, summary.content);
    }
}

/// Id and hash in a child's acknowledgement.
fn saved(ack: &str) -> (i64, String) {
    let (id, hash) = ack.split_once(' ').expect("two words");
    (id.parse().expect("a number"), hash.to_owned())
}

/// Kills programs that save to one store; returns the number of acknowledged snapshots.
fn kill_savers(kills: usize, seed: u64) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    let (mut dice, mut all) = (Dice(seed), BTreeMap::new());
    for _ in 0..kills {
        let time = Duration::from_micros(dice.below(20_000) as u64);
        let mut child = Running::new("snapshots", folder.path());
        let mut deadline = None;
        while let Some(ack) = child.ack() {
            all.extend([saved(&ack)]);
            if Instant::now() >= *deadline.get_or_insert_with(|| Instant::now() + time) {
                child.kill();
            }
        }
        child.end();
        let read = Store::open_to_read(&path).expect("read");
        assert_eq!(read.salvage, None, "no damage where there is none");
        let (id, hash) = all.last_key_value().expect("one at least");
        let summary = read.store.snapshot(*id).expect("there");
        assert_eq!(summary.content.to_string(), *hash);
    }
    let opened = Store::open(&path).expect("opened");
    assert_eq!(opened.salvage, None);
    let store = opened.store;
    assert_eq!(store.problems().expect("checked"), [""; 0]);
    for (id, hash) in &all {
        let summary = store.snapshot(*id).expect("there");
        assert_eq!(summary.content.to_string(), *hash);
        let bytes = store.content(&summary.content).expect("whole");
        assert_eq!(bytes, content(summary.name.parse().expect("a number")));
    }
    assert!(all.len() >= kills);
    all.len()
}

#[test]
fn row_01_kill_9_during_snapshot_saves_200() {
    const KILLS: usize = 200;
    const STORES: usize = 4;
    let stores: Vec<_> = (1..=STORES as u64)
        .map(|store| thread::spawn(move || kill_savers(KILLS / STORES, 0x9e37_79b9 * store)))
        .collect();
    let ended = stores.into_iter().map(|store| store.join().expect("ended"));
    let all: usize = ended.sum();
    println!(
        "{KILLS} kills in {STORES} stores, {all} acknowledged snapshots, none lost, none half \
         there, no false alarm"
    );
}

#[test]
fn row_06_eight_writers_on_one_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let role = if writer % 2 == 0 {
                "studio"
            } else {
                "commands"
            };
            let mut child = Running::new(role, folder.path());
            thread::spawn(move || {
                let mut acks = Vec::new();
                while let Some(ack) = child.ack() {
                    acks.push(saved(&ack));
                }
                child.end();
                acks
            })
        })
        .collect();
    let mut all = BTreeMap::new();
    for writer in writers {
        all.extend(writer.join().expect("read to its end"));
    }
    assert_eq!(all.len(), 8 * 25, "every write was acknowledged");
    let opened = Store::open(&path_in(folder.path())).expect("opened");
    assert_eq!(opened.salvage, None);
    for (id, hash) in &all {
        let summary = opened.store.snapshot(*id).expect("there");
        assert_eq!(
            (summary.name.as_str(), summary.content.to_string()),
            ("named", hash.clone())
        );
    }
    assert!(opened.store.draft("/a.json").expect("whole").is_some());
    assert_eq!(opened.store.problems().expect("checked"), [""; 0]);
    println!(
        "8 writers, 4 as the studio and 4 as the command line, {} snapshots, no busy error, \
         nothing lost",
        all.len()
    );
}
