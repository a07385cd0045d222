//! Answers of a conversation while they stream: what arrived outlives a kill, a stop and a broken
//! connection.

use std::fs;
use std::time::Duration;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Event, RequestTarget, RunStatus, RunStep, TalkParams, TalkTurn, TurnState,
};
use promptdeck_tests::servers::Canned;
use serde_json::{Value, json};

use crate::home::{Events, Home, connection, registry};
use crate::talk::{home, message, open, over, params, turns};

/// Starts an answer from a server of a kind.
fn ask(home: &Home, kind: &str, server: &Canned) -> (Studio, Events, u32) {
    let (studio, events) = open(home);
    studio
        .keep_connection(&connection(kind, server.address()), None)
        .expect("kept");
    let to = TalkParams {
        connection: Some("work".to_owned()),
        ..params(None)
    };
    let started = studio.send_turns("deck.json", &to, &[message("user", "Go")], true);
    let number = started.expect("started").batch.expect("a batch");
    (studio, events, number)
}

/// A server that sends pieces with a pause before each, and then drops the line.
fn dripping(pieces: &[Value], pause: Duration) -> Canned {
    let lines = pieces.iter().map(|piece| format!("{piece}\n")).collect();
    Canned::dripping("application/x-ndjson", lines, pause)
}

fn piece(text: &str, done: bool) -> Value {
    json!({"message": {"role": "assistant", "content": text}, "done": done})
}

#[test]
fn what_streamed_before_a_kill_is_there_afterwards() {
    let home = home();
    let pieces: Vec<Value> = (0..600).map(|_| piece("word ", false)).collect();
    let (studio, events, number) = ask(
        &home,
        "ollama",
        &dripping(&pieces, Duration::from_millis(20)),
    );
    // What is on disk while the answer streams is what a killed program leaves behind.
    let (other, _) = open(&home);
    let cut = (0..400).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        turns(&other)
            .pop()
            .filter(|turn| turn.content.starts_with("word word"))
    });
    let cut = cut.expect("a part of the answer");
    assert_eq!(
        (cut.state, cut.role.as_str()),
        (TurnState::Interrupted, "assistant")
    );
    assert_eq!(
        turns(&studio).pop().map(|turn| turn.state),
        Some(TurnState::Streaming)
    );
    studio.stop_runs(number);
    over(&events, number);
    let stopped = turns(&studio).pop().expect("a turn");
    assert_eq!(stopped.state, TurnState::Stopped);
    assert!(stopped.content.len() >= cut.content.len());
}

#[test]
fn an_answer_that_ends_in_another_folder_names_its_own() {
    let home = home();
    let pieces: Vec<_> = (0..600).map(|_| piece("and ", false)).collect();
    let server = dripping(&pieces, Duration::from_millis(20));
    let (studio, events, number) = ask(&home, "ollama", &server);
    let folder = studio.workspace().folder;
    events.wait("the answer", |event| match event {
        Event::Run {
            step: RunStep::Delta { .. },
            ..
        } => Some(()),
        _ => None,
    });
    let other = tempfile::tempdir().expect("a folder");
    fs::write(other.path().join("deck.json"), registry().to_string()).expect("written");
    let path = studio.choose_folder(other.path()).expect("a folder");
    studio
        .open_folder(&path, Some("deck.json"))
        .expect("opened");
    studio.stop_runs(number);
    over(&events, number);
    events.wait("the end of the turn", |event| match event {
        Event::Talk {
            folder: of, turn, ..
        } if turn.state == TurnState::Stopped => {
            assert_eq!(*of, folder);
            Some(())
        }
        _ => None,
    });
    assert_ne!(studio.workspace().folder, folder);
}

#[test]
fn tool_calls_are_told_of_while_they_arrive_and_the_complete_ones_stay_after_a_stop() {
    let home = home();
    let part = |call: Value| json!({"choices": [{"delta": {"tool_calls": [call]}}]});
    let mut pieces = vec![
        part(json!({"index": 0, "id": "a", "function": {"name": "look", "arguments": "{\"at\":"}})),
        part(json!({"index": 0, "function": {"arguments": "1}"}})),
    ];
    let endless = |_| part(json!({"index": 1, "function": {"name": "", "arguments": "["}}));
    pieces.extend((0..600).map(endless));
    let lines = pieces.iter().map(|piece| format!("data: {piece}\n\n"));
    let pause = Duration::from_millis(20);
    let server = Canned::dripping("text/event-stream", lines.collect(), pause);
    let (studio, events, number) = ask(&home, "openai", &server);
    events.wait("two calls on their way", |event| match event {
        Event::Run {
            step: RunStep::Calls { calls, .. },
            ..
        } if calls.len() == 2 => {
            let [whole, open] = &calls[..] else {
                panic!("{calls:?}");
            };
            assert_eq!(whole.name, "look");
            assert_eq!(whole.arguments, r#"{"at":1}"#);
            assert!(open.arguments.starts_with('['), "{open:?}");
            Some(())
        }
        _ => None,
    });
    studio.stop_runs(number);
    over(&events, number);
    let stopped = turns(&studio).pop().expect("a turn");
    assert_eq!(stopped.state, TurnState::Stopped);
    let calls: Vec<_> = stopped.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(calls, ["a"]);
    let run = studio.run(stopped.run.expect("a run")).expect("found");
    assert_eq!(run.partial_calls.len(), 2);
}

/// Answers of a server in the format of Ollama, once each.
fn answered(server: &Canned) -> (Home, Studio, TalkTurn) {
    let home = home();
    let (studio, events, number) = ask(&home, "ollama", server);
    over(&events, number);
    let mut all = turns(&studio);
    assert_eq!(all.len(), 2);
    let answer = all.remove(1);
    // Nothing that cannot be answered is sent later.
    let view = studio.talk_request("deck.json", &params(Some(answer.id)), &[]);
    assert_eq!(view.expect("a view").request.problem, None);
    (home, studio, answer)
}

#[test]
fn dropped_connections_are_reported_and_the_tree_stays() {
    let cut = dripping(&[piece("Half ", false)], Duration::from_millis(5));
    let (_home, _studio, answer) = answered(&cut);
    let fault = answer.fault.as_ref().map(|fault| fault.code.as_str());
    assert_eq!(
        (answer.state, fault),
        (TurnState::Failed, Some("truncated"))
    );
    assert_eq!(answer.content, "Half ");
}

/// The turn repeats what the history of the runs records.
#[test]
fn an_empty_answer_has_the_verdict_of_its_run() {
    let empty = format!("{}\n", piece("", true));
    let (_home, studio, answer) = answered(&Canned::answering("200 OK", "", &empty));
    assert_eq!((answer.state, answer.fault), (TurnState::Complete, None));
    let run = studio.run(answer.run.expect("a run")).expect("found").run;
    assert_eq!(answer.accepted, Some(run.status == RunStatus::Accepted));
}

#[test]
fn the_tool_calls_of_a_failed_answer_wait_for_no_result() {
    let call = json!({"message": {"role": "assistant", "content": "", "tool_calls": [
        {"function": {"name": "look", "arguments": {"at": 1}}},
    ]}, "done": false});
    let cut = dripping(&[call.clone(), call], Duration::from_millis(5));
    let (_home, studio, answer) = answered(&cut);
    assert_eq!(
        (answer.state, answer.calls),
        (TurnState::Failed, Vec::new())
    );
    let run = studio.run(answer.run.expect("a run")).expect("found");
    assert!(!run.partial_calls.is_empty());
}

#[test]
fn the_request_that_is_shown_is_the_one_that_is_sent() {
    for (kind, target) in [
        ("openai", RequestTarget::Openai),
        ("ollama", RequestTarget::Openai),
        ("gemini", RequestTarget::Gemini),
        ("completions", RequestTarget::ChatTemplate),
    ] {
        let home = home();
        let server = Canned::answering("400 Bad Request", "", "no");
        let (studio, events) = open(&home);
        studio
            .keep_connection(&connection(kind, server.address()), None)
            .expect("kept");
        let to = TalkParams {
            connection: Some("work".to_owned()),
            target,
            ..params(None)
        };
        let messages = [message("user", "Go")];
        let view = studio
            .talk_request("deck.json", &to, &messages)
            .expect("shown");
        let started = studio.send_turns("deck.json", &to, &messages, true);
        over(&events, started.expect("started").batch.expect("a batch"));
        let requests = server.requests();
        let (_, body) = requests[0].split_once("\r\n\r\n").expect("a body");
        let sent: Value = serde_json::from_str(body).expect("JSON");
        let sent = serde_json::to_string_pretty(&sent).expect("text");
        assert_eq!(view.request.body, sent, "{kind}");
        assert_eq!(view.request.text, None, "{kind}");
    }
}
