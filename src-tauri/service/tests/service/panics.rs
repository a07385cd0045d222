//! A panic on a background thread is reported, and the thread continues.

use std::fs;

use promptdeck_service::wire::{Event, RunParams, RunStatus, RunStep, TurnState};
use serde_json::json;

use crate::home::{Events, Home, typed};
use crate::talk::{self, CALL};

/// Waits for the report of a panic.
fn reported(events: &Events, what: &str) {
    events.wait("a report", |event| match event {
        Event::Failed { problem } if problem.code == "panicked" => {
            assert!(problem.message.starts_with(what), "{problem:?}");
            Some(())
        }
        _ => None,
    });
}

fn draft_failed(events: &Events) {
    events.wait("a report", |event| match event {
        Event::Draft {
            problem: Some(problem),
            ..
        } => (problem.code == "panicked").then_some(()),
        _ => None,
    });
}

#[test]
fn diagnostics_come_after_an_analysis_that_panicked() {
    let home = Home::new();
    let (studio, events) = home.open_failing(|event| matches!(event, Event::Lint(_)));
    reported(&events, "analysis failed inside Promptdeck");
    let typed = typed(0, 0, "More ");
    studio.apply("deck.json", &typed).expect("applied");
    events.wait("diagnostics", |event| {
        matches!(event, Event::Lint(lint) if lint.revision == 1).then_some(())
    });
}

#[test]
fn a_draft_is_written_after_a_write_that_panicked() {
    let home = Home::new();
    let fails = |event: &Event| matches!(event, Event::Draft { revision, .. } if *revision == 1);
    let (studio, events) = home.open_failing(fails);
    let first = typed(0, 0, "One ");
    studio.apply("deck.json", &first).expect("applied");
    draft_failed(&events);
    // Without another edit.
    events.draft_saved(1);
    let second = typed(1, 0, "Two ");
    studio.apply("deck.json", &second).expect("applied");
    events.draft_saved(2);
    std::mem::forget(studio);
    let (studio, _) = home.open();
    let tree = studio.open_document("deck.json").expect("opened").tree;
    let ending = &tree["registry"]["prompt_endings"]["items"][0]["text"];
    assert_eq!(*ending, "Two One Go.");
}

#[test]
fn edits_are_saved_after_a_save_that_panicked() {
    let home = Home::new();
    let fails = |event: &Event| {
        matches!(
            event,
            Event::Autosaved {
                report: Some(_),
                ..
            }
        )
    };
    let (studio, events) = home.open_failing(fails);
    let mut settings = studio.workspace().settings;
    settings.autosave = true;
    studio.save_settings(&settings).expect("stored");
    for (base, words) in [(0, "One "), (1, "Two ")] {
        let typed = typed(base, 0, words);
        studio.apply("deck.json", &typed).expect("applied");
        if base == 0 {
            draft_failed(&events);
        }
    }
    events.wait("a save", |event| match event {
        Event::Autosaved { report, .. } => {
            report.as_ref().map(|report| report.status.revision == 2)
        }
        _ => None,
    });
}

#[test]
fn changes_on_disk_are_seen_after_a_reading_that_panicked() {
    let home = Home::new();
    let (_studio, events) = home.open_failing(|event| matches!(event, Event::WorkspaceChanged));
    fs::write(home.path("other.json"), "{}").expect("written");
    reported(&events, "reading changed files failed inside Promptdeck");
    home.write("deck.json", &json!({"registry": {"assembly_order": []}}));
    events.wait("the change", |event| {
        matches!(event, Event::Reloaded { .. }).then_some(())
    });
}

/// How many runs of a batch ended, and the code of what ended it.
fn over(events: &Events, wanted: u32) -> (u32, Option<String>) {
    events.wait("the end of a batch", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { done, problem },
            ..
        } if *batch == wanted => {
            Some((*done, problem.as_ref().map(|problem| problem.code.clone())))
        }
        _ => None,
    })
}

#[test]
fn a_batch_ends_after_a_run_that_panicked() {
    let home = talk::home();
    let begins = |event: &Event| {
        let Event::Run { step, .. } = event else {
            return false;
        };
        matches!(step, RunStep::Begun { .. })
    };
    let panicked = (0, Some("panicked".to_owned()));
    let (studio, events) = home.open_failing(begins);
    let params = RunParams {
        connection: None,
        seeds: 2,
    };
    let start = || {
        studio
            .start_runs("deck.json", &params)
            .expect("started")
            .batch
    };
    assert_eq!(over(&events, start()), panicked);
    let runs = studio.runs("deck.json", 0, 9).expect("a history").runs;
    let status: Vec<_> = runs.iter().map(|run| run.status).collect();
    assert_eq!(status, [RunStatus::Interrupted]);
    assert_eq!(over(&events, start()), (2, None));

    let (studio, events) = home.open_failing(begins);
    studio.open_call(CALL).expect("opened");
    let messages = [talk::message("user", "Go")];
    let sent = studio.send_turns("deck.json", &talk::params(None), &messages, true);
    assert_eq!(
        over(&events, sent.expect("sent").batch.expect("a batch")),
        panicked
    );
    events.wait("the turn", |event| match event {
        Event::Talk { turn, .. } => (turn.state == TurnState::Interrupted).then_some(()),
        _ => None,
    });
    let again = talk::params(Some(talk::turns(&studio)[1].id));
    let sent = studio.send_turns("deck.json", &again, &messages, true);
    let ended = over(&events, sent.expect("sent").batch.expect("a batch"));
    assert_eq!(ended, (1, None));
}
