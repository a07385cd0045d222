//! `snapshot`: save, list, show, diff, restore, rename, delete.

use std::fs;

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

const HELLO: &str = "Hello you.\n\n- red\n- green\n- blue\n";

fn json_of(folder: &Folder, args: &[&str]) -> Value {
    let run = folder.run(args);
    assert_eq!((run.err.as_str(), run.status), ("", 0), "{args:?}");
    serde_json::from_str(&run.out).expect("JSON")
}

/// Takes two snapshots, `plain` and `brief`.
fn folder_with_two() -> Folder {
    let folder = Folder::new();
    let save = ["snapshot", "save", "registry.json", "--seed", "7", "--name"];
    folder.run(&[&save[..], &["plain"]].concat()).gives("1\n");
    let brief = [
        "brief",
        "--note",
        "for phones",
        "--select",
        "moods=brief",
        "--route",
        "short",
    ];
    folder.run(&[&save[..], &brief].concat()).gives("2\n");
    folder
}

#[test]
fn they_are_listed_newest_first() {
    let folder = folder_with_two();
    let listed = json_of(&folder, &["snapshot", "list", "--format", "json"]);
    let names: Vec<&Value> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|each| &each["name"])
        .collect();
    assert_eq!(names, ["brief", "plain"]);
    assert_eq!(
        (&listed[0]["route"], &listed[0]["seed"]),
        (&json!("short"), &json!(7))
    );

    let lines = folder.run(&["snapshot", "list", "--find", "phones"]).out;
    assert_eq!(lines.lines().count(), 1);
    assert!(
        lines.contains("brief") && lines.contains("(for phones)"),
        "{lines}"
    );
    folder.write("other.json", REGISTRY);
    folder.run(&["snapshot", "list", "other.json"]).gives("");
    folder
        .run(&["snapshot", "list", "nosuch.json"])
        .refuses(2, &["no file nosuch.json", "snapshot list"]);
}

#[test]
fn one_is_found_by_number_or_name() {
    let folder = folder_with_two();
    for word in ["1", "plain"] {
        folder.run(&["snapshot", "show", word]).gives(HELLO);
    }
    folder
        .run(&["snapshot", "show", "3"])
        .refuses(2, &["snapshot 3"]);
    folder
        .run(&["snapshot", "show", "nobody"])
        .refuses(2, &["\"nobody\"", "snapshot list"]);
    folder
        .run(&["snapshot", "save", "registry.json", "--name", "plain"])
        .gives("3\n");
    folder
        .run(&["snapshot", "show", "plain"])
        .refuses(2, &["3, 1"]);
}

#[test]
fn digits_are_a_number_whatever_snapshots_are_named() {
    let folder = folder_with_two();
    for name in ["1", "6", "name:6"] {
        let save = ["snapshot", "save", "registry.json", "--route", "short"];
        let saved = folder.run(&[&save[..], &["--name", name]].concat());
        assert_eq!(saved.status, 0, "{}", saved.err);
    }
    folder.run(&["snapshot", "show", "1"]).gives(HELLO);
    for word in ["name:1", "name:6", "name:name:6"] {
        folder
            .run(&["snapshot", "show", word])
            .gives("Hello you.\n");
    }
    folder
        .run(&["snapshot", "show", "6"])
        .refuses(2, &["no snapshot 6", "snapshot 4 has that name", "name:6"]);
    let help = folder.run(&["snapshot", "show", "--help"]).out;
    assert!(help.contains("`name:6`"), "{help}");
}

#[cfg(target_os = "linux")]
#[test]
fn work_whose_output_fails_is_said_to_be_done() {
    let folder = folder_with_two();
    for (args, done) in [
        (&["save", "registry.json"][..], "snapshot 3 was taken"),
        (&["restore", "1"], "registry.json was restored"),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = folder
            .command(&[&["snapshot"], args].concat())
            .stdout(full.expect("opened"))
            .output()
            .expect("run");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{err}");
        assert!(
            err.contains(done) && err.contains("standard output"),
            "{err}"
        );
    }
    assert_eq!(folder.run(&["snapshot", "list"]).out.lines().count(), 3);
}

#[test]
fn it_holds_registry_state_route_and_seed() {
    let folder = folder_with_two();
    folder.write("registry.json", "{}");
    folder
        .run(&["snapshot", "show", "brief"])
        .gives("Hello you.\n");
    let snapshot = json_of(&folder, &["snapshot", "show", "brief", "--format", "json"]);
    assert_eq!(snapshot["state"]["selections"], json!({"moods": "brief"}));
    assert_eq!(snapshot["registry"]["version"], 22);
    assert_eq!(snapshot["snapshot"]["note"], "for phones");
}

#[test]
fn what_could_not_be_shown_is_not_saved() {
    let folder = folder_with_two();
    let save = ["snapshot", "save", "registry.json", "--route"];
    folder
        .run(&[&save[..], &["nope"]].concat())
        .refuses(2, &["registry.json: no route \"nope\"", "it has short"]);
    let piped = folder.run_with(&["snapshot", "save", "-"], REGISTRY);
    piped.refuses(2, &["standard input is none: name a file"]);
    assert_eq!(folder.run(&["snapshot", "list"]).out.lines().count(), 2);
    // The file may lose the route of a snapshot.
    folder.write("registry.json", REGISTRY.replace("\"short\"", "\"long\""));
    let diff = ["snapshot", "diff", "brief"];
    for args in [&diff[..], &[&diff[..], &["--format", "json"]].concat()] {
        let refused = folder.run(args);
        refused.refuses(2, &["registry.json: no route \"short\"", "it has long"]);
    }
}

#[test]
fn a_snapshot_that_is_not_taken_creates_no_store() {
    let folder = Folder::new();
    folder.write("text.json", "[]");
    for args in [
        &["-"][..],
        &["nope.json"],
        &["text.json"],
        &["registry.json", "--route", "nope"],
        &["registry.json", "--select", "moods=nope", "--strict"],
    ] {
        let run = folder.run(&[&["snapshot", "save"], args].concat());
        assert_eq!(run.status, 2, "{args:?}: {run:?}");
        let stored = fs::read_dir(folder.path("")).expect("readable");
        let stored = stored.map(|entry| entry.expect("an entry").file_name());
        let stored = stored.filter(|name| name.to_string_lossy().contains("store"));
        assert_eq!(stored.count(), 0, "{args:?}");
    }
}

#[test]
fn a_difference_is_told_and_ends_with_1() {
    let folder = folder_with_two();
    let run = folder.run(&["snapshot", "diff", "plain", "brief"]);
    assert_eq!(run.status, 1);
    for line in [
        "--- plain",
        "+++ brief",
        "moods item: none -> brief",
        "route: default -> short",
        "-- red",
    ] {
        assert!(
            run.out.lines().any(|each| each == line),
            "no {line:?} in {}",
            run.out
        );
    }
    let equal = folder.run(&["snapshot", "diff", "plain"]);
    assert_eq!(equal.status, 0, "{}", equal.out);
    let same = folder.run(&["snapshot", "compare", "1", "1"]);
    assert_eq!((same.status, same.out.as_str()), (0, ""));
    assert!(
        same.err.contains("the same settings and the same prompt"),
        "{}",
        same.err
    );
    assert!(same.err.contains("the same registry"), "{}", same.err);
    let unprinted = REGISTRY.replace("Goodbye", "Farewell");
    assert_ne!(unprinted, REGISTRY);
    folder.write("registry.json", unprinted);
    let edited = folder.run(&["snapshot", "diff", "plain"]);
    assert_eq!((edited.status, edited.out.as_str()), (1, ""));
    assert!(
        edited
            .err
            .contains("the same prompt; their registries differ in greeting"),
        "{}",
        edited.err
    );
    folder.write("registry.json", REGISTRY.replace("Hello", "Good day"));
    let changed = folder.run(&["snapshot", "diff", "plain"]);
    assert_eq!(changed.status, 1);
    assert!(
        changed.out.contains("-Hello you.\n+Good day you.\n"),
        "{}",
        changed.out
    );
}

#[test]
fn restoring_writes_the_registry_back_and_keeps_what_it_replaces() {
    let folder = folder_with_two();
    folder.write("registry.json", REGISTRY.replace("Hello", "Good day"));
    let run = folder.run(&["snapshot", "restore", "brief"]);
    assert_eq!(
        (run.status, run.err.contains("is snapshot 3")),
        (0, true),
        "{}",
        run.err
    );
    assert_eq!(folder.read("registry.json"), REGISTRY);
    let call: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&call["route"], &call["seed"]),
        (&json!("short"), &json!(7))
    );
    assert_eq!(call["state"]["selections"], json!({"moods": "brief"}));
    folder.write("restored.json", &run.out);
    let hydrate = ["hydrate", "registry.json", "--state", "restored.json"];
    let way_out = "give the value of its \"state\" to --state, --route \"short\", --seed 7";
    folder
        .run(&hydrate)
        .refuses(2, &["restored.json: not a state", way_out]);
    assert!(
        folder
            .run(&["snapshot", "show", "3"])
            .out
            .starts_with("Good day")
    );
}

#[test]
fn a_damaged_file_is_restored_with_a_copy_of_what_it_held() {
    let utf_16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (damaged, is_copied) in [
        (&b"{\"broken"[..], true),
        (b"[]", true),
        (utf_16.as_slice(), true),
        (b"", false),
    ] {
        for output in [&[][..], &["-o", "other.json"]] {
            let folder = folder_with_two();
            let (file, copy) = match output {
                [] => ("registry.json", "registry.replaced-1.json"),
                _ => ("other.json", "other.replaced-1.json"),
            };
            folder.write(file, damaged);
            let run = folder.run(&[&["snapshot", "restore", "plain"], output].concat());
            assert_eq!(run.status, 0, "{run:?}");
            assert_eq!(folder.read(file), REGISTRY);
            assert_eq!(folder.path(copy).exists(), is_copied, "{run:?}");
            if is_copied {
                assert!(
                    run.err.starts_with("note: what ") && run.err.contains(copy),
                    "{run:?}"
                );
                assert_eq!(std::fs::read(folder.path(copy)).expect("a copy"), damaged);
            }
            folder
                .run(&["snapshot", "show", "3"])
                .refuses(2, &["no snapshot 3"]);
        }
    }
}

#[test]
fn restoring_needs_a_file() {
    let folder = folder_with_two();
    folder
        .run(&["snapshot", "restore", "plain", "-o", "-"])
        .refuses(
            2,
            &[
                "name a file",
                "`promptdeck snapshot show` with --format json",
            ],
        );
    assert!(!folder.path("-").exists());
}

#[test]
fn texts_of_a_jinja_deck_are_said_to_be_unrendered() {
    let folder = Folder::new();
    let deck = |text: &str| {
        let items = json!([{"id": "a", "text": text}]);
        json!({"template_engine": "jinja", "assembly_order": ["a"], "a": {"items": items}})
            .to_string()
    };
    folder.write("registry.json", deck("Hi {{ user }}"));
    folder.run(&["snapshot", "save", "registry.json", "--name", "jinja"]);
    let warning = "warning: jinja: its texts are Jinja templates, unrendered here";
    let run = folder.run(&["snapshot", "show", "1"]);
    assert_eq!((run.out.as_str(), run.status), ("Hi {{ user }}\n", 0));
    assert!(run.err.starts_with(warning), "{run:?}");
    let run = folder.run(&["snapshot", "show", "1", "--format", "json"]);
    let snapshot: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(snapshot["rendered"], json!(false));
    folder.write("registry.json", deck("Ho {{ user }}"));
    let run = folder.run(&["snapshot", "diff", "1"]);
    assert!(run.err.contains(warning), "{run:?}");
}

#[test]
fn the_export_of_a_snapshot_is_that_of_its_state() {
    let folder = folder_with_two();
    let model = folder
        .run(&["export", "registry.json", "--select", "moods=brief"])
        .out;
    folder.run(&["snapshot", "export", "brief"]).gives(&model);
    folder
        .run(&["snapshot", "export", "brief", "-o", "model.json"])
        .gives("");
    assert_eq!(folder.read("model.json"), model);
}

#[test]
fn renaming_and_deleting() {
    let folder = folder_with_two();
    folder.run(&["snapshot", "rename", "1", "first"]).gives("");
    folder.run(&["snapshot", "show", "first"]).gives(HELLO);
    folder
        .run(&["snapshot", "rename", "1", " "])
        .refuses(2, &["name"]);
    folder
        .run(&["snapshot", "delete", "first", "9"])
        .refuses(2, &["snapshot 9"]);
    folder.run(&["snapshot", "delete", "first", "2"]).gives("");
    folder.run(&["snapshot", "list"]).gives("");
    folder.run(&["snapshot", "show", "1"]).refuses(2, &["1"]);
}

#[test]
fn a_store_that_is_none_is_refused_and_left_alone() {
    let folder = Folder::new();
    folder.write(
        "store.sqlite",
        "this is no database, just a text of some length to be sure of it",
    );
    let before = folder.read("store.sqlite");
    let run = folder.run(&["snapshot", "list"]);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    let copies = std::fs::read_dir(folder.path("."))
        .expect("the folder")
        .filter_map(Result::ok)
        .any(|entry| std::fs::read_to_string(entry.path()).is_ok_and(|text| text == before));
    assert!(copies, "the file was neither refused nor kept aside");
}

/// Names and contents of the files in the folder.
fn files(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder.path("."))
        .expect("listed")
        .flatten()
        .filter(|file| file.path().is_file())
        .map(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(file.path()).expect("read"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn what_is_not_a_store_is_refused_and_left() {
    let folder = Folder::new();
    let before = files(&folder);
    for action in [
        &["list"][..],
        &["save", "registry.json"],
        &["rename", "1", "other"],
    ] {
        let store = ["--store", "registry.json"];
        folder
            .run(&[&["snapshot"], action, &store].concat())
            .refuses(2, &["registry.json", "not a store"]);
        assert!(files(&folder) == before, "{action:?}");
    }
}

#[test]
fn a_store_that_is_named_and_not_there_is_an_error() {
    let folder = Folder::new();
    let before = files(&folder);
    let store = ["--store", "new/store.sqlite"];
    let actions = [
        &["list"][..],
        &["show", "1"],
        &["diff", "1"],
        &["export", "1"],
        &["rename", "1", "other"],
        &["delete", "a name"],
        &["restore", "1"],
    ];
    for action in actions {
        folder
            .run(&[&["snapshot"], action, &store].concat())
            .refuses(2, &["there is no store new/store.sqlite; check the name"]);
        // The variable names one.
        folder
            .run(&[&["snapshot"], action].concat())
            .refuses(2, &["there is no store ", "store.sqlite; check the name"]);
    }
    folder
        .run(&[&["snapshot", "save", "registry.json"], &store[..]].concat())
        .refuses(
            2,
            &[
                "new/store.sqlite",
                "there is no folder new; create it first",
            ],
        );
    assert!(!folder.path("new").exists());
    assert!(files(&folder) == before);
}

#[test]
fn the_store_in_the_data_folder_is_empty_until_it_is_there() {
    let folder = Folder::new();
    let before = files(&folder);
    let run = |args: &[&str]| {
        let mut command = folder.command(args);
        command
            .env_remove("PROMPTDECK_STORE")
            .env("XDG_DATA_HOME", folder.path("data"))
            .env("HOME", folder.path("."));
        let output = command.output().expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (status, out, err) = run(&["snapshot", "list"]);
    assert_eq!((status, out.as_str(), err.as_str()), (Some(0), "", ""));
    for action in [
        &["show", "1"][..],
        &["rename", "1", "other"],
        &["delete", "a name"],
        &["restore", "1"],
    ] {
        let (status, _, err) = run(&[&["snapshot"], action].concat());
        assert_eq!(
            (status, err.contains("no snapshot")),
            (Some(2), true),
            "{err}"
        );
    }
    let (_, out, _) = run(&["doctor"]);
    assert!(out.contains("created when it is needed\n"), "{out}");
    assert!(!folder.path("data").exists());
    assert!(files(&folder) == before);
}

#[test]
fn a_damaged_store_is_read_and_left_then_mended() {
    let folder = folder_with_two();
    let mut damaged = std::fs::read(folder.path("store.sqlite")).expect("read");
    damaged[..100].fill(0);
    std::fs::write(folder.path("damaged.sqlite"), &damaged).expect("written");
    let before = files(&folder);
    let list = [
        "snapshot",
        "list",
        "--store",
        "damaged.sqlite",
        "--format",
        "json",
    ];
    let run = folder.run(&list);
    assert_eq!(run.status, 0, "{}", run.err);
    for word in ["is damaged", "2 of 2 snapshots", "none of them is missing"] {
        assert!(run.err.contains(word), "no {word:?} in {}", run.err);
    }
    let listed: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(listed.as_array().expect("a list").len(), 2);
    assert!(files(&folder) == before, "reading changed a file");
    let run = folder.run(&[
        "snapshot",
        "save",
        "registry.json",
        "--store",
        "damaged.sqlite",
    ]);
    assert_eq!((run.out.as_str(), run.status), ("3\n", 0), "{}", run.err);
    assert!(
        run.err.contains("the damaged file is kept as"),
        "{}",
        run.err
    );
    assert_eq!(json_of(&folder, &list).as_array().expect("a list").len(), 3);
}

#[test]
fn an_export_writes_the_prompt_file_that_its_name_says() {
    let folder = Folder::new();
    folder
        .run(&["snapshot", "save", "registry.json"])
        .gives("1\n");
    for (name, start) in [
        ("s.prompty", "---\n"),
        ("s.PROMPT", "---\n"),
        ("s.json", "{"),
    ] {
        let run = folder.run(&["snapshot", "export", "1", "-o", name]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(
            folder.read(name).starts_with(start),
            "{}",
            folder.read(name)
        );
    }
    let run = folder.run(&["export", "registry.json", "-o", "e.PROMPTY"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(folder.read("e.PROMPTY").starts_with("---\n"));
}

#[test]
fn a_folder_is_no_registry_of_snapshots() {
    let folder = Folder::new();
    folder
        .run(&["snapshot", "save", "registry.json"])
        .gives("1\n");
    folder
        .run(&["snapshot", "list", "."])
        .refuses(2, &[". is a folder; name a registry in it"]);
}
