//! How long one library call of hydrate takes: reads a JSON list of `{"name","registry","state"}`
//! from standard input, writes `{"name","nanoseconds","text"}` for each to standard output.
//!
//! The other half of the comparison is `scripts/bench/hydrate.py`, which answers the same.

use std::{hint::black_box, io, time::Instant};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry::Registry,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// How long a case is measured, at least.
const SECONDS: f64 = 0.5;
/// The fastest of so many rounds counts: what is slower was disturbed. Short rounds fit between
/// two disturbances.
const ROUNDS: usize = 250;

#[derive(Deserialize)]
struct Case {
    name: String,
    registry: Map<String, Value>,
    state: State,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cases: Vec<Case> = serde_json::from_reader(io::stdin())?;
    let mut answers = Vec::new();
    for case in cases {
        let engine = Engine::new(Registry::from_map(&case.registry)?);
        let call = Call {
            state: &case.state,
            route: None,
            seed: Seed::default(),
        };
        let text = engine.hydrate_text(&call)?;
        let mut calls = 1;
        let mut fastest = f64::INFINITY;
        let mut rounds = 0;
        while rounds < ROUNDS {
            let started = Instant::now();
            for _ in 0..calls {
                black_box(engine.hydrate_text(black_box(&call))?);
            }
            let seconds = started.elapsed().as_secs_f64();
            if seconds < SECONDS / ROUNDS as f64 {
                calls *= 2;
                continue;
            }
            fastest = fastest.min(seconds / f64::from(calls));
            rounds += 1;
        }
        answers.push(json!({"name": case.name, "nanoseconds": fastest * 1e9, "text": text}));
    }
    serde_json::to_writer(io::stdout(), &answers)?;
    Ok(())
}
