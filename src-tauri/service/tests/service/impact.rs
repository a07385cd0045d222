//! Impact: the numbers of the page are those of the library, against the file as last saved, other
//! files and snapshots.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_core::hydrate::{Engine, Seed, State};
use promptdeck_core::registry;
use promptdeck_model::tokenizer::{TokenCounter, by_name};
use promptdeck_population::impact::{ImpactOptions, ImpactPlan, Side as VersionSide};
use promptdeck_population::{Tokenizer, measure};
use promptdeck_service::wire::{Edit, Granularity, ImpactParams, PartKind, Side};
use promptdeck_service::{CancellationToken, ServiceError, Studio};
use serde_json::{Value, json};

use crate::home::{Home, group, set};

const DECK: &str = "deck.json";
const SEED: u64 = 7;

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

fn trivia() -> Home {
    let home = Home::new();
    let text = include_str!("../../../../registries/trivia_host.json");
    home.write(DECK, &serde_json::from_str(text).expect("JSON"));
    home
}

/// Dice on the personas, and the text of one of them changed.
fn edits(home: &Home) -> Vec<Edit> {
    let context = &home.read(DECK)["registry"]["personas"]["items"][0]["context"];
    let longer = format!("{} Never rush a guest.", context.as_str().expect("a text"));
    let at = json!(["registry", "personas", "items", 0, "context"]);
    vec![
        set(json!(["state", "section_random", "personas"]), json!(true)),
        set(at, json!(longer)),
    ]
}

fn against_the_file(rolls: u32) -> ImpactParams {
    ImpactParams {
        before: Side::Saved,
        after: Side::Now,
        seed: SEED,
        rolls,
        budget: Some(250),
    }
}

fn pill(studio: &Studio) -> Result<Option<promptdeck_service::wire::EditImpact>, ServiceError> {
    studio.edit_impact(DECK, SEED, Some(250), &CancellationToken::new())
}

#[test]
fn the_numbers_are_those_of_the_library() {
    let home = trivia();
    let (studio, _) = home.open();
    assert_eq!(pill(&studio).expect("measured"), None, "nothing is edited");
    studio
        .apply(DECK, &group(0, edits(&home)))
        .expect("applied");
    let short = pill(&studio).expect("measured").expect("edited");
    let token = CancellationToken::new();
    let measured = studio.measure_impact(DECK, &against_the_file(2_000), &token);
    let impact = measured.expect("measured");

    let parse = |value: &Value| {
        let text = serde_json::to_vec(value).expect("text");
        Engine::new(registry::parse(&text).expect("a registry").registry)
    };
    let mut edited = home.read(DECK);
    let old = parse(&edited);
    let context = &mut edited["registry"]["personas"]["items"][0]["context"];
    *context = json!(format!(
        "{} Never rush a guest.",
        context.as_str().expect("a text")
    ));
    let new = parse(&edited);
    let state: State =
        serde_json::from_str(r#"{"section_random": {"personas": true}}"#).expect("a state");
    let words = Words(Box::new(by_name("estimate").expect("built in")));
    let options = ImpactOptions {
        rolls: 2_000,
        seed: Seed::new(SEED).expect("a seed"),
        tokenizer: Some(&words),
        budget: Some(250),
    };
    let side = |engine| VersionSide {
        engine,
        route: None,
    };
    let plan = ImpactPlan::new(side(&old), side(&new), &state, options).expect("a plan");
    let expected = plan
        .impact(measure(&plan).expect("measured"))
        .expect("an impact");

    assert!(
        (400..1_000).contains(&expected.changed.rolls),
        "a third changes"
    );
    assert_eq!(u64::from(impact.changed), expected.changed.rolls);
    assert_eq!(u64::from(impact.identical), expected.identical);
    assert_eq!(impact.sections[0].section, "personas");
    assert_eq!(impact.sections[0].fields[0].field, "context");
    assert_eq!(
        u64::from(impact.sections[0].fields[0].rolls),
        expected.sections[0].fields[0].rolls.rolls
    );
    let tokens = expected.tokens.expect("tokens");
    assert_eq!(
        impact.tokens.expect("tokens").median,
        i32::try_from(tokens.median).expect("small")
    );
    let (shown_budget, budget) = (impact.budget.expect("set"), expected.budget.expect("set"));
    assert_eq!(u64::from(shown_budget.above), budget.above.rolls);
    assert_eq!(shown_budget.above_seed, budget.above.seed.map(Seed::get));
    assert_eq!(
        impact.after.prefix.map(u64::from),
        expected.after.prefix.expect("rolls").all.tokens
    );
    assert_eq!(impact.changes.len(), expected.changes.len());
    assert!(!impact.changes.is_empty());
    for (change, expected) in impact.changes.iter().zip(&expected.changes) {
        assert_eq!(
            (change.seed, u64::from(change.rolls)),
            (expected.seed.get(), expected.rolls)
        );
        assert_eq!(u64::from(change.after), words.count(&expected.after));
        let roll = studio.compare_roll(DECK, &Side::Saved, &Side::Now, change.seed);
        let parts = roll.expect("compared").prompt;
        let text = |left_out: PartKind| -> String {
            let parts = parts.iter().filter(|part| part.kind != left_out);
            parts.map(|part| part.text.as_str()).collect()
        };
        assert_eq!(text(PartKind::Added), expected.before);
        assert_eq!(text(PartKind::Removed), expected.after);
    }
    assert_eq!(
        (short.rolls, short.changed, short.tokens),
        (2_000, impact.changed, Some(shown_median(&studio)))
    );
}

fn shown_median(studio: &Studio) -> i32 {
    let params = against_the_file(2_000);
    let impact = studio.measure_impact(DECK, &params, &CancellationToken::new());
    impact.expect("measured").tokens.expect("tokens").median
}

#[test]
fn an_edit_that_no_roll_prints_changes_none_and_one_typed_back_is_no_edit() {
    let home = Home::new();
    let (studio, _) = home.open();
    let title = json!(["registry", "title"]);
    let change = studio.apply(DECK, &group(0, vec![set(title.clone(), json!("Other"))]));
    let revision = change.expect("applied").status.revision;
    let found = pill(&studio).expect("measured").expect("edited");
    assert_eq!((found.rolls, found.changed, found.tokens), (2_000, 0, None));
    studio
        .apply(DECK, &group(revision, vec![set(title, json!("Deck"))]))
        .expect("applied");
    assert_eq!(pill(&studio).expect("measured"), None);
}

#[test]
fn saving_ends_the_difference_and_the_next_edit_is_against_what_was_saved() {
    let home = Home::new();
    let (studio, _) = home.open();
    let at = json!(["registry", "base_context", "items", 0, "text"]);
    let edit = |base: u32, text: &str| {
        let change = studio.apply(DECK, &group(base, vec![set(at.clone(), json!(text))]));
        change.expect("applied").status.revision
    };
    let revision = edit(0, "You stand at {place}.");
    assert_eq!(
        pill(&studio).expect("measured").expect("edited").changed,
        2_000
    );
    studio.save(DECK).expect("saved");
    assert_eq!(pill(&studio).expect("measured"), None);
    edit(revision, "You are at {place}.");
    assert_eq!(
        pill(&studio).expect("measured").expect("edited").changed,
        2_000
    );
}

#[test]
fn a_file_that_is_gone_or_damaged_leaves_what_was_read_of_it() {
    let home = Home::new();
    let (studio, _) = home.open();
    let at = json!(["registry", "base_context", "items", 0, "text"]);
    studio
        .apply(DECK, &group(0, vec![set(at, json!("Gone."))]))
        .expect("applied");
    fs::write(home.path(DECK), b"{\"registry\": [").expect("written");
    assert_eq!(
        pill(&studio).expect("measured").expect("edited").changed,
        2_000
    );
    fs::remove_file(home.path(DECK)).expect("removed");
    let token = CancellationToken::new();
    let impact = studio.measure_impact(DECK, &against_the_file(500), &token);
    assert_eq!(impact.expect("measured").changed, 500);
}

#[test]
fn other_files_and_snapshots_are_versions_too() {
    let home = Home::new();
    let mut other = home.read(DECK);
    other["registry"]["base_context"]["items"][0]["text"] = json!("Somewhere else.");
    home.write("other.json", &other);
    fs::write(home.path("broken.json"), b"{").expect("written");
    let (studio, _) = home.open();
    let snapshot = studio.take_snapshot(DECK, Some("First")).expect("taken").id;
    let token = CancellationToken::new();
    let params = |before: Side| ImpactParams {
        before,
        ..against_the_file(200)
    };
    let file = |document: &str| {
        params(Side::File {
            document: document.to_owned(),
        })
    };
    let measured = studio.measure_impact(DECK, &file("other.json"), &token);
    let impact = measured.expect("measured");
    assert_eq!(
        (impact.changed, impact.before.name.as_str()),
        (200, "other.json")
    );
    let same = studio.measure_impact(DECK, &params(Side::Snapshot { id: snapshot }), &token);
    let same = same.expect("measured");
    assert_eq!((same.changed, same.identical), (0, 200));
    assert_eq!(same.before.name, "First");
    for (bad, code) in [("broken.json", "syntax"), ("../deck.json", "bad_file")] {
        let fault = studio.measure_impact(DECK, &file(bad), &token);
        assert_eq!(fault.expect_err("refused").code(), code);
    }
}

#[test]
fn a_version_without_the_route_is_named() {
    let home = Home::new();
    let (studio, _) = home.open();
    let routes = json!({"final": {"assembly_order": ["base_context"]}});
    let edits = vec![
        set(json!(["registry", "routes"]), routes),
        set(json!(["route"]), json!("final")),
    ];
    studio.apply(DECK, &group(0, edits)).expect("applied");
    let fault = pill(&studio).expect_err("no such route");
    assert_eq!(fault.code(), "unknown_route");
    assert!(
        fault.to_string().starts_with("deck.json: no route"),
        "{fault}"
    );
}

#[test]
fn routes_of_the_open_document_are_versions_too() {
    let home = Home::new();
    let (studio, _) = home.open();
    let routes = json!({"final": {"assembly_order": ["base_context"]}});
    let edit = set(json!(["registry", "routes"]), routes);
    studio.apply(DECK, &group(0, vec![edit])).expect("applied");
    let side = |route: Option<&str>| Side::Route {
        route: route.map(str::to_owned),
    };
    let compared = |before: Side, after: Side| {
        let params = ImpactParams {
            before,
            after,
            ..against_the_file(20)
        };
        let impact = studio.measure_impact(DECK, &params, &CancellationToken::new());
        impact.map_err(|fault| fault.to_string())
    };
    let impact = compared(side(Some("final")), Side::Now).expect("measured");
    assert_eq!((impact.changed, impact.route), (20, None));
    assert_eq!(impact.before.name, "Now, route final");
    assert_eq!(impact.sections[0].section, "personas");
    let same = compared(side(None), Side::Now).expect("measured");
    assert_eq!((same.changed, same.route.as_deref()), (0, Some("default")));
    let fault = compared(side(Some("gone")), Side::Now).expect_err("no such route");
    assert!(fault.starts_with("Now, route gone: no route"), "{fault}");

    let one = studio.compare(DECK, &side(Some("final")), &Side::Now, Granularity::Words);
    let one = one.expect("compared");
    assert_eq!(one.edited, Vec::<String>::new());
    assert!(one.added > 0 && one.removed == 0, "{one:?}");
    let roll = studio.compare_roll(DECK, &Side::Now, &side(Some("final")), SEED);
    let roll = roll.expect("compared");
    assert!(roll.added == 0 && roll.removed > 0, "{roll:?}");
}

#[test]
fn the_rolled_route_is_named_if_there_are_others() {
    let home = Home::new();
    let (studio, _) = home.open();
    let names = || {
        let token = CancellationToken::new();
        let impact = studio.measure_impact(DECK, &against_the_file(10), &token);
        let pill = pill(&studio).expect("compared").expect("an edit");
        (pill.route, impact.expect("measured").route)
    };
    let title = set(json!(["registry", "title"]), json!("T"));
    studio.apply(DECK, &group(0, vec![title])).expect("applied");
    assert_eq!(names(), (None, None));

    let routes = json!({"final": {"assembly_order": ["base_context"]}});
    let routes = set(json!(["registry", "routes"]), routes);
    studio
        .apply(DECK, &group(1, vec![routes]))
        .expect("applied");
    let built_in = Some("default".to_owned());
    assert_eq!(names(), (built_in.clone(), built_in.clone()));

    // A route that was deleted since the last save is still one of the file.
    studio.save(DECK).expect("saved");
    let none = set(json!(["registry", "routes"]), json!({}));
    studio.apply(DECK, &group(2, vec![none])).expect("applied");
    assert_eq!(names(), (built_in.clone(), built_in));
}

#[test]
fn a_registry_that_renders_nothing_is_compared() {
    let home = Home::new();
    home.write(
        DECK,
        &json!({"registry": {"assembly_order": [], "a": {"items": []}}}),
    );
    let (studio, _) = home.open();
    studio
        .apply(
            DECK,
            &group(0, vec![set(json!(["registry", "title"]), json!("T"))]),
        )
        .expect("applied");
    let token = CancellationToken::new();
    let measured = studio.measure_impact(DECK, &against_the_file(100), &token);
    let impact = measured.expect("measured");
    assert_eq!((impact.changed, impact.identical), (0, 100));
    assert_eq!((impact.before.empty, impact.after.empty), (100, 100));
}

#[test]
fn a_large_comparison_is_stopped_and_superseded() {
    let home = trivia();
    let (studio, _) = home.open();
    studio
        .apply(DECK, &group(0, edits(&home)))
        .expect("applied");
    let params = against_the_file(1_000_000);
    let token = CancellationToken::new();
    let stopped = thread::scope(|scope| {
        let measuring = scope.spawn(|| studio.measure_impact(DECK, &params, &token));
        while studio
            .impact_progress()
            .is_none_or(|progress| progress.done < 500)
        {
            thread::sleep(Duration::from_millis(1));
        }
        studio.stop_impact();
        let asked = Instant::now();
        let stopped = measuring.join().expect("no panic").expect("measured");
        (stopped, asked.elapsed())
    });
    assert!(!stopped.0.complete);
    assert!((1..1_000_000).contains(&stopped.0.rolls));
    assert_eq!(studio.impact_progress(), None);

    token.cancel();
    for answer in [
        studio.measure_impact(DECK, &params, &token).map(drop),
        studio.edit_impact(DECK, SEED, None, &token).map(drop),
    ] {
        assert!(matches!(answer, Err(ServiceError::Superseded)));
    }
}

#[test]
fn snapshots_are_the_same_changed_or_no_longer_load() {
    let home = Home::new();
    let (studio, _) = home.open();
    let take = |name: &str| studio.take_snapshot(DECK, Some(name)).expect("taken").id;
    let apply = |base: u32, edit: Edit| {
        let change = studio.apply(DECK, &group(base, vec![edit]));
        change.expect("applied").status.revision
    };
    let persona = json!(["state", "selections", "personas"]);
    let items = home.read(DECK)["registry"]["personas"]["items"].clone();
    let id = |at: usize| items[at]["id"].clone();
    let revision = apply(0, set(persona.clone(), id(0)));
    let first = take("First");
    let revision = apply(revision, set(persona.clone(), id(1)));
    let second = take("Second");
    let token = CancellationToken::new();
    let nothing = studio.snapshot_impact(DECK, &token).expect("compared");
    assert_eq!((nothing.snapshots, nothing.same), (2, 2));
    assert_eq!(nothing.listed, []);

    // One item is gone, the other one prints another text.
    let mut left = items[1].clone();
    left["context"] = json!("Another context.");
    let all = json!(["registry", "personas", "items"]);
    apply(revision, set(all, json!([left])));
    let found = studio.snapshot_impact(DECK, &token).expect("compared");
    assert_eq!(
        (found.snapshots, found.same, found.changed, found.broken),
        (2, 0, 1, 1)
    );
    let [changed, broken] = found.listed.as_slice() else {
        panic!("{:?}", found.listed);
    };
    assert_eq!((changed.id, broken.id), (second, first));
    assert!(
        changed
            .parts
            .iter()
            .any(|part| part.kind == PartKind::Added && part.text.contains("Another"))
    );
    let problem = broken.problem.as_deref().expect("a reason");
    assert!(problem.contains("personas"), "{problem}");
}
