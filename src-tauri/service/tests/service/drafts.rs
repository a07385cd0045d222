//! Nothing is lost: drafts over crashes and restarts, changes of the file by others.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use crate::home::{Events, Home, group, path, prompt, set};
use promptdeck_service::Studio;
use promptdeck_service::wire::{Choice, Conflict, DiskState, Edit, Event};
use promptdeck_store::Store;
use serde_json::json;

pub fn insert(base: u32, text: &str) -> promptdeck_service::wire::EditGroup {
    let path = path(json!(["registry", "prompt_endings", "items", 0, "text"]));
    group(
        base,
        vec![Edit::Splice {
            path,
            at: 0,
            delete: 0,
            insert: text.into(),
        }],
    )
}

/// Types into the first prompt ending of a document as its file is.
pub fn type_mine(studio: &Studio) {
    studio
        .apply("deck.json", &insert(0, "Mine. "))
        .expect("applied");
}

/// Waits for the conflict of `deck.json` with its file.
fn conflict(events: &Events) -> Conflict {
    events.wait("a conflict", |event| match event {
        Event::Conflicted { conflict, .. } => Some(conflict.clone()),
        _ => None,
    })
}

#[test]
fn a_draft_is_kept_soon_after_a_pause_and_comes_back_after_a_crash() {
    let home = Home::new();
    let (studio, events) = home.open();
    studio
        .apply("deck.json", &insert(0, "One. "))
        .expect("applied");
    let begun = Instant::now();
    events.draft_saved(1);
    println!(
        "draft kept {} ms after the keystroke",
        begun.elapsed().as_millis()
    );
    studio
        .apply("deck.json", &insert(1, "Two. "))
        .expect("applied");
    let choice = set(json!(["state", "selections", "personas"]), json!("loud"));
    studio
        .apply("deck.json", &group(2, vec![choice]))
        .expect("applied");
    events.draft_saved(3);
    let before = studio.open_document("deck.json").expect("open");
    // A crash: nothing is flushed, no destructor runs.
    std::mem::forget(studio);
    let (studio, _) = home.studio();
    assert!(studio.workspace().registries[0].modified);
    let after = studio.open_document("deck.json").expect("opened");
    assert_eq!(after.tree.to_string(), before.tree.to_string());
    assert_eq!(prompt(&after), prompt(&before));
    assert!(after.status.modified && after.conflict.is_none());
    assert!(!after.draft.expect("restored").incomplete);
    assert_eq!(
        home.read("deck.json"),
        crate::home::registry(),
        "the file is as it was"
    );
}

#[test]
fn a_seed_that_was_drawn_for_a_registry_is_the_same_after_a_crash() {
    let home = Home::new();
    let (studio, events) = home.open();
    events.draft_saved(0);
    let before = studio.open_document("deck.json").expect("open");
    std::mem::forget(studio);
    let (studio, _) = home.studio();
    assert!(!studio.workspace().registries[0].modified);
    let after = studio.open_document("deck.json").expect("opened");
    assert_eq!(after.tree["seed"], before.tree["seed"]);
    assert_eq!(prompt(&after), prompt(&before));
    assert!(!after.status.modified && after.draft.is_none());
}

#[test]
fn a_restored_draft_is_undone_to_the_file_and_redone() {
    let home = Home::new();
    let (studio, _) = home.open();
    type_mine(&studio);
    let title = set(json!(["registry", "title"]), json!("Mine"));
    let choice = set(json!(["state", "selections", "personas"]), json!("loud"));
    studio
        .apply("deck.json", &group(1, vec![title, choice]))
        .expect("applied");
    let draft = studio.open_document("deck.json").expect("open").tree;
    drop(studio);
    let (studio, events) = home.open();
    let opened = studio.open_document("deck.json").expect("open");
    let undo = opened.status.undo.expect("a step to undo").text;
    assert_eq!(undo, "Restore unsaved edits");
    let undone = studio.undo("deck.json").expect("undone");
    assert!(!undone.status.modified && undone.status.undo.is_none());
    let back = studio.open_document("deck.json").expect("open");
    let of_file = home.read("deck.json");
    assert_eq!(
        back.tree["registry"].to_string(),
        of_file["registry"].to_string()
    );
    assert_eq!(back.tree["state"], draft["state"], "no file has the state");
    let redone = studio.redo("deck.json").expect("redone");
    assert!(redone.status.modified);
    let again = studio.open_document("deck.json").expect("open");
    assert_eq!(again.tree.to_string(), draft.to_string());
    // What is undone is not restored at the next start.
    studio.undo("deck.json").expect("undone");
    events.draft_saved(3);
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(!opened.status.modified && opened.status.undo.is_none());
}

#[test]
fn a_draft_whose_last_edits_do_not_apply_is_restored_without_them_and_says_so() {
    let home = Home::new();
    let (studio, events) = home.open();
    type_mine(&studio);
    events.draft_saved(1);
    drop(studio);
    let store = Store::open(&home.store()).expect("opened").store;
    let file = store.modified_files().expect("listed").remove(0);
    let version = store
        .draft_version(&file)
        .expect("looked")
        .expect("a draft");
    let edits = json!([set(
        json!(["registry", "nowhere", "items", 7, "text"]),
        json!("Lost.")
    )]);
    let edits = serde_json::to_vec(&edits).expect("text");
    let appended = store.append_draft(&file, version.owner, &edits, true, version.saved_at);
    assert!(appended.expect("written"));
    drop(store);

    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(ending(&opened.tree["registry"]).starts_with("Mine. "));
    assert!(opened.draft.expect("restored").incomplete);
}

#[test]
fn a_draft_of_another_version_of_the_file_has_no_step_to_undo() {
    let home = Home::new();
    let (studio, _) = home.open();
    type_mine(&studio);
    drop(studio);
    let mut outside = home.read("deck.json");
    outside["registry"]["title"] = json!("Theirs");
    home.write("deck.json", &outside);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(opened.conflict.is_some() && opened.status.undo.is_none());
}

#[test]
fn typing_without_a_pause_is_kept_meanwhile() {
    let home = Home::new();
    let (studio, events) = home.open();
    let (begun, mut revision) = (Instant::now(), 0);
    let drafts = || events.count(|event| matches!(event, Event::Draft { problem: None, .. }));
    // Two of them take two seconds, and longer where the disk is busy.
    while drafts() < 2 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{} drafts",
            drafts()
        );
        studio
            .apply("deck.json", &insert(revision, "x"))
            .expect("applied");
        revision += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_state_of_a_clean_document_comes_back_too() {
    let home = Home::new();
    let (studio, _) = home.open();
    let value = set(
        json!(["state", "template_vars", "base_context::place"]),
        json!("home"),
    );
    studio
        .apply("deck.json", &group(0, vec![value]))
        .expect("applied");
    let before = studio.open_document("deck.json").expect("open");
    studio.close("deck.json");
    let after = studio.open_document("deck.json").expect("opened");
    assert_eq!(after.tree, before.tree);
    assert!(!after.status.modified);
    drop(studio);
    let mut changed = home.read("deck.json");
    changed["registry"]["title"] = json!("Another deck");
    home.write("deck.json", &changed);
    let (studio, _) = home.studio();
    let after = studio.open_document("deck.json").expect("opened");
    assert_eq!(after.tree["state"], before.tree["state"]);
    assert_eq!(after.tree["registry"]["title"], "Another deck");
    assert!(!after.status.modified && after.conflict.is_none());
}

#[test]
fn undo_is_there_after_another_registry_was_open() {
    let home = Home::new();
    let (studio, _) = home.studio();
    home.write("other.json", &home.read("deck.json"));
    let before = studio.open_document("deck.json").expect("opened");
    let place = json!(["state", "template_vars", "base_context::place"]);
    for (revision, value) in ["home", "sea"].into_iter().enumerate() {
        let revision = u32::try_from(revision).expect("small");
        let edit = set(place.clone(), json!(value));
        studio
            .apply("deck.json", &group(revision, vec![edit]))
            .expect("applied");
    }
    studio.undo("deck.json").expect("undone");
    studio.close("deck.json");
    studio.open_document("other.json").expect("opened");
    studio.close("other.json");
    assert_eq!(
        studio.undo("other.json").expect_err("closed").code(),
        "not_open",
        "what was not edited is not kept in memory"
    );
    let after = studio.open_document("deck.json").expect("opened");
    assert!(after.status.undo.is_some() && after.status.redo.is_some());
    studio.redo("deck.json").expect("redone");
    studio.undo("deck.json").expect("undone");
    studio.undo("deck.json").expect("undone");
    let back = studio.open_document("deck.json").expect("open");
    assert_eq!(back.tree, before.tree);
    assert_eq!(studio.workspace().first.as_deref(), Some("deck.json"));
}

#[test]
fn an_outside_change_to_an_unmodified_document_is_loaded_and_reported() {
    let home = Home::new();
    let (studio, events) = home.open();
    let mut changed = home.read("deck.json");
    changed["registry"]["prompt_endings"]["items"][0]["text"] = json!("From outside.");
    home.write("deck.json", &changed);
    let change = events.wait("a reload", |event| match event {
        Event::Reloaded { change } => Some(change.clone()),
        _ => None,
    });
    assert_eq!(
        change.edits.len(),
        1,
        "only what changed: {:?}",
        change.edits
    );
    assert!(!change.status.modified);
    assert!(prompt(&studio.open_document("deck.json").expect("open")).ends_with("From outside."));
    let undone = studio.undo("deck.json").expect("undone");
    assert!(
        undone.status.modified,
        "what was here is not what the file holds"
    );
}

#[test]
fn saving_is_not_reported_as_an_outside_change() {
    let home = Home::new();
    let (studio, events) = home.open();
    type_mine(&studio);
    assert!(studio.save("deck.json").expect("saved").written);
    events.wait("the folder", |event| {
        matches!(event, Event::WorkspaceChanged).then_some(())
    });
    std::thread::sleep(Duration::from_millis(300));
    let foreign =
        |event: &Event| matches!(event, Event::Reloaded { .. } | Event::Conflicted { .. });
    assert_eq!(events.count(foreign), 0);
}

#[test]
fn both_versions_are_kept_and_chosen_from_by_section() {
    let home = Home::new();
    let (studio, events) = home.open();
    type_mine(&studio);
    let mut outside = home.read("deck.json");
    outside["registry"]["personas"]["items"][1]["context"] = json!("You are parched.");
    outside["registry"]["prompt_endings"]["items"][0]["text"] = json!("Theirs.");
    home.write("deck.json", &outside);
    let conflict = conflict(&events);
    let rows: Vec<_> = conflict
        .rows
        .iter()
        .map(|row| {
            (
                row.key.as_str(),
                row.mine.as_str(),
                row.disk.as_str(),
                row.proposal,
                row.both,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            (
                "personas",
                "unchanged",
                "item dry edited",
                Choice::Disk,
                false
            ),
            (
                "prompt_endings",
                "item go edited",
                "item go edited",
                Choice::Mine,
                true
            ),
        ]
    );
    let refused = studio.save("deck.json").expect("answered");
    assert!(
        !refused.written && refused.conflict.is_some(),
        "a conflict is not saved over"
    );
    assert_eq!(home.read("deck.json"), outside);
    studio
        .resolve("deck.json", &BTreeMap::new())
        .expect("resolved");
    let open = studio.open_document("deck.json").expect("open");
    assert_eq!(
        open.tree["registry"]["personas"],
        outside["registry"]["personas"]
    );
    assert_eq!(
        open.tree["registry"]["prompt_endings"]["items"][0]["text"],
        "Mine. Go."
    );
    assert!(open.status.modified && open.conflict.is_none());
    assert!(studio.save("deck.json").expect("saved").written);
    assert_eq!(home.read("deck.json")["registry"], open.tree["registry"]);
}

#[test]
fn all_from_disk_leaves_a_clean_document() {
    let home = Home::new();
    let (studio, events) = home.open();
    type_mine(&studio);
    let mut outside = home.read("deck.json");
    outside["registry"]["title"] = json!("Theirs");
    home.write("deck.json", &outside);
    conflict(&events);
    let choices = ["title", "prompt_endings"].map(|key| (key.to_owned(), Choice::Disk));
    let change = studio
        .resolve("deck.json", &choices.into())
        .expect("resolved");
    assert!(!change.status.modified);
    assert!(!studio.save("deck.json").expect("saved").written);
    let undone = studio.undo("deck.json").expect("undone");
    assert!(undone.status.modified);
}

#[test]
fn a_file_that_is_deleted_takes_nothing_with_it() {
    let home = Home::new();
    let (studio, events) = home.open();
    fs::remove_file(home.path("deck.json")).expect("removed");
    let conflict = conflict(&events);
    assert_eq!(conflict.disk, DiskState::Deleted);
    assert!(conflict.problem.is_some());
    studio.resolve("deck.json", &BTreeMap::new()).expect("kept");
    assert!(studio.save("deck.json").expect("saved").written);
    assert_eq!(home.read("deck.json"), crate::home::registry());
}

#[test]
fn unsaved_edits_of_a_deleted_file_stay_in_the_list() {
    let home = Home::new();
    home.write("other.json", &crate::home::registry());
    let (studio, _) = home.open();
    type_mine(&studio);
    drop(studio);
    fs::remove_file(home.path("deck.json")).expect("removed");
    let (studio, _) = home.studio();
    let listed = |studio: &Studio| -> Vec<(String, bool)> {
        let entries = studio.workspace().registries.into_iter();
        entries.map(|entry| (entry.file, entry.missing)).collect()
    };
    let both = [
        ("other.json".to_owned(), false),
        ("deck.json".to_owned(), true),
    ];
    assert_eq!(listed(&studio), both);
    let entry = studio.workspace().registries.remove(1);
    assert!(entry.modified);
    let begun = studio.begin();
    let first = begun.first.expect("opened from the draft").opened;
    assert_eq!(first.document, "deck.json");
    assert_eq!(
        first.conflict.expect("reported").disk,
        DiskState::Deleted,
        "to be written again or dropped"
    );
    // Another registry leaves it within reach.
    studio.open_document("other.json").expect("opened");
    assert_eq!(listed(&studio), both);
    studio.resolve("deck.json", &BTreeMap::new()).expect("kept");
    assert!(studio.save("deck.json").expect("saved").written);
    assert_eq!(
        listed(&studio),
        [
            ("deck.json".to_owned(), false),
            ("other.json".to_owned(), false)
        ]
    );
    let open = studio.open_document("deck.json").expect("open");
    studio
        .apply("deck.json", &insert(open.status.revision, "Again. "))
        .expect("applied");
    studio.delete_registry("deck.json").expect("deleted");
    assert_eq!(
        listed(&studio),
        [("other.json".to_owned(), false)],
        "deleted on purpose, and restored with its edits by undo"
    );
}

#[test]
fn a_draft_whose_file_changed_meanwhile_is_a_conflict() {
    let home = Home::new();
    let (studio, _) = home.open();
    type_mine(&studio);
    drop(studio);
    let mut outside = home.read("deck.json");
    outside["registry"]["personas"]["items"][0]["context"] = json!("Theirs.");
    home.write("deck.json", &outside);
    let (studio, _) = home.studio();
    let open = studio.open_document("deck.json").expect("opened");
    let conflict = open.conflict.expect("reported on opening");
    // Each side is described by what it changed in the version that the draft was made of.
    let rows: Vec<_> = conflict
        .rows
        .iter()
        .map(|row| (&*row.mine, &*row.disk, row.proposal, row.both))
        .collect();
    assert_eq!(
        rows,
        [
            ("unchanged", "item warm edited", Choice::Disk, false),
            ("item go edited", "unchanged", Choice::Mine, false),
        ]
    );
    assert_eq!(
        open.tree["registry"]["prompt_endings"]["items"][0]["text"],
        "Mine. Go."
    );
}

#[test]
fn a_conflict_of_a_restored_draft_outlives_more_edits_and_restarts() {
    let home = Home::new();
    let (studio, events) = home.open();
    type_mine(&studio);
    events.draft_saved(1);
    drop(studio);
    let base = home.read("deck.json");
    let mut outside = base.clone();
    outside["registry"]["personas"]["items"][0]["context"] = json!("Theirs.");
    home.write("deck.json", &outside);
    for number in 0..2 {
        let (studio, events) = home.studio();
        let open = studio.open_document("deck.json").expect("opened");
        assert!(open.conflict.is_some(), "after restart {number}");
        studio
            .apply("deck.json", &insert(0, "More. "))
            .expect("applied");
        events.draft_saved(1);
        assert!(!studio.save("deck.json").expect("saved").written);
        assert_eq!(home.read("deck.json"), outside);
        drop(studio);
    }

    let (studio, events) = home.studio();
    studio.open_document("deck.json").expect("opened");
    // A third version, and the second again: still in conflict.
    for content in [json!("Others."), json!("Theirs.")] {
        outside["registry"]["personas"]["items"][0]["context"] = content;
        home.write("deck.json", &outside);
        conflict(&events);
    }
    // The version that the draft was made of leaves the edits alone.
    home.write("deck.json", &base);
    events.wait("the end of the conflict", |event| {
        matches!(event, Event::ConflictOver { .. }).then_some(())
    });
    assert!(studio.save("deck.json").expect("saved").written);
    let saved = home.read("deck.json");
    assert_eq!(ending(&saved["registry"]), "More. More. Mine. Go.");
    assert_eq!(saved["registry"]["personas"], base["registry"]["personas"]);
}

/// The text of the first prompt ending in a registry.
pub fn ending(registry: &serde_json::Value) -> &str {
    registry["prompt_endings"]["items"][0]["text"]
        .as_str()
        .expect("a text")
}
