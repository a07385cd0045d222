//! A store on a full disk: the events while nothing can be saved, and after.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use promptdeck_service::wire::{Event, StoreStatus};
use serde_json::json;

use crate::home::{Events, Home, group, set};

/// A small disk, mounted until dropped. `None` without the privileges.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "none"]);
        let mounted = mount.arg(folder.path()).output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then_some(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills the disk to the last byte.
    fn fill(&self) {
        let mut filler = fs::File::create(self.path().join("filler")).expect("made");
        for size in [65_536, 4096, 512, 1] {
            while filler.write_all(&vec![0; size]).is_ok() {}
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

/// Waits for the store to be reported with a status; its message.
fn wait_for_status(events: &Events, status: StoreStatus) -> String {
    events.wait(&format!("{status:?}"), |event| match event {
        Event::Store { health } if health.status == status => {
            Some(health.message.clone().unwrap_or_default())
        }
        _ => None,
    })
}

#[test]
fn the_store_is_reported_full_until_a_write_succeeds() {
    let Some(disk) = Disk::new() else {
        println!("0 cases: no right to mount a small disk");
        return;
    };
    let home = Home::new();
    let (studio, events) = home.studio_with(None, disk.path().join("store.sqlite"));
    let opened = studio.open_document("deck.json").expect("opened");
    wait_for_status(&events, StoreStatus::Healthy);
    disk.fill();
    let text = "All of this is new. ".repeat(10_000);
    let steps = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let edits = vec![set(steps, json!(text))];
    studio
        .apply("deck.json", &group(opened.status.revision, edits))
        .expect("edited");
    let message = wait_for_status(&events, StoreStatus::Full);
    let begin = "Drafts and snapshots are not saved: the disk of ";
    assert!(message.starts_with(begin), "{message}");
    assert_eq!(studio.workspace().store.status, StoreStatus::Full);
    let fault = studio
        .take_snapshot("deck.json", Some("Before dinner"))
        .expect_err("no room");
    assert_eq!(fault.code(), "disk_full");
    let sentence = fault.to_string();
    let begin = "the snapshot \"Before dinner\" was not taken: the disk of ";
    assert!(sentence.starts_with(begin), "{sentence}");
    let healthy = |event: &Event| matches!(event, Event::Store { health } if health.status == StoreStatus::Healthy);
    let before = events.count(healthy);
    fs::remove_file(disk.path().join("filler")).expect("removed");
    studio
        .take_snapshot("deck.json", Some("Before dinner"))
        .expect("taken");
    assert_eq!(events.count(healthy), before + 1);
    assert_eq!(studio.workspace().store.status, StoreStatus::Healthy);
}
