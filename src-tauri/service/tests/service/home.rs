//! A studio on a temporary folder, and its events.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use promptdeck_service::wire::{ConnectionEntry, Edit, EditGroup, Event, OpenDocument};
use promptdeck_service::{Listener, Options, Studio};
use serde_json::{Value, json};

/// A folder of registries and a store, kept until dropped.
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// A home with one registry, `deck.json`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("registries")).expect("made");
        let home = Self { folder };
        home.write("deck.json", &registry());
        home
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("registries").join(file)
    }

    pub fn write(&self, file: &str, value: &Value) {
        let text = serde_json::to_string_pretty(value).expect("text") + "\n";
        fs::write(self.path(file), text).expect("written");
    }

    pub fn read(&self, file: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(file)).expect("read")).expect("JSON")
    }

    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store.sqlite")
    }

    pub fn studio(&self) -> (Studio, Events) {
        self.studio_on(None)
    }

    /// A studio that was started with a file.
    pub fn studio_on(&self, file: Option<&str>) -> (Studio, Events) {
        self.studio_with(file, self.store())
    }

    /// A studio with its store elsewhere.
    pub fn studio_with(&self, file: Option<&str>, store: PathBuf) -> (Studio, Events) {
        let events = Events::default();
        let studio = Studio::open(Options {
            folder: self.folder.path().join("registries"),
            file: file.map(str::to_owned),
            store: Some(store),
            listener: events.listener(),
            tokenizer: "estimate".into(),
            mock_pause: Duration::ZERO,
        });
        (studio.expect("opened"), events)
    }

    /// A studio with `deck.json` open, whose listener panics at the first event that `fails` names.
    pub fn open_failing(
        &self,
        fails: impl Fn(&Event) -> bool + Send + Sync + 'static,
    ) -> (Studio, Events) {
        let events = Events::default();
        let (listener, has_failed) = (events.listener(), AtomicBool::default());
        let studio = Studio::open(Options {
            folder: self.folder.path().join("registries"),
            file: None,
            store: Some(self.store()),
            listener: Arc::new(move |event| {
                let is_first = fails(&event) && !has_failed.swap(true, Ordering::Relaxed);
                assert!(!is_first, "on purpose");
                listener(event);
            }),
            tokenizer: "estimate".into(),
            mock_pause: Duration::ZERO,
        });
        let studio = studio.expect("opened");
        studio.open_document("deck.json").expect("opened");
        (studio, events)
    }

    /// A studio with `deck.json` open.
    pub fn open(&self) -> (Studio, Events) {
        let (studio, events) = self.studio();
        studio.open_document("deck.json").expect("opened");
        (studio, events)
    }
}

/// The events so far.
#[derive(Clone, Debug, Default)]
pub struct Events(Arc<Mutex<Vec<Event>>>);

impl Events {
    fn listener(&self) -> Listener {
        let events = self.clone();
        Arc::new(move |event| events.0.lock().expect("whole").push(event))
    }

    /// Waits for an event; panics after ten seconds.
    pub fn wait<T>(&self, what: &str, find: impl Fn(&Event) -> Option<T>) -> T {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if let Some(found) = self.0.lock().expect("whole").iter().find_map(&find) {
                return found;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!(
            "no event: {what}; events: {:?}",
            self.0.lock().expect("whole")
        );
    }

    /// Waits until this revision of a document, or a later one, is in its draft.
    pub fn draft_saved(&self, revision: u32) {
        self.wait("a draft", |event| match event {
            Event::Draft {
                revision: saved,
                problem: None,
                ..
            } if *saved >= revision => Some(()),
            _ => None,
        });
    }

    pub fn count(&self, find: impl Fn(&Event) -> bool) -> usize {
        self.0
            .lock()
            .expect("whole")
            .iter()
            .filter(|event| find(event))
            .count()
    }
}

/// A registry with a choice, a random list, a slider, variables and an injection.
pub fn registry() -> Value {
    json!({"registry": {
        "version": 22,
        "title": "Deck",
        "assembly_order": ["base_context", "personas.context", "sentiment.scale", "sentiment.nudges", "prompt_endings"],
        "base_context": {
            "required": true,
            "template_vars": ["place"],
            "items": [{"id": "scene", "text": "You are at {place}."}],
        },
        "personas": {
            "required": true,
            "template_vars": [],
            "items": [
                {"id": "warm", "context": "You are warm."},
                {"id": "dry", "context": "You are dry."},
                {"id": "loud", "context": "You are loud."},
            ],
        },
        "sentiment": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "positive", "context": "It goes well.", "nudges": ["One.", "Two.", "Three.", "Four."]}],
            "slider": 5,
        },
        "runtime_injections": {
            "required": false,
            "template_vars": [],
            "items": [{"id": "raid", "text": "A raid!", "include_sections": ["personas"]}],
        },
        "prompt_endings": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "go", "text": "Go."}],
        },
    }})
}

/// A path from its steps: text is a key, a number an index.
pub fn path(steps: Value) -> Vec<promptdeck_service::wire::Step> {
    serde_json::from_value(steps).expect("a path")
}

pub fn set(steps: Value, value: Value) -> Edit {
    Edit::Set {
        path: path(steps),
        value,
    }
}

pub fn group(base: u32, edits: Vec<Edit>) -> EditGroup {
    EditGroup {
        base,
        edits,
        label: "Edit".into(),
        burst: None,
    }
}

/// A connection named `work`, without a key.
pub fn connection(kind: &str, base_url: &str) -> ConnectionEntry {
    ConnectionEntry {
        name: "work".to_owned(),
        kind: kind.to_owned(),
        base_url: base_url.to_owned(),
        model: "tiny".to_owned(),
        template: String::new(),
        keyed: false,
        variable: String::new(),
        in_environment: false,
    }
}

/// The prompt of a document as it is now.
pub fn prompt(document: &OpenDocument) -> String {
    document
        .preview
        .segments
        .middle
        .iter()
        .map(|segment| segment.text.as_str())
        .collect()
}

/// Text typed into the first prompt ending, as part of one burst.
pub fn typed(base: u32, at: u32, text: &str) -> EditGroup {
    EditGroup {
        base,
        edits: vec![Edit::Splice {
            path: path(json!(["registry", "prompt_endings", "items", 0, "text"])),
            at,
            delete: 0,
            insert: text.into(),
        }],
        label: "Type".into(),
        burst: Some("prompt_endings/0/text".into()),
    }
}
