//! Compares prompts with promptlibretto 0.6.0, byte for byte.
//!
//! `PROMPTDECK_HYDRATE_SEED` and `PROMPTDECK_HYDRATE_CASES` select other or more cases.

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_tests::hydrate_cases::Cases;
use promptdeck_tests::oracle;
use serde_json::Value;

const SEED: u64 = 22;
const CASES: u64 = 8_000;

fn number_from(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// The prompt of this engine, equal with and without provenance.
fn ours(question: &Value) -> String {
    let bytes = question["registry"].to_string().into_bytes();
    let registry = registry::parse(&bytes)
        .unwrap_or_else(|error| panic!("{error}"))
        .registry;
    let engine = Engine::new(registry);
    let state: State = serde_json::from_value(question["state"].clone()).expect("a state");
    let call = Call {
        state: &state,
        route: question["route"].as_str(),
        seed: Seed::default(),
    };
    let hydration = engine.hydrate(&call).expect("a known route");
    let segments: String = hydration
        .segments
        .iter()
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(segments, hydration.text, "{question}");
    assert_eq!(
        engine.hydrate_text(&call).expect("a known route"),
        hydration.text,
        "{question}"
    );
    hydration.text
}

#[test]
fn generated_calls_print_as_in_promptlibretto() {
    let mut cases = Cases::new(number_from("PROMPTDECK_HYDRATE_SEED", SEED));
    let count = number_from("PROMPTDECK_HYDRATE_CASES", CASES);
    let questions: Vec<Value> = (0..count).map(|_| cases.next_case().question()).collect();
    let answers = oracle::ask("hydrate_oracle.py", &questions);
    let mut different = Vec::new();
    let mut filled = 0;
    for (question, theirs) in questions.iter().zip(&answers) {
        let ours = ours(question);
        filled += usize::from(!ours.is_empty());
        if theirs["text"] != ours.as_str() {
            different.push(format!("{question}\n  ours   {ours:?}\n  theirs {theirs}"));
        }
    }
    println!("{count} calls compared, {filled} of them with a prompt that is not empty");
    // The shortest differences are the easiest to understand.
    different.sort_by_key(String::len);
    assert!(
        different.is_empty(),
        "{} of {count} differ, the shortest of them:\n{}",
        different.len(),
        different[..different.len().min(8)].join("\n")
    );
    assert!(
        filled * 10 > questions.len() * 6,
        "only {filled} of {count} print anything"
    );
}
