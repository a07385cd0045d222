//! `check`: findings with their place, as people and as programs read them.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

#[test]
fn a_clean_registry_has_nothing_to_say() {
    let run = Folder::new().run(&["check", "registry.json"]);
    let summary = "0 errors, 0 warnings, 0 notes in 1 file\n";
    assert_eq!(
        (run.out.as_str(), run.err.as_str(), run.status),
        ("", summary, 0)
    );
}

#[test]
fn a_caret_stands_under_the_place() {
    let folder = Folder::new();
    folder.write(
        "registry.json",
        REGISTRY.replace("\"moods\",\n", "\"modds\",\n"),
    );
    let run = folder.run(&["check", "registry.json"]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("error["), "{}", run.out);
    assert!(lines[1].ends_with("--> registry.json:6:7"), "{}", run.out);
    assert_eq!(
        &lines[3..5],
        ["6 |       \"modds\",", "  |       ^^^^^^^"],
        "{}",
        run.out
    );
}

#[test]
fn the_same_as_json() {
    let folder = Folder::new();
    folder.write("bad.json", REGISTRY.replace("\"moods\",\n", "\"modds\",\n"));
    let run = folder.run(&["check", "registry.json", "bad.json", "--format", "json"]);
    assert_eq!((run.err.as_str(), run.status), ("", 1));
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        reports[0],
        json!({"file": "registry.json", "ok": true, "diagnostics": []})
    );
    let finding = &reports[1]["diagnostics"][0];
    assert_eq!(
        (&finding["line"], &finding["column"]),
        (&json!(6), &json!(7))
    );
    assert_eq!(finding["pointer"], "/registry/assembly_order/1");
    assert_eq!(finding["severity"], "error");
}

#[test]
fn what_is_no_registry_is_a_finding_too_and_ends_with_2() {
    let folder = Folder::new();
    folder.write("bad.json", "{\n  \"a\": 1,\n  \"a\": 2\n}\n");
    let run = folder.run(&["check", "bad.json", "registry.json"]);
    assert_eq!(run.status, 2);
    assert!(run.out.starts_with("error[duplicate_key]: "), "{}", run.out);
    assert!(run.out.contains("3 |   \"a\": 2\n  |   ^^^"), "{}", run.out);
    assert!(
        run.err.contains("error: bad.json: line 3, column 3"),
        "{}",
        run.err
    );
    let json = folder.run(&["check", "bad.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&reports[0]["ok"], &reports[0]["diagnostics"][0]["code"]),
        (&json!(false), &json!("duplicate_key"))
    );
    assert_eq!(json.status, 2);
    folder
        .run(&["check", "none.json"])
        .refuses(2, &["none.json"]);
}

#[test]
fn warnings_alone_are_no_problem() {
    let folder = Folder::new();
    folder.write(
        "registry.json",
        REGISTRY.replace("Goodbye {name}.", "Goodbye {nmae}."),
    );
    let run = folder.run(&["check", "registry.json"]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.contains("{nmae}"), "{}", run.out);
}
