//! A document in the studio: edits in order, undo and redo, saving.

use std::fs;

use crate::home::{Home, group, path, prompt, registry, set, typed};
use promptdeck_service::wire::{Edit, Event, SnapshotQuery, UndeclaredName};
use serde_json::json;

#[test]
fn an_edit_changes_the_prompt_and_undo_changes_it_back() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(prompt(&opened).ends_with("Go."), "{:?}", prompt(&opened));
    assert!(!opened.status.modified);
    let ending = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let change = studio
        .apply(
            "deck.json",
            &group(0, vec![set(ending.clone(), json!("Stop."))]),
        )
        .expect("applied");
    assert_eq!(
        (change.base, change.status.revision, change.edits.len()),
        (0, 1, 0)
    );
    assert!(change.status.modified);
    assert_eq!(change.preview.base, Some(opened.preview.number));
    assert_eq!(
        change.preview.segments.middle.len(),
        1,
        "one segment changed"
    );
    assert_eq!(change.preview.segments.middle[0].text, "Stop.");
    let undone = studio.undo("deck.json").expect("undone");
    assert_eq!(undone.edits, [set(ending.clone(), json!("Go."))]);
    assert!(!undone.status.modified, "back where the file is");
    let redone = studio.redo("deck.json").expect("redone");
    assert_eq!(redone.edits, [set(ending, json!("Stop."))]);
    assert!(redone.status.modified);
    assert_eq!(
        studio.redo("deck.json").expect_err("nothing left").code(),
        "nothing_to_do"
    );
}

#[test]
fn a_prompt_that_is_too_large_is_named_and_its_document_stays_editable() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let text = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let order = json!(["registry", "assembly_order"]);
    let edits = vec![
        set(text, json!("x".repeat(1 << 20))),
        set(order, json!(vec!["prompt_endings"; 65])),
    ];
    let change = studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    let problem = change.preview.problem.expect("a problem");
    assert_eq!(problem.code, "prompt_too_large");
    studio.undo("deck.json").expect("undone");
    let again = studio.open_document("deck.json").expect("opened");
    assert_eq!(prompt(&again), prompt(&opened));
}

#[test]
fn a_name_is_marked_from_the_key_that_opens_it_to_the_key_that_declares_it() {
    let home = Home::new();
    let (studio, _) = home.open();
    let mut base = 0;
    let mut marks = |edit: Edit| {
        let change = studio
            .apply("deck.json", &group(base, vec![edit]))
            .expect("applied");
        base += 1;
        let segments = change.preview.segments.middle;
        // A variable without a value is a segment of its own behind it.
        segments[0].undeclared.clone()
    };
    let text = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let typed = marks(set(text.clone(), json!("\u{1f3b2} In {venu")));
    // Measured as the page measures: the die takes two units.
    let mark = |start, end| UndeclaredName {
        start,
        end,
        closed: true,
        pointer: "/prompt_endings/items/0/text".into(),
    };
    let open = UndeclaredName {
        closed: false,
        ..mark(6, 11)
    };
    assert_eq!(typed, [open]);
    let typed = marks(set(text.clone(), json!("\u{1f3b2} In {venu}")));
    assert_eq!(typed, [mark(6, 12)]);
    let twice = "\u{1f3b2} In {venu}\u{1f3b2}é{été}{venu}.";
    let typed = marks(set(text.clone(), json!(twice)));
    assert_eq!(typed, [mark(6, 12), mark(15, 20), mark(20, 26)]);
    let typed = marks(set(text.clone(), json!("\u{1f3b2} In {venu}")));
    assert_eq!(typed, [mark(6, 12)]);
    // What is printed now is a value, and nothing of it.
    let vars = json!(["registry", "prompt_endings", "template_vars"]);
    assert_eq!(marks(set(vars, json!(["venu"]))), []);
    assert_eq!(marks(set(text, json!("In {{venu2}}."))), [mark(3, 12)]);
}

#[test]
fn edits_for_another_revision_are_refused_as_a_whole() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "a"))
        .expect("applied");
    let fault = studio
        .apply("deck.json", &typed(0, 0, "b"))
        .expect_err("refused");
    assert_eq!(fault.code(), "stale_revision");
    let bad = vec![
        set(json!(["state", "sliders", "sentiment"]), json!(9)),
        set(json!(["registry", "personas", "items"]), json!("no list")),
    ];
    let fault = studio
        .apply("deck.json", &group(1, bad))
        .expect_err("refused");
    assert_eq!(fault.code(), "wrong_type");
    let opened = studio.open_document("deck.json").expect("still there");
    assert_eq!(opened.status.revision, 1);
    assert_eq!(
        opened.tree["state"]["sliders"],
        json!({}),
        "nothing of the group stays"
    );
}

#[test]
fn a_burst_of_typing_is_one_step() {
    let home = Home::new();
    let (studio, _) = home.open();
    for (place, letter) in "Now ".chars().enumerate() {
        let place = u32::try_from(place).expect("short");
        studio
            .apply("deck.json", &typed(place, place, &letter.to_string()))
            .expect("applied");
    }
    let undone = studio.undo("deck.json").expect("undone");
    assert_eq!(
        undone.edits.len(),
        1,
        "typing on is one splice: {:?}",
        undone.edits
    );
    assert!(undone.status.undo.is_none());
    assert!(prompt(&studio.open_document("deck.json").expect("open")).ends_with("\n\nGo."));
    studio.redo("deck.json").expect("redone");
    assert!(prompt(&studio.open_document("deck.json").expect("open")).ends_with("Now Go."));
}

#[test]
fn a_burst_ends_where_the_caret_moves_and_at_a_paste() {
    let home = Home::new();
    let (studio, _) = home.open();
    // Two keys at the start, two at another place, a paste, one key behind it.
    let edits = [
        (0, "a"),
        (1, "b"),
        (4, "x"),
        (5, "y"),
        (6, "pasted"),
        (12, "z"),
    ];
    for (base, (place, text)) in (0..).zip(edits) {
        studio
            .apply("deck.json", &typed(base, place, text))
            .expect("applied");
    }
    let mut steps = 0;
    while studio.undo("deck.json").is_ok() {
        steps += 1;
    }
    assert_eq!(steps, 4);
}

#[test]
fn a_value_that_was_put_back_leaves_no_step() {
    let home = Home::new();
    let (studio, _) = home.open();
    // "1,5" in the only field: 1, and nothing from the comma on.
    let temperature = |value: f64| {
        set(
            json!(["registry", "generation", "temperature"]),
            json!(value),
        )
    };
    let tries = [temperature(1.0), temperature(1.2)];
    let put_back = Edit::Remove {
        path: path(json!(["registry", "generation"])),
    };
    for (base, edit) in (0..).zip(tries.into_iter().chain([put_back])) {
        let mut group = group(base, vec![edit]);
        group.burst = Some("type:registry/generation".into());
        studio.apply("deck.json", &group).expect("applied");
    }
    let opened = studio.open_document("deck.json").expect("open");
    assert!(opened.status.undo.is_none());
    assert!(!opened.status.modified);
    assert_eq!(opened.tree["registry"], home.read("deck.json")["registry"]);
    let all = SnapshotQuery::default();
    assert_eq!(studio.snapshots(&all).expect("listed").total, 0);
}

#[test]
fn saving_ends_a_burst() {
    let home = Home::new();
    let (studio, _) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "a"))
        .expect("applied");
    assert!(!studio.save("deck.json").expect("saved").status.modified);
    let change = studio
        .apply("deck.json", &typed(1, 1, "b"))
        .expect("applied");
    assert!(change.status.modified);
    let undone = studio.undo("deck.json").expect("undone");
    assert!(!undone.status.modified);
    assert!(undone.status.undo.is_some());
}

#[test]
fn nothing_is_written_when_nothing_changed() {
    let home = Home::new();
    let (studio, _) = home.open();
    let before = fs::metadata(home.path("deck.json"))
        .expect("there")
        .modified()
        .expect("known");
    let wait = || std::thread::sleep(std::time::Duration::from_millis(20));
    wait();
    assert!(!studio.save("deck.json").expect("saved").written);
    studio
        .apply(
            "deck.json",
            &group(
                0,
                vec![set(json!(["state", "sliders", "sentiment"]), json!(9))],
            ),
        )
        .expect("applied");
    assert!(
        !studio.save("deck.json").expect("saved").written,
        "the state is not in the file"
    );
    studio
        .apply("deck.json", &typed(1, 0, "a"))
        .expect("applied");
    studio.undo("deck.json").expect("undone");
    assert!(!studio.save("deck.json").expect("saved").written);
    assert_eq!(
        fs::metadata(home.path("deck.json"))
            .expect("there")
            .modified()
            .expect("known"),
        before
    );
    studio
        .apply("deck.json", &typed(3, 0, "a"))
        .expect("applied");
    assert!(studio.save("deck.json").expect("saved").written);
    assert_eq!(
        home.read("deck.json")["registry"]["prompt_endings"]["items"][0]["text"],
        "aGo."
    );
    assert!(!studio.save("deck.json").expect("saved").written);
}

#[test]
fn an_injection_filters_sections_and_is_named() {
    let home = Home::new();
    let (studio, _) = home.open();
    let on = set(
        json!(["state", "selections", "runtime_injections"]),
        json!(["raid"]),
    );
    studio
        .apply("deck.json", &group(0, vec![on]))
        .expect("applied");
    let open = studio.open_document("deck.json").expect("open");
    assert_eq!(prompt(&open), "You are warm.\n\nA raid!");
    let base = open
        .preview
        .sections
        .middle
        .iter()
        .find(|known| known.section == "base_context");
    assert_eq!(base.expect("listed").filtered_by, ["raid"]);
}

#[test]
fn the_order_of_well_known_sections_is_undone_and_is_no_change_of_the_file() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let registry = opened.tree["registry"].as_object().expect("a registry");
    let before: Vec<String> = registry.keys().cloned().collect();
    let mut keys = before.clone();
    keys.swap(3, 4);
    let reorder = |keys: &[String]| Edit::ReorderKeys {
        path: path(json!(["registry"])),
        keys: keys.to_vec(),
    };
    let moved = studio
        .apply("deck.json", &group(0, vec![reorder(&keys)]))
        .expect("applied");
    assert!(!moved.status.modified);
    assert!(moved.status.undo.is_some());
    let undone = studio.undo("deck.json").expect("undone");
    assert_eq!(undone.edits, [reorder(&before)]);
}

#[test]
fn a_document_kept_for_its_undo_history_is_reopened_as_its_file_is() {
    let home = Home::new();
    let (studio, _) = home.open();
    let text = json!(["registry", "base_context", "items", 0, "text"]);
    let edit = set(text, json!("Ours at {place}."));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    studio.save("deck.json").expect("saved");
    studio.close("deck.json");
    let path = home.path("deck.json");
    let saved = fs::read_to_string(&path).expect("read");
    fs::write(&path, saved.replace("Ours at", "Theirs at")).expect("written");
    let opened = studio.open_document("deck.json").expect("opened");
    let text = &opened.tree["registry"]["base_context"]["items"][0]["text"];
    assert_eq!(text, "Theirs at {place}.");
    assert!(studio.undo("deck.json").is_ok(), "the history is kept");
}

/// Positions come from the bytes that were read when the document was opened, whatever the file
/// holds by then.
#[test]
fn diagnostics_refer_to_what_was_read() {
    let home = Home::new();
    let mut registry = registry();
    registry["registry"]["prompt_endings"]["items"][0]["text"] = json!("Greet {gest}.");
    let text = format!("\n\n{registry}");
    fs::write(home.path("deck.json"), &text).expect("written");
    let (studio, events) = home.studio();
    studio.open_document("deck.json").expect("opened");
    fs::write(home.path("deck.json"), "{").expect("replaced");
    let rolled = studio.roll("deck.json").expect("rolled");
    let note = events.wait("lint of the roll", |event| match event {
        Event::Lint(lint) if lint.revision == rolled.status.revision => lint
            .diagnostics
            .iter()
            .find(|note| note.code == "variable_undeclared")
            .cloned(),
        _ => None,
    });
    let column = text
        .lines()
        .last()
        .and_then(|line| line.find("\"Greet {gest}"));
    let column = column.map(|at| u32::try_from(at + 1).expect("a column"));
    assert_eq!((note.line, note.column), (Some(3), column));
}

#[test]
fn a_registry_of_more_sections_than_a_window_shows_is_refused_by_name() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let with = |count: usize| {
        let section = |n| (format!("part_{n}"), json!({ "items": [] }));
        let sections: serde_json::Map<_, _> = (0..count).map(section).collect();
        json!({ "registry": sections })
    };
    home.write("most.json", &with(2000));
    home.write("more.json", &with(2001));
    studio.open_document("most.json").expect("opened");
    let refused = studio.open_document("more.json").expect_err("refused");
    assert_eq!(refused.code(), "too_many_sections");
    let message = refused.to_string();
    assert!(message.contains("more.json has 2001 sections"), "{message}");

    // Unsaved edits that pass the limit can still be reached.
    let section = set(json!(["registry", "one_more"]), json!({ "items": [] }));
    studio
        .apply("most.json", &group(0, vec![section]))
        .expect("applied");
    studio.close("most.json");
    let opened = studio.open_document("most.json").expect("opened again");
    assert!(opened.status.modified);
}
