//! `run --repeat` when seeds have no answer, and notes on answers that end early.

use std::time::Duration;

use promptdeck_tests::servers::Canned;
use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

fn run(server: &Canned, more: &[&str]) -> Run {
    let folder = Folder::new();
    folder.write("registry.json", REGISTRY);
    let args = [
        "run",
        "registry.json",
        "--seed",
        "1",
        "--provider",
        "openai",
    ];
    let args = [&args[..], &["--model", "m"], more].concat();
    let args = [&args[..], &["--base-url", server.address()]].concat();
    folder.run(&args)
}

fn lines(run: &Run) -> Vec<Value> {
    let lines = run.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn the_other_seeds_are_run_after_a_failure() {
    let server = Canned::answering("200 OK", "", "no JSON");
    let json = run(&server, &["--repeat", "3", "--format", "json"]);
    assert_eq!((server.requests().len(), json.status), (3, 2), "{json:?}");
    let got: Vec<(Value, Value)> = lines(&json)
        .into_iter()
        .map(|line| (line["seed"].clone(), line["error"]["code"].clone()))
        .collect();
    let code = json!("invalid_response");
    assert_eq!(got, [1, 2, 3].map(|seed| (json!(seed), code.clone())));
    for seed in 1..=3 {
        let error = format!("error: seed {seed}: openai: http://");
        assert_eq!(json.err.matches(&error).count(), 1, "{}", json.err);
    }

    let text = run(&server, &["--repeat", "2"]);
    assert_eq!(text.status, 2);
    assert_eq!(text.out, "--- seed 1\n--- seed 2\n");
}

#[test]
fn one_run_and_several_have_the_same_form() {
    let failing = Canned::answering("400 No", "", r#"{"error": {"message": "bad model"}}"#);
    let answer = json!({"choices": [{"message": {"content": "Yes"}, "finish_reason": "stop"}]});
    let answering = Canned::answering("200 OK", "", &answer.to_string());
    for repeat in ["1", "2"] {
        let args = ["--repeat", repeat, "--format", "json"];
        let failed = run(&failing, &args);
        let error = "the server refused the request (400 bad model); correct what the server names";
        assert_eq!(failed.status, 2, "{failed:?}");
        assert!(failed.err.contains(error), "{}", failed.err);
        let done = run(&answering, &args);
        assert_eq!((done.err.as_str(), done.status), ("", 0));
        let (failed, done) = (lines(&failed), lines(&done));
        assert_eq!(
            (failed.len().to_string(), done.len()),
            (repeat.to_owned(), failed.len())
        );
        let error = failed[0]["error"]["code"].as_str();
        assert_eq!(
            (&failed[0]["seed"], error),
            (&json!(1), Some("bad_request"))
        );
        assert_eq!(
            (&done[0]["seed"], &done[0]["text"]),
            (&json!(1), &json!("Yes"))
        );
    }
}

#[test]
fn a_message_about_one_of_several_runs_names_it() {
    let folder = Folder::new();
    let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry["registry"]["output_policy"] = json!({"min_length": 1_000_000});
    folder.write("registry.json", registry.to_string());
    folder.write(
        "body.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    let args = ["run", "registry.json", "--repeat", "2"];
    let seeds = folder.run(&[&args[..], &["--seed", "5"]].concat());
    let runs = folder.run(&[&args[..], &["--request", "body.json"]].concat());
    for (run, names) in [(seeds, ["seed 5", "seed 6"]), (runs, ["run 1", "run 2"])] {
        let messages =
            names.map(|name| format!("{name}: rejected after 1 attempt: too short (<1000000)\n"));
        assert_eq!((run.err, run.status), (messages.concat(), 1));
        let heads: Vec<&str> = run
            .out
            .lines()
            .filter_map(|line| line.strip_prefix("--- "))
            .collect();
        assert_eq!(heads, names);
    }
}

#[test]
fn runs_of_a_given_body_have_no_seeds() {
    let server = Canned::answering("401 No", "", "{}");
    let folder = Folder::new();
    folder.write("registry.json", REGISTRY);
    folder.write(
        "body.json",
        r#"{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    let args = ["run", "registry.json", "--request", "body.json"];
    folder
        .run(&[&args[..], &["--seed", "3"]].concat())
        .refuses(2, &["--seed is for the prompt", "--request"]);
    let args = [&args[..], &["--provider", "openai", "--repeat", "3"]].concat();
    let run = folder.run(&[&args[..], &["--base-url", server.address()]].concat());
    assert_eq!((run.out.as_str(), run.status), ("--- run 1\n", 2));
    assert!(run.err.starts_with("error: run 1: openai: "), "{}", run.err);
    let note = "\nnote: skipped 2 more requests, which would fail alike\n";
    assert!(run.err.ends_with(note), "{}", run.err);
}

#[test]
fn a_model_that_nothing_names_is_reported_and_refused_by_strict() {
    let answers = [
        (
            "openai",
            r#"{"choices": [{"message": {"content": "Yes"}, "finish_reason": "stop"}]}"#,
        ),
        ("ollama", r#"{"message": {"content": "Yes"}, "done": true}"#),
        (
            "completions",
            r#"{"choices": [{"text": "Yes", "finish_reason": "stop"}]}"#,
        ),
        (
            "gemini",
            r#"{"candidates": [{"content": {"parts": [{"text": "Yes"}]}, "finishReason": "STOP"}]}"#,
        ),
    ];
    let folder = Folder::new();
    let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry["registry"]["generation"] = json!({"model": "default"});
    registry["registry"]["routes"]["short"]["generation"] = json!({"model": "small"});
    folder.write("registry.json", registry.to_string());
    folder.write(
        "body.json",
        r#"{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    folder.write(
        "contents.json",
        r#"{"model": "m", "contents": [{"role": "user"}]}"#,
    );
    let warning =
        "warning: no model is named, so \"default\" is asked for; name one with --model NAME";
    for (provider, answer) in answers {
        let server = Canned::answering("200 OK", "", answer);
        let args = ["run", "registry.json", "--provider", provider];
        let args = [&args[..], &["--base-url", server.address()]].concat();
        let run = |more: &[&str]| folder.run(&[&args[..], more].concat());
        let unnamed = run(&["--seed", "1"]);
        assert_eq!(
            (unnamed.out.as_str(), unnamed.status),
            ("Yes\n", 0),
            "{provider}"
        );
        assert!(unnamed.err.starts_with(warning), "{}", unnamed.err);
        let before = server.requests().len();
        run(&["--seed", "1", "--strict"]).refuses(2, &["no model is named"]);
        assert_eq!(server.requests().len(), before);
        run(&["--seed", "1", "--model", "default"]).gives("Yes\n");
        run(&["--seed", "1", "--route", "short"]).gives("Yes\n");
        match provider {
            "openai" | "ollama" => run(&["--request", "body.json"]).gives("Yes\n"),
            // The body of Gemini has none: it is in the URL.
            "gemini" => assert!(
                run(&["--request", "contents.json"])
                    .err
                    .starts_with(warning)
            ),
            _ => {}
        }
    }
    assert_eq!(folder.run(&["run", "registry.json", "--seed", "1"]).err, "");
}

#[test]
fn an_answer_without_a_choice_is_not_tried_again() {
    let server = Canned::answering("200 OK", "", r#"{"choices": []}"#);
    let run = run(&server, &[]);
    let words = [
        "the answer cannot be understood",
        "neither a text, nor a tool call",
    ];
    run.refuses(2, &words);
    assert!(!run.err.contains("broke off"), "{}", run.err);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_answer_of_calls_alone_is_said_not_to_be_judged() {
    let call = json!({"function": {"name": "look", "arguments": "{}"}});
    let message = json!({"content": null, "tool_calls": [call]});
    let choice = json!({"message": message, "finish_reason": "tool_calls"});
    let server = Canned::answering("200 OK", "", &json!({"choices": [choice]}).to_string());
    for (policy, is_noted) in [
        (json!({"min_length": 20}), true),
        (json!({"require_patterns": ["a"]}), true),
        (json!({"max_length": 20}), false),
    ] {
        let folder = Folder::new();
        let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
        registry["registry"]["output_policy"] = policy;
        folder.write("registry.json", registry.to_string());
        let args = [
            "run",
            "registry.json",
            "--provider",
            "openai",
            "--model",
            "m",
        ];
        let run =
            folder.run(&[&args[..], &["--seed", "1", "--base-url", server.address()]].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(
            run.err.starts_with("note: the answer calls look with {}\n"),
            "{}",
            run.err
        );
        let note =
            "note: the output policy judges texts: an answer of tool calls alone is not judged\n";
        assert_eq!(run.err.ends_with(note), is_noted, "{}", run.err);
    }
    let help = Folder::new().run(&["run", "--help"]).out;
    assert!(help.contains("The output policy judges texts."), "{help}");
}

#[test]
fn a_failure_of_the_connection_ends_all_seeds() {
    let server = Canned::answering("401 No", "", "{}");
    let run = run(&server, &["--repeat", "3", "--format", "json"]);
    assert_eq!((server.requests().len(), run.status), (1, 2), "{run:?}");
    assert_eq!(lines(&run)[0]["error"]["code"], json!("unauthorized"));
    let note = "note: skipped 2 more seeds, which would fail alike";
    assert!(run.err.contains(note), "{}", run.err);
}

#[test]
fn an_answer_cut_at_the_token_limit_is_reported() {
    let answer = |finish: &str| {
        let choice = json!({"message": {"content": "Half an"}, "finish_reason": finish});
        json!({"choices": [choice]}).to_string()
    };
    for (finish, is_cut) in [("length", true), ("stop", false)] {
        let server = Canned::answering("200 OK", "", &answer(finish));
        let run = run(&server, &[]);
        assert_eq!((run.out.as_str(), run.status), ("Half an\n", 0));
        let warning = "warning: the answer was cut at the token limit (finish reason length)";
        assert_eq!(run.err.contains(warning), is_cut, "{}", run.err);
        let server = Canned::answering("200 OK", "", &answer(finish));
        let strict = self::run(&server, &["--strict"]);
        let error = "error: the answer was cut at the token limit";
        assert_eq!(
            (
                strict.out.as_str(),
                strict.status,
                strict.err.contains(error)
            ),
            ("Half an\n", i32::from(is_cut), is_cut)
        );
    }
}

#[test]
fn a_streamed_text_that_breaks_off_ends_its_line() {
    let piece = json!({"choices": [{"delta": {"content": "Half an"}}]});
    let pieces = vec![format!("data: {piece}\n\n")];
    let server = Canned::dripping("text/event-stream", pieces, Duration::ZERO);
    let run = run(&server, &["--stream"]);
    assert_eq!((run.out.as_str(), run.status), ("Half an\n", 2), "{run:?}");
}

#[test]
fn a_redirect_that_would_drop_the_prompt_is_reported() {
    for status in ["301 Moved", "302 Found", "303 Other"] {
        let server = Canned::answering(status, "Location: /v2\r\n", "");
        run(&server, &[]).refuses(2, &["the server redirects the request", "/v2"]);
        assert_eq!(server.requests().len(), 1);
    }
}
