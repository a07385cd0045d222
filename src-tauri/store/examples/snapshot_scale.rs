//! Measures taking a snapshot, switching to one and opening the store, with 10 and with 10,000
//! snapshots. Creates both stores in the given folder (`10/store.sqlite`, `10000/store.sqlite`),
//! measures them alternately, and prints one line per operation and size: operation, snapshots,
//! median in nanoseconds. Run by `npm run bench`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use promptdeck_store::snapshots::NewSnapshot;
use promptdeck_store::{Store, StoreError};

const SIZES: [u64; 2] = [10, 10_000];

/// Number of different registries among the snapshots, each of the size of a sample.
const CONTENTS: u64 = 100;
const CONTENT_BYTES: usize = 20_000;
const STATE_BYTES: usize = 1_000;

const ROUNDS: u32 = 101;

fn content(number: u64) -> Vec<u8> {
    let line = format!("{{\"registry\": {number}}}\n");
    line.repeat(CONTENT_BYTES / line.len()).into_bytes()
}

fn take(store: &Store, number: u64) -> Result<i64, StoreError> {
    let content = content(number % CONTENTS);
    let new = NewSnapshot {
        name: &format!("snapshot {number}"),
        note: "",
        file: "/registries/a.json",
        content: &content,
        state: &format!("{{\"text\": \"{}\"}}", "x".repeat(STATE_BYTES)),
        route: None,
        seed: number,
        target: None,
        glance: "defaults",
        taken_at: 1_700_000_000_000 + number.cast_signed(),
        automatic: false,
    };
    Ok(store.take_snapshot(&new)?.id)
}

fn switch(store: &Store, id: i64) -> Result<usize, StoreError> {
    let summary = store.snapshot(id)?;
    Ok(store.content(&summary.content)?.len())
}

fn fill(folder: &Path, size: u64) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let folder = folder.join(size.to_string());
    fs::create_dir_all(&folder)?;
    let path = folder.join("store.sqlite");
    let store = Store::open(&path)?.store;
    for number in 0..size {
        take(&store, number)?;
    }
    Ok(path)
}

fn timed<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<Duration, StoreError> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("name a folder")?);
    let paths = SIZES
        .iter()
        .map(|size| fill(&folder, *size))
        .collect::<Result<Vec<_>, _>>()?;
    let operations = ["open", "open to read", "take", "switch"];
    let mut times = vec![vec![Vec::new(); SIZES.len()]; operations.len()];
    for round in 0..ROUNDS {
        for (place, (path, size)) in paths.iter().zip(SIZES).enumerate() {
            times[0][place].push(timed(|| Store::open(path))?);
            times[1][place].push(timed(|| Store::open_to_read(path))?);
            let store = Store::open(path)?.store;
            let number = size + u64::from(round);
            times[2][place].push(timed(|| take(&store, number))?);
            let id = 1 + i64::from(round) * 7919 % size.cast_signed();
            times[3][place].push(timed(|| switch(&store, id))?);
        }
    }
    for (operation, sizes) in operations.iter().zip(times) {
        for (mut times, size) in sizes.into_iter().zip(SIZES) {
            times.sort_unstable();
            println!("{operation}\t{size}\t{}", times[times.len() / 2].as_nanos());
        }
    }
    Ok(())
}
