//! `doctor`: intact and faulty environments.

use serde_json::Value;

use crate::program::{Folder, REGISTRY};

#[track_caller]
fn check(folder: &Folder, args: &[&str], status: i32, words: &[&str]) {
    let run = folder.run(&[&["doctor"], args].concat());
    assert_eq!((run.status, run.err.as_str()), (status, ""), "{}", run.out);
    for word in words {
        assert!(run.out.contains(word), "no {word:?} in {}", run.out);
    }
}

#[test]
fn a_healthy_place() {
    let folder = Folder::new();
    check(
        &folder,
        &["."],
        0,
        &[
            "store.sqlite: not there yet",
            "check the name in PROMPTDECK_STORE",
            "1 registry, all readable",
        ],
    );
    folder
        .run(&["snapshot", "save", "registry.json", "--name", "one"])
        .gives("1\n");
    check(&folder, &["."], 0, &["store.sqlite: sound"]);
}

#[test]
fn what_is_wrong_ends_with_1() {
    let folder = Folder::new();
    check(&folder, &["nowhere"], 1, &["PROBLEM", "nowhere"]);
    // No folder was named, so that none is missing.
    let way_out = "no folder registries here; name yours: promptdeck doctor FOLDER";
    check(&folder, &[], 0, &[way_out]);
    folder.write("broken.json", REGISTRY.replace("22", "99"));
    check(
        &folder,
        &["."],
        1,
        &["PROBLEM", "./broken.json: line ", "99"],
    );
}

#[test]
fn a_store_that_no_verb_uses_is_a_problem_without_flags_of_others() {
    let folder = Folder::new();
    let doctor = |store: &str| {
        let mut command = folder.command(&["doctor"]);
        let output = command
            .env("PROMPTDECK_STORE", store)
            .output()
            .expect("run");
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        (output.status.code(), out)
    };
    let words = "cannot create the store none/x.sqlite: there is no folder none; create it first";
    let (status, out) = doctor("none/x.sqlite");
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains(&format!("PROBLEM  store         {words}\n")),
        "{out}"
    );
    let save = [
        "snapshot",
        "save",
        "registry.json",
        "--store",
        "none/x.sqlite",
    ];
    folder.run(&save).refuses(2, &[words]);
    let (status, out) = doctor("registry.json");
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("point PROMPTDECK_STORE to another file"),
        "{out}"
    );
    assert!(!out.contains("--store"), "{out}");
    let list = ["snapshot", "list", "--store", "registry.json"];
    folder
        .run(&list)
        .refuses(2, &["; --store names another file as well"]);
}

#[test]
fn the_same_as_json() {
    let run = Folder::new().run(&["doctor", ".", "--format", "json"]);
    let findings: Value = serde_json::from_str(&run.out).expect("JSON");
    let whats: Vec<&str> = findings
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|each| each["what"].as_str())
        .collect();
    assert_eq!(whats, ["version", "store", "registries", "display"]);
}

#[test]
fn a_damaged_store_is_told_and_left() {
    let folder = Folder::new();
    folder
        .run(&["snapshot", "save", "registry.json", "--name", "one"])
        .gives("1\n");
    let mut bytes = std::fs::read(folder.path("store.sqlite")).expect("read");
    bytes[..100].fill(0);
    std::fs::write(folder.path("store.sqlite"), &bytes).expect("written");
    check(
        &folder,
        &["."],
        1,
        &[
            "PROBLEM",
            "is damaged",
            "1 of 1 snapshot, 0 drafts,",
            "left as it is",
        ],
    );
    assert!(std::fs::read(folder.path("store.sqlite")).expect("read") == bytes);
}

#[test]
fn a_damaged_row_is_told_and_the_rest_recovered_when_asked() {
    let folder = Folder::new();
    for (name, id) in [("first-of-two", "1\n"), ("second-of-two", "2\n")] {
        folder
            .run(&["snapshot", "save", "registry.json", "--name", name])
            .gives(id);
    }
    let mut bytes = std::fs::read(folder.path("store.sqlite")).expect("read");
    let found = bytes.windows(12).position(|each| each == b"first-of-two");
    bytes[found.expect("the row")] ^= 1;
    std::fs::write(folder.path("store.sqlite"), &bytes).expect("written");
    let label = "snapshot 1 \"girst-of-two\" of registry.json, taken 20";
    let expected = ["PROBLEM", "is damaged", label, "--recover"];
    check(&folder, &["."], 1, &expected);
    assert!(std::fs::read(folder.path("store.sqlite")).expect("read") == bytes);
    let expected = [
        "PROBLEM",
        "was damaged",
        "1 of 2 snapshots",
        "lost: snapshot 1",
        label,
        "is kept as",
    ];
    check(&folder, &[".", "--recover"], 1, &expected);
    check(&folder, &[".", "--recover"], 0, &["store.sqlite: sound"]);
    folder.run(&["snapshot", "show", "1"]).refuses(2, &["1"]);
    assert_eq!(folder.run(&["snapshot", "show", "second-of-two"]).status, 0);
}

#[cfg(unix)]
#[test]
fn a_store_that_is_not_writable_is_one_row_and_its_soundness_another() {
    use std::{
        fs::{self, Permissions},
        os::unix::{fs::MetadataExt as _, fs::PermissionsExt as _, process::CommandExt as _},
        path::Path,
        process::Command,
    };
    let folder = Folder::new();
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("set");
    };
    folder
        .run(&["snapshot", "save", "registry.json", "--name", "one"])
        .gives("1\n");
    // Root may write everywhere, so it becomes `nobody`, who can read a copy of the program.
    // `cp` copies it: a file that this process writes itself may still be open in a program that
    // another test has just forked, and the system refuses to start it ("text file busy").
    let copied = Command::new("cp")
        .args([
            Path::new(env!("CARGO_BIN_EXE_promptdeck")),
            &folder.path("program"),
        ])
        .status();
    assert!(copied.expect("it starts").success());
    set("program", 0o755);
    set("store.sqlite", 0o444);
    set(".", 0o555);
    let rows = |store: &str| -> Vec<(bool, String)> {
        let mut command = Command::new(folder.path("program"));
        command
            .args(["doctor", ".", "--format", "json"])
            .current_dir(folder.path("."))
            .env("PROMPTDECK_STORE", folder.path(store));
        if fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0) {
            command.uid(65534).gid(65534);
        }
        let output = command.output().expect("it starts");
        let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let rows = findings.as_array().expect("a list").iter().map(|row| {
            let what = row["what"].as_str().expect("a name").to_owned();
            (row["ok"] == Value::Bool(true), what)
        });
        rows.filter(|(_, what)| ["store", "writing"].contains(&what.as_str()))
            .collect()
    };
    let store = |ok: bool| (ok, "store".to_owned());
    assert_eq!(
        rows("store.sqlite"),
        [store(true), (false, "writing".to_owned())]
    );
    assert_eq!(rows("none.sqlite"), [store(false)]);
    set(".", 0o755);
}
