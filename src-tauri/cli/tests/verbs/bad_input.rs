//! Invalid input: every verb rejects it with exit status 2 and one line that names the file, the
//! position and the fault.

use crate::program::{Folder, REGISTRY};

/// Every verb that takes a registry rejects these bytes with these words.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, words: &[&str]) {
    let folder = Folder::new();
    folder.write("bad.json", bytes);
    for verb in ["hydrate", "export", "fmt"] {
        let run = folder.run(&[verb, "bad.json"]);
        run.refuses(2, words);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn not_json() {
    check("", &["bad.json", "line 1, column 1"]);
    check("{\"a\": [1, 2,,]}", &["bad.json", "line 1, column 13"]);
    check("{\n  \"a\": 1\n", &["bad.json", "line 3, column 1"]);
    check("[]", &["bad.json: not a registry but a JSON list; "]);
    check("{} trailing", &["bad.json", "line 1, column 4"]);
}

#[test]
fn duplicate_keys() {
    check(
        "{\"title\": \"a\",\n \"title\": \"b\"}",
        &["bad.json: line 2, column 2", "\"title\""],
    );
}

#[test]
fn wrong_types() {
    let section = |section: &str| format!("{{\"s\": {section}}}");
    check(section(r#"{"items": {}}"#), &["/s/items"]);
    check(
        section(r#"{"items": [], "required": "yes"}"#),
        &["/s/required"],
    );
    check(section(r#"{"items": [{"id": 5}]}"#), &["/s/items/0/id"]);
    check(r#"{"assembly_order": "greeting"}"#, &["/assembly_order"]);
    check(r#"{"routes": []}"#, &["/routes"]);
}

#[test]
fn unknown_versions() {
    check(r#"{"version": 21}"#, &["/version", "21", "22"]);
    check(r#"{"version": 2}"#, &["/version", "0.7"]);
    check(r#"{"version": "22"}"#, &["/version"]);
}

#[test]
fn text_that_is_no_text() {
    check(
        b"{\"title\": \"\xff\"}",
        &["bad.json: line 1, column 12", "UTF-8"],
    );
    check(
        r#"{"title": "\ud83d"}"#,
        &["bad.json: line 1, column 12", "surrogate"],
    );
}

#[test]
fn nesting_without_end() {
    check("[".repeat(1_000_000), &["bad.json: not a registry"]);
    check(
        format!("{{\"x\": {}", "{\"y\":".repeat(100_000)),
        &["bad.json: line 1"],
    );
}

#[test]
fn fifty_megabytes_end_in_time() {
    let item = format!("{{\"id\": \"a\", \"text\": \"{}\"}}", "x".repeat(1_000));
    let items = vec![item; 50_000].join(",");
    let folder = Folder::new();
    folder.write(
        "huge.json",
        format!("{{\"assembly_order\": [\"s\"], \"s\": {{\"items\": [{items}]}}}}"),
    );
    let run = folder.run(&["hydrate", "huge.json"]);
    if run.status == 0 {
        assert_eq!(run.out.len(), 1_001);
    } else {
        run.refuses(2, &["huge.json", "large"]);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    folder
        .run(&["hydrate", "missing.json"])
        .refuses(2, &["cannot read missing.json"]);
    folder.run(&["hydrate", "."]).refuses(2, &["cannot read ."]);
    folder
        .run(&["hydrate", "registry.json", "--state", "none.json"])
        .refuses(2, &["none.json"]);
}

#[test]
fn a_state_that_is_none() {
    let folder = Folder::new();
    for state in [
        "[]",
        "{\"selections\": 5}",
        "{\"sliders\": {\"s\": \"high\"}}",
        "{",
    ] {
        folder.write("state.json", state);
        let run = folder.run(&["hydrate", "registry.json", "--state", "state.json"]);
        run.refuses(2, &["state.json", "line 1"]);
    }
}

#[test]
fn a_state_naming_what_does_not_exist_is_said_and_used() {
    let folder = Folder::new();
    folder.write(
        "state.json",
        r#"{"selections": {"greeting": "nobody", "nowhere": "x"}, "array_modes": {"lists": {"items": "some"}}}"#,
    );
    let run = folder.run(&["hydrate", "registry.json", "--state", "state.json"]);
    assert_eq!(
        (run.status, run.out.starts_with("Hello you.")),
        (0, true),
        "{run:?}"
    );
    for name in ["nobody", "nowhere", "some"] {
        assert!(run.err.contains(name), "{name} in {}", run.err);
    }
}

#[test]
fn an_unknown_route_lists_the_routes() {
    let folder = Folder::new();
    folder
        .run(&["hydrate", "registry.json", "--route", "long"])
        .refuses(2, &["\"long\"", "short"]);
}

#[test]
fn a_refused_file_is_left_as_it_was() {
    let folder = Folder::new();
    let broken = REGISTRY.replace("22", "99");
    folder.write("registry.json", &broken);
    folder
        .run(&["fmt", "registry.json"])
        .refuses(2, &["/version"]);
    assert_eq!(folder.read("registry.json"), broken);
}
