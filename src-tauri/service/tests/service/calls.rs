//! Call documents in the studio: opened, edited with undo, saved, watched, drafted.

use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::{Choice, DiskState, Edit, EditGroup, Event, RequestTarget};
use serde_json::{Value, json};

use crate::call_requests::requested;
use crate::home::{Events, Home, group, path, set};

pub(super) const CALL: &str = "calls/talk.json";

pub(super) fn talk() -> Value {
    json!({
        "registry": "../deck.json",
        "seed": 7,
        "now": "2026-01-15T10:30:00Z",
        "args": {"guest": "Bob"},
        "history": [
            {"role": "user", "content": "Hello?"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            ]},
            {"role": "tool", "tool_call_id": "call_1", "content": "Nobody."},
            {"role": "assistant", "content": "Nobody is there."}
        ],
        "message": {"text": "Look again."},
        "own": {"kept": [1.50, null]}
    })
}

/// A home with a call document beside its registry.
pub(super) fn home() -> Home {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(CALL, &talk());
    home
}

pub(super) fn open(home: &Home) -> (Studio, Events) {
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    (studio, events)
}

pub(super) fn typed(base: u32, at: u32, text: &str) -> EditGroup {
    EditGroup {
        base,
        edits: vec![Edit::Splice {
            path: path(json!(["message", "text"])),
            at,
            delete: 0,
            insert: text.into(),
        }],
        label: "Type".into(),
        burst: Some("message".into()),
    }
}

#[test]
fn the_folder_lists_call_documents_and_what_is_wrong_with_them() {
    let home = home();
    fs::write(home.path("calls/broken.json"), "{").expect("written");
    home.write("calls/other.json", &json!({"$schema": "x"}));
    home.write("calls/typo.json", &json!({"history": "none"}));
    let (studio, _) = home.studio();
    let listed: Vec<_> = studio
        .calls()
        .expect("listed")
        .into_iter()
        .map(|entry| (entry.document, entry.registry, entry.problem.is_some()))
        .collect();
    assert_eq!(
        listed,
        [
            ("calls/broken.json".to_owned(), None, true),
            (CALL.to_owned(), Some("deck.json".to_owned()), false),
            ("calls/typo.json".to_owned(), None, true),
        ]
    );
    for name in ["deck.json", "calls/../deck.json", "calls/a/b.json"] {
        assert_eq!(
            studio.open_call(name).expect_err("refused").code(),
            "bad_file",
            "{name}"
        );
    }
}

#[test]
fn a_home_without_calls_has_none_and_gets_some() {
    let home = Home::new();
    let (studio, _) = home.studio();
    assert!(studio.calls().expect("listed").is_empty());
    let first = studio.new_call("deck.json", None).expect("made");
    let second = studio.new_call("deck.json", None).expect("made");
    assert_eq!(
        (first.as_str(), second.as_str()),
        ("calls/deck.json", "calls/deck_2.json")
    );
    let opened = studio.open_call(&first).expect("opened");
    assert_eq!(opened.tree["registry"], json!("../deck.json"));
    assert!(opened.status.violations.is_empty());
    let named = |name: &str| studio.new_call("deck.json", Some(name));
    assert_eq!(
        named(" Evening quiz ").expect("made"),
        "calls/Evening quiz.json"
    );
    for (name, code) in [
        ("Evening quiz.json", "name_taken"),
        ("deck", "name_taken"),
        ("../deck", "bad_name"),
        ("a:b?", "bad_name"),
        ("", "bad_name"),
    ] {
        assert_eq!(named(name).expect_err("refused").code(), code, "{name}");
    }
}

#[test]
fn edits_are_undone_and_a_burst_is_one_step() {
    let home = home();
    let (studio, _) = open(&home);
    studio.apply_call(CALL, &typed(0, 0, "P")).expect("applied");
    let change = studio.apply_call(CALL, &typed(1, 1, "l")).expect("applied");
    assert!(change.status.modified && change.edits.is_empty());
    let undone = studio.undo_call(CALL).expect("undone");
    assert!(!undone.status.modified, "back where the file is");
    assert_eq!(undone.status.undo, None);
    let redone = studio.redo_call(CALL).expect("redone");
    assert!(redone.status.modified);
    let stale = studio
        .apply_call(CALL, &typed(0, 0, "x"))
        .expect_err("refused");
    assert_eq!(stale.code(), "stale_revision");
}

#[test]
fn an_edit_that_makes_no_call_document_is_refused_and_changes_nothing() {
    let home = home();
    let (studio, _) = open(&home);
    for (place, value) in [
        (json!(["history"]), json!("none")),
        (json!(["history", 0]), json!(1)),
        (json!(["seed"]), json!("soon")),
    ] {
        let edits = vec![set(place.clone(), value)];
        let refused = studio
            .apply_call(CALL, &group(0, edits))
            .expect_err("refused");
        assert_eq!(refused.code(), "wrong_type", "{place}");
    }
    assert_eq!(studio.open_call(CALL).expect("open").tree, talk());
}

#[test]
fn broken_rules_are_said_with_every_answer() {
    let home = home();
    let (studio, _) = open(&home);
    let remove = Edit::Remove {
        path: path(json!(["history", 2])),
    };
    let change = studio
        .apply_call(CALL, &group(0, vec![remove]))
        .expect("applied");
    let reported: Vec<_> = change
        .status
        .violations
        .iter()
        .map(|violation| (violation.rule.as_str(), violation.index))
        .collect();
    assert_eq!(reported, [("tool_call_unanswered", 1)]);
    let view = requested(&studio, RequestTarget::Openai);
    assert_eq!(view.problem.expect("a problem").code, "invalid_history");
    assert_eq!(
        (view.body.as_str(), view.violations.len(), view.messages),
        ("", 1, 4)
    );
    assert_eq!(view.trace.len(), 2);
    let undone = studio.undo_call(CALL).expect("undone");
    assert!(undone.status.violations.is_empty());
    assert_eq!(requested(&studio, RequestTarget::Openai).problem, None);
}

#[test]
fn saving_keeps_every_key_in_its_place_and_numbers_as_typed() {
    let home = home();
    let text = fs::read_to_string(home.path(CALL))
        .expect("read")
        .replace("1.5,", "1.50,");
    fs::write(home.path(CALL), &text).expect("written");
    let (studio, _) = open(&home);
    assert!(!studio.save_call(CALL).expect("nothing to save").written);
    studio
        .apply_call(CALL, &typed(0, 0, "Please: "))
        .expect("applied");
    let saved = studio.save_call(CALL).expect("saved");
    assert!(saved.written && !saved.status.modified);
    let written = fs::read_to_string(home.path(CALL)).expect("read");
    assert_eq!(written, text.replace("Look again.", "Please: Look again."));
}

#[test]
fn unsaved_edits_come_back_after_a_restart() {
    let home = home();
    {
        let (studio, events) = open(&home);
        studio
            .apply_call(CALL, &typed(0, 0, "Please: "))
            .expect("applied");
        events.wait("the draft is kept", |event| match event {
            Event::Draft {
                document,
                problem: None,
                ..
            } if document == CALL => Some(()),
            _ => None,
        });
        assert!(studio.calls().expect("listed")[0].modified);
    }
    assert_eq!(home.read(CALL), talk(), "the file is untouched");
    let (studio, _) = home.studio();
    assert!(studio.calls().expect("listed")[0].modified);
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!(opened.tree["message"]["text"], json!("Please: Look again."));
    assert!(opened.draft.is_some() && opened.status.modified);
    studio.save_call(CALL).expect("saved");
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!((opened.draft, opened.status.modified), (None, false));
}

#[test]
fn the_lists_mark_a_registry_whose_call_document_has_unsaved_edits() {
    let home = home();
    home.write("other.json", &home.read("deck.json"));
    let marked = |studio: &Studio| {
        let listed = studio.workspace().registries.into_iter();
        let listed: Vec<_> = listed
            .filter(|entry| entry.modified)
            .map(|entry| entry.file)
            .collect();
        let recent = studio.places().recent.into_iter();
        let recent: Vec<_> = recent
            .filter(|known| known.modified)
            .map(|known| known.file)
            .collect();
        assert_eq!(listed, recent);
        listed
    };
    {
        let (studio, _) = open(&home);
        studio.open_document("other.json").expect("open");
        assert_eq!(marked(&studio), Vec::<String>::new());
        studio
            .apply_call(CALL, &typed(0, 0, "Please: "))
            .expect("applied");
        assert_eq!(marked(&studio), ["deck.json"], "as it is in the window");
        studio.undo_call(CALL).expect("undone");
        assert_eq!(marked(&studio), Vec::<String>::new());
        studio.redo_call(CALL).expect("redone");
    }
    let (studio, _) = home.studio();
    assert_eq!(marked(&studio), ["deck.json"], "by its draft");
    studio.open_call(CALL).expect("opened");
    studio.save_call(CALL).expect("saved");
    assert_eq!(marked(&studio), Vec::<String>::new());
}

#[test]
fn an_outside_change_of_a_clean_document_is_loaded() {
    let home = home();
    let (_studio, events) = open(&home);
    let mut other = talk();
    other["message"]["text"] = json!("Elsewhere.");
    home.write(CALL, &other);
    let change = events.wait("it is loaded", |event| match event {
        Event::CallReloaded { change } => Some(change.clone()),
        _ => None,
    });
    assert!(!change.status.modified);
    assert_eq!(
        change.edits,
        [set(json!(["message"]), json!({"text": "Elsewhere."}))]
    );
}

#[test]
fn an_open_document_follows_its_registry_and_is_not_reported_as_changed_on_disk() {
    let home = home();
    let (studio, events) = open(&home);
    let moved = studio
        .rename_registry("deck.json", "Night watch", None)
        .expect("renamed");
    let change = events.wait("it follows", |event| match event {
        Event::CallFollowed { change } => Some(change.clone()),
        Event::CallReloaded { .. } => panic!("reported as a change on disk"),
        _ => None,
    });
    assert!(!change.status.modified, "no edit of the author");
    let name = format!("../{}", moved.file);
    assert_eq!(change.edits, [set(json!(["registry"]), json!(name))]);
}

#[test]
fn both_versions_of_a_modified_document_are_kept_until_the_author_chooses() {
    let home = home();
    let (studio, events) = open(&home);
    studio
        .apply_call(CALL, &typed(0, 0, "Mine: "))
        .expect("applied");
    let mut other = talk();
    other["args"] = json!({"guest": "Eve"});
    other["message"]["text"] = json!("Theirs.");
    home.write(CALL, &other);
    let conflict = events.wait("it is in conflict", |event| match event {
        Event::Conflicted { document, conflict } if document == CALL => Some(conflict.clone()),
        _ => None,
    });
    let rows: Vec<_> = conflict
        .rows
        .iter()
        .map(|row| (row.key.as_str(), row.both))
        .collect();
    assert_eq!(rows, [("args", false), ("message", true)]);
    let refused = studio.save_call(CALL).expect("answered");
    assert!(!refused.written && refused.conflict.is_some());
    assert_eq!(home.read(CALL), other, "nothing was written over it");
    let choices = [("args", Choice::Disk), ("message", Choice::Mine)];
    let choices = choices.map(|(key, side)| (key.to_owned(), side)).into();
    studio.resolve_call(CALL, &choices).expect("resolved");
    assert!(studio.save_call(CALL).expect("saved").written);
    let saved_call = home.read(CALL);
    assert_eq!(saved_call["args"], json!({"guest": "Eve"}));
    assert_eq!(saved_call["message"]["text"], json!("Mine: Look again."));
}

#[test]
fn a_document_that_is_opened_again_is_as_its_file_is() {
    let home = home();
    let (studio, _) = open(&home);
    let mut other = talk();
    other["message"]["text"] = json!("Elsewhere.");
    home.write(CALL, &other);
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!(opened.tree, other, "the watcher is not waited for");
}

#[test]
fn a_draft_outlives_its_file_until_the_author_decides() {
    let home = home();
    {
        let (studio, _) = open(&home);
        let edits = typed(0, 0, "Mine: ");
        studio.apply_call(CALL, &edits).expect("applied");
    }
    fs::remove_file(home.path(CALL)).expect("removed");
    for _ in 0..2 {
        let (studio, _) = home.studio();
        let opened = studio.open_call(CALL).expect("opened");
        let conflict = opened.conflict.expect("a conflict");
        assert!(opened.status.modified && conflict.disk == DiskState::Deleted);
        assert_eq!(opened.tree["message"]["text"], json!("Mine: Look again."));
    }
    let (studio, _) = home.studio();
    studio.open_call(CALL).expect("opened");
    studio.resolve_call(CALL, &[].into()).expect("resolved");
    assert!(studio.save_call(CALL).expect("saved").written);
    let saved = home.read(CALL);
    assert_eq!(saved["message"]["text"], json!("Mine: Look again."));
}

#[test]
fn parts_that_are_no_text_are_listed_where_the_request_names_them() {
    let home = home();
    let image = json!({"type": "image_url", "image_url": {"url": "https://example.com/cat.png"}});
    let content = json!([{"type": "text", "text": "And here?"}, image]);
    home.write(
        CALL,
        &json!({"history": [{"role": "user", "content": content}]}),
    );
    let (studio, _) = home.open();
    let parts = studio.open_call(CALL).expect("opened").status.parts;
    let [part] = &parts[..] else {
        panic!("{parts:?}");
    };
    assert_eq!(
        (
            part.message,
            part.kind.as_str(),
            part.source.as_str(),
            part.bytes
        ),
        (0, "image_url", "https://example.com/cat.png", None)
    );
    let view = requested(&studio, RequestTarget::Gemini);
    let named = |pointer: &str| {
        view.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.pointer == pointer)
    };
    assert!(named(&part.pointer), "{:?}", view.diagnostics);
}
