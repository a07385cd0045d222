//! The figures of a profile against numpy: quantiles, histogram and intervals, from the texts that
//! hydration gives for the same seeds.

use std::path::Path;

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry,
};
use promptdeck_population::{
    measure,
    profile::{ProfileOptions, ProfilePlan},
};
use promptdeck_tests::oracle;
use serde_json::json;

#[test]
fn figures_are_those_of_numpy() {
    const ROLLS: u64 = 1_000;
    const BUDGET: u64 = 900;
    for sample in [
        "trivia_host",
        "noir_roller",
        "night_stream",
        "support_desk",
        "code_reviewer",
    ] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../registries");
        let bytes = std::fs::read(root.join(format!("{sample}.json"))).expect("a sample");
        let engine = Engine::new(registry::parse(&bytes).expect("a registry").registry);
        let state = State::default();
        let call = |seed| Call {
            state: &state,
            route: None,
            seed: Seed::from_bits(seed),
        };
        let options = ProfileOptions {
            rolls: ROLLS,
            budget: Some(BUDGET),
            ..ProfileOptions::default()
        };
        let first = call(0);
        let plan = ProfilePlan::new(&engine, &first, options).expect("the default route");
        let partial = measure(&plan).expect("the default route");
        let profile = plan.profile(partial, &|| false).expect("the default route");
        let found = profile.characters.expect("some rolls");
        let texts: Vec<String> = (0..ROLLS)
            .map(|seed| engine.hydrate_text(&call(seed)).expect("the default route"))
            .collect();
        let bars = &found.distribution.bars;
        let ranges: Vec<[i64; 2]> = bars.iter().map(|bar| [bar.from, bar.to]).collect();
        let rows = profile.coverage.iter().flat_map(|section| &section.rows);
        let rows: Vec<_> = rows.collect();
        let counts: Vec<u64> = rows.iter().map(|row| row.rolls).collect();
        assert!(counts.len() > 5, "{sample}");
        let input = json!({"texts": texts, "bars": ranges, "budget": BUDGET, "counts": counts});
        let mut expected = oracle::ask("population_oracle.py", &[input]).remove(0);
        let intervals = expected["intervals"].take();
        for (row, interval) in rows.iter().zip(intervals.as_array().expect("a list")) {
            for (ours, end) in [(row.low, &interval[0]), (row.high, &interval[1])] {
                let end = end.as_f64().expect("a number");
                // The roots of a double zero have half of the digits.
                assert!((ours - end).abs() < 1e-7, "{sample}: {row:?}, {interval}");
            }
        }
        let most = profile.sameness.most_frequent.expect("few texts");
        let most = most.seed.expect("a roll").get() as usize;
        let distribution = &found.distribution;
        let ours = json!({
            "min": distribution.min, "max": distribution.max, "median": distribution.median, "p5": distribution.p5, "p95": distribution.p95,
            "min_seed": found.min_seed, "max_seed": found.max_seed,
            "bars": bars.iter().map(|bar| bar.rolls).collect::<Vec<_>>(),
            "different": profile.sameness.texts.estimate,
            "over": found.over_budget.expect("a budget").rolls,
            "most": texts[most],
            "prefix": profile.prefix.expect("some rolls").all.characters,
            "intervals": null,
        });
        assert_eq!(ours, expected, "{sample}");
    }
}
