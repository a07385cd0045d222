//! `hydrate --batch`: JSON lines in, JSON lines out.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

/// The registry without line breaks.
pub fn one_line_registry() -> String {
    let registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry.to_string()
}

fn answers(args: &[&str], lines: &[String]) -> Vec<Value> {
    let args = [&["hydrate", "--batch"], args].concat();
    let run = Folder::new().run_with(&args, &lines.join("\n"));
    let answers = run.out.lines();
    let answers: Vec<Value> = answers
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let failed = answers.iter().any(|answer| answer["ok"] == json!(false));
    assert_eq!((run.err.as_str(), run.status), ("", i32::from(failed)));
    answers
}

#[test]
fn a_line_brings_its_registry_or_takes_the_shared_one() {
    let lines = |registry: &str| {
        [
            format!(r#"{{{registry}"seed":1,"route":"short"}}"#),
            format!(
                r#"{{{registry}"seed":"2","state":{{"selections":{{"greeting":"bye"}}}},"route":"short"}}"#
            ),
        ]
    };
    let expected = [
        json!({"ok": true, "text": "Hello you.", "seed": 1}),
        json!({"ok": true, "text": "Goodbye you.", "seed": 2}),
    ];
    let inline_registry = format!("\"registry\":{},", one_line_registry());
    assert_eq!(answers(&[], &lines(&inline_registry)), expected);
    assert_eq!(
        answers(&["--registry", "registry.json"], &lines("")),
        expected
    );
}

#[test]
fn nothing_but_a_registry_is_needed() {
    let answer = &answers(&[], &[format!("{{\"registry\":{}}}", one_line_registry())])[0];
    assert_eq!(answer["text"], "Hello you.\n\n- red\n- green\n- blue");
    assert!(
        answer["seed"].as_u64().is_some_and(|seed| seed < 1 << 53),
        "{answer}"
    );
}

#[test]
fn bad_lines_are_answered_in_their_place() {
    let good = r#"{"seed":1,"route":"short"}"#.to_owned();
    let bad = [
        ("", "invalid_line"),
        ("nothing", "invalid_line"),
        ("[]", "invalid_line"),
        (r#"{"state":7}"#, "invalid_line"),
        (r#"{"state":[]}"#, "invalid_line"),
        (r#"{"seed":-1}"#, "invalid_line"),
        (r#"{"seed":9007199254740992}"#, "invalid_line"),
        (r#"{"route":"nowhere"}"#, "unknown_route"),
        (r#"{"registry":{"version":1}}"#, "unsupported_version"),
        (r#"{"registry":{"a":1,"a":2}}"#, "duplicate_key"),
    ];
    let lines: Vec<String> = bad
        .iter()
        .flat_map(|(line, _)| [(*line).to_owned(), good.clone()])
        .collect();
    let answers = answers(&["--registry", "registry.json"], &lines);
    assert_eq!(answers.len(), lines.len());
    for ((line, code), pair) in bad.iter().zip(answers.chunks(2)) {
        assert_eq!(
            (&pair[0]["ok"], &pair[0]["error"]["code"]),
            (&json!(false), &json!(code)),
            "{line}"
        );
        assert!(
            pair[0]["error"]["message"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{line}"
        );
        assert_eq!(pair[1]["text"], "Hello you.", "after {line}");
    }
}

#[test]
fn a_refused_registry_has_its_place() {
    let answer = &answers(&[], &[r#"{"registry":{"version":1}}"#.to_owned()])[0];
    assert_eq!(answer["error"]["pointer"], "/version");
    assert_eq!(
        (&answer["error"]["line"], &answer["error"]["column"]),
        (&json!(1), &json!(12))
    );
}

#[test]
fn a_line_without_any_registry_says_so() {
    assert_eq!(
        answers(&[], &["{}".to_owned()])[0]["error"]["code"],
        "no_registry"
    );
}

#[test]
fn explain_adds_how_it_came_to_be() {
    let line = r#"{"seed":1,"route":"short"}"#.to_owned();
    let answer = &answers(&["--registry", "registry.json", "--explain"], &[line])[0];
    for part in ["evaluation", "segments", "diagnostics"] {
        assert!(!answer[part].is_null(), "{part}");
    }
}

#[test]
fn ten_thousand_lines_stay_in_order() {
    let lines: Vec<String> = (0..10_000)
        .map(|n| json!({"seed": n, "route": "short", "state": {"template_vars": {"greeting::name": n.to_string()}}}).to_string())
        .collect();
    for (n, answer) in answers(&["--registry", "registry.json"], &lines)
        .iter()
        .enumerate()
    {
        assert_eq!(
            (&answer["text"], &answer["seed"]),
            (&json!(format!("Hello {n}.")), &json!(n))
        );
    }
}

#[test]
fn an_answer_does_not_wait_for_the_next_line() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["hydrate", "--batch", "--registry", "registry.json"])
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    for _ in 0..3 {
        input
            .write_all(b"{\"seed\":1,\"route\":\"short\"}\n")
            .expect("it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, "{\"ok\":true,\"text\":\"Hello you.\",\"seed\":1}\n");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn answers_list_the_warnings_of_their_line() {
    let folder = Folder::new();
    folder.write("state.json", r#"{"selections": {"moods": "clam"}}"#);
    let shared = [
        "hydrate",
        "--batch",
        "--registry",
        "registry.json",
        "--state",
        "state.json",
        "--seed",
        "1",
    ];
    let lines = [
        json!({}),
        json!({"sed": 1}),
        json!({"state": {"selections": {"nowhere": "x"}}}),
        json!({"state": {}}),
    ];
    let lines: String = lines.map(|line| format!("{line}\n")).concat();
    let listed = |run: &Run| -> Vec<Vec<String>> {
        let keys = |answer: Value| {
            let found = answer["diagnostics"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let code = |found: Value| found["code"].as_str().expect("a code").to_owned();
            found.into_iter().map(code).collect()
        };
        run.out
            .lines()
            .map(|line| keys(serde_json::from_str(line).expect("JSON")))
            .collect()
    };
    let (unknown, section) = ("unknown_key", "state_unknown_section");
    let plain = folder.run_with(&shared, &lines);
    assert_eq!(listed(&plain), [&[][..], &[unknown], &[section], &[]]);
    let explained = folder.run_with(&[&shared[..], &["--explain"]].concat(), &lines);
    let item = "state_unknown_item";
    let expected = [&[item][..], &[item, unknown], &[section], &[]];
    assert_eq!(listed(&explained), expected);
    // The state that lines share is warned of once.
    for run in [plain, explained] {
        assert_eq!(
            run.err.matches("no item \"clam\"").count(),
            1,
            "{}",
            run.err
        );
        assert_eq!(run.err.matches("state.json").count(), 1, "{}", run.err);
    }
    let one = [
        "hydrate",
        "registry.json",
        "--state",
        "state.json",
        "--format",
        "json",
    ];
    let answer: Value = serde_json::from_str(&folder.run(&one).out).expect("JSON");
    assert_eq!(answer["diagnostics"][0]["code"], item);
}
