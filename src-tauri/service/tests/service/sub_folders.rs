//! Sub-folders of the open folder: what belongs to the files in one follows a rename, a copy and a
//! deletion of it.

use std::env;
use std::fs;

use promptdeck_service::store::Store;
use promptdeck_service::wire::{NewRegistry, SnapshotQuery};
use promptdeck_service::{Studio, snapshots};
use serde_json::json;

use crate::home::{Events, Home, prompt, registry, typed};
use crate::trash::alone;

const DECK: &str = "finals/last/deck.json";
const CHECKS: &str = "finals/last/deck.checks.json";

/// A registry two folders deep, with checks and a call document, open with an unsaved edit, a
/// snapshot and a view.
fn home() -> (Home, Studio, Events) {
    let home = Home::new();
    fs::create_dir_all(home.path("finals/last")).expect("made");
    fs::create_dir(home.path("calls")).expect("made");
    home.write(DECK, &registry());
    home.write(CHECKS, &json!({"version": 1, "checks": []}));
    home.write("finals/note.txt", &json!("not a registry"));
    home.write("finals2.json", &registry());
    home.write(
        "calls/a.json",
        &json!({"registry": format!("../{DECK}"), "history": []}),
    );
    let (studio, events) = home.open();
    studio.open_document(DECK).expect("open");
    studio.take_snapshot(DECK, Some("First")).expect("taken");
    let mut view = studio.view(DECK).expect("read");
    view.tab = Some("json".into());
    studio.save_view(DECK, &view).expect("stored");
    studio.apply(DECK, &typed(0, 0, "Now ")).expect("applied");
    studio.flush();
    (home, studio, events)
}

fn total(studio: &Studio, file: &str) -> u32 {
    let query: SnapshotQuery =
        serde_json::from_value(json!({"file": file, "text": null, "offset": 0, "limit": 50}))
            .expect("a query");
    studio.snapshots(&query).expect("read").total
}

/// Whether all that belongs to the registry is under this name.
fn belongs(home: &Home, studio: &Studio, file: &str) {
    assert_eq!(total(studio, file), 1, "{file}");
    assert_eq!(
        studio.view(file).expect("read").tab.as_deref(),
        Some("json")
    );
    let opened = studio.open_document(file).expect("open");
    assert!(prompt(&opened).ends_with("Now Go."), "{file}");
    assert_eq!(opened.conflict, None);
    let checks = file.replace(".json", ".checks.json");
    assert!(home.path(&checks).exists(), "{checks}");
    assert_eq!(home.read("calls/a.json")["registry"], format!("../{file}"));
}

#[test]
fn what_belongs_to_the_files_follows_a_renamed_folder() {
    let (home, studio, _events) = home();
    let moved = studio.rename_folder("finals", " rounds ").expect("renamed");
    assert_eq!((moved.file.as_str(), moved.behind.len()), ("rounds", 0));
    assert!(!home.path("finals").exists() && home.path("rounds/note.txt").exists());
    let opened = studio.open_document("rounds/last/deck.json").expect("open");
    assert!(opened.status.undo.is_some(), "the open document goes on");
    belongs(&home, &studio, "rounds/last/deck.json");
    let recent = studio.places().recent;
    assert!(
        recent
            .iter()
            .any(|file| file.file == "rounds/last/deck.json" && file.found)
    );
    // A folder inside keeps the folder it is in.
    let moved = studio.rename_folder("rounds/last", "end").expect("renamed");
    assert_eq!(moved.file, "rounds/end");
    belongs(&home, &studio, "rounds/end/deck.json");
    drop(studio);
    let (studio, _events) = home.studio();
    belongs(&home, &studio, "rounds/end/deck.json");
}

#[test]
fn a_folder_takes_no_name_that_is_used() {
    let (home, studio, _events) = home();
    fs::create_dir(home.path("rounds")).expect("made");
    let refused = |from: &str, name: &str| {
        let fault = studio.rename_folder(from, name).expect_err("refused");
        fault.code()
    };
    assert_eq!(refused("finals", "rounds"), "name_taken");
    assert_eq!(refused("finals", "finals2.json"), "name_taken");
    assert_eq!(refused("finals", "calls"), "bad_name");
    assert_eq!(refused("finals", "a/b"), "bad_name");
    assert_eq!(refused("none", "a"), "bad_folder");
    assert_eq!(refused("", "a"), "bad_folder");
    // Work that the store has under the name would be inherited.
    fs::create_dir(home.path("old")).expect("made");
    home.write("old/deck.json", &registry());
    studio.open_document("old/deck.json").expect("open");
    studio.take_snapshot("old/deck.json", None).expect("taken");
    fs::remove_dir_all(home.path("old")).expect("removed");
    assert_eq!(refused("finals", "old"), "name_kept");
    belongs(&home, &studio, DECK);
}

#[test]
fn a_rename_of_a_folder_that_was_killed_is_finished_at_the_next_start() {
    let (home, studio, _events) = home();
    drop(studio);
    let key = |name: &str| snapshots::key(&home.path(name));
    let note = json!({
        "folder": home.path("").to_str(),
        "from": "finals",
        "to": "rounds",
        "from_key": key("finals"),
        "to_key": key("rounds"),
    });
    let write_note = || {
        let store = Store::open(&home.store()).expect("opened").store;
        let stored = store.set_setting("moving folder", &note.to_string());
        stored.expect("stored");
    };
    // Killed before the folder was moved: nothing has happened.
    write_note();
    let (studio, events) = home.studio();
    belongs(&home, &studio, DECK);
    drop((studio, events));
    write_note();
    fs::rename(home.path("finals"), home.path("rounds")).expect("moved");
    let (studio, _events) = home.studio();
    belongs(&home, &studio, "rounds/last/deck.json");
}

#[test]
fn a_copy_of_a_folder_has_its_files_and_nothing_else() {
    let (home, studio, _events) = home();
    fs::write(home.path("finals/.hidden"), "x").expect("written");
    let copy = studio.duplicate_folder("finals").expect("copied");
    assert_eq!(copy, "finals copy");
    let again = studio.duplicate_folder("finals").expect("copied");
    assert_eq!(again, "finals copy 2");
    for file in ["last/deck.json", "last/deck.checks.json", "note.txt"] {
        let read = |folder: &str| fs::read(home.path(&format!("{folder}/{file}"))).expect("there");
        assert_eq!(read(&copy), read("finals"));
    }
    assert!(!home.path("finals copy/.hidden").exists());
    assert_eq!(total(&studio, "finals copy/last/deck.json"), 0);
    let left = fs::read_dir(home.path("")).expect("read").flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().starts_with(".promptdeck-copy")),
        "{left:?}"
    );
}

#[test]
fn deleting_a_folder_uses_the_trash() {
    let data = tempfile::tempdir().expect("a folder");
    alone(
        "sub_folders::a_folder_in_a_separate_trash",
        &[("XDG_DATA_HOME", data.path()), ("HOME", data.path())],
    );
}

#[test]
#[ignore = "run by deleting_a_folder_uses_the_trash, which gives it a trash"]
fn a_folder_in_a_separate_trash() {
    assert!(env::var_os("XDG_DATA_HOME").is_some());
    let (home, studio, _events) = home();
    let deleted = studio.delete_folder("finals").expect("deleted");
    assert_eq!(deleted.file, "finals");
    assert!(!home.path("finals").exists());
    assert_eq!(studio.save(DECK).expect_err("gone").code(), "not_open");
    fs::create_dir(home.path("finals")).expect("made");
    let taken = studio.restore_registry(deleted.id).expect_err("taken");
    assert_eq!(taken.code(), "name_taken");
    fs::remove_dir(home.path("finals")).expect("removed");
    let back = studio.restore_registry(deleted.id).expect("restored");
    assert_eq!(back, "finals");
    let opened = studio.open_document(DECK).expect("open");
    assert!(opened.status.undo.is_some(), "the steps to undo came back");
    belongs(&home, &studio, DECK);
}

#[test]
fn a_new_folder_is_removed_again_unless_something_was_put_there() {
    let (home, studio, _events) = home();
    studio.new_folder("drafts").expect("made");
    fs::write(home.path("drafts/notes.txt"), "mine").expect("written");
    let refused = studio.discard_folder("drafts").expect_err("refused");
    assert_eq!(refused.code(), "folder_in_use");
    assert_eq!(
        refused.to_string(),
        "the folder drafts is not removed: it holds drafts/notes.txt; move that elsewhere, or delete the \
         folder"
    );
    assert!(home.path("drafts/notes.txt").exists());
    fs::remove_file(home.path("drafts/notes.txt")).expect("removed");
    studio.discard_folder("drafts").expect("removed");
    assert!(!home.path("drafts").exists());
    // One that the studio did not make is no different from one that others filled.
    let finals = studio.discard_folder("finals").expect_err("refused");
    assert_eq!(finals.code(), "folder_in_use");
    assert!(home.path(DECK).exists());
}

#[test]
fn a_copied_folder_is_removed_with_its_copies_alone() {
    let data = tempfile::tempdir().expect("a folder");
    alone(
        "sub_folders::a_copied_folder_in_a_separate_trash",
        &[("XDG_DATA_HOME", data.path()), ("HOME", data.path())],
    );
}

#[test]
#[ignore = "run by a_copied_folder_is_removed_with_its_copies_alone, which gives it a trash"]
fn a_copied_folder_in_a_separate_trash() {
    assert!(env::var_os("XDG_DATA_HOME").is_some());
    let (home, studio, _events) = home();
    let copy = studio.duplicate_folder("finals").expect("copied");
    home.write(&format!("{copy}/other.json"), &registry());
    let refused = studio.discard_folder(&copy).expect_err("refused");
    assert!(refused.to_string().contains("other.json"), "{refused}");
    fs::remove_file(home.path(&copy).join("other.json")).expect("removed");
    studio.discard_folder(&copy).expect("removed");
    assert!(!home.path(&copy).exists());
    assert!(home.path(DECK).exists());
}

#[test]
fn a_new_registry_is_created_in_the_chosen_folder_which_is_remembered() {
    let (home, studio, _events) = home();
    let blank = |folder: &str, name: &str| {
        let made = studio.new_registry(&NewRegistry::Blank, folder, name);
        made.map_err(|fault| fault.code().to_owned())
    };
    let remembered = || studio.new_registry_options().expect("read").sub_folder;
    assert_eq!(remembered(), "");
    assert_eq!(blank("finals", "a"), Ok("finals/a.json".to_owned()));
    assert_eq!(remembered(), "finals");
    assert_eq!(blank("semis", "a"), Ok("semis/a.json".to_owned()));
    assert_eq!(remembered(), "semis");
    assert_eq!(blank("semis", "a"), Err("name_taken".to_owned()));
    for folder in ["../out", "calls", ".git", "no/such/one"] {
        assert!(blank(folder, "b").is_err(), "{folder}");
        assert!(!home.path(folder).join("b.json").exists());
    }
    studio.rename_folder("semis", "rounds").expect("renamed");
    assert_eq!(remembered(), "rounds");
    fs::remove_dir_all(home.path("rounds")).expect("removed");
    assert_eq!(remembered(), "", "a folder that is gone is not proposed");
}
