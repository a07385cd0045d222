//! A full disk: reads work, writes report which disk is full and how much is missing.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use promptdeck_store::Store;

use super::{checkpoint, child_command, files_of, fill, listed, path_in, try_take};

/// A small disk, mounted until dropped. `None` without the privileges.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }

    /// Fills the disk to the last byte.
    fn fill(&self) {
        let mut filler = fs::File::create(self.0.path().join("filler")).expect("made");
        for size in [65_536, 4096, 512, 1] {
            let bytes = vec![0; size];
            while filler.write_all(&bytes).is_ok() {}
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

/// The child whose files may not exceed a megabyte.
pub(super) fn meet_a_limit(folder: &Path) {
    let path = path_in(folder);
    let store = Store::open(&path).expect("opened").store;
    let fault = checkpoint(&store, &vec![b'x'; 4 << 20], 1).expect_err("refused");
    println!("\nack {} {fault}", fault.code());
    let read = Store::open_to_read(&path).expect("read").store;
    println!("\nack {}", listed(&read).len());
}

#[cfg(unix)]
#[test]
fn a_file_size_limit_is_reported_as_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let truth = fill(
        &Store::open(&path_in(folder.path())).expect("opened").store,
        12,
    );
    let child = child_command("full", folder.path());
    let mut limited = Command::new("sh");
    // No signal: writes fail as on a full disk.
    limited
        .args(["-c", "ulimit -f 1024; trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(child.get_program())
        .args(child.get_args())
        .envs(
            child
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    let output = limited.output().expect("a child");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let acks: Vec<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("ack "))
        .collect();
    assert!(acks[0].starts_with("disk_full the disk of "), "{text}");
    assert_eq!(acks[1], truth.len().to_string(), "{text}");
    let store = Store::open(&path_in(folder.path())).expect("opened").store;
    assert!(listed(&store) == truth);
}

#[test]
fn reading_goes_on_while_the_disk_is_full() {
    let Some(disk) = Disk::new("4m") else {
        println!("0 cases: no right to mount a small disk");
        return;
    };
    let folder = disk.0.path();
    let path = path_in(folder);
    let truth = fill(&Store::open(&path).expect("opened").store, 40);
    let open = Store::open(&path).expect("opened").store;
    disk.fill();
    let mut cases = 0;
    let check_report = |fault: promptdeck_store::StoreError| {
        let words = fault.to_string();
        assert_eq!(fault.code(), "disk_full", "{words}");
        for part in ["full", "store.sqlite", "kB are missing"] {
            assert!(words.contains(part), "{words}");
        }
    };
    // A program that has it open, and a new one.
    check_report(try_take(&open, 699).expect_err("no room"));
    assert!(listed(&open) == truth);
    cases += 2;
    let before = files_of(folder);
    let read = Store::open_to_read(&path).expect("read").store;
    assert!(listed(&read) == truth);
    assert_eq!(read.problems().expect("checked"), [""; 0]);
    cases += 2;
    drop(read);
    assert!(files_of(folder) == before);
    drop(open);
    disk.fill();
    let read = Store::open_to_read(&path).expect("read").store;
    assert!(listed(&read) == truth);
    cases += 1;
    // No program has it open: SQLite cannot even create the index of its log.
    match Store::open(&path) {
        Err(fault) => check_report(fault),
        Ok(opened) => {
            assert_eq!(opened.salvage, None);
            check_report(try_take(&opened.store, 699).expect_err("no room"));
        }
    }
    cases += 1;
    // A damaged store cannot be salvaged here; it is reported and unchanged.
    let before = fs::read(&path).expect("read");
    let mut damaged = before.clone();
    damaged[..100].fill(0);
    fs::File::options()
        .write(true)
        .open(&path)
        .and_then(|mut file| file.write_all(&damaged[..100]))
        .expect("damaged");
    check_report(Store::open(&path).expect_err("no room"));
    assert!(fs::read(&path).expect("read") == damaged);
    let read = Store::open_to_read(&path).expect("read");
    assert!(read.salvage.is_some_and(|salvage| salvage.complete));
    assert!(listed(&read.store) == truth);
    cases += 2;
    fs::remove_file(folder.join("filler")).expect("removed");
    let opened = Store::open(&path).expect("opened");
    assert!(opened.salvage.is_some_and(|salvage| salvage.complete));
    assert!(listed(&opened.store) == truth);
    cases += 1;
    println!("{cases} cases on a full disk");
}

#[test]
fn salvage_needs_no_folder_for_temporary_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = path_in(folder.path());
    drop(fill(&Store::open(&path).expect("opened").store, 40));
    let mut bytes = fs::read(&path).expect("read");
    bytes[..100].fill(0);
    fs::write(&path, bytes).expect("written");
    let status = child_command("open", folder.path())
        .env("TMPDIR", "/nowhere")
        .env("SQLITE_TMPDIR", "/nowhere")
        .status()
        .expect("a child");
    assert!(status.success());
    let store = Store::open(&path).expect("opened").store;
    assert_eq!(listed(&store).len(), 40);
}
