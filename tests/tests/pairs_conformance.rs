//! Samples of pairs take no more rolls than the covering arrays of allpairspy.

use promptdeck_core::hydrate::variants::Sampler;
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_tests::oracle;
use serde_json::{Value, json};

/// The numbers of values of the slots.
fn shapes() -> Vec<Vec<usize>> {
    let same = |values: usize, slots: usize| vec![values; slots];
    vec![
        same(2, 2),
        same(2, 4),
        same(2, 10),
        same(2, 20),
        same(2, 100),
        same(3, 3),
        same(3, 4),
        same(3, 13),
        same(4, 5),
        same(4, 10),
        same(5, 6),
        same(5, 20),
        same(6, 10),
        same(10, 10),
        vec![5, 4, 3, 2],
        vec![10, 2, 2, 2, 2, 2],
        vec![7, 6, 5, 4, 3, 2, 2],
        vec![20, 10, 3, 3, 2],
        [same(4, 3), same(3, 17), same(2, 29)].concat(),
        [same(10, 2), same(5, 4), same(3, 6)].concat(),
    ]
}

fn engine(shape: &[usize]) -> Engine {
    let mut registry = json!({});
    for (slot, values) in shape.iter().enumerate() {
        let items: Vec<Value> = (0..*values)
            .map(|item| json!({"id": item.to_string(), "text": "x"}))
            .collect();
        registry[format!("s{slot}")] = json!({"section_random": true, "items": items});
    }
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    Engine::new(parsed.registry)
}

#[test]
fn no_sample_of_pairs_is_longer_than_that_of_allpairspy() {
    let shapes = shapes();
    let questions: Vec<Value> = shapes.iter().map(|shape| json!(shape)).collect();
    let answers = oracle::ask("pairs_oracle.py", &questions);
    let state = State::default();
    let (mut ours, mut theirs, mut longer) = (0, 0, Vec::new());
    for (shape, answer) in shapes.iter().zip(answers) {
        let answer = answer.as_u64().expect("a number of rows");
        let engine = engine(shape);
        for seed in [0, 4711] {
            let call = Call {
                state: &state,
                route: None,
                seed: Seed::new(seed).expect("a seed"),
            };
            let sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
            let rolls = sampler.len().expect("an end");
            if seed == 0 {
                println!("{shape:?}: {rolls}, allpairspy {answer}");
                ours += rolls;
                theirs += answer;
            }
            if rolls > answer {
                longer.push((shape, seed, rolls, answer));
            }
        }
    }
    println!("together: {ours}, allpairspy {theirs}");
    assert!(longer.is_empty(), "{longer:?}");
}
