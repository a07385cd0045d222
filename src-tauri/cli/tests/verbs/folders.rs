//! Folders in which something is wrong: every verb that reads them says the same of each file, and a
//! folder in which nothing was read does not pass as a good one.

use std::fs;

use serde_json::Value;

use crate::program::{Folder, REGISTRY};

/// A registry whose only section has a misspelled key.
const TYPO: &str = r#"{"registry": {"version": 22, "assembly_order": ["a"], "a": {"itms": [{"id": "x", "text": "q"}]}}}"#;

fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, content) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }
    folder
}

/// The `unreadable` or `diagnostics` code of each file in a report.
fn codes(report: &str, pointer: &str) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(report).expect("JSON");
    let files = report.as_array().expect("a list").iter();
    let coded = files.filter_map(|file| {
        let code = file.pointer(pointer)?.as_str()?.to_owned();
        Some((file["file"].as_str()?.to_owned(), code))
    });
    coded.collect()
}

#[test]
fn nothing_checked_is_a_warning_and_a_problem_when_strict() {
    let folder = folder(&[("other/package.json", r#"{"name": "other"}"#)]);
    fs::create_dir(folder.path("empty")).expect("a folder");
    for (name, files) in [("empty", ""), ("other", "; 1 other JSON file")] {
        let run = folder.run(&["check", name]);
        let summary = format!("\n0 errors, 1 warning, 0 notes in 0 files{files}\n");
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.err.ends_with(&summary), "{run:?}");
        assert_eq!(folder.run(&["check", "--strict", name]).status, 1);
        let json = folder.run(&["check", name, "--format", "json"]);
        let expected = (name.to_owned(), "no_registry".to_owned());
        assert_eq!(codes(&json.out, "/diagnostics/0/code"), [expected]);
        for args in [&["test", name][..], &["fmt", "--check", name]] {
            let run = folder.run(args);
            assert_eq!(run.status, 2, "{args:?}: {run:?}");
        }
        assert_eq!(folder.run(&["fmt", name]).status, 0);
    }
    // Beside registries, an empty folder is a warning for all.
    let both = folder.run(&["test", "registry.json", "empty"]);
    assert_eq!(both.status, 0, "{both:?}");
    assert!(both.err.contains("warning: empty: no JSON file in it"));
}

#[test]
fn a_registry_without_sections_is_an_error_of_every_verb() {
    let folder = folder(&[
        ("deck/good.json", REGISTRY),
        ("deck/typo.json", TYPO),
        ("deck/list.json", "[]"),
        ("old/good.json", REGISTRY),
    ]);
    let words =
        "deck/typo.json: not a registry: it has no section, which is an object with \"items\"";
    for args in [
        &["check", "deck"][..],
        &["test", "deck"],
        &["fmt", "--check", "deck"],
        &["impact", "old", "deck", "--rolls", "10"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, 2, "{args:?}: {run:?}");
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
        assert!(!run.err.contains("list.json"), "{args:?}: {}", run.err);
    }
    let doctor = folder.run(&["doctor", "deck"]);
    assert_eq!(doctor.status, 1, "{doctor:?}");
    assert!(doctor.out.contains(words), "{}", doctor.out);
    assert!(!doctor.out.contains("list.json"), "{}", doctor.out);
    let json = folder.run(&["check", "deck", "--format", "json"]);
    let expected = ("deck/typo.json".to_owned(), "not_a_registry".to_owned());
    assert_eq!(codes(&json.out, "/unreadable/code"), [expected]);
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_in_every_report() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[
        ("deck/good.json", &REGISTRY.replace("Hello", "Good day")),
        ("old/good.json", REGISTRY),
    ]);
    symlink("nowhere.json", folder.path("deck/dang.json")).expect("linked");
    let words = "error: cannot read deck/dang.json: its link to nowhere.json: ";
    let run = |args: &[&str]| {
        let run = folder.run(args);
        assert_eq!(run.status, 2, "{args:?}: {run:?}");
        assert_eq!(run.err.matches(words).count(), 1, "{args:?}: {}", run.err);
        run
    };
    let expected = [("deck/dang.json".to_owned(), "unreadable".to_owned())];
    let json = run(&["check", "deck", "--format", "json"]);
    assert_eq!(codes(&json.out, "/unreadable/code"), expected);
    let json = run(&["test", "deck", "--format", "json"]);
    assert_eq!(codes(&json.out, "/unreadable/0/code"), expected);
    let junit = run(&["test", "deck", "--format", "junit"]);
    assert!(junit.out.contains("errors=\"1\""), "{}", junit.out);
    assert!(junit.out.contains("<error type=\"unreadable\""));
    let text = run(&["test", "deck"]);
    assert!(text.err.contains("; 1 file unreadable"), "{}", text.err);
    run(&["fmt", "--check", "deck"]);
    let impact = run(&[
        "impact", "old", "deck", "--rolls", "10", "--format", "markdown",
    ]);
    for row in [
        "| <code>dang.json</code> | unreadable",
        "| <code>good.json</code> | 100",
    ] {
        assert!(impact.out.contains(row), "no {row:?} in {}", impact.out);
    }
    let doctor = folder.run(&["doctor", "deck"]);
    assert_eq!(doctor.status, 1, "{doctor:?}");
    assert!(doctor.out.contains("cannot read deck/dang.json"));
}

#[test]
fn warnings_about_checks_are_problems_when_strict() {
    let folder = folder(&[
        ("deck/a.json", REGISTRY),
        (
            "deck/a.checks.json",
            r#"{"checks": [{"name": "x", "given": {"roll": 5}, "expect": [{"contains": "Hello"}]}]}"#,
        ),
    ]);
    let words = "unknown key \"roll\"";
    for format in ["text", "json", "junit"] {
        let args = ["test", "deck", "--format", format];
        let run = folder.run(&args);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.err.contains(words), "{}", run.err);
        let strict = folder.run(&[&args[..], &["--strict"]].concat());
        assert_eq!(strict.status, 1, "{strict:?}");
        let summary = "; 1 file of checks with warnings\n";
        assert!(strict.err.ends_with(summary), "{}", strict.err);
    }
    let junit = |more: &[&str]| {
        let args = ["test", "deck", "--format", "junit"];
        folder.run(&[&args[..], more].concat()).out
    };
    let plain = junit(&[]);
    assert!(
        plain.contains("<system-err>deck/a.checks.json: line 1"),
        "{plain}"
    );
    assert!(plain.contains("tests=\"2\" failures=\"0\""), "{plain}");
    let strict = junit(&["--strict"]);
    assert!(strict.contains("tests=\"3\" failures=\"1\""), "{strict}");
    assert!(strict.contains("<failure type=\"warning\""), "{strict}");
    fs::create_dir(folder.path("empty")).expect("a folder");
    let run = folder.run(&["test", "registry.json", "empty", "--strict"]);
    assert_eq!(run.status, 2, "{run:?}");
}
