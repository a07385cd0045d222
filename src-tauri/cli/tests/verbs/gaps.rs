//! Variables without a value in a printed prompt: a warning for each, and an error with `--strict`; a
//! note where the value is the variable's own name.

use serde_json::{Value, json};

use crate::program::{Folder, Run};

const WARNING: &str = "town of base_context has no value and leaves a gap in the prompt";
const FLAG: &str = "set it with --var base_context::town=TEXT";
const STATE: &str = r#"set "base_context::town" in template_vars of the state"#;

/// A folder whose registry prints a town, and a call document.
fn folder() -> Folder {
    let folder = Folder::new();
    let registry = json!({"assembly_order": ["base_context"], "base_context": {
        "required": true, "template_vars": ["town"],
        "items": [{"text": "People who live in {town} with dogs."}],
    }});
    folder.write("registry.json", registry.to_string());
    let call = json!({"registry": "registry.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    folder
}

/// Each warning of the run, and that its standard output is not empty.
#[track_caller]
fn warns(run: &Run, warnings: &[String]) {
    assert_eq!(run.status, 0, "{run:?}");
    let found: Vec<&str> = run
        .err
        .lines()
        .filter_map(|line| line.strip_prefix("warning: "))
        .collect();
    assert_eq!(found, warnings, "{run:?}");
    assert!(!run.out.is_empty(), "{run:?}");
}

#[test]
fn a_variable_without_a_value_is_reported() {
    let folder = folder();
    let run = folder.run(&["hydrate", "registry.json", "--seed", "1"]);
    assert_eq!(run.out, "People who live in  with dogs.\n");
    for (args, hint) in [
        (&["hydrate", "registry.json", "--seed", "1"][..], FLAG),
        (
            &["hydrate", "registry.json", "--explain", "--format", "json"],
            FLAG,
        ),
        (&["hydrate", "registry.json", "--call", "call.json"], FLAG),
        (&["run", "registry.json"], FLAG),
        (&["run", "registry.json", "--repeat", "2"], FLAG),
        (&["request", "call.json"], STATE),
        (&["request", "call.json", "--format", "json"], STATE),
        (&["request", "call.json", "--against", "call.json"], STATE),
    ] {
        warns(&folder.run(args), &[format!("{WARNING}; {hint}")]);
        folder
            .run(&[args, &["--strict"]].concat())
            .refuses(2, &[WARNING, hint]);
    }
    let set = [
        "hydrate",
        "registry.json",
        "--var",
        "base_context::town=Ulm",
        "--strict",
    ];
    folder
        .run(&set)
        .gives("People who live in Ulm with dogs.\n");
}

#[test]
fn results_in_json_list_them() {
    let folder = folder();
    let json =
        |args: &[&str]| -> Value { serde_json::from_str(&folder.run(args).out).expect("JSON") };
    let gaps = json!([{"section": "base_context", "variable": "town"}]);
    let hydrate = ["hydrate", "registry.json", "--format", "json"];
    assert_eq!(json(&hydrate)["gaps"], gaps);
    assert_eq!(json(&[&hydrate[..], &["--explain"]].concat())["gaps"], gaps);
    let set = [&hydrate[..], &["--var", "base_context::town=Ulm"]].concat();
    assert_eq!(json(&set).get("gaps"), None);
    let request = json(&["request", "call.json", "--format", "json"]);
    assert_eq!(request["diagnostics"][0]["code"], json!("variable_gap"));
}

#[test]
fn a_batch_reports_them_once_with_their_number() {
    let folder = folder();
    let ulm = json!({"seed": 1, "state": {"template_vars": {"base_context::town": "Ulm"}}});
    let lines = format!("{{\"seed\": 1}}\n{{\"seed\": 2}}\n{ulm}\n{{\"seed\": 3}}\n");
    let args = ["hydrate", "--batch", "--registry", "registry.json"];
    for explain in [&[][..], &["--explain"]] {
        let run = folder.run_with(&[&args, explain].concat(), &lines);
        let warning = format!("{WARNING}; {STATE}");
        warns(
            &run,
            &[
                format!("line 1: {warning}"),
                format!("2 more lines: {warning}"),
            ],
        );
        let gaps = |line: &str| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line.get("gaps").is_some()
        };
        let found: Vec<bool> = run.out.lines().map(gaps).collect();
        assert_eq!(found, [true, true, false, true], "{run:?}");
    }
    let run = folder.run_with(&[&args[..], &["--strict"]].concat(), &lines);
    let errors = run.out.matches(r#""code":"variable_gap""#).count();
    assert_eq!((run.status, errors), (1, 3), "{run:?}");
}

#[test]
fn a_value_that_is_the_name_itself_is_noted() {
    let folder = Folder::new();
    let import = folder.run_with(&["import", "-", "-o", "deck.json"], "Be {tone}.");
    assert_eq!(import.status, 0, "{import:?}");
    let call = json!({"registry": "deck.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let note = "tone of base_context has only its own name as value: the prompt prints {tone}";
    let key = "base_context::tone";
    let flag = format!("note: {note}; set it with --var {key}=TEXT");
    let state = format!("{note}; set \"{key}\" in template_vars of the state");
    for (args, expected) in [
        (&["hydrate", "deck.json", "--strict"][..], &flag),
        (&["run", "deck.json", "--strict"], &flag),
        (
            &["request", "call.json", "--strict"],
            &format!("note: {state}"),
        ),
        (&["check", "deck.json", "--strict"], &note.to_owned()),
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, 0, "{run:?}");
        let found = run.err.matches(expected).count() + run.out.matches(expected).count();
        assert_eq!(found, 1, "{run:?}");
    }
    let set = [
        "hydrate",
        "deck.json",
        "--seed",
        "1",
        "--var",
        "base_context::tone=kind",
    ];
    let run = folder.run(&set);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("Be kind.\n", ""));
    let batch = ["hydrate", "--batch", "--registry", "deck.json", "--strict"];
    let run = folder.run_with(&batch, "{}\n{}\n");
    let notes = format!("note: line 1: {state}\nnote: 1 more line: {state}\n");
    assert_eq!((run.status, run.err), (0, notes));
}

#[test]
fn an_expression_of_a_template_without_a_value_is_reported() {
    let folder = Folder::new();
    let text = "Hi {{ user.name }}{% for tag in tags %}, {{ tag }}{% endfor %}.{{ x or '' }}";
    let registry = json!({"template_engine": "jinja", "assembly_order": ["a"], "a": {
        "required": true, "items": [{"text": text}],
    }});
    folder.write("registry.json", registry.to_string());
    let call = |args: Value| json!({"registry": "registry.json", "args": args}).to_string();
    folder.write("call.json", call(json!({"user": {}})));
    let warnings = [
        "user.name of a has no value and leaves a gap in the prompt: set it in args of the call document",
        "tags of a has no value, and its loop prints nothing: set it in args of the call document",
    ]
    .map(str::to_owned);
    let hydrate = ["hydrate", "registry.json", "--call", "call.json"];
    for args in [
        &hydrate[..],
        &[&hydrate[..], &["--explain", "--format", "json"]].concat(),
        &["request", "call.json"],
    ] {
        warns(&folder.run(args), &warnings);
        folder
            .run(&[args, &["--strict"]].concat())
            .refuses(2, &[&warnings[0]]);
    }
    let run = folder.run(&[&hydrate[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        answer["gaps"],
        json!([{"section": "a", "expression": "user.name"}, {"section": "a", "expression": "tags"}])
    );
    folder.write(
        "call.json",
        call(json!({"user": {"name": "Ada"}, "tags": []})),
    );
    folder
        .run(&[&hydrate[..], &["--strict"]].concat())
        .gives("Hi Ada.\n");
}

#[test]
fn a_value_that_a_flag_leaves_empty_is_no_gap() {
    let folder = folder();
    for verb in ["hydrate", "run"] {
        let args = [
            verb,
            "registry.json",
            "--var",
            "base_context::town=",
            "--strict",
        ];
        let run = folder.run(&args);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{run:?}");
    }
    // Another variable does not fill it.
    folder
        .run(&[
            "hydrate",
            "registry.json",
            "--var",
            "other::town=",
            "--strict",
        ])
        .refuses(2, &["other"]);
}

#[test]
fn a_flag_with_a_name_of_several_words_is_quoted() {
    let folder = Folder::new();
    folder.write(
        "words.json",
        r#"{"assembly_order": ["a"], "a": {"template_vars": ["user name"],
            "items": [{"id": "a", "text": "Hi {user name}."}]}}"#,
    );
    let run = folder.run(&["hydrate", "words.json"]);
    assert!(
        run.err.contains("set it with --var \"a::user name=TEXT\""),
        "{run:?}"
    );
}
