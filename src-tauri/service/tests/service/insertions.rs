//! What an entry would print before it is added, and lists that print below another's.

use promptdeck_service::wire::{
    ArrayEvaluation, Edit, Event, InsertionEffect, TokenStatus, UnprintedReason,
};
use promptdeck_service::{CancellationToken, Studio};
use serde_json::{Value, json};

use crate::home::{Events, Home, group, path, prompt};

/// A registry with lists and a scale that no entry prints, and a route with its own order.
fn deck() -> Value {
    json!({"registry": {
        "version": 22,
        "title": "Deck",
        "assembly_order": ["personas", "sentiment.examples", "examples"],
        "routes": {"short": {"assembly_order": ["examples"]}},
        "personas": {
            "required": true,
            "template_vars": ["who"],
            "items": [{
                "id": "chatty", "context": "You are chatty.",
                "base_directives": ["Name the tide.", "Address {who}.", "Never promise an hour."],
            }],
        },
        "sentiment": {
            "required": true,
            "items": [{
                "id": "calm", "pre_context": "Say:", "examples": ["One."],
                "context": "The river is calm.", "empty": "",
            }],
        },
        "examples": {
            "required": true,
            "items": [{"id": "crossings", "items": ["Mind the step."]}],
        },
        "runtime_injections": {
            "required": false,
            "items": [{"id": "flood", "text": "The river rises.",
                "include_sections": ["personas", "sentiment", "examples"]}],
        },
    }})
}

fn open() -> (Home, Studio, Events) {
    let home = Home::new();
    home.write("deck.json", &deck());
    let (studio, events) = home.open();
    (home, studio, events)
}

fn effect(studio: &Studio, entry: &str, index: u32) -> InsertionEffect {
    let effect = studio.try_insertion("deck.json", entry, index, &CancellationToken::new());
    effect.expect("evaluated")
}

/// Where the text belongs, and how much it is.
fn facts(effect: &InsertionEffect) -> (u32, Option<u32>, u32) {
    (effect.before, effect.after, effect.lines)
}

/// What the page sends to add the entry.
fn add(studio: &Studio, entry: &str, index: u32) {
    let revision = studio
        .open_document("deck.json")
        .expect("open")
        .status
        .revision;
    let edit = Edit::Insert {
        path: path(json!(["registry", "assembly_order", index])),
        value: json!(entry),
        position: None,
    };
    studio
        .apply("deck.json", &group(revision, vec![edit]))
        .expect("added");
}

#[test]
fn an_insertion_trial_has_the_printed_text_and_position() {
    let (_home, studio, events) = open();
    let before = studio.open_document("deck.json").expect("open");
    let found = effect(&studio, "personas.base_directives", 1);
    assert_eq!(found.preview, before.preview.number);
    assert_eq!((found.after, found.lines), (Some(0), 3));
    let segments = &before.preview.segments.middle;
    let next = segments[found.before as usize].source.as_ref();
    assert_eq!(&*next.expect("printed").section, "sentiment");

    // Nothing changed, and adding the entry does what was said.
    let same = studio.open_document("deck.json").expect("open");
    assert_eq!(prompt(&same), prompt(&before));
    add(&studio, "personas.base_directives", 1);
    let counts = events.wait("counts with the entry", |event| match event {
        Event::Counts(counts) if counts.tokens.len() == 4 => Some(counts.clone()),
        _ => None,
    });
    assert_eq!(
        (found.tokens, found.exact),
        (counts.tokens[1], counts.exact)
    );
}

#[test]
fn the_first_and_the_last_place_and_a_place_beyond_the_end() {
    let (_home, studio, _) = open();
    let whole = studio.open_document("deck.json").expect("open");
    let length = u32::try_from(whole.preview.segments.middle.len()).expect("short");
    assert_eq!(
        facts(&effect(&studio, "sentiment.context", 0)),
        (0, None, 1)
    );
    assert_eq!(
        facts(&effect(&studio, "sentiment.context", 3)),
        (length, Some(2), 1)
    );
    let beyond = effect(&studio, "sentiment.context", 99);
    assert_eq!((beyond.index, facts(&beyond)), (3, (length, Some(2), 1)));
}

#[test]
fn an_entry_that_would_print_nothing_has_no_lines() {
    let (_home, studio, _) = open();
    for entry in ["sentiment.empty", "nobody.text", "personas.[", ""] {
        let found = effect(&studio, entry, 1);
        assert_eq!((found.lines, found.tokens), (0, 0), "{entry:?}");
        assert_eq!(found.after, Some(0), "{entry:?}");
    }
}

#[test]
fn text_at_the_end_stays_before_active_injections() {
    let (_home, studio, _) = open();
    let document = studio.open_document("deck.json").expect("open");
    let edit = Edit::Set {
        path: path(json!(["state", "selections", "runtime_injections"])),
        value: json!(["flood"]),
    };
    studio
        .apply("deck.json", &group(document.status.revision, vec![edit]))
        .expect("selected");
    let document = studio.open_document("deck.json").expect("open");
    let found = effect(&studio, "sentiment.context", 3);
    let next = &document.preview.segments.middle[found.before as usize];
    assert_eq!(next.text, "The river rises.");
}

#[test]
fn a_route_with_its_own_order_is_the_one_that_is_tried() {
    let (_home, studio, _) = open();
    let document = studio.open_document("deck.json").expect("open");
    let edit = Edit::Set {
        path: path(json!(["route"])),
        value: json!("short"),
    };
    studio
        .apply("deck.json", &group(document.status.revision, vec![edit]))
        .expect("chosen");
    let found = effect(&studio, "personas.context", 1);
    assert_eq!((found.after, found.lines), (Some(0), 1));
}

fn arrays(studio: &Studio) -> Vec<ArrayEvaluation> {
    let document = studio.open_document("deck.json").expect("open");
    let tokens = &document.preview.tokens.middle;
    assert_eq!(tokens.last().expect("three").status, TokenStatus::Merged);
    let sections = document.preview.sections.middle.into_iter();
    sections.flat_map(|section| section.arrays).collect()
}

#[test]
fn a_merged_list_names_the_list_above() {
    let (_home, studio, _) = open();
    let host = |field: &str| {
        let arrays = arrays(&studio);
        let array = arrays.into_iter().find(|array| array.field == field);
        array.expect("printed").merged_into
    };
    assert_eq!(host("examples"), None);
    assert_eq!(host("items").as_deref(), Some("sentiment.examples"));
}

/// In a registry that is rendered with arguments as well.
#[test]
fn insertion_trials_work_in_templates() {
    let (home, ..) = open();
    let mut jinja = deck();
    jinja["registry"]["template_engine"] = json!("jinja");
    jinja["registry"]["personas"]["items"][0]["note"] = json!("{{ 1 + 1 }} bells.\nListen.");
    home.write("deck.json", &jinja);
    let (studio, _) = home.open();
    let found = effect(&studio, "personas.note", 1);
    assert_eq!((found.after, found.lines), (Some(0), 2));
    let merged = arrays(&studio)
        .into_iter()
        .filter_map(|array| array.merged_into);
    assert_eq!(merged.collect::<Vec<_>>(), ["sentiment.examples"]);
}

/// A bare entry prints the field of its section, which is not a text everywhere.
#[test]
fn a_dropped_entry_names_the_field_that_it_prints() {
    let home = Home::new();
    home.write(
        "deck.json",
        &json!({"registry": {
            "version": 22,
            "title": "Deck",
            "assembly_order": ["personas", "rules", "lists", "lists.note", "rules[rules]"],
            "personas": {"required": true, "items": [{"id": "a", "context": ""}]},
            "rules": {"required": true, "items": [{"id": "a", "text": ""}]},
            "lists": {"required": true, "items": [{"id": "a", "items": [], "note": ""}]},
        }}),
    );
    let (studio, _events) = home.open();
    let opened = studio.open_document("deck.json").expect("open");
    let tokens = opened.preview.tokens.middle.into_iter();
    let reasons: Vec<String> = tokens.filter_map(|token| token.reason).collect();
    assert_eq!(
        reasons,
        [
            "context is empty",
            "text is empty",
            "items is empty",
            "note is empty",
            "text is empty",
        ]
    );
}

/// A text that another route prints names the route, and its entry belongs to the order in use.
#[test]
fn a_text_that_another_route_prints_names_the_route() {
    let home = Home::new();
    home.write(
        "deck.json",
        &json!({"registry": {
            "version": 22,
            "title": "Deck",
            "assembly_order": ["rules"],
            "routes": {"billing": {"assembly_order": ["rules", "rules.note"]}},
            "rules": {"required": true, "items": [{"id": "a", "text": "A.", "note": "N."}]},
        }}),
    );
    let (studio, _events) = home.open();
    let opened = studio.open_document("deck.json").expect("open");
    let [one] = &opened.preview.unprinted.middle[..] else {
        panic!("{:?}", opened.preview.unprinted);
    };
    assert_eq!(one.reason, UnprintedReason::OtherRoute);
    assert_eq!(one.words, "only route billing prints it");
    assert_eq!(
        (one.token.as_deref(), one.index),
        (Some("rules.note"), Some(1))
    );
}

#[test]
fn the_entry_of_a_new_section_belongs_before_the_endings() {
    let home = Home::new();
    let item = |id: &str| json!({"items": [{"id": id, "text": "A text."}]});
    home.write(
        "deck.json",
        &json!({"registry": {
            "assembly_order": ["base_context", "manner", "prompt_endings"],
            "base_context": item("inn"),
            "manner": item("dry"),
            "prompt_endings": {"items": [{"id": "end", "items": ["Answer now."]}]},
        }}),
    );
    let (studio, _) = home.open();
    let index = |section: &str| {
        let index = studio.section_index("deck.json", section, &item("first"));
        index.expect("a section")
    };
    assert_eq!(index("rules"), Some(2));
    // Well-known sections stand in their order.
    assert_eq!(index("personas"), Some(1));
}

#[test]
fn a_section_that_an_entry_prints_already_needs_none() {
    let home = Home::new();
    home.write(
        "deck.json",
        &json!({"registry": {"assembly_order": [
            "persona", "house_rules.text", "notes.title", "topic[other]", "prompt_endings",
        ]}}),
    );
    let (studio, _) = home.open();
    let needs = |section: &str| {
        let items = json!([{"id": "first", "text": "", "context": ""}]);
        let value = json!({"required": section != "runtime_injections", "items": items});
        let index = studio.section_index("deck.json", section, &value);
        index.expect("a section").is_some()
    };
    assert!(!needs("personas"), "by its alias");
    assert!(!needs("house_rules"));
    assert!(!needs("topic"));
    // Another field of it does not stand for the section.
    assert!(needs("notes"));
    // Its text is printed without an entry; one says where.
    assert!(needs("runtime_injections"));
}

/// The text stays in the prompt, and the entry of the list says what it lacks.
#[test]
fn a_list_that_is_added_to_a_text_prints_beside_it() {
    let home = Home::new();
    let section = json!({"required": true, "items": [{"id": "first", "text": "Be kind."}]});
    home.write(
        "deck.json",
        &json!({"registry": {"assembly_order": ["rules"], "rules": section}}),
    );
    let (studio, _events) = home.open();
    let mut after = section;
    after["items"][0]["items"] = json!([""]);
    let splits = studio.entry_splits("deck.json", "rules", &after, 0);
    let splits = splits.expect("a section");
    let [split] = &splits[..] else {
        panic!("{splits:?}");
    };
    assert_eq!((&split.route, split.index), (&None, 0));
    assert_eq!(split.tokens, ["rules.text", "rules.items"]);
    let order = path(json!(["registry", "assembly_order"]));
    let edits = vec![
        Edit::Set {
            path: path(json!(["registry", "rules"])),
            value: after,
        },
        Edit::Set {
            path: order,
            value: json!(split.tokens),
        },
    ];
    let revision = studio
        .open_document("deck.json")
        .expect("open")
        .status
        .revision;
    studio
        .apply("deck.json", &group(revision, edits))
        .expect("added");
    let document = studio.open_document("deck.json").expect("open");
    assert_eq!(prompt(&document), "Be kind.");
    let list = &document.preview.tokens.middle[1];
    assert_eq!(list.reason.as_deref(), Some("the list items is empty"));
}
