//! A store that another program holds: the studio says after a second that it waits, and goes on when
//! the store is free.

use std::fs::{self, File};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use promptdeck_service::wire::Event;
use promptdeck_service::{Options, Studio};

#[test]
fn a_wait_for_the_store_is_reported_after_a_second() {
    let home = tempfile::tempdir().expect("a folder");
    let registries = home.path().join("registries");
    fs::create_dir(&registries).expect("made");
    let registry = r#"{"registry": {"assembly_order": ["tone"],
        "tone": {"required": true, "items": [{"name": "warm", "text": "Be warm."}]}}}"#;
    fs::write(registries.join("deck.json"), registry).expect("written");
    let (send, messages) = channel();
    let send = Mutex::new(send);
    let studio = Studio::open(Options {
        folder: registries,
        store: Some(home.path().join("store.sqlite")),
        tokenizer: "cl100k_base".to_owned(),
        listener: Arc::new(move |event| {
            if let Event::StoreWaiting { message } = event {
                let _ = send.lock().expect("no panic").send(message);
            }
        }),
    })
    .expect("opened");
    studio.open_document("deck.json").expect("opened");

    let lock = File::open(home.path().join("store.sqlite.lock")).expect("a lock file");
    lock.lock().expect("held");
    thread::scope(|scope| {
        let taken = scope.spawn(|| studio.take_snapshot("deck.json", Some("held")));
        let silence = messages.recv_timeout(Duration::from_millis(500));
        assert_eq!(silence, Err(RecvTimeoutError::Timeout));
        let message = messages
            .recv_timeout(Duration::from_secs(20))
            .expect("a message");
        assert!(
            message.starts_with("Another program is using the store"),
            "{message}"
        );
        lock.unlock().expect("released");
        assert!(taken.join().expect("no panic").is_ok());
    });
}
