//! Laws of checks: the lowest failing seed, the order of batches, and golden texts.

use promptdeck_checks::{ChecksDocument, GoldenUpdate, Suite, Verdict, no_tokenizers};
use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn engine() -> Engine {
    let registry = br#"{
      "assembly_order": ["open", "person", "person.lines"],
      "open": {"items": [{"id": "o", "text": "Go, {name}."}], "template_vars": ["name"]},
      "person": {"section_random": true, "array_modes": {"lines": "random:2"}, "items": [
        {"id": "a", "text": "Ann", "lines": ["one", "two", "three"]},
        {"id": "b", "text": "Bob", "lines": ["four", "five", "six"]},
        {"id": "c", "text": "Cy", "lines": ["seven", "eight"]}]}
    }"#;
    Engine::new(registry::parse(registry).expect("a registry").registry)
}

fn suite(document: &ChecksDocument, engine: &Engine) -> Suite {
    Suite::new(document, engine, &no_tokenizers())
}

fn parse(text: &str) -> ChecksDocument {
    ChecksDocument::parse(text.as_bytes()).expect("a document")
}

fn prompt(engine: &Engine, state: &State, seed: u64) -> String {
    let seed = Seed::new(seed).expect("a seed");
    let call = Call {
        state,
        route: None,
        seed,
    };
    engine.hydrate_text(&call).expect("a prompt")
}

/// A check of one roll with a golden text.
fn golden() -> impl Strategy<Value = Value> {
    (
        any::<String>(),
        0_u64..1000,
        any::<String>(),
        "[a-z]{1,4}",
        any::<f64>(),
    )
        .prop_map(|(text, seed, variable, key, number)| {
            let mut check = json!({
                "name": "golden",
                "given": {"seed": seed, "variables": {"open::name": variable}},
                "expect": [{"contains": "Go"}, {"text": text}, {"not_contains": "Cy"}],
            });
            check[key] = json!(number);
            check
        })
}

proptest! {
    #[test]
    fn the_lowest_failing_seed_is_the_one_a_plain_loop_finds(
        first in 0_u64..10_000,
        rolls in 1_u64..60,
        word in prop::sample::select(vec!["Ann", "Cy", "one", "three", "eight", "Go", "Zoe"]),
    ) {
        let engine = engine();
        let document = json!({"checks": [
            {"name": "n", "given": {"seed": first, "rolls": rolls}, "expect": [{"not_contains": word}]},
            {"name": "m", "given": {"seed": first, "rolls": 30}, "expect": [{"never_renders": "person.c"}]},
        ]});
        let verdicts = suite(&parse(&document.to_string()), &engine).run_all();
        let found = |verdict: &Verdict| {
            let failure = verdict.failures().first();
            failure.and_then(|failure| failure.seed).map(Seed::get)
        };
        let lowest = |rolls: u64, word: &str| {
            let mut seeds = first..first + rolls;
            seeds.find(|seed| prompt(&engine, &State::default(), *seed).contains(word))
        };
        prop_assert_eq!(found(&verdicts[0]), lowest(rolls, word));
        prop_assert_eq!(found(&verdicts[1]), lowest(30, "Cy"));
    }

    #[test]
    fn the_order_of_batches_changes_no_verdict(seeds in prop::collection::vec(0_u64..20, 1..12)) {
        let engine = engine();
        let check = |seed: &u64| json!({
            "name": format!("from {seed}"),
            "given": {"seed": seed, "rolls": 5},
            "expect": [{"not_contains": "Ann"}, {"share": "person.b", "min": 0.2}],
        });
        let checks: Vec<Value> = seeds.iter().map(check).collect();
        let document = parse(&json!({"checks": checks}).to_string());
        let suite = suite(&document, &engine);
        let batches = (0..suite.batches()).rev();
        let mut verdicts: Vec<Verdict> = batches
            .flat_map(|batch| suite.run(batch, &|| false).expect("not cancelled"))
            .collect();
        verdicts.sort_by_key(|verdict| verdict.index);
        prop_assert_eq!(&verdicts, &suite.run_all());
        prop_assert_eq!(verdicts.len(), seeds.len());
        if suite.batches() > 0 {
            prop_assert!(suite.run(0, &|| true).is_none());
        }
    }

    #[test]
    fn replaced_golden_texts_hold_and_nothing_else_changed(
        checks in prop::collection::vec(golden(), 1..5),
        pretty in any::<bool>(),
    ) {
        let engine = engine();
        let mut value = json!({"mine": [1, 2], "checks": checks});
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let document = parse(&text);
        let verdicts = suite(&document, &engine).run_all();
        let updates: Vec<GoldenUpdate> = verdicts.iter().flat_map(GoldenUpdate::of).collect();
        let updated = document.with_golden_texts(&updates);
        for update in &updates {
            let golden = value.pointer_mut(&update.pointer).expect("a golden text");
            prop_assert_eq!(&*golden, &json!(update.old));
            *golden = json!(update.new);
        }
        let expected = if pretty { format!("{value:#}") } else { value.to_string() };
        prop_assert_eq!(&updated, &expected);
        let again = suite(&parse(&updated), &engine).run_all();
        prop_assert!(again.iter().flat_map(GoldenUpdate::of).next().is_none());
    }
}
