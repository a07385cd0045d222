//! Expectations about the text of prompts: what it contains, how long it is, golden texts.

use promptdeck_checks::{ChecksDocument, Suite};
use promptdeck_core::{hydrate::Engine, registry};
use serde_json::json;

use super::case::{DRY, Words, dry, fails, first, holds, twenty};

#[test]
fn texts() {
    let dry_prompt =
        "none in 47 characters: \"You host for Ada.\\n\\nYou are dry.\\n- Sigh.\\n- Wait.\"";
    holds(twenty(), json!({"contains": "You are"}));
    fails(
        twenty(),
        json!({"contains": "dry"}),
        first("loud"),
        "text that contains \"dry\"",
        "none in 48 characters: \"You host for Ada.\\n\\nYou are loud and fast.\\nCheer.\"",
        &[],
    );
    holds(twenty(), json!({"not_contains": "Grace"}));
    fails(
        twenty(),
        json!({"not_contains": "loud"}),
        first("loud"),
        "no \"loud\"",
        "…\" host for Ada.\\n\\nYou are loud and fast.\\nCheer.\"",
        &["personas.loud.context"],
    );
    holds(twenty(), json!({"matches": "(?i)^YOU host"}));
    fails(
        dry(),
        json!({"matches": "Ada$"}),
        3,
        "a match of the pattern \"Ada$\"",
        dry_prompt,
        &[],
    );
    holds(twenty(), json!({"not_matches": r"\d"}));
    fails(
        dry(),
        json!({"not_matches": "A[a-z]+"}),
        3,
        "no match of the pattern \"A[a-z]+\"",
        "\"You host for Ada.\\n\\nYou are dry.\\n- Sigh.\\n\"…",
        &["base.b.text {name}"],
    );
    holds(twenty(), json!({"starts_with": "You host"}));
    fails(
        dry(),
        json!({"starts_with": "Hello"}),
        3,
        "text that starts with \"Hello\"",
        "\"You host for Ada.\\n\\nYou are dry.\\n- Sigh.\\n- Wait.\"",
        &["base.b.text"],
    );
    holds(dry(), json!({"ends_with": "- Wait."}));
    fails(
        dry(),
        json!({"ends_with": "Go."}),
        3,
        "text that ends with \"Go.\"",
        "\"You host for Ada.\\n\\nYou are dry.\\n- Sigh.\\n- Wait.\"",
        &["personas.dry.habits[1]"],
    );
}

#[test]
fn lengths() {
    let words = |key: &str, count: u64| json!({key: count, "tokenizer": "words"});
    holds(twenty(), words("max_tokens", 11));
    fails(
        dry(),
        words("max_tokens", 10),
        3,
        "at most 10 tokens (words)",
        "11 tokens",
        &["base.b.text", "personas.dry.habits", "personas.dry.context"],
    );
    holds(twenty(), words("min_tokens", 10));
    fails(
        twenty(),
        words("min_tokens", 11),
        first("loud"),
        "at least 11 tokens (words)",
        "10 tokens",
        &[],
    );
    holds(dry(), json!({"max_characters": 47}));
    fails(
        dry(),
        json!({"max_characters": 46}),
        3,
        "at most 46 characters",
        "47 characters",
        &["base.b.text", "personas.dry.habits", "personas.dry.context"],
    );
    holds(twenty(), words("stable_prefix_tokens", 6));
    let cut = first("dry").max(first("loud"));
    let rest = if cut == first("loud") {
        "loud and fast.\\nCheer.\""
    } else {
        "dry.\\n- Sigh.\\n- Wait.\""
    };
    let persona = if cut == first("loud") { "loud" } else { "dry" };
    fails(
        twenty(),
        words("stable_prefix_tokens", 7),
        cut,
        "at least 7 tokens (words) that all rolls start with",
        &format!(
            "6 tokens; this seed ends the common start at …\" host for Ada.\\n\\nYou are {rest}"
        ),
        &[&format!("personas.{persona}.context")],
    );
}

#[test]
fn golden_texts() {
    holds(dry(), json!({"text": DRY}));
    fails(
        dry(),
        json!({"text": "You host for Eve."}),
        3,
        "the golden text",
        "a difference in line 1: \"You host for Ada.\\n\\nYou are dry.\\n- Sig\"… instead of \"You host for Eve.\"",
        &["base.b.text {name}"],
    );
    fails(
        dry(),
        json!({"text": ""}),
        3,
        "the golden text",
        "47 characters, and no golden text yet",
        &["base.b.text"],
    );
}

#[test]
fn a_registry_that_prints_nothing_fails_where_text_is_expected() {
    let registry = r#"{"assembly_order": [], "a": {"items": [{"id": "1", "text": "A."}]}}"#;
    let engine = Engine::new(
        registry::parse(registry.as_bytes())
            .expect("a registry")
            .registry,
    );
    let document = json!({"checks": [
        {"name": "x", "expect": [{"contains": "A"}, {"text": "A."}, {"renders": "a"}, {"max_characters": 0}]},
    ]});
    let document = ChecksDocument::parse(document.to_string().as_bytes()).expect("a document");
    let verdicts = Suite::new(&document, &engine, &Words).run_all();
    let found: Vec<&str> = verdicts[0]
        .failures()
        .iter()
        .map(|failure| failure.found.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "an empty text",
            "an empty text",
            "nothing of the section is printed"
        ]
    );
}

#[test]
fn a_hostile_pattern_stops_by_its_budget() {
    let registry = format!(
        r#"{{"assembly_order": ["a"], "a": {{"section_random": true, "items": [{{"id": "1", "text": "{0}!"}}, {{"id": "2", "text": "{0}?"}}]}}}}"#,
        "a".repeat(5000)
    );
    let engine = Engine::new(
        registry::parse(registry.as_bytes())
            .expect("a registry")
            .registry,
    );
    let document = json!({"checks": [
        {"name": "hostile", "given": {"rolls": 1000}, "expect": [{"not_matches": r"(a|aa)+\1b$"}]},
        {"name": "other", "expect": [{"contains": "aaa"}]},
    ]});
    let document = ChecksDocument::parse(document.to_string().as_bytes()).expect("a document");
    let verdicts = Suite::new(&document, &engine, &Words).run_all();
    let failure = &verdicts[0].failures()[0];
    assert!(
        failure.found.contains("takes too many steps"),
        "{}",
        failure.found
    );
    assert_eq!(
        failure.seed.map(promptdeck_core::hydrate::Seed::get),
        Some(0)
    );
    assert!(verdicts[1].holds());
}
