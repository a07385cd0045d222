//! Autosave: what is saved without being asked for, and when.

use promptdeck_service::wire::{Event, SaveReport};

use crate::home::{Home, typed};

#[test]
fn autosave_writes_edits_after_a_pause_and_never_over_an_outside_change() {
    let home = Home::new();
    let (studio, events) = home.open();
    studio
        .apply("deck.json", &typed(0, 0, "Off "))
        .expect("applied");
    events.draft_saved(1);
    let ending = |home: &Home| {
        home.read("deck.json")["registry"]["prompt_endings"]["items"][0]["text"].clone()
    };
    assert_eq!(ending(&home), "Go.", "off by default");

    let mut settings = studio.workspace().settings;
    assert!(!settings.autosave);
    settings.autosave = true;
    studio.save_settings(&settings).expect("stored");
    let saved = |revision: u32| {
        let report = events.wait("the save", |event| match event {
            Event::Autosaved { report, .. } => {
                let of_revision =
                    |save_report: &SaveReport| save_report.status.revision == revision;
                report.clone().filter(of_revision)
            }
            _ => None,
        });
        assert!(report.written && !report.status.modified);
    };
    saved(1);
    assert_eq!(ending(&home), "Off Go.", "once it is turned on");
    studio
        .apply("deck.json", &typed(1, 0, "On "))
        .expect("applied");
    saved(2);
    assert_eq!(ending(&home), "On Off Go.");

    let mut outside = home.read("deck.json");
    outside["registry"]["prompt_endings"]["items"][0]["text"] = "Theirs.".into();
    // Both at once: the watcher has not come to it when the edit is made.
    home.write("deck.json", &outside);
    let edit = studio.apply("deck.json", &typed(2, 0, "Mine "));
    if edit.is_ok() {
        events.wait("the conflict", |event| {
            matches!(event, Event::Conflicted { .. }).then_some(())
        });
        assert_eq!(ending(&home), "Theirs.");
    }
}

#[test]
fn autosave_writes_edits_that_were_restored() {
    let home = Home::new();
    let (studio, events) = home.open();
    let mut settings = studio.workspace().settings;
    studio
        .apply("deck.json", &typed(0, 0, "Kept "))
        .expect("applied");
    events.draft_saved(1);
    studio.close("deck.json");
    settings.autosave = true;
    // A crash: nothing is written any more.
    std::mem::forget(studio);
    let (studio, events) = home.studio();
    studio.save_settings(&settings).expect("stored");
    let opened = studio.open_document("deck.json").expect("opened");
    assert!(opened.draft.is_some());
    events.wait("the save", |event| {
        matches!(
            event,
            Event::Autosaved {
                report: Some(_),
                ..
            }
        )
        .then_some(())
    });
    let saved = home.read("deck.json");
    assert_eq!(
        saved["registry"]["prompt_endings"]["items"][0]["text"],
        "Kept Go."
    );
}
