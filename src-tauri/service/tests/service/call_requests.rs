//! What a registry sends with a call document: messages for each target, the cache view, and the
//! places that texts come from.

use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Change, Event, PartKind, RequestParams, RequestTarget, RequestView, Segment,
};
use serde_json::{Value, json};

use crate::calls::{CALL, home, open, talk, typed};
use crate::home::{Home, group, set};

fn params(call: Option<&str>, target: RequestTarget) -> RequestParams {
    RequestParams {
        call: call.map(str::to_owned),
        target,
        family: None,
    }
}

pub(super) fn requested(studio: &Studio, target: RequestTarget) -> RequestView {
    let params = params(Some(CALL), target);
    studio.request("deck.json", &params).expect("a request")
}

#[test]
fn a_request_for_every_receiver() {
    let home = home();
    let (studio, _) = open(&home);
    let names = |target| {
        let view = requested(&studio, target);
        assert_eq!(view.problem, None);
        assert_eq!((view.messages, view.trace.len()), (5, 4));
        let body: Value = serde_json::from_str(&view.body).expect("JSON");
        let text = (target == RequestTarget::ChatTemplate).then(|| body["prompt"].as_str());
        assert_eq!(view.text.as_deref(), text.flatten());
        assert_eq!(view.text.is_some(), target == RequestTarget::ChatTemplate);
        let total: u32 = view.blocks.iter().map(|block| block.characters).sum();
        assert_eq!(view.characters, total);
        view.blocks
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
    let view = studio.request("deck.json", &unknown).expect("answered");
    assert_eq!(view.problem.expect("a problem").code, "unknown_family");
}

#[test]
fn the_window_decides_over_state_and_seed() {
    let home = home();
    let (studio, _) = open(&home);
    let edit = set(json!(["state", "selections", "personas"]), json!("dry"));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    let view = requested(&studio, RequestTarget::Openai);
    assert!(view.body.contains("You are dry."), "{}", view.body);
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
        assert_eq!((&*source.section, &*source.field), ("personas", "context"));
        assert_eq!(change.items_before, ["warm"]);
        assert_eq!(change.items_after, ["loud"]);
        let changed: Vec<(PartKind, &str)> = change.parts[..2]
            .iter()
            .map(|part| (part.kind, part.text.as_str()))
            .collect();
        assert_eq!(
            changed,
            [(PartKind::Removed, "warm."), (PartKind::Added, "loud.")]
        );
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
        ("message", "message 5 (user)")
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
        let view = requested(&studio, target);
        let blocks: u32 = view.blocks.iter().map(|block| block.characters).sum();
        let cache = view.cache.expect("a cache view");
        assert_eq!(
            (view.characters, view.tokens),
            (cache.characters, cache.tokens),
            "{target:?}"
        );
        assert_eq!(blocks, view.characters, "{target:?}");
        let change = cache.change.expect("a change").block;
        let last = view.blocks.last().map(|block| block.name.clone());
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
        let view = studio.request("deck.json", &params).expect("a request");
        let body: Value = serde_json::from_str(&view.body).expect("JSON");
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
    let view = studio.request("deck.json", &alone).expect("a request");
    assert_eq!(view.messages, 0);
    let early: Vec<_> = view
        .volatile
        .iter()
        .map(|one| one.section.as_str())
        .collect();
    assert_eq!(early, ["personas"]);
    assert!(view.volatile[0].gain > 0);
}

pub(super) fn jinja_home() -> Home {
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

#[test]
fn settings_of_the_call_that_the_deck_has_otherwise_are_named() {
    let home = home();
    let (studio, events) = open(&home);
    let change = studio.use_call("deck.json", Some(CALL)).expect("used");
    assert_eq!(change.status.call_settings, ["seed"]);
    let edits = vec![
        set(json!(["state"]), json!({"selections": {"personas": "dry"}})),
        set(json!(["seed"]), json!(7)),
    ];
    studio.apply_call(CALL, &group(0, edits)).expect("applied");
    let change = events.wait("the deck says so", |event| match event {
        Event::Previewed { change } => Some(change.clone()),
        _ => None,
    });
    assert_eq!(change.status.call_settings, ["state", "seed"]);
    let taken = vec![
        set(json!(["state", "selections"]), json!({"personas": "dry"})),
        set(json!(["seed"]), json!(7)),
    ];
    let revision = change.status.revision;
    let change = studio
        .apply("deck.json", &group(revision, taken))
        .expect("applied");
    assert_eq!(change.status.call_settings, Vec::<String>::new());
}

#[test]
fn a_request_that_is_refused_says_what_is_wrong_with_its_tool_calls() {
    let home = home();
    let (studio, _) = open(&home);
    let call = json!({"id": "c", "function": {"name": "", "arguments": "{bad"}});
    let edits = vec![
        set(
            json!(["history"]),
            json!([{"role": "assistant", "tool_calls": [call]}]),
        ),
        set(json!(["tools"]), json!([5])),
    ];
    studio.apply_call(CALL, &group(0, edits)).expect("applied");
    for target in [RequestTarget::Openai, RequestTarget::Gemini] {
        let view = requested(&studio, target);
        assert!(view.problem.is_some(), "the call has no response");
        let found: Vec<_> = view
            .diagnostics
            .iter()
            .map(|note| note.code.as_str())
            .collect();
        assert_eq!(found, ["tool_shape", "call_name", "call_arguments"]);
    }
}

#[test]
fn a_request_warns_of_tools_that_providers_refuse_at_their_fields() {
    let home = home();
    let (studio, _) = open(&home);
    let tool = json!({"type": "function", "function": {"name": "my tool",
        "parameters": {"type": "objct"}}});
    let tools = vec![set(json!(["tools"]), json!([tool]))];
    studio.apply_call(CALL, &group(0, tools)).expect("applied");
    for target in [RequestTarget::Openai, RequestTarget::Gemini] {
        let view = requested(&studio, target);
        assert!(view.problem.is_none(), "a warning stops no request");
        let notes = view.diagnostics.iter();
        let notes = notes.filter(|note| note.pointer.starts_with("/tools/"));
        let found: Vec<(&str, &str)> = notes
            .map(|note| (note.code.as_str(), note.pointer.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("tool_name", "/tools/0/function/name"),
                ("tool_parameters", "/tools/0/function/parameters/type")
            ]
        );
    }
}
