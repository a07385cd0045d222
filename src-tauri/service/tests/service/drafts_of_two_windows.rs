//! Drafts of two windows on one file: what one of them has not saved is kept when the other writes.

use crate::calls;
use crate::drafts::{ending, insert, type_mine};
use crate::home::{Events, Home};
use promptdeck_service::wire::{Event, SnapshotQuery};

/// Waits for the name under which the unsaved work of the other window is kept.
fn other_copy(events: &Events) -> String {
    events.wait("the work of another window", |event| match event {
        Event::Draft {
            kept: Some(kept), ..
        } => Some(kept.clone()),
        _ => None,
    })
}

#[test]
fn unsaved_work_of_another_window_becomes_a_snapshot_where_its_draft_is_replaced() {
    let home = Home::new();
    let (first, first_events) = home.open();
    let (second, second_events) = home.open();
    type_mine(&first);
    first_events.draft_saved(1);
    second
        .apply("deck.json", &insert(0, "Theirs. "))
        .expect("applied");
    assert_eq!(other_copy(&second_events), "Unsaved work of another window");
    // The first window writes on: now it is the second one's work that is kept.
    first
        .apply("deck.json", &insert(1, "More. "))
        .expect("applied");
    other_copy(&first_events);
    drop((first, second));

    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(ending(&opened.tree["registry"]).starts_with("More. Mine. "));
    let note = opened.draft.expect("restored");
    let other = note.other_window.as_deref();
    assert_eq!(other, Some("Unsaved work of another window"));
    let query = SnapshotQuery {
        file: Some("deck.json".into()),
        limit: 10,
        ..SnapshotQuery::default()
    };
    let page = studio.snapshots(&query).expect("listed");
    let mut texts = Vec::new();
    for row in page.snapshots {
        studio
            .switch_snapshot("deck.json", row.id)
            .expect("switched");
        let switched = studio.open_document("deck.json").expect("open");
        let text = ending(&switched.tree["registry"]);
        texts.push(text.split(' ').next().unwrap_or_default().to_owned());
    }
    texts.sort();
    assert_eq!(texts, ["Mine.", "Theirs."]);

    // Once the file is saved, what is typed after that has nothing to do with the other window.
    let saved = studio.save("deck.json").expect("saved");
    studio
        .apply("deck.json", &insert(saved.status.revision, "Later. "))
        .expect("applied");
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert_eq!(opened.draft.expect("restored").other_window, None);
}

#[test]
fn unsaved_work_of_another_window_on_a_call_document_becomes_a_copy_beside_it() {
    let home = calls::home();
    let (first, first_events) = calls::open(&home);
    let (second, second_events) = calls::open(&home);
    first
        .apply_call(calls::CALL, &calls::typed(0, 0, "Mine. "))
        .expect("applied");
    first_events.draft_saved(1);
    second
        .apply_call(calls::CALL, &calls::typed(0, 0, "Theirs. "))
        .expect("applied");
    let copy = other_copy(&second_events);
    assert_eq!(copy, "talk.unsaved-1.json");
    let text = home.read(&format!("calls/{copy}"))["message"]["text"].clone();
    assert_eq!(text, "Mine. Look again.");
}

#[test]
fn a_window_that_only_looks_leaves_the_draft_of_another() {
    let home = Home::new();
    let (first, first_events) = home.open();
    let (second, second_events) = home.open();
    type_mine(&first);
    first_events.draft_saved(1);
    drop(second);
    assert_eq!(
        second_events.count(|event| matches!(event, Event::Draft { kept: Some(_), .. })),
        0
    );
    drop(first);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(ending(&opened.tree["registry"]).starts_with("Mine. "));
}
