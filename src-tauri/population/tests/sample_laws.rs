//! The laws of profiles and impacts, on the samples and on generated registries, against hydrations
//! one by one.

use std::collections::{BTreeMap, BTreeSet};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    registry,
};
use promptdeck_population::{
    Partial, RowKind, Survey, Tokenizer, Worker,
    impact::{Impact, ImpactOptions, ImpactPlan, Side},
    measure,
    profile::{Profile, ProfileOptions, ProfilePlan, Slot},
};
use proptest::prelude::*;
use serde_json::{Value, json};

const SAMPLES: [&str; 5] = [
    include_str!("../../../registries/trivia_host.json"),
    include_str!("../../../registries/noir_roller.json"),
    include_str!("../../../registries/night_stream.json"),
    include_str!("../../../registries/support_desk.json"),
    include_str!("../../../registries/code_reviewer.json"),
];

/// Counts words, which are a sum over lines.
struct Words;

impl Tokenizer for Words {
    fn name(&self) -> &'static str {
        "words"
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn count(&self, text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }

    fn first_piece(&self, text: &str) -> usize {
        text.find('\n').map_or(text.len(), |at| at + 1)
    }
}

fn engine(text: &str) -> Engine {
    Engine::new(
        registry::parse(text.as_bytes())
            .expect("a registry")
            .registry,
    )
}

fn options(rolls: u64) -> ProfileOptions<'static> {
    ProfileOptions {
        rolls,
        tokenizer: Some(&Words),
        budget: Some(12),
        pairs: &[],
        renderer: None,
    }
}

fn profile(engine: &Engine, state: &State, seed: u64, options: ProfileOptions<'_>) -> Profile {
    let call = Call {
        state,
        route: None,
        seed: Seed::from_bits(seed),
    };
    let plan = ProfilePlan::new(engine, &call, options).expect("the default route");
    let partial = measure(&plan).expect("the default route");
    plan.profile(partial, &|| false).expect("the default route")
}

fn impact(old: &Engine, new: &Engine, state: &State, rolls: u64) -> Impact {
    let side = |engine| Side {
        engine,
        route: None,
    };
    let options = ImpactOptions {
        rolls,
        seed: Seed::from_bits(5),
        tokenizer: Some(&Words),
        budget: Some(12),
    };
    let plan = ImpactPlan::new(side(old), side(new), state, options).expect("the default route");
    plan.impact(measure(&plan).expect("the default route"))
        .expect("the default route")
}

fn texts(engine: &Engine, state: &State, seed: u64, rolls: u64) -> Vec<String> {
    let text = |roll| {
        let seed = Seed::from_bits(seed + roll);
        let call = Call {
            state,
            route: None,
            seed,
        };
        engine.hydrate_text(&call).expect("the default route")
    };
    (0..rolls).map(text).collect()
}

/// A section with items that have a text, a list, fragments or nothing, and dice.
fn section(number: usize) -> impl Strategy<Value = (String, Value)> {
    let item = (0..6_usize, prop::bool::weighted(0.2), 0..5_usize);
    (
        prop::collection::vec(item, 1..5),
        any::<(bool, bool, bool)>(),
        prop::option::weighted(0.5, 0..4_u64),
    )
        .prop_map(move |(items, (required, rolled, slider), mode)| {
            let items: Vec<Value> = items
                .iter()
                .enumerate()
                .map(|(index, (entries, blank, kind))| {
                    // Sometimes two items share an identity.
                    let id = if *kind == 4 { "same".to_owned() } else { format!("i{index}") };
                    let text = if *blank { " ".to_owned() } else { format!("Text {number}.{index} of {{who}}.") };
                    let entries: Vec<String> =
                        (0..*entries).map(|entry| format!("Entry {number}.{index}.{entry}.")).collect();
                    let fragments = match kind {
                        3 => json!([{"if_var": "who", "text": "If {who}."}, {"if_var": "none", "text": "Never."}]),
                        _ => json!([]),
                    };
                    json!({"id": id, "text": text, "list": entries, "fragments": fragments})
                })
                .collect();
            let mut section = json!({
                "required": required, "section_random": rolled, "template_vars": ["who", "none"],
                "template_var_defaults": {"who": "Ada"}, "items": items, "selected": "i0",
            });
            if let Some(count) = mode {
                section["array_modes"] = json!({"list": format!("random:{count}")});
            }
            if slider {
                section["slider_random"] = json!(true);
            }
            (format!("s{number}"), section)
        })
}

/// A registry of up to four such sections, printed by text, by list and by slider; with relations
/// and brackets if wanted.
fn registry_of(related: bool) -> impl Strategy<Value = Value> {
    let sections = (1..5_usize).prop_flat_map(|count| (0..count).map(section).collect::<Vec<_>>());
    (sections, any::<[bool; 5]>()).prop_map(move |(sections, flags)| {
        let mut order = Vec::new();
        let mut registry = json!({});
        for (position, (name, section)) in sections.into_iter().enumerate() {
            order.push(name.clone());
            if flags[position % 5] {
                order.push(format!("{name}.list"));
            }
            if flags[(position + 2) % 5] {
                order.push(format!("{name}.scale"));
            }
            registry[name] = section;
        }
        if related && flags[0] && registry.get("s1").is_some() {
            registry["s1"]["items"][0]["excludes"] = json!(["s0.i0"]);
        }
        if related && flags[1] && registry.get("s2").is_some() {
            order.push("s0[s2.text]".to_owned());
        }
        registry["assembly_order"] = json!(order);
        registry
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_division_gives_the_same_profile(
        registry in registry_of(true),
        cuts in prop::collection::vec(0..700_u64, 0..6),
        workers in 1..4_usize,
    ) {
        let engine = engine(&registry.to_string());
        let state = State::default();
        let pairs = [(Slot::Item { section: "s0".to_owned() }, Slot::Slider { section: "s0".to_owned() })];
        let options = ProfileOptions { pairs: &pairs, ..options(700) };
        let whole = profile(&engine, &state, 3, options);
        let call = Call { state: &state, route: None, seed: Seed::from_bits(3) };
        let plan = ProfilePlan::new(&engine, &call, options).expect("the default route");
        let mut all: Vec<_> = (0..workers).map(|_| plan.worker().expect("the default route")).collect();
        let mut cuts: Vec<u64> = cuts;
        cuts.extend([0, 700]);
        cuts.sort_unstable();
        for (at, range) in cuts.windows(2).enumerate().rev() {
            all[at % workers].run(range[0]..range[1], &mut |_| true);
        }
        let mut partials = all.into_iter().rev().map(Worker::into_partial);
        let mut merged = partials.next().expect("a worker");
        partials.for_each(|other| merged.merge(other));
        let divided = plan.profile(merged, &|| false).expect("the default route");
        prop_assert_eq!(&divided, &whole);
        prop_assert!(divided.complete);
    }

    #[test]
    fn a_profile_counts_what_hydrations_print(registry in registry_of(true), seed in 0..1_000_u64) {
        const ROLLS: u64 = 200;
        let engine = engine(&registry.to_string());
        let state = State::default();
        let found = profile(&engine, &state, seed, options(ROLLS));
        let texts = texts(&engine, &state, seed, ROLLS);
        // Lengths, and the seeds of the extremes.
        let mut lengths: Vec<u64> = texts.iter().map(|text| Words.count(text)).collect();
        let tokens = found.tokens.as_ref().expect("a tokenizer");
        let at = |length: i64| lengths.iter().position(|sampled| sampled.cast_signed() == length).map(|at| at as u64 + seed);
        prop_assert_eq!(Some(tokens.min_seed.get()), at(tokens.distribution.min));
        prop_assert_eq!(Some(tokens.max_seed.get()), at(tokens.distribution.max));
        let over = lengths.iter().filter(|length| **length > 12).count() as u64;
        prop_assert_eq!(tokens.over_budget.expect("a budget").rolls, over);
        lengths.sort_unstable();
        prop_assert_eq!(tokens.distribution.median, lengths[lengths.len() / 2 - 1].cast_signed());
        let empty = texts.iter().filter(|text| text.is_empty()).count() as u64;
        prop_assert_eq!(found.empty.rolls, empty);
        // Different texts.
        let different: BTreeSet<&String> = texts.iter().collect();
        prop_assert_eq!(found.sameness.texts.estimate, different.len() as u64);
        prop_assert!(found.sameness.texts.exact);
        prop_assert!(found.sameness.evaluations.estimate >= found.sameness.texts.estimate);
        if let Some(count) = found.sameness.possible.as_ref().filter(|count| count.exact) {
            prop_assert!(count.ordered >= found.sameness.evaluations.estimate.into());
        }
        // The start that all share, and 95 % of them.
        let level = |reach: usize| -> usize {
            let mut best = 0;
            for text in &different {
                let mut shared: Vec<usize> = texts.iter().map(|other| {
                    text.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
                }).collect();
                shared.sort_unstable();
                best = best.max(shared[shared.len() - reach]);
            }
            best
        };
        let prefix = found.prefix.as_ref().expect("some rolls");
        prop_assert_eq!(prefix.all.characters as usize, level(texts.len()));
        prop_assert_eq!(prefix.most.characters as usize, level(texts.len() * 95 / 100));
        prop_assert!(prefix.half.characters as usize <= level(texts.len() / 2));
        prop_assert!(prefix.half.characters >= prefix.most.characters);
        // Items by their segments.
        let mut printed: BTreeMap<(String, usize), u64> = BTreeMap::new();
        for roll in 0..ROLLS {
            let call = Call { state: &state, route: None, seed: Seed::from_bits(seed + roll) };
            let hydration = engine.hydrate(&call).expect("the default route");
            let items: BTreeSet<(String, usize)> = hydration.segments.iter()
                .filter(|segment| segment.text.chars().any(char::is_alphanumeric))
                .filter_map(|segment| segment.source.as_ref())
                .map(|source| (source.section.to_string(), source.item))
                .collect();
            for item in items {
                *printed.entry(item).or_default() += 1;
            }
        }
        for section in &found.coverage {
            for row in section.rows.iter().filter(|row| row.kind == RowKind::Item) {
                let key = (section.section.clone(), row.item.expect("an item"));
                prop_assert_eq!(row.rolls, printed.get(&key).copied().unwrap_or_default(), "{:?}", key);
            }
            for row in &section.rows {
                prop_assert_eq!(row.absence.is_some(), row.rolls == 0);
                prop_assert!(row.low <= row.share && row.share <= row.high);
            }
        }
    }

    #[test]
    fn exact_chances_are_those_of_the_rolls(registry in registry_of(true), seed in 0..1_000_u64) {
        const ROLLS: u64 = 600;
        let engine = engine(&registry.to_string());
        let found = profile(&engine, &State::default(), seed, options(ROLLS));
        for section in &found.coverage {
            for row in &section.rows {
                let Some(chance) = row.chance else { continue };
                let expected = chance * ROLLS as f64;
                // Six standard deviations: what is certain has none.
                let allowed = 6.0 * (expected * (1.0 - chance)).max(0.0).sqrt() + 1e-6;
                let off = (row.rolls as f64 - expected).abs();
                prop_assert!(off <= allowed, "{} {:?} of {registry}", section.section, row);
            }
        }
    }

    #[test]
    fn shares_of_a_required_section_sum_to_one(registry in registry_of(false), seed in 0..1_000_u64) {
        let engine = engine(&registry.to_string());
        let found = profile(&engine, &State::default(), seed, options(300));
        for section in found.coverage.iter().filter(|section| section.required) {
            let items = || section.rows.iter().filter(|row| row.kind == RowKind::Item);
            // A blank item is chosen and prints nothing.
            let source = registry[&section.section]["items"].as_array().expect("items");
            if source.iter().any(|item| item["text"] == " ") {
                continue;
            }
            prop_assert_eq!(items().map(|row| row.rolls).sum::<u64>(), 300);
            let sum: f64 = items().map(|row| row.chance.expect("independent")).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_registry_has_no_impact_on_itself(registry in registry_of(true)) {
        let (one, other) = (engine(&registry.to_string()), engine(&registry.to_string()));
        let found = impact(&one, &other, &State::default(), 200);
        prop_assert_eq!((found.identical, found.changed.rolls), (200, 0));
        prop_assert!(found.sections.is_empty() && found.changes.is_empty());
        prop_assert!(found.tokens.is_none());
        prop_assert!(found.problems.added.is_empty() && found.problems.removed.is_empty());
        prop_assert_eq!(found.before, found.after);
    }

    #[test]
    fn an_impact_is_symmetric(one in registry_of(true), other in registry_of(true)) {
        let (one, other) = (engine(&one.to_string()), engine(&other.to_string()));
        let state = State::default();
        let forward = impact(&one, &other, &state, 200);
        let backward = impact(&other, &one, &state, 200);
        prop_assert_eq!(forward.changed, backward.changed);
        prop_assert_eq!(forward.order_only, backward.order_only);
        let sections = |impact: &Impact| -> BTreeMap<(String, Option<String>), u64> {
            let fields = impact.sections.iter().flat_map(|section| {
                let by_field = section.fields.iter().map(|field| {
                    ((section.section.clone(), Some(field.field.clone())), field.rolls.rolls)
                });
                by_field.chain([((section.section.clone(), None), section.rolls.rolls)])
            });
            fields.collect()
        };
        prop_assert_eq!(sections(&forward), sections(&backward));
        let (above, below) = (forward.budget.expect("a budget"), backward.budget.expect("a budget"));
        prop_assert_eq!((above.above, above.below), (below.below, below.above));
        prop_assert_eq!(forward.different_changes.estimate, backward.different_changes.estimate);
        if let (Some(forward), Some(backward)) = (&forward.tokens, &backward.tokens) {
            prop_assert_eq!((forward.min, forward.max), (-backward.max, -backward.min));
        }
        prop_assert_eq!(forward.problems.added, backward.problems.removed);
        prop_assert_eq!(forward.before, backward.after);
    }

    #[test]
    fn an_edit_in_an_item_changes_the_rolls_that_print_it(
        registry in registry_of(false),
        place in any::<(prop::sample::Index, prop::sample::Index, bool)>(),
    ) {
        const ROLLS: u64 = 200;
        let names: Vec<&String> = registry.as_object().expect("an object").keys().filter(|name| name.starts_with('s')).collect();
        let section = names[place.0.index(names.len())].clone();
        let items = registry[&section]["items"].as_array().expect("items");
        let index = place.1.index(items.len());
        let mut edited = registry.clone();
        let item = &mut edited[&section]["items"][index];
        let entries = item["list"].as_array().expect("a list").len();
        let (field, entry) = if place.2 && entries > 0 {
            item["list"][0] = json!("Edited.");
            ("list", Some(0))
        } else {
            prop_assume!(item["text"] != " ");
            item["text"] = json!("Edited.");
            ("text", None)
        };
        let (old, new) = (engine(&registry.to_string()), engine(&edited.to_string()));
        let state = State::default();
        let found = impact(&old, &new, &state, ROLLS);
        let mut printing = 0;
        for roll in 0..ROLLS {
            let call = Call { state: &state, route: None, seed: Seed::from_bits(5 + roll) };
            let hydration = old.hydrate(&call).expect("the default route");
            let prints = hydration.segments.iter().filter_map(|segment| segment.source.as_ref()).any(|source| {
                *source.section == *section && source.item == index && *source.field == *field
                    && source.fragment.is_none() && source.entry == entry
            });
            let changes = hydration.text != new.hydrate_text(&call).expect("the default route");
            prop_assert_eq!(prints, changes, "seed {}", 5 + roll);
            printing += u64::from(prints);
        }
        prop_assert_eq!(found.changed.rolls, printing);
        prop_assert_eq!(found.identical, ROLLS - printing);
        if printing > 0 {
            prop_assert_eq!(found.sections.len(), 1);
            prop_assert_eq!(&found.sections[0].section, &section);
            prop_assert_eq!(found.sections[0].fields.len(), 1);
            prop_assert_eq!(&found.sections[0].fields[0].field, field);
            let listed: u64 = found.changes.iter().map(|change| change.rolls).sum();
            prop_assert!(listed <= printing && (listed == printing || found.changes.len() == 64));
        }
    }

    #[test]
    fn any_division_gives_the_same_impact(
        one in registry_of(true), other in registry_of(true), cut in 0..=300_u64,
    ) {
        let (one, other) = (engine(&one.to_string()), engine(&other.to_string()));
        let state = State::default();
        let whole = impact(&one, &other, &state, 300);
        let side = |engine| Side { engine, route: None };
        let options = ImpactOptions { rolls: 300, seed: Seed::from_bits(5), tokenizer: Some(&Words), budget: Some(12) };
        let plan = ImpactPlan::new(side(&one), side(&other), &state, options).expect("the default route");
        let mut workers = [plan.worker().expect("the default route"), plan.worker().expect("the default route")];
        workers[0].run(cut..300, &mut |_| true);
        workers[1].run(0..cut, &mut |_| true);
        let [first, second] = workers.map(Worker::into_partial);
        let mut merged = first;
        merged.merge(second);
        prop_assert_eq!(plan.impact(merged).expect("the default route"), whole);
    }
}

#[test]
fn observed_shares_lie_in_their_intervals_as_often_as_claimed() {
    let (mut inside, mut all) = (0_u32, 0_u32);
    for sample in SAMPLES {
        let engine = engine(sample);
        for sample in 0..20 {
            let found = profile(&engine, &State::default(), 10_000 * sample, options(1_000));
            for row in found.coverage.iter().flat_map(|section| &section.rows) {
                let Some(chance) = row.chance.filter(|chance| (0.001..0.999).contains(chance))
                else {
                    continue;
                };
                all += 1;
                inside += u32::from(row.low <= chance && chance <= row.high);
            }
        }
    }
    let share = f64::from(inside) / f64::from(all);
    assert!(all > 1_000, "{all} rows");
    assert!((0.98..=0.998).contains(&share), "{inside} of {all}");
}

#[test]
fn a_stop_ends_a_worker_early() {
    let engine = engine(SAMPLES[0]);
    let state = State::default();
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::default(),
    };
    let plan = ProfilePlan::new(&engine, &call, options(100_000)).expect("the default route");
    let mut worker = plan.worker().expect("the default route");
    let mut made = 0;
    let complete = worker.run(0..100_000, &mut |rolls| {
        made += rolls;
        made < 500
    });
    assert!(!complete && made < 1_000);
    let profile = plan
        .profile(worker.into_partial(), &|| true)
        .expect("the default route");
    assert_eq!((profile.rolls, profile.complete), (made, false));
    assert_eq!(profile.sameness.possible, None);
}

#[test]
fn what_never_appears_has_its_reason() {
    let registry = json!({
        "assembly_order": ["a", "b.text", "c", "l.list", "m"],
        "a": {"section_random": true, "template_vars": ["v"], "items": [
            {"id": "x", "text": "X", "note": "unreached",
             "fragments": [{"if_var": "v", "text": "If."}]},
            {"id": "x", "text": "same identity"},
            {"id": "y", "text": "Y", "excludes": ["b.fixed"]},
            {"id": "z", "text": "Z", "requires": ["none.such"]},
            {"id": "never", "text": "N", "weight": 0}]},
        "b": {"items": [{"id": "fixed", "text": "B"}, {"id": "other", "text": "C"}]},
        "c": {"required": false, "items": [{"id": "c", "text": "C"}]},
        "l": {"items": [{"id": "l", "list": ["one", "two"]}], "array_modes": {"list": "index:0"}},
        "m": {"slider_random": true, "items": [{"id": "m", "text": "M"}]},
    });
    let engine = engine(&registry.to_string());
    let found = profile(&engine, &State::default(), 0, options(500));
    let mut reasons = BTreeMap::new();
    for section in &found.coverage {
        for row in section.rows.iter().filter(|row| row.absence.is_some()) {
            let absence = serde_json::to_value(&row.absence).expect("JSON");
            let kind = serde_json::to_value(&row.kind).expect("JSON");
            let name = format!(
                "{} {} {}",
                section.section,
                row.item.unwrap_or(99),
                kind["kind"].as_str().expect("a kind")
            );
            reasons.entry(name).or_insert(absence);
        }
    }
    let reason = |name: &str| reasons[name]["reason"].as_str().expect("a reason");
    assert_eq!(reasons["a 0 text"]["token"], "a.note");
    assert_eq!(reason("a 0 text"), "not_in_assembly");
    assert_eq!(reason("a 0 fragment"), "condition");
    assert_eq!(reason("a 1 item"), "same_identity");
    assert_eq!(reason("a 2 item"), "excluded");
    assert_eq!(reasons["a 2 item"]["because"][0]["reference"], "b.fixed");
    assert_eq!(reason("a 3 item"), "excluded");
    assert_eq!(reason("a 4 item"), "weightless");
    assert_eq!(reason("b 1 item"), "never_selected");
    assert_eq!(reason("c 0 item"), "never_selected");
    assert_eq!(reason("l 0 entry"), "mode");
    assert_eq!(reason("m 99 slider"), "not_in_assembly");
}

#[test]
fn pairs_count_combinations_and_know_the_impossible() {
    let engine = engine(SAMPLES[1]);
    let item = |section: &str| Slot::Item {
        section: section.to_owned(),
    };
    let pairs = [
        (item("personas"), item("crime")),
        (
            item("city"),
            Slot::Slider {
                section: "personas".to_owned(),
            },
        ),
    ];
    let found = profile(
        &engine,
        &State::default(),
        0,
        ProfileOptions {
            pairs: &pairs,
            ..options(4_000)
        },
    );
    let [related, free] = &found.pairs[..] else {
        panic!("two pairs");
    };
    let total = |rolls: &[Vec<u64>]| rolls.iter().flatten().sum::<u64>();
    assert_eq!((total(&related.rolls), total(&free.rolls)), (4_000, 4_000));
    assert!(!related.impossible.is_empty() && free.impossible.is_empty());
    for cell in &related.impossible {
        assert_eq!(related.rolls[cell.line][cell.column], 0);
        assert!(!cell.because.is_empty());
    }
    assert_eq!(
        free.second_values,
        ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    );
}

#[test]
fn evaluations_that_print_the_same_are_found() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"section_random": true, "items": [{"id": "x", "text": "same"}, {"id": "y", "text": "same"}, {"id": "z", "text": "other"}]},
    });
    let found = profile(
        &engine(&registry.to_string()),
        &State::default(),
        0,
        options(300),
    );
    let same = found.sameness.same.expect("few evaluations");
    assert_eq!((same.evaluations, same.texts), (2, 1));
    assert_eq!(same.examples[0].len(), 2);
    assert_eq!(found.sameness.evaluations.estimate, 3);
    assert_eq!(found.sameness.texts.estimate, 2);
    assert_eq!(
        found.sameness.most_frequent.expect("few texts").rolls,
        found.coverage[0]
            .rows
            .iter()
            .filter(|row| row.kind == RowKind::Item)
            .take(2)
            .map(|row| row.rolls)
            .sum::<u64>()
    );
}

#[test]
fn a_change_of_order_alone_is_one() {
    let registry = |order: [&str; 2]| json!({"assembly_order": order, "a": {"items": [{"text": "One."}]}, "b": {"items": [{"text": "Two."}]}});
    let (old, new) = (
        engine(&registry(["a", "b"]).to_string()),
        engine(&registry(["b", "a"]).to_string()),
    );
    let found = impact(&old, &new, &State::default(), 10);
    assert_eq!((found.changed.rolls, found.order_only.rolls), (10, 10));
    assert!(found.sections.is_empty() && found.changes[0].places.is_empty());
}
