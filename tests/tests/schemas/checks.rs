//! The JSON Schema of files of checks and the reader agree on what is a check.

use promptdeck_checks::{ChecksDocument, schema::json_schema};
use serde_json::{Value, json};

use crate::validator;

#[test]
fn reader_and_schema_agree() {
    let validator = validator(&json_schema());
    let agree = |check: Value, accepted: bool| {
        let document = json!({"checks": [check]});
        let read = ChecksDocument::parse(document.to_string().as_bytes()).expect("a document");
        let read = &read.entries()[0].check;
        assert_eq!(read.is_ok(), accepted, "the reader on {document}: {read:?}");
        assert_eq!(
            validator.is_valid(&document),
            accepted,
            "the schema on {document}"
        );
    };
    let expect = |expectation: Value, accepted| {
        agree(json!({"name": "n", "expect": [expectation]}), accepted);
    };
    expect(json!({"contains": "a"}), true);
    expect(json!({"contains": "a", "matches": null}), true);
    expect(json!({"contains": 1}), false);
    for key in [
        "contains",
        "not_contains",
        "matches",
        "starts_with",
        "renders",
        "share",
    ] {
        expect(json!({key: "", "min": 0.5}), false);
    }
    expect(json!({"text": ""}), true);
    expect(json!({}), false);
    expect(json!("contains"), false);
    expect(json!({"max_tokens": 3, "tokenizer": "estimate"}), true);
    expect(json!({"max_tokens": 3}), false);
    expect(json!({"max_tokens": -3, "tokenizer": "estimate"}), false);
    expect(json!({"max_characters": 1.5}), false);
    expect(json!({"share": "a", "min": 0.5}), true);
    expect(json!({"share": "a", "min": 1.5}), false);
    expect(json!({"no_problems": true, "allow": ["state_mode"]}), true);
    expect(json!({"no_problems": false}), false);
    expect(json!({"no_problems": true, "allow": [1]}), false);
    agree(
        json!({"name": "n", "answer": "a", "expect": [{"rejected": "x"}]}),
        true,
    );
    agree(
        json!({"name": "n", "answer": 1, "expect": [{"rejected": true}]}),
        false,
    );
    agree(json!({"expect": [{"contains": "a"}]}), false);
    agree(json!({"name": "", "expect": [{"contains": "a"}]}), false);
    agree(json!({"name": "n", "expect": []}), false);
    agree(json!({"name": "n", "expect": {}}), false);
    let given = |given: Value, accepted| {
        agree(
            json!({"name": "n", "given": given, "expect": [{"contains": "a"}]}),
            accepted,
        );
    };
    given(
        json!({"state": {"selections": {"a": "b"}}, "route": "r", "seed": "7"}),
        true,
    );
    given(
        json!({"variables": {"a::b": "c", "a::d": null}, "rolls": 200}),
        true,
    );
    given(json!({"variables": {"a::b": 1}}), false);
    given(json!({"rolls": 0}), false);
    given(json!({"rolls": 1_000_001}), false);
    given(json!({"seed": -1}), false);
    given(json!({"route": 1}), false);
    given(json!([]), false);
}
