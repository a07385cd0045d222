//! A registry and the checks on it: whether a check holds, what a failing one says, and why one is
//! refused.

use std::sync::Arc;

use promptdeck_checks::{
    ChecksDocument, Counter, Outcome, Suite, Tokenizers, Verdict, source_label,
};
use promptdeck_core::{hydrate::Engine, registry};
use serde_json::{Value, json};

pub const REGISTRY: &str = r#"{
  "assembly_order": ["base", "moods", "personas", "personas.habits", "notes"],
  "base": {"items": [{"id": "b", "text": "You host for {name}."}], "template_vars": ["name"]},
  "moods": {"required": false, "items": [{"id": "calm", "text": "Be calm."}]},
  "personas": {"section_random": true, "items": [
    {"id": "dry", "context": "You are dry.", "habits": ["Sigh.", "Wait."]},
    {"id": "loud", "context": "You are loud and fast.", "habits": ["Cheer."]}]},
  "notes": {"required": false, "items": [{"id": "n", "text": "Note."}]},
  "routes": {"short": {"assembly_order": ["base"], "output_policy": {"max_length": 5}}},
  "output_policy": {"forbidden_patterns": ["\\*\\w+\\*"], "strip_prefixes": ["Host:"]}
}"#;

/// One token for each word.
pub struct Words;

impl Tokenizers for Words {
    fn counter(&self, name: &str) -> Option<Counter> {
        let words: Counter = Arc::new(|text: &str| text.split_whitespace().count());
        (name == "words").then_some(words)
    }

    fn names(&self) -> Vec<String> {
        vec!["words".to_owned()]
    }
}

pub fn verdicts(document: &Value) -> Vec<Verdict> {
    let engine = Engine::new(
        registry::parse(REGISTRY.as_bytes())
            .expect("a registry")
            .registry,
    );
    let text = format!("{document:#}");
    let document = ChecksDocument::parse(text.as_bytes()).expect("a document");
    Suite::new(&document, &engine, &Words).run_all()
}

pub fn verdict(check: &Value) -> Verdict {
    let mut check = check.clone();
    check["name"] = json!("it");
    let mut verdicts = verdicts(&json!({"checks": [check]}));
    verdicts.pop().expect("one verdict")
}

#[track_caller]
pub fn holds(given: Value, expectation: Value) {
    let verdict = verdict(&json!({"given": given, "expect": [expectation]}));
    assert_eq!(verdict.outcome, Outcome::Passed, "{expectation}");
}

/// The seed, what was found, and the sources of the failure.
#[track_caller]
pub fn fails(
    given: Value,
    expectation: Value,
    seed: u64,
    expected: &str,
    found: &str,
    from: &[&str],
) {
    let verdict = verdict(&json!({"given": given, "expect": [expectation]}));
    let [failure] = verdict.failures() else {
        panic!("{expectation}: {verdict:?}");
    };
    let sources: Vec<String> = failure.sources.iter().map(source_label).collect();
    assert_eq!(
        (
            failure.seed.map(promptdeck_core::hydrate::Seed::get),
            failure.expected.as_str(),
            failure.found.as_str(),
            sources
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .as_slice(),
        ),
        (Some(seed), expected, found, from),
        "{expectation}"
    );
    let pointer = "/checks/0/expect/0";
    assert_eq!(failure.pointer, pointer);
    assert!(failure.place.is_some());
}

/// The message of a check that cannot run, and its place.
#[track_caller]
pub fn refused(check: Value, pointer: &str, words: &str) {
    let verdict = verdict(&check);
    let Outcome::Invalid { faults } = &verdict.outcome else {
        panic!("{check}: {verdict:?}");
    };
    let [fault] = faults.as_slice() else {
        panic!("{check}: {faults:?}");
    };
    assert_eq!(
        fault.pointer,
        format!("/checks/0{pointer}"),
        "{}",
        fault.message
    );
    assert!(fault.message.contains(words), "{}", fault.message);
    assert!(fault.place.is_some(), "{check}");
}

/// The first seed with which a persona is rolled.
pub fn first(persona: &str) -> u64 {
    let engine = Engine::new(
        registry::parse(REGISTRY.as_bytes())
            .expect("a registry")
            .registry,
    );
    let state = promptdeck_core::hydrate::State::default();
    let rolls = (0..100).map(|seed| promptdeck_core::hydrate::Call {
        state: &state,
        route: None,
        seed: promptdeck_core::hydrate::Seed::new(seed).expect("a seed"),
    });
    let mut texts = rolls.map(|call| engine.hydrate_text(&call).expect("a prompt"));
    texts
        .position(|text| text.contains(persona))
        .expect("rolled") as u64
}

pub fn twenty() -> Value {
    json!({"rolls": 20, "variables": {"base::name": "Ada"}})
}

pub fn dry() -> Value {
    json!({"state": {"selections": {"personas": "dry"}, "template_vars": {"base::name": "Ada"}}, "seed": 3})
}

pub const DRY: &str = "You host for Ada.\n\nYou are dry.\n- Sigh.\n- Wait.";
