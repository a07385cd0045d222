//! `check`: findings with positions, as text and as JSON.

use std::process::Command;

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
    // The finding contains the message, which is not repeated.
    assert_eq!(
        run.err,
        "1 error, 0 warnings, 0 notes in 2 files; 1 unreadable: bad.json\n"
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
fn all_fields_of_a_wrong_type_are_reported_in_one_run() {
    let folder = Folder::new();
    let registry = [
        "{",
        r#"  "assembly_order": ["s", 1, 2],"#,
        r#"  "routes": {"r": 3, "q": {"assembly_order": "s"}},"#,
        r#"  "s": {"items": [{"id": 5, "text": "a", "fragments": [{"text": 6}, "x"]}, 7],"#,
        r#"        "required": "yes", "selected": [8], "array_modes": {"items": 9}}"#,
        "}",
    ];
    folder.write("bad.json", registry.join("\n"));
    let run = folder.run(&["check", "bad.json", "--format", "json"]);
    assert_eq!(run.status, 2);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found: Vec<(u64, &str, &str)> = reports[0]["diagnostics"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|found| {
            let text = |key: &str| found[key].as_str().expect("a text");
            let line = found["line"].as_u64().expect("a line");
            assert_eq!(text("code"), "wrong_type");
            (line, text("pointer"), text("message"))
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                2,
                "/assembly_order/1",
                "entry 2 of `assembly_order` must be a text, not a number"
            ),
            (
                2,
                "/assembly_order/2",
                "entry 3 of `assembly_order` must be a text, not a number"
            ),
            (3, "/routes/r", "`r` must be an object, not a number"),
            (
                3,
                "/routes/q/assembly_order",
                "`assembly_order` must be a list of texts, not a text"
            ),
            (4, "/s/items/0/id", "`id` must be a text, not a number"),
            (
                4,
                "/s/items/0/fragments/0/text",
                "`text` must be a text, not a number"
            ),
            (
                4,
                "/s/items/0/fragments/1",
                "entry 2 of `fragments` must be an object with `text`, not a text",
            ),
            (
                4,
                "/s/items/1",
                "entry 2 of `items` must be an object, not a number"
            ),
            (
                5,
                "/s/required",
                "`required` must be true or false, not a text"
            ),
            (
                5,
                "/s/selected/0",
                "entry 1 of `selected` must be a text, not a number"
            ),
            (
                5,
                "/s/array_modes/items",
                "`items` must be a text, not a number"
            ),
        ]
    );
    let text = folder.run(&["check", "bad.json"]);
    assert_eq!(
        text.err,
        "11 errors, 0 warnings, 0 notes in 1 file; 1 unreadable: bad.json\n"
    );
    assert_eq!(
        text.out.matches("error[wrong_type]").count(),
        11,
        "{}",
        text.out
    );
    let tested = folder.run(&["test", "bad.json"]);
    assert_eq!(
        tested.err.matches("error: bad.json: line ").count(),
        11,
        "{}",
        tested.err
    );
    assert!(tested.err.contains("; 1 file unreadable"), "{}", tested.err);
}

#[test]
fn reported_type_errors_are_bounded() {
    let folder = Folder::new();
    let order = vec!["0"; 5_000].join(",");
    folder.write("bad.json", format!("{{\"assembly_order\": [{order}]}}"));
    let run = folder.run(&["check", "bad.json"]);
    assert_eq!(
        run.err,
        "1000 errors, 0 warnings, 0 notes in 1 file; 1 unreadable: bad.json\n"
    );
}

#[test]
fn warnings_alone_are_no_problem() {
    let folder = Folder::new();
    folder.write(
        "registry.json",
        REGISTRY.replacen("\"name\"\n", "\"name\", \"idle\"\n", 1),
    );
    let run = folder.run(&["check", "registry.json"]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.contains("warning[variable_unused]"), "{}", run.out);
}

#[test]
fn an_undeclared_variable_is_an_error() {
    let folder = Folder::new();
    folder.write(
        "registry.json",
        REGISTRY.replace("Goodbye {name}.", "Goodbye {nmae}."),
    );
    let run = folder.run(&["check", "registry.json"]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.out.contains("{nmae}"), "{}", run.out);
}

#[test]
fn a_column_far_into_a_line_is_told() {
    let folder = Folder::new();
    for before in [10, 155, 160, 161, 1_000, 100_000] {
        let title = "t".repeat(before);
        let text = format!("{{\"title\": \"{title}\", \"assembly_order\": [\"nowhere\"], ")
            + "\"s\": {\"items\": [{\"id\": \"a\", \"text\": \"x\"}]}}";
        folder.write("long.json", &text);
        let column = text.find("\"nowhere\"").expect("there") + 1;
        let run = folder.run(&["check", "long.json"]);
        let place = format!("--> long.json:1:{column}\n");
        assert!(run.out.contains(&place), "{place} in {}", run.out);
        assert!(run.out.len() < 4_000, "{}", run.out.len());
    }
}

#[test]
fn the_column_is_the_same_for_every_verb_whatever_the_line_holds() {
    let folder = Folder::new();
    folder.write("bytes.json", b"\x7fELF\x02\x01\0\0 \xd0a\0");
    let run = folder.run(&["check", "bytes.json"]);
    assert!(run.out.contains("--> bytes.json:1:10\n"), "{}", run.out);
    let hydrate = folder.run(&["hydrate", "bytes.json"]);
    hydrate.refuses(2, &["bytes.json: line 1, column 10: this is not UTF-8"]);
}

/// The code, message and pointer of the findings with this code, for a registry with these items.
fn findings(items: &Value, code: &str) -> Vec<(String, String)> {
    let folder = Folder::new();
    let registry = json!({
        "assembly_order": ["s"],
        "s": {"required": true, "template_vars": ["name"], "items": items},
    });
    folder.write("many.json", registry.to_string());
    let run = folder.run(&["check", "many.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = reports[0]["diagnostics"].as_array().expect("findings");
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("a text").to_owned();
    found
        .iter()
        .filter(|finding| finding["code"] == code)
        .map(|finding| (text(finding, "message"), text(finding, "pointer")))
        .collect()
}

#[test]
fn one_undeclared_name_is_one_finding_with_a_count() {
    let code = "variable_undeclared";
    let item = |id: usize, text: &str| json!({"id": id.to_string(), "text": text});
    let many: Vec<Value> = (0..1_000).map(|id| item(id, "{nmae}")).collect();
    for items in [json!(many), json!([item(0, &"{nmae}".repeat(1_000))])] {
        let found = findings(&items, code);
        assert_eq!(found.len(), 1, "{found:?}");
        let (message, pointer) = &found[0];
        assert!(
            message.ends_with("did you mean \"name\"? (1000 times)"),
            "{message}"
        );
        assert_eq!(pointer, "/s/items/0/text");
    }
    let different: String = (0..5_000).map(|number| format!("{{n{number}}}")).collect();
    let found = findings(&json!([item(0, &different)]), code);
    assert_eq!(found.len(), 101);
    let rest = "4900 more findings like the first 100 are not listed";
    assert_eq!(found[100].0, rest);
}

#[test]
fn a_variable_that_is_not_closed_is_found_with_its_name() {
    let folder = Folder::new();
    let registry = json!({
        "assembly_order": ["s"],
        "s": {"required": true, "template_vars": ["name"], "items": [
            {"id": "a", "text": "Hello {name, how are you?"},
            {"id": "b", "text": "Reply as {\"name\": 1} or { name."},
        ]},
    });
    folder.write("open.json", registry.to_string());
    let run = folder.run(&["check", "open.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = reports[0]["diagnostics"].as_array().expect("findings");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "variable_not_closed");
    assert_eq!(found[0]["pointer"], "/s/items/0/text");
    assert_eq!(
        found[0]["data"],
        json!({"name": "name", "section": "s", "item": "a", "item_index": 0})
    );
    assert_eq!(
        found[0]["message"],
        "{name in s.a is not closed: it is printed as written; write {name}"
    );
}

#[test]
fn a_large_file_of_undeclared_names_is_checked_in_little_memory() {
    let folder = Folder::new();
    for name in ["{x}", "{a\n{x}"] {
        let text = json!(name.repeat((21 << 20) / name.len()));
        let items = format!("[{{\"id\": \"a\", \"text\": {text}}}]");
        let registry = format!("{{\"assembly_order\": [\"s\"], \"s\": {{\"items\": {items}}}}}");
        folder.write("large.json", registry);
        // This took a gigabyte and several minutes once.
        let run = folder.run_in_little_memory(&["check", "large.json"]);
        assert_eq!(run.status, 1, "{}", run.err);
        assert!(run.out.contains(" times)"), "{}", run.out);
        assert!(run.out.len() < 10_000, "{}", run.out.len());
    }
}

#[test]
fn a_folder_is_walked() {
    let folder = Folder::new();
    for name in ["sub", "sub/deeper", ".hidden"] {
        std::fs::create_dir(folder.path(name)).expect("a folder");
    }
    let odd = REGISTRY.replace("\"moods\",\n", "\"modds\",\n");
    folder.write("sub/deeper/odd.json", &odd);
    folder.write(".hidden/odd.json", &odd);
    folder.write(
        "sub/call.json",
        r#"{"registry": "../registry.json", "message": {"text": "a"}}"#,
    );
    folder.write("sub/schema.json", r#"{"type": "object", "properties": {}}"#);
    folder.write("sub/list.json", "[1]");
    folder.write("sub/readme.txt", "{");
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("odd.json:6:7"), "{}", run.out);
    assert!(run.out.contains("did you mean \"moods\"?"), "{}", run.out);
    let summary = "1 error, 1 warning, 0 notes in 2 files; 3 other JSON files not checked\n";
    assert_eq!(run.err, summary);
    let reports = folder.run(&["check", "sub", "--format", "json"]).out;
    let reports: Value = serde_json::from_str(&reports).expect("JSON");
    assert_eq!(reports.as_array().map(Vec::len), Some(1));
    // A broken file is a problem in any folder.
    folder.write("sub/broken.json", "{\"s\": {\"items\": [}}");
    assert_eq!(folder.run(&["check", "."]).status, 2);
    // A call document in a folder may be a document of any program; one that is named is checked.
    folder.write("sub/call.json", r#"{"registry": "lost.json"}"#);
    assert!(!folder.run(&["check", "."]).err.contains("lost.json"));
    let named = folder.run(&["check", "sub/call.json"]);
    assert_eq!(named.status, 2, "{named:?}");
    let why = "sub/call.json names the registry \"lost.json\", which is looked for from sub";
    assert!(named.err.contains(why), "{named:?}");
}

#[test]
fn warnings_are_problems_where_that_is_asked() {
    let folder = Folder::new();
    folder.write(
        "registry.json",
        REGISTRY.replacen("\"name\"\n", "\"name\", \"idle\"\n", 1),
    );
    assert_eq!(folder.run(&["check", "registry.json"]).status, 0);
    assert_eq!(
        folder.run(&["check", "registry.json", "--strict"]).status,
        1
    );
}

#[test]
fn keys_that_nothing_reads_are_told() {
    let folder = Folder::new();
    let odd = REGISTRY
        .replacen("\"required\"", "\"requird\"", 1)
        .replacen("\"routes\"", "\"ruotes\"", 1)
        .replacen(
            "\"version\": 22,",
            "\"version\": 22, \"x-note\": 1, \"more\": {\"item\": []},",
            1,
        );
    folder.write("registry.json", odd);
    let run = folder.run(&["check", "registry.json"]);
    assert_eq!(run.status, 0, "{}", run.out);
    for words in [
        "warning[unknown_key]: section \"greeting\" has a key \"requird\"",
        "did you mean \"required\"?",
        "did you mean \"routes\"?",
        "did you mean \"items\" where it says \"item\"?",
        "note[unknown_key]: \"x-note\"",
    ] {
        assert!(run.out.contains(words), "{words} in {}", run.out);
    }
}

#[test]
fn the_shipped_registries_have_neither_errors_nor_warnings() {
    let registries = concat!(env!("CARGO_MANIFEST_DIR"), "/../../registries");
    for entry in std::fs::read_dir(registries).expect("the samples") {
        let path = entry.expect("a sample").path();
        let name = path.to_string_lossy();
        let is_other = name.ends_with(".schema.json") || name.ends_with(".checks.json");
        if !name.ends_with(".json") || is_other {
            continue;
        }
        let run = Folder::new().run(&["check", &name]);
        assert!(
            run.err.starts_with("0 errors, 0 warnings, "),
            "{name}: {}",
            run.out
        );
        assert_eq!(run.status, 0, "{name}");
    }
}

const UNPRINTED: &str = r#"{
  "assembly_order": ["base_context", "prompt_endings"],
  "base_context": {"items": [{"id": "b", "text": "B."}]},
  "personas": {"items": [{"id": "p", "context": "P.", "base_directives": ["d"]}]},
  "sentiment": {"slider": 3, "items": [{"id": "s", "context": "S."}]},
  "prompt_endings": {"items": [{"id": "e", "text": "E.", "note": "N."}]},
  "routes": {"short": {"assembly_order": ["personas", "sentiment"]}}
}"#;

#[test]
fn fix_adds_what_no_entry_prints_until_nothing_is_left() {
    let folder = Folder::new();
    folder.write("deck.json", UNPRINTED);
    let before = folder.run(&["check", "deck.json", "--strict"]);
    assert_eq!(before.status, 1, "{}", before.out);
    assert!(
        before.out.contains("text_not_in_assembly"),
        "{}",
        before.out
    );
    let run = folder.run(&["check", "deck.json", "--fix", "--strict"]);
    assert_eq!((run.out.as_str(), run.status), ("", 0), "{}", run.err);
    assert!(run.err.contains("added 3 entries"), "{}", run.err);
    let mended: Value = serde_json::from_str(&folder.read("deck.json")).expect("JSON");
    assert_eq!(
        mended["registry"]["assembly_order"],
        json!([
            "base_context",
            "personas.base_directives",
            "sentiment.scale",
            "prompt_endings",
            "prompt_endings.note"
        ])
    );
    let again = folder.run(&["check", "deck.json", "--fix"]);
    assert!(!again.err.contains("added"), "{}", again.err);
}

#[test]
fn fix_leaves_alone_what_it_cannot_write() {
    let folder = Folder::new();
    folder.write("bad.json", "{");
    assert_eq!(folder.run(&["check", "bad.json", "--fix"]).status, 2);
    assert_eq!(folder.read("bad.json"), "{");
}

#[test]
fn fix_prints_no_field_that_is_misspelled_and_no_keyword_of_a_lorebook() {
    let folder = Folder::new();
    let deck = json!({"assembly_order": ["tone"], "tone": {"items": [
        {"id": "a", "text": "Be brief.", "exclude": ["x"], "note": "Be kind."},
    ]}});
    folder.write("deck.json", deck.to_string());
    let run = folder.run(&["check", "deck.json", "--fix", "--strict"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.err.contains("added 1 entry: tone.note"), "{run:?}");
    assert!(run.out.contains("rename it to \"excludes\""), "{run:?}");

    let book = json!({"entries": [
        {"keys": ["lamp"], "content": "The lamp burns oil.", "constant": true},
    ]});
    folder.write("book.json", book.to_string());
    let import = [
        "import",
        "book.json",
        "--from",
        "lorebook",
        "-o",
        "lore.json",
    ];
    assert_eq!(folder.run(&import).status, 0);
    let run = folder.run(&["check", "lore.json", "--fix", "--strict"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(!run.err.contains("added"), "{run:?}");
}

#[test]
fn fix_refuses_standard_input() {
    let run = Folder::new().run_with(&["check", "-", "--fix"], REGISTRY);
    run.refuses(2, &["--fix", "name a file"]);
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_does_not_stop_the_others() {
    let folder = Folder::new();
    // Paths longer than 4096 bytes cannot be opened, whoever the user is.
    let nested =
        "name=$(printf '%0250d' 0); for depth in $(seq 20); do mkdir $name && cd -P $name; done";
    let made = Command::new("sh")
        .args(["-c", nested])
        .current_dir(folder.path("."))
        .status()
        .expect("sh runs");
    assert!(made.success());
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.err.contains("cannot read the folder ./000"), "{run:?}");
    assert!(run.err.contains("in 1 file"), "{run:?}");
}

#[test]
fn json_has_an_entry_for_each_file_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("obj.json", "{}");
    folder.write("registry.json", REGISTRY);
    for (names, code) in [
        (&["obj.json"][..], "not_a_registry"),
        (&["missing.json"], "unreadable"),
        (&["registry.json", "missing.json"], "unreadable"),
    ] {
        let args = [&["check", "--format", "json"], names].concat();
        let run = folder.run(&args);
        assert_eq!(run.status, 2);
        let reports: Value = serde_json::from_str(&run.out).expect("JSON");
        let last = reports
            .as_array()
            .and_then(|all| all.last())
            .expect("an entry");
        assert_eq!(last["file"], json!(names[names.len() - 1]));
        assert_eq!(
            (&last["ok"], &last["diagnostics"]),
            (&json!(false), &json!([]))
        );
        assert_eq!(last["unreadable"][0]["code"], json!(code), "{last}");
        let summary = format!("; 1 unreadable: {}\n", names[names.len() - 1]);
        let text = folder.run(&[&["check"], names].concat());
        assert!(text.err.ends_with(&summary), "{}", text.err);
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_followed_to_files_and_named_otherwise() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("mounted/..data")).expect("the folder is writable");
    std::fs::create_dir_all(folder.path("elsewhere")).expect("the folder is writable");
    folder.write("mounted/..data/deck.json", "{");
    symlink("..data/deck.json", folder.path("mounted/deck.json")).expect("linked");
    symlink("../elsewhere", folder.path("mounted/more")).expect("linked");
    symlink("nothing", folder.path("mounted/.#lock")).expect("linked");
    let run = folder.run(&["check", "mounted"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.out.contains("mounted/deck.json:1:"), "{run:?}");
    let note =
        "note: links to folders are not entered: mounted/more; name such a folder to read it";
    assert!(run.err.contains(note), "{run:?}");
    folder.write("mounted/..data/deck.json", REGISTRY);
    assert_eq!(folder.run(&["check", "mounted"]).status, 0);
    symlink("gone.json", folder.path("mounted/broken.json")).expect("linked");
    folder.run(&["check", "mounted"]).refuses(
        2,
        &["error: cannot read mounted/broken.json: its link to gone.json: "],
    );
}

#[test]
fn folders_of_installed_packages_are_skipped() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("deck/node_modules/a")).expect("the folder is writable");
    folder.write("deck/registry.json", REGISTRY);
    folder.write("deck/node_modules/a/broken.json", "{");
    let run = folder.run(&["check", "deck"]);
    assert_eq!(run.status, 0, "{run:?}");
}
