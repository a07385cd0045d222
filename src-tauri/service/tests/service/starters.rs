//! The starters: valid, complete, and good to begin with.

use promptdeck_core::hydrate::{Call, Engine, Seed, State};
use promptdeck_core::lint;
use promptdeck_core::registry::{Severity, canonical, parse};
use promptdeck_core::unprinted::{UnprintedReason, unprinted};
use promptdeck_service::starters::STARTERS;
use promptdeck_service::wire::{NewRegistry, RequestTarget, TalkParams};
use serde_json::{Map, Value, json};

use crate::home::{Home, prompt};
use crate::talk::over;

/// The warnings of a starter, and the texts that no roll of it prints.
#[track_caller]
fn check(name: &str, engine: &Engine, state: &State) {
    for seed in 0..20 {
        let call = Call {
            state,
            route: None,
            seed: Seed::from_bits(seed),
        };
        let mut found = lint::lint(engine, &call);
        found.extend(lint::gaps(engine, &call));
        found.retain(|one| one.severity != Severity::Note);
        assert_eq!(found, [], "{name}");
        let hydration = engine.hydrate(&call).expect("a prompt");
        let mut lost = unprinted(engine, &call, &hydration);
        // What a roll leaves out is printed by another seed.
        lost.retain(|one| one.reason != UnprintedReason::NotRolled);
        assert_eq!(lost, [], "{name}");
    }
}

#[test]
fn starters_have_no_warnings_and_print_every_text() {
    for (name, text) in STARTERS {
        let parsed = parse(text.as_bytes()).expect("a registry");
        assert_eq!(canonical::format(&parsed.document), text, "{name}");
        let engine = Engine::new(parsed.registry);
        let sections = engine.registry().sections();
        let values: Map<String, Value> = sections
            .values()
            .flat_map(|section| {
                let value = |name: &String| (format!("{}::{name}", section.name()), json!("x"));
                section.template_vars().iter().map(value)
            })
            .collect();
        let state = |selections: Value| {
            let state = json!({"template_vars": values, "selections": selections});
            serde_json::from_value(state).expect("a state")
        };
        check(name, &engine, &state(json!({})));
        for section in sections.values().filter(|section| section.required()) {
            for item in section.items() {
                let selections = json!({section.name(): item.identity()});
                check(name, &engine, &state(selections));
            }
        }
    }
}

#[test]
fn a_starter_is_created_as_it_is_and_its_cards_explain_it() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let options = studio.new_registry_options().expect("starters");
    assert_eq!(options.blank_file, "untitled.json");
    assert_eq!(options.starters.len(), STARTERS.len());
    for (starter, (name, text)) in options.starters.into_iter().zip(STARTERS) {
        assert_eq!(starter.starter, name);
        let content = NewRegistry::Starter {
            starter: name.to_owned(),
        };
        let file = studio
            .new_registry(&content, "", &starter.file)
            .expect("created");
        let written = std::fs::read_to_string(home.path(&file)).expect("read");
        let mut deck = parse(text.as_bytes()).expect("a registry").document;
        if let Some(around) = &mut deck.wrapper {
            around.retain(|key, _| key == "registry");
        }
        assert_eq!(written, canonical::format(&deck), "{name}");
        let view = studio.view(&file).expect("a view");
        assert_eq!(starter.section_count as usize, view.notes.len());
        for section in &starter.sections {
            let note = format!("{name}.{}", section.section);
            assert_eq!(view.notes.get(&section.section), Some(&note));
        }
        // Another seed may roll another prompt, of the same sections.
        let opened = studio.open_document(&file).expect("opened");
        assert!(!prompt(&opened).is_empty());
    }
    let unknown = NewRegistry::Starter {
        starter: "none".into(),
    };
    assert!(studio.new_registry(&unknown, "", "x").is_err());
}

/// The mock calls a tool that the message names, so that an author sees how a call is answered.
#[test]
fn the_agent_begins_with_tools_and_a_message_that_makes_the_mock_call_one() {
    let home = Home::new();
    let (studio, events) = home.studio();
    let content = NewRegistry::Starter {
        starter: "agent".into(),
    };
    let file = studio.new_registry(&content, "", "agent").expect("created");
    let calls = studio.calls().expect("listed");
    let [call] = &calls[..] else {
        panic!("{calls:?}");
    };
    let options = studio.new_registry_options().expect("starters");
    let starters = options.starters.iter();
    let counts =
        starters.map(|starter| (starter.starter.as_str(), starter.messages, starter.tools));
    let with_call: Vec<_> = counts.filter(|counts| counts.1 + counts.2 > 0).collect();
    assert_eq!(with_call, [("agent", 1, 4)]);
    assert_eq!(call.registry.as_deref(), Some(file.as_str()));
    studio.open_document(&file).expect("opened");
    let opened = studio.open_call(&call.document).expect("opened");
    let tools: Vec<_> = opened.tree["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .collect();
    let deck = home.read(&file);
    for tool in &tools {
        let name = tool["function"]["name"].as_str().expect("a name");
        let rule = &deck["registry"]["tools"]["items"][0][name];
        assert!(
            rule.as_str().is_some_and(|rule| rule.starts_with(name)),
            "{name}"
        );
    }
    assert_eq!(tools.len(), 4);
    for target in [RequestTarget::Gemini, RequestTarget::Openai] {
        let params = TalkParams {
            call: Some(call.document.clone()),
            target,
            family: None,
            connection: None,
            leaf: None,
            beside: None,
        };
        let started = studio.send_turns(&file, &params, &[], true);
        let wanted = started.expect("started").batch.expect("a batch");
        over(&events, wanted);
        let talk = studio.talk(&file, Some(&call.document)).expect("a tree");
        let answer = talk.turns.last().expect("a turn");
        assert_eq!(answer.calls[0].name, "search", "{answer:?}");
        assert_eq!(answer.calls[0].arguments, r#"{"word":"text"}"#);
    }
}

#[test]
fn a_blank_registry_has_one_section_and_the_name_of_its_file() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let blank = |name: &str| studio.new_registry(&NewRegistry::Blank, "", name);
    assert_eq!(blank("Night guide").expect("created"), "night_guide.json");
    assert_eq!(
        home.read("night_guide.json")["registry"]["title"],
        "Night guide"
    );
    assert_eq!(
        blank("night_guide.json").expect_err("taken").code(),
        "name_taken"
    );
    for (name, why) in [
        ("", "cannot be empty"),
        ("a\nb", "one line"),
        ("con", "Windows reserves"),
    ] {
        let fault = blank(name).expect_err("refused");
        assert_eq!(fault.code(), "bad_name", "{name}");
        assert!(fault.to_string().contains(why), "{fault}");
    }
}
