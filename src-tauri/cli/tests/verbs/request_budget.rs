//! The maximum number of requests per run, whatever the registry demands and the server answers.

use promptdeck_tests::servers::Canned;
use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

const ANSWER: &str = r#"{"choices":[{"text":"ok","finish_reason":"stop"}]}"#;

/// Runs a registry with this many attempts that rejects every answer.
fn run(server: &Canned, retries: u64, more: &[&str]) -> Run {
    let folder = Folder::new();
    let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry["registry"]["generation"] = json!({"retries": retries});
    registry["registry"]["output_policy"] = json!({"min_length": 100});
    folder.write("registry.json", registry.to_string());
    let args = [
        "run",
        "registry.json",
        "--seed",
        "1",
        "--provider",
        "completions",
    ];
    let args = [&args[..], &["--base-url", server.address()], more].concat();
    folder.run(&args)
}

#[test]
fn a_run_makes_no_more_attempts_than_are_sensible_and_says_so() {
    for (retries, expect) in [
        (0, 1),
        (1, 1),
        (7, 7),
        (20, 20),
        (21, 20),
        (1_000_000_000, 20),
    ] {
        let server = Canned::answering("200 OK", "", ANSWER);
        let run = run(&server, retries, &[]);
        assert_eq!(
            (server.requests().len(), run.status),
            (expect, 1),
            "{retries}"
        );
        let warning = format!(
            "warning: retries is {retries}, but a run makes at most 20 attempts; lower it\n"
        );
        assert_eq!(run.err.contains(&warning), retries > 20, "{}", run.err);
        let plural = if expect == 1 { "" } else { "s" };
        let attempts = format!("rejected after {expect} attempt{plural}: ");
        assert!(run.err.contains(&attempts), "{}", run.err);
    }
    let server = Canned::answering("200 OK", "", ANSWER);
    let run = run(&server, 1000, &["--format", "json"]);
    let result: Value = serde_json::from_str(&run.out).expect("JSON");
    let note = &result["diagnostics"][0];
    assert_eq!(note["code"], json!("retries_capped"));
    assert_eq!(note["pointer"], json!("/generation/retries"));
}

#[test]
fn check_tells_of_retries_that_do_not_count() {
    let folder = Folder::new();
    let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry["registry"]["generation"] = json!({"retries": 21});
    registry["registry"]["routes"]["short"]["generation"] = json!({"retries": 1_000_000_000});
    folder.write("registry.json", registry.to_string());
    let run = folder.run(&["check", "registry.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let pointers: Vec<&Value> = reports[0]["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|finding| finding["code"] == "retries_capped")
        .map(|finding| &finding["pointer"])
        .collect();
    let expect = [
        "/registry/generation/retries",
        "/registry/routes/short/generation/retries",
    ];
    assert_eq!(pointers, expect);
}

#[test]
fn all_requests_of_a_run_count_against_one_budget() {
    // Attempts after rejected texts, over several seeds.
    let server = Canned::answering("200 OK", "", ANSWER);
    let most = ["--repeat", "5", "--max-requests", "7"];
    let rejected = run(&server, 3, &most);
    assert_eq!(
        (server.requests().len(), rejected.status),
        (7, 2),
        "{rejected:?}"
    );
    let words = "no more requests may be sent (7 requests were sent, and no more are allowed)";
    assert!(rejected.err.contains(words), "{}", rejected.err);
    // Earlier answers are printed.
    assert_eq!(rejected.out, "--- seed 1\nok\n--- seed 2\nok\n--- seed 3\n");

    // Retries after faults.
    let server = Canned::answering("503 Later", "Retry-After: 0\r\n", "");
    let failed = run(&server, 20, &["--max-requests", "2"]);
    assert_eq!(
        (server.requests().len(), failed.status),
        (2, 2),
        "{failed:?}"
    );
    let tried = failed.err.matches("note: tried again after").count();
    assert_eq!(tried, 1, "{}", failed.err);
    let server = Canned::answering("503 Later", "Retry-After: 0\r\n", "");
    let one = run(&server, 20, &["--max-requests", "1"]);
    assert_eq!((server.requests().len(), one.status), (1, 2), "{one:?}");
    assert!(!one.err.contains("tried again"), "{}", one.err);
    for run in [
        (&failed, "2 requests were sent"),
        (&one, "1 request was sent"),
    ] {
        let (run, sent) = run;
        for words in ["the server failed", sent, "and no more are allowed"] {
            assert!(run.err.contains(words), "no {words:?} in {}", run.err);
        }
    }
}
