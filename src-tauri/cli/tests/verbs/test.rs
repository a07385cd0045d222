//! `test`: the checks of registries, as text, JSON and JUnit; golden texts; bad input; watching.

use std::{
    io::{BufRead as _, BufReader, Read},
    process::Child,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

/// Checks of the registry of the tests: some hold, some do not.
const CHECKS: &str = r#"{ "version": 1, "by": {"me": 1.50},
  "checks": [
    {"name": "greets", "expect": [{"contains": "Hello"}, {"max_tokens": 40, "tokenizer": "o200k_base"}]},
    {"name": "colours", "given": {"rolls": 50, "state": {"array_modes": {"lists": {"items": "random:1"}}}},
     "expect": [{"not_contains": "green"}]},
    {"name": "golden", "given": {"route": "short"}, "expect": [ { "text" : "Hello \u0079ou!" } ] }
  ]
}
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("registry.checks.json", CHECKS);
    folder
}

#[test]
fn a_failing_check_says_what_was_expected_what_was_there_and_where_it_came_from() {
    let run = folder().run(&["test", "registry.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "registry.json",
            "  ok    lint",
            "  ok    greets",
            "  FAIL  colours (50 rolls)",
            "        not_contains, seed 3: expected no \"green\", found \"Hello you.\\n\\ngreen\"",
            "          registry.checks.json:5:17",
            "          from lists.colours.items[1]",
            "  FAIL  golden",
            "        text, seed 0: expected the golden text, found a difference in line 1: \
             \"Hello you.\" instead of \"Hello you!\"",
            "          registry.checks.json:6:65",
            "          from greeting.hello.text",
            "          -Hello you!",
            "          +Hello you.",
        ]
    );
    let summary = "3 checks: 1 holds, 2 fail; 1 registry linted, 0 with errors";
    assert!(run.err.ends_with(&format!("{summary}\n")), "{}", run.err);
    assert!(
        run.err
            .contains("registry.checks.json: line 1, column 17: unknown key \"by\""),
        "{}",
        run.err
    );
}

#[test]
fn a_key_beside_the_object_that_it_belongs_in_is_named_with_it() {
    let folder = Folder::new();
    let check = json!({"name": "a", "rolls": 50, "seed": 1, "expect": [{"contains": "Hello"}]});
    folder.write(
        "registry.checks.json",
        json!({"checks": [check]}).to_string(),
    );
    let run = folder.run(&["test", "registry.json"]);
    for key in ["rolls", "seed"] {
        let warning = format!(
            "unknown key {key:?} in /checks/0, which is ignored; did you mean \"given.{key}\"?"
        );
        assert!(run.err.contains(&warning), "{}", run.err);
    }
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let folder = folder();
    for name in ["a", "b", "c"] {
        folder.write(&format!("{name}.json"), REGISTRY);
        folder.write(&format!("{name}.checks.json"), CHECKS);
    }
    for format in ["text", "json", "junit"] {
        let run = |jobs: &str| folder.run(&["test", ".", "--format", format, "--jobs", jobs]);
        let (one, many) = (run("1"), run("7"));
        assert_eq!((one.status, many.status), (1, 1));
        assert_eq!((one.out, one.err), (many.out, many.err));
    }
    folder
        .run(&["test", ".", "--jobs", "0"])
        .refuses(2, &["--jobs"]);
}

#[test]
fn the_report_as_json() {
    let run = folder().run(&["test", "registry.checks.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let report = &reports[0];
    assert_eq!(
        (&report["file"], &report["ok"], &report["lint"]),
        (&json!("registry.json"), &json!(false), &json!([]))
    );
    assert_eq!(report["checks"][0]["status"], "passed");
    let failed = &report["checks"][1];
    assert_eq!(
        (&failed["status"], &failed["rolls"]),
        (&json!("failed"), &json!(50))
    );
    let failure = &failed["failures"][0];
    assert_eq!(
        (
            &failure["expectation"],
            &failure["seed"],
            &failure["pointer"],
            &failure["line"]
        ),
        (
            &json!("not_contains"),
            &json!(3),
            &json!("/checks/1/expect/0"),
            &json!(5)
        )
    );
    assert_eq!(failure["sources"][0]["section"], "lists");
    let golden = &report["checks"][2]["failures"][0];
    assert_eq!(
        (&golden["golden"], &golden["actual"]),
        (&json!("Hello you!"), &json!("Hello you."))
    );
}

#[test]
fn a_filter_runs_the_checks_of_that_name_only() {
    let folder = folder();
    folder.write("other.json", REGISTRY);
    let run = folder.run(&["test", ".", "--filter", "gree"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.out.contains("  ok    greets\n") && !run.out.contains("golden"),
        "{}",
        run.out
    );
    assert!(
        run.err.ends_with("1 check: 1 holds, 0 fail\n"),
        "{}",
        run.err
    );
}

#[test]
fn a_filter_that_no_name_contains_is_an_error() {
    let folder = folder();
    for format in ["text", "json", "junit"] {
        let run = folder.run(&["test", ".", "--filter", "grets", "--format", format]);
        assert_eq!(run.status, 2, "{run:?}");
        let message = "error: no name of a check contains \"grets\"; did you mean \"greets\"?\n";
        assert!(run.err.contains(message), "{}", run.err);
    }
    let empty = Folder::new().run(&["test", ".", "--filter", "x"]);
    assert_eq!(empty.status, 2, "{empty:?}");
}

#[test]
fn a_registry_without_checks_is_linted() {
    let folder = Folder::new();
    let run = folder.run(&["test", "registry.json"]);
    assert_eq!(
        (run.out.as_str(), run.status),
        ("registry.json\n  ok    lint\n", 0)
    );
    folder.write("bad.json", REGISTRY.replace("\"moods\",\n", "\"modds\",\n"));
    let run = folder.run(&["test", "."]);
    assert_eq!(run.status, 1);
    assert!(
        run.out.contains("  FAIL  lint: 1 error\nerror["),
        "{}",
        run.out
    );
    assert!(run.out.contains("bad.json:6:7"), "{}", run.out);
    let summary = "0 checks: 0 hold, 0 fail; 2 registries linted, 1 with errors\n";
    assert_eq!(run.err, summary);
}

#[test]
fn a_folder_is_walked_and_its_other_files_are_passed_over() {
    let folder = folder();
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    folder.write("sub/deck.json", REGISTRY);
    folder.write(
        "sub/deck.checks.json",
        r#"{"checks": [{"name": "x", "expect": [{"contains": "blue"}]}]}"#,
    );
    folder.write(
        "call.json",
        r#"{"registry": "registry.json", "message": {"text": "Hi"}}"#,
    );
    folder.write("checks.schema.json", folder.run(&["schema", "checks"]).out);
    let run = folder.run(&["test", "."]);
    let files: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("./"))
        .collect();
    assert_eq!(files, ["./registry.json", "./sub/deck.json"], "{run:?}");
    // Neither a folder of checks is a folder of registries for the other verbs.
    let check = folder.run(&["check", "."]);
    assert!(
        check
            .err
            .ends_with("in 2 files; 2 other JSON files not checked\n"),
        "{}",
        check.err
    );
    assert_eq!(folder.run(&["fmt", "--check", "."]).status, 0);
    for verb in ["check", "fmt", "hydrate", "export", "variants", "run"] {
        let words = "registry.checks.json: not a registry but a file of checks; `promptdeck test`";
        folder
            .run(&[verb, "registry.checks.json"])
            .refuses(2, &[words]);
    }
}

#[test]
fn golden_texts_are_replaced_and_nothing_else() {
    let folder = folder();
    let run = folder.run(&["test", "registry.json", "--update", "--filter", "golden"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.err
            .contains("registry.checks.json: replaced 1 golden text\n"),
        "{}",
        run.err
    );
    assert_eq!(
        folder.read("registry.checks.json"),
        CHECKS.replace("Hello \\u0079ou!", "Hello you.")
    );
    let again = folder.run(&["test", "registry.json", "--update", "--filter", "golden"]);
    assert_eq!(again.status, 0);
    assert!(!again.err.contains("replaced"), "{}", again.err);
}

#[test]
fn golden_texts_are_reviewed_one_by_one() {
    let text = |seed: u64| json!({"name": format!("seed {seed}"), "given": {"seed": seed}, "expect": [{"text": "old"}]});
    let checks = json!({"checks": [text(1), text(2), text(3), text(4)]}).to_string();
    let accepted = |answers: &str| {
        let folder = folder();
        folder.write("registry.checks.json", &checks);
        let run = folder.run_with(&["test", "registry.json", "--review"], answers);
        assert_eq!(
            run.status,
            i32::from(folder.read("registry.checks.json").contains("old"))
        );
        assert!(
            run.out
                .contains("registry.json: seed 1\n  -old\n  +Hello you.\n"),
            "{}",
            run.out
        );
        let document: Value =
            serde_json::from_str(&folder.read("registry.checks.json")).expect("JSON");
        (0..4)
            .filter(|index| document["checks"][index]["expect"][0]["text"] != "old")
            .collect::<Vec<usize>>()
    };
    assert_eq!(accepted("y\nn\nwhat\nyes\nn\n"), [0, 2]);
    assert_eq!(accepted("n\na\n"), [1, 2, 3]);
    assert_eq!(accepted("y\nq\n"), [0]);
    assert!(accepted("").is_empty());
}

#[test]
fn bad_input_is_red_with_its_place_and_the_others_run() {
    let folder = folder();
    let bad = r#"{"checks": [
  {"name": "route", "given": {"route": "shrot"}, "expect": [{"contains": "a"}]},
  {"name": "item", "expect": [{"renders": "moods.clam"}]},
  {"name": "pattern", "expect": [{"not_matches": "(a"}]},
  {"name": "budget", "expect": [{"max_tokens": -1, "tokenizer": "estimate"}]},
  {"name": "good", "expect": [{"contains": "Hello"}]}
]}"#;
    folder.write("registry.checks.json", bad);
    let run = folder.run(&["test", "registry.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    for line in [
        "  ERROR route: cannot run\n        registry.checks.json:2:40: no route \"shrot\" in this registry; it has short; did you mean \"short\"?\n",
        "  ERROR item: cannot run\n        registry.checks.json:3:43: section \"moods\" has no item \"clam\"",
        "  ERROR pattern: cannot run\n        registry.checks.json:4:50: the pattern does not compile: missing )",
        "  ERROR budget: cannot run\n        registry.checks.json:5:48: expected an integer of 0 or more, found -1\n",
        "  ok    good\n",
    ] {
        assert!(run.out.contains(line), "{line} in {}", run.out);
    }
    assert!(
        run.err.contains("5 checks: 1 holds, 0 fail, 4 cannot run;"),
        "{}",
        run.err
    );
}

#[test]
fn unreadable_files_end_with_2_and_the_others_run() {
    let folder = folder();
    folder.write("registry.checks.json", "{\"checks\": [");
    folder.write("gone.checks.json", r#"{"checks": []}"#);
    folder.write("broken.json", "{");
    folder.write("fine.json", REGISTRY);
    folder.write(
        "fine.checks.json",
        r#"{"checks": [{"name": "x", "expect": [{"contains": "blue"}]}]}"#,
    );
    let run = folder.run(&["test", "."]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.out.contains("./fine.json\n  ok    lint\n  ok    x\n"),
        "{}",
        run.out
    );
    for words in [
        "error: ./registry.checks.json: line 1, column 13: ",
        "error: cannot read ./gone.json: ",
        "its checks are in ./gone.checks.json",
        "error: ./broken.json: line 1, column 2: ",
        "1 check: 1 holds, 0 fail; 2 registries linted, 0 with errors; 3 files unreadable",
    ] {
        assert!(run.err.contains(words), "{words} in {}", run.err);
    }
    let none = folder.run(&["test", "none.json"]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("cannot read none.json"), "{}", none.err);
    let json = folder.run(&["test", ".", "--format", "json"]);
    let reports: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (json.status, &reports[0]["unreadable"][0]["code"]),
        (2, &json!("syntax"))
    );
}

#[test]
fn a_junit_report_is_well_formed_whatever_the_texts_hold() {
    let folder = folder();
    let hostile = "a]]><b>&amp;\"'\u{1b}[2J\u{0}\u{fffe}\u{ffff}\u{202e}\r\n\u{85}";
    let registry =
        json!({"assembly_order": ["a"], "a": {"items": [{"id": hostile, "text": hostile}]}});
    folder.write("bad.json", registry.to_string());
    let checks = json!({"checks": [
        {"name": hostile, "expect": [{"text": "x"}, {"not_contains": "b"}]},
        {"name": "fault", "expect": [{"matches": "("}]},
        {"name": "fine", "expect": [{"max_characters": 100}]},
    ]});
    folder.write("bad.checks.json", checks.to_string());
    folder.write("broken.json", "{");
    let run = folder.run(&["test", ".", "--format", "junit"]);
    assert_eq!(run.status, 2, "{run:?}");
    let document = roxmltree::Document::parse(&run.out).expect("well-formed XML");
    let root = document.root_element();
    let counts = |node: roxmltree::Node<'_, '_>| {
        ["tests", "failures", "errors"]
            .map(|key| node.attribute(key).map(str::to_owned).expect("a count"))
    };
    // Lint of two registries, six checks, one unreadable file.
    assert_eq!(counts(root), ["9", "3", "2"]);
    let suites: Vec<_> = root
        .children()
        .filter(roxmltree::Node::is_element)
        .collect();
    let names: Vec<_> = suites
        .iter()
        .filter_map(|suite| suite.attribute("name"))
        .collect();
    assert_eq!(names, ["./bad.json", "./broken.json", "./registry.json"]);
    assert_eq!(counts(suites[0]), ["4", "1", "1"]);
    let cases: Vec<_> = suites[0]
        .children()
        .filter(roxmltree::Node::is_element)
        .collect();
    assert_eq!(cases.len(), 4);
    let failure = cases[1].first_element_child().expect("a failure");
    assert_eq!(failure.attribute("type"), Some("text"));
    let name = "a]]><b>&amp;\"'\\u{1b}[2J\\u{0}\\u{fffe}\\u{ffff}\\u{202e}\\r\\n\\u{85}";
    assert_eq!(cases[1].attribute("name"), Some(name));
    assert!(
        failure.text().expect("details").contains("a]]><b>&amp;"),
        "{:?}",
        failure.text()
    );
    assert_eq!(
        cases[2]
            .first_element_child()
            .expect("an error")
            .tag_name()
            .name(),
        "error"
    );
}

#[test]
fn names_from_files_cannot_control_a_terminal() {
    let folder = folder();
    let name = "\u{1b}[2Jrow\nok";
    let checks = json!({"checks": [{"name": name, "expect": [{"contains": name}]}]});
    folder.write("registry.checks.json", checks.to_string());
    let run = folder.run(&["test", "registry.json"]);
    assert!(
        run.out.contains("  FAIL  \\u{1b}[2Jrow\\nok\n"),
        "{}",
        run.out
    );
    assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'));
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    let folder = folder();
    for flags in [
        &["--watch", "--update"][..],
        &["--watch", "--review"],
        &["--update", "--review"],
        &["--watch", "--format", "json"],
    ] {
        folder
            .run(&[&["test", "."], flags].concat())
            .refuses(2, &["--"]);
    }
}

/// A run of `test --watch`, ended when dropped.
struct Watching {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Watching {
    fn of(folder: &Folder, path: &str) -> Self {
        let mut child = folder.command(&["test", path, "--watch"]);
        let mut child = child.spawn().expect("the program starts");
        let out = child.stdout.take().expect("piped");
        let err = child.stderr.take().expect("piped");
        let (sender, lines) = mpsc::channel();
        let both: [Box<dyn Read + Send>; 2] = [Box::new(out), Box::new(err)];
        for stream in both {
            let sender = sender.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Self { child, lines }
    }

    /// Waits for lines with these words, in any order: standard output and error are read apart.
    fn until_all(&self, words: [&str; 2]) {
        let first = self.until_any(&words);
        let seen = |word: &&str| first.last().is_some_and(|line| line.contains(*word));
        let rest: Vec<&str> = words.into_iter().filter(|word| !seen(word)).collect();
        self.until_any(&rest);
    }

    /// The lines up to one that contains this, that one included.
    fn until(&self, last: &str) -> Vec<String> {
        self.until_any(&[last])
    }

    fn until_any(&self, last: &[&str]) -> Vec<String> {
        const LONG: Duration = Duration::from_secs(20);
        let (begun, mut seen) = (Instant::now(), Vec::new());
        loop {
            let left = LONG.saturating_sub(begun.elapsed());
            let line = self.lines.recv_timeout(left);
            seen.push(line.unwrap_or_else(|_| panic!("no {last:?} after {seen:?}")));
            let is_last = |line: &String| last.iter().any(|words| line.contains(words));
            if seen.last().is_some_and(is_last) {
                return seen;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn watching_a_folder_goes_on_when_it_is_removed_and_made_again() {
    let folder = folder();
    std::fs::create_dir(folder.path("decks")).expect("made");
    folder.write("decks/a.json", REGISTRY);
    let watching = Watching::of(&folder, "decks");
    watching.until("waiting for changes");
    std::fs::remove_dir_all(folder.path("decks")).expect("removed");
    watching.until_all(["cannot read decks", "waiting for changes"]);
    std::fs::create_dir(folder.path("decks")).expect("made");
    folder.write("decks/b.json", REGISTRY);
    watching.until_all(["decks/b.json", "waiting for changes"]);
    // The folder made again is watched too.
    folder.write(
        "decks/b.checks.json",
        r#"{"checks": [{"name": "third", "expect": [{"contains": "blue"}]}]}"#,
    );
    watching.until("  ok    third");
}

#[test]
fn watching_runs_what_a_change_reaches() {
    let folder = folder();
    folder.write("other.json", REGISTRY);
    let watching = Watching::of(&folder, ".");
    // The report without the messages, which come on their own way.
    let until = |last: &str| {
        let lines = watching.until(last).into_iter();
        let messages = ["waiting", "warning", "error"];
        let report = |line: &String| {
            let is_message = messages.iter().any(|word| line.starts_with(word));
            !is_message && !line.contains(" checks: ") && !line.contains(" check: ")
        };
        lines.filter(report).collect::<Vec<String>>()
    };
    let first = until("          +Hello you.");
    assert!(first.contains(&"./other.json".to_owned()), "{first:?}");
    // The watch begins before the first test, so no change is missed.
    folder.write(
        "registry.checks.json",
        r#"{"checks": [{"name": "new", "expect": [{"contains": "blue"}]}]}"#,
    );
    assert_eq!(
        until("  ok    new"),
        ["./registry.json", "  ok    lint", "  ok    new"]
    );
    folder.write("registry.json", REGISTRY.replace("blue", "grey"));
    let changed = until(
        "          registry.checks.json:1:40"
            .replace("registry", "./registry")
            .as_str(),
    );
    assert_eq!(
        changed[..3],
        ["./registry.json", "  ok    lint", "  FAIL  new"]
    );
    // A new file of checks beside a registry.
    folder.write(
        "other.checks.json",
        r#"{"checks": [{"name": "second", "expect": [{"contains": "blue"}]}]}"#,
    );
    assert_eq!(
        until("  ok    second"),
        ["./other.json", "  ok    lint", "  ok    second"]
    );
}
