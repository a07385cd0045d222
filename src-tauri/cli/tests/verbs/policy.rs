//! `policy`: cleaning and checking, for single documents and batches.

use serde_json::{Value, json};

use crate::program::Folder;

#[track_caller]
fn check(document: &Value, text: &str, reason: Option<&str>) {
    let folder = Folder::new();
    let run = folder.run_with(&["policy", "-"], &document.to_string());
    let (status, message) = match reason {
        Some(reason) => (1, format!("rejected: {reason}\n")),
        None => (0, String::new()),
    };
    assert_eq!(
        (run.out, run.err, run.status),
        (format!("{text}\n"), message, status)
    );
    let batch = folder.run_with(&["policy", "--batch"], &document.to_string());
    let answer: Value = serde_json::from_str(&batch.out).expect("JSON");
    let expected =
        json!({"ok": true, "text": text, "accepted": reason.is_none(), "reason": reason});
    assert_eq!((answer, batch.status), (expected, 0));
}

#[test]
fn a_text_is_cleaned_and_judged() {
    check(&json!({"policy": {}, "text": "  a   b \n"}), "a b", None);
    check(
        &json!({"policy": {"strip_prefixes": ["Host:"]}, "text": "host: hi"}),
        "hi",
        None,
    );
    check(
        &json!({"policy": {"max_length": 3}, "text": "abcdef"}),
        "abc",
        None,
    );
    check(
        &json!({"policy": {"append_suffix": "!"}, "text": "hi"}),
        "hi!",
        None,
    );
}

#[test]
fn a_rejected_text_ends_with_1_and_its_reason() {
    let folder = Folder::new();
    for policy in [
        json!({"min_length": 9}),
        json!({"forbidden_substrings": ["ell"]}),
        json!({"forbidden_patterns": ["l+"]}),
        json!({"require_patterns": ["^bye"]}),
    ] {
        let document = json!({"policy": policy, "text": "hello"}).to_string();
        let run = folder.run_with(&["policy", "-"], &document);
        assert_eq!((run.out.as_str(), run.status), ("hello\n", 1), "{policy}");
        assert!(run.err.starts_with("rejected: "), "{policy}: {}", run.err);
        let json = folder.run_with(&["policy", "-", "--format", "json"], &document);
        let answer: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(
            (&answer["accepted"], json.status),
            (&json!(false), 1),
            "{policy}"
        );
    }
}

#[test]
fn a_policy_that_is_none_is_refused() {
    let folder = Folder::new();
    for (policy, word) in [
        (
            json!({"forbidden_patterns": ["("]}),
            "forbidden_patterns[0]",
        ),
        (json!({"max_length": -1}), "max_length"),
        (json!({"max_lenght": 1}), "max_lenght"),
    ] {
        let document = json!({"policy": policy, "text": "hello"}).to_string();
        folder
            .run_with(&["policy", "-"], &document)
            .refuses(2, &[word]);
        let batch = folder.run_with(
            &["policy", "--batch"],
            &format!("{document}\n{{\"policy\":{{}},\"text\":\"a\"}}"),
        );
        let answers: Vec<Value> = batch
            .out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(
            (&answers[0]["ok"], &answers[1]["text"], batch.status),
            (&json!(false), &json!("a"), 1)
        );
    }
}
