//! A folder with a registry and a call document, a store elsewhere, and a studio over both.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use promptdeck_service::wire::{Edit, EditGroup};
use promptdeck_service::{Options, Studio};
use serde_json::{Value, json};

/// File name of the registry.
pub const DECK: &str = "deck.json";

/// The folders of a test; the creator removes them.
#[derive(Debug, Clone)]
pub struct Home(PathBuf);

impl Home {
    /// A home in an existing folder.
    pub fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Creates the folders and the registry.
    pub fn furnish(&self) {
        fs::create_dir_all(self.registries()).expect("made");
        fs::write(self.path(DECK), text(&registry())).expect("written");
    }

    pub fn registries(&self) -> PathBuf {
        self.0.join("registries")
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.registries().join(file)
    }

    pub fn store(&self) -> PathBuf {
        self.0.join("kept").join("store.sqlite")
    }

    pub fn read(&self, file: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(file)).expect("read")).expect("JSON")
    }

    pub fn write(&self, file: &str, value: &Value) {
        fs::write(self.path(file), text(value)).expect("written");
    }

    pub fn studio(&self) -> Studio {
        fs::create_dir_all(self.0.join("kept")).expect("made");
        Studio::open(Options {
            folder: self.registries(),
            file: None,
            store: Some(self.store()),
            listener: Arc::new(|_| ()),
            tokenizer: "estimate".into(),
            mock_pause: Duration::ZERO,
        })
        .expect("opened")
    }
}

/// Formats JSON as an author's editor might, not in canonical form.
pub fn text(value: &Value) -> String {
    serde_json::to_string(value).expect("text") + "\n"
}

/// A registry with two sections, the second of which the studio edits.
pub fn registry() -> Value {
    json!({"registry": {
        "version": 22,
        "title": "Deck",
        "assembly_order": ["personas.context", "prompt_endings"],
        "personas": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "warm", "context": "You are warm."}],
        },
        "prompt_endings": {
            "required": true,
            "template_vars": [],
            "items": [{"id": "go", "text": "Go."}],
        },
    }})
}

/// Types a text into the second section.
pub fn typed(base: u32, insert: &str) -> EditGroup {
    let path = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let splice = Edit::Splice {
        path: serde_json::from_value(path).expect("a path"),
        at: 0,
        delete: 0,
        insert: insert.into(),
    };
    group(base, splice)
}

/// Sets the message of a call document.
pub fn asked(base: u32, text: &str) -> EditGroup {
    let set = Edit::Set {
        path: serde_json::from_value(json!(["message", "text"])).expect("a path"),
        value: json!(text),
    };
    group(base, set)
}

fn group(base: u32, edit: Edit) -> EditGroup {
    EditGroup {
        base,
        edits: vec![edit],
        label: "Type".into(),
        burst: None,
    }
}
