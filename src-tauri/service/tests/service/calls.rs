//! Call documents in the studio: opened, edited with undo, saved, watched, drafted; and the requests
//! a registry makes with them.

use std::fs;

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, Choice, Edit, EditGroup, Event, RequestParams, RequestTarget, RequestView, Segment,
};
use serde_json::{Value, json};

use crate::home::{Events, Home, group, path, set};

const CALL: &str = "calls/talk.json";

fn talk() -> Value {
    json!({
        "registry": "../deck.json",
        "seed": 7,
        "now": "2026-01-15T10:30:00Z",
        "args": {"guest": "Bob"},
        "history": [
            {"role": "user", "content": "Hello?"},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            ]},
            {"role": "tool", "tool_call_id": "call_1", "content": "Nobody."},
            {"role": "assistant", "content": "Nobody is there."}
        ],
        "message": {"text": "Look again."},
        "own": {"kept": [1.50, null]}
    })
}

/// A home with a call document beside its registry.
fn home() -> Home {
    let home = Home::new();
    fs::create_dir(home.path("calls")).expect("made");
    home.write(CALL, &talk());
    home
}

fn open(home: &Home) -> (Studio, Events) {
    let (studio, events) = home.open();
    studio.open_call(CALL).expect("opened");
    (studio, events)
}

fn typed(base: u32, at: u32, text: &str) -> EditGroup {
    EditGroup {
        base,
        edits: vec![Edit::Splice {
            path: path(json!(["message", "text"])),
            at,
            delete: 0,
            insert: text.into(),
        }],
        label: "Type".into(),
        burst: Some("message".into()),
    }
}

fn params(call: Option<&str>, target: RequestTarget) -> RequestParams {
    RequestParams {
        call: call.map(str::to_owned),
        target,
        family: None,
    }
}

fn requested(studio: &Studio, target: RequestTarget) -> RequestView {
    let params = params(Some(CALL), target);
    studio.request("deck.json", &params).expect("a request")
}

#[test]
fn the_folder_lists_call_documents_and_what_is_wrong_with_them() {
    let home = home();
    fs::write(home.path("calls/broken.json"), "{").expect("written");
    home.write("calls/other.json", &json!({"$schema": "x"}));
    home.write("calls/typo.json", &json!({"history": "none"}));
    let (studio, _) = home.studio();
    let listed: Vec<_> = studio
        .calls()
        .expect("listed")
        .into_iter()
        .map(|entry| (entry.document, entry.registry, entry.problem.is_some()))
        .collect();
    assert_eq!(
        listed,
        [
            ("calls/broken.json".to_owned(), None, true),
            (CALL.to_owned(), Some("deck.json".to_owned()), false),
            ("calls/typo.json".to_owned(), None, true),
        ]
    );
    for name in ["deck.json", "calls/../deck.json", "calls/a/b.json"] {
        assert_eq!(
            studio.open_call(name).expect_err("refused").code(),
            "bad_file",
            "{name}"
        );
    }
}

#[test]
fn a_home_without_calls_has_none_and_gets_some() {
    let home = Home::new();
    let (studio, _) = home.studio();
    assert!(studio.calls().expect("listed").is_empty());
    let first = studio.new_call("deck.json", None).expect("made");
    let second = studio.new_call("deck.json", None).expect("made");
    assert_eq!(
        (first.as_str(), second.as_str()),
        ("calls/deck.json", "calls/deck_2.json")
    );
    let opened = studio.open_call(&first).expect("opened");
    assert_eq!(opened.tree["registry"], json!("../deck.json"));
    assert!(opened.status.violations.is_empty());
    let named = |name: &str| studio.new_call("deck.json", Some(name));
    assert_eq!(
        named(" Evening quiz ").expect("made"),
        "calls/Evening quiz.json"
    );
    for (name, code) in [
        ("Evening quiz.json", "name_taken"),
        ("deck", "name_taken"),
        ("../deck", "bad_file"),
        ("", "bad_file"),
    ] {
        assert_eq!(named(name).expect_err("refused").code(), code, "{name}");
    }
}

#[test]
fn edits_are_undone_and_a_burst_is_one_step() {
    let home = home();
    let (studio, _) = open(&home);
    studio.apply_call(CALL, &typed(0, 0, "P")).expect("applied");
    let change = studio
        .apply_call(CALL, &typed(1, 1, "lease l"))
        .expect("applied");
    assert!(change.status.modified && change.edits.is_empty());
    let undone = studio.undo_call(CALL).expect("undone");
    assert!(!undone.status.modified, "back where the file is");
    assert_eq!(undone.status.undo, None);
    let redone = studio.redo_call(CALL).expect("redone");
    assert!(redone.status.modified);
    let stale = studio
        .apply_call(CALL, &typed(0, 0, "x"))
        .expect_err("refused");
    assert_eq!(stale.code(), "stale_revision");
}

#[test]
fn an_edit_that_makes_no_call_document_is_refused_and_changes_nothing() {
    let home = home();
    let (studio, _) = open(&home);
    for (place, value) in [
        (json!(["history"]), json!("none")),
        (json!(["history", 0]), json!(1)),
        (json!(["seed"]), json!("soon")),
    ] {
        let edits = vec![set(place.clone(), value)];
        let refused = studio
            .apply_call(CALL, &group(0, edits))
            .expect_err("refused");
        assert_eq!(refused.code(), "wrong_type", "{place}");
    }
    assert_eq!(studio.open_call(CALL).expect("open").tree, talk());
}

#[test]
fn broken_rules_are_said_with_every_answer() {
    let home = home();
    let (studio, _) = open(&home);
    let remove = Edit::Remove {
        path: path(json!(["history", 2])),
    };
    let change = studio
        .apply_call(CALL, &group(0, vec![remove]))
        .expect("applied");
    let said: Vec<_> = change
        .status
        .violations
        .iter()
        .map(|violation| (violation.rule.as_str(), violation.index))
        .collect();
    assert_eq!(said, [("tool_call_unanswered", 1)]);
    let shown = requested(&studio, RequestTarget::Openai);
    assert_eq!(shown.problem.expect("a problem").code, "invalid_history");
    assert_eq!(
        (shown.body.as_str(), shown.violations.len(), shown.messages),
        ("", 1, 4)
    );
    assert_eq!(shown.trace.len(), 2);
    let undone = studio.undo_call(CALL).expect("undone");
    assert!(undone.status.violations.is_empty());
    assert_eq!(requested(&studio, RequestTarget::Openai).problem, None);
}

#[test]
fn saving_keeps_every_key_in_its_place_and_numbers_as_typed() {
    let home = home();
    let text = fs::read_to_string(home.path(CALL))
        .expect("read")
        .replace("1.5,", "1.50,");
    fs::write(home.path(CALL), &text).expect("written");
    let (studio, _) = open(&home);
    assert!(!studio.save_call(CALL).expect("nothing to save").written);
    studio
        .apply_call(CALL, &typed(0, 0, "Please: "))
        .expect("applied");
    let saved = studio.save_call(CALL).expect("saved");
    assert!(saved.written && !saved.status.modified);
    let written = fs::read_to_string(home.path(CALL)).expect("read");
    assert_eq!(written, text.replace("Look again.", "Please: Look again."));
}

#[test]
fn unsaved_edits_come_back_after_a_restart() {
    let home = home();
    {
        let (studio, events) = open(&home);
        studio
            .apply_call(CALL, &typed(0, 0, "Please: "))
            .expect("applied");
        events.wait("the draft is kept", |event| match event {
            Event::Draft {
                document,
                problem: None,
                ..
            } if document == CALL => Some(()),
            _ => None,
        });
        assert!(studio.calls().expect("listed")[0].modified);
    }
    assert_eq!(home.read(CALL), talk(), "the file is untouched");
    let (studio, _) = home.studio();
    assert!(studio.calls().expect("listed")[0].modified);
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!(opened.tree["message"]["text"], json!("Please: Look again."));
    assert!(opened.draft.is_some() && opened.status.modified);
    studio.save_call(CALL).expect("saved");
    drop(studio);
    let (studio, _) = home.studio();
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!((opened.draft, opened.status.modified), (None, false));
}

#[test]
fn an_outside_change_of_a_clean_document_is_loaded() {
    let home = home();
    let (_studio, events) = open(&home);
    let mut other = talk();
    other["message"]["text"] = json!("Elsewhere.");
    home.write(CALL, &other);
    let change = events.wait("it is loaded", |event| match event {
        Event::CallReloaded { change } => Some(change.clone()),
        _ => None,
    });
    assert!(!change.status.modified);
    assert_eq!(
        change.edits,
        [set(json!(["message"]), json!({"text": "Elsewhere."}))]
    );
}

#[test]
fn an_open_document_follows_its_registry_and_is_not_reported_as_changed_on_disk() {
    let home = home();
    let (studio, events) = open(&home);
    let moved = studio
        .rename_registry("deck.json", "Night watch", None)
        .expect("renamed");
    let change = events.wait("it follows", |event| match event {
        Event::CallFollowed { change } => Some(change.clone()),
        Event::CallReloaded { .. } => panic!("reported as a change on disk"),
        _ => None,
    });
    assert!(!change.status.modified, "no edit of the author");
    let name = format!("../{}", moved.file);
    assert_eq!(change.edits, [set(json!(["registry"]), json!(name))]);
}

#[test]
fn both_versions_of_a_modified_document_are_kept_until_the_author_chooses() {
    let home = home();
    let (studio, events) = open(&home);
    studio
        .apply_call(CALL, &typed(0, 0, "Mine: "))
        .expect("applied");
    let mut other = talk();
    other["args"] = json!({"guest": "Eve"});
    other["message"]["text"] = json!("Theirs.");
    home.write(CALL, &other);
    let conflict = events.wait("it is in conflict", |event| match event {
        Event::Conflicted { document, conflict } if document == CALL => Some(conflict.clone()),
        _ => None,
    });
    let rows: Vec<_> = conflict
        .rows
        .iter()
        .map(|row| (row.key.as_str(), row.both))
        .collect();
    assert_eq!(rows, [("args", false), ("message", true)]);
    let refused = studio.save_call(CALL).expect("answered");
    assert!(!refused.written && refused.conflict.is_some());
    assert_eq!(home.read(CALL), other, "nothing was written over it");
    let choices = [("args", Choice::Disk), ("message", Choice::Mine)];
    let choices = choices.map(|(key, side)| (key.to_owned(), side)).into();
    studio.resolve_call(CALL, &choices).expect("resolved");
    assert!(studio.save_call(CALL).expect("saved").written);
    let kept = home.read(CALL);
    assert_eq!(kept["args"], json!({"guest": "Eve"}));
    assert_eq!(kept["message"]["text"], json!("Mine: Look again."));
}

#[test]
fn a_document_that_is_opened_again_is_as_its_file_is() {
    let home = home();
    let (studio, _) = open(&home);
    let mut other = talk();
    other["message"]["text"] = json!("Elsewhere.");
    home.write(CALL, &other);
    let opened = studio.open_call(CALL).expect("opened");
    assert_eq!(opened.tree, other, "the watcher is not waited for");
}

#[test]
fn a_draft_outlives_its_file_until_the_author_decides() {
    let home = home();
    {
        let (studio, _) = open(&home);
        let edits = typed(0, 0, "Mine: ");
        studio.apply_call(CALL, &edits).expect("applied");
    }
    fs::remove_file(home.path(CALL)).expect("removed");
    for _ in 0..2 {
        let (studio, _) = home.studio();
        let opened = studio.open_call(CALL).expect("opened");
        assert!(opened.status.modified && opened.conflict.expect("a conflict").deleted);
        assert_eq!(opened.tree["message"]["text"], json!("Mine: Look again."));
    }
    let (studio, _) = home.studio();
    studio.open_call(CALL).expect("opened");
    studio.resolve_call(CALL, &[].into()).expect("resolved");
    assert!(studio.save_call(CALL).expect("saved").written);
    let saved = home.read(CALL);
    assert_eq!(saved["message"]["text"], json!("Mine: Look again."));
}

#[test]
fn a_request_for_every_receiver() {
    let home = home();
    let (studio, _) = open(&home);
    let names = |target| {
        let shown = requested(&studio, target);
        assert_eq!(shown.problem, None);
        assert_eq!((shown.messages, shown.trace.len()), (5, 4));
        assert!(serde_json::from_str::<Value>(&shown.body).is_ok());
        let total: u32 = shown.blocks.iter().map(|block| block.characters).sum();
        assert_eq!(shown.characters, total);
        shown
            .blocks
            .into_iter()
            .map(|block| block.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(RequestTarget::Gemini),
        ["static", "dynamic", "buffered", "trigger"]
    );
    assert_eq!(
        names(RequestTarget::Openai),
        ["prompt", "history", "message"]
    );
    assert_eq!(
        names(RequestTarget::ChatTemplate),
        ["prompt", "history", "message"]
    );
    let unknown = RequestParams {
        family: Some("bert".into()),
        ..params(Some(CALL), RequestTarget::ChatTemplate)
    };
    let shown = studio.request("deck.json", &unknown).expect("answered");
    assert_eq!(shown.problem.expect("a problem").code, "unknown_family");
}

#[test]
fn the_window_decides_over_state_and_seed() {
    let home = home();
    let (studio, _) = open(&home);
    let edit = set(json!(["state", "selections", "personas"]), json!("dry"));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    let shown = requested(&studio, RequestTarget::Openai);
    assert!(shown.body.contains("You are dry."), "{}", shown.body);
}

#[test]
fn the_cache_view_names_the_first_change_and_where_it_was_authored() {
    let home = home();
    let (studio, _) = open(&home);
    for target in [
        RequestTarget::Gemini,
        RequestTarget::Openai,
        RequestTarget::ChatTemplate,
    ] {
        assert_eq!(requested(&studio, target).cache, None, "nothing before it");
    }
    let edit = set(json!(["state", "selections", "personas"]), json!("loud"));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    for (target, block) in [
        (RequestTarget::Gemini, "static"),
        (RequestTarget::Openai, "prompt"),
        (RequestTarget::ChatTemplate, "prompt"),
    ] {
        let cache = requested(&studio, target).cache.expect("a cache view");
        assert!(cache.share > 0.0 && cache.share < 1.0, "{cache:?}");
        assert_eq!(cache.was, None);
        let change = cache.change.expect("a change");
        assert_eq!(
            (change.kind.as_str(), change.block.as_deref()),
            ("section", Some(block))
        );
        let source = change.source.expect("a source");
        assert_eq!(
            (source.section.as_str(), source.field.as_str()),
            ("personas", "context")
        );
        assert_eq!(change.items_before, ["warm"]);
        assert_eq!(change.items_after, ["loud"]);
        assert!(change.after.starts_with("loud."), "{}", change.after);
    }
    let again = requested(&studio, RequestTarget::Openai)
        .cache
        .expect("the same view");
    assert!(again.change.is_some(), "asking again is no new request");
    studio
        .apply_call(CALL, &typed(0, 0, "Please: "))
        .expect("applied");
    let cache = requested(&studio, RequestTarget::Openai)
        .cache
        .expect("a cache view");
    let change = cache.change.expect("a change");
    assert_eq!(
        (change.kind.as_str(), change.words.as_str()),
        ("message", "message 4 (user)")
    );
    assert!(cache.was.is_some_and(|was| was < cache.share));
}

#[test]
fn the_layers_and_the_cache_view_count_the_same_characters() {
    let home = home();
    let mut call = talk();
    call["tools"] = json!([{"name": "look", "description": "Looks"}]);
    home.write(CALL, &call);
    let (studio, _) = open(&home);
    let targets = [
        RequestTarget::Gemini,
        RequestTarget::Openai,
        RequestTarget::ChatTemplate,
    ];
    for target in targets {
        requested(&studio, target);
    }
    studio
        .apply_call(CALL, &typed(0, 0, "Please: "))
        .expect("applied");
    for target in targets {
        let shown = requested(&studio, target);
        let blocks: u32 = shown.blocks.iter().map(|block| block.characters).sum();
        let cache = shown.cache.expect("a cache view");
        assert_eq!(
            (shown.characters, shown.tokens),
            (cache.characters, cache.tokens),
            "{target:?}"
        );
        assert_eq!(blocks, shown.characters, "{target:?}");
        let change = cache.change.expect("a change").block;
        let last = shown.blocks.last().map(|block| block.name.clone());
        assert_eq!(change, last, "{target:?}");
    }
}

#[test]
fn a_family_that_thinks_closes_its_think_block() {
    let home = home();
    let body = |thinking: Value| {
        let mut call = talk();
        call["thinking"] = thinking;
        home.write(CALL, &call);
        let (studio, _) = open(&home);
        let params = RequestParams {
            family: Some("QWEN_3_X".into()),
            ..params(Some(CALL), RequestTarget::ChatTemplate)
        };
        let shown = studio.request("deck.json", &params).expect("a request");
        let body: Value = serde_json::from_str(&shown.body).expect("JSON");
        body["prompt"].as_str().expect("a text").to_owned()
    };
    let closed = "<think>\n\n</think>\n\n";
    assert!(body(Value::Null).ends_with(closed));
    assert!(body(json!(true)).ends_with("<|im_start|>assistant\n"));
}

#[test]
fn without_a_call_volatile_text_of_the_registry_is_reported() {
    let home = home();
    let (studio, _) = open(&home);
    let edit = set(json!(["state", "section_random", "personas"]), json!(true));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    let alone = params(None, RequestTarget::Openai);
    let shown = studio.request("deck.json", &alone).expect("a request");
    assert_eq!(shown.messages, 0);
    let early: Vec<_> = shown
        .volatile
        .iter()
        .map(|one| one.section.as_str())
        .collect();
    assert_eq!(early, ["personas"]);
    assert!(shown.volatile[0].gain > 0);
}

fn jinja_home() -> Home {
    let home = home();
    let mut registry = crate::home::registry();
    registry["registry"]["template_engine"] = json!("jinja");
    registry["registry"]["prompt_endings"]["items"][0]["text"] = json!("Greet {{ args.guest }}.");
    home.write("deck.json", &registry);
    home
}

fn ending(change: &Change) -> Vec<Segment> {
    let middle = &change.preview.segments.middle;
    middle
        .iter()
        .filter(|segment| segment.source.is_some())
        .cloned()
        .collect()
}

#[test]
fn a_registry_that_asks_for_jinja_is_shown_with_the_calls_arguments() {
    let home = jinja_home();
    let (studio, events) = open(&home);
    let change = studio.use_call("deck.json", Some(CALL)).expect("used");
    let printed: Vec<_> = ending(&change)
        .into_iter()
        .map(|segment| (segment.text, segment.expression))
        .collect();
    assert_eq!(printed, [("Bob".to_owned(), Some("args.guest".to_owned()))]);
    let edit = set(json!(["args", "guest"]), json!("{{ 7 * 7 }}"));
    studio
        .apply_call(CALL, &group(0, vec![edit]))
        .expect("applied");
    let change = events.wait("the prompt follows", |event| match event {
        Event::Previewed { change } => Some(change.clone()),
        _ => None,
    });
    assert_eq!(
        ending(&change)[0].text,
        "{{ 7 * 7 }}",
        "what is passed is never read"
    );
}

#[test]
fn in_a_rendered_prompt_authored_names_are_marked_and_printed_ones_are_not() {
    let home = jinja_home();
    let (studio, _) = open(&home);
    let place = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let edit = set(place, json!("Greet {gest}, {{ '{gest}' }}."));
    let change = studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    let marks: Vec<_> = ending(&change)
        .iter()
        .map(|segment| (segment.text.clone(), segment.undeclared.len()))
        .collect();
    assert_eq!(
        marks,
        [("Greet {gest}, ".to_owned(), 1), ("{gest}".to_owned(), 0)]
    );
}

#[test]
fn a_rendering_error_is_reported_at_its_field() {
    let home = jinja_home();
    let (studio, events) = open(&home);
    let place = json!(["registry", "prompt_endings", "items", 0, "text"]);
    let edit = set(place, json!("Greet {{ nosuch() }}."));
    let change = studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    assert_eq!(ending(&change)[0].text, "Greet {{ nosuch() }}.");
    let note = events.wait("a diagnostic", |event| match event {
        Event::Lint(lint) => lint
            .diagnostics
            .iter()
            .find(|note| note.code == "prompt_template")
            .cloned(),
        _ => None,
    });
    assert_eq!(note.pointer, "/prompt_endings/items/0/text");
}
