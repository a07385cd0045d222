//! Each expectation, where it holds and where it does not, with what a failure says.

use std::sync::Arc;

use promptdeck_checks::{
    ChecksDocument, Counter, Outcome, Suite, Tokenizers, Verdict, source_label,
};
use promptdeck_core::{hydrate::Engine, registry};
use serde_json::{Value, json};

const REGISTRY: &str = r#"{
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
struct Words;

impl Tokenizers for Words {
    fn counter(&self, name: &str) -> Option<Counter> {
        let words: Counter = Arc::new(|text: &str| text.split_whitespace().count());
        (name == "words").then_some(words)
    }

    fn names(&self) -> Vec<String> {
        vec!["words".to_owned()]
    }
}

fn verdicts(document: &Value) -> Vec<Verdict> {
    let engine = Engine::new(
        registry::parse(REGISTRY.as_bytes())
            .expect("a registry")
            .registry,
    );
    let text = format!("{document:#}");
    let document = ChecksDocument::parse(text.as_bytes()).expect("a document");
    Suite::new(&document, &engine, &Words).run_all()
}

fn verdict(check: &Value) -> Verdict {
    let mut check = check.clone();
    check["name"] = json!("it");
    let mut verdicts = verdicts(&json!({"checks": [check]}));
    verdicts.pop().expect("one verdict")
}

#[track_caller]
fn holds(given: Value, expectation: Value) {
    let verdict = verdict(&json!({"given": given, "expect": [expectation]}));
    assert_eq!(verdict.outcome, Outcome::Passed, "{expectation}");
}

/// The seed, what was found, and the sources of the failure.
#[track_caller]
fn fails(given: Value, expectation: Value, seed: u64, expected: &str, found: &str, from: &[&str]) {
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
fn refused(check: Value, pointer: &str, words: &str) {
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
fn first(persona: &str) -> u64 {
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

fn twenty() -> Value {
    json!({"rolls": 20, "variables": {"base::name": "Ada"}})
}

fn dry() -> Value {
    json!({"state": {"selections": {"personas": "dry"}, "template_vars": {"base::name": "Ada"}}, "seed": 3})
}

const DRY: &str = "You host for Ada.\n\nYou are dry.\n- Sigh.\n- Wait.";

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
fn printed_parts() {
    holds(twenty(), json!({"renders": "base"}));
    holds(twenty(), json!({"renders": "persona"}));
    holds(dry(), json!({"renders": "personas.dry"}));
    holds(dry(), json!({"renders": "personas.habits"}));
    fails(
        twenty(),
        json!({"renders": "personas.dry"}),
        first("loud"),
        "personas.dry printed",
        "personas uses loud (rolled)",
        &[],
    );
    fails(
        dry(),
        json!({"renders": "notes"}),
        3,
        "notes printed",
        "nothing is selected in the section",
        &[],
    );
    holds(
        json!({"route": "short"}),
        json!({"never_renders": "personas"}),
    );
    holds(twenty(), json!({"never_renders": "moods.calm"}));
    fails(
        dry(),
        json!({"never_renders": "personas.habits"}),
        3,
        "personas.habits not printed",
        "\"- Sigh.- Wait.\"",
        &["personas.dry.habits[0]", "personas.dry.habits[1]"],
    );
    holds(
        twenty(),
        json!({"share": "personas.dry", "min": 0.2, "max": 0.8}),
    );
    holds(twenty(), json!({"share": "base", "min": 1}));
    holds(twenty(), json!({"share": "notes", "max": 0}));
    fails(
        twenty(),
        json!({"share": "base", "max": 0.5}),
        0,
        "base printed in at most 50 % of the rolls",
        "printed in 20 of 20 rolls (100 %)",
        &["base.b.text", "base.b.text {name}"],
    );
    fails(
        dry(),
        json!({"share": "moods", "min": 0.5}),
        3,
        "moods printed in at least 50 % of the rolls",
        "printed in 0 of 1 rolls (0 %); not with this seed: nothing is selected in the section",
        &[],
    );
}

#[test]
fn problems() {
    holds(dry(), json!({"no_problems": true}));
    let bad = json!({"state": {"array_modes": {"personas": {"habits": "random:x"}}}, "variables": {"base::name": "Ada"}});
    let verdict = verdict(&json!({"given": bad, "expect": [{"no_problems": true}]}));
    let [failure] = verdict.failures() else {
        panic!("{verdict:?}")
    };
    assert!(
        failure.found.starts_with("mode_malformed: "),
        "{}",
        failure.found
    );
    holds(
        bad,
        json!({"no_problems": true, "allow": ["mode_malformed", "state_mode"]}),
    );
}

#[test]
fn answers() {
    let check = |answer: &str, expectation: Value| {
        verdict(&json!({"answer": answer, "expect": [expectation]}))
    };
    let passes = |answer, expectation| assert!(check(answer, expectation).holds());
    let found = |answer, expectation| {
        let verdict = check(answer, expectation);
        let failure = verdict.failures().first().expect("a failure").clone();
        assert_eq!((failure.seed, failure.sources.len()), (None, 0));
        failure.found
    };
    passes("Host:  Well done.", json!({"accepted": true}));
    passes("*winks* Correct!", json!({"rejected": true}));
    passes("*winks* Correct!", json!({"rejected": "forbidden pattern"}));
    passes("Host:  Well done.", json!({"cleaned": "Well done."}));
    passes("Host: Well done.", json!({"max_characters": 10}));
    assert_eq!(
        found("*winks*", json!({"accepted": true})),
        r"rejected: forbidden pattern: '\\*\\w+\\*'"
    );
    assert_eq!(
        found("Fine.", json!({"rejected": true})),
        "an accepted answer"
    );
    assert_eq!(
        found("*winks*", json!({"rejected": "too long"})),
        r"rejected: forbidden pattern: '\\*\\w+\\*'"
    );
    assert_eq!(
        found("Host: Hi", json!({"cleaned": "Ho"})),
        "a difference in line 1: \"Hi\" instead of \"Ho\""
    );
    let on_route = json!({"answer": "Well done.", "given": {"route": "short"}, "expect": [{"cleaned": "Well"}]});
    assert!(verdict(&on_route).holds());
}

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
        "found nothing",
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
        given(json!({"seed": 9_007_199_254_740_991_u64, "rolls": 2})),
        "/given/seed",
        "above",
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
    let shown: Vec<(&str, bool, usize)> = verdicts
        .iter()
        .map(|own| (own.name.as_str(), own.holds(), own.failures().len()))
        .collect();
    assert_eq!(
        shown,
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
    let shown: Vec<_> = found
        .iter()
        .map(|own| (own.pointer.as_str(), own.place.is_some()))
        .collect();
    assert_eq!(
        shown,
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
        .map(|own| own.found.as_str())
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
