//! Checks and documents that are refused, each with its place and the reason.

use promptdeck_checks::ChecksDocument;
use serde_json::{Value, json};

use super::case::{refused, verdicts};

#[test]
fn checks_that_cannot_run_say_where_and_why() {
    let expect = |expectation: Value| json!({"expect": [expectation]});
    let given = |given: Value| json!({"given": given, "expect": [{"contains": "x"}]});
    refused(json!({}), "/expect", "found nothing");
    refused(json!({"expect": []}), "/expect", "add one");
    refused(json!({"expect": ["x"]}), "/expect/0", "expected an object");
    refused(
        expect(json!({"contian": "x"})),
        "/expect/0/contian",
        "did you mean \"contains\"?",
    );
    refused(expect(json!({"x": 1})), "/expect/0", "known are contains, ");
    refused(
        expect(json!({"contains": "a", "text": "b"})),
        "/expect/0/text",
        "two expectations",
    );
    refused(
        expect(json!({"contains": 1})),
        "/expect/0/contains",
        "expected a text, found a number",
    );
    refused(
        expect(json!({"not_contains": ""})),
        "/expect/0/not_contains",
        "at least one character",
    );
    refused(
        expect(json!({"matches": "(a"})),
        "/expect/0/matches",
        "does not compile",
    );
    refused(
        expect(json!({"max_tokens": -1, "tokenizer": "words"})),
        "/expect/0/max_tokens",
        "0 or more, found -1",
    );
    refused(
        expect(json!({"max_tokens": 1.5, "tokenizer": "words"})),
        "/expect/0/max_tokens",
        "found 1.5",
    );
    refused(
        expect(json!({"max_tokens": 1})),
        "/expect/0/tokenizer",
        "`max_tokens` counts with a tokenizer that it names; add \"tokenizer\": \"o200k_base\"",
    );
    refused(
        expect(json!({"max_tokens": 1, "tokenizer": "word"})),
        "/expect/0/tokenizer",
        "did you mean \"words\"?",
    );
    refused(
        expect(json!({"renders": "persons"})),
        "/expect/0/renders",
        "did you mean \"personas\"?",
    );
    refused(
        expect(json!({"renders": "personas.dyr"})),
        "/expect/0/renders",
        "did you mean \"dry\"?",
    );
    refused(
        expect(json!({"share": "base"})),
        "/expect/0/share",
        "needs `min`, `max`",
    );
    refused(
        expect(json!({"share": "base", "min": 1.2})),
        "/expect/0/min",
        "from 0 to 1",
    );
    refused(
        expect(json!({"no_problems": false})),
        "/expect/0/no_problems",
        "only be true",
    );
    refused(
        expect(json!({"no_problems": true, "allow": ["state_mod"]})),
        "/expect/0/allow/0",
        "did you mean \"state_mode\"?",
    );
    refused(
        expect(json!({"accepted": true})),
        "/expect/0/accepted",
        "about answers",
    );
    refused(
        json!({"answer": "x", "expect": [{"renders": "base"}]}),
        "/expect/0/renders",
        "about prompts",
    );
    refused(
        json!({"answer": "x", "given": {"seed": 1}, "expect": [{"accepted": true}]}),
        "/given/seed",
        "only `route`",
    );
    refused(
        json!({"given": {"rolls": 2}, "expect": [{"contains": "x"}, {"text": "x"}]}),
        "/expect/1/text",
        "needs one roll",
    );
    refused(
        given(json!({"rolls": 0})),
        "/given/rolls",
        "1 to 1000000 rolls, not 0",
    );
    refused(
        given(json!({"rolls": 1_000_001})),
        "/given/rolls",
        "not 1000001",
    );
    refused(
        given(json!({"seed": -1})),
        "/given/seed",
        "a seed is an integer",
    );
    refused(
        given(json!({"route": "shrot"})),
        "/given/route",
        "did you mean \"short\"?",
    );
    refused(
        given(json!({"state": {"sliders": []}})),
        "/given/state/sliders",
        "expected an object or null, found a list",
    );
    refused(
        given(json!({"state": {"selections": {"persons": "dry"}}})),
        "/given/state/selections/persons",
        "persons",
    );
    refused(
        given(json!({"state": {"selections": {"personas": "dyr"}}})),
        "/given/state/selections/personas",
        "dyr",
    );
    refused(
        given(json!({"variables": {"base::nam": "x"}})),
        "/given/variables/base::nam",
        "nam",
    );
    refused(
        given(json!({"variables": {"base::name": 1}})),
        "/given/variables/base::name",
        "expected a text",
    );
}

#[test]
fn a_check_that_cannot_run_does_not_keep_the_others_from_running() {
    let verdicts = verdicts(&json!({"checks": [
        {"name": "bad", "expect": [{"matches": "("}]},
        7,
        {"name": "good", "expect": [{"contains": "You"}]},
        {"name": "two", "given": {"rolls": 5}, "expect": [{"contains": "no"}, {"contains": "You"}, {"max_characters": 1}]},
    ]}));
    let summaries: Vec<(&str, bool, usize)> = verdicts
        .iter()
        .map(|verdict| {
            (
                verdict.name.as_str(),
                verdict.holds(),
                verdict.failures().len(),
            )
        })
        .collect();
    assert_eq!(
        summaries,
        [
            ("bad", false, 0),
            ("check 2", false, 0),
            ("good", true, 0),
            ("two", false, 2)
        ]
    );
}

#[test]
fn a_document_of_another_form_is_refused_with_its_place() {
    for (text, message) in [
        ("{", "line 1, column 2: "),
        ("[]", "line 1, column 1: "),
        (
            "{\"checks\": 1}",
            "line 1, column 12: /checks: expected a list",
        ),
        (
            "{}",
            "line 1, column 1: /checks: expected a list, found nothing",
        ),
        (
            "{\"version\": 1, \"cheks\": []}",
            "line 1, column 25: /cheks: unknown key \"cheks\"; did you mean \"checks\"?",
        ),
        (
            "{\"version\": 2, \"checks\": []}",
            "line 1, column 13: /version: version 2 of checks is not",
        ),
        ("{\"checks\": [], \"checks\": []}", "line 1, column 16: "),
    ] {
        let error = ChecksDocument::parse(text.as_bytes())
            .expect_err(text)
            .to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn keys_that_nothing_reads_are_named_with_the_nearest_known_one() {
    let text = r#"{"checks": [{"name": "n", "gven": {}, "expect": [{"contains": "a", "tokeniser": "x"}]}], "by": 1}"#;
    let document = ChecksDocument::parse(text.as_bytes()).expect("a document");
    let found = document.warnings();
    let located: Vec<_> = found
        .iter()
        .map(|warning| (warning.pointer.as_str(), warning.place.is_some()))
        .collect();
    assert_eq!(
        located,
        [
            ("/checks/0/gven", true),
            ("/checks/0/expect/0/tokeniser", true),
            ("/by", true),
        ]
    );
    for (warning, near) in found.iter().zip(["\"given\"", "\"tokenizer\"", "\"by\""]) {
        assert!(warning.message.contains(near), "{}", warning.message);
    }
    assert_eq!(
        document.members().to_string(),
        text.replace(": ", ":").replace(", ", ",")
    );
}
