//! Rolls, locks and variants.

use crate::home::{Home, group, prompt, set};
use promptdeck_service::CancellationToken;
use promptdeck_service::wire::{Origin, Slot, View};
use serde_json::json;

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
fn the_seed_before_the_last_roll_is_there_at_the_next_start() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    let first = opened.tree["seed"].as_u64();
    let rolled = studio.roll("deck.json").expect("rolled");
    let view = View {
        last_seed: rolled.status.last_seed,
        ..View::default()
    };
    studio.save_view("deck.json", &view).expect("saved");
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_document("deck.json").expect("opened");
    assert_eq!(opened.status.last_seed, first);
    let back = studio.use_last_seed("deck.json").expect("back");
    assert_eq!(back.edits, [set(json!(["seed"]), json!(first))]);
}

#[test]
fn locking_freezes_what_was_rolled() {
    let home = Home::new();
    let (studio, _) = home.open();
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
fn slots_that_cannot_be_locked_are_told_apart() {
    let home = Home::new();
    let (studio, _) = home.studio();
    // The items of notes roll different entries, and one mode holds for both; the item of moods has no
    // id to select it by.
    let deck = json!({"registry": {
        "version": 22,
        "assembly_order": ["personas", "notes.items", "moods"],
        "personas": {
            "required": true,
            "section_random": true,
            "items": [{"id": "calm", "context": "Calm."}, {"id": "brisk", "context": "Brisk."}],
        },
        "notes": {
            "required": false,
            "items": [{"id": "a", "items": ["one", "two"]}, {"id": "b", "items": ["one", "two", "three"]}],
        },
        "moods": {"required": true, "section_random": true, "items": [{"text": "Glad."}]},
    }});
    home.write("deck.json", &deck);
    studio.open_document("deck.json").expect("opened");
    let mode = json!(["state", "array_modes", "notes", "items"]);
    let edits = vec![
        set(json!(["state", "selections", "notes"]), json!(["a", "b"])),
        set(mode, json!("random:1")),
    ];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    let notes = Slot::Array {
        section: "notes".into(),
        field: "items".into(),
    };
    let moods = Slot::Item {
        section: "moods".into(),
    };
    let apart = (0..100).find_map(|seed| {
        let preview = studio.use_seed("deck.json", seed).expect("rolled").preview;
        preview.unlockable.contains(&notes).then_some(preview)
    });
    let preview = apart.expect("some seed rolls different entries");
    assert_eq!(preview.rolled.len(), 3);
    assert_eq!(preview.unlockable, [notes, moods]);
    let locked = studio.lock("deck.json", None).expect("locked");
    let left: Vec<Slot> = locked
        .unlocked
        .into_iter()
        .map(|fault| fault.slot)
        .collect();
    assert_eq!(left, locked.preview.rolled);
    assert_eq!(left, preview.unlockable);
}

#[test]
fn variants_list_their_factors_and_picks() {
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
fn locking_all_leaves_what_is_filtered_out() {
    let home = Home::new();
    let (studio, _) = home.open();
    let edits = vec![
        set(json!(["state", "section_random", "personas"]), json!(true)),
        set(json!(["state", "slider_random", "sentiment"]), json!(true)),
        set(
            json!(["state", "selections", "runtime_injections"]),
            json!(["raid"]),
        ),
    ];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    studio.lock("deck.json", None).expect("locked");
    let tree = studio.open_document("deck.json").expect("open").tree;
    let state = &tree["state"];
    assert!(state["selections"]["personas"].is_string(), "{state}");
    assert_eq!(state["slider_random"]["sentiment"], json!(true), "{state}");
}
