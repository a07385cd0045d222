//! `hydrate` with arguments.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

const LIST: &str = "- red\n- green\n- blue";

#[track_caller]
fn check(args: &[&str], prompt: &str) {
    let args = [&["hydrate", "registry.json"], args].concat();
    Folder::new().run(&args).gives(&format!("{prompt}\n"));
}

#[test]
fn flags_set_the_state() {
    check(&[], &format!("Hello you.\n\n{LIST}"));
    check(
        &["--select", "greeting=bye"],
        &format!("Goodbye you.\n\n{LIST}"),
    );
    check(
        &["--select", "moods=brief,calm"],
        &format!("Hello you.\n\nBe calm.\n\nBe brief.\n\n{LIST}"),
    );
    check(&["--select", "moods="], &format!("Hello you.\n\n{LIST}"));
    check(
        &["--var", "greeting::name=A = B"],
        &format!("Hello A = B.\n\n{LIST}"),
    );
    check(&["--mode", "lists.items=index:1"], "Hello you.\n\ngreen");
    check(
        &["--mode", "lists.items=indices:2,0"],
        "Hello you.\n\n- blue\n- red",
    );
    check(&["--mode", "lists.items=none"], "Hello you.");
    check(&["--route", "short"], "Hello you.");
}

#[test]
fn flags_come_on_top_of_the_state_file() {
    let folder = Folder::new();
    folder.write(
        "state.json",
        r#"{"selections": {"greeting": "bye", "moods": ["calm"]}, "array_modes": {"lists": {"items": "none"}}}"#,
    );
    let run = folder.run(&[
        "hydrate",
        "registry.json",
        "--state",
        "state.json",
        "--select",
        "moods=brief",
    ]);
    run.gives("Goodbye you.\n\nBe brief.\n");
}

#[test]
fn a_dash_is_standard_input() {
    Folder::new()
        .run_with(&["hydrate", "-", "--route", "short"], REGISTRY)
        .gives("Hello you.\n");
    let folder = Folder::new();
    let state = r#"{"selections": {"greeting": "bye"}}"#;
    folder
        .run_with(
            &[
                "hydrate",
                "registry.json",
                "--state",
                "-",
                "--route",
                "short",
            ],
            state,
        )
        .gives("Goodbye you.\n");
}

#[test]
fn json_is_the_batch_answer() {
    let folder = Folder::new();
    let run = folder.run(&[
        "hydrate",
        "registry.json",
        "--route",
        "short",
        "--seed",
        "7",
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer, json!({"ok": true, "text": "Hello you.", "seed": 7}));
}

#[test]
fn explain_tells_what_was_used_beside_the_prompt() {
    let folder = Folder::new();
    let args = [
        "hydrate",
        "registry.json",
        "--mode",
        "lists.items=random:2",
        "--seed",
        "7",
        "--explain",
    ];
    let run = folder.run(&args);
    assert_eq!(run.status, 0);
    for words in [
        "seed 7", "greeting", "hello", "default", "random:2", "random", "dropped",
    ] {
        assert!(run.err.contains(words), "no {words:?} in {}", run.err);
    }
    assert_eq!(
        run.out,
        folder.run(&args[..6]).out,
        "the prompt alone is on standard output"
    );
    let json = folder.run(&[&args[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&json.out).expect("JSON");
    let segments = answer["segments"].as_array().expect("segments");
    let joined: String = segments
        .iter()
        .filter_map(|segment| segment["text"].as_str())
        .collect();
    assert_eq!(answer["text"], Value::String(joined));
    assert_eq!(
        answer["evaluation"]["sections"]["greeting"]["origin"],
        "default"
    );
}

#[test]
fn a_drawn_seed_is_told_and_repeats_the_roll() {
    let folder = Folder::new();
    let args = ["hydrate", "registry.json", "--mode", "lists.items=random:2"];
    let rolled = folder.run(&args);
    let seed = rolled
        .err
        .trim()
        .strip_prefix("rolled with --seed ")
        .expect("the seed is told");
    folder
        .run(&[&args[..], &["--seed", seed]].concat())
        .gives(&rolled.out);
}

#[test]
fn every_verb_that_rolls_tells_the_seed_that_was_drawn() {
    let folder = Folder::new();
    folder.write(
        "rolls.json",
        r#"{"a": {"required": true, "section_random": true, "items": [{"id": "x"}, {"id": "y"}]}, "assembly_order": ["a"]}"#,
    );
    folder.write("call.json", r#"{"registry": "rolls.json"}"#);
    folder.write("seeded.json", r#"{"registry": "rolls.json", "seed": 3}"#);
    let export = ["export", "rolls.json", "--to", "dotprompt"];
    for args in [
        &["run", "rolls.json"][..],
        &export,
        &["run", "rolls.json", "--stream"],
    ] {
        let rolled = folder.run(args);
        let seed = rolled
            .err
            .lines()
            .find_map(|line| line.strip_prefix("rolled with --seed "));
        let seed = seed.unwrap_or_else(|| panic!("no seed: {rolled:?}"));
        let again = folder.run(&[args, &["--seed", seed]].concat());
        assert_eq!(again.out, rolled.out);
        assert!(!again.err.contains("rolled with"), "{}", again.err);
    }
    // Nothing is rolled, or the seed is printed.
    for args in [
        &["run", "registry.json"][..],
        &["run", "rolls.json", "--repeat", "2"],
        &["run", "rolls.json", "--format", "json"],
        &["request", "seeded.json"],
        &["request", "call.json", "--format", "json"],
    ] {
        let run = folder.run(args);
        assert!(!run.err.contains("rolled with"), "{args:?}: {}", run.err);
    }
    for target in [&["openai"][..], &["chat-template", "--family", "chatml"]] {
        let args = [&["request", "call.json", "--target"], target].concat();
        let rolled = folder.run(&args);
        let (_, seed) = rolled
            .err
            .split_once("rolled with seed ")
            .expect("the seed");
        let (seed, way_out) = seed.split_once("; ").expect("a way out");
        assert_eq!(
            way_out.trim(),
            format!("\"seed\": {seed} in the call document repeats it")
        );
        let seeded = format!(r#"{{"registry": "rolls.json", "seed": {seed}}}"#);
        folder.write("call.json", seeded);
        assert_eq!(folder.run(&args).out, rolled.out);
        folder.write("call.json", r#"{"registry": "rolls.json"}"#);
    }
}

const JINJA: &str = r#"{"template_engine": "jinja", "assembly_order": ["a", "b"],
 "a": {"required": true, "items": [{"id": "x", "text": "You help {{ args.name }}."}, {"id": "y", "text": "Not {{ args.name }}."}]},
 "b": {"required": true, "items": [{"text": "Go."}]}, "routes": {"short": {"assembly_order": ["a"]}}}"#;

#[test]
fn the_prompt_of_a_call_is_the_one_its_request_sends() {
    let folder = Folder::new();
    folder.write("jinja.json", JINJA);
    let call = json!({
        "registry": "jinja.json", "args": {"name": "Bob"}, "route": "short", "seed": 5,
        "state": {"selections": {"a": "y"}}, "now": "2026-01-15T10:30:00Z",
        "message": {"text": "go"},
    });
    folder.write("call.json", call.to_string());
    let body = folder.run(&["request", "call.json"]).out;
    let body: Value = serde_json::from_str(&body).expect("JSON");
    let hydrate = ["hydrate", "jinja.json", "--call", "call.json"];
    let run = folder.run(&hydrate);
    run.gives("Not Bob.\n");
    assert_eq!(run.err, "");
    assert_eq!(body["messages"][0]["content"], json!("Not Bob."));
    folder
        .run(&[&hydrate[..], &["--select", "a=x"]].concat())
        .gives("You help Bob.\n");
    let json = [&hydrate[..], &["--format", "json", "--explain"]].concat();
    let answer: Value = serde_json::from_str(&folder.run(&json).out).expect("JSON");
    assert_eq!(answer["rendered"], json!(true));
    assert_eq!(answer["seed"], json!(5));
    let segments = answer["segments"].as_array().expect("segments");
    let joined: String = segments
        .iter()
        .filter_map(|segment| segment["text"].as_str())
        .collect();
    assert_eq!(
        (joined.as_str(), &answer["text"]),
        ("Not Bob.", &json!("Not Bob."))
    );

    let mut odd = call;
    odd["state"]["selections"] = json!({"aa": "y"});
    folder.write("call.json", odd.to_string());
    let run = folder.run(&hydrate);
    assert!(
        run.err.contains("call.json: line 1, column "),
        "{}",
        run.err
    );
    folder.write(
        "jinja.json",
        JINJA.replace("{{ args.name }}", "{{ args.name | nosuch }}"),
    );
    let run = folder.run(&hydrate);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("nosuch"), "{}", run.err);
}

#[test]
fn a_document_that_is_its_own_call_is_read_as_a_whole() {
    let folder = Folder::new();
    let registry: Value = serde_json::from_str(JINJA).expect("JSON");
    let call = json!({
        "registry": registry, "args": {"name": "Bob"}, "state": {"selections": {"a": "x"}},
        "message": {"text": "go"},
    });
    folder.write("both.json", call.to_string());
    folder
        .run(&["hydrate", "both.json", "--call", "./both.json"])
        .gives("You help Bob.\n\nGo.\n");
    let export = [
        "export",
        "both.json",
        "--to",
        "dotprompt",
        "--call",
        "both.json",
    ];
    let run = folder.run(&export);
    assert!(!run.err.contains("only the registry is read"), "{run:?}");
    folder.write("other.json", r#"{"args": {"name": "Eve"}}"#);
    let run = folder.run(&["hydrate", "both.json", "--call", "other.json"]);
    assert!(
        run.err.contains("of it only the registry is read"),
        "{run:?}"
    );
}

#[test]
fn a_flag_that_rolls_what_another_sets_is_reported() {
    let folder = Folder::new();
    folder.write(
        "deck.json",
        r#"{"assembly_order": ["sentiment", "sentiment.scale"], "sentiment": {"items": [
            {"id": "joy", "context": "Joy."}, {"id": "rage", "context": "Rage."}]}}"#,
    );
    for (set, roll, warning) in [
        (
            ["--select", "sentiment=rage"],
            ["--random", "sentiment"],
            "--random sentiment rolls what --select sets: --select has no effect",
        ),
        (
            ["--slider", "sentiment=2"],
            ["--random-slider", "sentiment"],
            "--random-slider sentiment rolls what --slider sets: --slider has no effect",
        ),
    ] {
        let args = [&["hydrate", "deck.json", "--seed", "1"], &set[..], &roll].concat();
        let run = folder.run(&args);
        assert_eq!((run.status, run.err), (0, format!("warning: {warning}\n")));
        folder
            .run(&[&args[..], &["--strict"]].concat())
            .refuses(2, &[warning]);
        // A state keeps the selection for the time when nothing is rolled.
        folder.write(
            "state.json",
            r#"{"selections": {"sentiment": "rage"}, "sliders": {"sentiment": 2}}"#,
        );
        let over = [
            "hydrate",
            "deck.json",
            "--seed",
            "1",
            "--state",
            "state.json",
        ];
        let run = folder.run(&[&over[..], &roll].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
    }
}

#[test]
fn a_flag_that_sets_what_the_state_rolls_is_reported() {
    let folder = Folder::new();
    folder.write(
        "deck.json",
        r#"{"assembly_order": ["sentiment", "sentiment.scale"], "sentiment": {"items": [
            {"id": "joy", "context": "Joy."}, {"id": "rage", "context": "Rage."}]}}"#,
    );
    for (part, flag, value) in [
        ("section_random", "--select", "sentiment=rage"),
        ("slider_random", "--slider", "sentiment=2"),
    ] {
        let args = [
            "hydrate",
            "deck.json",
            "--seed",
            "1",
            "--state",
            "s.json",
            flag,
            value,
        ];
        folder.write("s.json", json!({part: {"sentiment": true}}).to_string());
        let run = folder.run(&args);
        let warning = format!(
            "s.json: line 1, column {}: {part} rolls sentiment: {flag} has no effect; set it to false or leave it out",
            part.len() + 6
        );
        assert_eq!((run.status, run.err), (0, format!("warning: {warning}\n")));
        folder
            .run(&[&args[..], &["--strict"]].concat())
            .refuses(2, &[&warning]);
        folder.write("s.json", json!({part: {"sentiment": false}}).to_string());
        assert_eq!(folder.run(&args).err, "");
    }
}

#[test]
fn a_line_with_the_path_of_a_registry_names_the_way_out() {
    let folder = Folder::new();
    let run = folder.run_with(
        &["hydrate", "--batch"],
        r#"{"registry": "registry.json", "seed": 1}"#,
    );
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["error"]["code"], json!("not_a_registry"));
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(
        message.contains(
            "JSON text; the line holds the registry itself, or --registry names its file"
        ),
        "{message}"
    );
}

#[test]
fn the_answer_says_whether_a_template_was_rendered() {
    let folder = Folder::new();
    folder.write("jinja.json", JINJA);
    let run = folder.run(&["hydrate", "jinja.json", "--format", "json", "--seed", "1"]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["rendered"], json!(false));
    assert!(run.err.contains("hydrate --call"), "{}", run.err);
    let batch = ["hydrate", "--batch", "--registry", "jinja.json"];
    for (line, explain) in [
        ("{\"seed\": 1}", &[][..]),
        ("{\"seed\": 1}", &["--explain"]),
    ] {
        let run = folder.run_with(&[&batch[..], explain].concat(), line);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["rendered"], json!(false));
    }
    let rows = ["variants", "jinja.json", "--format", "json", "--rolls", "3"];
    for sample in [&[][..], &["--sample", "random"], &["--sample", "pairwise"]] {
        let run = folder.run(&[&rows[..], sample].concat());
        let row = run.out.lines().next().expect("a row");
        let row: Value = serde_json::from_str(row).expect("JSON");
        assert_eq!(row["rendered"], json!(false), "{sample:?}");
    }
    let run = folder.run(&["profile", "jinja.json", "--rolls", "5", "--format", "json"]);
    let profile: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(profile["rendered"], json!(false));
    let count = folder.run(&["variants", "jinja.json", "--format", "json"]);
    let count: Value = serde_json::from_str(&count.out).expect("JSON");
    assert_eq!(count["rendered"], json!(false));
    folder.write("other.json", JINJA.replacen("Hello", "Hi", 1));
    let impact = ["impact", "jinja.json", "other.json", "--rolls", "5"];
    let run = folder.run(&[&impact[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["rendered"], json!(false));
}

#[test]
fn statistics_say_that_templates_are_counted_unrendered() {
    let folder = Folder::new();
    folder.write("jinja.json", JINJA);
    let words = "the texts are Jinja templates, counted before they are rendered";
    for format in ["text", "html"] {
        let run = folder.run(&["profile", "jinja.json", "--rolls", "5", "--format", format]);
        assert!(run.out.contains(words), "{}", run.out);
    }
    for format in ["text", "markdown"] {
        let args = [
            "impact",
            "jinja.json",
            "jinja.json",
            "--rolls",
            "5",
            "--format",
            format,
        ];
        let run = folder.run(&args);
        assert!(run.out.contains(words), "{}", run.out);
    }
    let run = folder.run(&["variants", "jinja.json"]);
    assert!(run.err.contains(words), "{}", run.err);
    let run = folder.run(&["profile", "registry.json", "--rolls", "5"]);
    assert!(!run.out.contains(words), "{}", run.out);
}

#[test]
fn a_profile_with_a_call_counts_rendered_texts() {
    let folder = Folder::new();
    folder.write("jinja.json", JINJA);
    let call = json!({
        "registry": "jinja.json", "args": {"name": "Bob"}, "route": "short", "seed": 5,
        "state": {"selections": {"a": "y"}}, "now": "2026-01-15T10:30:00Z",
    });
    folder.write("call.json", call.to_string());
    let profile = [
        "profile",
        "jinja.json",
        "--call",
        "call.json",
        "--rolls",
        "5",
    ];
    let run = folder.run(&profile);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(!run.out.contains("unrendered") && !run.out.contains("before they are rendered"));
    let run = folder.run(&[&profile[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["rendered"], json!(true));
    assert_eq!(
        (&answer["seed"], &answer["route"]),
        (&json!(5), &json!("short"))
    );
    let characters = &answer["characters"];
    assert_eq!(
        (&characters["min"], &characters["max"]),
        (&json!(8), &json!(8))
    );
    let prefix = &answer["prefix"]["all"];
    assert_eq!(
        (&prefix["characters"], &prefix["ended_by"]),
        (&json!(8), &json!(null))
    );
    // What differs is found in the rendered text.
    let flags = ["--random", "a", "--seed", "0", "--format", "json"];
    let run = folder.run(&[&profile[..], &flags].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["seed"], json!(0));
    assert_eq!(answer["prefix"]["all"]["ended_by"]["section"], json!("a"));

    folder.write(
        "jinja.json",
        JINJA.replace("Not {{ args.name }}", "{{ args.name | nosuch }}"),
    );
    let run = folder.run(&profile);
    assert!(
        run.out
            .contains("5 rolls not rendered with the arguments of the call, the first with seed 5"),
        "{}",
        run.out
    );
}
