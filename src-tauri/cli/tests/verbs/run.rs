//! `run` with the mock provider.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

/// A folder with a registry that has this output policy and these generation settings.
fn folder(policy: &Value, generation: &Value) -> Folder {
    let folder = Folder::new();
    let mut registry: Value = serde_json::from_str(REGISTRY).expect("JSON");
    registry["registry"]["output_policy"] = policy.clone();
    registry["registry"]["generation"] = generation.clone();
    folder.write("registry.json", registry.to_string());
    folder
}

#[test]
fn an_accepted_text_is_printed() {
    let run = folder(&json!({}), &json!({})).run(&["run", "registry.json", "--seed", "1"]);
    assert_eq!((run.err.as_str(), run.status), ("", 0));
    assert!(!run.out.trim().is_empty());
}

#[test]
fn everything_about_the_run_as_json() {
    let folder = folder(&json!({"max_length": 5}), &json!({"retries": 2}));
    let args = [
        "run",
        "registry.json",
        "--route",
        "short",
        "--seed",
        "1",
        "--format",
        "json",
    ];
    let run = folder.run(&args);
    let result: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&result["prompt"], &result["accepted"]),
        (&json!("Hello you."), &json!(true))
    );
    assert_eq!(
        (&result["route"], &result["seed"]),
        (&json!("short"), &json!(1))
    );
    assert!(
        result["text"]
            .as_str()
            .is_some_and(|text| text.chars().count() <= 5),
        "{result}"
    );
    assert_eq!(result["attempts"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_rejected_text_ends_with_1_after_every_attempt() {
    let folder = folder(&json!({"min_length": 1_000_000}), &json!({"retries": 3}));
    let run = folder.run(&["run", "registry.json"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.starts_with("rejected after 3 attempts: "),
        "{}",
        run.err
    );
}

#[test]
fn a_stream_is_one_attempt() {
    let folder = folder(&json!({"min_length": 1_000_000}), &json!({"retries": 3}));
    let run = folder.run(&["run", "registry.json", "--stream", "--seed", "1"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.starts_with("rejected after 1 attempt: "),
        "{}",
        run.err
    );
    assert!(!run.out.trim().is_empty());
}

#[test]
fn settings_that_are_none_are_refused_before_anything_is_sent() {
    let run = |policy, generation| folder(&policy, &generation).run(&["run", "registry.json"]);
    run(json!({"forbidden_patterns": ["("]}), json!({})).refuses(2, &["forbidden_patterns[0]"]);
    run(json!({}), json!({"temprature": 1})).refuses(2, &["temprature", "temperature"]);
    run(json!({}), json!({"max_prompt_chars": 3})).refuses(2, &["max_prompt_chars"]);
}

#[test]
fn a_wrong_setting_is_reported_once_and_at_its_place() {
    let folder = Folder::new();
    let write = |field: &str, value: &Value| {
        let deck = json!({"assembly_order": ["a"], field: value, "a": {"items": [{"id": "x"}]}});
        folder.write("deck.json", deck.to_string());
    };
    let wrong = [
        (
            "generation",
            json!({"temprature": 1}),
            "unknown generation field \"temprature\"",
        ),
        (
            "generation",
            json!({"temperature": "x"}),
            "\"temperature\" must be a number",
        ),
        (
            "output_policy",
            json!({"max_lenght": 1}),
            "unknown output_policy field \"max_lenght\"",
        ),
        (
            "output_policy",
            json!({"require_patterns": ["("]}),
            "missing ), unterminated",
        ),
    ];
    for (field, value, words) in wrong {
        write(field, &value);
        let run = folder.run(&["run", "deck.json"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert_eq!(run.err.matches(words).count(), 1, "{}", run.err);
        let place = "error: deck.json: line 1, column ";
        assert!(run.err.starts_with(place), "{}", run.err);
    }
    write("generation", &json!({"temprature": 1, "tpo_p": 1}));
    let run = folder.run(&["run", "deck.json"]);
    for words in [
        "warning: deck.json: line 1, column 62: unknown generation field \"tpo_p\"",
        "error: deck.json: line 1, column 52: unknown generation field \"temprature\"",
    ] {
        assert!(run.err.contains(words), "no {words:?} in {}", run.err);
    }
}

#[test]
fn a_body_that_is_given_has_no_prompt_of_the_registry() {
    let folder = folder(&json!({}), &json!({"max_prompt_chars": 8}));
    folder.write(
        "body.json",
        json!({"messages": [{"role": "user", "content": "2+2"}]}).to_string(),
    );
    let args = [
        "run",
        "registry.json",
        "--request",
        "body.json",
        "--format",
        "json",
    ];
    for more in [&[][..], &["--repeat", "2"]] {
        let run = folder.run(&[&args[..], more].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let results = serde_json::Deserializer::from_str(&run.out).into_iter::<Value>();
        for result in results {
            let result = result.expect("JSON");
            for key in ["prompt", "seed", "evaluation"] {
                assert_eq!(result.get(key), Some(&Value::Null), "{key}");
            }
        }
    }
}
