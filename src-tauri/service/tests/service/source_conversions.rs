//! Documents of other kinds that the author imports: what is recognized, converted and refused.

use std::fs;

use promptdeck_core::registry::parse;
use promptdeck_service::Studio;
use promptdeck_service::wire::{
    Failure, ImportFormat, ImportStatus, NewRegistry, RequestParams, RequestTarget, SourceChange,
    SourceType,
};
use serde_json::{Value, json};

use crate::home::{Home, group, prompt, set};
use crate::sources::{brought, create};

#[test]
fn a_registry_is_converted_with_a_report() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let original = json!({
        "version": 2,
        "title": "Two",
        "assembly_order": ["base_context"],
        "base_context": {"items": [{"id": "a", "text": "In {place}.", "template_vars": ["place"]}]},
        "default_state": {"base_context": {"selected": "a"}},
    });
    let text = serde_json::to_string_pretty(&original).expect("text");
    let view = studio
        .read_source("deck.json", text.into_bytes())
        .expect("read");
    assert_eq!(view.file, "deck_2.json", "a name that is free");
    let conversion = view.conversion.as_ref().expect("a registry");
    assert_eq!(conversion.format, ImportFormat::V0_8);
    assert!(
        conversion
            .entries
            .iter()
            .all(|entry| entry.status == ImportStatus::Converted)
    );
    assert!(conversion.entries.iter().any(|entry| entry.line.is_some()));
    let fault = studio
        .new_registry(
            &NewRegistry::Source {
                number: view.number,
            },
            "",
            "deck",
        )
        .expect_err("no file is replaced");
    assert_eq!(fault.code(), "name_taken");
    create(&studio, &view, &view.file);
    let made = &home.read("deck_2.json")["registry"];
    assert_eq!(made["version"], 22);
    assert_eq!(made["base_context"]["selected"], "a");
    assert!(studio.open_document("deck_2.json").is_ok());
}

#[test]
fn what_cannot_be_read_has_its_place_and_no_registry() {
    let home = Home::new();
    let (studio, _) = home.studio();
    for (text, code, line) in [
        ("{", "syntax", 1),
        ("[]", "wrong_type", 1),
        ("{\n\"version\": 3}", "unsupported_version", 2),
        (
            "{\"version\": 2,\n\"a\": {\"items\": [1]}}",
            "wrong_type",
            2,
        ),
    ] {
        let view = brought(&studio, text);
        let problem: Failure = view.problem.expect("a problem");
        assert_eq!((&*problem.code, problem.line), (code, Some(line)), "{text}");
        let excerpt = problem.excerpt.expect("an excerpt");
        let at = usize::try_from(line - excerpt.first).expect("a line");
        assert_eq!(
            text.split('\n').nth(at),
            Some(&*excerpt.lines[at]),
            "{text}"
        );
        assert_eq!(view.conversion, None);
        // It may be a prompt all the same.
        let change = SourceChange::Read {
            as_type: SourceType::Plain,
        };
        let view = studio.change_source(view.number, &change).expect("read");
        assert_eq!(view.problem, None, "{text}");
    }
    assert!(brought(&studio, " \n").problem.is_some());
}

#[test]
fn files_of_any_folder_are_recognised() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let outside = tempfile::tempdir().expect("a folder");
    let path = |name: &str, bytes: &[u8]| {
        let path = outside.path().join(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    let deck = fs::read(home.path("deck.json")).expect("read");
    for (name, bytes, kind, good) in [
        ("dropped.json", &*deck, SourceType::Registry, true),
        ("words.txt", b"plain words", SourceType::Plain, true),
        (
            "a.prompt",
            b"---\nmodel: m\n---\nHello {{name}}.",
            SourceType::Dotprompt,
            true,
        ),
        ("picture.png", b"\x89PNG\r\n\x1a\n", SourceType::Card, false),
    ] {
        let view = studio.read_source_file(&path(name, bytes)).expect("read");
        assert_eq!(view.as_type, kind, "{name}");
        assert_eq!(view.problem.is_none(), good, "{name}: {:?}", view.problem);
        if let Some(problem) = view.problem {
            assert!(problem.message.starts_with(name), "{problem:?}");
        }
    }
    let fault = studio
        .read_source_file(outside.path())
        .expect_err("a folder");
    assert!(!fault.to_string().is_empty());
}

#[test]
fn a_prompt_is_as_long_as_what_it_prints() {
    let home = Home::new();
    let (studio, _) = home.studio();
    for text in ["Ça va?", "Ça va?\n", "Ça va?\r\n"] {
        let view = brought(&studio, text);
        let printed = view.conversion.expect("a registry").characters;
        assert_eq!((view.length, printed), (6, 6), "{text:?}");
    }
}

#[test]
fn a_list_of_values_is_offered_as_wildcards() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = brought(&studio, "red\ndark blue\nburnt orange\ngreen\n");
    assert_eq!(view.as_type, SourceType::Plain);
    assert_eq!(view.resembles, Some(SourceType::Wildcards));
    let as_type = SourceType::Wildcards;
    let read = studio
        .change_source(view.number, &SourceChange::Read { as_type })
        .expect("read");
    assert_eq!((read.as_type, read.resembles), (as_type, None));
}

#[test]
fn a_large_prompt_is_shown_in_part_and_created_whole() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let text = "A line of a long prompt, as long as they are.\n\n".repeat(200_000);
    let text = text.trim_end();
    let view = brought(&studio, text);
    assert_eq!(view.line_count, 399_999);
    assert_eq!(view.lines.len(), 2000);
    assert_eq!(view.split.as_ref().expect("a split").parts.len(), 500);
    assert_eq!(
        view.conversion.as_ref().expect("a registry").same,
        Some(true)
    );
    let file = create(&studio, &view, "long");
    assert_eq!(prompt(&studio.open_document(&file).expect("opened")), text);
}

#[test]
fn an_export_is_recognised_and_has_no_report() {
    let home = Home::new();
    let (studio, _) = home.open();
    let model = studio.model_json("deck.json").expect("a model").text;
    let view = studio
        .read_source("deck.json", model.into_bytes())
        .expect("read");
    let conversion = view.conversion.expect("a registry");
    assert_eq!(conversion.format, ImportFormat::Canonical);
    assert_eq!(conversion.entries, []);
}

#[test]
fn an_export_names_the_values_it_leaves_out() {
    let home = Home::new();
    let (studio, _) = home.open();
    let omitted = || studio.model_json("deck.json").expect("a model").omitted;
    assert_eq!(omitted(), [""; 0]);
    let values: Value = json!({"base_context::place": "sea"});
    let edit = set(json!(["state", "template_vars"]), values);
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    assert_eq!(omitted(), ["base_context::place"]);
}

#[test]
fn messages_and_tools_become_a_call_document_of_the_deck() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let conversation = json!({
        "model": "m",
        "tools": [{"type": "function", "function": {"name": "w"}}],
        "messages": [
            {"role": "system", "content": "You are terse."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hi."},
            {"role": "user", "content": "And {brackets} stay?"},
        ],
    });
    let view = brought(&studio, &conversation.to_string());
    assert_eq!(view.as_type, SourceType::Messages);
    let conversion = view.conversion.as_ref().expect("a registry");
    assert_eq!((conversion.messages, conversion.tools), (3, 1));
    assert_eq!(conversion.call_problem, None);
    let file = create(&studio, &view, "terse");
    let deck = home.read(&file);
    for key in ["history", "tools", "message"] {
        assert_eq!(deck.get(key), None, "{deck:#}");
    }
    let calls = studio.calls().expect("listed");
    let call = calls
        .iter()
        .find(|call| call.registry.as_deref() == Some(&*file));
    let call = call.expect("a call document of the deck");
    let document = home.read(&call.document);
    assert_eq!(document["message"]["text"], "And {brackets} stay?");
    assert_eq!(document["tools"], conversation["tools"]);
    studio.open_document(&file).expect("opened");
    studio.open_call(&call.document).expect("opened");
    let params = RequestParams {
        call: Some(call.document.clone()),
        target: RequestTarget::Openai,
        family: None,
    };
    let request = studio.request(&file, &params).expect("a request");
    assert_eq!((request.problem, request.messages), (None, 3));
    let body: Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["messages"], conversation["messages"]);
    assert_eq!(body["tools"], conversation["tools"]);
}

#[test]
fn the_tokens_of_a_template_are_named_as_such() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let check = |name: &str, text: &str, expected: bool| {
        let view = studio.read_source(name, text.as_bytes().to_vec());
        let conversion = view.expect("read").conversion.expect("a registry");
        assert_eq!(conversion.is_template, expected, "{name}");
    };
    check("a.j2", "Hi {{ name }}.{% if x %} Yes.{% endif %}", true);
    check("a.prompty", "---\nname: a\n---\nsystem:\nBe kind.\n", false);
}

#[test]
fn a_request_starts_with_the_target_of_the_imported_document() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let conversation = |model: &str| {
        let messages =
            json!([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]);
        json!({"model": model, "messages": messages}).to_string()
    };
    for (name, source, expected) in [
        ("gpt", conversation("gpt-4o"), Some("openai")),
        (
            "google",
            conversation("google/gemini-3-flash"),
            Some("gemini"),
        ),
        ("plain", "Be kind.".to_owned(), None),
    ] {
        let view = brought(&studio, &source);
        let file = create(&studio, &view, name);
        let target = studio.view(&file).expect("a view").target;
        assert_eq!(target.as_deref(), expected, "{name}");
    }
}

#[test]
fn messages_that_no_call_can_have_stay_in_the_file() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let orphan = json!([{"role": "clerk", "content": "Hello"}]);
    let document = json!({
        "registry": {"version": 2, "assembly_order": ["a"], "a": {"items": [{"text": "A."}]}},
        "history": orphan,
    });
    let view = brought(&studio, &document.to_string());
    let conversion = view.conversion.as_ref().expect("a registry");
    assert_eq!(conversion.messages, 1);
    assert!(conversion.call_problem.is_some());
    let file = create(&studio, &view, "orphan");
    assert_eq!(home.read(&file)["history"], orphan);
}

#[test]
fn a_taken_name_is_refused_with_the_way_out() {
    let home = Home::new();
    let (studio, _) = home.open();
    let edit = set(json!(["state", "sliders", "base_context"]), json!(3));
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    let fault = studio
        .new_registry(&NewRegistry::Blank, "", "deck")
        .expect_err("taken");
    assert_eq!(
        fault.to_string(),
        "deck.json already exists; choose another name"
    );
}

/// The sections of the created deck as its cards stand, and those that it prints.
fn cards_and_printed(studio: &Studio, file: &str) -> (Vec<String>, Vec<String>) {
    let bytes = fs::read(studio.path_of(file).expect("a path")).expect("read");
    let registry = parse(&bytes).expect("a registry").registry;
    let mut cards = studio.view(file).expect("a view").order;
    for section in registry.canonical_sections() {
        if !cards.iter().any(|card| card == section.name()) {
            cards.push(section.name().to_owned());
        }
    }
    let mut printed: Vec<String> = Vec::new();
    let document = studio.open_document(file).expect("opened");
    let sources = document.preview.segments.middle.iter();
    for source in sources.filter_map(|segment| segment.source.as_ref()) {
        let section = source.section.to_string();
        if !printed.contains(&section) {
            printed.push(section);
        }
    }
    (cards, printed)
}

#[test]
fn the_cards_of_an_imported_deck_stand_as_it_prints_them() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/import/fixtures");
    let mut seen = Vec::new();
    for entry in fs::read_dir(fixtures).expect("fixtures") {
        let path = entry.expect("a fixture").path();
        let view = studio.read_source_file(&path).expect("read");
        if view.conversion.is_none()
            || path
                .extension()
                .is_some_and(|extension| extension == "expected")
        {
            continue;
        }
        let (kind, file) = (view.as_type, create(&studio, &view, &view.file));
        let (cards, printed) = cards_and_printed(&studio, &file);
        let of_prompt: Vec<&String> = cards.iter().filter(|card| printed.contains(card)).collect();
        assert_eq!(of_prompt, printed.iter().collect::<Vec<_>>(), "{file}");
        if file == "oda.json" {
            let expected = [
                "character",
                "personality",
                "scenario",
                "examples",
                "greetings",
            ];
            assert_eq!(cards, expected);
        }
        seen.push(kind);
    }
    for kind in [
        SourceType::Card,
        SourceType::Lorebook,
        SourceType::Dotprompt,
        SourceType::Prompty,
        SourceType::Messages,
        SourceType::Plain,
        SourceType::Jinja,
        SourceType::Wildcards,
    ] {
        assert!(seen.contains(&kind), "no fixture is {kind:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_marked_where_they_are() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let view = studio.read_source("latin1.txt", b"Caf\xe9 au lait.\nTwo.\n".to_vec());
    let problem = view.expect("read").problem.expect("a problem");
    assert_eq!(problem.code, "encoding");
    assert_eq!((problem.line, problem.column), (Some(1), Some(4)));
    let excerpt = problem.excerpt.expect("an excerpt");
    assert_eq!(excerpt.lines[0], "Caf\u{fffd} au lait.");
    assert_eq!(excerpt.column, 4);
}

#[test]
fn a_card_is_saved_under_the_name_of_its_character() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let card = json!({
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {"name": "Mara Voss", "description": "{{char}} keeps the lighthouse."},
    });
    let bytes = || card.to_string().into_bytes();
    let view = studio.read_source("card.json", bytes()).expect("read");
    assert_eq!(view.file, "mara_voss.json");
    let prompt = studio.read_source("desk.txt", b"You answer.".to_vec());
    assert_eq!(prompt.expect("read").file, "desk.json");
}
