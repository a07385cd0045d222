//! `snapshot` and `doctor` on a damaged, older, missing or read-only store: they name what is lost
//! in one line, repair it if the verb writes, and print nothing about an intact store.

use std::fs;

use crate::program::{Folder, REGISTRY, Run};

const NAMES: [&str; 3] = ["first-of-three", "second-of-three", "third-of-three"];

fn store_of_three() -> Folder {
    let folder = Folder::new();
    for name in NAMES {
        let text = REGISTRY.replace("Be calm.", &name.to_uppercase());
        folder.write("registry.json", text);
        let save = ["snapshot", "save", "registry.json", "--name", name];
        assert_eq!(folder.run(&save).status, 0);
    }
    folder
}

fn flip(folder: &Folder, text: &[u8]) {
    let mut bytes = fs::read(folder.path("store.sqlite")).expect("read");
    let found = bytes.windows(text.len()).position(|each| each == text);
    bytes[found.expect("it is there")] ^= 1;
    folder.write("store.sqlite", bytes);
}

#[track_caller]
fn assert_reports(run: &Run, status: i32, words: &[&str]) {
    assert_eq!(
        (run.status, run.err.lines().count()),
        (status, 1),
        "{run:?}"
    );
    for word in words {
        assert!(run.err.contains(word), "no {word:?} in {}", run.err);
    }
}

#[test]
fn a_list_names_what_is_damaged_and_ends_with_1() {
    let folder = store_of_three();
    assert_eq!(folder.run(&["snapshot", "list"]).err, "");
    flip(&folder, b"second-of-three");
    let before = fs::read(folder.path("store.sqlite")).expect("read");
    let run = folder.run(&["snapshot", "list"]);
    assert_reports(
        &run,
        1,
        &[
            "is damaged",
            "snapshot 2 \"recond-of-three\" of registry.json, taken 20",
        ],
    );
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert!(fs::read(folder.path("store.sqlite")).expect("read") == before);
}

#[test]
fn a_save_mends_first_and_says_so() {
    for text in ["second-of-three", "Be brief."] {
        let folder = store_of_three();
        flip(&folder, text.as_bytes());
        let run = folder.run(&["snapshot", "save", "registry.json"]);
        assert_reports(
            &run,
            0,
            &[
                "was damaged",
                "lost: snapshot ",
                "of registry.json, taken 20",
                "is kept as",
            ],
        );
        assert_eq!(run.out, "4\n");
        // Reported once, since the store is repaired.
        let run = folder.run(&["snapshot", "list"]);
        assert_eq!(
            (run.err.as_str(), run.status, run.out.lines().count()),
            ("", 0, 3)
        );
    }
}

#[test]
fn a_damaged_registry_is_named_by_its_snapshot() {
    let folder = store_of_three();
    flip(&folder, b"THIRD-OF-THREE");
    let named = "snapshot 3 \"third-of-three\" of registry.json, taken 20";
    let doctor = folder.run(&["doctor", "."]);
    let problem = format!("the registry of {named}");
    assert!(
        doctor.status == 1 && doctor.out.contains(&problem),
        "{}",
        doctor.out
    );
    let list = folder.run(&["snapshot", "list"]);
    assert_reports(&list, 1, &["lost: snapshot 3", named]);
    let show = folder.run(&["snapshot", "show", "3"]);
    assert_eq!((show.status, show.out.as_str()), (2, ""), "{}", show.err);
    assert!(show.err.contains(named), "{}", show.err);
    assert_eq!(folder.run(&["snapshot", "show", "1"]).status, 0);
}

#[test]
fn an_older_copy_and_a_store_that_is_gone_are_said_to_be_so() {
    let folder = store_of_three();
    let older = fs::read(folder.path("store.sqlite")).expect("read");
    folder
        .run(&["snapshot", "save", "registry.json"])
        .gives("4\n");
    folder.write("store.sqlite", &older);
    let words = [
        "older than what was written last",
        "its last change of snapshots is missing",
    ];
    assert_reports(&folder.run(&["snapshot", "list"]), 1, &words);
    let doctor = folder.run(&["doctor", "."]);
    assert!(
        doctor.status == 1 && doctor.out.contains(words[0]),
        "{}",
        doctor.out
    );
    let run = folder.run(&["snapshot", "save", "registry.json"]);
    assert_reports(&run, 0, &words);
    assert_eq!(run.out, "4\n");
    assert_eq!(folder.run(&["snapshot", "list"]).err, "");
    fs::remove_file(folder.path("store.sqlite")).expect("removed");
    let words = [
        "is gone or empty",
        "and held 4 snapshots",
        "restore a copy of it",
    ];
    assert_reports(&folder.run(&["snapshot", "list"]), 1, &words);
    assert!(!folder.path("store.sqlite").exists());
    assert_reports(
        &folder.run(&["snapshot", "save", "registry.json"]),
        0,
        &words,
    );
    assert_eq!(folder.run(&["snapshot", "list"]).err, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_no_writing_is_a_problem_for_doctor() {
    use std::process::Command;
    let folder = Folder::new();
    let disk = folder.path("disk");
    fs::create_dir(&disk).expect("made");
    let mount = |options: &str| {
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "none"])
            .arg(&disk);
        mount.output().is_ok_and(|output| output.status.success())
    };
    if !mount("size=1m") {
        println!("0 cases: no right to mount a small disk");
        return;
    }
    let doctor = || {
        let mut command = folder.command(&["doctor", "."]);
        let command = command.env("PROMPTDECK_STORE", disk.join("store.sqlite"));
        let output = command.output().expect("run");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    let empty = doctor();
    fs::write(disk.join("filler"), vec![0; 1020 * 1024]).expect("written");
    let full = doctor();
    let read_only = mount("remount,ro").then(|| {
        let store = disk.join("store.sqlite");
        let store = store.to_str().expect("UTF-8");
        let save = ["snapshot", "save", "registry.json", "--store", store];
        (doctor(), folder.run(&save))
    });
    let _ = Command::new("umount").arg(&disk).status();
    assert_eq!(empty.0, Some(0), "{}", empty.1);
    let check_reported = |(status, text): &(Option<i32>, String), words: &[&str]| {
        assert_eq!(*status, Some(1), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    check_reported(&full, &["PROBLEM", "the disk of", "is full", "make room"]);
    if let Some((doctor, save)) = read_only {
        let words = ["cannot be written to", "is read-only", "PROMPTDECK_STORE"];
        check_reported(&doctor, &words);
        assert_reports(&save, 2, &words);
    }
}
