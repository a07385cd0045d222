//! What is wrong with a file of checks: all faults of a check, names that repeat, and the subjects
//! that accept a kind of expectation.

use promptdeck_checks::{
    ChecksDocument, ExpectationKind, KINDS, MAX_CHECKS, Outcome, SubjectKind, Suite, ValueForm,
    Verdict, no_tokenizers,
};
use promptdeck_core::{hydrate::Engine, registry};
use serde_json::{Value, json};

const REGISTRY: &[u8] = br#"{
  "assembly_order": ["base"],
  "base": {"items": [{"id": "b", "text": "Hello {name}."}], "template_vars": ["name"]}
}"#;

#[test]
fn names_that_several_checks_have_are_named() {
    let check = |name: &str| json!({"name": name, "expect": [{"contains": "a"}]});
    let document = json!({"checks": [check("a"), check("b"), check("a"), check("a")]});
    let document = ChecksDocument::parse(document.to_string().as_bytes()).expect("a document");
    let found = document.warnings();
    let warnings: Vec<(&str, &str)> = found
        .iter()
        .map(|warning| (warning.pointer.as_str(), warning.message.as_str()))
        .collect();
    let message = |number| {
        format!("checks 1 and {number} are both named \"a\"; reports cannot tell them apart")
    };
    let (third, fourth) = (message(3), message(4));
    assert_eq!(
        warnings,
        [
            ("/checks/2/name", third.as_str()),
            ("/checks/3/name", fourth.as_str())
        ]
    );
    assert!(found.iter().all(|warning| warning.place.is_some()));
}

#[test]
fn a_key_that_stops_its_check_is_not_said_to_be_ignored() {
    let warned = |expect: Value| {
        let document = json!({"checks": [{"name": "a", "expect": [expect]}]});
        let document = ChecksDocument::parse(document.to_string().as_bytes()).expect("a document");
        assert!(document.entries()[0].check.is_err(), "the check cannot run");
        let found = document.warnings().into_iter();
        found.map(|found| found.pointer).collect::<Vec<String>>()
    };
    assert_eq!(warned(json!({"matchs": "x"})), [""; 0]);
    let beside = json!({"max_tokens": 1, "tokeniser": "o200k_base"});
    assert_eq!(warned(beside), ["/checks/0/expect/0/tokeniser"]);
}

#[test]
fn a_check_names_all_of_its_faults() {
    let check = json!({
        "name": " ",
        "given": {
            "rolls": 0,
            "seed": -1,
            "route": 3,
            "state": {"sliders": {"base": "high"}, "section_random": {"base": 1, "other": true}},
            "variables": {"base::name": 1},
        },
        "expect": [{"matches": "("}, {"max_characters": -1}, "x"],
    });
    let read = pointers(&check);
    let expected = [
        "name",
        "given/state/sliders/base",
        "given/state/section_random/base",
        "given/variables/base::name",
        "given/route",
        "given/seed",
        "given/rolls",
        "expect/1/max_characters",
        "expect/2",
        // What can be read is tried in the registry.
        "expect/0/matches",
    ];
    assert_eq!(read, expected);
    let check = json!({
        "name": "n",
        "given": {
            "route": "nowhere",
            "state": {"selections": {"nothing": "x", "neither": "y"}},
        },
        "expect": [
            {"matches": "("},
            {"contains": "a"},
            {"renders": "nothing"},
            {"max_tokens": 5, "tokenizer": "mine"},
        ],
    });
    let expected = [
        "given/route",
        "given/state/selections/nothing",
        "given/state/selections/neither",
        "expect/0/matches",
        "expect/2/renders",
        "expect/3/tokenizer",
    ];
    assert_eq!(pointers(&check), expected);
}

#[test]
fn an_expectation_names_all_of_its_faults() {
    let check = json!({
        "name": "n",
        "expect": [
            {"max_tokens": -1, "tokenizer": 3},
            {"share": "", "min": "a", "max": "b"},
            {"share": "", "min": 2},
            {"no_problems": false, "allow": ["nothing", 1]},
            {"renders": "nothing"},
        ],
    });
    let expected = [
        "expect/0/max_tokens",
        "expect/0/tokenizer",
        "expect/1/share",
        "expect/1/min",
        "expect/1/max",
        "expect/2/share",
        "expect/2/min",
        "expect/3/no_problems",
        "expect/3/allow/0",
        "expect/3/allow/1",
        "expect/4/renders",
    ];
    assert_eq!(pointers(&check), expected);
}

/// Where the faults of a check are, below the check.
fn pointers(check: &Value) -> Vec<String> {
    let engine = Engine::new(registry::parse(REGISTRY).expect("a registry").registry);
    let document = json!({"checks": [check]}).to_string();
    let document = ChecksDocument::parse(document.as_bytes()).expect("a document");
    let verdicts = Suite::new(&document, &engine, &no_tokenizers()).run_all();
    let [
        Verdict {
            outcome: Outcome::Invalid { faults },
            ..
        },
    ] = verdicts.as_slice()
    else {
        panic!("{check} can run: {verdicts:?}");
    };
    let below = |fault: &promptdeck_checks::Fault| {
        let below = fault.pointer.strip_prefix("/checks/0/");
        below.expect("in the check").to_owned()
    };
    faults.iter().map(below).collect()
}

#[test]
fn a_file_holds_ten_thousand_checks() {
    let parse = |count: usize| {
        let check = r#"{"name": "n", "expect": [{"contains": "a"}]}"#;
        let text = format!("{{\"checks\": [{}]}}", vec![check; count].join(","));
        ChecksDocument::parse(text.as_bytes())
    };
    assert!(parse(MAX_CHECKS).is_ok());
    let error = parse(MAX_CHECKS + 1).expect_err("too many").to_string();
    assert!(
        error.contains("10001 checks in one file; a file holds at most 10000"),
        "{error}"
    );
}

#[test]
fn every_kind_is_accepted_by_the_subjects_it_names() {
    let value = |kind: ExpectationKind| match kind.value {
        ValueForm::Characters | ValueForm::Tokens => json!(1),
        ValueForm::Problems | ValueForm::Flag => json!(true),
        ValueForm::Target | ValueForm::Share => json!("base"),
        _ => json!("a"),
    };
    for kind in KINDS {
        for subject in SubjectKind::ALL {
            let expectation = match kind.value {
                ValueForm::Tokens => json!({kind.key: value(kind), "tokenizer": "estimate"}),
                ValueForm::Share => json!({kind.key: value(kind), "min": 0.5}),
                _ => json!({kind.key: value(kind)}),
            };
            let check = match subject {
                SubjectKind::Prompt => json!({"name": "n", "expect": [expectation]}),
                SubjectKind::Rolls => {
                    json!({"name": "n", "given": {"rolls": 2}, "expect": [expectation]})
                }
                SubjectKind::Answer => {
                    json!({"name": "n", "answer": "a", "expect": [expectation]})
                }
            };
            let document = json!({"checks": [check]}).to_string();
            let read = ChecksDocument::parse(document.as_bytes()).expect("a document");
            let read = &read.entries()[0].check;
            assert_eq!(read.is_ok(), kind.accepts(subject), "{document}: {read:?}");
        }
    }
}
