//! Variants: counts equal enumerations, rolls differ, enumeration is lazy.

use std::cell::Cell;
use std::collections::BTreeSet;

use promptdeck_core::hydrate::variants::{Roll, Rolled, Variant, count, enumerate, factors, rolls};
use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use serde_json::{Value, json};

fn engine(registry: &Value) -> Engine {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    Engine::new(parsed.registry)
}

fn call(state: &State) -> Call<'_> {
    Call {
        state,
        route: None,
        seed: Seed::default(),
    }
}

/// Counts, and enumerates if the count is small; both must agree.
#[track_caller]
fn counts(registry: &Value, state: &Value, ordered: u64, unordered: u64) {
    let engine = engine(registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let counted = count(&engine, &call(&state)).expect("a count");
    let numbers = (counted.ordered.to_string(), counted.unordered.to_string());
    assert_eq!(numbers, (ordered.to_string(), unordered.to_string()));
    assert!(counted.exact);
    let call = call(&state);
    let all: Vec<Variant> = enumerate(&engine, &call, 100_000)
        .collect::<Result<_, _>>()
        .expect("variants");
    assert_eq!(all.len() as u64, ordered);
    let different: BTreeSet<String> = all.iter().map(|variant| format!("{variant:?}")).collect();
    assert_eq!(different.len(), all.len());
    let sets: BTreeSet<String> = all
        .into_iter()
        .map(|mut variant| {
            variant.text.clear();
            for (_, _, _, entries) in &mut variant.arrays {
                entries.sort_unstable();
            }
            format!("{variant:?}")
        })
        .collect();
    assert_eq!(sets.len() as u64, unordered);
}

fn die(items: usize) -> Value {
    let items: Vec<Value> = (0..items)
        .map(|item| json!({"id": format!("i{item}"), "text": format!("text {item}")}))
        .collect();
    json!({"required": true, "section_random": true, "items": items})
}

fn pool(entries: usize, mode: &str) -> Value {
    let entries: Vec<String> = (0..entries).map(|entry| format!("entry {entry}")).collect();
    json!({"required": true, "array_modes": {"items": mode}, "items": [{"id": "p", "items": entries}]})
}

#[test]
fn what_is_left_to_chance_is_counted() {
    let plain = json!({"assembly_order": ["a"], "a": {"items": [{"id": "x", "text": "t"}]}});
    counts(&plain, &json!({}), 1, 1);
    let dice = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(4)});
    counts(&dice, &json!({}), 12, 12);
    counts(&dice, &json!({"selections": {"a": "i1"}}), 4, 4);
    counts(
        &dice,
        &json!({"section_random": {"a": false, "b": false}}),
        1,
        1,
    );
    let pools =
        json!({"assembly_order": ["a", "b"], "a": pool(4, "random:2"), "b": pool(3, "random:9")});
    counts(&pools, &json!({}), 12 * 6, 6);
    counts(
        &pools,
        &json!({"array_modes": {"a": {"items": "all"}}}),
        6,
        1,
    );
    let sliders = json!({
        "assembly_order": ["sentiment.scale"],
        "sentiment": {"slider_random": true, "items": [{"id": "positive", "context": "c"}]},
    });
    counts(&sliders, &json!({}), 10, 10);
    counts(&sliders, &json!({"sliders": {"sentiment": 3}}), 1, 1);
}

#[test]
fn arrays_count_where_they_are_rendered() {
    let mut registry = json!({
        "assembly_order": ["a.nudges"],
        "a": {"required": true, "section_random": true, "array_modes": {"nudges": "random:1", "hidden": "random:1"}, "items": [
            {"id": "x", "nudges": ["1", "2", "3"], "hidden": ["a", "b"]},
            {"id": "y", "nudges": ["1", "2"]},
            {"id": "z"},
        ]},
    });
    counts(&registry, &json!({}), 3 + 2 + 1, 6);
    registry["runtime_injections"] =
        json!({"required": false, "items": [{"id": "raid", "text": "t", "include_sections": []}]});
    counts(
        &registry,
        &json!({"selections": {"runtime_injections": ["raid"]}}),
        3,
        3,
    );
    counts(
        &registry,
        &json!({"section_random": {"runtime_injections": true}}),
        6,
        6,
    );
}

#[test]
fn brackets_tie_sections_together() {
    let registry = json!({
        "assembly_order": ["pools[die]"],
        "die": {"required": true, "section_random": true, "items": [{"id": "x", "text": "p"}, {"id": "y", "text": "q"}]},
        "pools": {"required": true, "array_modes": {"items": "random:1"}, "items": [
            {"id": "p", "items": ["1", "2", "3"]}, {"id": "q", "items": ["4", "5"]},
        ]},
    });
    counts(&registry, &json!({}), 5, 5);
}

#[test]
fn requires_and_excludes_are_counted_exactly() {
    let mut registry = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(3)});
    registry["b"]["items"][0]["requires"] = json!(["a.i1"]);
    registry["b"]["items"][1]["excludes"] = json!(["a.i2"]);
    counts(&registry, &json!({}), 2 + 3 + 1, 6);
    // If no choice satisfies the constraints, a roll takes any.
    registry["b"]["items"] = json!([{"id": "x", "text": "t", "requires": ["a.i0"]}, {"id": "y", "text": "u", "requires": ["a.i0"]}]);
    counts(&registry, &json!({}), 6, 6);
}

#[test]
fn items_without_weight_are_not_counted() {
    let mut registry = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(4)});
    registry["a"]["items"][1]["weight"] = json!(0);
    registry["b"]["items"][0]["weight"] = json!(7);
    counts(&registry, &json!({}), 2 * 4, 8);
    registry["b"]["items"][2]["requires"] = json!(["a.i0"]);
    registry["b"]["items"][3]["weight"] = json!(0);
    counts(&registry, &json!({}), 3 + 2, 5);
    for item in 0..3 {
        registry["a"]["items"][item]["weight"] = json!(0);
    }
    counts(&registry, &json!({}), 3 + 2 + 2, 7);
}

fn rolled(engine: &Engine, call: &Call<'_>, wanted: usize) -> Vec<Roll> {
    let rolls = rolls(engine, call, wanted);
    rolls.map(|roll| roll.expect("a roll")).collect()
}

#[test]
fn rolls_come_one_by_one_and_end_when_there_are_no_more() {
    let state = State::default();
    let call = call(&state);
    let seeds = |registry: &Value, wanted: usize| {
        let engine = engine(registry);
        let mut rolls = rolls(&engine, &call, wanted);
        let given = rolls.by_ref().count();
        (given, rolls.found())
    };
    // Twelve prompts: the count shows that there are no more.
    let few = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(4)});
    let (given, (found, tried)) = seeds(&few, usize::MAX);
    assert_eq!((given, found), (12, 12));
    assert!(tried < 1_500, "{tried} seeds");
    // Nine combinations with one text.
    let mut same = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(3)});
    for section in ["a", "b"] {
        for item in 0..3 {
            same[section]["items"][item]["text"] = json!("t");
        }
    }
    let (given, (_, tried)) = seeds(&same, usize::MAX);
    assert_eq!(given, 1);
    assert!(tried < 1_500, "{tried} seeds");
    // Of many, ten different prompts take hardly more than ten seeds.
    let many = json!({"assembly_order": ["a", "b", "c"], "a": die(50), "b": die(50), "c": die(50)});
    let (given, (_, tried)) = seeds(&many, 10);
    assert_eq!(given, 10);
    assert!(tried < 20, "{tried} seeds");
    let engine = engine(&many);
    let asked = Cell::new(0);
    let is_cancelled = || asked.replace(asked.get() + 1) == 3;
    assert_eq!(rolls(&engine, &call, 10).unless(&is_cancelled).count(), 3);
}

#[test]
fn rolls_land_on_what_is_enumerated() {
    let mut registry = json!({"assembly_order": ["a", "b", "c"], "a": die(3), "b": die(3), "c": pool(3, "random:2")});
    registry["b"]["items"][0]["requires"] = json!(["a.i1"]);
    let engine = engine(&registry);
    let state = State::default();
    let call = call(&state);
    let all: BTreeSet<String> = enumerate(&engine, &call, 1_000)
        .map(|variant| variant.expect("a variant").text)
        .collect();
    let rolled = rolled(&engine, &call, 1_000);
    let texts: BTreeSet<String> = rolled.iter().map(|roll| roll.text.clone()).collect();
    assert_eq!(texts.len(), rolled.len(), "equal prompts once");
    assert_eq!(texts, all);
    for roll in rolled.iter().take(5) {
        let again = Call {
            seed: roll.seed,
            ..call
        };
        assert_eq!(engine.hydrate_text(&again).as_ref(), Ok(&roll.text));
    }
    assert_eq!(self::rolled(&engine, &call, 4).len(), 4);
}

/// The factors of a count: section, roll, ordered and unordered ways.
#[track_caller]
fn multiplies(registry: &Value, state: &Value, expected: &[&str]) {
    let engine = engine(registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let found: Vec<String> = factors(&engine, &call(&state))
        .expect("factors")
        .into_iter()
        .map(|factor| {
            let rolled = match factor.rolled {
                Rolled::Items => "items".to_owned(),
                Rolled::Slider => "slider".to_owned(),
                Rolled::Entries { item, field } => format!("{field} of {item}"),
            };
            let (ordered, unordered) = (factor.count.ordered, factor.count.unordered);
            format!(
                "{} {rolled} {ordered} {unordered}",
                factor.sections.join("+")
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_count_is_the_product_of_what_is_rolled_where() {
    let order = json!(["b", "a", "c.scale", "c.items"]);
    let mut c = pool(4, "random:2");
    c["scale"] = json!({"template": "{value}"});
    c["slider_random"] = json!(true);
    let registry = json!({"assembly_order": order, "a": die(3), "b": die(4), "c": c});
    multiplies(
        &registry,
        &json!({}),
        &[
            "a items 3 3",
            "b items 4 4",
            "c slider 10 10",
            "c items of 0 12 6",
        ],
    );
    multiplies(
        &registry,
        &json!({"section_random": {"a": false, "b": false}, "slider_random": {"c": false}}),
        &["c items of 0 12 6"],
    );
    let mut tied = json!({"assembly_order": ["a", "b"], "a": die(3), "b": die(4)});
    tied["b"]["items"][0]["requires"] = json!(["a.i1"]);
    multiplies(&tied, &json!({}), &["a+b items 10 10"]);
}

#[test]
fn enumeration_is_lazy_and_counting_huge_numbers_is_not_slow() {
    let names: Vec<String> = (0..40).map(|number| format!("s{number}")).collect();
    let mut registry = json!({"assembly_order": names});
    for name in &names {
        registry[name] = die(50);
    }
    let engine = engine(&registry);
    let state = State::default();
    let call = call(&state);
    let counted = count(&engine, &call).expect("a count");
    assert_eq!(counted.ordered, num_bigint::BigUint::from(50_u8).pow(40));
    assert!(counted.exact);
    assert_eq!(enumerate(&engine, &call, 3).count(), 3);
}

#[test]
fn too_many_entangled_sections_give_a_bound_that_says_so() {
    let mut registry =
        json!({"assembly_order": ["a", "b", "c"], "a": die(40), "b": die(40), "c": die(40)});
    registry["b"]["items"][0]["requires"] = json!(["a.i1"]);
    let state = State::default();
    let counted = count(&engine(&registry), &call(&state)).expect("a count");
    assert_eq!(
        (counted.ordered.to_string().as_str(), counted.exact),
        ("64000", false)
    );
}
