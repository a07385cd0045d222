//! Samples over several rolls: shuffles go round, pairs are all there and never impossible ones,
//! every roll stands by itself and is repeatable.

use std::collections::BTreeSet;

use promptdeck_core::hydrate::variants::{Picks, SampleError, Sampler, enumerate};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use proptest::prelude::*;
use serde_json::{Value, json};

fn engine(registry: &Value) -> Engine {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    Engine::new(parsed.registry)
}

fn call(state: &State, seed: u64) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::new(seed).expect("a seed"),
    }
}

fn section(name: &str, items: usize) -> Value {
    let items =
        (0..items).map(|item| json!({"id": format!("i{item}"), "text": format!("{name}{item}")}));
    json!({"section_random": true, "items": items.collect::<Vec<_>>()})
}

/// A registry with a rolled section for each number of items.
fn registry(sizes: &[usize]) -> Value {
    let names: Vec<String> = (0..sizes.len()).map(|slot| format!("s{slot}")).collect();
    let mut registry = json!({"assembly_order": names});
    for (name, size) in names.iter().zip(sizes) {
        registry[name] = section(name, *size);
    }
    registry
}

/// The values of a roll, slot by slot.
fn values(picks: &Picks) -> Vec<u64> {
    let items = picks.items.iter().map(|(_, item)| *item as u64);
    items
        .chain(picks.sliders.iter().map(|(_, value)| *value))
        .collect()
}

/// All pairs of values in some rows: slot and value, twice.
fn pairs(rows: &[Vec<u64>]) -> BTreeSet<(usize, u64, usize, u64)> {
    let mut pairs = BTreeSet::new();
    for row in rows {
        for (one, first) in row.iter().enumerate() {
            for (two, second) in row.iter().enumerate().skip(one + 1) {
                pairs.insert((one, *first, two, *second));
            }
        }
    }
    pairs
}

fn rows(sampler: &mut Sampler<'_>) -> Vec<Vec<u64>> {
    let rolls = 0..sampler.len().expect("an end");
    rolls
        .map(|index| values(&sampler.picks(index).expect("a roll")))
        .collect()
}

#[test]
fn a_shuffle_takes_every_value_once_a_round() {
    let mut registry = registry(&[1, 4, 7]);
    registry["s0"]["slider_random"] = json!(true);
    registry["s1"]["items"][2]["weight"] = json!(100);
    registry["s2"]["items"][3]["weight"] = json!(0);
    let engine = engine(&registry);
    let state = State::default();
    let call = call(&state, 3);
    let mut sampler = Sampler::shuffle(&engine, &call);
    assert_eq!(sampler.len(), None);
    let rows: Vec<Vec<u64>> = (0..120)
        .map(|index| values(&sampler.picks(index).expect("a roll")))
        .collect();
    for (slot, size) in [(0, 1), (1, 4), (2, 6), (3, 10)] {
        let values: Vec<u64> = rows.iter().map(|row| row[slot]).collect();
        let rounds: BTreeSet<&[u64]> = values.chunks(size).collect();
        for round in &rounds {
            assert_eq!(round.iter().collect::<BTreeSet<_>>().len(), size);
        }
        assert!(size == 1 || rounds.len() > 5, "rounds differ: {rounds:?}");
    }
    assert!(rows.iter().all(|row| row[2] != 3), "no weight, no part");
}

#[test]
fn a_shuffle_keeps_what_requires_and_excludes_say() {
    let mut registry = registry(&[3, 3]);
    registry["s1"]["items"][0]["requires"] = json!(["s0.i0"]);
    registry["s1"]["items"][1]["excludes"] = json!(["s0.i1"]);
    let engine = engine(&registry);
    let state = State::default();
    let call = call(&state, 9);
    let possible: BTreeSet<Vec<u64>> = enumerate(&engine, &call, 100)
        .map(|variant| variant.expect("a variant").items)
        .map(|items| items.into_iter().map(|(_, item)| item as u64).collect())
        .collect();
    let mut sampler = Sampler::shuffle(&engine, &call);
    for index in 0..300 {
        let row = values(&sampler.picks(index).expect("a roll"));
        assert!(possible.contains(&row), "{row:?}");
    }
}

#[test]
fn pairs_take_as_few_rolls_as_known_arrays() {
    for (sizes, most) in [
        (&[][..], 1),
        (&[5], 5),
        (&[2, 2, 2], 4),
        (&[3, 3, 3, 3], 9),
        (&[4, 3, 3], 12),
        (&[10, 10], 100),
        (&[2; 10], 8),
        (&[3; 13], 19),
    ] {
        let engine = engine(&registry(sizes));
        let state = State::default();
        let call = call(&state, 1);
        let sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
        let coverage = sampler.coverage().expect("pairs");
        let all: usize = (0..sizes.len())
            .flat_map(|two| (0..two).map(move |one| (one, two)))
            .map(|(one, two)| sizes[one] * sizes[two])
            .sum();
        assert_eq!((coverage.covered, coverage.impossible), (all as u64, 0));
        assert!(coverage.rolls <= most, "{sizes:?}: {}", coverage.rolls);
    }
}

#[test]
fn sliders_and_fixed_sections_count_as_what_they_are() {
    let mut registry = registry(&[3, 4]);
    registry["s0"]["slider_random"] = json!(true);
    registry["s1"]["items"][1]["excludes"] = json!(["s0.i1"]);
    let engine = engine(&registry);
    let state: State =
        serde_json::from_value(json!({"selections": {"s0": "i1"}})).expect("a state");
    let call = call(&state, 1);
    let mut sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
    let found = pairs(&rows(&mut sampler));
    assert_eq!(found.len(), 3 * 10);
    assert!(
        found.iter().all(|(_, item, _, _)| *item != 1),
        "s1.i1 excludes the selection"
    );
}

#[test]
fn a_contradiction_leaves_no_roll() {
    let mut registry = registry(&[2, 2]);
    for item in 0..2 {
        registry["s1"]["items"][item]["excludes"] = json!(["s0"]);
    }
    let engine = engine(&registry);
    let state = State::default();
    let call = call(&state, 1);
    let mut sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
    let coverage = sampler.coverage().expect("pairs");
    assert!(sampler.is_empty());
    assert_eq!(
        (coverage.rolls, coverage.covered, coverage.impossible),
        (0, 0, 4)
    );
    assert_eq!(sampler.picks(0), None);
}

#[test]
fn too_many_values_are_refused_and_a_sample_can_be_cancelled() {
    let state = State::default();
    let call = call(&state, 1);
    for sizes in [&[400, 400][..], &[1_000; 5]] {
        let engine = engine(&registry(sizes));
        let refused = Sampler::pairwise(&engine, &call, &|| false).err();
        assert_eq!(refused, Some(SampleError::TooLarge));
    }
    let engine = engine(&registry(&[300, 300, 300]));
    let cancelled = Sampler::pairwise(&engine, &call, &|| true).err();
    assert_eq!(cancelled, Some(SampleError::Cancelled));
}

#[test]
fn a_roll_is_a_state_unless_no_selection_prints_it() {
    let mut registry = registry(&[3, 2]);
    registry["s1"]["slider_random"] = json!(true);
    registry["s0"]["required"] = json!(false);
    registry["s1"]["array_modes"] = json!({"list": "random:2"});
    registry["s1"]["items"][0]["list"] = json!(["a", "b", "c", "d"]);
    registry["assembly_order"] = json!(["s0", "s1.scale", "s1", "s1.list"]);
    // As the only item of a roll the pool prints; selected in an optional section it does not.
    registry["s0"]["items"][1] = json!({"id": "pool", "items": ["x", "y"]});
    registry["s0"]["items"][2] = json!({"text": "nameless"});
    let engine = engine(&registry);
    let base: State =
        serde_json::from_value(json!({"section_random": {"s1": true}})).expect("a state");
    let call = call(&base, 1);
    let mut sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
    for index in 0..sampler.len().expect("an end") {
        let picks = sampler.picks(index).expect("a roll");
        let text = sampler.text(&picks).expect("a prompt");
        let state = sampler.state(&picks).expect("a prompt");
        assert_eq!(state.is_some(), picks.items[0].1 == 0, "{picks:?}");
        if let Some(state) = state {
            let call = Call {
                state: &state,
                route: None,
                seed: picks.seed,
            };
            assert_eq!(engine.hydrate_text(&call).expect("a prompt"), text);
        }
    }
}

/// A registry whose items exclude and require each other at random.
fn related() -> impl Strategy<Value = Value> {
    let sizes = prop::collection::vec(1..5_usize, 2..5);
    let relation = (
        0..5_usize,
        0..5_usize,
        0..5_usize,
        0..5_usize,
        any::<bool>(),
    );
    let relations = prop::collection::vec(relation, 0..8);
    (sizes, relations).prop_map(|(sizes, relations)| {
        let mut registry = registry(&sizes);
        for (section, item, other, target, required) in relations {
            let (section, other) = (section % sizes.len(), other % sizes.len());
            if section == other {
                continue;
            }
            let name = format!("s{section}");
            let item = &mut registry[&name]["items"][item % sizes[section]];
            let key = if required { "requires" } else { "excludes" };
            let target = format!("s{other}.i{}", target % sizes[other]);
            match item[key].as_array_mut() {
                Some(list) => list.push(json!(target)),
                None => item[key] = json!([target]),
            }
        }
        registry
    })
}

/// Every combination of items in which nothing contradicts.
fn consistent(registry: &Value) -> Vec<Vec<u64>> {
    let names: Vec<&str> = registry["assembly_order"]
        .as_array()
        .expect("names")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let mut rows: Vec<Vec<u64>> = vec![Vec::new()];
    for name in &names {
        let items = registry[name]["items"].as_array().expect("items").len() as u64;
        rows = rows
            .into_iter()
            .flat_map(|row| (0..items).map(move |item| [&row[..], &[item]].concat()))
            .collect();
    }
    rows.retain(|row| {
        let chosen: BTreeSet<String> = (names.iter().zip(row))
            .map(|(name, item)| format!("{name}.i{item}"))
            .collect();
        names.iter().zip(row).all(|(name, item)| {
            let item = &registry[name]["items"][*item as usize];
            let list = |key: &str| -> Vec<String> {
                let list = item[key].as_array().into_iter().flatten();
                list.filter_map(Value::as_str).map(str::to_owned).collect()
            };
            list("requires")
                .iter()
                .all(|target| chosen.contains(target))
                && !list("excludes")
                    .iter()
                    .any(|target| chosen.contains(target))
        })
    });
    rows
}

proptest! {
    #[test]
    fn pairs_are_all_there_and_none_is_impossible(registry in related(), seed in 0..=Seed::MAX) {
        let engine = engine(&registry);
        let state = State::default();
        let call = call(&state, seed);
        let mut sampler = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
        let consistent = consistent(&registry);
        let rows = rows(&mut sampler);
        for row in &rows {
            prop_assert!(consistent.contains(row), "{:?}", row);
        }
        let found = pairs(&rows);
        prop_assert_eq!(&found, &pairs(&consistent));
        let coverage = sampler.coverage().expect("pairs");
        let sizes: Vec<usize> = registry["assembly_order"].as_array().expect("names").iter()
            .map(|name| registry[name.as_str().expect("a name")]["items"].as_array().expect("items").len())
            .collect();
        let all: usize = (0..sizes.len()).flat_map(|two| (0..two).map(move |one| (one, two)))
            .map(|(one, two)| sizes[one] * sizes[two]).sum();
        prop_assert_eq!(coverage.covered, found.len() as u64);
        prop_assert_eq!(coverage.covered + coverage.impossible, all as u64);
        // Every roll prints its own items, and is the same in another sampler.
        let mut again = Sampler::pairwise(&engine, &call, &|| false).expect("a sample");
        for index in (0..rows.len() as u64).rev() {
            let picks = sampler.picks(index).expect("a roll");
            prop_assert_eq!(again.picks(index), Some(picks.clone()));
            let printed: Vec<String> = picks.items.iter().map(|(name, item)| format!("{name}{item}")).collect();
            prop_assert_eq!(sampler.text(&picks).expect("a prompt"), printed.join("\n\n"));
        }
    }

    #[test]
    fn a_shuffled_roll_stands_by_itself(registry in related(), seed in 0..=Seed::MAX, index in 0..1_000_000_u64) {
        let engine = engine(&registry);
        let state = State::default();
        let call = call(&state, seed);
        let mut sampler = Sampler::shuffle(&engine, &call);
        let alone = sampler.picks(index);
        for earlier in [index / 2, index + 1, index] {
            let _ = sampler.picks(earlier);
        }
        prop_assert_eq!(sampler.picks(index), alone);
    }
}
