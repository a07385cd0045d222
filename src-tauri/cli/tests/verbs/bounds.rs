//! Limits on JSON input: too large, too many values, too deep, or of another kind. Every verb
//! rejects it before building it.

use serde_json::{Value, json};

use crate::program::Folder;

/// The verbs that read documents of their own kind.
const DOCUMENTS: [&[&str]; 9] = [
    &["hydrate"],
    &["check"],
    &["request"],
    &["policy"],
    &["history"],
    &["arguments"],
    &["layers"],
    &["chat", "render"],
    &["chat", "extract"],
];

#[test]
fn a_list_of_twenty_megabytes_is_refused_before_it_is_built() {
    let folder = Folder::new();
    folder.write("list.json", format!("[{}0]", "[],".repeat(7 << 20)));
    for verb in DOCUMENTS {
        let run = folder.run_in_little_memory(&[verb, &["list.json"]].concat());
        assert_eq!(run.status, 2, "{verb:?}: {run:?}");
        let words = match verb {
            ["hydrate" | "check"] => &["list.json: not a registry but a JSON list"][..],
            _ => &[
                "list.json: line 1, column 1: ",
                "is a JSON object, not a list",
            ],
        };
        for word in words {
            assert!(run.err.contains(word), "{}", run.err);
        }
    }
    let state = ["hydrate", "registry.json", "--state", "list.json"];
    folder
        .run_in_little_memory(&state)
        .refuses(2, &["list.json", "not a list"]);
}

/// Segments with their sources would take a gigabyte.
#[test]
fn a_list_of_half_a_million_short_entries_takes_little_memory() {
    let folder = Folder::new();
    let entries: Vec<String> = (0..500_000).map(|entry| format!("{entry:x}")).collect();
    let section = json!({"items": [{"id": "x", "list": entries}]});
    let registry = json!({"assembly_order": ["a.list"], "a": section});
    folder.write("long.json", registry.to_string());
    let run = folder.run_in_little_memory(&["hydrate", "long.json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(run.out.lines().count(), 500_000);
    let run = folder.run_in_little_memory(&["check", "long.json"]);
    assert_eq!(run.status, 0, "{}", run.err);
}

#[test]
fn a_text_or_a_list_instead_of_a_document_names_its_outline() {
    let folder = Folder::new();
    for (verb, outline) in [
        (
            &["request"][..],
            r#"{"registry": "FILE", "message": {"text": "..."}}"#,
        ),
        (&["policy"], r#"{"policy": {...}, "text": "..."}"#),
        (&["history"], r#"{"messages": [...]}"#),
        (
            &["arguments"],
            r#"{"now": "2026-01-15T10:30:00Z", "args": {...}}"#,
        ),
        (
            &["layers"],
            r#"{"model": "...", "turns": [...], "current_task": {...}}"#,
        ),
        (&["chat", "render"], r#"{"messages": [...]}"#),
        (&["chat", "extract"], r#"{"output": "..."}"#),
    ] {
        let write = format!("; write {outline}\n");
        for input in ["Hello.", "[]", "\u{feff}[]", ""] {
            let run = folder.run_with(&[verb, &["-"]].concat(), input);
            run.refuses(2, &["standard input: line 1, column 1: ", &write]);
        }
        let broken = folder.run_with(&[verb, &["-"]].concat(), "{\"a\": ?}");
        assert!(!broken.err.contains("write {"), "{broken:?}");
    }
    let run = folder.run_with(&["policy", "--batch"], "Hello.\n");
    assert!(run.out.contains(r#"; write {\"policy\": {...}"#), "{run:?}");
}

#[test]
fn too_many_values_are_refused_before_they_are_built() {
    let folder = Folder::new();
    for value in ["[],", "{},", "0,", "\"\","] {
        folder.write(
            "full.json",
            format!("{{\"x\":[{}0]}}", value.repeat(2 << 20)),
        );
        for verb in DOCUMENTS {
            let run = folder.run_in_little_memory(&[verb, &["full.json"]].concat());
            assert_eq!(run.status, 2, "{verb:?}: {run:?}");
            let words = "more than 1000000 values";
            let printed = format!("{}{}", run.out, run.err);
            assert!(printed.contains("full.json"), "{verb:?}: {printed}");
            assert!(printed.contains(words), "{verb:?}: {printed}");
        }
    }
}

#[test]
fn a_line_of_too_many_values_is_refused() {
    let folder = Folder::new();
    let line = format!("{{\"x\":[{}0]}}\n", "[],".repeat(2 << 20));
    for verb in [
        &["hydrate"][..],
        &["policy"],
        &["history"],
        &["chat", "render"],
    ] {
        let run = folder.run_with(&[verb, &["--batch"]].concat(), &line);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(
            answer["error"]["code"],
            json!("too_large"),
            "{verb:?}: {answer}"
        );
    }
}

#[test]
fn a_long_pointer_is_cut_in_the_middle() {
    let folder = Folder::new();
    let key = "k".repeat(50);
    let deep = format!("{{\"{key}\":").repeat(200);
    folder.write("deep.json", &deep);
    // Findings print the position, not the pointer.
    for verb in DOCUMENTS.into_iter().filter(|verb| *verb != ["check"]) {
        let run = folder.run(&[verb, &["deep.json"]].concat());
        assert_eq!(run.status, 2, "{verb:?}");
        let line = run.err.lines().find(|line| line.starts_with("error: "));
        let line = line.expect("an error");
        assert!(line.contains("nested deeper than 128 levels"), "{line}");
        assert!(line.contains("/..."), "{line}");
        assert!(line.len() < 300, "{line}");
    }
    // JSON output contains the whole pointer.
    let run = folder.run(&["check", "deep.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let pointer = reports[0]["diagnostics"][0]["pointer"].as_str();
    assert!(pointer.is_some_and(|pointer| pointer.len() > 5_000));
}

/// A registry of a few kilobytes whose prompt would have so many times ten million characters.
fn large_prompt(entries: usize) -> String {
    let section = json!({"required": true, "template_vars": ["v"],
        "template_var_defaults": {"v": "v".repeat(10_000)},
        "items": [{"id": "a", "text": "{v}".repeat(1000)}, {"id": "b", "text": "B."}]});
    let order = vec!["a"; entries];
    json!({"registry": {"version": 22, "title": "T", "assembly_order": order, "a": section}})
        .to_string()
}

#[test]
fn a_small_registry_of_a_large_prompt_is_refused_in_little_memory() {
    let folder = Folder::new();
    folder.write("large.json", large_prompt(20_000));
    folder.write(
        "call.json",
        r#"{"registry": "large.json", "message": {"text": "Hi"}}"#,
    );
    folder.write(
        "large.checks.json",
        r#"{"checks": [{"name": "c", "expect": [{"contains": "B"}]}]}"#,
    );
    let message = "the prompt is too large: with the entry \"a\" of the assembly order it is more \
                   than 64 MiB";
    for arguments in [
        &["hydrate", "large.json", "--seed", "1"][..],
        &["hydrate", "large.json", "--seed", "1", "--explain"],
        &["check", "large.json"],
        &["profile", "large.json"],
        &["variants", "large.json"],
        &["request", "call.json"],
        &["run", "large.json", "--seed", "1", "--provider", "mock"],
        &["export", "large.json", "--to", "dotprompt"],
        &["test", "large.json"],
    ] {
        let run = folder.run_in_little_memory(arguments);
        assert!(matches!(run.status, 1 | 2), "{arguments:?}: {run:?}");
        let is_reported = run.err.contains(message) || run.out.contains(message);
        assert!(is_reported, "{arguments:?}: {run:?}");
    }
    // The author can take the entries away one by one, down to what is printed.
    folder.write("fits.json", large_prompt(6));
    let run = folder.run_in_little_memory(&["hydrate", "fits.json", "--seed", "1"]);
    assert_eq!(run.status, 0, "{}", run.err);
}
