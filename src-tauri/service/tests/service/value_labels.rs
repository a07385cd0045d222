//! Rolled entries in a comparison: by their text, and by their index where the texts are the same.

use promptdeck_core::hydrate::{Seed, State};
use promptdeck_core::registry::Registry;
use promptdeck_service::diff::versions::{Version, compare};
use promptdeck_service::wire::{Granularity, Setting};
use serde_json::{Value, json};

/// A registry with one list, of which one entry is rolled.
fn deck(entries: &Value) -> Value {
    json!({
        "assembly_order": ["notes.items"],
        "notes": {
            "required": true,
            "items": [{"id": "a", "items": entries}],
            "array_modes": {"items": "random:1"},
        },
    })
}

fn version(entries: &Value) -> Version {
    let registry = Registry::from_map(deck(entries).as_object().expect("an object"));
    let seed = Seed::new(1).expect("a seed");
    Version::new(
        "deck".into(),
        registry.expect("a registry"),
        State::default(),
        None,
        seed,
    )
}

fn settings(left: &Value, right: &Value) -> Vec<Setting> {
    compare(&version(left), &version(right), Granularity::Words).settings
}

#[test]
fn a_comparison_shows_rolled_entries_by_their_text() {
    let found = settings(
        &json!(["Praise\na near miss."]),
        &json!([{"text": "Say it."}]),
    );
    let [setting] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (setting.left.as_str(), setting.left_rolled),
        ("Praise a near miss.", true)
    );
    assert_eq!(setting.left_detail, "0: Praise a near miss.");
    assert_eq!(setting.right, "Say it.");
    assert_eq!(setting.right_detail, "0: Say it.");
}

#[test]
fn entries_of_the_same_text_differ_by_their_index() {
    let found = settings(&json!(["Go."]), &json!(["Go.", "Go.", "Go.", "Go."]));
    let [setting] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(setting.left, "0: Go.");
    assert_ne!(setting.right, setting.left);
    assert_eq!(setting.right, setting.right_detail);
}
