//! A document in the studio: edits in order, undo and redo, saving, rolling, locking.

use std::fs;

use crate::home::{Home, group, path, prompt, set};
use promptdeck_service::CancellationToken;
use promptdeck_service::wire::{Edit, EditGroup, Origin, Slot, SnapshotQuery, UndeclaredName};
use serde_json::json;

fn typed(base: u32, at: u32, text: &str) -> EditGroup {
    EditGroup {
        base,
        edits: vec![Edit::Splice {
            path: path(json!(["registry", "prompt_endings", "items", 0, "text"])),
            at,
            delete: 0,
            insert: text.into(),
        }],
        label: "Type".into(),
        burst: Some("prompt_endings/0/text".into()),
    }
}

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
fn a_name_is_marked_from_the_key_that_opens_it_to_the_key_that_declares_it() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let mut base = 0;
    let mut marks = |edit: Edit| {
        let change = studio
            .apply("deck.json", &group(base, vec![edit]))
            .expect("applied");
        base += 1;
        let segments = change.preview.segments.middle;
        let [printed] = segments.as_slice() else {
            panic!("one segment changed: {segments:?}");
        };
        printed.undeclared.clone()
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
    assert_eq!(marks(set(text, json!("In {{venu2}}."))), []);
}

#[test]
fn edits_for_another_revision_are_refused_as_a_whole() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
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
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
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
fn saving_ends_a_burst() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
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
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
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
fn a_roll_can_be_taken_back_and_a_locked_seed_is_not_rolled() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let first = opened.tree["seed"].clone();
    let rolled = studio.roll("deck.json").expect("rolled");
    assert_eq!(
        rolled.status.last_seed.map(|seed| json!(seed)),
        Some(first.clone())
    );
    let back = studio.use_last_seed("deck.json").expect("back");
    assert_eq!(back.edits, [set(json!(["seed"]), first)]);
    assert!(!back.status.modified, "a seed is not in the file");
    studio.lock_seed("deck.json", true).expect("locked");
    assert_eq!(
        studio.roll("deck.json").expect_err("refused").code(),
        "seed_locked"
    );
    assert_eq!(
        studio
            .use_seed("deck.json", 1 << 53)
            .expect_err("refused")
            .code(),
        "bad_part"
    );
    drop(studio);
    let (studio, _) = home.studio();
    assert!(
        studio
            .open_document("deck.json")
            .expect("opened")
            .status
            .seed_locked,
        "remembered"
    );
}

#[test]
fn locking_freezes_what_was_rolled() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let dice = vec![
        set(json!(["state", "section_random", "personas"]), json!(true)),
        set(json!(["state", "slider_random", "sentiment"]), json!(true)),
        set(
            json!(["state", "array_modes", "sentiment", "nudges"]),
            json!("random:2"),
        ),
    ];
    studio.apply("deck.json", &group(0, dice)).expect("applied");
    let before = studio.open_document("deck.json").expect("open");
    let persona = before
        .preview
        .sections
        .middle
        .iter()
        .find(|known| known.section == "personas");
    let persona = persona.expect("evaluated");
    assert_eq!(
        (persona.origin, persona.selected[0].name.as_str()),
        (Origin::Random, "warm")
    );
    let one = studio
        .lock(
            "deck.json",
            Some(&[Slot::Item {
                section: "personas".into(),
            }]),
        )
        .expect("locked");
    assert_eq!(one.edits.len(), 2, "{:?}", one.edits);
    let all = studio.lock("deck.json", None).expect("locked");
    assert_eq!(
        all.edits.len(),
        3,
        "slider, its toggle, nudges: {:?}",
        all.edits
    );
    let after = studio.open_document("deck.json").expect("open");
    assert_eq!(prompt(&after), prompt(&before), "locking moves nothing");
    let rolled = |sections: &[promptdeck_service::wire::SectionEvaluation]| {
        sections.iter().any(|section| {
            section.origin == Origin::Random
                || section
                    .slider
                    .as_ref()
                    .is_some_and(|slider| slider.origin == Origin::Random)
                || section
                    .arrays
                    .iter()
                    .any(|array| array.origin == Origin::Random)
        })
    };
    assert!(!rolled(&after.preview.sections.middle));
    studio.roll("deck.json").expect("rolled");
    let moved = studio.open_document("deck.json").expect("open");
    assert_eq!(
        prompt(&moved),
        prompt(&before),
        "the next roll leaves locked values alone"
    );
    assert!(
        studio
            .lock("deck.json", None)
            .expect("nothing to lock")
            .edits
            .is_empty()
    );
}

#[test]
fn variants_are_counted_by_what_multiplies_and_told_by_what_was_rolled() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let deck = json!({"registry": {
        "version": 22,
        "assembly_order": ["personas", "notes.items", "notes.scale"],
        "personas": {
            "required": true,
            "section_random": true,
            "items": [{"id": "calm", "context": "Calm."}, {"id": "brisk", "context": "Brisk."}],
        },
        "notes": {
            "required": false,
            "items": [
                {"id": "a", "items": ["one", "two", "three"]},
                {"id": "b", "items": ["four", "five"]},
            ],
            "array_modes": {"items": "random:1"},
        },
    }});
    home.write("deck.json", &deck);
    studio.open_document("deck.json").expect("opened");
    let both = set(json!(["state", "selections", "notes"]), json!(["a", "b"]));
    studio
        .apply("deck.json", &group(0, vec![both]))
        .expect("applied");

    let count = studio
        .variant_count("deck.json", &CancellationToken::new())
        .expect("counted");
    assert_eq!((count.unordered.as_str(), count.exact), ("12", true));
    let factors: Vec<_> = count
        .factors
        .iter()
        .map(|factor| {
            (
                factor.sections.join("+"),
                factor.of.as_deref(),
                factor.ways.join(" "),
            )
        })
        .collect();
    assert_eq!(
        factors,
        [
            ("personas".into(), None, "2".into()),
            ("notes".into(), Some("items"), "3 2".into()),
        ]
    );

    let variants = studio
        .roll_variants("deck.json", 1, 12, &CancellationToken::new())
        .expect("rolled");
    for variant in &variants {
        let persona = &variant.picks[0];
        assert_eq!((persona.section.as_str(), &persona.of), ("personas", &None));
        assert!(variant.text.to_lowercase().contains(&persona.value.text));
        assert_eq!(persona.value.detail, persona.value.text);
        let notes = &variant.picks[1];
        assert_eq!(notes.of.as_deref(), Some("items"));
        let (first, second) = notes.value.text.split_once(" / ").expect("two lists");
        assert!(variant.text.contains(first) && variant.text.contains(second));
        let index = |of: &[&str], entry| of.iter().position(|each| *each == entry).expect("known");
        let (a, b) = (
            index(&["one", "two", "three"], first),
            index(&["four", "five"], second),
        );
        assert_eq!(notes.value.detail, format!("{a}: {first}\n{b}: {second}"));
        assert!(variant.tokens > 0);
    }
}

#[test]
fn an_injection_filters_sections_and_says_so() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
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
fn deleting_takes_a_snapshot_first() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let gone = Edit::Remove {
        path: path(json!(["registry", "personas", "items", 1])),
    };
    studio
        .apply("deck.json", &group(0, vec![gone]))
        .expect("applied");
    let gone = Edit::Remove {
        path: path(json!(["registry", "sentiment"])),
    };
    studio
        .apply("deck.json", &group(1, vec![gone]))
        .expect("applied");
    let page = studio
        .snapshots(&SnapshotQuery {
            limit: 9,
            ..SnapshotQuery::default()
        })
        .expect("listed");
    let names: Vec<_> = page
        .snapshots
        .iter()
        .map(|snapshot| snapshot.name.as_str())
        .collect();
    assert_eq!(names, ["Before delete: sentiment", "Before delete: dry"]);
    assert_eq!(page.snapshots[0].file, "deck.json");
    let back = studio
        .switch_snapshot("deck.json", page.snapshots[1].id)
        .expect("switched");
    assert!(!back.edits.is_empty());
    let open = studio.open_document("deck.json").expect("open");
    assert_eq!(open.tree["registry"], home.read("deck.json")["registry"]);
}

#[test]
fn switching_between_snapshots_adds_none_while_nothing_changes() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let count = || {
        let query = SnapshotQuery {
            limit: 20,
            ..SnapshotQuery::default()
        };
        studio.snapshots(&query).expect("listed").snapshots.len()
    };
    let mut ids = Vec::new();
    for (revision, persona) in [(0, "dry"), (2, "warm")] {
        let chosen = set(json!(["state", "selections", "personas"]), json!(persona));
        studio
            .apply("deck.json", &group(revision, vec![chosen]))
            .expect("applied");
        // The registry is edited as well: only what is not in the file is stored before a switch.
        studio
            .apply("deck.json", &typed(revision + 1, 0, "Please. "))
            .expect("applied");
        let taken = studio.take_snapshot("deck.json", None).expect("taken");
        assert!(
            taken.name.contains(&format!("personas {persona}")),
            "{}",
            taken.name
        );
        ids.push(taken.id);
    }
    for id in [ids[0], ids[1], ids[0], ids[1]] {
        studio.switch_snapshot("deck.json", id).expect("switched");
    }
    assert_eq!(count(), 2, "both states are stored already");
    studio.roll("deck.json").expect("rolled");
    studio
        .switch_snapshot("deck.json", ids[0])
        .expect("switched");
    assert_eq!(count(), 3, "another seed is another state");
}

#[test]
fn a_snapshot_brings_registry_state_and_seed_back_as_one_step() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let dry = set(json!(["state", "selections", "personas"]), json!("dry"));
    studio
        .apply("deck.json", &group(0, vec![dry]))
        .expect("applied");
    let then = studio.open_document("deck.json").expect("open");
    let taken = studio
        .take_snapshot("deck.json", Some("Opening night"))
        .expect("taken");
    assert_eq!(
        (taken.name.as_str(), taken.seed),
        (
            "Opening night",
            then.tree["seed"].as_u64().expect("a number")
        )
    );
    studio
        .apply("deck.json", &typed(1, 0, "Please. "))
        .expect("applied");
    studio.roll("deck.json").expect("rolled");
    let now = studio.open_document("deck.json").expect("open");
    studio
        .switch_snapshot("deck.json", taken.id)
        .expect("switched");
    let switched = studio.open_document("deck.json").expect("open");
    assert_eq!(switched.tree.to_string(), then.tree.to_string());
    assert_eq!(prompt(&switched), prompt(&then));
    studio.undo("deck.json").expect("undone");
    let undone = studio.open_document("deck.json").expect("open");
    assert_eq!(
        undone.tree.to_string(),
        now.tree.to_string(),
        "a switch is undone as one step"
    );
    let names = studio
        .snapshots(&SnapshotQuery {
            limit: 9,
            ..SnapshotQuery::default()
        })
        .expect("listed");
    assert!(
        names
            .snapshots
            .iter()
            .any(|known| known.name == "Before switch to Opening night")
    );
}

#[test]
fn a_folder_opens_on_the_sample_that_shows_most_and_later_on_what_was_open_last() {
    let home = Home::new();
    home.write("a.json", &home.read("deck.json"));
    let first = |home: &Home| home.studio().0.workspace().first;
    assert_eq!(first(&home).as_deref(), Some("a.json"));
    home.write("trivia_host.json", &home.read("deck.json"));
    assert_eq!(first(&home).as_deref(), Some("trivia_host.json"));
    home.studio().0.open_document("deck.json").expect("opened");
    assert_eq!(first(&home).as_deref(), Some("deck.json"));
}

#[test]
fn the_window_begins_with_the_first_document_opened() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let begun = studio.begin();
    let first = begun.first.expect("opened");
    assert_eq!(Some(&first.opened.document), begun.workspace.first.as_ref());
    assert_eq!(begun.failure, None);
    let again = studio.open_document("deck.json").expect("open");
    assert_eq!(first.opened.tree, again.tree);
    assert_eq!(first.opened.document, "deck.json");

    // What was open last can't be read any more.
    std::fs::write(home.path("deck.json"), "{").expect("written");
    let begun = home.studio().0.begin();
    assert_eq!(begun.workspace.first.as_deref(), Some("deck.json"));
    assert_eq!(begun.first, None);
    assert!(begun.failure.is_some());
}

#[test]
fn deleting_a_route_takes_a_snapshot_first() {
    let home = Home::new();
    let (studio, _) = home.studio();
    studio.open_document("deck.json").expect("opened");
    let route = path(json!(["registry", "routes", "short"]));
    let added = Edit::Set {
        path: route.clone(),
        value: json!({"generation": {"max_tokens": 9}}),
    };
    let gone = Edit::Remove { path: route };
    for (base, edit) in [(0, added), (1, gone)] {
        studio
            .apply("deck.json", &group(base, vec![edit]))
            .expect("applied");
    }
    let page = studio
        .snapshots(&SnapshotQuery {
            limit: 9,
            ..SnapshotQuery::default()
        })
        .expect("listed");
    assert_eq!(page.snapshots[0].name, "Before delete: route short");
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
