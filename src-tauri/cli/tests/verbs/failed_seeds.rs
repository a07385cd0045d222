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
    let args = [&args[..], &["--base-url", server.address()], more].concat();
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
    assert_eq!(json.err.matches("error: ").count(), 3, "{}", json.err);

    let text = run(&server, &["--repeat", "2"]);
    assert_eq!(text.status, 2);
    assert_eq!(text.out, "--- seed 1\n--- seed 2\n");
}

#[test]
fn a_failure_of_the_connection_ends_all_seeds() {
    let server = Canned::answering("401 No", "", "{}");
    let run = run(&server, &["--repeat", "3", "--format", "json"]);
    assert_eq!((server.requests().len(), run.status), (1, 2), "{run:?}");
    assert_eq!(lines(&run)[0]["error"]["code"], json!("unauthorized"));
    let note = "2 more seeds would fail alike and did not run";
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
