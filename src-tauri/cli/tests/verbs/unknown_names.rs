//! Unknown names and keys: a warning with the nearest known name, an error with `--strict`, never
//! silence.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

/// Runs with a document in a file, without and with `--strict`: a warning with these words and the
/// exit status of the work, then an error with them.
#[track_caller]
fn warns(args: &[&str], document: &Value, words: &[&str]) {
    let folder = Folder::new();
    folder.write("doc.json", document.to_string());
    let run = folder.run(args);
    assert!(run.status < 2, "{args:?}: {run:?}");
    assert!(run.err.starts_with("warning: "), "{args:?}: {run:?}");
    for word in words {
        assert!(
            run.err.contains(word),
            "{args:?}: no {word:?} in {:?}",
            run.err
        );
    }
    folder
        .run(&[args, &["--strict"]].concat())
        .refuses(2, words);
}

#[test]
fn names_of_a_state() {
    let state = |state: Value, words: &[&str]| {
        warns(
            &["hydrate", "registry.json", "--state", "doc.json"],
            &state,
            words,
        );
    };
    state(
        json!({"selection": {}}),
        &[
            "doc.json: line 1, column 2",
            "\"selection\"",
            "did you mean \"selections\"?",
        ],
    );
    state(
        json!({"selections": {"greting": "hello"}}),
        &["\"greting\"", "did you mean \"greeting\"?"],
    );
    state(
        json!({"selections": {"greeting": "helo"}}),
        &["\"helo\"", "did you mean \"hello\"?"],
    );
    // An item with an id is selected by it, and not by its name.
    let folder = Folder::new();
    let named = r#""id": "bye", "name": "A last word""#;
    folder.write("registry.json", REGISTRY.replace(r#""id": "bye""#, named));
    folder
        .run(&[
            "hydrate",
            "registry.json",
            "--strict",
            "--select",
            "greeting=A last word",
        ])
        .refuses(2, &["no item \"A last word\"", "did you mean \"bye\"?"]);
    state(
        json!({"array_modes": {"lists": {"itmes": "all"}}}),
        &["lists.itmes", "did you mean \"items\"?"],
    );
    state(
        json!({"sliders": {"moods": 3}}),
        &["\"moods\"", "scale_template"],
    );
    state(
        json!({"slider_random": {"moods": true}}),
        &["\"moods\"", "scale_template"],
    );
    state(
        json!({"template_vars": {"greeting::nmae": "x"}}),
        &["\"greeting::nmae\"", "did you mean \"name\"?"],
    );
    state(
        json!({"template_vars": {"name": "x"}}),
        &["\"name\"", "SECTION::NAME"],
    );
}

#[test]
fn fields_of_items() {
    let registry = json!({"assembly_order": ["rules"], "rules": {"items": [
        {"id": "a", "txet": "A.", "wieght": 2},
    ]}});
    for verb in ["hydrate", "profile"] {
        let expected = &[
            "\"txet\"",
            "did you mean \"text\"?",
            "\"wieght\"",
            "\"weight\"?",
        ];
        let folder = Folder::new();
        folder.write("doc.json", registry.to_string());
        let run = folder.run(&[verb, "doc.json"]);
        for word in expected {
            assert!(run.err.contains(word), "{verb}: no {word:?} in {run:?}");
        }
        folder
            .run(&[verb, "doc.json", "--strict"])
            .refuses(2, &["\"txet\""]);
    }
}

#[test]
fn more_entries_than_a_list_has() {
    warns(
        &["hydrate", "registry.json", "--state", "doc.json"],
        &json!({"array_modes": {"lists": {"items": "random:99"}}}),
        &["\"random:99\" of lists.items", "which is 3"],
    );
}

#[test]
fn names_in_flags_on_every_verb_that_takes_a_state() {
    let flags: [(&[&str], &[&str]); 5] = [
        (&["--select", "greting=hello"], &["\"greeting\"?"]),
        (&["--mode", "lists.itmes=all"], &["\"items\"?"]),
        (&["--slider", "moods=3"], &["\"moods\""]),
        (&["--random", "mood"], &["\"moods\"?"]),
        (&["--random-slider", "moods"], &["\"moods\""]),
    ];
    for (flags, words) in flags {
        for verb in ["hydrate", "export", "variants", "run"] {
            warns(
                &[&[verb, "registry.json"], flags].concat(),
                &json!({}),
                words,
            );
        }
    }
    let var = ["--var", "greeting::nmae=x"];
    for verb in ["hydrate", "variants", "run"] {
        warns(
            &[&[verb, "registry.json"], &var[..]].concat(),
            &json!({}),
            &["\"name\"?"],
        );
    }
}

#[test]
fn keys_of_documents() {
    let message = json!([{"role": "user", "content": "Hi"}]);
    let near = |name: &str| format!("did you mean {name:?}?");
    for (args, document, name) in [
        (
            &["policy", "doc.json"][..],
            json!({"policy": {}, "text": "a", "txet": 1}),
            "text",
        ),
        (
            &["history", "doc.json"],
            json!({"messages": message, "folow_up": true}),
            "follow_up",
        ),
        (
            &["arguments", "doc.json"],
            json!({"now": "2026-01-01", "arg": {}}),
            "args",
        ),
        (
            &["layers", "doc.json"],
            json!({"turns": [], "todo": []}),
            "todos",
        ),
        (
            &["chat", "render", "doc.json"],
            json!({"messages": message, "polyfil": true}),
            "polyfill",
        ),
        (
            &["chat", "extract", "doc.json"],
            json!({"output": "a", "marker": {}}),
            "markers",
        ),
        (
            &[
                "chat",
                "inspect",
                "--family",
                "chatml",
                "--conversation",
                "doc.json",
            ],
            json!({"messages": message, "add_generation_promt": true}),
            "add_generation_prompt",
        ),
        (
            &["request", "doc.json"],
            json!({"messsage": {"text": "a"}}),
            "message",
        ),
        (
            &["request", "doc.json"],
            json!({"layers": {"todo": []}}),
            "todos",
        ),
        (
            &["request", "doc.json"],
            json!({"state": {"slider": {}}}),
            "sliders",
        ),
    ] {
        warns(args, &document, &["doc.json: line 1, column ", &near(name)]);
    }
}

#[test]
fn a_batch_warns_on_standard_error_with_the_line() {
    let lines = |verb: &[&str], more: &[&str], lines: &[Value]| {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        Folder::new().run_with(&[verb, &["--batch"], more].concat(), &lines)
    };
    let good = json!({"seed": 1, "route": "short"});
    let odd = [
        json!({"seed": 1, "route": "short", "stat": {}}),
        json!({"seed": 1, "route": "short", "state": {"selection": {}}}),
        json!({"seed": 1, "route": "short", "state": {"selections": {"greting": "hello"}}}),
        json!({"seed": 1, "route": "short", "state": {"template_vars": {"greeting::nmae": ""}}}),
    ];
    let shared = ["--registry", "registry.json"];
    for line in &odd {
        let run = lines(
            &["hydrate"],
            &shared,
            &[good.clone(), line.clone(), line.clone()],
        );
        let answers: Vec<&str> = run.out.lines().collect();
        // The answers are exactly those of the contract, and list what is warned about.
        let plain = r#"{"ok":true,"text":"Hello you.","seed":1"#;
        assert_eq!(answers[0], format!("{plain}}}"), "{run:?}");
        let listed = format!("{plain},\"diagnostics\":[{{\"code\":");
        assert!(
            answers[1].starts_with(&listed) && answers[2] == answers[1],
            "{run:?}"
        );
        let warnings: Vec<&str> = run.err.lines().collect();
        assert!(warnings[0].starts_with("warning: line 2: "), "{run:?}");
        assert!(warnings[0].contains("did you mean"), "{run:?}");
        assert!(warnings[1].starts_with("warning: 1 more line: "), "{run:?}");
        assert_eq!(warnings.len(), 2, "{run:?}");
        let strict = [&shared[..], &["--strict"]].concat();
        let run = lines(&["hydrate"], &strict, &[good.clone(), line.clone()]);
        let answer: Value =
            serde_json::from_str(run.out.lines().nth(1).expect("two")).expect("JSON");
        assert_eq!((&answer["ok"], run.err.as_str()), (&json!(false), ""));
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with("line 2: "), "{message}");
    }
    let explained = lines(&["hydrate"], &[&shared[..], &["--explain"]].concat(), &odd);
    assert_eq!(
        explained.err.lines().count(),
        odd.len(),
        "{}",
        explained.err
    );
    let message = json!([{"role": "user", "content": "Hi"}]);
    for (verb, line) in [
        (
            &["policy"][..],
            json!({"policy": {}, "text": "a", "txet": 1}),
        ),
        (&["history"], json!({"messages": message, "folow_up": true})),
        (&["arguments"], json!({"now": "2026-01-01", "arg": {}})),
        (&["layers"], json!({"turns": [], "todo": []})),
        (
            &["chat", "render"],
            json!({"messages": message, "polyfil": true}),
        ),
        (
            &["chat", "inspect"],
            json!({"template": "x", "modelpath": ""}),
        ),
        (&["chat", "extract"], json!({"output": "a", "marker": {}})),
    ] {
        let run = lines(verb, &[], &[line]);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["ok"], json!(true), "{run:?}");
        assert!(
            run.err.starts_with("warning: line 1: unknown key "),
            "{run:?}"
        );
    }
}

#[test]
fn many_different_warnings_of_a_batch_are_counted() {
    let lines: String = (0..300)
        .map(|number| format!("{{\"seed\":1,\"route\":\"short\",\"key{number}\":1}}\n"))
        .collect();
    let shared = ["hydrate", "--batch", "--registry", "registry.json"];
    let run = Folder::new().run_with(&shared, &lines);
    assert_eq!(run.out.lines().count(), 300);
    assert_eq!(run.err.lines().count(), 101, "{}", run.err);
    assert!(
        run.err
            .ends_with("warning: 200 more warnings are not listed\n"),
        "{}",
        run.err
    );
}

#[test]
fn duplicate_keys_are_refused_everywhere() {
    let folder = Folder::new();
    let shared = ["--registry", "registry.json"];
    for (verb, more, line) in [
        (&["hydrate"][..], &shared[..], r#"{"seed":1,"seed":1}"#),
        (
            &["hydrate"],
            &shared,
            r#"{"seed":1,"state":{"sliders":{},"sliders":{}}}"#,
        ),
        (
            &["hydrate"],
            &shared,
            r#"{"seed":1,"state":{"selections":{"a":"x","a":"x"}}}"#,
        ),
        (
            &["hydrate"],
            &shared,
            r#"{"seed":1,"state":{"selections":{"a":null,"a":"x"}}}"#,
        ),
        (&["policy"], &[], r#"{"policy":{},"text":"a","text":"a"}"#),
        (
            &["policy"],
            &[],
            r#"{"policy":{"max_length":1,"max_length":1},"text":"a"}"#,
        ),
        (&["history"], &[], r#"{"messages":[],"messages":[]}"#),
        (
            &["arguments"],
            &[],
            r#"{"now":"2026-01-01","args":{"a":1,"a":2}}"#,
        ),
        (&["layers"], &[], r#"{"turns":[],"turns":[]}"#),
        (
            &["chat", "render"],
            &[],
            r#"{"messages":[],"extra":{"a":1,"a":1}}"#,
        ),
        (
            &["chat", "inspect"],
            &[],
            r#"{"template":"a","template":"a"}"#,
        ),
        (&["chat", "extract"], &[], r#"{"output":"a","output":"a"}"#),
    ] {
        let run = folder.run_with(&[verb, &["--batch"], more].concat(), line);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        let code = &answer["error"]["code"];
        assert_eq!(code, &json!("duplicate_key"), "{line}: {answer}");
        if verb != ["hydrate"] && verb != ["chat", "inspect"] {
            folder.write("doc.json", line);
            let run = folder.run(&[verb, &["doc.json"]].concat());
            run.refuses(2, &["doc.json: line 1, column ", "duplicate key"]);
        }
    }
    folder.write("doc.json", r#"{"sliders":{},"sliders":{}}"#);
    folder
        .run(&["hydrate", "registry.json", "--state", "doc.json"])
        .refuses(2, &["doc.json: line 1, column 15", "duplicate key"]);
    folder.write("doc.json", r#"{"model":"a","model":"b"}"#);
    folder
        .run(&["run", "registry.json", "--request", "doc.json"])
        .refuses(2, &["doc.json: line 1, column 14", "duplicate key"]);
}

#[test]
fn a_byte_order_mark_is_named() {
    let folder = Folder::new();
    folder.write("doc.json", "\u{feff}{}");
    folder.write("wide.json", b"\xff\xfe{\0}\0");
    for verb in [
        &["hydrate"][..],
        &["hydrate", "registry.json", "--state"],
        &["request"],
        &["policy"],
        &["history"],
        &["arguments"],
        &["layers"],
        &["chat", "render"],
        &["chat", "extract"],
        &["chat", "inspect", "--family", "chatml", "--conversation"],
        &["run", "registry.json", "--request"],
    ] {
        let run = folder.run(&[verb, &["doc.json"]].concat());
        run.refuses(
            2,
            &["doc.json: line 1, column 1: ", "byte order mark (BOM)"],
        );
        let run = folder.run(&[verb, &["wide.json"]].concat());
        run.refuses(2, &["wide.json: line 1, column 1: ", "(BOM)", "UTF-16"]);
    }
}

#[test]
fn a_byte_order_mark_is_named_on_standard_input_as_in_a_file() {
    let folder = Folder::new();
    for document in [
        REGISTRY,
        r#"[{"role": "user", "content": "Hi"}]"#,
        r#"{"registry": "deck.json", "message": {"text": "Hi"}}"#,
    ] {
        let marked = format!("\u{feff}{document}");
        for verb in [
            "hydrate", "check", "export", "profile", "variants", "import",
        ] {
            let run = folder.run_with(&[verb, "-"], &marked);
            assert_eq!(run.status, 2, "{verb}: {run:?}");
            let printed = format!("{}{}", run.out, run.err);
            for words in ["standard input:", "begins with a byte order mark (BOM)"] {
                assert!(printed.contains(words), "{verb}: {run:?}");
            }
        }
    }
}

#[test]
fn every_error_names_its_file() {
    let folder = Folder::new();
    let message = json!([{"role": "user", "content": "Hi"}]);
    for (args, document) in [
        (
            &["policy", "doc.json"][..],
            json!({"policy": {"max_lenth": 1}, "text": ""}),
        ),
        (
            &["policy", "doc.json"],
            json!({"policy": {"forbidden_patterns": ["("]}, "text": ""}),
        ),
        (&["history", "doc.json"], json!({"messages": 1})),
        (&["history", "doc.json"], json!({"messages": [{"role": 1}]})),
        (&["arguments", "doc.json"], json!({"now": "yesterday"})),
        (&["arguments", "doc.json"], json!({})),
        (&["layers", "doc.json"], json!({"turns": [1]})),
        (
            &["chat", "render", "doc.json"],
            json!({"messages": message, "now": "yesterday"}),
        ),
        (
            &["chat", "render", "doc.json"],
            json!({"messages": message, "family": "bert"}),
        ),
        (&["chat", "render", "doc.json"], json!({"messages": 5})),
        (
            &["chat", "extract", "doc.json"],
            json!({"output": "", "markers": {}}),
        ),
        (
            &["hydrate", "registry.json", "--state", "doc.json"],
            json!({"sliders": 1}),
        ),
        (&["request", "doc.json"], json!({"history": [5]})),
        (&["request", "doc.json"], json!({"registry": {}})),
    ] {
        folder.write("doc.json", document.to_string());
        folder.run(args).refuses(2, &["error: doc.json: "]);
    }
    for verb in ["hydrate", "variants", "run"] {
        folder
            .run(&[verb, "registry.json", "--route", "shrt"])
            .refuses(2, &["error: registry.json: "]);
    }
}

#[test]
fn every_error_of_a_batch_names_its_line() {
    let lines = [
        "{\"seed\":1}",
        "",
        "{\"route\":\"nowhere\"}",
        "[]",
        "{\"state\":7}",
        "{\"registry\":{\"a\":1,\"a\":2}}",
        "{\"registry\":{}}",
        "{\"seed\":-1}",
    ]
    .join("\n");
    let shared = ["hydrate", "--batch", "--registry", "registry.json"];
    let run = Folder::new().run_with(&shared, &lines);
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), 8);
    for (index, answer) in answers.iter().enumerate().skip(1) {
        let error = &answer["error"];
        assert_eq!(error["input_line"], json!(index + 1), "{answer}");
        let message = error["message"].as_str().expect("a message");
        assert!(
            message.starts_with(&format!("line {}: ", index + 1)),
            "{answer}"
        );
    }
    assert_eq!(answers[6]["error"]["code"], json!("not_a_registry"));
    // A message raised by a template is verbatim.
    let line = json!({"template": "{{ raise_exception('No.') }}", "messages": []}).to_string();
    let run = Folder::new().run_with(&["chat", "render", "--batch"], &format!("x\n{line}\n"));
    let answer: Value = serde_json::from_str(run.out.lines().nth(1).expect("two")).expect("JSON");
    let error = &answer["error"];
    assert_eq!(
        (&error["message"], &error["input_line"]),
        (&json!("No."), &json!(2))
    );
}

#[test]
fn what_has_no_section_is_no_registry() {
    let folder = Folder::new();
    for text in [
        "{}",
        "{\"registry\": {}}",
        "{\"version\": 22, \"assembly_order\": []}",
    ] {
        folder.write("registry.json", text);
        for verb in ["hydrate", "check", "export", "variants", "run", "fmt"] {
            let run = folder.run(&[verb, "registry.json"]);
            run.refuses(2, &["registry.json: not a registry"]);
        }
        folder.write("call.json", r#"{"registry": "registry.json"}"#);
        folder
            .run(&["request", "call.json"])
            .refuses(2, &["registry.json: not a registry"]);
    }
    folder.write("registry.json", REGISTRY);
    folder.write("call.json", r#"{"registry": {}}"#);
    folder
        .run(&["request", "call.json"])
        .refuses(2, &["call.json: /registry: not a registry"]);
}
