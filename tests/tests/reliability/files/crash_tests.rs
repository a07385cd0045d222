//! kill -9 while a file is replaced.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use promptdeck_store::Hash;
use promptdeck_store::files::{self, Expected, Replaced};

use super::{Dice, spawning};

/// Content of a complete file: a number, then lines with that number.
fn whole_file(number: u64) -> Vec<u8> {
    let line = format!("{number:020}\n");
    line.repeat(1 + usize::try_from(number % 700).expect("small"))
        .into_bytes()
}

fn number_in(file: &Path) -> u64 {
    let bytes = fs::read(file).expect("there");
    let number = String::from_utf8_lossy(&bytes[..20])
        .parse()
        .expect("begins with its number");
    assert_eq!(bytes, whole_file(number), "whole");
    number
}

/// The child: replaces the file in a loop and acknowledges each replacement.
pub fn replace(folder: &Path) {
    let file = folder.join("a.json");
    let mut expected = files::current(&file).expect("looked at");
    let from = u64::from(std::process::id()) << 24;
    for number in from.. {
        let bytes = whole_file(number);
        let replaced = files::replace(&file, &bytes, expected).expect("replaced");
        assert_eq!(replaced, Replaced::Written);
        expected = Expected::Content(Hash::of(&bytes));
        println!("\nack {number}");
    }
}

/// Kills the child some time after its first acknowledgement; returns the last one.
fn last_before_kill(mut child: Child, time: Duration) -> (u64, usize) {
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let (mut last, mut count, mut deadline) = (0, 0, None);
    for line in output.lines() {
        let line = line.expect("its lines");
        if let Some(number) = line.strip_prefix("ack ") {
            (last, count) = (number.parse().expect("a number"), count + 1);
            if Instant::now() >= *deadline.get_or_insert_with(|| Instant::now() + time) {
                let _ = child.kill();
            }
        }
    }
    child.wait().expect("its end");
    (last, count)
}

#[test]
fn kill_9_during_a_save_leaves_the_old_or_the_new_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = env::current_exe().expect("this program");
    let (mut dice, kills, mut saves) = (Dice(0x1234_5678), 200, 0);
    for _ in 0..kills {
        let time = Duration::from_micros(dice.below(15_000));
        let child = spawning(&program, "replace", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let (last, count) = last_before_kill(child, time);
        saves += count;
        let found = number_in(&folder.path().join("a.json"));
        assert!(
            found == last || found == last + 1,
            "{found} after {last} was acknowledged"
        );
    }
    let left_over = || {
        let files = fs::read_dir(folder.path()).expect("listed").flatten();
        files
            .filter(|file| file.file_name() != "a.json")
            .collect::<Vec<_>>()
    };
    let before = left_over();
    files::clean(folder.path());
    assert_eq!(left_over().len(), 0, "{:?}", left_over());
    println!(
        "{kills} kills, {saves} acknowledged saves, every file whole, {} left-overs removed",
        before.len()
    );
}
