//! Runs and connections of the studio: told step by step, written down, stopped, opened again.

use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::{ConnectionEntry, Event, RunEntry, RunOrder, RunStatus, RunStep};
use promptdeck_tests::{
    asking::PLANTED_KEY,
    servers::{Canned, aimock},
};
use serde_json::json;

use crate::home::{Home, Told, prompt};

fn order(connection: Option<&str>, stream: bool, seeds: u32) -> RunOrder {
    RunOrder {
        connection: connection.map(str::to_owned),
        stream,
        seeds,
    }
}

fn connection(kind: &str, base_url: &str) -> ConnectionEntry {
    ConnectionEntry {
        name: "work".to_owned(),
        kind: kind.to_owned(),
        base_url: base_url.to_owned(),
        model: "tiny".to_owned(),
        keyed: false,
        variable: String::new(),
    }
}

/// Waits until an order is over; how many of its runs came to their end.
fn over(told: &Told, wanted: u32) -> u32 {
    told.wait("the end of an order", |event| match event {
        Event::Run {
            order,
            step: RunStep::Over { done, problem },
            ..
        } if *order == wanted => {
            assert_eq!(*problem, None);
            Some(*done)
        }
        _ => None,
    })
}

/// The only run of a fresh document with this order and connection.
fn only_run(studio: &Studio, told: &Told, order: &RunOrder) -> RunEntry {
    let number = studio.start_runs("deck.json", order).expect("started");
    assert_eq!(over(told, number), 1);
    let history = studio.runs("deck.json", 0, 10).expect("a history");
    assert_eq!((history.runs.len(), history.damaged), (1, 0));
    history.runs[0].clone()
}

/// A home whose registry's prompt is one text, which is what a mock server answers to.
fn home_of(prompt: &str) -> Home {
    let home = Home::new();
    let registry = json!({
        "assembly_order": ["greeting"],
        "greeting": {"required": true, "items": [{"id": "hello", "text": prompt}]},
    });
    home.write("deck.json", &json!({"registry": registry}));
    home
}

#[test]
fn several_seeds_are_written_down_with_their_evaluations() {
    let home = Home::new();
    let (studio, told) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let number = studio
        .start_runs("deck.json", &order(None, true, 3))
        .expect("started");
    assert_eq!(over(&told, number), 3);
    let history = studio.runs("deck.json", 0, 10).expect("a history");
    assert_eq!(
        (history.runs.len(), history.total, history.damaged),
        (3, 3, 0)
    );
    for run in &history.runs {
        assert_eq!(run.status, RunStatus::Accepted, "{run:?}");
        assert_eq!(run.outcome["seed"], json!(run.seed));
        assert!(run.outcome["evaluation"]["sections"].is_object());
        assert_eq!(
            run.request["body"]["input"]["messages"][0]["content"],
            run.outcome["prompt"]
        );
    }
    assert_eq!(history.runs[2].outcome["prompt"], json!(prompt(&opened)));
    let begun = |event: &Event| {
        matches!(
            event,
            Event::Run {
                step: RunStep::Begun { .. },
                ..
            }
        )
    };
    let deltas = |event: &Event| {
        matches!(
            event,
            Event::Run {
                step: RunStep::Delta { .. },
                ..
            }
        )
    };
    assert_eq!(told.count(begun), 3);
    assert!(told.count(deltas) > 3);
}

#[test]
fn a_run_is_opened_again_as_a_state() {
    let home = Home::new();
    let (studio, told) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let number = studio
        .start_runs("deck.json", &order(None, false, 2))
        .expect("started");
    over(&told, number);
    let history = studio.runs("deck.json", 0, 10).expect("a history");
    let drawn = &history.runs[0];
    assert_ne!(drawn.seed, history.runs[1].seed);
    studio.reopen_run("deck.json", drawn.id).expect("reopened");
    let number = studio
        .start_runs("deck.json", &order(None, false, 1))
        .expect("started");
    over(&told, number);
    let again = &studio.runs("deck.json", 0, 1).expect("a history").runs[0];
    assert_eq!((again.seed, &again.request), (drawn.seed, &drawn.request));
    assert_eq!(again.outcome["evaluation"], drawn.outcome["evaluation"]);
}

#[test]
fn a_server_is_asked_at_its_base_url_only_when_a_run_is_ordered() {
    let server = Canned::answering("200 OK", "", r#"{"message":{"content":"Hi"},"done":true}"#);
    let home = Home::new();
    let (studio, told) = home.studio();
    studio.open_document("deck.json").expect("opened");
    studio
        .keep_connection(&connection("ollama", server.address()))
        .expect("kept");
    assert_eq!(
        studio.connections().expect("a list")[0].variable,
        "PROMPTDECK_API_KEY_WORK"
    );
    assert_eq!(server.requests(), Vec::<String>::new());
    let run = only_run(&studio, &told, &order(Some("work"), false, 1));
    assert_eq!(
        (run.status, &run.outcome["text"]),
        (RunStatus::Accepted, &json!("Hi"))
    );
    let address = format!("{}/api/chat", server.address());
    assert_eq!(
        (&run.request["address"], server.requests().len()),
        (&json!(address), 1)
    );
    assert_eq!(run.request["body"]["model"], json!("tiny"));
}

#[test]
fn what_arrived_before_a_cut_is_kept() {
    let home = home_of("case:cut");
    let (studio, told) = home.studio();
    studio.open_document("deck.json").expect("opened");
    studio
        .keep_connection(&connection("ollama", aimock()))
        .expect("kept");
    let run = only_run(&studio, &told, &order(Some("work"), true, 1));
    assert_eq!(
        (run.status, &run.outcome["error"]["code"]),
        (RunStatus::Failed, &json!("cut"))
    );
    let partial = run.outcome["partial"].as_str().unwrap_or_default();
    assert!(partial.starts_with("This"), "{partial:?}");
}

#[test]
fn a_stop_keeps_what_arrived_and_ends_the_order() {
    let home = home_of("case:slow");
    let (studio, told) = home.studio();
    studio.open_document("deck.json").expect("opened");
    studio
        .keep_connection(&connection("ollama", aimock()))
        .expect("kept");
    let number = studio
        .start_runs("deck.json", &order(Some("work"), true, 9))
        .expect("started");
    told.wait("a piece", |event| match event {
        Event::Run {
            step: RunStep::Delta { text, .. },
            ..
        } => Some(text.clone()),
        _ => None,
    });
    studio.stop_runs(number);
    assert_eq!(over(&told, number), 1);
    let run = &studio.runs("deck.json", 0, 1).expect("a history").runs[0];
    assert_eq!(run.status, RunStatus::Stopped);
    assert!(
        run.outcome["partial"]
            .as_str()
            .is_some_and(|text| text.starts_with("Th"))
    );
}

#[test]
fn a_key_the_server_repeats_is_not_kept() {
    let home = home_of("case:401");
    let (studio, told) = home.studio();
    studio.open_document("deck.json").expect("opened");
    studio
        .keep_connection(&connection("openai", aimock()))
        .expect("kept");
    // Without a keyring there is nowhere to put it, and it is said how else.
    if let Err(fault) = studio.set_key("work", PLANTED_KEY) {
        assert_eq!(fault.code(), "no_keyring");
        assert!(
            fault.to_string().contains("PROMPTDECK_API_KEY_WORK"),
            "{fault}"
        );
        assert!(!fault.to_string().contains(PLANTED_KEY));
        return;
    }
    let run = only_run(&studio, &told, &order(Some("work"), true, 1));
    assert_eq!(run.outcome["error"]["code"], json!("unauthorized"));
    drop(studio);
    let store = fs::read(home.store()).expect("a store");
    let planted = PLANTED_KEY.as_bytes();
    assert!(!store.windows(planted.len()).any(|window| window == planted));
}

#[test]
fn connections_that_make_no_sense_are_refused() {
    let home = Home::new();
    let (studio, _told) = home.studio();
    let check = |kind: &str, base_url: &str, code: &str| {
        let fault = studio.keep_connection(&connection(kind, base_url));
        assert_eq!(fault.map_err(|fault| fault.code()), Err(code));
    };
    check("oracle", "http://localhost:1", "bad_connection");
    check("ollama", "ftp://localhost", "invalid_url");
    check("openai", "https://me:sk-planted@host/v1", "invalid_url");
    let missing = studio.models("nobody").map_err(|fault| fault.code());
    assert_eq!(missing, Err("bad_connection"));
}
