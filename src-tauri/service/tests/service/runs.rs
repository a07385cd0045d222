//! Runs and connections of the studio: reported step by step, stored, stopped, opened again.

use std::time::Duration;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    ConnectionEntry, Event, PartKind, RunDetail, RunParams, RunStatus, RunStep,
};
use promptdeck_tests::servers::{Canned, aimock};
use serde_json::json;

use crate::home::{Events, Home, connection, prompt};

fn params(connection: Option<&str>, seeds: u32) -> RunParams {
    RunParams {
        connection: connection.map(str::to_owned),
        seeds,
    }
}

/// Starts runs of the document and gives the number of their batch.
fn start(studio: &Studio, params: &RunParams) -> u32 {
    studio
        .start_runs("deck.json", params)
        .expect("started")
        .batch
}

/// The runs of the document with everything about them, newest first.
fn details(studio: &Studio) -> Vec<RunDetail> {
    let history = studio.runs("deck.json", 0, 100).expect("a history");
    assert_eq!(history.damaged, 0);
    let runs = history.runs.iter();
    runs.map(|run| studio.run(run.id).expect("a run")).collect()
}

/// Waits for the end of a batch; returns how many of its runs ended.
fn over(events: &Events, wanted: u32) -> u32 {
    events.wait("the end of a batch", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { done, problem },
            ..
        } if *batch == wanted => {
            assert_eq!(*problem, None);
            Some(*done)
        }
        _ => None,
    })
}

/// The only run of a fresh document with these parameters.
fn only_run(studio: &Studio, events: &Events, params: &RunParams) -> RunDetail {
    assert_eq!(over(events, start(studio, params)), 1);
    let mut runs = details(studio);
    assert_eq!(runs.len(), 1);
    runs.remove(0)
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
    let (studio, events) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert_eq!(over(&events, start(&studio, &params(None, 3))), 3);
    let runs = details(&studio);
    assert_eq!(runs.len(), 3);
    for detail in &runs {
        assert_eq!(detail.run.status, RunStatus::Accepted, "{detail:?}");
        assert!(detail.evaluation["sections"].is_object());
        assert_eq!(
            detail.body["input"]["messages"][0]["content"],
            json!(detail.prompt)
        );
    }
    assert_eq!(runs[2].prompt, prompt(&opened));
    assert!(runs[0].run.seed != runs[1].run.seed && runs[1].run.seed != runs[2].run.seed);
    let count = |wanted: fn(&RunStep) -> bool| {
        events.count(|event| matches!(event, Event::Run { step, .. } if wanted(step)))
    };
    assert_eq!(count(|step| matches!(step, RunStep::Begun { .. })), 3);
    assert!(count(|step| matches!(step, RunStep::Delta { .. })) >= 3);
    assert_eq!(count(|step| matches!(step, RunStep::Judged { .. })), 3);
    assert_eq!(count(|step| matches!(step, RunStep::Ended { .. })), 3);
}

#[test]
fn a_run_names_the_entries_its_seed_rolled() {
    let home = Home::new();
    let registry = json!({
        "assembly_order": ["notes.items"],
        "notes": {
            "required": true,
            "items": [{"id": "a", "items": ["Say it."]}],
            "array_modes": {"items": "random:1"},
        },
    });
    home.write("deck.json", &json!({"registry": registry}));
    let (studio, events) = home.open();
    let glance = only_run(&studio, &events, &params(None, 1)).run.glance;
    assert_eq!(glance.text, "items Say it.");
    assert_eq!(glance.detail, "notes items:\n0: Say it.");
}

#[test]
fn every_attempt_is_heard_and_shows_what_the_policy_changed() {
    let registry = |policy: serde_json::Value| {
        json!({"registry": {
            "assembly_order": ["greeting"],
            "greeting": {"required": true, "items": [{"id": "hello", "text": "case:plain"}]},
            "generation": {"retries": 3},
            "output_policy": policy,
        }})
    };
    let home = Home::new();
    home.write(
        "deck.json",
        &registry(json!({"strip_prefixes": ["good "], "forbidden_substrings": ["everyone"]})),
    );
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("openai", aimock()), None)
        .expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    assert_eq!(detail.run.status, RunStatus::Rejected);
    assert_eq!(
        detail.run.reason.as_deref(),
        Some("forbidden substring: 'everyone'")
    );
    assert_eq!(detail.attempts.len(), 3);
    for attempt in &detail.attempts {
        let of = |kind| -> String {
            let parts = attempt.changes.iter().filter(|part| part.kind != kind);
            parts.map(|part| part.text.as_str()).collect()
        };
        assert_eq!(of(PartKind::Added), "Good evening, everyone.");
        assert_eq!(of(PartKind::Removed), "evening, everyone.");
        assert!(!attempt.accepted);
    }
    let heard = events.count(|event| {
        matches!(event, Event::Run { step: RunStep::Judged { attempt, .. }, .. }
            if attempt.changes == detail.attempts[0].changes)
    });
    assert_eq!(heard, 3);
}

#[test]
fn a_prompt_that_is_too_long_is_not_sent() {
    let server = Canned::answering("200 OK", "", "{}");
    let home = Home::new();
    home.write(
        "deck.json",
        &json!({"registry": {
            "assembly_order": ["greeting"],
            "greeting": {"required": true, "items": [{"id": "hello", "text": "Hello there."}]},
            "generation": {"max_prompt_chars": 5},
        }}),
    );
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", server.address()), None)
        .expect("kept");
    let wanted = start(&studio, &params(Some("work"), 4));
    let problem = events.wait("the end of a batch", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { done: 0, problem },
            ..
        } if *batch == wanted => problem.clone(),
        _ => None,
    });
    assert_eq!(problem.code, "prompt_too_long");
    assert!(problem.message.contains("nothing was sent"), "{problem:?}");
    assert_eq!(server.requests(), Vec::<String>::new());
    assert_eq!(details(&studio), []);
}

#[test]
fn a_run_is_opened_again_as_a_state() {
    let home = Home::new();
    let (studio, events) = home.open();
    over(&events, start(&studio, &params(None, 2)));
    let drawn = details(&studio).remove(0);
    let change = studio.reopen_run("deck.json", drawn.run.id);
    assert!(change.expect("reopened").status.undo.is_some());
    over(&events, start(&studio, &params(None, 1)));
    let again = details(&studio).remove(0);
    assert_eq!((again.run.seed, &again.body), (drawn.run.seed, &drawn.body));
    assert_eq!(again.evaluation, drawn.evaluation);
    studio.forget_run(drawn.run.id).expect("forgotten");
    assert_eq!(details(&studio).len(), 2);
}

#[test]
fn a_run_interrupted_by_the_end_of_the_program_is_marked() {
    let home = home_of("case:slow");
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", aimock()), None)
        .expect("kept");
    let number = start(&studio, &params(Some("work"), 1));
    events.wait("the beginning", |event| {
        matches!(
            event,
            Event::Run {
                step: RunStep::Begun { .. },
                ..
            }
        )
        .then_some(())
    });
    assert_eq!(details(&studio)[0].run.status, RunStatus::Running);
    // Another program on the same store has no such run on its way.
    let (other, _events) = home.studio();
    other.open_document("deck.json").expect("opened");
    assert_eq!(details(&other)[0].run.status, RunStatus::Interrupted);
    studio.stop_runs(number);
    over(&events, number);
}

#[test]
fn what_a_run_received_before_a_kill_is_there_afterwards() {
    let home = home_of("Hi");
    let piece = "{\"message\":{\"role\":\"assistant\",\"content\":\"word \"},\"done\":false}\n";
    let pieces = vec![piece.to_owned(); 600];
    let server = Canned::dripping("application/x-ndjson", pieces, Duration::from_millis(20));
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", server.address()), None)
        .expect("kept");
    let number = start(&studio, &params(Some("work"), 1));
    // What is on disk while the answer streams is what a killed program leaves behind.
    let (other, _events) = home.studio();
    other.open_document("deck.json").expect("opened");
    let cut = (0..400).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let found = details(&other).pop();
        found.filter(|found| found.partial.starts_with("word word"))
    });
    let cut = cut.expect("a part of the text");
    assert_eq!(cut.run.status, RunStatus::Interrupted);
    assert!(cut.run.text.starts_with("word word"), "{}", cut.run.text);
    assert_eq!(cut.prompt, "Hi");
    studio.stop_runs(number);
    over(&events, number);
}

#[test]
fn runs_in_progress_follow_their_registry_to_another_name() {
    let home = home_of("Hi");
    std::fs::create_dir(home.path("finals")).expect("a folder");
    let piece = "{\"message\":{\"role\":\"assistant\",\"content\":\"word \"},\"done\":false}\n";
    let mut pieces = vec![piece.to_owned(); 20];
    pieces.push(
        "{\"message\":{\"role\":\"assistant\",\"content\":\"end\"},\"done\":true}\n".to_owned(),
    );
    let server = Canned::dripping("application/x-ndjson", pieces, Duration::from_millis(20));
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", server.address()), None)
        .expect("kept");
    let number = start(&studio, &params(Some("work"), 3));
    let begun = |name: &str| {
        events.wait("the beginning", |event| match event {
            Event::Run {
                document,
                step: RunStep::Begun { run },
                ..
            } if document == name => Some(run.id),
            _ => None,
        })
    };
    // The first run is in the store by now, the others are not.
    begun("deck.json");
    let moved = studio.move_registry("deck.json", "finals").expect("moved");
    begun(&moved.file);
    studio.rename_folder("finals", "rounds").expect("renamed");
    assert_eq!(over(&events, number), 3);
    let history = studio.runs("rounds/deck.json", 0, 100).expect("a history");
    let texts: Vec<&str> = history.runs.iter().map(|run| &*run.text).collect();
    let whole = format!("{}end", "word ".repeat(20));
    assert_eq!(texts, [&whole; 3]);
    let ended = events.count(|event| {
        matches!(event, Event::Run { document, step: RunStep::Over { .. }, .. }
            if document == "rounds/deck.json")
    });
    assert_eq!(ended, 1);
}

#[test]
fn an_attempt_that_only_calls_tools_shows_the_calls() {
    let server = Canned::answering(
        "200 OK",
        "Content-Type: application/x-ndjson\r\n",
        r#"{"message":{"content":"","tool_calls":[{"function":{"name":"weather","arguments":{"city":"Rome"}}}]},"done":true}"#,
    );
    let home = Home::new();
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", server.address()), None)
        .expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    let calls = &detail.attempts[0].extracted.as_ref().expect("calls").calls;
    assert_eq!(calls[0].name, "weather");
    assert_eq!(calls[0].arguments.replace(' ', ""), r#"{"city":"Rome"}"#);
    let line = detail.run.text.replace(' ', "");
    assert_eq!(line, r#"weather({"city":"Rome"})"#);
}

#[test]
fn a_server_is_asked_at_its_base_url_only_when_a_run_is_ordered() {
    let server = Canned::answering("200 OK", "", r#"{"message":{"content":"Hi"},"done":true}"#);
    let home = Home::new();
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", server.address()), None)
        .expect("kept");
    assert_eq!(
        studio.connections().expect("a list").list[0].variable,
        "PROMPTDECK_API_KEY_WORK"
    );
    assert_eq!(server.requests(), Vec::<String>::new());
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    assert_eq!(
        (detail.run.status, detail.run.text.as_str()),
        (RunStatus::Accepted, "Hi")
    );
    let address = format!("{}/api/chat", server.address());
    assert_eq!(
        (detail.address, server.requests().len()),
        (Some(address), 1)
    );
    assert_eq!(
        (&detail.body["model"], detail.run.model.as_str()),
        (&json!("tiny"), "tiny")
    );
}

#[test]
fn what_arrived_before_a_cut_is_kept() {
    let home = home_of("case:cut");
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", aimock()), None)
        .expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    assert_eq!(
        (detail.run.status, code(&detail)),
        (RunStatus::Failed, "truncated")
    );
    assert!(detail.partial.starts_with("This"), "{detail:?}");
    assert_eq!(detail.prompt, "case:cut");
    assert!(detail.evaluation["sections"].is_object());
}

#[test]
fn a_stop_keeps_what_arrived_and_ends_the_params() {
    let home = home_of("case:slow");
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("ollama", aimock()), None)
        .expect("kept");
    let number = start(&studio, &params(Some("work"), 9));
    events.wait("a piece", |event| match event {
        Event::Run {
            step: RunStep::Delta { text, .. },
            ..
        } => Some(text.clone()),
        _ => None,
    });
    studio.stop_runs(number);
    assert_eq!(over(&events, number), 1);
    let detail = details(&studio).remove(0);
    assert_eq!(detail.run.status, RunStatus::Stopped);
    assert!(detail.partial.starts_with("Th"), "{detail:?}");
}

/// The only run of a document, by a server that is always busy.
fn busy_run(home: &Home) -> (RunDetail, Events) {
    let server = Canned::answering("503 Later", "Retry-After: 0\r\n", "");
    let (studio, events) = home.open();
    studio
        .keep_connection(&connection("openai", server.address()), None)
        .expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    (detail, events)
}

#[test]
fn an_error_names_the_connection() {
    let (detail, _) = busy_run(&home_of("Hi"));
    let fault = detail.run.fault.expect("a fault");
    assert!(
        fault.message.starts_with("work: http://127.0.0.1"),
        "{}",
        fault.message
    );
}

#[test]
fn a_retry_is_reported_before_its_pause() {
    let (detail, events) = busy_run(&home_of("Hi"));
    assert_eq!(detail.overcome.len(), 2);
    for (at, overcome) in detail.overcome.iter().enumerate() {
        let reported = RunStep::Retrying {
            id: detail.run.id,
            error: overcome.clone(),
            number: at as u32 + 2,
            most: 3,
            pause_ms: 0,
        };
        let count =
            events.count(|event| matches!(event, Event::Run { step, .. } if *step == reported));
        assert_eq!(count, 1, "{reported:?}");
    }
}

fn code(detail: &RunDetail) -> &str {
    detail.run.fault.as_ref().map_or("", |fault| &fault.code)
}

#[test]
fn connections_that_make_no_sense_are_refused() {
    let home = Home::new();
    let (studio, _events) = home.studio();
    let refused = |wanted: &ConnectionEntry, before: Option<&str>, code: &str| {
        let fault = studio.keep_connection(wanted, before);
        assert_eq!(fault.map_err(|fault| fault.code()), Err(code));
    };
    let check = |kind: &str, base_url: &str, code: &str| {
        refused(&connection(kind, base_url), None, code);
    };
    check("oracle", "http://localhost:1", "bad_connection");
    check("ollama", "ftp://localhost", "invalid_url");
    check("openai", "https://me:sk-planted@host/v1", "invalid_url");
    let missing = studio.models("nobody").map_err(|fault| fault.code());
    assert_eq!(missing, Err("bad_connection"));
    let good = connection("ollama", "http://localhost:1");
    refused(&good, Some("nobody"), "bad_connection");
    studio.keep_connection(&good, None).expect("kept");
    refused(&good, None, "bad_connection");
    let mut templated = connection("completions", "http://localhost:1");
    templated.template = "{% if %}".to_owned();
    refused(&templated, Some("work"), "template_syntax");
    assert_eq!(studio.connections().expect("a list").list, [good_as_kept()]);
}

fn good_as_kept() -> ConnectionEntry {
    ConnectionEntry {
        variable: "PROMPTDECK_API_KEY_WORK".to_owned(),
        ..connection("ollama", "http://localhost:1")
    }
}

#[test]
fn a_connection_is_tried_before_it_is_kept_and_asked_for_its_models_after() {
    let server = Canned::answering("200 OK", "", r#"{"data":[{"id":"one"},{"id":"two"}]}"#);
    let home = Home::new();
    let (studio, _events) = home.studio();
    let wanted = connection("openai", server.address());
    let models = vec!["one".to_owned(), "two".to_owned()];
    let tried = studio.try_connection(&wanted, None, Some("sk-tried-0123"));
    assert_eq!(tried.expect("a list"), models);
    let sent = server.requests().join("");
    assert!(
        sent.contains("authorization: Bearer sk-tried-0123"),
        "{sent}"
    );
    assert_eq!(studio.connections().expect("a list").list, []);
    studio.keep_connection(&wanted, None).expect("kept");
    assert_eq!(studio.models("work").expect("a list"), models);
    let used = studio.use_model("work", " two ").expect("used");
    assert_eq!(used.model, "two");
    let renamed = ConnectionEntry {
        name: "home".to_owned(),
        ..used
    };
    studio
        .keep_connection(&renamed, Some("work"))
        .expect("kept");
    let names = studio.connections().expect("a list").list;
    assert_eq!(names.len(), 1);
    assert_eq!(
        (names[0].name.as_str(), names[0].model.as_str()),
        ("home", "two")
    );
    studio.forget_connection("home").expect("forgotten");
    assert_eq!(studio.connections().expect("a list").list, []);
}

#[test]
fn a_conversation_for_raw_completions_goes_through_the_connections_template() {
    let answer = r#"{"choices":[{"text":"Hi","finish_reason":"stop"}]}"#;
    let server = Canned::answering("200 OK", "Content-Type: application/json\r\n", answer);
    let home = home_of("Hello");
    let (studio, events) = home.open();
    let mut raw = connection("completions", server.address());
    raw.template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}\
                    {{ strftime_now('%Y') | length }}\
                    {% if add_generation_prompt %}<assistant>{% endif %}"
        .to_owned();
    studio.keep_connection(&raw, None).expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    assert_eq!(detail.body["prompt"], json!("<user>Hello4<assistant>"));
    assert_eq!(detail.run.text, "Hi");
    assert_eq!(detail.attempts[0].extracted, None);
}

#[test]
fn an_answer_in_channels_is_taken_apart_and_its_final_one_judged() {
    let raw_answer = "<|channel|>analysis<|message|>Which?<|end|><|start|>assistant\
                <|channel|>commentary to=functions.f<|message|>{\"a\": 1}<|call|>\
                <|start|>assistant<|channel|>final<|message|>Good evening.<|return|>";
    let answer = json!({"choices": [{"text": raw_answer, "finish_reason": "stop"}]}).to_string();
    let server = Canned::answering("200 OK", "Content-Type: application/json\r\n", &answer);
    let home = home_of("Hello");
    let (studio, events) = home.open();
    let mut raw = connection("completions", server.address());
    raw.template = "{{ messages[0].content }}{# <|channel|>final #}".to_owned();
    studio.keep_connection(&raw, None).expect("kept");
    let detail = only_run(&studio, &events, &params(Some("work"), 1));
    assert_eq!(detail.run.text, "Good evening.");
    let attempt = &detail.attempts[0];
    let kinds: Vec<_> = attempt.changes.iter().map(|part| part.kind).collect();
    let (same, removed) = (PartKind::Same, PartKind::Removed);
    assert_eq!(kinds, [removed, same, removed]);
    assert_eq!(attempt.changes[1].text, "Good evening.");
    let extracted = attempt.extracted.as_ref().expect("channels");
    let channels: Vec<_> = extracted
        .channels
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(channels, ["analysis", "commentary", "final"]);
    assert_eq!(extracted.thinking.as_deref(), Some("Which?"));
    let call = &extracted.calls[0];
    assert_eq!(
        (call.name.as_str(), call.arguments.as_str()),
        ("f", r#"{"a":1}"#)
    );
}
