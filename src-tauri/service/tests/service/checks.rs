//! The file of checks of a registry: it is edited with undo, and runs on the registry that is open.

use std::fs;

use promptdeck_checks::{ChecksDocument, Suite};
use promptdeck_core::hydrate::Engine;
use promptdeck_core::registry;
use promptdeck_service::checks::BuiltInTokenizers;
use promptdeck_service::wire::{
    CheckOutcome, ChecksReport, Edit, Event, NewCheck, RunParams, RunStep,
};
use promptdeck_service::{CancellationToken, Studio};
use serde_json::{Value, json};

use crate::home::{Events, Home, group, path, prompt, registry as deck, set, typed};

pub const CHECKS: &str = "deck.checks.json";

pub fn checks() -> Value {
    json!({
        "$schema": "checks.schema.json",
        "version": 1,
        "checks": [
            {"name": "begins at the bar", "own": {"kept": [1.50, null]},
             "given": {"rolls": 20, "variables": {"base_context::place": "the bar"}},
             "expect": [{"starts_with": "You are at the bar."}, {"not_contains": "Stop"}]},
            {"name": "ends", "given": {"seed": 7}, "expect": [{"ends_with": "Go."}]},
        ],
        "notes": "mine",
    })
}

pub fn home() -> Home {
    let home = Home::new();
    home.write(CHECKS, &checks());
    home
}

/// A layout of an author's own.
const BY_HAND: &str = r#"{ "version": 1, "checks": [
    { "name": "ends", "own": [1.50],   "expect": [{ "ends_with": "Go." }] }
] }"#;

pub fn open(home: &Home) -> (Studio, Events) {
    let (studio, events) = home.open();
    studio.open_checks("deck.json").expect("opened");
    (studio, events)
}

fn run(studio: &Studio) -> ChecksReport {
    let cancel = CancellationToken::new();
    studio.run_checks("deck.json", &cancel).expect("ran")
}

fn outcomes(report: &ChecksReport) -> Vec<(&str, CheckOutcome)> {
    let verdicts = report.verdicts.iter();
    verdicts
        .map(|verdict| (verdict.name.as_str(), verdict.outcome))
        .collect()
}

/// Adds text to the last field that prints.
fn add_stop(studio: &Studio) {
    studio
        .apply("deck.json", &typed(0, 3, " Stop."))
        .expect("applied");
}

#[test]
fn verdicts_follow_the_registry_in_the_window_and_are_those_of_the_library() {
    let home = home();
    let (studio, _) = open(&home);
    let before = run(&studio);
    assert_eq!(
        outcomes(&before),
        [
            ("begins at the bar", CheckOutcome::Passed),
            ("ends", CheckOutcome::Passed)
        ]
    );
    add_stop(&studio);
    let after = run(&studio);
    assert_eq!(
        outcomes(&after),
        [
            ("begins at the bar", CheckOutcome::Failed),
            ("ends", CheckOutcome::Failed)
        ]
    );
    studio.save("deck.json").expect("saved");
    let parsed = registry::parse(&fs::read(home.path("deck.json")).expect("read"));
    let engine = Engine::new(parsed.expect("a registry").registry);
    let document = ChecksDocument::parse(&fs::read(home.path(CHECKS)).expect("read"));
    let document = document.expect("checks");
    let suite = Suite::new(&document, &engine, &BuiltInTokenizers::default());
    for (verdict, library) in after.verdicts.iter().zip(suite.run_all()) {
        let [failure] = verdict.failures.as_slice() else {
            panic!("one failure: {verdict:?}")
        };
        let [library] = library.failures() else {
            panic!("one failure: {library:?}")
        };
        assert_eq!(failure.expectation, library.expectation);
        assert_eq!(
            failure.seed,
            library.seed.map(promptdeck_core::hydrate::Seed::get)
        );
        assert_eq!(failure.expected, library.expected);
        assert_eq!(failure.found, library.found);
        assert_eq!(failure.sources.len(), library.sources.len());
    }
    let sources = &after.verdicts[0].failures[0].sources;
    assert_eq!(
        (&*sources[0].section, &*sources[0].field),
        ("prompt_endings", "text")
    );
    let cancel = CancellationToken::new();
    cancel.cancel();
    let fault = studio.run_checks("deck.json", &cancel).expect_err("over");
    assert_eq!(fault.code(), "superseded");
}

#[test]
fn a_failing_roll_opens_with_its_state_route_and_seed() {
    let home = home();
    let (studio, _) = open(&home);
    add_stop(&studio);
    let seed = run(&studio).verdicts[0].failures[0].seed.expect("a seed");
    studio
        .open_check_roll("deck.json", 0, seed)
        .expect("opened");
    let opened = studio.open_document("deck.json").expect("open");
    assert_eq!(opened.tree["seed"], json!(seed));
    assert_eq!(
        opened.tree["state"]["template_vars"],
        json!({"base_context::place": "the bar"})
    );
    assert!(prompt(&opened).starts_with("You are at the bar."));
    assert!(prompt(&opened).ends_with("Go. Stop."), "the edit is there");
    studio.undo("deck.json").expect("undone");
    let opened = studio.open_document("deck.json").expect("open");
    assert_eq!(opened.tree["state"]["template_vars"], json!({}));
    let none = studio.open_check_roll("deck.json", 9, 1).expect_err("none");
    assert_eq!(none.code(), "nothing_to_do");
}

#[test]
fn a_check_that_cannot_run_has_a_place_and_the_others_run() {
    let home = Home::new();
    let text = "{\"checks\": [\n  {\"name\": \"bad\", \"expect\": [\n    {\"matches\": \"(\"}]},\n  \
                {\"name\": \"typo\", \"expect\": [{\"contain\": \"a\"}]},\n  {\"name\": \"good\", \"expect\": \
                [{\"ends_with\": \"Go.\"}]}]}";
    fs::write(home.path(CHECKS), text).expect("written");
    let (studio, _) = open(&home);
    let report = run(&studio);
    assert_eq!(
        outcomes(&report),
        [
            ("bad", CheckOutcome::Invalid),
            ("typo", CheckOutcome::Invalid),
            ("good", CheckOutcome::Passed)
        ]
    );
    let fault = report.verdicts[0].faults.first().expect("a fault");
    assert_eq!((fault.line, fault.column), (Some(3), Some(17)));
    assert_eq!(fault.pointer, "/checks/0/expect/0/matches");
    let fault = report.verdicts[1].faults.first().expect("a fault");
    assert_eq!((fault.line, fault.column), (Some(4), Some(43)));
    // After an edit the place is that in the file which saving would write.
    let renamed = set(json!(["checks", 2, "name"]), json!("better"));
    studio
        .apply_checks(CHECKS, &group(0, vec![renamed]))
        .expect("applied");
    studio.save_checks(CHECKS).expect("saved");
    let report = run(&studio);
    let fault = report.verdicts[0].faults.first().expect("a fault");
    let line = fault.line.expect("a line") as usize - 1;
    let saved = fs::read_to_string(home.path(CHECKS)).expect("read");
    assert!(saved.lines().nth(line).expect("there").contains("matches"));
}

#[test]
fn a_damaged_file_is_an_error_with_its_place_and_stays_as_it_is() {
    let home = Home::new();
    let damaged = "{\"version\": 1,\n  \"checks\": [}";
    fs::write(home.path(CHECKS), damaged).expect("written");
    let (studio, _) = home.open();
    let fault = studio.open_checks("deck.json").expect_err("refused");
    let failure = promptdeck_service::wire::Failure::from(&fault);
    assert_eq!((failure.line, failure.column), (Some(2), Some(14)));
    assert_eq!(failure.file.as_deref(), Some(CHECKS));
    let check = NewCheck::Prompt { seed: 1 };
    studio
        .keep_check("deck.json", &check)
        .expect_err("no place to keep it");
    let cancel = CancellationToken::new();
    studio.run_checks("deck.json", &cancel).expect_err("none");
    assert_eq!(
        fs::read_to_string(home.path(CHECKS)).expect("read"),
        damaged
    );
}

#[test]
fn a_registry_without_checks_gets_a_file_when_its_first_check_is_saved() {
    let home = Home::new();
    let (studio, _) = open(&home);
    assert!(run(&studio).verdicts.is_empty());
    assert!(!home.path(CHECKS).exists());
    let new_check = studio
        .keep_check("deck.json", &NewCheck::Prompt { seed: 7 })
        .expect("kept");
    assert_eq!(
        (new_check.index, new_check.name.as_str()),
        (0, "prompt of seed 7")
    );
    assert!(new_check.change.status.modified);
    let listed = || {
        let all = studio.workspace().registries;
        let deck = all.iter().find(|entry| entry.file == "deck.json");
        deck.expect("listed").modified
    };
    assert!(listed(), "the list of registries marks unsaved checks");
    let again = studio
        .keep_check("deck.json", &NewCheck::Prompt { seed: 7 })
        .expect("kept");
    assert_eq!(again.name, "prompt of seed 7 2", "a unique name");
    studio.undo_checks(CHECKS).expect("undone");
    assert!(
        run(&studio)
            .verdicts
            .iter()
            .all(|verdict| verdict.outcome == CheckOutcome::Passed)
    );
    let saved = studio.save_checks(CHECKS).expect("saved");
    assert!(saved.written && !saved.status.modified);
    assert!(!listed());
    let written = home.read(CHECKS);
    assert_eq!(written["version"], 1);
    assert_eq!(written["checks"][0]["given"], json!({"seed": 7}));
    studio.use_seed("deck.json", 7).expect("rolled");
    let opened = studio.open_document("deck.json").expect("open");
    assert_eq!(written["checks"][0]["expect"][0]["text"], prompt(&opened));
    // A file that another program removed is gone, and undo has its checks.
    fs::remove_file(home.path(CHECKS)).expect("removed");
    let opened = studio.open_checks("deck.json").expect("open");
    assert_eq!(opened.tree["checks"], json!([]));
    assert_eq!(opened.status.undo.expect("a step").text, "Change on disk");
}

#[test]
fn a_new_golden_text_is_accepted_as_an_edit_and_unknown_keys_stay() {
    let home = home();
    let (studio, _) = open(&home);
    studio
        .keep_check("deck.json", &NewCheck::Prompt { seed: 7 })
        .expect("kept");
    add_stop(&studio);
    let report = run(&studio);
    let golden = report.verdicts[2].failures[0].golden.as_ref();
    let golden = golden.expect("a golden text");
    assert_eq!(golden.pointer, "/checks/2/expect/0/text");
    assert!(golden.new.ends_with("Go. Stop."));
    let added: Vec<_> = golden
        .parts
        .iter()
        .filter(|part| part.kind != promptdeck_service::wire::PartKind::Same)
        .collect();
    assert_eq!(added.len(), 1);
    assert!(added[0].text.contains("Stop."));
    let accept = set(
        json!(["checks", 2, "expect", 0, "text"]),
        golden.new.clone().into(),
    );
    studio
        .apply_checks(CHECKS, &group(1, vec![accept]))
        .expect("applied");
    assert_eq!(run(&studio).verdicts[2].outcome, CheckOutcome::Passed);
    studio.save_checks(CHECKS).expect("saved");
    let saved = home.read(CHECKS);
    assert_eq!(saved["checks"][0], checks()["checks"][0]);
    let keys: Vec<_> = saved.as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["$schema", "version", "checks", "notes"]);
    let text = fs::read_to_string(home.path(CHECKS)).expect("read");
    assert!(text.contains("1.5"), "{text}");
}

#[test]
fn answers_and_snapshots_are_kept_with_what_holds_now() {
    let home = Home::new();
    let mut registry = deck();
    registry["registry"]["output_policy"] = json!({
        "strip_prefixes": ["Host:"],
        "forbidden_patterns": ["As an AI"],
    });
    home.write("deck.json", &registry);
    let (studio, _) = open(&home);
    for answer in ["Host: Correct!", "As an AI I cannot.", "Correct!"] {
        let check = NewCheck::Answer {
            text: answer.into(),
        };
        studio.keep_check("deck.json", &check).expect("kept");
    }
    let variable = set(
        json!(["state", "template_vars", "base_context::place"]),
        json!("home"),
    );
    studio
        .apply("deck.json", &group(0, vec![variable]))
        .expect("applied");
    let snapshot = studio
        .take_snapshot("deck.json", Some("At home"))
        .expect("taken");
    studio.undo("deck.json").expect("undone");
    let new_check = studio
        .keep_check("deck.json", &NewCheck::Snapshot { id: snapshot.id })
        .expect("kept");
    assert_eq!(new_check.name, "At home");
    let tree = studio.open_checks("deck.json").expect("open").tree;
    let expected = |index: usize| tree["checks"][index]["expect"].clone();
    assert_eq!(expected(0)[0], json!({"accepted": true}));
    assert_eq!(expected(0)[1], json!({"cleaned": "Correct!"}));
    assert!(expected(1)[0]["rejected"].is_string());
    assert_eq!(expected(2), json!([{"accepted": true}]));
    let golden = expected(3)[0]["text"].clone();
    assert!(
        golden
            .as_str()
            .expect("text")
            .starts_with("You are at home.")
    );
    let report = run(&studio);
    assert!(
        report
            .verdicts
            .iter()
            .all(|verdict| verdict.outcome == CheckOutcome::Passed)
    );
}

#[test]
fn outside_changes_are_loaded_or_wait_for_a_decision() {
    let home = home();
    let (studio, events) = open(&home);
    let mut other = checks();
    other["notes"] = json!("theirs");
    home.write(CHECKS, &other);
    let change = events.wait("reloaded", |event| match event {
        Event::ChecksReloaded { change } => Some(change.clone()),
        _ => None,
    });
    assert_eq!(change.document, CHECKS);
    assert!(!change.status.modified);
    let edits = vec![Edit::Remove {
        path: path(json!(["checks", 1])),
    }];
    studio
        .apply_checks(CHECKS, &group(change.status.revision, edits))
        .expect("applied");
    other["notes"] = json!("theirs again");
    home.write(CHECKS, &other);
    let saved = studio.save_checks(CHECKS).expect("answered");
    assert!(!saved.written);
    let conflict = saved.conflict.expect("a conflict");
    let keys: Vec<_> = conflict.rows.iter().map(|row| row.key.as_str()).collect();
    assert_eq!(keys, ["checks", "notes"]);
    // Each side changed one of them, so the proposals lose nothing.
    studio
        .resolve_checks(CHECKS, &std::collections::BTreeMap::new())
        .expect("resolved");
    assert!(studio.save_checks(CHECKS).expect("saved").written);
    let merged = home.read(CHECKS);
    assert_eq!(merged["notes"], "theirs again");
    assert_eq!(merged["checks"].as_array().expect("a list").len(), 1);
}

#[test]
fn a_save_writes_the_changed_check_only() {
    let home = Home::new();
    fs::write(home.path(CHECKS), BY_HAND).expect("written");
    let (studio, _) = open(&home);
    for _ in 0..2 {
        studio
            .keep_check("deck.json", &NewCheck::Prompt { seed: 7 })
            .expect("kept");
        studio.save_checks(CHECKS).expect("saved");
        let saved = fs::read_to_string(home.path(CHECKS)).expect("read");
        let (before, _) = BY_HAND.split_once(" }] }\n").expect("two parts");
        assert!(saved.starts_with(before), "{saved}");
    }
    let edits = vec![
        Edit::Remove {
            path: path(json!(["checks", 2])),
        },
        Edit::Remove {
            path: path(json!(["checks", 1])),
        },
    ];
    studio
        .apply_checks(CHECKS, &group(2, edits))
        .expect("applied");
    studio.save_checks(CHECKS).expect("saved");
    let saved = fs::read_to_string(home.path(CHECKS)).expect("read");
    assert_eq!(saved, BY_HAND, "byte for byte");
}

#[test]
fn an_answer_of_a_run_is_kept_with_the_verdict_of_its_policy() {
    let home = Home::new();
    let (studio, events) = open(&home);
    let params = RunParams {
        connection: None,
        seeds: 1,
    };
    studio.start_runs("deck.json", &params).expect("started");
    let id = events.wait("the end of the run", |event| match event {
        Event::Run {
            step: RunStep::Ended { run },
            ..
        } => Some(run.id),
        _ => None,
    });
    let keep = |attempt| studio.keep_check("deck.json", &NewCheck::Run { id, attempt });
    let new_check = keep(Some(0)).expect("kept");
    keep(None).expect("kept");
    let tree = studio.open_checks("deck.json").expect("open").tree;
    let check = &tree["checks"][0];
    assert_eq!(check["name"], new_check.name.as_str());
    assert!(!check["answer"].as_str().expect("an answer").is_empty());
    assert_eq!(check["answer"], tree["checks"][1]["answer"]);
    assert_eq!(run(&studio).verdicts[0].outcome, CheckOutcome::Passed);
    let fault = keep(Some(9)).expect_err("none");
    assert_eq!(fault.code(), "nothing_to_do");
}
