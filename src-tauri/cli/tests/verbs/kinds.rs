//! Registries, call documents and schemas in one folder: each verb names the kind of a file that it
//! does not take. Also the folder against which a call document's registry is resolved.

use std::fs;

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

/// A folder with a registry, a call document beside it, one with an embedded registry, and a
/// schema.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "call.json",
        r#"{"registry": "registry.json", "message": {"text": "Hi"}}"#,
    );
    let mut inline: Value = serde_json::from_str(REGISTRY).expect("JSON");
    inline["message"] = json!({"text": "Hi"});
    inline["seed"] = json!(7);
    inline["by"] = json!("me");
    folder.write("inline.json", inline.to_string());
    folder.write("registry.schema.json", folder.run(&["schema"]).out);
    folder
}

#[test]
fn a_call_document_is_called_one() {
    let folder = folder();
    for verb in [
        &["hydrate"][..],
        &["export"],
        &["variants"],
        &["run"],
        &["fmt"],
    ] {
        folder.run(&[verb, &["call.json"]].concat()).refuses(
            2,
            &["call.json: not a registry but a call document; `promptdeck request`"],
        );
        folder
            .run(&[verb, &["registry.schema.json"]].concat())
            .refuses(
                2,
                &["registry.schema.json: not a registry but a JSON Schema"],
            );
    }
    // With the registry that it names, it can be checked.
    let check = folder.run(&["check", "call.json"]);
    let note = "note: call.json: a call document; its registry \"registry.json\", messages, tools and \
         tool calls";
    assert_eq!(check.status, 0, "{check:?}");
    assert!(check.err.starts_with(note), "{check:?}");
}

#[test]
fn of_a_call_document_that_holds_its_registry_the_rest_is_left_out() {
    let folder = folder();
    let words =
        "inline.json: a call document: of it only the registry is read, and not message, seed; ";
    for verb in ["hydrate", "export", "variants", "run"] {
        let run = folder.run(&[verb, "inline.json"]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.err.contains(words), "{}", run.err);
        folder
            .run(&[verb, "inline.json", "--strict"])
            .refuses(2, &[words]);
    }
    let model: Value =
        serde_json::from_str(&folder.run(&["export", "inline.json"]).out).expect("JSON");
    let keys: Vec<&String> = model.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["registry", "by"]);
    let check = folder.run(&["check", "inline.json"]);
    assert!(
        check
            .err
            .contains("a call document; its registry, messages, tools and tool calls are checked"),
        "{}",
        check.err
    );
    assert_eq!(check.status, 0);
}

#[test]
fn the_registry_of_a_call_document_is_looked_for_from_its_folder() {
    let folder = folder();
    std::fs::create_dir(folder.path("calls")).expect("a folder");
    folder.write(
        "calls/there.json",
        r#"{"registry": "../registry.json", "message": {"text": "Hi"}}"#,
    );
    folder.write(
        "calls/lost.json",
        r#"{"registry": "registry.json", "message": {"text": "Hi"}}"#,
    );
    assert_eq!(folder.run(&["request", "calls/there.json"]).status, 0);
    folder.run(&["request", "calls/lost.json"]).refuses(
        2,
        &[
            "cannot read calls/registry.json",
            "calls/lost.json names the registry \"registry.json\", which is looked for from calls",
        ],
    );
    let lost = r#"{"registry": "gone.json"}"#;
    folder.run_with(&["request", "-"], lost).refuses(
        2,
        &[
            "standard input names the registry",
            "from the current folder",
        ],
    );
    for verb in ["request", "run"] {
        let help = folder.run(&[verb, "--help"]).out;
        let words: Vec<&str> = help.split_whitespace().collect();
        let help = words.join(" ");
        assert!(
            help.contains("is resolved against the folder of the call document"),
            "{help}"
        );
    }
}

#[test]
fn formatting_takes_folders_and_passes_over_what_is_no_registry() {
    let folder = folder();
    let files = [
        "registry.json",
        "call.json",
        "inline.json",
        "registry.schema.json",
    ];
    let before = files.map(|file| folder.read(file));
    let check = folder.run(&[&["fmt", "--check"], &files[..]].concat());
    assert_eq!((check.status, check.out.as_str()), (0, ""));
    for (file, kind) in [
        ("call.json", "a call document"),
        ("registry.schema.json", "a JSON Schema"),
    ] {
        let note = format!("note: {file}: not a registry but {kind}; skipped");
        assert!(check.err.contains(&note), "{}", check.err);
    }
    let odd = json!({"a": {"items": [{"id": "x", "text": "X."}]}}).to_string();
    folder.write("odd.json", &odd);
    let check = folder.run(&["fmt", "--check", "."]);
    let left = "note: call documents that hold their registry stay as they are: ./inline.json\n";
    assert_eq!(
        (check.status, check.out.as_str(), check.err.as_str()),
        (1, "./odd.json\n", left)
    );
    let run = folder.run(&["fmt", "."]);
    assert_eq!((run.status, run.err.as_str()), (0, left));
    assert_ne!(folder.read("odd.json"), odd);
    folder.run(&["fmt", "inline.json"]).refuses(
        2,
        &["inline.json: not a registry but a call document that holds its registry; `promptdeck request` \
           builds its request, `promptdeck export` writes the registry"],
    );
    assert_eq!(files.map(|file| folder.read(file)), before);
    folder.write("broken.json", "{");
    assert_eq!(folder.run(&["fmt", "--check", "."]).status, 2);
}

#[test]
fn checking_passes_over_what_is_no_registry_where_one_is() {
    let folder = folder();
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    let run = folder.run(&["check", "registry.json", "registry.schema.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.err
            .contains("note: registry.schema.json: not a registry but a JSON Schema; skipped"),
        "{}",
        run.err
    );
    assert!(
        run.err
            .ends_with("0 errors, 0 warnings, 0 notes in 1 file\n"),
        "{}",
        run.err
    );
    let run = folder.run(&["check", "."]);
    assert_eq!(
        run.err,
        "0 errors, 0 warnings, 0 notes in 2 files; 2 other JSON files not checked\n"
    );
}

/// Imported messages are a registry with the fields of a call beside it. The window lists the file.
#[test]
fn a_registry_with_the_fields_of_a_call_is_checked_in_its_folder() {
    let folder = folder();
    let odd = folder
        .read("inline.json")
        .replace("\"moods\",", "\"modds\",");
    folder.write("inline.json", odd);
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("inline.json:1:"), "{}", run.out);
    let run = folder.run(&["test", "."]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.err.ends_with("2 registries linted, 1 with errors\n"),
        "{}",
        run.err
    );
}

#[test]
fn a_folder_without_files_is_reported() {
    let folder = Folder::new();
    fs::create_dir(folder.path("empty")).expect("a folder");
    for verb in ["check", "fmt", "test"] {
        let run = folder.run(&[verb, "empty"]);
        assert!(
            run.err.contains("empty: no JSON file in it"),
            "{verb}: {}",
            run.err
        );
    }
}

#[test]
fn a_folder_without_registries_is_reported() {
    let folder = Folder::new();
    fs::create_dir(folder.path("other")).expect("a folder");
    folder.write("other/package.json", r#"{"name": "other"}"#);
    for verb in ["check", "test"] {
        let run = folder.run(&[verb, "other"]);
        let words = "no registry among 1 JSON file: nothing was checked";
        assert!(run.err.contains(words), "{verb}: {}", run.err);
    }
}

#[test]
fn an_empty_text_is_called_empty() {
    let folder = Folder::new();
    folder.write("empty.json", "\n");
    for verb in ["export", "hydrate", "profile"] {
        folder
            .run(&[verb, "empty.json"])
            .refuses(2, &["the text is empty"]);
        folder
            .run_with(&[verb, "-"], "")
            .refuses(2, &["the text is empty"]);
    }
}

#[test]
fn a_verb_that_answers_an_object_says_what_it_was_given_and_where_its_example_is() {
    folder().run(&["policy", "registry.json"]).refuses(
        2,
        &[
            "not a policy and a text but a registry: /policy: expected an object",
            "`promptdeck policy --help` shows an example",
        ],
    );
}

/// Files that are no registry, and what each verb says of them.
const NO_REGISTRIES: [(&str, &str, &str); 14] = [
    (
        "list.json",
        "[1, 2]",
        "not a registry but a JSON list; a registry is a JSON object with sections",
    ),
    (
        "broken_list.json",
        "[1, 2",
        "not a registry but a JSON list; ",
    ),
    ("text.json", "\"Hi\"", "not a registry but a JSON text; "),
    ("number.json", "-1", "not a registry but a JSON number; "),
    (
        "null.json",
        " null\n",
        "not a registry but the JSON value null; ",
    ),
    (
        "false.json",
        "false",
        "not a registry but the JSON value false; ",
    ),
    (
        "package.json",
        r#"{"name": "x", "version": "1.0.0", "dependencies": {}}"#,
        "not a registry: it has no section, which is an object with \"items\"; `promptdeck import` ",
    ),
    (
        "promises.json",
        r#"{"checks": []}"#,
        "not a registry but a file of checks; `promptdeck test` runs them, as NAME.checks.json ",
    ),
    (
        "call.json",
        r#"{"message": {"text": "Hi"}}"#,
        "not a registry but a call document; `promptdeck request` builds its request",
    ),
    (
        "history.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
        "not a registry but OpenAI or Anthropic messages in JSON; `promptdeck import` makes ",
    ),
    (
        "messages.json",
        r#"[{"role": "user", "content": "Hi"}]"#,
        "not a registry but OpenAI or Anthropic messages in JSON; `promptdeck import` makes ",
    ),
    (
        "policy.json",
        r#"{"policy": {}, "text": "Hi"}"#,
        "not a registry but a policy and a text; `promptdeck policy` reads it",
    ),
    (
        "state.json",
        r#"{"selections": {}, "sliders": {}}"#,
        "not a registry but the state of a call; `promptdeck hydrate REGISTRY --state FILE` reads it",
    ),
    (
        "notes.md",
        "# Rules",
        "not a registry but a text; `promptdeck import` makes a registry ",
    ),
];

#[test]
fn all_verbs_say_the_same_of_a_file_that_is_no_registry() {
    let folder = Folder::new();
    for (file, text, words) in NO_REGISTRIES {
        folder.write(file, text);
        // A summary may follow.
        let verdict = |verb: &[&str]| {
            let run = folder.run(&[verb, &[file]].concat());
            let first_line = run.err.lines().next().map(str::to_owned);
            (run.status, first_line.unwrap_or_default())
        };
        let fmt = verdict(&["fmt"]);
        assert!(
            fmt.1.starts_with(&format!("error: {file}: {words}")),
            "{fmt:?}"
        );
        assert_eq!(fmt.0, 2);
        for verb in [
            &["check"][..],
            &["fmt", "--check"],
            &["test"],
            &["hydrate"],
            &["variants"],
        ] {
            let is_examined = verb == ["check"] && file == "call.json";
            if !is_examined {
                assert_eq!(verdict(verb), fmt, "{verb:?}");
            }
        }
    }
}

/// The files above that are documents of Promptdeck, or messages.
const DOCUMENTS: [&str; 6] = [
    "promises.json",
    "call.json",
    "history.json",
    "messages.json",
    "policy.json",
    "state.json",
];

#[test]
fn beside_a_registry_all_verbs_skip_documents_of_other_verbs() {
    let folder = Folder::new();
    folder.write(
        "session.json",
        r#"{"state": {"sliders": {}}, "route": null, "seed": 1}"#,
    );
    let mut files = vec!["registry.json", "session.json"];
    for (file, text, _) in NO_REGISTRIES {
        folder.write(file, text);
        if DOCUMENTS.contains(&file) {
            files.push(file);
        }
    }
    for verb in ["check", "fmt", "test"] {
        let run = folder.run(&[&[verb], &files[..]].concat());
        assert_eq!(run.status, 0, "{verb}: {run:?}");
        for file in &files[1..] {
            let note = match (verb, *file) {
                ("check", "session.json" | "call.json") => {
                    format!("note: {file}: a call document without a registry; ")
                }
                (_, file) => format!("note: {file}: not a registry but "),
            };
            assert!(run.err.contains(&note), "{verb}: {}", run.err);
        }
        let run = folder.run(&[verb, "."]);
        assert_eq!(run.status, 0, "{verb}: {run:?}");
        assert!(!run.err.contains("not a registry"), "{verb}: {}", run.err);
    }
    // What is meant as a registry is one with faults, wherever it is named.
    folder.write("faulty.json", r#"{"version": 22, "a": {"items": {}}}"#);
    for verb in ["check", "fmt", "test"] {
        let run = folder.run(&[verb, "faulty.json"]);
        assert_eq!(run.status, 2, "{verb}: {run:?}");
        assert!(
            format!("{}{}", run.out, run.err).contains("faulty.json"),
            "{run:?}"
        );
    }
}

#[test]
fn a_named_file_that_is_no_document_is_refused_beside_registries_too() {
    let folder = Folder::new();
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    for (file, text, words) in NO_REGISTRIES {
        folder.write(file, text);
        if DOCUMENTS.contains(&file) {
            continue;
        }
        for verb in [&["check"][..], &["fmt"], &["fmt", "--check"], &["test"]] {
            let run = folder.run(&[verb, &["call.json", "registry.json", file]].concat());
            assert_eq!(run.status, 2, "{verb:?}: {run:?}");
            let error = format!("error: {file}: {words}");
            assert!(run.err.contains(&error), "{verb:?}: {}", run.err);
            assert!(run.err.contains("note: call.json: "), "{verb:?}: {run:?}");
        }
        for verb in ["check", "test"] {
            let run = folder.run(&[verb, "--format", "json", "registry.json", file]);
            assert_eq!(run.status, 2, "{verb}: {run:?}");
            let reports: Vec<Value> = serde_json::from_str(&run.out).expect("JSON");
            let refused = reports.iter().find(|report| report["file"] == file);
            assert_eq!(refused.expect("the file")["ok"], false);
        }
    }
    // Each of them is reported, and a folder without files too.
    fs::create_dir(folder.path("empty")).expect("a folder");
    let run = folder.run(&["test", "empty", "null.json", "list.json", "call.json"]);
    assert_eq!(run.status, 2, "{run:?}");
    for name in ["empty", "null.json", "list.json", "call.json"] {
        let error = format!("error: {name}: ");
        assert!(run.err.contains(&error), "no {error:?} in {}", run.err);
    }
}
