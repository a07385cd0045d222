//! Picks: repeatable, independent of other sections, uniform, and unaffected by updates of
//! dependencies.

use promptdeck_core::{
    hydrate::{Call, Engine, Evaluation, Origin, Seed, State},
    registry::Registry,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn evaluate(registry: &Value, state: &Value, seed: u64) -> Evaluation {
    let map = registry.as_object().expect("an object");
    let engine = Engine::new(Registry::from_map(map).expect("a registry"));
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(seed).expect("a seed"),
    };
    engine.hydrate(&call).expect("a prompt").evaluation
}

/// The ids selected in a section.
fn chosen<'e>(evaluation: &'e Evaluation, section: &str) -> Vec<&'e str> {
    let items = evaluation.sections[section].items.iter();
    items.filter_map(|item| item.id.as_deref()).collect()
}

fn items(ids: &[&str]) -> Value {
    ids.iter().map(|id| json!({"id": id, "text": id})).collect()
}

const IDS: [&str; 7] = ["ann", "bob", "cyd", "dan", "eve", "fay", "gil"];

fn rolled() -> Value {
    json!({
        "assembly_order": ["who", "who.lines", "mood.scale"],
        "who": {"section_random": true, "array_modes": {"lines": "random:3"}, "items":
            IDS.map(|id| json!({"id": id, "text": id, "lines": ["a", "b", "c", "d", "e", "f"]}))},
        "mood": {"slider_random": true, "section_random": true, "items": items(&IDS)},
    })
}

#[test]
fn these_picks_never_change() {
    let mut golden = String::new();
    for seed in [0, 1, 2, 42, 4711, Seed::MAX] {
        let evaluation = evaluate(&rolled(), &json!({}), seed);
        let who = chosen(&evaluation, "who")[0];
        let mood = chosen(&evaluation, "mood")[0];
        let slider = evaluation.sections["mood"].slider;
        assert_eq!(slider.origin, Origin::Random);
        let selected = &evaluation.arrays[0].selected;
        golden.push_str(&format!(
            "{seed}: {who} {selected:?} {mood} {}\n",
            slider.value
        ));
    }
    insta::assert_snapshot!(golden);
}

#[test]
fn random_entries_are_distinct_and_uniform() {
    // Three of six entries: 120 ordered picks of equal probability.
    let mut counts = std::collections::BTreeMap::<Vec<usize>, u64>::new();
    let map = rolled();
    let engine =
        Engine::new(Registry::from_map(map.as_object().expect("an object")).expect("a registry"));
    let state = State::default();
    let rounds = 12_000;
    for seed in 0..rounds {
        let seed = Seed::new(seed).expect("a seed");
        let call = Call {
            state: &state,
            route: None,
            seed,
        };
        let selected = engine
            .hydrate(&call)
            .expect("a prompt")
            .evaluation
            .arrays
            .remove(0)
            .selected;
        let mut distinct = selected.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 3);
        *counts.entry(selected).or_default() += 1;
    }
    let expected = rounds as f64 / 120.0;
    let chi_square: f64 = counts
        .values()
        .map(|count| (*count as f64 - expected).powi(2) / expected)
        .sum();
    assert_eq!(counts.len(), 120);
    // 119 degrees of freedom: one in a thousand uniform samples exceeds 172.
    assert!(chi_square < 172.0, "chi-square {chi_square}");
}

#[test]
fn sections_and_sliders_are_fair() {
    let mut who = std::collections::BTreeMap::<String, u64>::new();
    let mut sliders = std::collections::BTreeMap::<i64, u64>::new();
    for seed in 0..7_000 {
        let evaluation = evaluate(&rolled(), &json!({}), seed);
        *who.entry(chosen(&evaluation, "who")[0].to_owned())
            .or_default() += 1;
        *sliders
            .entry(evaluation.sections["mood"].slider.value as i64)
            .or_default() += 1;
    }
    let chi_square = |counts: Vec<u64>, cells: usize| -> f64 {
        let expected = 7_000.0 / cells as f64;
        counts
            .iter()
            .map(|count| (*count as f64 - expected).powi(2) / expected)
            .sum()
    };
    assert_eq!((who.len(), sliders.len()), (7, 10));
    assert!(sliders.keys().eq(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    // One in a thousand uniform samples exceeds this.
    assert!(chi_square(who.into_values().collect(), 7) < 22.5);
    assert!(chi_square(sliders.into_values().collect(), 10) < 27.9);
}

#[test]
fn every_count_of_entries_is_kept_in_shuffled_order() {
    // Below and above the size at which the shuffle stores every move.
    for (count, total) in [(1, 1), (5, 3), (31, 100), (32, 33), (33, 40), (100, 100)] {
        let entries: Vec<usize> = (0..total).collect();
        let registry =
            json!({"assembly_order": ["a"], "a": {"items": [{"id": "x", "items": entries}]}});
        let state = json!({"array_modes": {"a": {"items": format!("random:{count}")}}});
        let mut selected = evaluate(&registry, &state, 9).arrays.remove(0).selected;
        let shuffled = selected.clone();
        selected.sort_unstable();
        selected.dedup();
        assert_eq!(selected.len(), count.min(total));
        assert!(
            total < 30 || shuffled != selected,
            "random:{count} of {total} came out sorted"
        );
    }
}

#[test]
fn settings_of_the_call_outrank_baked_ones() {
    let registry = |more: Value| {
        let mut section = json!({"items": items(&IDS)});
        section
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        json!({"assembly_order": ["a"], "a": section})
    };
    let origin =
        |more: Value, state: Value| evaluate(&registry(more), &state, 3).sections["a"].origin;
    let (pick, random) = (
        json!({"selections": {"a": "bob"}}),
        json!({"section_random": {"a": true}}),
    );
    assert_eq!(origin(json!({}), json!({})), Origin::Default);
    assert_eq!(origin(json!({"selected": "bob"}), json!({})), Origin::Baked);
    assert_eq!(
        origin(json!({"selected": "bob"}), pick.clone()),
        Origin::Selection
    );
    assert_eq!(
        origin(json!({"selected": "nobody"}), json!({})),
        Origin::Default
    );
    assert_eq!(
        origin(json!({"section_random": true}), json!({})),
        Origin::Random
    );
    assert_eq!(
        origin(json!({"section_random": true}), pick),
        Origin::Selection
    );
    assert_eq!(origin(json!({"selected": "bob"}), random), Origin::Random);
    let off = json!({"section_random": {"a": false}});
    assert_eq!(
        origin(json!({"section_random": true}), off),
        Origin::Default
    );
    let slider =
        |more: Value, state: Value| evaluate(&registry(more), &state, 3).sections["a"].slider;
    assert_eq!(slider(json!({}), json!({})).value, 5.0);
    assert_eq!(
        slider(json!({"slider": 3}), json!({})).origin,
        Origin::Baked
    );
    assert_eq!(
        slider(json!({"slider_random": true}), json!({})).origin,
        Origin::Random
    );
    let set = slider(json!({"slider_random": true}), json!({"sliders": {"a": 8}}));
    assert_eq!((set.value, set.origin), (8.0, Origin::Selection));
}

#[test]
fn rolls_respect_what_items_require_and_exclude() {
    let registry = |needs: Value| {
        json!({
            "assembly_order": ["where", "who"],
            "where": {"items": items(&["inn", "sea"])},
            "who": {"section_random": true, "items": [
                {"id": "cook", "text": "cook", "requires": ["where.inn"]},
                {"id": "crew", "text": "crew", "requires": ["where.sea"]},
                {"id": "cat", "text": "cat", "excludes": needs},
            ]},
        })
    };
    for seed in 0..60 {
        let at = |place: &str, excluded: Value| {
            let state = json!({"selections": {"where": place}});
            chosen(&evaluate(&registry(excluded), &state, seed), "who")[0].to_owned()
        };
        assert_ne!(at("inn", json!([])), "crew");
        assert_ne!(at("sea", json!([])), "cook");
        assert_eq!(at("sea", json!(["where.sea"])), "crew");
        assert_eq!(at("inn", json!(["where"])), "cook");
    }
    // Both are rolled: the one resolved later gives way, whichever of the two has the constraint.
    let pair = json!({
        "assembly_order": ["personas", "pet"],
        "personas": {"section_random": true, "items": [
            {"id": "ann", "context": "ann", "excludes": ["pet.cat"]}, {"id": "bob", "context": "bob"}]},
        "pet": {"section_random": true, "items": items(&["cat", "dog"])},
    });
    for seed in 0..60 {
        let evaluation = evaluate(&pair, &json!({}), seed);
        assert_ne!(
            (
                chosen(&evaluation, "personas")[0],
                chosen(&evaluation, "pet")[0]
            ),
            ("ann", "cat")
        );
    }
}

#[test]
fn a_roll_that_nothing_agrees_with_is_used_and_reported() {
    let registry = json!({"assembly_order": ["who"], "where": {"items": items(&["inn"])},
        "who": {"section_random": true, "items": [{"id": "x", "text": "x", "excludes": ["where.inn"]}]}});
    let engine = Engine::new(
        Registry::from_map(registry.as_object().expect("an object")).expect("a registry"),
    );
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let hydration = engine.hydrate(&call).expect("a prompt");
    assert_eq!(hydration.text, "x");
    assert_eq!(hydration.diagnostics.len(), 1);
    assert_eq!(hydration.diagnostics[0].code, "roll_disagrees");
}

proptest! {
    #[test]
    fn a_seed_repeats_its_roll(seed in 0..=Seed::MAX) {
        prop_assert_eq!(evaluate(&rolled(), &json!({}), seed), evaluate(&rolled(), &json!({}), seed));
    }

    #[test]
    fn nothing_elsewhere_moves_a_pick(
        seed in 0..=Seed::MAX, pinned in 0..7_usize, order in Just(IDS.to_vec()).prop_shuffle(), slider in 1..=10,
    ) {
        let before = evaluate(&rolled(), &json!({}), seed);
        let mut elsewhere = rolled();
        // Another section is pinned, reordered or edited, a new one appears before it, and one is
        // removed.
        elsewhere["mood"] = json!({"slider_random": true, "items": items(&order)});
        let mut grown = json!({"extra": {"section_random": true, "items": items(&order)}});
        grown.as_object_mut().unwrap().extend(elsewhere.as_object().unwrap().clone());
        grown["assembly_order"] = json!(["extra", "who.lines", "who"]);
        let state = json!({"selections": {"mood": IDS[pinned]}, "sliders": {"extra": slider}});
        let after = evaluate(&grown, &state, seed);
        prop_assert_eq!(chosen(&before, "who"), chosen(&after, "who"));
        prop_assert_eq!(&before.arrays[0].selected, &after.arrays[0].selected);
        prop_assert_eq!(before.sections["mood"].slider.value, after.sections["mood"].slider.value);
    }

    #[test]
    fn items_move_a_pick_only_to_or_from_themselves(
        seed in 0..=Seed::MAX, order in Just(IDS.to_vec()).prop_shuffle(), gone in 0..7_usize,
    ) {
        let registry = |ids: &[&str]| json!({"a": {"section_random": true, "items": items(ids)}});
        let all = evaluate(&registry(&IDS), &json!({}), seed);
        let all = chosen(&all, "a")[0];
        let shuffled = evaluate(&registry(&order), &json!({}), seed);
        prop_assert_eq!(chosen(&shuffled, "a")[0], all);
        let fewer: Vec<&str> = order.iter().copied().filter(|id| *id != IDS[gone]).collect();
        let without = evaluate(&registry(&fewer), &json!({}), seed);
        if all != IDS[gone] {
            prop_assert_eq!(chosen(&without, "a")[0], all);
        }
    }
}
