//! Opening another folder, those that were open before, and folders of every kind.

use std::fs;
use std::time::{Duration, Instant};

use promptdeck_service::wire::{CallEntry, Event, NewRegistry, TalkParams};
use serde_json::json;

use crate::calls::typed as message_typed;
use crate::home::{Home, prompt, registry, typed};
use crate::talk::{self, message};

#[test]
fn another_folder_takes_the_place_of_this_one_and_edits_wait_for_the_return() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    let other = tempfile::tempdir().expect("a folder");
    let text = fs::read(home.path("deck.json")).expect("there");
    fs::write(other.path().join("deck.json"), &text).expect("written");

    let unknown = studio.open_folder("/nowhere", None).expect_err("refused");
    assert_eq!(unknown.code(), "unknown_folder");
    let path = studio.choose_folder(other.path()).expect("chosen");
    let begun = studio.open_folder(&path, None).expect("opened");
    assert_eq!(begun.workspace.folder, other.path().display().to_string());
    let first = begun.first.expect("a document").opened;
    assert_eq!(first.document, "deck.json");
    assert!(
        prompt(&first).ends_with("\n\nGo."),
        "a file of the same name is another file"
    );
    studio
        .apply("deck.json", &typed(0, 0, "Other "))
        .expect("applied");

    let places = studio.places();
    let names: Vec<(bool, bool)> = places
        .folders
        .iter()
        .map(|folder| (folder.current, folder.found))
        .collect();
    assert_eq!(names, [(true, true), (false, true)]);
    let back = studio
        .open_folder(&places.folders[1].path, Some("deck.json"))
        .expect("opened");
    let first = back.first.expect("a document").opened;
    assert!(prompt(&first).ends_with("Now Go."));
    assert!(first.status.undo.is_some(), "its steps to undo are there");

    // A folder that is gone stays in the list, and this one stays open.
    let gone = studio.places().folders[1].path.clone();
    drop(other);
    assert!(!studio.places().folders[1].found);
    assert_eq!(
        studio.open_folder(&gone, None).expect_err("gone").code(),
        "file_missing"
    );
    assert!(studio.apply("deck.json", &typed(1, 0, "Still ")).is_ok());
    studio.forget_folder(&gone);
    assert_eq!(studio.places().folders.len(), 1);
}

#[test]
fn a_folder_that_holds_the_open_registry_opens_with_it_and_all_that_belongs_to_it() {
    const CALL: &str = "sub/calls/quiz.json";
    const DECK: &str = "sub/deck.json";
    let home = Home::new();
    fs::create_dir_all(home.path("sub/calls")).expect("made");
    home.write(DECK, &registry());
    home.write("sub/another.json", &registry());
    home.write(
        CALL,
        &json!({"registry": "../deck.json", "history": [], "message": {"text": ""}}),
    );
    let (studio, _) = home.open();
    let open = |folder: &str| {
        let path = studio.choose_folder(&home.path(folder)).expect("chosen");
        studio.open_folder(&path, None).expect("opened")
    };
    open("sub");
    studio.open_document("deck.json").expect("opened");
    let call = "calls/quiz.json";
    studio.open_call(call).expect("opened");
    let mut view = studio.view("deck.json").expect("read");
    view.call = Some(call.into());
    view.branches = [(call.to_owned(), Some(1))].into();
    studio.save_view("deck.json", &view).expect("stored");
    let params = |call: &str| TalkParams {
        call: Some(call.into()),
        ..talk::params(None)
    };
    let messages = [message("user", "Hello")];
    studio
        .send_turns("deck.json", &params(call), &messages, false)
        .expect("sent");
    studio
        .apply("deck.json", &typed(0, 0, "Now "))
        .expect("applied");
    studio
        .apply_call(call, &message_typed(0, 0, "Hi"))
        .expect("applied");

    let first = open("").first.expect("a document");
    assert_eq!(first.opened.document, DECK);
    assert!(prompt(&first.opened).ends_with("Now Go."));
    assert!(first.opened.status.modified && first.opened.status.undo.is_some());
    assert_eq!(first.view.call.as_deref(), Some(CALL));
    assert_eq!(first.view.branches, [(CALL.to_owned(), Some(1))].into());
    let calls = studio.calls().expect("listed");
    let found = calls.iter().find(|entry| entry.document == CALL);
    let found = found.expect("the call of the sub-folder");
    assert_eq!(
        (found.registry.as_deref(), found.modified),
        (Some(DECK), true)
    );
    let again = studio.open_call(CALL).expect("open");
    assert!(again.status.undo.is_some());
    let turns = studio.talk(DECK, Some(CALL)).expect("read").turns;
    assert_eq!(turns.len(), 1, "the conversation is there");
    studio.save_call(CALL).expect("saved");
    assert_eq!(home.read(CALL)["registry"], "../deck.json");

    // A new call is beside the registry, and a call that is not follows it too.
    let made = studio.new_call(DECK, Some("more")).expect("made");
    assert_eq!(made, "sub/calls/more.json");
    fs::create_dir_all(home.path("calls")).expect("made");
    home.write(
        "calls/far.json",
        &json!({"registry": "../sub/deck.json", "history": []}),
    );
    studio.rename_folder("sub", "finals").expect("renamed");
    let of_deck = |calls: Vec<CallEntry>, deck: &str| -> Vec<String> {
        let mut of_deck = calls;
        of_deck.retain(|entry| entry.registry.as_deref() == Some(deck));
        of_deck.into_iter().map(|entry| entry.document).collect()
    };
    let calls = of_deck(studio.calls().expect("listed"), "finals/deck.json");
    let names = [
        "calls/far.json",
        "finals/calls/more.json",
        "finals/calls/quiz.json",
    ];
    assert_eq!(calls, names);
    studio
        .rename_registry("finals/deck.json", "Renamed", None)
        .expect("renamed");
    let calls = of_deck(studio.calls().expect("listed"), "finals/renamed.json");
    assert_eq!(calls, names);
    let read = |file: &str| home.read(file)["registry"].clone();
    assert_eq!(read("finals/calls/quiz.json"), "../renamed.json");
    assert_eq!(read("calls/far.json"), "../finals/renamed.json");

    let first = open("finals").first.expect("a document").opened;
    assert_eq!(first.document, "renamed.json");
    assert!(prompt(&first).ends_with("Now Go.") && first.status.undo.is_some());
}

#[test]
fn a_changed_call_document_of_a_sub_folder_is_loaded() {
    let home = Home::new();
    fs::create_dir_all(home.path("sub/calls")).expect("made");
    home.write("sub/deck.json", &registry());
    let call = "sub/calls/quiz.json";
    home.write(call, &json!({"registry": "../deck.json", "history": []}));
    let (studio, events) = home.open();
    assert!(studio.workspace().problem.is_none(), "the folder is listed");
    studio.open_call(call).expect("opened");
    home.write(
        call,
        &json!({"registry": "../deck.json", "message": {"text": "New"}}),
    );
    events.wait("the change", |event| match event {
        Event::CallReloaded { change } => Some(change.edits.len()),
        _ => None,
    });
}

#[test]
fn what_was_worked_on_has_the_title_that_it_has_by_now() {
    let home = Home::new();
    home.write("other.json", &home.read("deck.json"));
    let (studio, events) = home.open();
    studio.open_document("other.json").expect("opened");
    let recent = || -> Vec<(String, String)> {
        assert!(studio.workspace().problem.is_none(), "the folder is listed");
        let recent = studio.places().recent.into_iter();
        recent.map(|known| (known.file, known.title)).collect()
    };
    let titled = |file: &str, title: &str| (file.to_owned(), title.to_owned());
    studio
        .rename_registry("deck.json", "Night Radio", None)
        .expect("renamed");
    assert_eq!(
        recent(),
        [
            titled("other.json", "Deck"),
            titled("night_radio.json", "Night Radio")
        ]
    );
    let mut changed = home.read("other.json");
    changed["registry"]["title"] = "Day Radio".into();
    home.write("other.json", &changed);
    events.wait("the title of the file", |event| {
        matches!(event, Event::Reloaded { change } if change.document == "other.json").then_some(())
    });
    assert_eq!(recent()[0], titled("other.json", "Day Radio"));
}

#[test]
fn places_are_remembered_between_starts() {
    let home = Home::new();
    let (studio, _) = home.open();
    drop(studio);
    let places = home.studio().0.places();
    assert_eq!(places.folders.len(), 1);
    assert!(places.folders[0].current && places.folders[0].found);
    let recent = places.recent.first().expect("one");
    assert_eq!(
        (recent.file.as_str(), recent.title.as_str()),
        ("deck.json", "Deck")
    );
    assert!(recent.found);
}

#[cfg(unix)]
#[test]
fn hostile_folders_are_listed_within_bounds() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Home::new();
    fs::create_dir(home.path("sub")).expect("made");
    home.write("sub/a\nb.json", &registry());
    symlink("..", home.path("sub/loop")).expect("linked");
    symlink("nowhere", home.path("dangling.json")).expect("linked");
    fs::create_dir(home.path("closed")).expect("made");
    fs::set_permissions(home.path("closed"), fs::Permissions::from_mode(0o000)).expect("set");
    let (studio, _) = home.studio();
    let workspace = studio.workspace();
    let files: Vec<_> = workspace
        .registries
        .iter()
        .map(|entry| entry.file.as_str())
        .collect();
    assert_eq!(files, ["deck.json", "sub/a\nb.json"]);
    assert_eq!(workspace.problem, None);
    studio.open_document("sub/a\nb.json").expect("opened");
    let moved = studio
        .rename_registry("sub/a\nb.json", "Plain", None)
        .expect("renamed");
    assert_eq!(moved.file, "sub/plain.json");
    fs::set_permissions(home.path("closed"), fs::Permissions::from_mode(0o700)).expect("set");

    // A folder that vanishes under the window is reported, and nothing of it is remembered wrongly.
    fs::remove_dir_all(home.path("")).expect("removed");
    let workspace = studio.workspace();
    assert_eq!(workspace.problem.expect("reported").code, "file_missing");
    assert!(studio.new_registry(&NewRegistry::Blank, "", "a").is_err());
    assert!(studio.rename_registry("sub/plain.json", "B", None).is_err());
    assert!(studio.delete_registry("sub/plain.json").is_err());
}

#[cfg(unix)]
#[test]
fn in_a_read_only_folder_nothing_is_half_done() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let (studio, _) = home.open();
    let mode = |mode| {
        fs::set_permissions(home.path(""), fs::Permissions::from_mode(mode)).expect("set");
    };
    mode(0o555);
    let probe = home.path("probe");
    let is_root = fs::write(&probe, "").is_ok();
    if is_root {
        // Root may write anywhere, but a folder without write permission is left alone.
        fs::remove_file(&probe).expect("removed");
    }
    let deleted = studio.delete_registry("deck.json").expect_err("refused");
    assert_eq!(deleted.code(), "permission_denied", "{deleted}");
    if !is_root {
        for fault in [
            studio
                .rename_registry("deck.json", "B", None)
                .expect_err("refused"),
            studio.duplicate_registry("deck.json").expect_err("refused"),
            studio.new_folder("b").expect_err("refused"),
        ] {
            assert_eq!(fault.code(), "permission_denied", "{fault}");
        }
    }
    mode(0o755);
    let opened = studio.open_document("deck.json").expect("open");
    assert_eq!(opened.conflict, None);
    assert!(studio.rename_registry("deck.json", "B", None).is_ok());
}

#[test]
fn five_thousand_files_are_listed_soon() {
    let home = Home::new();
    let text = fs::read(home.path("deck.json")).expect("there");
    for number in 0..5000 {
        fs::write(home.path(&format!("deck_{number}.json")), &text).expect("written");
    }
    let (studio, _) = home.studio();
    let begun = Instant::now();
    let workspace = studio.workspace();
    assert_eq!(workspace.registries.len(), 5001);
    assert!(!workspace.cut);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_folder_and_its_sub_folder_list_the_same_file_under_their_own_names() {
    let home = Home::new();
    let (studio, _) = home.open();
    let outer = tempfile::tempdir().expect("a folder");
    let inner = outer.path().join("quiz");
    fs::create_dir(&inner).expect("made");
    let text = fs::read(home.path("deck.json")).expect("there");
    fs::write(inner.join("deck.json"), &text).expect("written");
    let listed = |folder: &std::path::Path| {
        let path = studio.choose_folder(folder).expect("chosen");
        let begun = studio.open_folder(&path, None).expect("opened");
        let registries = begun.workspace.registries.into_iter();
        let files: Vec<(String, String)> =
            registries.map(|entry| (entry.file, entry.folder)).collect();
        (files, begun.first.map(|first| first.opened.document))
    };
    let name = |file: &str, folder: &str| vec![(file.to_owned(), folder.to_owned())];
    let expected = (
        name("quiz/deck.json", "quiz"),
        Some("quiz/deck.json".into()),
    );
    assert_eq!(listed(outer.path()), expected);
    let expected = (name("deck.json", ""), Some("deck.json".into()));
    assert_eq!(listed(&inner), expected);
}
