//! A key lives in the system's keyring and in the header of a request, and is searched for
//! everywhere else. The cases run in separate processes: this test program, asked by an
//! environment variable to be the one inside a session with a real keyring, or with none.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output};

use promptdeck_service::Studio;
use promptdeck_service::wire::{ConnectionEntry, Event, RunDetail, RunParams, RunStatus, RunStep};
use promptdeck_tests::provider_fixture::PLANTED_KEY;
use promptdeck_tests::servers::{Canned, aimock};
use serde_json::json;

use crate::home::{Events, Home, connection};

const ROLE: &str = "PROMPTDECK_TEST_KEYRING";
const ANSWER: &str = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;

fn within(session: &mut Command, role: &str) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    session
        .env(ROLE, role)
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("a session can be started: apt install dbus gnome-keyring")
}

/// The case ran and went well, and nothing it printed holds the key.
fn check(output: &Output) {
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("test keys::inside ... ok"), "{printed}");
    assert!(!printed.contains(PLANTED_KEY), "{printed}");
}

#[test]
fn a_key_is_in_the_keyring_and_nowhere_else() {
    let mut session = Command::new("dbus-run-session");
    session.args([
        "--",
        "sh",
        "-c",
        "echo | gnome-keyring-daemon --unlock --components=secrets > /dev/null && exec \"$@\"",
        "sh",
    ]);
    session.arg(std::env::current_exe().expect("this program"));
    session.args(["--exact", "keys::inside"]);
    check(&within(&mut session, "keyring"));
}

#[test]
fn without_a_keyring_it_is_said_how_else() {
    let mut alone = Command::new(std::env::current_exe().expect("this program"));
    alone.args(["--exact", "keys::inside"]);
    alone.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    check(&within(&mut alone, "none"));
}

/// Does nothing unless it was asked.
#[test]
fn inside() {
    match std::env::var(ROLE).as_deref() {
        Ok("keyring") => with_keyring(),
        Ok("none") => without_keyring(),
        _ => {}
    }
}

/// A home whose prompt a mock server answers with an error that repeats the key.
fn home() -> Home {
    let home = Home::new();
    let registry = json!({
        "assembly_order": ["greeting"],
        "greeting": {"required": true, "items": [{"id": "hello", "text": "case:401"}]},
    });
    home.write("deck.json", &json!({"registry": registry}));
    home
}

fn run(studio: &Studio, events: &Events, connection: &str) -> RunDetail {
    let params = RunParams {
        connection: Some(connection.to_owned()),
        seeds: 1,
    };
    let number = studio
        .start_runs("deck.json", &params)
        .expect("started")
        .batch;
    events.wait("the end", |event| match event {
        Event::Run {
            batch,
            step: RunStep::Over { done: 1, .. },
            ..
        } if *batch == number => Some(()),
        _ => None,
    });
    let newest = studio.runs("deck.json", 0, 1).expect("a history").runs[0].id;
    studio.run(newest).expect("a run")
}

fn with_keyring() {
    let home = home();
    let (studio, events) = home.open();
    let json_kind = "Content-Type: application/json\r\n";
    let server = Canned::answering("200 OK", json_kind, ANSWER);
    let elsewhere = Canned::answering("200 OK", json_kind, ANSWER);
    let sent_key = |server: &Canned| {
        let last = server.requests().pop().expect("a request");
        last.contains(&format!("authorization: Bearer {PLANTED_KEY}"))
    };

    studio
        .keep_connection(&connection("openai", server.address()), None)
        .expect("kept");
    let entry = studio.set_key("work", PLANTED_KEY).expect("a keyring");
    assert!(entry.keyed);
    assert_eq!(
        run(&studio, &events, "work").run.status,
        RunStatus::Accepted
    );
    assert!(sent_key(&server));

    // It goes along under another name, but to no other place.
    let renamed = ConnectionEntry {
        name: "home".to_owned(),
        ..entry
    };
    assert!(
        studio
            .keep_connection(&renamed, Some("work"))
            .expect("kept")
            .keyed
    );
    run(&studio, &events, "home");
    assert!(sent_key(&server));
    let moved = ConnectionEntry {
        base_url: elsewhere.address().to_owned(),
        ..renamed.clone()
    };
    assert!(
        !studio
            .keep_connection(&moved, Some("home"))
            .expect("kept")
            .keyed
    );
    run(&studio, &events, "home");
    assert!(!sent_key(&elsewhere));
    // It was taken out of the keyring, not only out of use.
    studio
        .keep_connection(&renamed, Some("home"))
        .expect("kept");
    run(&studio, &events, "home");
    assert!(!sent_key(&server));

    // A server that repeats it.
    studio
        .keep_connection(&connection("openai", aimock()), None)
        .expect("kept");
    studio.set_key("work", PLANTED_KEY).expect("a keyring");
    let refused = run(&studio, &events, "work");
    let fault = refused.run.fault.clone().expect("refused");
    assert_eq!(fault.code, "unauthorized");
    assert!(fault.message.contains("[key]"), "{fault:?}");

    let snapshot = studio
        .take_snapshot("deck.json", Some("with a run"))
        .expect("taken");
    let messages = [
        format!("{events:?}"),
        format!("{refused:?}"),
        format!("{:?}", studio.connections()),
        format!("{:?}", studio.model_json("deck.json")),
        format!("{snapshot:?}"),
        format!("{:?}", studio.models("nobody")),
        format!(
            "{:?}",
            studio.try_connection(&connection("openai", "ftp://x"), None, Some(PLANTED_KEY))
        ),
    ];
    for message in messages {
        assert!(!message.contains(PLANTED_KEY), "{message}");
    }
    studio.save("deck.json").expect("saved");
    drop(studio);
    let folder = home.store();
    assert!(files_searched(folder.parent().expect("a folder")) >= 2);

    let (studio, _events) = home.studio();
    studio.forget_connection("work").expect("forgotten");
    studio
        .keep_connection(&connection("openai", server.address()), None)
        .expect("kept");
    assert!(!studio.connections().expect("a list").list[0].keyed);
}

/// How many files there are below a folder, none of which holds the key.
fn files_searched(folder: &Path) -> usize {
    let mut searched = 0;
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            searched += files_searched(&path);
            continue;
        }
        let bytes = match fs::read(&path) {
            // The log of a store disappears when it is closed.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            read => read.expect("readable"),
        };
        let planted = PLANTED_KEY.as_bytes();
        let holds = bytes.windows(planted.len()).any(|window| window == planted);
        assert!(!holds, "{}", path.display());
        searched += 1;
    }
    searched
}

fn without_keyring() {
    let home = home();
    let (studio, _events) = home.studio();
    studio
        .keep_connection(&connection("openai", "http://localhost:1"), None)
        .expect("kept");
    let fault = studio.set_key("work", PLANTED_KEY).expect_err("no keyring");
    assert_eq!(fault.code(), "no_keyring");
    let message = fault.to_string();
    assert!(
        message.contains("set PROMPTDECK_API_KEY_WORK in the environment"),
        "{message}"
    );
    assert!(!message.contains(PLANTED_KEY));
    assert!(!studio.connections().expect("a list").list[0].keyed);
    drop(studio);
    files_searched(home.store().parent().expect("a folder"));
}
