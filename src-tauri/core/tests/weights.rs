//! Weights: the odds of rolls are proportional to them, and a weight moves no pick but its own
//! section's, and that only to or from its own item.

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State, variants::odds},
    registry,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const IDS: [&str; 7] = ["ann", "bob", "cyd", "dan", "eve", "fay", "gil"];

fn engine(registry: &Value) -> Engine {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    Engine::new(parsed.registry)
}

/// A rolled section of items that print their id.
fn section(weights: &[(&str, Value)]) -> Value {
    let items = weights.iter().map(|(id, weight)| match weight {
        Value::Null => json!({"id": id, "text": id}),
        weight => json!({"id": id, "text": id, "weight": weight}),
    });
    json!({"section_random": true, "items": items.collect::<Vec<_>>()})
}

fn weighted(weights: &[f64]) -> Value {
    let weights = weights.iter().map(|weight| json!(weight));
    section(&IDS.into_iter().zip(weights).collect::<Vec<_>>())
}

/// The texts of the sections `a` and `b`.
fn pick(engine: &Engine, seed: u64) -> (String, String) {
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(seed).expect("a seed"),
    };
    let text = engine.hydrate_text(&call).expect("a prompt");
    let (a, b) = text.split_once("\n\n").expect("two sections");
    (a.to_owned(), b.to_owned())
}

/// A registry whose section `b` has no weights.
fn beside(a: Value) -> Engine {
    let even = section(&IDS.map(|id| (id, Value::Null)));
    engine(&json!({"assembly_order": ["a", "b"], "a": a, "b": even}))
}

#[test]
fn these_weighted_picks_never_change() {
    let engine = beside(weighted(&[1.0, 2.0, 0.5, 0.0, 4.0, 1.0, 0.001]));
    let seeds = [0, 1, 2, 3, 4, 5, 6, 7, 42, 4711, Seed::MAX];
    let picks = seeds.map(|seed| pick(&engine, seed).0);
    insta::assert_snapshot!(picks.join(" "));
}

#[test]
fn equal_weights_are_no_weights() {
    let plain = beside(section(&IDS.map(|id| (id, Value::Null))));
    // A weight that is not used anywhere but makes the section race.
    let mut racing = section(&IDS.map(|id| (id, json!(1))));
    let none = json!({"id": "none", "text": "none", "weight": 0});
    racing["items"].as_array_mut().expect("items").push(none);
    let others = [
        beside(section(&IDS.map(|id| (id, json!(1.0))))),
        beside(section(&IDS.map(|id| (id, json!(3))))),
        beside(section(&IDS.map(|id| (id, json!(0))))),
        beside(section(&IDS.map(|id| (id, json!("invalid"))))),
        beside(racing),
    ];
    for seed in 0..500 {
        let expected = pick(&plain, seed);
        for other in &others {
            assert_eq!(pick(other, seed), expected, "seed {seed}");
        }
    }
}

/// Checks the frequencies of 20,000 rolls of section `a` against its odds.
#[track_caller]
fn rolls_follow_the_odds(engine: &Engine, expected: &[f64]) {
    let odds = odds(engine, &State::default()).remove(0);
    assert_eq!((odds.section.as_str(), odds.rolled), ("a", true));
    let odds = odds.items.expect("independent");
    for (found, expected) in odds.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{odds:?}");
    }
    let rounds = 20_000;
    let mut counts = vec![0_u32; odds.len()];
    for seed in 0..rounds {
        let (picked, _) = pick(engine, seed);
        let index = IDS.iter().position(|id| *id == picked).expect("an id");
        counts[index] += 1;
    }
    for (count, share) in counts.iter().zip(&odds) {
        let expected = rounds as f64 * share;
        // Four and a half standard deviations.
        let most = 4.5 * (expected * (1.0 - share)).sqrt();
        let difference = (f64::from(*count) - expected).abs();
        assert!(difference <= most, "{counts:?} of {odds:?}");
    }
}

#[test]
fn odds_are_proportional_to_weights() {
    let sixteenth = 1.0 / 16.0;
    rolls_follow_the_odds(
        &beside(weighted(&[1.0, 2.0, 0.0, 8.0, 1.0, 4.0])),
        &[1.0, 2.0, 0.0, 8.0, 1.0, 4.0].map(|weight| weight * sixteenth),
    );
    rolls_follow_the_odds(&beside(weighted(&[1e9, 1e9, 1e-9])), &[0.5, 0.5, 0.0]);
    rolls_follow_the_odds(
        &beside(weighted(&[0.5, 1e-3])),
        &[500.0 / 501.0, 1.0 / 501.0],
    );
    rolls_follow_the_odds(&beside(weighted(&[0.0, 0.0])), &[0.5, 0.5]);
}

#[test]
fn an_item_without_weight_is_rolled_only_if_nothing_else_can_be() {
    let mut a = weighted(&[0.0, 1.0]);
    a["items"][1]["requires"] = json!(["place.inn"]);
    let registry = |place: &str| {
        let place = json!({"items": [{"id": place, "text": place}]});
        engine(&json!({"assembly_order": ["a", "place"], "a": a, "place": place}))
    };
    for seed in 0..100 {
        assert_eq!(pick(&registry("inn"), seed).0, "bob");
        assert_eq!(pick(&registry("sea"), seed).0, "ann");
    }
    let shares = |place| odds(&registry(place), &State::default())[0].items.clone();
    assert_eq!(shares("inn"), Some(vec![0.0, 1.0]));
    assert_eq!(shares("sea"), Some(vec![1.0, 0.0]));
}

#[test]
fn odds_are_known_where_no_other_roll_decides() {
    let mut b = section(&[("x", json!(1)), ("y", json!(3))]);
    b["items"][0]["excludes"] = json!(["a.ann"]);
    let a = weighted(&[1.0, 1.0, 2.0]);
    let free = section(&[("z", Value::Null)]);
    let engine = engine(&json!({"assembly_order": [], "a": a, "b": b, "free": free}));
    let of = |state: Value| -> Vec<(String, bool, Option<Vec<f64>>)> {
        let state: State = serde_json::from_value(state).expect("a state");
        let odds = odds(&engine, &state).into_iter();
        odds.map(|odds| (odds.section, odds.rolled, odds.items))
            .collect()
    };
    let row = |name: &str, rolled, items: Option<&[f64]>| {
        (name.to_owned(), rolled, items.map(<[f64]>::to_vec))
    };
    let thirds: &[f64] = &[0.25, 0.25, 0.5];
    assert_eq!(
        of(json!({})),
        [
            row("a", true, Some(thirds)),
            row("b", true, None),
            row("free", true, Some(&[1.0])),
        ]
    );
    assert_eq!(
        of(json!({"selections": {"a": "ann"}})),
        [
            row("a", false, Some(&[1.0, 0.0, 0.0])),
            row("b", true, Some(&[0.0, 1.0])),
            row("free", true, Some(&[1.0])),
        ]
    );
    assert_eq!(
        of(json!({"selections": {"a": "bob"}}))[1],
        row("b", true, Some(&[0.25, 0.75]))
    );
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 1e-3..1e3_f64, 1e-9..1e9_f64]
}

proptest! {
    #[test]
    fn a_weight_moves_a_pick_only_to_or_from_its_item(
        seed in 0..=Seed::MAX, weights in prop::array::uniform7(weight()), at in 0..7_usize, other in weight(),
    ) {
        let before = pick(&beside(weighted(&weights)), seed);
        let mut changed = weights;
        changed[at] = other;
        let after = pick(&beside(weighted(&changed)), seed);
        prop_assert_eq!(&before.1, &after.1, "the other section");
        let zero = |weights: &[f64]| weights.iter().all(|weight| *weight == 0.0);
        if zero(&weights) || zero(&changed) {
            return Ok(());
        }
        if other >= weights[at] {
            prop_assert!(after.0 == before.0 || after.0 == IDS[at]);
        }
        if other <= weights[at] {
            prop_assert!(after.0 == before.0 || before.0 == IDS[at]);
        }
    }

    #[test]
    fn an_item_that_goes_moves_only_its_own_picks(
        seed in 0..=Seed::MAX, weights in prop::array::uniform7(weight()), gone in 0..7_usize,
    ) {
        let all: Vec<(&str, Value)> = IDS.into_iter().zip(weights.map(|weight| json!(weight))).collect();
        let before = pick(&beside(section(&all)), seed);
        let mut fewer = all.clone();
        fewer.remove(gone);
        fewer.reverse();
        let after = pick(&beside(section(&fewer)), seed);
        prop_assert_eq!(&before.1, &after.1);
        if before.0 != IDS[gone] {
            prop_assert_eq!(before.0, after.0);
        }
    }
}
