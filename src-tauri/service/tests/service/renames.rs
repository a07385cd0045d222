//! Names that are changed in a registry, and the documents beside it that follow: its checks and its
//! call documents.

use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::{Change, Edit, Event};
use serde_json::{Value, json};

use crate::checks::CHECKS;
use crate::home::{Events, Home, group, path, registry as deck, set};

const CALL: &str = "calls/table.json";
/// Its layout is no one's business but its author's.
const OTHER: &str = "calls/other.json";

/// A file of checks that names sections, an item, a route and a variable of the registry.
fn naming() -> Value {
    json!({"version": 1, "checks": [
        {"name": "names", "given": {
            "rolls": 5, "route": "short",
            "state": {
                "selections": {"personas": ["dry", "loud"], "prompt_endings": "go"},
                "section_random": {"personas": false},
                "template_vars": {"base_context::place": "home"},
            },
            "variables": {"base_context::place": "the bar"},
        }, "expect": [
            {"renders": "personas"}, {"renders": "personas.dry"}, {"share": "personas.context", "min": 0.5},
            {"renders": "persona.loud"}, {"never_renders": "sentiment"},
        ]},
        {"name": "text", "expect": [{"contains": "personas"}]},
    ]})
}

fn renaming_home() -> Home {
    let home = Home::new();
    let mut deck = deck();
    deck["registry"]["routes"] = json!({"short": {"assembly_order": ["personas.context"]}});
    home.write("deck.json", &deck);
    home.write(CHECKS, &naming());
    home
}

fn followed(events: &Events) -> Vec<Edit> {
    events.wait("followed", |event| match event {
        Event::ChecksFollowed { change } => Some(change.edits.clone()),
        _ => None,
    })
}

fn rename(at: Value, from: &str, to: &str) -> Edit {
    Edit::RenameKey {
        path: path(at),
        from: from.to_owned(),
        to: to.to_owned(),
    }
}

fn checks_tree(studio: &Studio) -> Value {
    studio.open_checks("deck.json").expect("opened").tree
}

#[test]
fn checks_follow_a_renamed_section_and_its_undo() {
    let home = renaming_home();
    let (studio, events) = home.open();
    let edits = vec![
        set(
            json!(["registry", "assembly_order", 1]),
            json!("hosts.context"),
        ),
        rename(json!(["registry"]), "personas", "hosts"),
    ];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    assert_eq!(followed(&events).len(), 6);
    let mut expected: Value =
        serde_json::from_str(&naming().to_string().replace("personas", "hosts")).expect("JSON");
    expected["checks"][0]["expect"][3] = json!({"renders": "hosts.loud"});
    expected["checks"][1] = naming()["checks"][1].clone();
    assert_eq!(checks_tree(&studio), expected);
    assert!(
        studio
            .open_checks("deck.json")
            .expect("opened")
            .status
            .modified
    );
    assert_eq!(home.read(CHECKS), naming());
    studio.undo("deck.json").expect("undone");
    assert_eq!(checks_tree(&studio), naming(), "to the byte, an alias too");
    studio.redo("deck.json").expect("redone");
    assert_eq!(checks_tree(&studio), expected);
    studio.undo_checks(CHECKS).expect("undone");
    assert_eq!(checks_tree(&studio), naming());
}

#[test]
fn checks_follow_items_routes_and_variables() {
    let home = renaming_home();
    let (studio, events) = home.open();
    let edits = vec![set(
        json!(["registry", "personas", "items", 1, "id"]),
        json!("wry"),
    )];
    let change = studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    followed(&events);
    let edits = vec![rename(json!(["registry", "routes"]), "short", "brief")];
    let change = studio
        .apply("deck.json", &group(change.status.revision, edits))
        .expect("applied");
    followed(&events);
    let mut expected = naming();
    let given = &mut expected["checks"][0]["given"];
    given["route"] = json!("brief");
    given["state"]["selections"]["personas"][0] = json!("wry");
    expected["checks"][0]["expect"][1] = json!({"renders": "personas.wry"});
    assert_eq!(checks_tree(&studio), expected);
    let edits = vec![rename(json!(["registry"]), "base_context", "scene")];
    let revision = change.status.revision;
    studio
        .apply("deck.json", &group(revision, edits))
        .expect("applied");
    followed(&events);
    let given = &checks_tree(&studio)["checks"][0]["given"];
    assert_eq!(given["variables"], json!({"scene::place": "the bar"}));
    assert_eq!(
        given["state"]["template_vars"],
        json!({"scene::place": "home"})
    );
}

#[test]
fn a_rename_without_a_file_of_checks_creates_none() {
    let home = Home::new();
    let (studio, _) = home.open();
    let edits = vec![rename(json!(["registry"]), "personas", "hosts")];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    assert!(!home.path(CHECKS).exists());
}

fn call() -> Value {
    json!({
        "registry": "../deck.json",
        "state": {
            "selections": {"personas": "dry"},
            "array_modes": {"sentiment": {"nudges": "random:2"}},
            "sliders": {"sentiment": 3},
            "template_vars": {"base_context::place": "home"},
        },
        "route": "short",
        "args": {"place": "args are not variables", "personas": 1},
        "defaults": {"base_context::place": "neither are defaults"},
        "message": {"text": "personas"},
    })
}

fn calls_home() -> Home {
    let home = renaming_home();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(CALL, &call());
    let mut other = call();
    other["registry"] = json!("../elsewhere.json");
    fs::write(home.path(OTHER), other.to_string()).expect("written");
    home
}

fn apply(studio: &Studio, edits: Vec<Edit>) -> Change {
    let revision = studio.open_document("deck.json").expect("opened").status;
    studio
        .apply("deck.json", &group(revision.revision, edits))
        .expect("applied")
}

fn section_renamed(studio: &Studio) {
    let edits = vec![
        set(
            json!(["registry", "assembly_order", 1]),
            json!("hosts.context"),
        ),
        rename(json!(["registry"]), "personas", "hosts"),
    ];
    apply(studio, edits);
}

fn call_tree(studio: &Studio) -> Value {
    studio.open_call(CALL).expect("opened").tree
}

#[test]
fn a_call_document_that_is_not_open_follows_and_is_saved_with_the_registry() {
    let home = calls_home();
    let other = fs::read(home.path(OTHER)).expect("read");
    let (studio, _) = home.open();
    section_renamed(&studio);
    assert_eq!(
        home.read(CALL),
        call(),
        "the registry's file has the old name"
    );
    let listed = studio.calls().expect("listed");
    let modified: Vec<_> = listed.iter().filter(|entry| entry.modified).collect();
    assert_eq!(modified.len(), 1);
    assert_eq!(modified[0].document, CALL);

    studio.save("deck.json").expect("saved");
    let mut expected = call();
    expected["state"]["selections"] = json!({"hosts": "dry"});
    assert_eq!(home.read(CALL), expected);
    assert_eq!(
        home.read(CHECKS)["checks"][0]["expect"][0],
        json!({"renders": "hosts"})
    );
    assert_eq!(fs::read(home.path(OTHER)).expect("read"), other);

    studio.undo("deck.json").expect("undone");
    assert_eq!(call_tree(&studio), call());
    studio.save("deck.json").expect("saved");
    assert_eq!(home.read(CALL), call());
    assert_eq!(home.read(CHECKS), naming());
}

#[test]
fn copies_kept_beside_a_call_document_stay_as_they_were() {
    let home = calls_home();
    let copies = ["calls/quiz.replaced-1.json", "calls/quiz.unsaved-1.json"];
    for copy in copies {
        home.write(copy, &call());
    }
    let (studio, _) = home.open();
    studio.open_call(copies[0]).expect("opened");
    section_renamed(&studio);
    studio.save("deck.json").expect("saved");
    studio
        .rename_registry("deck.json", "Night watch", None)
        .expect("renamed");
    assert_eq!(home.read(CALL)["registry"], "../night_watch.json");
    for copy in copies {
        assert_eq!(home.read(copy), call(), "{copy}");
        assert_eq!(
            studio.open_call(copy).expect("opened").tree,
            call(),
            "{copy}"
        );
    }
}

#[test]
fn an_undo_before_saving_leaves_no_unsaved_edit() {
    let home = calls_home();
    let (studio, _) = home.open();
    section_renamed(&studio);
    studio.undo("deck.json").expect("undone");
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!(opened.tree, call());
    assert!(!opened.status.modified);
    assert!(
        !studio
            .open_checks("deck.json")
            .expect("opened")
            .status
            .modified
    );
    studio.redo("deck.json").expect("redone");
    assert_eq!(
        call_tree(&studio)["state"]["selections"],
        json!({"hosts": "dry"})
    );
}

#[test]
fn edits_of_the_author_in_a_call_document_are_not_saved_with_the_registry() {
    let home = calls_home();
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    let edits = vec![set(json!(["message", "text"]), json!("Mine."))];
    studio.apply_call(CALL, &group(0, edits)).expect("applied");
    section_renamed(&studio);
    let change = events.wait("it follows", |event| match event {
        Event::CallFollowed { change } => Some(change.clone()),
        _ => None,
    });
    assert_eq!(change.document, CALL);
    assert_eq!(change.edits.len(), 1);
    studio.save("deck.json").expect("saved");
    assert_eq!(home.read(CALL), call());
    let tree = call_tree(&studio);
    assert_eq!(tree["message"]["text"], json!("Mine."));
    assert_eq!(tree["state"]["selections"], json!({"hosts": "dry"}));
    // The step before the author's is taken back by what leads back, not by their undo.
    let edits = vec![set(json!(["message", "text"]), json!("Mine too."))];
    let revision = studio.open_call(CALL).expect("opened").status.revision;
    studio
        .apply_call(CALL, &group(revision, edits))
        .expect("applied");
    studio.undo("deck.json").expect("undone");
    let tree = call_tree(&studio);
    assert_eq!(tree["message"]["text"], json!("Mine too."));
    assert_eq!(tree["state"], call()["state"]);
}

#[test]
fn a_call_document_that_changed_outside_is_not_overwritten() {
    let home = calls_home();
    let (studio, _) = home.open();
    section_renamed(&studio);
    let mut theirs = call();
    theirs["message"]["text"] = json!("Theirs.");
    home.write(CALL, &theirs);
    studio.save("deck.json").expect("saved");
    assert_eq!(home.read(CALL), theirs);
    let opened = studio.open_call(CALL).expect("opened");
    assert!(opened.conflict.is_some() && opened.status.modified);
    assert_eq!(opened.tree["state"]["selections"], json!({"hosts": "dry"}));
}

#[test]
fn call_documents_follow_items_routes_and_fields() {
    let home = calls_home();
    let (studio, _) = home.open();
    apply(
        &studio,
        vec![set(
            json!(["registry", "personas", "items", 1, "id"]),
            json!("wry"),
        )],
    );
    apply(
        &studio,
        vec![rename(json!(["registry", "routes"]), "short", "brief")],
    );
    apply(
        &studio,
        vec![rename(
            json!(["registry", "sentiment", "items", 0]),
            "nudges",
            "asides",
        )],
    );
    let mut expected = call();
    expected["state"]["selections"] = json!({"personas": "wry"});
    expected["state"]["array_modes"] = json!({"sentiment": {"asides": "random:2"}});
    expected["route"] = json!("brief");
    assert_eq!(call_tree(&studio), expected);
}

#[test]
fn a_renamed_variable_is_followed_in_texts_conditions_values_and_documents() {
    let home = calls_home();
    let mut deck = home.read("deck.json");
    let scene = &mut deck["registry"]["base_context"];
    scene["template_var_defaults"] = json!({"{place}": "nowhere"});
    scene["items"] = json!([{
        "id": "scene", "text": "You are at {place}, {places}.",
        "notes": ["{place}", 1, {"deep": "{place}"}],
        "fragments": [
            {"if_var": "place", "text": "At {place}."}, {"var": "{place}", "text": "There."},
        ],
        "runtime_variables": ["place"],
    }]);
    home.write("deck.json", &deck);
    let (studio, _) = home.open();
    let value = set(
        json!(["state", "template_vars"]),
        json!({"base_context::place": "the bar", "base_context::venue": "left over"}),
    );
    let before = apply(&studio, vec![value]).status.revision;
    let tree = studio.open_document("deck.json").expect("opened").tree;

    let change = studio
        .rename_variable("deck.json", before, "base_context", 0, "venue")
        .expect("renamed");
    let opened = studio.open_document("deck.json").expect("opened");
    let section = &opened.tree["registry"]["base_context"];
    assert_eq!(section["template_vars"], json!(["venue"]));
    assert_eq!(
        section["template_var_defaults"],
        json!({"venue": "nowhere"})
    );
    assert_eq!(
        section["items"],
        json!([{
            "id": "scene", "text": "You are at {venue}, {places}.",
            "notes": ["{venue}", 1, {"deep": "{venue}"}],
            "fragments": [
                {"if_var": "venue", "text": "At {venue}."}, {"var": "venue", "text": "There."},
            ],
            "runtime_variables": ["venue"],
        }])
    );
    assert_eq!(
        opened.tree["state"]["template_vars"],
        json!({"base_context::venue": "the bar"})
    );
    let label = change.status.undo.expect("a step").text;
    assert_eq!(label, "Rename variable place to venue");
    let given = &checks_tree(&studio)["checks"][0]["given"];
    assert_eq!(
        given["variables"],
        json!({"base_context::venue": "the bar"})
    );
    let mut expected = call();
    expected["state"]["template_vars"] = json!({"base_context::venue": "home"});
    assert_eq!(call_tree(&studio), expected);

    studio.undo("deck.json").expect("undone");
    assert_eq!(
        studio.open_document("deck.json").expect("opened").tree,
        tree
    );
    assert_eq!(checks_tree(&studio), naming());
    assert_eq!(call_tree(&studio), call());
}

#[test]
fn a_variable_keeps_its_name_if_another_would_change_the_prompt() {
    let home = Home::new();
    let mut deck = deck();
    let scene = &mut deck["registry"]["base_context"];
    scene["template_vars"] = json!(["place", "hour"]);
    scene["items"][0]["text"] = json!("At {place} {hour} as {typed}.");
    home.write("deck.json", &deck);
    let (studio, _) = home.open();
    for (name, why) in [
        ("hour", "declared already"),
        ("typed", "print the value"),
        ("a{b", "no braces"),
        (" ", "not empty"),
    ] {
        let refused = studio.rename_variable("deck.json", 0, "base_context", 0, name);
        let refused = refused.expect_err("refused");
        assert_eq!(refused.code(), "variable_name", "{name}");
        assert!(refused.to_string().contains(why), "{refused}");
    }
    let none = studio.rename_variable("deck.json", 0, "base_context", 2, "a");
    assert_eq!(none.expect_err("refused").code(), "bad_edit");
    let same = studio.rename_variable("deck.json", 0, "base_context", 0, "place");
    assert_eq!(same.expect("the same").status.revision, 0);
    // Words make a name, as for a section or an item; braces around it are those of a text.
    let words = studio.rename_variable("deck.json", 0, "base_context", 0, " {guest  name} ");
    assert_eq!(words.expect("renamed").status.revision, 1);
    let tree = studio.open_document("deck.json").expect("opened").tree;
    let declared = &tree["registry"]["base_context"]["template_vars"];
    assert_eq!(*declared, json!(["guest_name", "hour"]));
}

#[test]
fn what_followed_before_a_restart_is_saved_with_the_registry() {
    let home = calls_home();
    let (studio, _) = home.open();
    section_renamed(&studio);
    studio.flush();
    drop(studio);
    let (studio, _) = home.open();
    let deck = studio.open_document("deck.json").expect("open");
    assert!(deck.status.modified);
    assert_eq!(home.read(CALL), call());
    studio.save("deck.json").expect("saved");
    assert_eq!(
        home.read(CALL)["state"]["selections"],
        json!({"hosts": "dry"})
    );
    assert_eq!(
        home.read(CHECKS)["checks"][0]["expect"][0],
        json!({"renders": "hosts"})
    );
}

#[test]
fn what_an_author_wrote_before_a_restart_is_not_saved_with_the_registry() {
    let home = calls_home();
    let (studio, _) = home.open();
    section_renamed(&studio);
    let revision = studio
        .open_checks("deck.json")
        .expect("open")
        .status
        .revision;
    let edit = set(json!(["notes"]), json!("unsaved"));
    studio
        .apply_checks(CHECKS, &group(revision, vec![edit]))
        .expect("applied");
    studio.flush();
    drop(studio);
    let (studio, _) = home.open();
    studio.save("deck.json").expect("saved");
    assert_eq!(home.read(CHECKS), naming());
    let checks = studio.open_checks("deck.json").expect("open");
    assert!(checks.status.modified);
    assert_eq!(checks.tree["notes"], "unsaved");
    assert_eq!(
        checks.tree["checks"][0]["expect"][0],
        json!({"renders": "hosts"})
    );
}
