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
fn a_folder_without_a_registry_is_refused_by_every_verb_that_reads_folders() {
    let folder = folder(&[("other/package.json", r#"{"name": "other"}"#)]);
    fs::create_dir(folder.path("empty")).expect("a folder");
    for (name, files) in [("empty", ""), ("other", "; 1 other JSON file not checked")] {
        for args in [
            &["check", name][..],
            &["test", name],
            &["fmt", name],
            &["fmt", "--check", name],
            &["impact", name, name],
        ] {
            let run = folder.run(args);
            assert_eq!(run.status, 2, "{args:?}: {run:?}");
        }
        // `doctor` reports what it finds, and ends with 1 for all of it.
        let doctor = folder.run(&["doctor", name]);
        assert_eq!(doctor.status, 1, "{doctor:?}");
        let words = format!("{name}: no registry in it");
        assert!(doctor.out.contains(&words), "{doctor:?}");
        let run = folder.run(&["check", name]);
        let summary = format!("\n0 errors, 0 warnings, 0 notes in 0 files{files}\n");
        assert!(run.err.ends_with(&summary), "{run:?}");
        for verb in ["check", "test"] {
            let json = folder.run(&[verb, name, "--format", "json"]);
            let expected = (name.to_owned(), "no_registry".to_owned());
            assert_eq!(codes(&json.out, "/unreadable/0/code"), [expected], "{verb}");
        }
    }
    // Beside registries, an empty folder is a warning for all.
    for (verb, strict) in [("check", 1), ("test", 1), ("fmt", 0)] {
        let both = folder.run(&[verb, "registry.json", "empty"]);
        assert_eq!(both.status, 0, "{both:?}");
        let words = "warning: empty: no JSON file in it";
        assert!(both.err.contains(words), "{both:?}");
        if strict == 1 {
            let run = folder.run(&[verb, "registry.json", "empty", "--strict"]);
            assert_eq!(run.status, strict, "{run:?}");
        }
    }
}

#[test]
fn a_misspelled_key_of_a_registry_is_named() {
    let inner = r#"{"assembly_order": ["a"], "a": {"required": true, "items": [{"id": "x", "text": "Hi"}]}}"#;
    let misspelled = format!(r#"{{"registery": {inner}}}"#);
    let other = format!(r#"{{"by": "me", "Registry": {inner}, "seed": 7}}"#);
    let folder = folder(&[
        ("deck/good.json", REGISTRY),
        ("deck/mis.json", &misspelled),
        ("alone/mis.json", &other),
        ("good/good.json", REGISTRY),
    ]);
    let words = "mis.json: line 1, column 2: unknown key \"registery\", so its registry is not read; \
                 did you mean \"registry\"?";
    for verb in [
        &["check"][..],
        &["test"],
        &["fmt"],
        &["hydrate"],
        &["export"],
    ] {
        let run = folder.run(&[verb, &["deck/mis.json"]].concat());
        assert_eq!(run.status, 2, "{verb:?}: {run:?}");
        let error = format!("error: deck/{words}");
        assert!(run.err.contains(&error), "{verb:?}: {}", run.err);
    }
    for args in [
        &["check", "deck"][..],
        &["test", "deck"],
        &["fmt", "--check", "deck"],
        &["impact", "good", "deck", "--rolls", "10"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
        let warning = format!("warning: deck/{words}");
        assert!(run.err.contains(&warning), "{args:?}: {}", run.err);
    }
    for verb in ["check", "test"] {
        assert_eq!(folder.run(&[verb, "deck", "--strict"]).status, 1, "{verb}");
        assert_eq!(folder.run(&[verb, "alone"]).status, 2, "{verb}");
    }
    let json = folder.run(&["check", "deck", "--format", "json"]);
    let expected = ("deck/mis.json".to_owned(), "not_a_registry".to_owned());
    assert_eq!(codes(&json.out, "/diagnostics/0/code"), [expected]);
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    let found = json.as_array().expect("reports").iter();
    let mut found = found.filter_map(|report| report["diagnostics"][0]["column"].as_u64());
    assert_eq!(found.next(), Some(2));
    let doctor = folder.run(&["doctor", "deck"]);
    assert_eq!(doctor.status, 1, "{doctor:?}");
    assert!(doctor.out.contains(words), "{doctor:?}");
}

#[test]
fn warnings_of_lint_are_problems_of_a_strict_test() {
    let twice = r#"{"registry": {"assembly_order": ["a"], "a": {"required": true, "itemz": 3,
        "items": [{"id": "x", "text": "Hi"}, {"id": "x", "text": "Hi2"}]}}}"#;
    let folder = folder(&[("deck/a.json", twice)]);
    let lax = folder.run(&["test", "deck"]);
    assert_eq!(lax.status, 0, "{lax:?}");
    assert!(!lax.out.contains("duplicate_id"), "{lax:?}");
    assert_eq!(folder.run(&["check", "deck", "--strict"]).status, 1);
    let strict = |format: &str| {
        let run = folder.run(&["test", "deck", "--strict", "--format", format]);
        assert_eq!(run.status, 1, "{run:?}");
        let summary = "1 registry linted, 1 with errors or warnings\n";
        assert!(run.err.ends_with(summary), "{}", run.err);
        run.out
    };
    let text = strict("text");
    for words in [
        "FAIL  lint: 2 warnings",
        "warning[duplicate_id]",
        "warning[unknown_key]",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let json: Value = serde_json::from_str(&strict("json")).expect("JSON");
    assert_eq!(json[0]["ok"], false);
    let severities = json[0]["lint"].as_array().expect("a list").iter();
    let severities: Vec<&Value> = severities.map(|problem| &problem["severity"]).collect();
    assert_eq!(severities, ["warning", "warning"]);
    let junit = strict("junit");
    for words in [
        "tests=\"1\" failures=\"1\"",
        "<failure type=\"lint\"",
        "duplicate_id",
    ] {
        assert!(junit.contains(words), "no {words:?} in {junit}");
    }
    // The registry of a call document is linted in its call, as `check` does.
    let call = r#"{"registry": {"assembly_order": ["a"], "a": {"required": true, "template_vars": ["n"],
        "items": [{"id": "x", "text": "Hi {n}"}]}}, "state": {"template_vars": {"a::n": "Ann"}}}"#;
    folder.write("deck/a.json", call);
    for verb in ["check", "test"] {
        assert_eq!(folder.run(&[verb, "deck", "--strict"]).status, 0, "{verb}");
    }
    folder.write("deck/a.json", call.replace("Ann", ""));
    for verb in ["check", "test"] {
        assert_eq!(folder.run(&[verb, "deck", "--strict"]).status, 1, "{verb}");
    }
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
    assert_eq!(codes(&json.out, "/unreadable/0/code"), [expected]);
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
    assert_eq!(codes(&json.out, "/unreadable/0/code"), expected);
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
        let summary = "; 1 file with warnings\n";
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
}
