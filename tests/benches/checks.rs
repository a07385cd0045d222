//! Times 100 checks of 200 rolls on a sample: with the same rolls, with separate rolls, with
//! provenance, and with exact token counts.

use std::sync::Arc;

use divan::{Bencher, black_box};
use promptdeck_checks::{ChecksDocument, Counter, Suite, Tokenizers, Verdict};
use promptdeck_core::{hydrate::Engine, registry};
use promptdeck_model::tokenizer::{self, TokenCounter as _};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

struct Exact(Counter);

impl Tokenizers for Exact {
    fn counter(&self, _: &str) -> Option<Counter> {
        Some(Arc::clone(&self.0))
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The checks, each with its own first seed or all with the same.
fn suite(own_rolls: bool, expect: &Value) -> (Engine, ChecksDocument, Exact) {
    let text = include_str!("../../registries/noir_roller.json");
    let engine = Engine::new(
        registry::parse(text.as_bytes())
            .expect("a registry")
            .registry,
    );
    let checks = (0..100).map(|number| {
        let seed = if own_rolls { number * 200 } else { 0 };
        json!({"name": format!("check {number}"), "given": {"seed": seed, "rolls": 200}, "expect": [expect]})
    });
    let document = json!({"checks": checks.collect::<Vec<Value>>()}).to_string();
    let document = ChecksDocument::parse(document.as_bytes()).expect("a document");
    let tokenizer = tokenizer::by_name("o200k_base").expect("built in");
    tokenizer.count("");
    let counter: Counter = Arc::new(move |text: &str| tokenizer.count(text).tokens);
    (engine, document, Exact(counter))
}

fn run(bencher: Bencher<'_, '_>, own_rolls: bool, expect: &Value) {
    let (engine, document, tokenizers) = suite(own_rolls, expect);
    bencher.bench(|| {
        let verdicts = Suite::new(black_box(&document), &engine, &tokenizers).run_all();
        assert!(verdicts.iter().all(Verdict::holds));
        verdicts
    });
}

#[divan::bench(args = [false, true])]
fn pattern(bencher: Bencher<'_, '_>, own_rolls: bool) {
    run(
        bencher,
        own_rolls,
        &json!({"not_matches": "(?i)the answer is|as an ai"}),
    );
}

#[divan::bench(args = [false, true])]
fn share(bencher: Bencher<'_, '_>, own_rolls: bool) {
    run(
        bencher,
        own_rolls,
        &json!({"share": "crime.forgery", "min": 0.05}),
    );
}

/// Every text is counted once: the counter remembers it.
#[divan::bench(args = [false, true])]
fn tokens(bencher: Bencher<'_, '_>, own_rolls: bool) {
    run(
        bencher,
        own_rolls,
        &json!({"max_tokens": 800, "tokenizer": "o200k_base"}),
    );
}
