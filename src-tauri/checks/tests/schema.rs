//! The JSON Schema: the committed file equals the generated one, it accepts the checks of the samples,
//! and agrees with the reader on what is a check.

use std::fs;
use std::path::{Path, PathBuf};

use promptdeck_checks::{ChecksDocument, is_checks_name, schema::json_schema};
use serde_json::{Value, json};

fn registries() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries")
}

fn validator() -> jsonschema::Validator {
    jsonschema::draft202012::new(&json_schema()).expect("a schema")
}

/// If set, the test rewrites the committed file.
const UPDATE: &str = "PROMPTDECK_UPDATE_SCHEMA";

#[test]
fn the_committed_schema_is_the_generated_one() {
    assert!(jsonschema::meta::is_valid(&json_schema()));
    let file = registries().join("checks.schema.json");
    let generated = format!("{:#}\n", json_schema());
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, &generated).expect("the file can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == generated,
        "registries/checks.schema.json is stale; run this test with {UPDATE}=1"
    );
}

#[test]
fn the_checks_of_the_samples_are_valid() {
    let mut samples = 0;
    for entry in fs::read_dir(registries()).expect("the samples") {
        let path = entry.expect("a file").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !is_checks_name(&name) {
            continue;
        }
        let bytes = fs::read(&path).expect("a sample");
        let sample: Value = serde_json::from_slice(&bytes).expect("JSON");
        let validator = validator();
        let faults: Vec<String> = validator
            .iter_errors(&sample)
            .map(|fault| format!("{}: {fault}", fault.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        let document = ChecksDocument::parse(&bytes).expect("a file of checks");
        assert!(document.unknown_keys().is_empty(), "{name}");
        let count = document.entries().len();
        assert!((3..=6).contains(&count), "{name}: {count} checks");
        samples += 1;
    }
    assert_eq!(samples, 5);
}

#[test]
fn reader_and_schema_agree() {
    let validator = validator();
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
