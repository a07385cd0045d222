//! Unknown names in a registry: what `check` calls an error or a warning is a warning of every
//! verb that prints or sends the prompt, and an error with `--strict`.

use serde_json::{Value, json};

use crate::program::Folder;

/// A registry with these members beside two sections that are printed and a third that is not.
fn registry(members: Value) -> Value {
    let mut registry = json!({
        "version": 22,
        "assembly_order": ["base_context", "personas"],
        "base_context": {
            "required": true, "template_vars": ["venue"], "template_var_defaults": {"venue": "Bar"},
            "items": [{"id": "a", "text": "At {venue}.", "nudges": ["One."]}],
        },
        "personas": {"required": true, "items": [{"id": "host", "context": "You host."}]},
    });
    for (key, value) in members.as_object().into_iter().flatten() {
        registry[key] = value.clone();
    }
    registry
}

fn base_context(members: Value) -> Value {
    let mut section = registry(json!({}))["base_context"].clone();
    for (key, value) in members.as_object().into_iter().flatten() {
        section[key] = value.clone();
    }
    registry(json!({"base_context": section}))
}

fn folder(registry: &Value) -> Folder {
    let folder = Folder::new();
    folder.write("deck.json", registry.to_string());
    let call = json!({"registry": "deck.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let inline = json!({"registry": registry, "message": {"text": "Hi"}});
    folder.write("inline.json", inline.to_string());
    folder
}

/// The warnings of a run on standard error, without the names of files.
fn warnings(err: &str) -> Vec<&str> {
    let lines = err
        .lines()
        .filter_map(|line| line.strip_prefix("warning: "));
    lines
        .map(|line| line.rsplit_once("column ").map_or(line, |(_, rest)| rest))
        .map(|line| line.split_once(": ").map_or(line, |(_, rest)| rest))
        .collect()
}

/// Every verb warns of this alone, and refuses it with `--strict`.
#[track_caller]
fn warns(registry: &Value, message: &str) {
    let folder = folder(registry);
    let line = json!({ "registry": registry }).to_string();
    for (args, input) in [
        (&["hydrate", "deck.json"][..], ""),
        (&["hydrate", "deck.json", "--call", "call.json"], ""),
        (&["run", "deck.json"], ""),
        (&["request", "call.json"], ""),
        (&["request", "inline.json"], ""),
        (
            &[
                "request",
                "call.json",
                "--target",
                "chat-template",
                "--family",
                "chatml",
            ],
            "",
        ),
        (&["variants", "deck.json", "--rolls", "2"], ""),
        (&["hydrate", "--batch"], &line),
        (&["hydrate", "--batch", "--registry", "deck.json"], "{}"),
    ] {
        let run = folder.run_with(args, input);
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
        assert!(!run.out.is_empty(), "{args:?}: {run:?}");
        assert_eq!(warnings(&run.err), [message], "{args:?}: {run:?}");
        let strict = folder.run_with(&[args, &["--strict"]].concat(), input);
        if input.is_empty() || input == "{}" {
            strict.refuses(2, &[message]);
        } else {
            assert_eq!(strict.status, 1, "{strict:?}");
            let answer: Value = serde_json::from_str(&strict.out).expect("JSON");
            let refusal = answer["error"]["message"].as_str().expect("a message");
            assert!(refusal.contains(message), "{refusal}");
        }
    }
}

#[test]
fn variables_of_printed_texts() {
    let items = json!([{"id": "host", "context": "You host {team}."}]);
    let personas = json!({"personas": {"required": true, "items": items}});
    warns(
        &registry(personas),
        "{team} in personas.host is not declared in template_vars of \"personas\": it is printed as \
         written",
    );
    let items = json!([{"id": "a", "text": "Now.", "fragments": [{"text": "At {venu}."}]}]);
    warns(
        &base_context(json!({"items": items, "template_vars": ["venue"]})),
        "{venu} in base_context.a is not declared in template_vars of \"base_context\": it is printed \
         as written; did you mean \"venue\"?",
    );
}

#[test]
fn a_text_that_nothing_prints_is_left_to_check() {
    let items = json!([{"id": "a", "text": "At {venue}.", "notes": "About {team}."}]);
    let folder = folder(&base_context(json!({"items": items})));
    folder
        .run(&["hydrate", "deck.json", "--strict"])
        .gives("At Bar.\n\nYou host.\n");
    let run = folder.run(&["check", "deck.json"]);
    assert!(run.out.contains("{team}"), "{run:?}");
}

#[test]
fn conditions_of_fragments() {
    let items = json!([
        {"id": "a", "text": "At {venue}.", "fragments": [{"if_var": "venu", "text": "Lost."}]},
    ]);
    warns(
        &base_context(json!({ "items": items })),
        "fragment 1 of base_context.a has the condition \"venu\", which template_vars of \
         \"base_context\" does not declare; did you mean \"venue\"?",
    );
}

#[test]
fn a_fragment_without_a_text() {
    let items = json!([{"id": "a", "text": "At {venue}.", "fragments": [{"if_var": "venue"}]}]);
    warns(
        &base_context(json!({ "items": items })),
        "fragment 1 of base_context.a has no text and prints nothing; write one, or remove it",
    );
}

#[test]
fn sections_that_an_injection_includes() {
    let items = json!([{"id": "stop", "text": "Stop.", "include_sections": ["persnas"]}]);
    let injections = json!({"runtime_injections": {"required": false, "items": items}});
    warns(
        &registry(injections),
        "include_sections of runtime_injections.stop names \"persnas\", which is not a section; did you \
         mean \"personas\"?",
    );
}

#[test]
fn names_in_defaults() {
    warns(
        &base_context(json!({"array_modes": {"nudgs": "random:2"}})),
        "mode \"random:2\" of base_context.nudgs has no effect: no item has a list in that field; did \
         you mean \"nudges\"?",
    );
    warns(
        &base_context(json!({"selected": "b"})),
        "\"base_context\" has no item \"b\"; the selection leaves it out",
    );
}

#[test]
fn names_in_relations() {
    let items = json!([{"id": "a", "text": "At {venue}.", "requires": ["personas.hots"]}]);
    warns(
        &base_context(json!({ "items": items })),
        "requires of base_context.a names \"personas.hots\", which does not exist",
    );
}

#[test]
fn names_in_the_sentence_of_a_slider() {
    let moods = json!({
        "required": true,
        "scale_template": "On {valu} of {emotion} {value}",
        "items": [{"id": "joy", "text": "Joy."}],
    });
    let order = json!(["base_context", "moods", "moods.scale"]);
    warns(
        &registry(json!({"moods": moods, "assembly_order": order})),
        "{valu} in scale_template of \"moods\" is printed as written: only {value} and {emotion} are \
         filled in; did you mean \"value\"?",
    );
    let folder = folder(&registry(json!({
        "moods": moods, "assembly_order": ["base_context", "moods"],
    })));
    folder
        .run(&["hydrate", "deck.json", "--strict"])
        .gives("At Bar.\n\nJoy.\n");
}

#[test]
fn settings_whatever_the_target() {
    let deck = registry(json!({"generation": {"temprature": 0.2}}));
    let folder = folder(&deck);
    let message = "unknown generation field \"temprature\"";
    for target in ["openai", "gemini", "chat-template"] {
        let mut args = vec!["request", "call.json", "--target", target];
        if target == "chat-template" {
            args.extend(["--family", "chatml"]);
        }
        let run = folder.run(&args);
        assert_eq!(run.status, 0, "{target}: {run:?}");
        assert!(run.err.contains(message), "{target}: {run:?}");
        args.push("--strict");
        folder.run(&args).refuses(2, &[message]);
    }
    let run = folder.run(&["hydrate", "deck.json"]);
    assert_eq!(
        (run.status, run.err.contains(message)),
        (0, true),
        "{run:?}"
    );
}

#[test]
fn every_warning_of_a_request_is_an_error_with_strict() {
    let image = json!({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}});
    for (target, call, words) in [
        (
            "gemini",
            json!({"history": [{"role": "user", "content": [image]}], "message": {"text": "Hi"}}),
            &["part 1, of type \"image_url\", is left out"][..],
        ),
        (
            "gemini",
            json!({"layers": {"generation": {"temprature": 1}}, "message": {"text": "Hi"}}),
            &["\"temprature\" is left out of generationConfig"],
        ),
    ] {
        let folder = Folder::new();
        folder.write("call.json", call.to_string());
        let args = ["request", "call.json", "--target", target];
        let run = folder.run(&args);
        assert_eq!(run.status, 0, "{run:?}");
        for word in words {
            assert!(
                run.err.contains("warning: ") && run.err.contains(word),
                "{run:?}"
            );
        }
        for format in ["text", "json"] {
            let strict = [&args[..], &["--strict", "--format", format]].concat();
            folder.run(&strict).refuses(2, words);
        }
    }
}

#[test]
fn a_run_sees_what_hydrate_sees() {
    let lists = json!({"required": true, "array_modes": {"items": "rnd:2"}, "items": [
        {"id": "l", "items": ["One.", "Two."]},
    ]});
    let folder = folder(&registry(
        json!({"lists": lists, "assembly_order": ["lists"]}),
    ));
    let message = "mode \"rnd:2\" of lists.items";
    for verb in ["hydrate", "run"] {
        let run = folder.run(&[verb, "deck.json"]);
        assert_eq!(
            (run.status, run.err.contains(message)),
            (0, true),
            "{run:?}"
        );
        let strict = folder.run(&[verb, "deck.json", "--strict"]);
        strict.refuses(2, &[message]);
    }
}
