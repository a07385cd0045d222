//! Parts of registries and states that would silently be ignored: every verb warns about each once,
//! with its position, and rejects it with `--strict`.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

/// The registry with a misspelt key and a token that names no section.
fn misspelt() -> String {
    REGISTRY
        .replacen("\"required\"", "\"requird\"", 1)
        .replacen("\"moods\",\n", "\"modds\",\n", 1)
}

const KEY: &str = "warning: registry.json: line 10, column 18: section \"greeting\" has a key \
                   \"requird\": it is kept, and nothing reads it; did you mean \"required\"?";
const TOKEN: &str = "warning: registry.json: line 6, column 7: entry \"modds\" names the section \
                     \"modds\", which is not in this registry; did you mean \"moods\"?";

#[test]
fn a_flag_that_sets_what_the_template_does_not_read_is_noted() {
    let folder = Folder::new();
    folder.write("plain.jinja", "{{ messages[0].content }}");
    let reads = "{{ bos_token }}{{ eos_token }}{{ thinking }}{{ messages[0].content }}";
    folder.write("reads.jinja", reads);
    let messages = json!({"messages": [{"role": "user", "content": "Hi"}]});
    folder.write("chat.json", messages.to_string());
    let call = json!({"registry": "registry.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let verbs = |template| {
        [
            vec!["chat", "render", "chat.json", "--template", template],
            vec!["chat", "inspect", template, "--conversation", "chat.json"],
            vec![
                "request",
                "call.json",
                "--target",
                "chat-template",
                "--template",
                template,
            ],
        ]
    };
    let run = |args: &[&str], flag| folder.run(&[args, &[flag, "--strict"]].concat());
    for (flag, names) in [
        (
            "--bos=<s>",
            "--bos has no effect: the template does not read bos_token",
        ),
        (
            "--eos=</s>",
            "--eos has no effect: the template does not read eos_token",
        ),
        (
            "--thinking",
            "--thinking has no effect: the template does not read enable_thinking nor thinking",
        ),
    ] {
        let note = format!("note: {names}\n");
        for args in verbs("plain.jinja") {
            let run = run(&args, flag);
            assert_eq!(
                (run.err.as_str(), run.status),
                (note.as_str(), 0),
                "{args:?}"
            );
        }
        for args in verbs("reads.jinja") {
            assert_eq!(run(&args, flag).err, "", "{args:?}");
        }
    }
    let batch = [
        "chat",
        "render",
        "--batch",
        "--template",
        "plain.jinja",
        "--bos",
        "<s>",
    ];
    let lines = format!("{messages}\n{messages}\n");
    let noted = folder.run_with(&batch, &lines).err;
    assert_eq!(
        noted.matches("note: line 1: --bos has no effect").count(),
        1,
        "{noted}"
    );
}

#[test]
fn every_verb_warns_of_a_registry_once() {
    let folder = Folder::new();
    folder.write("registry.json", misspelt());
    folder.write(
        "call.json",
        r#"{"registry": "registry.json", "message": {"text": "Hi"}}"#,
    );
    for args in [
        &["hydrate", "registry.json"][..],
        &["hydrate", "registry.json", "--format", "json", "--explain"],
        &["hydrate", "--batch", "--registry", "registry.json"],
        &["export", "registry.json"],
        &["variants", "registry.json"],
        &["run", "registry.json"],
        &["snapshot", "save", "registry.json"],
        &["request", "call.json"],
        &["request", "call.json", "--against", "call.json"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
        for warning in [KEY, TOKEN] {
            let times = run.err.lines().filter(|line| line == &warning).count();
            assert_eq!(times, 1, "{args:?}: {}", run.err);
        }
        let strict = [args, &["--strict"]].concat();
        folder
            .run(&strict)
            .refuses(2, &["registry.json: line 10, column 18: ", "requird"]);
    }
}

#[test]
fn a_registry_within_a_document_is_no_exception() {
    let folder = Folder::new();
    let registry: Value = serde_json::from_str(&misspelt()).expect("JSON");
    let call = json!({"registry": registry["registry"], "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let run = folder.run(&["request", "call.json"]);
    assert!(
        run.err.contains("call.json: line 1, column "),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("did you mean \"required\"?"),
        "{}",
        run.err
    );
    let line = json!({"registry": registry, "seed": 1}).to_string();
    let lines = format!("{line}\n{line}\n");
    let run = folder.run_with(&["hydrate", "--batch"], &lines);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.err
            .contains("warning: line 1: registry: line 1, column "),
        "{}",
        run.err
    );
    assert!(run.err.contains("warning: 1 more line: "), "{}", run.err);
    let run = folder.run_with(&["hydrate", "--batch", "--strict"], &lines);
    assert_eq!(
        (run.status, run.out.matches("\"unknown_key\"").count()),
        (1, 2),
        "{run:?}"
    );
}

#[test]
fn keys_of_the_authors_own_are_no_warning() {
    let folder = Folder::new();
    let with_note = REGISTRY.replacen("\"version\": 22,", "\"version\": 22, \"x-note\": 1,", 1);
    folder.write("registry.json", with_note);
    folder
        .run(&["hydrate", "registry.json", "--route", "short", "--strict"])
        .gives("Hello you.\n");
}

/// Runs `hydrate` with a state, without and with `--strict`: a warning, then the same as an error.
#[track_caller]
fn warns(args: &[&str], state: &Value, warning: &str) {
    let folder = Folder::new();
    let registry = REGISTRY.replacen("\"required\": true", "\"slider\": 5, \"required\": true", 1);
    folder.write("registry.json", registry);
    folder.write(
        "state.json",
        serde_json::to_string_pretty(state).expect("JSON"),
    );
    for verb in ["hydrate", "export", "variants", "run"] {
        let args = [&[verb, "registry.json"], args].concat();
        let run = folder.run(&args);
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
        let warnings: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.contains("warning"))
            .collect();
        assert_eq!(warnings, [format!("warning: {warning}")], "{args:?}");
        folder
            .run(&[&args[..], &["--strict"]].concat())
            .refuses(2, &[warning]);
    }
}

#[test]
fn settings_that_are_used_otherwise() {
    let file = ["--state", "state.json"];
    let several =
        "\"greeting\" takes one item, and the state selects 2: the first that exists is used";
    warns(
        &file,
        &json!({"selections": {"greeting": ["hello", "bye"]}}),
        &format!("state.json: line 3, column 5: {several}"),
    );
    warns(
        &["--select", "greeting=hello,bye"],
        &json!({}),
        &format!("--select: {several}"),
    );
    let none = "\"greeting\" takes one item, and the state selects none: the first is used";
    warns(
        &file,
        &json!({"selections": {"greeting": []}}),
        &format!("state.json: line 3, column 5: {none}"),
    );
    warns(
        &["--select", "greeting="],
        &json!({}),
        &format!("--select: {none}"),
    );
    warns(
        &["--slider", "greeting=7.5"],
        &json!({}),
        "--slider: the state sets the slider of \"greeting\" to 7.5, which is no whole number: its \
         sentence says 7",
    );
    let scale = |at: &str| {
        format!("the state sets the slider of \"greeting\" to {at}, outside its scale from 1 to 10")
    };
    warns(
        &file,
        &json!({"sliders": {"greeting": 99}}),
        &format!("state.json: line 3, column 5: {}", scale("99")),
    );
    warns(
        &["--slider", "greeting=-1"],
        &json!({}),
        &format!("--slider: {}", scale("-1")),
    );
    warns(
        &["--select", "moods=calm", "--select", "moods=brief"],
        &json!({}),
        "--select is given more than once for /selections/moods: the last one counts",
    );
    warns(
        &file,
        &json!({"array_modes": {"lists": {"items": "some"}}}),
        "state.json: line 4, column 7: mode \"some\" of lists.items is not a mode (all, none, index:N, indices:I,J or \
         random:K); all is used",
    );
}

#[test]
fn every_verb_names_the_place_of_a_faulty_default() {
    let folder = Folder::new();
    let registry = json!({"assembly_order": ["mood", "mood.notes"], "mood": {
        "required": true, "selected": "nobody", "slider": 99, "array_modes": {"notes": "rndom:1"},
        "items": [{"id": "calm", "text": "Be calm.", "scale_emotion": "calm", "notes": ["a", "b"]}],
    }});
    folder.write("deck.json", registry.to_string());
    let call = json!({"registry": "deck.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let place = |name: &str, key: &str, message: &str| {
        let text = registry.to_string();
        let column = text.find(key).expect("the key") + key.len() + 2;
        format!("warning: {name}: line 1, column {column}: {message}")
    };
    let scale = "the slider of \"mood\" stands at 99, outside its scale from 1 to 10";
    let mode = "mode \"rndom:1\" of mood.notes is not a mode";
    let item = "\"mood\" has no item \"nobody\"";
    let warnings = |name: &str| {
        [
            place(name, "\"selected\"", item),
            place(name, "\"slider\"", scale),
            place(name, "\"array_modes\"", mode),
        ]
    };
    let warns = |run: &Run, expected: &[String]| {
        for message in expected {
            let message = message.as_str();
            assert_eq!(run.err.matches(message).count(), 1, "{message}\n{run:?}");
        }
    };
    for args in [
        &["hydrate", "deck.json"][..],
        &["hydrate", "deck.json", "--explain"],
        &["hydrate", "--call", "call.json"],
        &["run", "deck.json"],
        &["variants", "deck.json"],
        &["profile", "deck.json", "--rolls", "9"],
        &["impact", "deck.json", "deck.json", "--rolls", "9"],
        &["export", "deck.json"],
        &["request", "call.json"],
    ] {
        let run = folder.run(args);
        assert_eq!(run.status, 0, "{run:?}");
        warns(&run, &warnings("deck.json"));
        let strict = folder.run(&[args, &["--strict"]].concat());
        assert_eq!(strict.status, 2, "{args:?}: {strict:?}");
    }
    let batch = ["hydrate", "--batch"];
    let shared = [&batch[..], &["--registry", "deck.json"]].concat();
    warns(
        &folder.run_with(&shared, "{}\n{}\n"),
        &warnings("deck.json"),
    );
    let line = json!({"registry": registry}).to_string();
    let inline = folder.run_with(&batch, &format!("{line}\n"));
    warns(&inline, &warnings("line 1: registry"));
    // What a call sets replaces the default.
    let flags = [
        "--select=mood=calm",
        "--slider=mood=2",
        "--mode=mood.notes=all",
    ];
    for args in [&["variants", "deck.json"][..], &["hydrate", "deck.json"]] {
        let run = folder.run(&[args, &flags[..]].concat());
        warns(&run, &warnings("deck.json")[..1]);
        assert!(
            !run.err.contains(scale) && !run.err.contains(mode),
            "{run:?}"
        );
    }
}

#[test]
fn a_mode_beyond_a_list_names_its_flag_or_its_place() {
    let folder = Folder::new();
    let warning = "mode \"index:99\" of lists.items names an entry that is not among the 3 there are, counted from 0";
    let flag = ["hydrate", "registry.json", "--mode", "lists.items=index:99"];
    for format in ["text", "json"] {
        let run = folder.run(&[&flag[..], &["--format", format]].concat());
        let expected = format!("warning: --mode: {warning}");
        assert!(run.err.starts_with(&expected), "{}", run.err);
    }
    folder.write(
        "state.json",
        "{\"array_modes\":\n {\"lists\": {\"items\": \"index:99\"}}}",
    );
    let run = folder.run(&["hydrate", "registry.json", "--state", "state.json"]);
    let expected = format!("warning: state.json: line 2, column 13: {warning}");
    assert!(run.err.starts_with(&expected), "{}", run.err);
}

#[test]
fn a_state_within_a_call_document_has_its_place() {
    let folder = Folder::new();
    folder.write(
        "call.json",
        "{\"registry\": \"registry.json\",\n \"state\": {\"selections\": {\"greting\": \"bye\"}}}",
    );
    let run = folder.run(&["request", "call.json"]);
    let expected = "warning: call.json: line 2, column 27: the state's selections name \"greting\"";
    assert!(run.err.starts_with(expected), "{}", run.err);
    assert_eq!(run.err.matches("greting").count(), 1, "{}", run.err);
}

/// A registry whose greeting is a Jinja template.
fn jinja() -> String {
    REGISTRY
        .replacen(
            "\"version\": 22,",
            "\"version\": 22, \"template_engine\": \"jinja\",",
            1,
        )
        .replacen("Hello {name}.", "Hello {{ args.name }}.", 1)
}

#[test]
fn a_template_that_is_not_rendered() {
    let folder = Folder::new();
    folder.write("registry.json", jinja());
    let words = [
        "registry.json: its texts are Jinja templates",
        "`promptdeck request`",
    ];
    for args in [
        &["hydrate", "registry.json", "--route", "short"][..],
        &[
            "variants",
            "registry.json",
            "--rolls",
            "1",
            "--route",
            "short",
        ],
        &["hydrate", "--batch", "--registry", "registry.json"],
    ] {
        let run = folder.run_with(args, "{\"route\": \"short\"}\n");
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.out.contains("Hello {{ args.name }}."), "{}", run.out);
        for word in words {
            assert!(run.err.contains(word), "{args:?}: {}", run.err);
        }
        folder
            .run(&[args, &["--strict"]].concat())
            .refuses(2, &words);
    }
    folder.run(&["run", "registry.json"]).refuses(2, &words);
    folder.write(
        "call.json",
        r#"{"registry": "registry.json", "route": "short", "args": {"name": "Ada"}, "message": {"text": "Hi"}}"#,
    );
    let request = folder.run(&["request", "call.json", "--strict"]);
    assert!(request.out.contains("Hello Ada."), "{request:?}");
    folder.write("body.json", &request.out);
    let run = folder.run(&["run", "registry.json", "--request", "body.json"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn a_template_that_cannot_be_rendered_is_an_error_of_the_registry() {
    let folder = Folder::new();
    let broken = jinja().replacen("{{ args.name }}", "{% include 'tail.j2' %}", 1);
    folder.write("registry.json", broken);
    let why = "the prompt is not rendered: template not found";
    let check = folder.run(&["check", "registry.json"]);
    assert_eq!(check.status, 1, "{check:?}");
    assert!(check.out.contains("error[prompt_template]"), "{check:?}");
    assert!(check.out.contains(why), "{check:?}");
    assert!(check.err.starts_with("1 error, "), "{check:?}");
    let test = folder.run(&["test", "registry.json"]);
    assert_eq!(test.status, 1, "{test:?}");
    assert!(test.out.contains(why), "{test:?}");
    folder.write("registry.json", jinja());
    assert_eq!(folder.run(&["check", "registry.json"]).status, 0);
    assert_eq!(folder.run(&["test", "registry.json"]).status, 0);
}

#[test]
fn a_family_beside_a_template_is_reported() {
    let folder = Folder::new();
    let document =
        r#"{"messages": [{"role": "user", "content": "Hi"}], "template": "T", "family": "chatml"}"#;
    folder.write("c.json", document);
    let words = "the document has a template and a family: the family is not used";
    let run = folder.run(&["chat", "render", "c.json"]);
    assert_eq!((run.out.as_str(), run.status), ("T", 0));
    assert_eq!(run.err, format!("warning: {words}\n"));
    folder
        .run(&["chat", "render", "c.json", "--strict"])
        .refuses(2, &[words]);
    let batch = ["chat", "render", "--batch"];
    let run = folder.run_with(&batch, document);
    assert!(run.err.contains(words), "{}", run.err);
    let plain = r#"{"messages": [{"role": "user", "content": "Hi"}]}"#;
    let run = folder.run_with(&batch, plain);
    assert_eq!(run.status, 0, "{run:?}");
    let note = "note: line 1: neither a template nor a family is named: ";
    assert!(run.err.starts_with(note), "{}", run.err);
}
