//! Profiles: the numbers of the page are those of the library, and a measurement can be stopped,
//! superseded and listed.

use std::thread;
use std::time::Duration;

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_model::tokenizer::{TokenCounter, by_name};
use promptdeck_population::profile::{ProfileOptions, ProfilePlan, Slot};
use promptdeck_population::{RowKind, Tokenizer, measure};
use promptdeck_service::CancellationToken;
use promptdeck_service::wire::{
    AbsenceReason, CoverageKind, ProfileParams, ProfileSlot, RollFilter, RowKey,
};
use serde_json::{Value, json};

use crate::calls::{self, CALL};
use crate::home::{Home, group, set};

const SEED: u64 = 7;
const ROLLS: u32 = 700;

struct Words(Box<dyn TokenCounter>);

impl Tokenizer for Words {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn count(&self, text: &str) -> u64 {
        self.0.count(text).tokens as u64
    }
}

fn params(rolls: u32) -> ProfileParams {
    ProfileParams {
        seed: SEED,
        rolls,
        budget: Some(28),
        pair: None,
    }
}

/// A home whose deck is a sample registry.
fn trivia() -> Home {
    let home = Home::new();
    let text = include_str!("../../../../registries/trivia_host.json");
    home.write("deck.json", &serde_json::from_str(text).expect("JSON"));
    home
}

#[test]
fn templates_are_counted_as_the_call_renders_them() {
    let home = calls::home();
    let mut deck = home.read("deck.json");
    deck["registry"] = json!({
        "version": 22, "template_engine": "jinja", "assembly_order": ["a"],
        "a": {"section_random": true, "items": [
            {"id": "x", "text": "{# long #}Hi {{ args.guest }}."}, {"id": "y", "text": "Hi{# y #} Bob."},
        ]},
    });
    home.write("deck.json", &deck);
    let (studio, _) = calls::open(&home);
    studio.use_call("deck.json", Some(CALL)).expect("used");
    let token = CancellationToken::new();
    let measure = || {
        let profile = studio.measure_profile("deck.json", &params(50), &token);
        profile.expect("measured")
    };
    let profile = measure();
    assert_eq!(profile.rendered, Some(true));
    let characters = profile.characters.expect("lengths");
    assert_eq!((characters.min, characters.max), (7, 7));
    assert_eq!(profile.texts.count, 1, "two templates, one text");
    let prefix = profile.prefix.expect("a prefix");
    assert_eq!((prefix.all.characters, prefix.all.section), (7, None));
    let all = RollFilter::Tokens { from: 0, to: 1_000 };
    let rolls = studio.profile_rolls("deck.json", &params(50), &all, 0, &token);
    let rolls = rolls.expect("listed").rolls;
    assert!(rolls.iter().all(|roll| roll.text == "Hi Bob."), "{rolls:?}");
    let rolls = studio.roll_variants("deck.json", 1, 2, &token);
    assert!(
        rolls
            .expect("rolled")
            .iter()
            .all(|roll| roll.text == "Hi Bob.")
    );

    let text = set(
        json!(["registry", "a", "items", 0, "text"]),
        json!("{{ args.guest | nosuch }}"),
    );
    studio
        .apply("deck.json", &group(0, vec![text]))
        .expect("applied");
    let profile = measure();
    assert_eq!(profile.rendered, Some(false));
    let characters = profile.characters.expect("lengths");
    assert_eq!((characters.min, characters.max), (7, 25), "the template");
}

#[test]
fn the_numbers_are_those_of_the_library() {
    let home = trivia();
    let (studio, _) = home.open();
    let edits = vec![
        set(json!(["state", "section_random", "personas"]), json!(true)),
        set(json!(["state", "slider_random", "sentiment"]), json!(true)),
    ];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    let slots = [("personas", false), ("sentiment", false)];
    let slots = slots.map(|(section, slider)| ProfileSlot {
        section: section.to_owned(),
        slider,
    });
    let wanted = ProfileParams {
        budget: Some(240),
        pair: Some(slots),
        ..params(ROLLS)
    };
    let token = CancellationToken::new();
    let profile = studio
        .measure_profile("deck.json", &wanted, &token)
        .expect("measured");

    let text = std::fs::read(home.path("deck.json")).expect("read");
    let engine = Engine::new(registry::parse(&text).expect("a registry").registry);
    let dice = r#"{"section_random": {"personas": true}, "slider_random": {"sentiment": true}}"#;
    let state: State = serde_json::from_str(dice).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(SEED).expect("a seed"),
    };
    let words = Words(Box::new(by_name("estimate").expect("built in")));
    let item = |section: &str| Slot::Item {
        section: section.to_owned(),
    };
    let options = ProfileOptions {
        rolls: u64::from(ROLLS),
        tokenizer: Some(&words),
        budget: Some(240),
        pairs: &[(item("personas"), item("sentiment"))],
        renderer: None,
    };
    let plan = ProfilePlan::new(&engine, &call, options).expect("a plan");
    let library = plan.profile(measure(&plan).expect("measured"), &|| false);
    let expected = library.expect("a profile");

    assert_eq!(
        (profile.seed, profile.rolls, profile.complete),
        (SEED, ROLLS, true)
    );
    let (tokens, lengths) = (
        profile.tokens.expect("tokens"),
        expected.tokens.expect("tokens"),
    );
    let bars = |from: i64, to: i64, rolls: u64| json!([from, to, rolls]);
    let own_bars = lengths.distribution.bars.iter();
    assert_eq!(
        json!(
            tokens
                .bars
                .iter()
                .map(|bar| json!([bar.from, bar.to, bar.rolls]))
                .collect::<Vec<_>>()
        ),
        json!(
            own_bars
                .map(|bar| bars(bar.from, bar.to, bar.rolls))
                .collect::<Vec<_>>()
        ),
    );
    assert!(tokens.bars.len() > 3, "lengths differ");
    assert_eq!(i64::from(tokens.median), lengths.distribution.median);
    assert_eq!(tokens.max_seed, lengths.max_seed.get());
    let (shown_over, over) = (
        tokens.over_budget.expect("set"),
        lengths.over_budget.expect("set"),
    );
    assert_eq!(u64::from(shown_over.rolls), over.rolls);
    assert!(over.rolls > 0, "some are over the budget");

    assert_eq!(profile.coverage.len(), expected.coverage.len());
    for (coverage, expected) in profile.coverage.iter().zip(&expected.coverage) {
        assert_eq!(coverage.section, expected.section);
        let rows = coverage.rows.iter().map(|row| {
            (
                u64::from(row.rolls),
                row.low,
                row.high,
                row.chance,
                row.absence.is_some(),
            )
        });
        let own_rows = expected.rows.iter().map(|row| {
            (
                row.rolls,
                row.low,
                row.high,
                row.chance,
                row.absence.is_some(),
            )
        });
        assert!(rows.eq(own_rows), "{}", coverage.section);
        let items = coverage
            .rows
            .iter()
            .filter(|row| row.kind == CoverageKind::Item);
        let own_items = expected.rows.iter().filter(|row| row.kind == RowKind::Item);
        assert!(
            items
                .map(|row| &row.name)
                .eq(own_items.map(|row| &row.label))
        );
    }
    let (prefix, own_prefix) = (
        profile.prefix.expect("a start"),
        expected.prefix.expect("a start"),
    );
    assert_eq!(Some(u64::from(prefix.all.tokens)), own_prefix.all.tokens);
    assert_eq!(prefix.curve.len(), own_prefix.curve.len());
    assert_eq!(
        u64::from(profile.texts.count),
        expected.sameness.texts.estimate
    );
    let pair = profile.pair.expect("a pair");
    let cells = pair.rolls.iter().flatten().map(|rolls| u64::from(*rolls));
    assert!(cells.eq(expected.pairs[0].rolls.iter().flatten().copied()));
    assert_eq!(pair.impossible.len(), expected.pairs[0].impossible.len());
}

#[test]
fn rows_have_names_and_reasons() {
    let home = trivia();
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let profile = studio
        .measure_profile("deck.json", &params(200), &token)
        .expect("measured");
    let rows = || profile.coverage.iter().flat_map(|section| &section.rows);
    let named = |name: &str| rows().find(|row| row.name == name).expect("a row");
    assert_eq!(named("positive.nudges[0]").item, named("positive").item);
    assert!(rows().any(|row| row.name.contains(", if ")));
    let absent = rows().filter_map(|row| row.absence.as_ref());
    assert!(absent.clone().all(|absence| !absence.words.is_empty()));
    let mut reasons = absent.map(|absence| absence.reason);
    assert!(reasons.any(|reason| reason == AbsenceReason::NeverSelected));
}

#[test]
fn the_rolls_listed_are_those_counted() {
    let home = trivia();
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let list = |filter: &RollFilter| {
        let (mut rolls, mut from) = (Vec::new(), Some(0));
        while let Some(start) = from {
            let page = studio.profile_rolls("deck.json", &params(ROLLS), filter, start, &token);
            let page = page.expect("listed");
            rolls.extend(page.rolls);
            from = page.next;
        }
        rolls
    };
    let profile = studio
        .measure_profile("deck.json", &params(ROLLS), &token)
        .expect("measured");
    let tokens = profile.tokens.expect("tokens");
    let bar = tokens
        .bars
        .iter()
        .max_by_key(|bar| bar.rolls)
        .expect("a bar");
    assert!(bar.rolls > 60, "more than a page");
    let rolls = list(&RollFilter::Tokens {
        from: u32::try_from(bar.from).expect("a length"),
        to: u32::try_from(bar.to).expect("a length"),
    });
    assert_eq!(rolls.len(), bar.rolls as usize);
    assert!(
        rolls
            .iter()
            .all(|roll| (bar.from..=bar.to).contains(&roll.tokens.cast_signed()))
    );
    assert!(rolls.is_sorted_by_key(|roll| roll.seed));
    let section = profile
        .coverage
        .iter()
        .find(|section| section.rolled)
        .expect("rolled");
    let row = section.rows.first().expect("a row");
    let rolls = list(&RollFilter::Prints {
        rows: vec![RowKey {
            section: section.section.clone(),
            item: row.item,
            kind: row.kind.clone(),
        }],
    });
    assert_eq!(rolls.len(), row.rolls as usize);
}

#[test]
fn a_measurement_can_be_stopped_and_superseded() {
    let home = trivia();
    let (studio, _) = home.open();
    let token = CancellationToken::new();
    let stopped = thread::scope(|scope| {
        let running =
            scope.spawn(|| studio.measure_profile("deck.json", &params(1_000_000), &token));
        while studio
            .profile_progress()
            .is_none_or(|progress| progress.done == 0)
        {
            assert!(!running.is_finished(), "it ended before it was stopped");
            thread::sleep(Duration::from_millis(1));
        }
        studio.stop_profile();
        running.join().expect("joined").expect("measured")
    });
    assert!(!stopped.complete);
    assert!(0 < stopped.rolls && stopped.rolls < 1_000_000);
    assert_eq!(studio.profile_progress(), None);
    // What was stopped is a whole sample of fewer rolls.
    token.cancel();
    let superseded = studio.measure_profile("deck.json", &params(2_000), &token);
    assert_eq!(superseded.expect_err("superseded").code(), "superseded");
}

#[test]
fn what_is_hard_to_measure_is_measured_or_named() {
    let token = CancellationToken::new();
    let measured = |registry: &Value| {
        let home = Home::new();
        home.write("deck.json", &json!({ "registry": registry }));
        let (studio, _) = home.open();
        let profile = studio.measure_profile("deck.json", &params(300), &token);
        let count = studio.variant_count("deck.json", &token).expect("counted");
        (profile.expect("measured"), count.ordered)
    };
    // Nothing is printed.
    let (profile, _) = measured(&json!({"assembly_order": [], "a": {"items": []}}));
    assert_eq!((profile.rolls, profile.empty), (300, 300));
    // 10^30 evaluations.
    let items: Vec<Value> = (0..10)
        .map(|n| json!({"text": format!("Text {n}.")}))
        .collect();
    let names: Vec<String> = (0..30).map(|n| format!("part_{n:02}")).collect();
    let mut registry = json!({ "assembly_order": names });
    for name in &names {
        registry[name] = json!({"section_random": true, "items": items});
    }
    let (profile, count) = measured(&registry);
    assert!(profile.complete && profile.empty == 0);
    assert_eq!(count, format!("1{}", "0".repeat(30)));
    // More items than rolls.
    let items: Vec<Value> = (0..5_000)
        .map(|n| json!({"text": format!("Text {n}.")}))
        .collect();
    let registry = json!({"assembly_order": ["a"], "a": {"section_random": true, "items": items}});
    let (profile, count) = measured(&registry);
    assert_eq!((profile.coverage[0].items, count.as_str()), (5_000, "5000"));
    let rows = profile.coverage[0].rows.iter();
    let printed = rows.filter(|row| row.kind == CoverageKind::Item && row.rolls > 0);
    assert!((250..=300).contains(&printed.count()));
}

#[test]
fn a_roll_that_fails_is_an_error_with_its_reason() {
    let home = trivia();
    let (studio, _) = home.open();
    let edits = vec![set(json!(["route"]), json!("nowhere"))];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    let token = CancellationToken::new();
    let fault = studio.measure_profile("deck.json", &params(300), &token);
    let fault = fault.expect_err("no such route");
    assert_eq!(fault.code(), "unknown_route");
    assert!(fault.to_string().contains("nowhere"), "{fault}");
}
