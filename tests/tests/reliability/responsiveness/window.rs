//! A studio as the window drives it: commands run by the executor on a runtime of two workers.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use promptdeck_service::command::Command;
use promptdeck_service::executor::Executor;
use promptdeck_service::wire::{Edit, EditGroup, Event};
use promptdeck_service::{CancellationToken, Options, ServiceError, Studio};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// The document that is edited.
pub const DECK: &str = "deck.json";

/// A folder of registries with a store, and the studio over it.
pub struct Window {
    pub studio: Arc<Studio>,
    pub executor: Arc<Executor>,
    pub runtime: Runtime,
    pub events: Arc<Mutex<Vec<Event>>>,
    folder: tempfile::TempDir,
}

impl Window {
    /// Opens a studio over `deck.json` and the files that `prepare` creates.
    pub fn new(prepare: impl FnOnce(&dyn Fn(&str) -> PathBuf)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let registries = folder.path().join("registries");
        fs::create_dir_all(registries.join("calls")).expect("made");
        let path = |name: &str| registries.join(name);
        fs::write(path(DECK), registry("Deck").to_string()).expect("written");
        let call = json!({"registry": "../deck.json", "message": {"text": "Hi"}});
        fs::write(path("calls/deck.json"), call.to_string()).expect("written");
        prepare(&path);
        let events: Arc<Mutex<Vec<Event>>> = Arc::default();
        let heard = Arc::clone(&events);
        let studio = Studio::open(Options {
            folder: registries,
            file: None,
            store: Some(folder.path().join("store.sqlite")),
            listener: Arc::new(move |event| heard.lock().expect("whole").push(event)),
            tokenizer: "estimate".into(),
            mock_pause: Duration::ZERO,
        });
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build();
        Self {
            studio: Arc::new(studio.expect("opened")),
            executor: Arc::default(),
            runtime: runtime.expect("a runtime"),
            events,
            folder,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("registries").join(name)
    }

    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store.sqlite")
    }

    /// Calls a command as the page does, without waiting for its result.
    pub fn call<T: Send + 'static>(
        &self,
        command: Command,
        work: impl FnOnce(&Studio, &CancellationToken) -> Result<T, ServiceError> + Send + 'static,
    ) -> JoinHandle<(Result<T, ServiceError>, Duration)> {
        let (executor, studio) = (Arc::clone(&self.executor), Arc::clone(&self.studio));
        let asked = Instant::now();
        self.runtime.spawn(async move {
            let answer = executor
                .run(command, move |cancel| work(&studio, cancel))
                .await;
            (answer, asked.elapsed())
        })
    }

    /// Waits for a result and returns it with its time. Panics after a minute.
    pub fn answer<T>(
        &self,
        call: JoinHandle<(Result<T, ServiceError>, Duration)>,
    ) -> (Result<T, ServiceError>, Duration) {
        let minute = Duration::from_mins(1);
        let answer = self
            .runtime
            .block_on(async { tokio::time::timeout(minute, call).await });
        answer
            .expect("an answer within a minute")
            .expect("no panic")
    }

    /// Edits a document like a keystroke, on this thread; returns the time.
    pub fn type_into(&self, document: &str, revision: u32) -> Duration {
        let path = ["registry", "base_context", "items"];
        let mut steps: Vec<_> = path.map(Into::into).into();
        steps.extend([json_step(json!(0)), "text".into()]);
        let group = EditGroup {
            base: revision,
            edits: vec![Edit::Set {
                path: steps,
                value: json!(format!("Typed {revision}.")),
            }],
            label: "Edit".into(),
            burst: Some("typing".into()),
        };
        let asked = Instant::now();
        self.studio.apply(document, &group).expect("applied");
        asked.elapsed()
    }

    /// Waits for an event. Panics after a minute.
    pub fn hear(&self, what: &str, is: impl Fn(&Event) -> bool) {
        let begun = Instant::now();
        while !self.events.lock().expect("whole").iter().any(&is) {
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "never reported: {what}"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn json_step(step: Value) -> promptdeck_service::wire::Step {
    serde_json::from_value(step).expect("a step")
}

/// A registry with one section.
pub fn registry(title: &str) -> Value {
    json!({
        "version": 22,
        "title": title,
        "assembly_order": ["base_context"],
        "base_context": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "scene", "text": "You are at the bar."}],
        },
    })
}
