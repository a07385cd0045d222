//! Rolls against hydrations, on the samples and on generated registries.

use proptest::{prelude::*, test_runner::TestCaseError};
use serde_json::{Value, json};

use super::*;
use crate::registry;

const SAMPLES: [&str; 4] = [
    include_str!("../../../../../registries/trivia_host.json"),
    include_str!("../../../../../registries/noir_roller.json"),
    include_str!("../../../../../registries/night_stream.json"),
    include_str!("../../../../../registries/support_desk.json"),
];

fn engine(text: &str) -> Engine {
    Engine::new(
        registry::parse(text.as_bytes())
            .expect("a registry")
            .registry,
    )
}

/// A roll and the hydration of its seed agree in everything.
fn check(roller: &mut Roller<'_>, state: &State, seed: Seed) -> Result<(), TestCaseError> {
    let engine = roller.engine;
    let call = Call {
        state,
        route: None,
        seed,
    };
    let hydration = engine.hydrate(&call).expect("the default route");
    let roll = roller.roll(seed);
    prop_assert_eq!(roll.text, &hydration.text);
    let sections = engine.registry().sections();
    let name = |section: usize| sections.get_index(section).map(|(name, _)| name.clone());
    let mut start = 0;
    let mut segments = hydration.segments.iter();
    for piece in roll.pieces() {
        let segment = segments.next().expect("a segment for each piece");
        prop_assert_eq!((piece.text, piece.start), (segment.text.as_str(), start));
        start += piece.text.len();
        let found = piece.source.map(|source| {
            let place = (
                source.token,
                name(source.section),
                source.item,
                source.field.to_owned(),
            );
            (
                place,
                source.part,
                source.entry,
                source.fragment,
                Some(source.origin),
            )
        });
        let expected = segment.source.clone().map(|source| {
            let place = (
                source.token,
                Some(source.section.to_string()),
                source.item,
                source.field.to_string(),
            );
            (
                place,
                source.part,
                source.entry,
                source.fragment,
                segment.origin,
            )
        });
        prop_assert_eq!(found, expected);
    }
    prop_assert_eq!(segments.next(), None);
    let mut diagnostics = roll.state_diagnostics();
    diagnostics.extend(roll.diagnostics());
    prop_assert_eq!(diagnostics, hydration.diagnostics);
    for (section, items) in roll.chosen() {
        let name = name(section).expect("a section");
        let used = &hydration.evaluation.sections[&name].items;
        let used: Vec<u32> = used.iter().map(|item| item.index as u32).collect();
        prop_assert_eq!(items, &used[..]);
    }
    let arrays = roll.arrays().map(|(array, entries)| {
        let entries: Vec<usize> = entries.iter().map(|entry| *entry as usize).collect();
        (
            array.section.to_owned(),
            array.item as usize,
            array.field.to_owned(),
            entries,
        )
    });
    let rolled = hydration.evaluation.arrays.iter();
    let rolled = rolled
        .filter(|array| array.origin == Origin::Random)
        .map(|array| {
            (
                array.section.clone(),
                array.item,
                array.field.clone(),
                array.selected.clone(),
            )
        });
    prop_assert_eq!(arrays.collect::<Vec<_>>(), rolled.collect::<Vec<_>>());
    Ok(())
}

/// Texts, some of which are trimmed or collapsed where they are printed.
fn any_text() -> impl Strategy<Value = &'static str> {
    let texts = [
        "One.",
        "Two {who}.",
        "{who}",
        "{none}",
        "",
        " ",
        "\n",
        "a\n\n\n\nb",
        " c",
        "d\n",
        "é",
        "Same:",
    ];
    // Most are whole sentences, so that whole prompts are put together from texts.
    prop_oneof![4 => Just(texts[0]), 8 => Just("Three\n\nfour."), 3 => prop::sample::select(texts.to_vec())]
}

fn any_section() -> impl Strategy<Value = Value> {
    let text = || any_text();
    let item = (
        (
            text(),
            prop::option::of(text()),
            prop::option::weighted(0.3, text()),
        ),
        prop::collection::vec(text(), 0..5),
        prop::collection::vec(text(), 0..4),
    );
    let item = item.prop_map(|((text, heading, fragment), items, lines)| {
        let mut item = json!({"text": text, "lines": lines});
        if let Some(heading) = heading {
            item["pre_context"] = json!(heading);
        }
        if let Some(fragment) = fragment {
            item["fragments"] = json!([{"if_var": "who", "text": fragment}]);
        }
        if !items.is_empty() {
            item["items"] = json!(items);
        }
        item
    });
    let modes = [
        "all",
        "none",
        "index:1",
        "indices:0,7",
        "random:1",
        "random:2",
        "random:9",
    ];
    let mode = move || prop::sample::select(modes.to_vec());
    let dice = any::<(bool, bool, bool)>();
    let items = prop::collection::vec(item, 1..4);
    (items, dice, mode(), mode(), 0..4_u8).prop_map(
        |(mut items, (required, rolled, slider), of_items, of_lines, selected)| {
            for (item, index) in items.iter_mut().zip(0..) {
                item["id"] = json!(format!("i{index}"));
                if index == selected {
                    item["excludes"] = json!(["s0.i1"]);
                }
            }
            let selected: Vec<String> = (0..selected).map(|index| format!("i{index}")).collect();
            json!({
                "required": required, "section_random": rolled, "slider_random": slider,
                "template_vars": ["who", "none"], "template_var_defaults": {"who": "Ada"},
                "array_modes": {"items": of_items, "lines": of_lines},
                "selected": selected, "items": items,
            })
        },
    )
}

fn any_registry() -> impl Strategy<Value = Value> {
    let names = ["s0", "s1", "prompt_endings", "runtime_injections"];
    let forms = [
        "",
        ".text",
        ".lines",
        ".items",
        ".scale",
        ".i1",
        "[s0.text]",
    ];
    let token = (
        prop::sample::select(names.to_vec()),
        prop::sample::select(forms.to_vec()),
    );
    let tokens = prop::collection::vec(token, 0..9);
    let sections = prop::collection::vec(any_section(), 3..5);
    (sections, tokens, any::<bool>()).prop_map(move |(sections, tokens, related)| {
        let order = tokens
            .iter()
            .map(|(section, form)| format!("{section}{form}"));
        let mut registry = json!({"assembly_order": order.collect::<Vec<_>>()});
        for (name, mut section) in names.iter().zip(sections) {
            for item in section["items"].as_array_mut().into_iter().flatten() {
                if !related {
                    item.as_object_mut().map(|item| item.remove("excludes"));
                }
                if *name == "runtime_injections" {
                    item["include_sections"] = json!(["s0"]);
                }
            }
            registry[*name] = section;
        }
        registry
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_roll_is_what_hydration_gives(sample in 0..SAMPLES.len(), bits: u64, applause: bool) {
        let engine = engine(SAMPLES[sample]);
        let mut state = State::default();
        if applause {
            let ids = r#"{"selections": {"runtime_injections": ["applause"]}}"#;
            state = serde_json::from_str(ids).expect("a state");
        }
        let mut roller = Roller::new(&engine, &state, None).expect("the default route");
        for roll in 0..20 {
            check(&mut roller, &state, Seed::from_bits(bits.wrapping_add(roll)))?;
        }
        // The trivia host has no text that is assembled anew.
        prop_assert!(sample > 0 || roller.roll(Seed::from_bits(bits)).texts().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_roll_is_what_hydration_gives(registry in any_registry(), bits: u64, index in 0..9) {
        let engine = engine(&registry.to_string());
        let modes = json!({"array_modes": {"s1": {"lines": format!("index:{index}")}}});
        let state = if index < 5 { modes } else { json!({}) };
        let state = serde_json::from_value(state).expect("a state");
        let mut roller = Roller::new(&engine, &state, None).expect("the default route");
        for roll in 0..24 {
            check(&mut roller, &state, Seed::from_bits(bits.wrapping_add(roll)))?;
        }
    }
}

#[test]
fn a_given_choice_replaces_the_rolled_one() {
    let engine = engine(SAMPLES[0]);
    let state = State::default();
    let mut roller = Roller::new(&engine, &state, None).expect("the default route");
    let personas = engine.registry().sections().get_index_of("personas");
    let given = |item| move |section| (Some(section) == personas).then_some(item);
    let seed = Seed::from_bits(3);
    let none = PinnedEntries::new();
    for (item, words) in [
        (0, "quick and generous"),
        (1, "dry and in no hurry"),
        (2, "loud, fast"),
    ] {
        let roll = roller.roll_choosing(seed, given(item), &none);
        assert!(roll.text.contains(words), "{}", roll.text);
    }
    let key = ("sentiment".to_owned(), 0, "nudges".to_owned());
    let entries = PinnedEntries::from([(key, vec![0, 1, 2, 3, 4])]);
    let roll = roller.roll_choosing(seed, |_| None, &entries);
    let nudges = roll.arrays().find(|(array, _)| array.field == "nudges");
    let (array, selected) = nudges.expect("the nudges are rolled");
    assert_eq!((array.total, selected), (5, &[0, 1, 2, 3, 4][..]));
}
