//! A store that another program holds: the studio says after a second that it waits, also while it
//! starts, and goes on when the store is free, also after the timeout.

use std::fs::{self, File};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_service::wire::{Event, StoreStatus};
use promptdeck_service::{Options, Studio};

/// How long the store waits for its lock, and some more.
const TIMEOUT: Duration = Duration::from_secs(40);

fn open(home: &Path) -> (Studio, Receiver<Event>) {
    let (send, events) = channel();
    let send = Mutex::new(send);
    let studio = open_with(home, move |event| {
        let _ = send.lock().expect("no panic").send(event);
    });
    (studio, events)
}

fn open_with(home: &Path, listener: impl Fn(Event) + Send + Sync + 'static) -> Studio {
    let studio = Studio::open(Options {
        folder: home.join("registries"),
        file: None,
        store: Some(home.join("store.sqlite")),
        tokenizer: "cl100k_base".to_owned(),
        listener: Arc::new(listener),
        mock_pause: Duration::ZERO,
    });
    studio.expect("opened")
}

fn waiting(events: &Receiver<Event>, timeout: Duration) -> Result<String, RecvTimeoutError> {
    let end = Instant::now() + timeout;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if let Event::StoreWaiting { message } = events.recv_timeout(left)? {
            return Ok(message);
        }
    }
}

fn wait_for_status(events: &Receiver<Event>, status: StoreStatus) {
    let end = Instant::now() + TIMEOUT;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let event = events.recv_timeout(left).expect("an event in time");
        if matches!(event, Event::Store { health } if health.status == status) {
            return;
        }
    }
}

// One test, since a process has one listener for waits.
#[test]
fn a_wait_for_the_store_is_reported_after_a_second() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("registries")).expect("made");
    let registry = r#"{"registry": {"assembly_order": ["tone"],
        "tone": {"required": true, "items": [{"name": "warm", "text": "Be warm."}]}}}"#;
    fs::write(home.path().join("registries/deck.json"), registry).expect("written");
    let lock = File::create(home.path().join("store.sqlite.lock")).expect("a lock file");

    // Held while the studio starts, and longer than a writer waits.
    lock.lock().expect("held");
    let begun = Instant::now();
    let (studio, events) = open(home.path());
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "starting waits for the store: {:?}",
        begun.elapsed()
    );
    let message = waiting(&events, Duration::from_secs(20)).expect("a message");
    assert!(
        message.starts_with("Another program is using the store"),
        "{message}"
    );
    wait_for_status(&events, StoreStatus::Unavailable);
    studio.open_document("deck.json").expect("opened");
    assert!(
        studio
            .take_snapshot("deck.json", Some("too early"))
            .is_err()
    );
    lock.unlock().expect("released");
    wait_for_status(&events, StoreStatus::Healthy);
    studio
        .take_snapshot("deck.json", Some("free"))
        .expect("taken");

    // Held while it is used.
    lock.lock().expect("held");
    thread::scope(|scope| {
        let taken = scope.spawn(|| studio.take_snapshot("deck.json", Some("held")));
        let silence = waiting(&events, Duration::from_millis(500));
        assert_eq!(silence, Err(RecvTimeoutError::Timeout));
        let message = waiting(&events, Duration::from_secs(20)).expect("a message");
        assert!(
            message.starts_with("Another program is using the store"),
            "{message}"
        );
        lock.unlock().expect("released");
        assert!(taken.join().expect("no panic").is_ok());
    });
    drop(studio);

    // What panics while the store is opened leaves nobody waiting.
    lock.lock().expect("held");
    let (send, events) = channel();
    let send = Mutex::new(send);
    let studio = open_with(home.path(), move |event| {
        assert!(!matches!(event, Event::StoreWaiting { .. }), "on purpose");
        let _ = send.lock().expect("no panic").send(event);
    });
    wait_for_status(&events, StoreStatus::Unavailable);
    let refused = studio.take_snapshot("deck.json", Some("none"));
    assert!(refused.is_err());
    studio.open_document("deck.json").expect("opened");
}
