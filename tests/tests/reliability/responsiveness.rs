//! The window responds during long work, and with large or irregular files in the folder.

mod commands;
mod files;
mod large;
mod window;

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use promptdeck_service::ServiceError;
use promptdeck_service::command::Command;
use promptdeck_service::executor::THREADS_PER_COMMAND;
use promptdeck_service::wire::ChatSetup;
use serde_json::json;

use commands::ask;
use window::{DECK, Window, registry};

/// Maximum acceptable response time on a machine with other load.
const SOON: Duration = Duration::from_secs(4);

#[test]
fn every_command_answers_while_any_other_is_busy() {
    let window = Window::new(|_| ());
    window.studio.open_document(DECK).expect("opened");
    window.studio.open_call("calls/deck.json").expect("opened");
    let (mut asked, mut slowest) = (0, Duration::ZERO);
    for busy in Command::ALL {
        // More calls than the command has threads, none of which reacts to cancellation.
        let (open, gate) = mpsc::channel::<()>();
        let gate = Arc::new(Mutex::new(gate));
        let (entered, inside) = mpsc::channel();
        let calls: Vec<_> = (0..2 * THREADS_PER_COMMAND)
            .map(|_| {
                let (gate, entered) = (Arc::clone(&gate), entered.clone());
                window.call(*busy, move |_, _| {
                    let _ = entered.send(());
                    let _ = gate.lock().expect("whole").recv();
                    Ok(())
                })
            })
            .collect();
        for _ in 0..THREADS_PER_COMMAND {
            inside.recv_timeout(SOON).expect("begun");
        }
        let others = Command::ALL.iter().filter(|other| *other != busy);
        let answers: Vec<_> = others
            .map(|other| {
                let elsewhere = window.path("");
                let call = window.call(*other, move |studio, cancel| {
                    Ok(ask(*other, studio, cancel, &elsewhere).is_ok())
                });
                (other, call)
            })
            .collect();
        for (other, call) in answers {
            let (answer, took) = window.answer(call);
            assert!(answer.is_ok(), "{other:?} while {busy:?}: {answer:?}");
            assert!(
                took < SOON,
                "{other:?} took {took:?} while {busy:?} was busy"
            );
            slowest = slowest.max(took);
            asked += 1;
        }
        drop(open);
        for call in calls {
            let _ = window.answer(call);
        }
    }
    println!(
        "commands kept busy: {}, answers of others meanwhile: {asked}, slowest {slowest:?}",
        Command::ALL.len(),
    );
}

/// A policy that uses up its limits, and a text for it.
fn slow_policy() -> (serde_json::Value, String) {
    let patterns: Vec<_> = (0..400)
        .map(|number| format!(r"(?i)[a-y ]+z{number}!"))
        .collect();
    let mut deck = registry("Deck");
    deck["output_policy"] = json!({ "forbidden_patterns": patterns });
    (
        deck,
        "quite a long text without that letter ".repeat(10_000),
    )
}

#[test]
fn edits_saves_and_snapshots_answer_while_policy_trials_run() {
    let (deck, text) = slow_policy();
    let window = Window::new(|path| {
        std::fs::write(path(DECK), deck.to_string()).expect("written");
    });
    window.studio.open_document(DECK).expect("opened");
    let text = Arc::new(text);
    let trial = || {
        let text = Arc::clone(&text);
        window.call(Command::TryPolicy, move |studio, cancel| {
            studio.try_policy(DECK, &text, cancel)
        })
    };
    let mut trials = vec![trial(), trial()];
    let (mut asked, mut beside, mut slowest) = (0, 0, Duration::ZERO);
    for revision in 0..20 {
        // One call is always running, however soon the pattern limits end it.
        trials.push(trial());
        let typed = window.type_into(DECK, 3 * revision);
        let answers = [
            Command::Save,
            Command::TakeSnapshot,
            Command::Undo,
            Command::Redo,
        ];
        let answers = answers.map(|command| {
            let elsewhere = window.path("");
            window.answer(window.call(command, move |studio, cancel| {
                ask(command, studio, cancel, &elsewhere)
            }))
        });
        for (answer, _) in &answers {
            assert!(answer.is_ok(), "{answer:?}");
        }
        let took = answers.map(|(_, took)| took).into_iter().max();
        slowest = slowest.max(typed).max(took.unwrap_or_default());
        asked += 5;
        beside += usize::from(trials.last().is_some_and(|trial| !trial.is_finished()));
    }
    assert!(slowest < SOON, "{slowest:?}");
    let count = trials.len();
    let mut cancelled = 0;
    for trial in trials {
        let (trial, _) = window.answer(trial);
        cancelled += usize::from(matches!(trial, Err(ServiceError::Superseded)));
    }
    println!(
        "trials: {count}, cancelled by newer ones: {cancelled}, answers meanwhile: {asked}, rounds \
         a trial outlasted: {beside}, slowest {slowest:?}"
    );
}

#[test]
fn a_document_is_edited_while_the_store_is_busy() {
    let window = Window::new(|_| ());
    window.studio.open_document(DECK).expect("opened");
    let other = rusqlite::Connection::open(window.store()).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let waiting = [
        Command::TakeSnapshot,
        Command::SwitchSnapshot,
        Command::SaveView,
    ]
    .map(|command| {
        let elsewhere = window.path("");
        window.call(command, move |studio, cancel| {
            ask(command, studio, cancel, &elsewhere)
        })
    });
    std::thread::sleep(Duration::from_millis(300));
    let mut slowest = Duration::ZERO;
    let edits = 40;
    for revision in 0..edits {
        slowest = slowest.max(window.type_into(DECK, revision));
    }
    let undone = window.call(Command::Undo, |studio, _| studio.undo(DECK));
    let (undone, took) = window.answer(undone);
    undone.expect("undone");
    slowest = slowest.max(took);
    assert!(
        !waiting[0].is_finished(),
        "the snapshot was to wait for the store"
    );
    assert!(slowest < SOON, "{slowest:?}");
    other.execute_batch("ROLLBACK").expect("unlocked");
    let [taken, ..] = waiting;
    window.answer(taken).0.expect("taken in the end");
    println!(
        "edits of a document while its snapshot waits for the store: {}, slowest {slowest:?}",
        edits + 1
    );
}

#[test]
fn a_document_is_edited_while_slow_chat_templates_are_inspected() {
    let window = Window::new(|_| ());
    window.studio.open_document(DECK).expect("opened");
    let slow = "{% for a in range(200) %}{% for b in range(200) %}{% if a > b %}{% endif %}\
                   {% endfor %}{% endfor %}{{ messages }}";
    let setup: ChatSetup = serde_json::from_value(json!({
        "template": {"kind": "own"}, "text": slow,
    }))
    .expect("a setup");
    let inspect = || {
        let setup = setup.clone();
        window.call(Command::InspectChat, move |studio, cancel| {
            studio.inspect_chat(DECK, &setup, cancel)
        })
    };
    let mut inspections = vec![inspect(), inspect()];
    let mut slowest = Duration::ZERO;
    let edits = 40;
    for revision in 0..edits {
        // One call is always running, however soon its limits end it.
        inspections.push(inspect());
        slowest = slowest.max(window.type_into(DECK, revision));
        let elsewhere = window.path("");
        let chat = window.call(Command::RenderChat, move |studio, cancel| {
            ask(Command::RenderChat, studio, cancel, &elsewhere)
        });
        let (chat, took) = window.answer(chat);
        chat.expect("rendered");
        slowest = slowest.max(took);
    }
    assert!(slowest < SOON, "{slowest:?}");
    println!(
        "edits and chats while slow templates are inspected: {}, slowest {slowest:?}",
        2 * edits
    );
    let count = inspections.len();
    for inspection in inspections {
        let (inspection, _) = window.answer(inspection);
        assert!(
            matches!(inspection, Ok(_) | Err(ServiceError::Superseded)),
            "{inspection:?}"
        );
    }
    println!("inspections: {count}");
}
