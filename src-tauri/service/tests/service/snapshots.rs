//! Snapshots: taken before something destructive, switched between, put back.

use crate::home::{Home, group, path, prompt, set, typed};
use promptdeck_service::Studio;
use promptdeck_service::wire::{Edit, Granularity, Side, SnapshotQuery, SnapshotSummary};
use serde_json::json;

/// The snapshots of all documents, newest first.
fn snapshots(studio: &Studio) -> Vec<SnapshotSummary> {
    let query = SnapshotQuery {
        limit: 9,
        ..SnapshotQuery::default()
    };
    studio.snapshots(&query).expect("listed").snapshots
}

#[test]
fn deleting_takes_a_snapshot_first() {
    let home = Home::new();
    let (studio, _) = home.open();
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
    let listed = snapshots(&studio);
    let names: Vec<_> = listed
        .iter()
        .map(|snapshot| snapshot.name.as_str())
        .collect();
    assert_eq!(names, ["Before delete: sentiment", "Before delete: dry"]);
    assert_eq!(listed[0].file, "deck.json");
    let back = studio
        .switch_snapshot("deck.json", listed[1].id)
        .expect("switched");
    assert!(!back.edits.is_empty());
    let open = studio.open_document("deck.json").expect("open");
    assert_eq!(open.tree["registry"], home.read("deck.json")["registry"]);
}

#[test]
fn snapshots_without_a_name_are_numbered() {
    let home = Home::new();
    let (studio, _) = home.open();
    let take = |name| studio.take_snapshot("deck.json", name).expect("taken").name;
    let first = take(None);
    assert_eq!(take(None), format!("{first} (2)"));
    assert_eq!(take(None), format!("{first} (3)"));
    assert_eq!(take(Some(&first)), first, "a given name is kept");
}

#[test]
fn switching_between_snapshots_adds_none_while_nothing_changes() {
    let home = Home::new();
    let (studio, _) = home.open();
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
fn a_deleted_snapshot_is_listed_with_its_time_until_it_is_restored() {
    let home = Home::new();
    let (studio, _) = home.open();
    let taken = studio
        .take_snapshot("deck.json", Some("Opening night"))
        .expect("taken");
    let deleted = || {
        let query = SnapshotQuery {
            file: Some("deck.json".to_owned()),
            deleted: true,
            limit: 9,
            ..SnapshotQuery::default()
        };
        studio.snapshots(&query).expect("listed").snapshots
    };
    assert_eq!(deleted(), []);
    studio.delete_snapshot(taken.id).expect("deleted");
    assert_eq!(snapshots(&studio), []);
    let listed = deleted();
    assert!(listed[0].deleted_at >= Some(taken.taken_at));
    assert_eq!((listed.len(), listed[0].id), (1, taken.id));
    assert_eq!(studio.undelete_snapshot(taken.id).expect("restored"), taken);
    assert_eq!((deleted(), snapshots(&studio)), (vec![], vec![taken]));
}

#[test]
fn a_snapshot_brings_registry_state_and_seed_back_as_one_step() {
    let home = Home::new();
    let (studio, _) = home.open();
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
    assert!(
        snapshots(&studio)
            .iter()
            .any(|known| known.name == "Before switch to Opening night")
    );
    // The name of an automatic one is not repeated in that of the next.
    let switch_to_automatic = || {
        let mut known = snapshots(&studio).into_iter();
        let automatic = known.find(|known| known.name.starts_with("Before "));
        studio
            .switch_snapshot("deck.json", automatic.expect("one").id)
            .expect("switched");
    };
    switch_to_automatic();
    let base = studio
        .open_document("deck.json")
        .expect("open")
        .status
        .revision;
    studio
        .apply("deck.json", &typed(base, 0, "Now. "))
        .expect("applied");
    switch_to_automatic();
    assert!(
        snapshots(&studio)
            .iter()
            .any(|known| known.name == "Before switch to an automatic snapshot")
    );
}

#[test]
fn deleting_a_route_takes_a_snapshot_first() {
    let home = Home::new();
    let (studio, _) = home.open();
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
    let listed = snapshots(&studio);
    assert_eq!(listed[0].name, "Before delete: route short");
}

#[test]
fn a_list_says_what_changed_from_the_snapshot_before() {
    let home = Home::new();
    let (studio, _) = home.open();
    let take = |name| {
        studio
            .take_snapshot("deck.json", Some(name))
            .expect("taken")
    };
    take("first");
    let revision = |edits: Vec<Edit>| {
        let open = studio.open_document("deck.json").expect("open");
        studio
            .apply("deck.json", &group(open.status.revision, edits))
            .expect("applied");
    };
    revision(vec![
        set(json!(["state", "selections", "personas"]), json!("dry")),
        set(json!(["state", "sliders", "sentiment"]), json!(3)),
    ]);
    take("calm");
    revision(vec![set(
        json!(["state", "section_random", "personas"]),
        json!(true),
    )]);
    studio.roll("deck.json").expect("rolled");
    take("rolled");
    let open = studio.open_document("deck.json").expect("open");
    studio
        .apply("deck.json", &typed(open.status.revision, 0, "Please. "))
        .expect("applied");
    let last = take("typed");
    take("again");
    studio.pin_snapshot(last.id, Some(1)).expect("pinned");
    let mut query = SnapshotQuery {
        limit: 9,
        changes: true,
        ..SnapshotQuery::default()
    };
    let page = studio.snapshots(&query).expect("listed");
    query.changes = false;
    assert_eq!(studio.snapshots(&query).expect("listed").changes, []);
    let listed: Vec<_> = page
        .snapshots
        .iter()
        .map(|row| {
            let changes = page.changes.iter().find(|changes| changes.id == row.id);
            let words = changes.map(|changes| {
                let settings = changes.settings.iter().map(|place| {
                    let section = place.section.as_deref().unwrap_or_default();
                    format!("{section} {}", place.name)
                });
                let edited = changes.edited.clone().expect("compared");
                (
                    changes.since.clone(),
                    settings.collect::<Vec<_>>().join(", "),
                    edited.join(", "),
                )
            });
            (row.name.as_str(), words)
        })
        .collect();
    let words = |since: &str, settings: &str, edited: &str| {
        Some((since.to_owned(), settings.to_owned(), edited.to_owned()))
    };
    assert_eq!(
        listed,
        [
            ("typed", words("rolled", "", "prompt_endings")),
            ("again", words("typed", "", "")),
            ("rolled", words("calm", "personas item,  seed", "")),
            (
                "calm",
                words("first", "personas item, sentiment slider", "")
            ),
            ("first", None),
        ]
    );
}

#[test]
fn a_comparison_names_the_sections_that_differ_under_an_equal_prompt() {
    let home = Home::new();
    let (studio, _) = home.open();
    let id = studio.take_snapshot("deck.json", None).expect("taken").id;
    let edited = |left: &Side, right: &Side| {
        let found = studio.compare("deck.json", left, right, Granularity::Words);
        let found = found.expect("compared");
        assert_eq!(
            (found.settings.len(), found.added, found.removed),
            (0, 0, 0)
        );
        found.edited
    };
    let snapshot = Side::Snapshot { id };
    assert_eq!(edited(&snapshot, &Side::Now), Vec::<String>::new());
    let unprinted = set(
        json!(["registry", "personas", "items", 1, "note"]),
        json!("x"),
    );
    studio
        .apply("deck.json", &group(0, vec![unprinted]))
        .expect("applied");
    let file = Side::File {
        document: "deck.json".into(),
    };
    for other in [&snapshot, &Side::Saved, &file] {
        assert_eq!(edited(other, &Side::Now), ["personas"]);
        assert_eq!(edited(other, &snapshot), Vec::<String>::new());
    }
}
