//! Files of the folder: new, rename, move to a sub-folder, undo. What belongs to a file goes with it.

use std::fs;

use promptdeck_service::store::Store;
use promptdeck_service::wire::{NewRegistry, SnapshotQuery};
use serde_json::{Value, json};

use crate::home::{Home, group, prompt, registry, set, typed};

pub fn query(file: &str) -> SnapshotQuery {
    serde_json::from_value(json!({"file": file, "text": null, "offset": 0, "limit": 50}))
        .expect("a query")
}

pub fn names(studio: &promptdeck_service::Studio) -> Vec<String> {
    let entries = studio.workspace().registries.into_iter();
    entries.map(|entry| entry.file).collect()
}

#[test]
fn a_renamed_registry_keeps_its_snapshots_its_draft_its_view_and_its_undo_steps() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio
        .take_snapshot("deck.json", Some("First"))
        .expect("taken");
    let mut view = studio.view("deck.json").expect("read");
    view.tab = Some("json".into());
    studio.save_view("deck.json", &view).expect("stored");
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    studio.flush();

    let moved = studio
        .rename_registry("deck.json", " Bell ringer ", None)
        .expect("renamed");
    assert_eq!(moved.file, "bell_ringer.json");
    assert_eq!(names(&studio), ["bell_ringer.json"]);
    assert_eq!(
        home.read("bell_ringer.json")["registry"]["title"],
        "Deck",
        "unsaved edits are not saved by a rename, so the title waits with them"
    );
    let titles = |studio: &promptdeck_service::Studio| {
        let listed = studio.workspace().registries.remove(0).title;
        (listed, studio.places().recent.remove(0).title)
    };
    let now = ("Bell ringer".to_owned(), "Bell ringer".to_owned());
    assert_eq!(
        titles(&studio),
        now,
        "the lists have the title of the window"
    );
    let opened = studio.open_document("bell_ringer.json").expect("open");
    assert!(prompt(&opened).ends_with("Now Go."));
    assert_eq!(opened.tree["registry"]["title"], "Bell ringer");
    assert_eq!(opened.conflict, None);
    assert_ne!(opened.status.undo.expect("the text typed").text, "Rename");
    assert_eq!(
        studio
            .snapshots(&query("bell_ringer.json"))
            .expect("read")
            .total,
        1
    );
    assert_eq!(
        studio
            .view("bell_ringer.json")
            .expect("read")
            .tab
            .as_deref(),
        Some("json")
    );

    // All of it is in the store, under the new name only.
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_document("bell_ringer.json").expect("open");
    assert!(prompt(&opened).ends_with("Now Go."));
    assert_eq!(opened.tree["registry"]["title"], "Bell ringer");
    let store = Store::open(&home.store()).expect("opened").store;
    assert_eq!(store.problems().expect("checked"), Vec::<String>::new());
    assert_eq!(store.modified_files().expect("read").len(), 1);
}

#[test]
fn copies_kept_beside_files_are_marked_in_the_lists() {
    let home = Home::new();
    home.write("deck.replaced-1.json", &home.read("deck.json"));
    fs::create_dir(home.path("calls")).expect("made");
    for name in ["calls/quiz.json", "calls/quiz.damaged-2.json"] {
        home.write(name, &json!({"history": []}));
    }
    let (studio, _) = home.open();
    let listed = studio.workspace().registries.into_iter();
    let listed: Vec<_> = listed.map(|entry| (entry.file, entry.backup)).collect();
    let name = |file: &str, backup: bool| (file.to_owned(), backup);
    let expected = [name("deck.json", false), name("deck.replaced-1.json", true)];
    assert_eq!(listed, expected);
    let calls = studio.calls().expect("a list").into_iter();
    let mut calls: Vec<_> = calls.map(|entry| (entry.document, entry.backup)).collect();
    calls.sort();
    let expected = [
        name("calls/quiz.damaged-2.json", true),
        name("calls/quiz.json", false),
    ];
    assert_eq!(calls, expected);
}

#[test]
fn a_damaged_file_is_listed_with_the_lines_around_the_fault() {
    let home = Home::new();
    fs::write(
        home.path("cut.json"),
        "{\n  \"title\": \"Cut\",\n  \"personas\": {",
    )
    .expect("written");
    let (studio, _) = home.open();
    let listed = studio.workspace().registries.into_iter();
    let mut problems = listed.filter_map(|entry| entry.problem);
    let problem = problems.next().expect("a problem");
    let excerpt = problem.excerpt.expect("an excerpt");
    assert_eq!((problem.line, excerpt.first), (Some(3), 1));
    assert_eq!(excerpt.lines[2], "  \"personas\": {");
    assert_eq!(Some(excerpt.column), problem.column);
}

#[test]
fn a_refused_name_is_said_as_it_was_typed() {
    let home = Home::new();
    let (studio, _) = home.open();
    let message = |name: &str| {
        let refused = studio.new_folder(name).map(|_| ());
        refused.expect_err("refused").to_string()
    };
    assert!(message("\"été\"").starts_with("“\"été\"” cannot be used: "));
    assert!(message("a:\tb").starts_with("\"a:\\tb\" cannot be used: "));
}

#[test]
fn unsaved_edits_are_marked_in_both_lists_here_and_after_a_restart() {
    let home = Home::new();
    home.write("other.json", &home.read("deck.json"));
    let marked = |studio: &promptdeck_service::Studio| {
        let listed = studio.workspace().registries.into_iter();
        let recent = studio.places().recent.into_iter();
        let listed: Vec<_> = listed.map(|entry| (entry.file, entry.modified)).collect();
        let recent: Vec<_> = recent.map(|entry| (entry.file, entry.modified)).collect();
        (listed, recent)
    };
    let name = |file: &str, modified: bool| (file.to_owned(), modified);
    let expected = (
        vec![name("deck.json", true), name("other.json", false)],
        vec![name("other.json", false), name("deck.json", true)],
    );
    let (studio, _) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    studio.open_document("other.json").expect("opened");
    assert_eq!(marked(&studio), expected);
    drop(studio);
    let (studio, _) = home.studio();
    assert_eq!(marked(&studio), expected);
    studio.open_document("deck.json").expect("opened");
    studio.save("deck.json").expect("saved");
    let (listed, recent) = marked(&studio);
    assert!(listed.iter().chain(&recent).all(|(_, modified)| !modified));
}

#[test]
fn a_rename_without_unsaved_edits_is_saved() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let moved = studio
        .rename_registry("deck.json", "Tie break", None)
        .expect("renamed");
    assert_eq!(moved.file, "tie_break.json");
    assert_eq!(
        home.read("tie_break.json")["registry"]["title"],
        "Tie break"
    );
    let registries = studio.workspace().registries;
    let entry = registries.first().expect("one");
    assert_eq!((entry.title.as_str(), entry.modified), ("Tie break", false));
    // The name stays when it follows from the new title already.
    let same = studio
        .rename_registry("tie_break.json", "Tie  Break!", None)
        .expect("renamed");
    assert_eq!(same.file, "tie_break.json");
}

#[test]
fn a_closed_registry_keeps_its_seed_lock_and_the_note_on_its_draft_when_it_is_renamed() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio.lock_seed("deck.json", true).expect("locked");
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    drop(studio);
    let (studio, _) = home.studio();
    studio
        .rename_registry("deck.json", "Tie break", None)
        .expect("renamed");
    let open = || studio.open_document("tie_break.json").expect("opened");
    let opened = open();
    assert!(opened.status.modified && opened.status.seed_locked);
    assert!(opened.draft.is_some());
    assert_eq!(open().draft, None, "it is shown once");
}

#[test]
fn a_rename_is_undone_by_a_rename_back_and_never_by_an_undo_of_edits() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    let before = studio.open_document("deck.json").expect("open").tree;
    studio
        .rename_registry("deck.json", "Tie break", None)
        .expect("renamed");
    studio.undo("tie_break.json").expect("undone");
    let opened = studio.open_document("tie_break.json").expect("open");
    assert!(prompt(&opened).ends_with("Go.") && !prompt(&opened).ends_with("Now Go."));
    assert_eq!(opened.tree["registry"]["title"], "Tie break");
    assert_eq!(opened.status.undo, None);
    studio.redo("tie_break.json").expect("redone");
    let back = studio
        .rename_registry("tie_break.json", "Deck", Some("deck.json"))
        .expect("renamed");
    assert_eq!(back.file, "deck.json");
    assert_eq!(
        studio.open_document("deck.json").expect("open").tree,
        before
    );
    let fault = studio
        .rename_registry("deck.json", "Deck", Some("../deck.json"))
        .expect_err("refused");
    assert_eq!(fault.code(), "bad_file", "{fault}");
}

#[test]
fn names_that_are_taken_or_no_names_are_refused_and_nothing_changes() {
    let home = Home::new();
    home.write("other.json", &registry());
    let (studio, _) = home.open();
    let check = |title: &str, code: &str| {
        let fault = studio
            .rename_registry("deck.json", title, None)
            .expect_err("refused");
        assert_eq!(fault.code(), code, "{title:?}: {fault}");
    };
    check("Other", "name_taken");
    check("", "bad_name");
    check("a\nb", "bad_name");
    check(&"x".repeat(200), "bad_name");
    // A file of which unsaved edits are left is gone, and its name is not free.
    studio.open_document("other.json").expect("opened");
    studio
        .apply("other.json", &typed(0, 0, "a"))
        .expect("applied");
    studio.close("other.json");
    fs::remove_file(home.path("other.json")).expect("removed");
    check("Other", "name_kept");
    let fault = studio
        .new_registry(&NewRegistry::Blank, "", "other")
        .expect_err("kept");
    assert_eq!(fault.code(), "name_kept");
    assert_eq!(
        studio
            .new_registry(&NewRegistry::Blank, "", "other_2")
            .expect("made"),
        "other_2.json"
    );
    assert_eq!(names(&studio), ["deck.json", "other_2.json", "other.json"]);
    for outside in [
        "../deck.json",
        "/etc/a.json",
        "calls/a.json",
        "a/../../b.json",
    ] {
        let fault = studio.move_registry(outside, "").expect_err("refused");
        assert_eq!(fault.code(), "bad_file", "{outside}");
        assert_eq!(
            studio.delete_registry(outside).expect_err("refused").code(),
            "bad_file"
        );
    }
    for folder in ["..", "/tmp", "a/../..", "calls", ".git"] {
        let fault = studio
            .move_registry("deck.json", folder)
            .expect_err("refused");
        assert_eq!(fault.code(), "bad_folder", "{folder}");
        let made = studio.new_registry(&NewRegistry::Blank, folder, "a");
        assert_eq!(made.expect_err("refused").code(), "bad_folder", "{folder}");
    }
}

#[test]
fn call_documents_follow_a_registry_to_its_new_name_and_to_a_sub_folder() {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    let call = |registry: &str| json!({"registry": registry, "history": []});
    home.write("calls/closed.json", &call("../deck.json"));
    home.write("calls/open.json", &call("../deck.json"));
    home.write("calls/edited.json", &call("../deck.json"));
    home.write("calls/other.json", &call("../other.json"));
    let (studio, _) = home.open();
    studio.open_call("calls/open.json").expect("opened");
    studio.open_call("calls/edited.json").expect("opened");
    let message = set(json!(["message"]), json!({"text": "Hello"}));
    studio
        .apply_call("calls/edited.json", &group(0, vec![message]))
        .expect("applied");

    let moved = studio
        .rename_registry("deck.json", "Quiz", None)
        .expect("renamed");
    assert_eq!(moved.behind, Vec::<String>::new());
    let named = |file: &str| home.read(file)["registry"].clone();
    assert_eq!(named("calls/closed.json"), "../quiz.json");
    assert_eq!(named("calls/open.json"), "../quiz.json");
    assert_eq!(named("calls/other.json"), "../other.json");
    assert_eq!(named("calls/edited.json"), "../quiz.json");
    assert_eq!(
        home.read("calls/edited.json").get("message"),
        None,
        "not saved unasked"
    );
    let edited = studio.open_call("calls/edited.json").expect("open");
    assert_eq!(edited.tree["registry"], "../quiz.json");
    assert_eq!(edited.tree["message"]["text"], "Hello");

    assert_eq!(studio.new_folder("finals").expect("made"), "finals");
    assert_eq!(studio.workspace().folders, ["finals"]);
    let moved = studio.move_registry("quiz.json", "finals").expect("moved");
    assert_eq!(moved.file, "finals/quiz.json");
    assert_eq!(named("calls/closed.json"), "../finals/quiz.json");
    let closed = studio.calls().expect("listed");
    let closed = closed
        .iter()
        .find(|entry| entry.document == "calls/closed.json");
    assert_eq!(
        closed.and_then(|entry| entry.registry.as_deref()),
        Some("finals/quiz.json")
    );
    assert_eq!(
        studio.new_folder("finals").expect_err("taken").code(),
        "name_taken"
    );
}

#[test]
fn a_modified_call_follows_every_rename_and_stays_modified() {
    let home = Home::new();
    let call = "calls/a.json";
    fs::create_dir(home.path("calls")).expect("made");
    home.write(
        call,
        &json!({"registry": "../deck.json", "history": [], "seed": 1}),
    );
    let (studio, _) = home.open();
    studio.open_call(call).expect("opened");
    let message = set(json!(["message"]), json!({"text": "Hello"}));
    studio
        .apply_call(call, &group(0, vec![message]))
        .expect("applied");
    let check = |studio: &promptdeck_service::Studio, registry: &str| {
        let reference = format!("../{registry}");
        let file = home.read(call);
        assert_eq!(file["registry"], reference);
        assert_eq!(file.get("message"), None);
        let open = studio.open_call(call).expect("open");
        assert_eq!(open.tree["registry"], reference);
        assert_eq!(open.tree["message"]["text"], "Hello");
        assert!(open.status.modified && open.conflict.is_none());
        let listed = studio.calls().expect("listed").remove(0);
        assert_eq!(listed.registry.as_deref(), Some(registry));
        assert!(listed.modified);
    };
    let rename = |studio: &promptdeck_service::Studio, from: &str, title: &str| {
        let moved = studio.rename_registry(from, title, None).expect("renamed");
        assert_eq!(moved.behind, Vec::<String>::new());
        check(studio, &moved.file);
        moved.file
    };
    let renamed = rename(&studio, "deck.json", "Quiz Größe 2");
    let renamed = rename(&studio, &renamed, "Deck");
    studio.new_folder("finals").expect("made");
    let moved = studio.move_registry(&renamed, "finals").expect("moved");
    check(&studio, &moved.file);
    let folder = studio.rename_folder("finals", "late").expect("renamed");
    assert_eq!(folder.behind, Vec::<String>::new());
    check(&studio, "late/deck.json");

    // Also a draft of a document that is not open.
    drop(studio);
    let (studio, _) = home.studio();
    let moved = studio.move_registry("late/deck.json", "").expect("moved");
    assert_eq!(moved.behind, Vec::<String>::new());
    check(&studio, "deck.json");

    let saved = studio.save_call(call).expect("saved");
    assert!(saved.written && saved.conflict.is_none());
    assert_eq!(home.read(call)["registry"], "../deck.json");
    assert_eq!(home.read(call)["message"]["text"], "Hello");
}

#[test]
fn undo_in_a_call_does_not_lead_back_to_the_old_name_of_its_registry() {
    let home = Home::new();
    home.write("other.json", &home.read("deck.json"));
    let call = "calls/a.json";
    fs::create_dir(home.path("calls")).expect("made");
    home.write(call, &json!({"registry": "../deck.json", "history": []}));
    let (studio, _) = home.open();
    studio.open_call(call).expect("opened");
    let other = set(json!(["registry"]), json!("../other.json"));
    studio
        .apply_call(call, &group(0, vec![other]))
        .expect("applied");
    studio
        .rename_registry("deck.json", "Quiz", None)
        .expect("renamed");
    let open = studio.open_call(call).expect("open");
    assert_eq!(open.tree["registry"], "../other.json");
    let undone = studio.undo_call(call).expect("undone");
    assert_eq!(
        undone.edits,
        [set(json!(["registry"]), json!("../quiz.json"))]
    );
    assert!(!undone.status.modified, "it is what the file holds");
    assert_eq!(
        undone.status.undo, None,
        "the rename is no step of the call"
    );
}

#[test]
fn a_call_whose_file_cannot_follow_has_unsaved_edits_that_do() {
    let home = Home::new();
    let call = "calls/a.json";
    fs::create_dir(home.path("calls")).expect("made");
    home.write(call, &json!({"registry": "../deck.json", "history": []}));
    let (studio, _) = home.open();
    studio.open_call(call).expect("opened");
    // Another program's version waits for the author.
    let message = set(json!(["message"]), json!({"text": "Hello"}));
    studio
        .apply_call(call, &group(0, vec![message]))
        .expect("applied");
    fs::write(home.path(call), "{").expect("written");
    let moved = studio
        .rename_registry("deck.json", "Quiz", None)
        .expect("renamed");
    assert_eq!(moved.behind.len(), 1);
    let open = studio.open_call(call).expect("open");
    assert_eq!(open.tree["registry"], "../quiz.json");
    assert!(open.status.modified && open.conflict.is_some());
    assert_eq!(
        fs::read_to_string(home.path(call)).expect("read"),
        "{",
        "a file that cannot be read is left alone"
    );
}

#[test]
fn a_rename_that_was_killed_is_finished_at_the_next_start() {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(
        "calls/a.json",
        &json!({"registry": "../deck.json", "history": []}),
    );
    home.write(
        "calls/edited.json",
        &json!({"registry": "../deck.json", "history": []}),
    );
    let (studio, _) = home.open();
    studio.open_call("calls/edited.json").expect("opened");
    let message = set(json!(["message"]), json!({"text": "Hello"}));
    studio
        .apply_call("calls/edited.json", &group(0, vec![message]))
        .expect("applied");
    studio
        .take_snapshot("deck.json", Some("First"))
        .expect("taken");
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    drop(studio);
    let key = |file: &str| promptdeck_service::snapshots::key(&home.path(file));
    let note = json!({
        "folder": home.path("").to_str(),
        "from": "deck.json",
        "to": "quiz.json",
        "from_key": key("deck.json"),
        "to_key": key("quiz.json"),
    });
    let write_note = || {
        let store = Store::open(&home.store()).expect("opened").store;
        store
            .set_setting("moving", &note.to_string())
            .expect("stored");
    };
    // Killed before the file was moved: nothing has happened.
    write_note();
    let (studio, _) = home.studio();
    assert_eq!(
        studio.snapshots(&query("deck.json")).expect("read").total,
        1
    );
    drop(studio);
    // Killed after that: what belongs to the file follows it.
    write_note();
    fs::rename(home.path("deck.json"), home.path("quiz.json")).expect("moved");
    let (studio, _) = home.studio();
    assert_eq!(
        studio.snapshots(&query("quiz.json")).expect("read").total,
        1
    );
    let opened = studio.open_document("quiz.json").expect("open");
    assert!(prompt(&opened).ends_with("Now Go."));
    assert_eq!(opened.conflict, None);
    assert_eq!(home.read("calls/a.json")["registry"], "../quiz.json");
    let edited = studio.open_call("calls/edited.json").expect("open");
    assert_eq!(edited.tree["registry"], "../quiz.json");
    assert_eq!(edited.tree["message"]["text"], "Hello");
    assert_eq!(edited.conflict, None);
}

#[test]
fn the_prompts_of_listed_registries_are_counted() {
    let home = Home::new();
    fs::write(home.path("broken.json"), "{").expect("written");
    fs::create_dir(home.path("finals")).expect("made");
    home.write("finals/deck.json", &registry());
    let (studio, _) = home.studio();
    let files = ["deck.json", "broken.json", "gone.json", "finals/deck.json"];
    let count = || {
        let cancel = promptdeck_service::CancellationToken::new();
        let files = files.map(str::to_owned);
        studio.registry_sizes(&files, &cancel).expect("counted")
    };
    let sizes = count();
    let counted: Vec<&str> = sizes.iter().map(|size| size.file.as_str()).collect();
    assert_eq!(counted, ["deck.json", "finals/deck.json"]);
    let sections: Vec<&str> = sizes[0]
        .sections
        .iter()
        .map(|part| part.section.as_str())
        .collect();
    assert_eq!(
        sections,
        ["base_context", "personas", "sentiment", "prompt_endings"]
    );
    assert!(sizes[0].tokens > 0);
    let mut longer = registry();
    let text = Value::from("A much longer ending than before, with many more words.");
    longer["registry"]["prompt_endings"]["items"][0]["text"] = text;
    home.write("deck.json", &longer);
    assert!(count()[0].tokens > sizes[0].tokens);
}

#[test]
fn a_registry_is_counted_as_the_author_left_it() {
    let home = Home::new();
    let (studio, _) = home.open();
    let count = || {
        let cancel = promptdeck_service::CancellationToken::new();
        let sizes = studio.registry_sizes(&["deck.json".to_owned()], &cancel);
        sizes.expect("counted")[0].tokens
    };
    let first = count();
    let long = json!("the Crooked Billet, upstairs, behind the curtain");
    let place = set(
        json!(["state", "template_vars", "base_context::place"]),
        long,
    );
    studio
        .apply("deck.json", &group(0, vec![place]))
        .expect("applied");
    studio.close("deck.json");
    studio.flush();
    let with_value = count();
    assert!(with_value > first, "{with_value} > {first}");
    studio.open_document("deck.json").expect("open");
    studio
        .apply("deck.json", &typed(1, 0, "Unsaved words, a lot of them. "))
        .expect("applied");
    studio.flush();
    let unsaved = count();
    assert!(unsaved > with_value, "{unsaved} > {with_value}");
    studio.revert("deck.json").expect("reverted");
    studio.flush();
    assert_eq!(count(), with_value);
}
