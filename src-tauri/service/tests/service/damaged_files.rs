//! A file that another program leaves damaged: it is left alone, replaced on purpose only, with a copy
//! of it kept, and loaded and analysed once it is whole again.

use std::collections::BTreeMap;
use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::{Choice, Conflict, DiskState, Event, Failure};
use serde_json::{Value, json};

use crate::call_requests::jinja_home;
use crate::calls::{CALL, talk};
use crate::checks::{CHECKS, checks};
use crate::home::{Events, Home, group, registry, set, typed};

/// The document of one kind in a studio.
struct Kind {
    document: &'static str,
    /// The content of its file.
    content: fn() -> Value,
    /// What was kept and whether the file was written, or the conflict.
    save: fn(&Studio, &str) -> Saved,
    resolve: Resolve,
    /// Sets a key of the author's.
    edit: fn(&Studio),
    is_reload: fn(&Event) -> bool,
}

type Resolve = fn(&Studio, &str, &BTreeMap<String, Choice>) -> Result<(), String>;
type Saved = (bool, Option<Conflict>, Option<String>);

const KINDS: [Kind; 3] = [
    Kind {
        document: "deck.json",
        content: registry,
        save: |studio, document| {
            let saved = studio.save(document).expect("answered");
            (saved.written, saved.conflict, saved.kept)
        },
        resolve: |studio, document, choices| {
            let done = studio.resolve(document, choices);
            done.map(drop).map_err(|fault| fault.code().to_owned())
        },
        edit: |studio| {
            studio
                .apply(
                    "deck.json",
                    &group(0, vec![set(json!(["registry", "mine"]), json!(1))]),
                )
                .expect("applied");
        },
        is_reload: |event| matches!(event, Event::Reloaded { .. }),
    },
    Kind {
        document: CALL,
        content: talk,
        save: |studio, document| {
            let saved = studio.save_call(document).expect("answered");
            (saved.written, saved.conflict, saved.kept)
        },
        resolve: |studio, document, choices| {
            let done = studio.resolve_call(document, choices);
            done.map(drop).map_err(|fault| fault.code().to_owned())
        },
        edit: |studio| {
            studio
                .apply_call(CALL, &group(0, vec![set(json!(["mine"]), json!(1))]))
                .expect("applied");
        },
        is_reload: |event| matches!(event, Event::CallReloaded { .. }),
    },
    Kind {
        document: CHECKS,
        content: checks,
        save: |studio, document| {
            let saved = studio.save_checks(document).expect("answered");
            (saved.written, saved.conflict, saved.kept)
        },
        resolve: |studio, document, choices| {
            let done = studio.resolve_checks(document, choices);
            done.map(drop).map_err(|fault| fault.code().to_owned())
        },
        edit: |studio| {
            studio
                .apply_checks(CHECKS, &group(0, vec![set(json!(["mine"]), json!(1))]))
                .expect("applied");
        },
        is_reload: |event| matches!(event, Event::ChecksReloaded { .. }),
    },
];

/// A studio with a document of each kind open.
fn open() -> (Home, Studio, Events) {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(CALL, &talk());
    home.write(CHECKS, &checks());
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    studio.open_checks("deck.json").expect("opened");
    (home, studio, events)
}

/// Waits for a conflict of a document whose file is in this state.
fn conflict(events: &Events, document: &str, state: DiskState) -> Conflict {
    events.wait("a conflict", |event| match event {
        Event::Conflicted {
            document: other,
            conflict,
        } if other == document && conflict.disk == state => Some(conflict.clone()),
        _ => None,
    })
}

/// The name of the first copy of a damaged file.
fn copy_of(document: &str) -> String {
    document.replace(".json", ".damaged-1.json")
}

/// The slips of a hand: a missing comma, a key given twice, a broken-off file, no UTF-8.
fn slips(content: &Value) -> [Vec<u8>; 4] {
    let text = serde_json::to_string_pretty(content).expect("text");
    let comma = text.replacen("],\n", "]\n", 1);
    let twice = text.replacen("{\n", "{\n  \"twice\": 1,\n  \"twice\": 2,\n", 1);
    assert!(comma != text && twice != text);
    let mut invalid = text.clone().into_bytes();
    invalid.insert(text.find(": \"").expect("a text") + 3, 0xff);
    let half = text.as_bytes()[..text.len() / 2].to_vec();
    [comma.into_bytes(), twice.into_bytes(), half, invalid]
}

#[test]
fn a_damaged_file_is_replaced_on_purpose_only_and_a_copy_of_it_is_kept() {
    for kind in KINDS {
        let Kind { document, .. } = kind;
        for slip in slips(&(kind.content)()) {
            let (home, studio, events) = open();
            fs::write(home.path(document), &slip).expect("written");
            let conflict = conflict(&events, document, DiskState::Damaged);
            let problem = conflict.problem.expect("a reason");
            assert_eq!(problem.file.as_deref(), Some(document));
            assert!(problem.line.is_some() && problem.column.is_some());
            let (written, refused, copy) = (kind.save)(&studio, document);
            assert!(!written && refused.is_some() && copy.is_none());
            assert_eq!(fs::read(home.path(document)).expect("read"), slip);
            assert!(
                !home.path(&copy_of(document)).exists(),
                "not before it is replaced"
            );

            (kind.resolve)(&studio, document, &BTreeMap::new()).expect("replaced on purpose");
            let (written, conflict, damaged_copy) = (kind.save)(&studio, document);
            assert!(written && conflict.is_none(), "{document}");
            assert_eq!(damaged_copy, Some(copy_of(document)));
            let copy = fs::read(home.path(&copy_of(document))).expect("kept");
            assert_eq!(copy, slip, "byte for byte");
            assert_eq!(home.read(document), (kind.content)());
        }
    }
}

#[test]
fn a_version_on_disk_that_is_not_chosen_is_kept() {
    for kind in KINDS {
        let Kind { document, .. } = kind;
        for choice in [Choice::Mine, Choice::Disk] {
            let (home, studio, events) = open();
            (kind.edit)(&studio);
            let mut theirs = (kind.content)();
            theirs["own"] = json!("theirs");
            home.write(document, &theirs);
            let bytes = fs::read(home.path(document)).expect("read");
            let conflict = conflict(&events, document, DiskState::Changed);
            let choices = conflict.rows.iter().map(|row| (row.key.clone(), choice));
            (kind.resolve)(&studio, document, &choices.collect()).expect("resolved");
            let copy = home.path(&document.replace(".json", ".replaced-1.json"));
            let query = json!({"file": "deck.json", "text": null, "offset": 0, "limit": 50});
            let query = serde_json::from_value(query).expect("a query");
            let snapshots = studio.snapshots(&query).expect("read").snapshots;
            let from_disk = snapshots
                .iter()
                .find(|row| row.name == "From disk, before yours was saved");
            if choice == Choice::Disk {
                assert!(!copy.exists() && from_disk.is_none(), "{document}");
            } else if document == "deck.json" {
                assert!((kind.save)(&studio, document).0);
                let id = from_disk.expect("a snapshot").id;
                studio.switch_snapshot(document, id).expect("switched");
                assert!((kind.save)(&studio, document).0);
                assert_eq!(home.read(document), theirs);
                assert!(!copy.exists());
            } else {
                assert_eq!(fs::read(copy).expect("a copy"), bytes, "byte for byte");
                assert!((kind.save)(&studio, document).0);
            }
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_never_replaced() {
    for kind in KINDS {
        let Kind { document, .. } = kind;
        let (home, studio, events) = open();
        fs::remove_file(home.path(document)).expect("removed");
        fs::create_dir(home.path(document)).expect("made");
        fs::write(home.path(document).join("theirs"), "theirs").expect("written");
        conflict(&events, document, DiskState::Unreadable);
        assert_eq!(
            (kind.resolve)(&studio, document, &BTreeMap::new()),
            Err("unreadable_file".to_owned())
        );
        let (written, conflict, _) = (kind.save)(&studio, document);
        assert!(!written);
        let state = conflict.expect("still in conflict").disk;
        assert_eq!(state, DiskState::Unreadable);
        assert!(home.path(document).join("theirs").exists());

        fs::remove_dir_all(home.path(document)).expect("removed");
        let mut mended = (kind.content)();
        mended["own"] = json!("mended");
        home.write(document, &mended);
        events.wait("a reload", |event| (kind.is_reload)(event).then_some(()));
        assert_eq!((kind.save)(&studio, document), (false, None, None));
    }
}

#[test]
fn autosave_leaves_a_damaged_file_alone_and_says_what_it_kept_once_it_may_replace_it() {
    let (home, studio, events) = open();
    let mut settings = studio.workspace().settings;
    settings.autosave = true;
    studio.save_settings(&settings).expect("stored");
    let slip = b"{\"registry\": {";
    fs::write(home.path("deck.json"), slip).expect("written");
    conflict(&events, "deck.json", DiskState::Damaged);
    studio
        .apply("deck.json", &typed(0, 0, "Mine. "))
        .expect("applied");
    events.wait("a draft", |event| match event {
        Event::Draft { revision: 1, .. } => Some(()),
        _ => None,
    });
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(fs::read(home.path("deck.json")).expect("read"), slip);
    studio
        .resolve("deck.json", &BTreeMap::new())
        .expect("resolved");
    let copy = events.wait("autosaved", |event| match event {
        Event::Autosaved {
            report: Some(report),
            ..
        } if report.written => report.kept.clone(),
        _ => None,
    });
    assert_eq!(copy, copy_of("deck.json"));
    assert_eq!(fs::read(home.path(&copy)).expect("read"), slip);
}

#[test]
fn a_draft_of_a_damaged_file_waits_for_the_decision_after_a_restart_too() {
    let (home, studio, _) = open();
    studio
        .apply("deck.json", &typed(0, 0, "Mine. "))
        .expect("applied");
    drop(studio);
    fs::write(home.path("deck.json"), "{").expect("written");
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let state = opened.conflict.expect("a conflict").disk;
    assert_eq!(state, DiskState::Damaged);
    studio
        .resolve("deck.json", &BTreeMap::new())
        .expect("resolved");
    let copy = studio.save("deck.json").expect("saved").kept;
    let copy_name = copy.expect("a copy of the damaged file");
    assert_eq!(fs::read(home.path(&copy_name)).expect("read"), b"{");
}

#[test]
fn a_file_that_has_its_old_content_again_is_saved_as_before() {
    let (home, studio, events) = open();
    let old = fs::read(home.path("deck.json")).expect("read");
    fs::write(home.path("deck.json"), "{").expect("written");
    conflict(&events, "deck.json", DiskState::Damaged);
    studio
        .resolve("deck.json", &BTreeMap::new())
        .expect("resolved");
    fs::write(home.path("deck.json"), &old).expect("written");
    studio
        .apply("deck.json", &typed(0, 0, "Mine. "))
        .expect("applied");
    let saved = studio.save("deck.json").expect("saved");
    assert!(saved.written && saved.conflict.is_none() && saved.kept.is_none());
}

#[test]
fn reverting_does_not_take_a_deleted_file_for_saved() {
    let (home, studio, events) = open();
    fs::remove_file(home.path("deck.json")).expect("removed");
    conflict(&events, "deck.json", DiskState::Deleted);
    studio
        .resolve("deck.json", &BTreeMap::new())
        .expect("resolved");
    let reverted = studio.revert("deck.json").expect("reverted");
    assert!(reverted.status.modified, "no file holds it");
    let saved = studio.save("deck.json").expect("saved");
    assert!(saved.written && saved.kept.is_none());
}

#[test]
fn a_file_that_is_whole_again_ends_the_conflict() {
    for kind in KINDS {
        let Kind { document, .. } = kind;
        let (home, studio, events) = open();
        fs::write(home.path(document), "{\"reg").expect("written");
        conflict(&events, document, DiskState::Damaged);
        let mut mended = (kind.content)();
        mended["own"] = json!("mended");
        home.write(document, &mended);
        events.wait("a reload", |event| (kind.is_reload)(event).then_some(()));
        let over = |event: &Event| matches!(event, Event::ConflictOver { document: other } if other == document);
        assert_eq!(events.count(over), 1, "{document}");
        assert_eq!(
            (kind.resolve)(&studio, document, &BTreeMap::new()),
            Err("no_conflict".to_owned())
        );
    }
}

/// Waits for diagnostics with a code and token counts above a number.
fn analysed(events: &Events, code: &str, tokens: u32) {
    events.wait("diagnostics", |event| match event {
        Event::Lint(lint) => lint
            .diagnostics
            .iter()
            .find(|note| note.code == code)
            .cloned(),
        _ => None,
    });
    events.wait("counts", |event| match event {
        Event::Counts(counts) => (counts.total > tokens).then_some(()),
        _ => None,
    });
}

#[test]
fn a_registry_loaded_from_disk_is_analysed() {
    for damaged in [false, true] {
        let (home, _studio, events) = open();
        if damaged {
            fs::write(home.path("deck.json"), "{\"reg").expect("written");
            conflict(&events, "deck.json", DiskState::Damaged);
        }
        let mut changed = registry();
        changed["registry"]["prompt_endings"]["items"][0]["text"] = json!("Go on. ".repeat(200));
        changed["registry"]["assembly_order"][0] = json!("nothing");
        home.write("deck.json", &changed);
        analysed(&events, "unknown_section", 200);
    }
}

#[test]
fn a_prompt_is_counted_again_when_its_call_document_changes() {
    let home = jinja_home();
    let (studio, events) = crate::calls::open(&home);
    studio.use_call("deck.json", Some(CALL)).expect("used");
    let counted = |tokens: u32| {
        events.wait("counts", |event| match event {
            Event::Counts(counts) => (counts.total > tokens).then_some(counts.total),
            _ => None,
        })
    };
    let few = counted(0);
    let mut changed = talk();
    changed["args"]["guest"] = json!("Bob and Eve. ".repeat(200));
    home.write(CALL, &changed);
    let many = counted(few + 200);
    let edit = set(
        json!(["args", "guest"]),
        json!("Bob and Eve. ".repeat(2000)),
    );
    studio
        .apply_call(CALL, &group(1, vec![edit]))
        .expect("applied");
    counted(many + 2000);
}

#[test]
fn a_refusal_says_where_the_file_is_damaged() {
    let (home, studio, _) = open();
    fs::write(
        home.path("deck.json"),
        "{\"registry\": {\n  \"a\": {}\n  \"b\": {}}}",
    )
    .expect("written");
    let conflict = studio.save("deck.json").expect("answered").conflict;
    let problem: Failure = conflict.and_then(|found| found.problem).expect("a reason");
    assert_eq!((problem.line, problem.column), (Some(3), Some(3)));
}
