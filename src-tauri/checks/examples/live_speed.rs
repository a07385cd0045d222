//! How long the figures that follow an edit take: the profile of 2,000 rolls with exact token counts
//! on each sample, and 100 checks of 200 rolls each. In one thread, with a registry that was never
//! rolled before. Writes a JSON line for each with the median and the 95th percentile in
//! milliseconds; the first argument is the folder of the samples.

use std::{fs, path::Path, sync::Arc, time::Instant};

use promptdeck_checks::{ChecksDocument, Counter, Suite, Tokenizers};
use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::{self, Registry},
};
use promptdeck_model::tokenizer::{self, Cached, TokenCounter as _};
use promptdeck_population::{
    Tokenizer, measure,
    profile::{ProfileOptions, ProfilePlan},
};
use serde_json::{Value, json};

const SAMPLES: [&str; 5] = [
    "code_reviewer",
    "night_stream",
    "noir_roller",
    "support_desk",
    "trivia_host",
];

const ROUNDS: usize = 100;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// `o200k_base`, whose tables are loaded, without counts of earlier texts.
struct Exact(Cached);

impl Exact {
    fn new() -> Outcome<Self> {
        let tokenizer = tokenizer::by_name("o200k_base").ok_or("no tokenizer")?;
        Ok(Self(tokenizer))
    }
}

impl Tokenizer for Exact {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn count(&self, text: &str) -> u64 {
        self.0.count(text).tokens as u64
    }

    fn first_piece(&self, text: &str) -> usize {
        self.0.first_piece(text)
    }
}

/// The tokenizer of the checks.
struct OfChecks(Counter);

impl Tokenizers for OfChecks {
    fn counter(&self, _: &str) -> Option<Counter> {
        Some(Arc::clone(&self.0))
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

fn main() -> Outcome<()> {
    let folder = std::env::args().nth(1).ok_or("no folder")?;
    let read = |name: &str| -> Outcome<Registry> {
        let text = fs::read(Path::new(&folder).join(format!("{name}.json")))?;
        Ok(registry::parse(&text)?.registry)
    };
    Exact::new()?.count("");
    for name in SAMPLES {
        let registry = read(name)?;
        report("2,000 rolls", name, || profile(&registry))?;
    }
    let registry = read("trivia_host")?;
    let expectations = [
        (
            "pattern",
            json!({"not_matches": "(?i)the answer is yes|as an ai"}),
        ),
        ("share", json!({"share": "personas.deadpan", "min": 0.05})),
        ("renders", json!({"renders": "personas.context"})),
        ("problems", json!({"no_problems": true})),
        (
            "prefix",
            json!({"stable_prefix_tokens": 5, "tokenizer": "o200k_base"}),
        ),
        (
            "tokens",
            json!({"max_tokens": 800, "tokenizer": "o200k_base"}),
        ),
    ];
    for (name, expectation) in expectations {
        for (kind, own_states) in [("the same rolls", false), ("rolls of their own", true)] {
            let document = checks(&expectation, own_states)?;
            let name = format!("{name}, {kind}");
            report("100 checks", &name, || run(&registry, &document))?;
        }
    }
    Ok(())
}

/// 100 checks, each in a state of its own or all in the same.
fn checks(expectation: &Value, separate_states: bool) -> Outcome<ChecksDocument> {
    let check = |number: usize| {
        let number = if separate_states { number } else { 0 };
        let state = json!({"template_vars": {"base_context::venue": format!("Hall {number}")}});
        json!({"name": "check", "given": {"state": state, "rolls": 200}, "expect": [expectation]})
    };
    let checks: Vec<Value> = (0..100).map(check).collect();
    let document = json!({"version": 1, "checks": checks}).to_string();
    Ok(ChecksDocument::parse(document.as_bytes())?)
}

fn profile(registry: &Registry) -> Outcome<()> {
    let tokenizer = Exact::new()?;
    let engine = Engine::new(registry.clone());
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::default(),
    };
    let options = ProfileOptions {
        rolls: 2_000,
        tokenizer: Some(&tokenizer),
        ..ProfileOptions::default()
    };
    let plan = ProfilePlan::new(&engine, &call, options)?;
    plan.profile(measure(&plan)?, &|| false)?;
    Ok(())
}

fn run(registry: &Registry, document: &ChecksDocument) -> Outcome<()> {
    let tokenizer = Exact::new()?;
    let counter: Counter = Arc::new(move |text: &str| tokenizer.0.count(text).tokens);
    let engine = Engine::new(registry.clone());
    let verdicts = Suite::new(document, &engine, &OfChecks(counter)).run_all();
    match verdicts.iter().find(|verdict| !verdict.holds()) {
        None => Ok(()),
        Some(verdict) => Err(format!("a check does not hold: {verdict:?}").into()),
    }
}

fn report(work: &str, name: &str, mut round: impl FnMut() -> Outcome<()>) -> Outcome<()> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        round()?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times.get(ROUNDS * percent / 100 - 1);
    println!(
        "{}",
        json!({"work": work, "name": name, "median": at(50), "p95": at(95)})
    );
    Ok(())
}
