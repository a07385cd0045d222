//! Output policies and generation settings: tables of cleaned and rejected texts.

use promptdeck_core::output::{CompiledPolicy, GenerationConfig, OutputPolicy};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

fn policy(value: Value) -> OutputPolicy {
    OutputPolicy::from_map(&object(value)).expect("a policy")
}

#[track_caller]
fn cleans(rules: Value, text: &str, expected: &str) {
    let compiled = CompiledPolicy::new(policy(rules)).expect("patterns compile");
    assert_eq!(compiled.clean(text).expect("no limit"), expected);
}

#[test]
fn clean() {
    cleans(json!({}), "  a \t b  \n\n\n\nc \n", "a b\n\nc");
    cleans(
        json!({"collapse_whitespace": false}),
        " a  b \n\n\nc ",
        "a  b \n\n\nc",
    );
    cleans(json!({}), "\u{1c}a\u{1f}", "a");
    cleans(json!({}), "a \n \n \nb", "a\n\nb");
    cleans(json!({"strip_prefixes": ["sure:"]}), "  SURE: yes", "yes");
    cleans(json!({"strip_prefixes": ["a", "a"]}), "aaa", "a");
    cleans(json!({"strip_prefixes": ["b", "a"]}), "ab", "b");
    cleans(json!({"strip_prefixes": ["İ"]}), "i\u{307}x", "\u{307}x");
    cleans(json!({"strip_prefixes": ["ΑΣ"]}), "ΑΣ ", "");
    cleans(json!({"strip_prefixes": ["ΑΣ"]}), "ΑΣΑ", "ΑΣΑ");
    cleans(json!({"strip_prefixes": [" a"]}), " a", "a");
    cleans(json!({"strip_patterns": ["^x"]}), "xa\nxb", "a\nb");
    cleans(json!({"strip_patterns": ["b", "ac"]}), "abc", "");
    cleans(json!({"max_length": 3}), "ab cd", "ab");
    cleans(json!({"max_length": 3}), "日本語ですよ", "日本語");
    cleans(json!({"max_length": 0}), "abc", "");
    cleans(
        json!({"max_length": 2, "append_suffix": "..."}),
        "abc",
        "ab...",
    );
    cleans(json!({"append_suffix": " \n"}), "a", "a");
    cleans(json!({"append_suffix": ""}), "a", "a");
}

#[track_caller]
fn judges(rules: Value, text: &str, reason: Option<&str>) {
    let compiled = CompiledPolicy::new(policy(rules)).expect("patterns compile");
    assert_eq!(
        compiled.validate(text).expect("no limit").as_deref(),
        reason
    );
}

#[test]
fn validate() {
    judges(json!({}), "", None);
    judges(json!({"min_length": 3}), "日本", Some("too short (<3)"));
    judges(json!({"max_length": 1}), "日本", Some("too long (>1)"));
    judges(json!({"max_length": 2}), "日本", None);
    judges(json!({"forbidden_substrings": ["", "a"]}), "A", None);
    judges(
        json!({"forbidden_substrings": ["it's"]}),
        "it's",
        Some("forbidden substring: \"it's\""),
    );
    judges(
        json!({"forbidden_substrings": ["\n'\""]}),
        "\n'\"",
        Some(r#"forbidden substring: '\n\'"'"#),
    );
    judges(
        json!({"forbidden_substrings": ["\u{200b}é"]}),
        "\u{200b}é",
        Some(r"forbidden substring: '\u200bé'"),
    );
    judges(json!({"forbidden_patterns": ["", "^b"]}), "a\nb", None);
    judges(
        json!({"forbidden_patterns": [r"\d"]}),
        "1",
        Some(r"forbidden pattern: '\\d'"),
    );
    judges(json!({"require_patterns": ["", "b$"]}), "b\n", None);
    judges(
        json!({"require_patterns": ["a"]}),
        "b",
        Some("missing required pattern: 'a'"),
    );
    judges(
        json!({"min_length": 9, "forbidden_patterns": ["a"], "require_patterns": ["b"]}),
        "a",
        Some("too short (<9)"),
    );
}

#[track_caller]
fn refuses(rules: Value, message: &str) {
    let error = OutputPolicy::from_map(&object(rules)).expect_err("refused");
    assert_eq!(error.to_string(), message);
}

#[test]
fn policies_that_are_refused() {
    refuses(
        json!({"max_lenght": 3}),
        "unknown output_policy field \"max_lenght\"; known are strip_prefixes, strip_patterns, \
         forbidden_substrings, forbidden_patterns, max_length, min_length, require_patterns, \
         append_suffix, collapse_whitespace; did you mean \"max_length\"?",
    );
    refuses(
        json!({"max_length": -1}),
        "output_policy field \"max_length\" must be an integer from 0, not -1",
    );
    refuses(
        json!({"min_length": 1.5}),
        "output_policy field \"min_length\" must be an integer from 0, not 1.5",
    );
    refuses(
        json!({"strip_prefixes": "Sure"}),
        "output_policy field \"strip_prefixes\" must be a list of texts, not \"Sure\"",
    );
    let fault = CompiledPolicy::new(policy(json!({"require_patterns": ["a", "(b"]})));
    assert_eq!(
        fault.expect_err("refused").to_string(),
        "require_patterns[1] \"(b\": missing ), unterminated subpattern at character 0 of the pattern"
    );
}

#[test]
fn a_route_replaces_what_it_names() {
    let base = object(json!({"strip_prefixes": ["a"], "max_length": 5, "min_length": 1}));
    let over = object(json!({"strip_prefixes": ["b"], "max_length": null}));
    let layered = OutputPolicy::layered(&base, &over).expect("a policy");
    assert_eq!(
        layered,
        policy(json!({"strip_prefixes": ["b"], "min_length": 1}))
    );
}

#[test]
fn generation_settings() {
    let read = |base, over| GenerationConfig::layered(&object(base), &object(over));
    assert_eq!(read(json!({}), json!({})), Ok(GenerationConfig::default()));
    let both = read(
        json!({"model": "m", "temperature": 1, "top_k": 3}),
        json!({"temperature": 0.5}),
    );
    assert_eq!(
        both,
        Ok(GenerationConfig {
            model: "m".to_owned(),
            temperature: 0.5,
            top_k: Some(3),
            ..GenerationConfig::default()
        })
    );
    let attempts =
        |retries| read(json!({"retries": retries}), json!({})).map(|read| read.attempts());
    assert_eq!(attempts(0), Ok(1));
    assert_eq!(attempts(3), Ok(3));
    assert_eq!(attempts(20), Ok(20));
    assert_eq!(attempts(1_000_000_000), Ok(20));
    let unknown = read(json!({}), json!({"temp": 1})).expect_err("refused");
    assert_eq!((unknown.code(), unknown.field()), ("unknown_field", "temp"));
    let wrong = read(json!({"timeout_ms": "1s"}), json!({})).expect_err("refused");
    assert_eq!((wrong.code(), wrong.field()), ("wrong_type", "timeout_ms"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn cleaned_texts_keep_to_the_rules(text in "[ab \t\n\u{1c}é]{0,60}", most in 0_u64..30) {
        let compiled = CompiledPolicy::new(policy(json!({"max_length": most}))).expect("compiles");
        let cleaned = compiled.clean(&text).expect("no limit");
        prop_assert_eq!(compiled.clean(&cleaned).expect("no limit"), cleaned.clone());
        prop_assert_eq!(compiled.validate(&cleaned).expect("no limit"), None);
        prop_assert!(!cleaned.contains("\n\n\n") && !cleaned.contains("  "));
    }
}
