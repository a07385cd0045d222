//! `import`: converted registries of promptlibretto, and the report.

use std::{fs, sync::Arc, time::Duration};

use promptdeck_service::{
    Options, Studio,
    wire::{NewRegistry, View},
};
use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

fn version_two() -> Value {
    json!({
        "version": 2,
        "assembly_order": ["base_context"],
        "base_context": {"items": [{"id": "a", "text": "A."}]},
    })
}

#[test]
fn both_dialects_are_converted() {
    let folder = Folder::new();
    folder.write("two.json", version_two().to_string());
    for (file, text) in [("registry.json", "Hello you."), ("two.json", "A.")] {
        let run = folder.run(&["import", file]);
        assert_eq!(run.status, 0, "{run:?}");
        let made: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(made["registry"]["version"], json!(22));
        let written = folder.run(&["import", file, "-o", "made.json", "--force"]);
        assert_eq!((written.status, written.out.as_str()), (0, ""));
        assert_eq!(folder.read("made.json"), run.out);
        let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
        assert!(prompt.starts_with(text), "{prompt}");
    }
    let piped = folder.run_with(&["import", "-"], REGISTRY);
    assert_eq!(piped.out, folder.run(&["import", "registry.json"]).out);
}

#[test]
fn what_is_not_supported_is_reported() {
    let folder = Folder::new();
    let mut registry = version_two();
    registry["base_context"]["items"][0]["name"] = json!("y");
    registry["base_context"]["items"][0]["label"] = json!("l");
    folder.write("two.json", registry.to_string());
    let run = folder.run(&["import", "two.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.err.contains("two.json: line 1, column "), "{}", run.err);
    assert!(run.err.contains("not supported: "), "{}", run.err);
    let run = folder.run(&["import", "two.json", "--format", "json"]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["report"]["format"], json!("v0_8"));
    assert_eq!(
        answer["report"]["entries"][0]["status"],
        json!("not_supported")
    );
    assert!(
        answer["text"]
            .as_str()
            .is_some_and(|text| text.contains("\"A.\""))
    );
}

#[test]
fn with_strict_nothing_is_written_that_leaves_something_out() {
    let folder = Folder::new();
    let mut registry = version_two();
    registry["base_context"]["items"][0]["name"] = json!("y");
    registry["base_context"]["items"][0]["label"] = json!("l");
    folder.write("two.json", registry.to_string());
    let strict = ["import", "two.json", "--strict"];
    let to_file = [&strict[..], &["-o", "made.json"]].concat();
    for args in [&strict[..], &to_file] {
        let run = folder.run(args);
        let reason = "error: nothing was written: 1 thing would be left out";
        run.refuses(1, &["not supported: ", reason]);
    }
    assert!(!folder.path("made.json").exists());
    let run = folder.run(&[&to_file[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.status, &answer["ok"]), (1, &json!(false)));
    assert_eq!(answer.get("text"), None);
    let whole = folder.run(&["import", "registry.json", "--strict", "-o", "made.json"]);
    assert_eq!(whole.status, 0, "{whole:?}");
    assert!(folder.path("made.json").exists());
}

#[test]
fn what_cannot_be_imported_is_refused_with_its_place() {
    let folder = Folder::new();
    for (text, words) in [
        (
            "{\n \"version\": 3}",
            "two.json: line 2, column 13: /version: ",
        ),
        ("[]", "two.json: a JSON list, which is no document"),
        ("{}", "two.json: line 1, column 1: not a registry"),
    ] {
        folder.write("two.json", text);
        let run = folder.run(&["import", "two.json", "-o", "made.json"]);
        run.refuses(2, &[words]);
        assert!(!folder.path("made.json").exists());
    }
}

#[test]
fn a_json_value_without_a_prompt_is_refused_unless_it_is_meant_as_a_text() {
    let folder = Folder::new();
    for (text, value) in [
        ("null\n", "the JSON value null"),
        ("true", "the JSON value true"),
        ("42\n", "a JSON number"),
        ("\"Be kind.\"", "a JSON text"),
        ("\u{feff}null", "the JSON value null"),
    ] {
        let way_out = "which is no document; `--from plain` reads it as a text";
        let refusal = format!("standard input: {value}, {way_out}");
        folder
            .run_with(&["import", "-"], text)
            .refuses(2, &[&refusal]);
        let run = folder.run_with(&["import", "-", "--from", "plain"], text);
        assert_eq!(run.status, 0, "{run:?}");
        folder.write("said.txt", text);
        let run = folder.run(&["import", "said.txt"]);
        assert_eq!(run.status, 0, "{run:?}");
    }
    let run = folder.run_with(&["import", "-"], "Null and void.");
    assert_eq!(run.status, 0, "{run:?}");
}

/// A prompt that begins with a section that others precede in canonical order.
const ENDS_FIRST: &str = "# Prompt endings\nAnswer now.\n\n# Base context\nYou are kind.\n";

#[test]
fn a_deck_shows_its_cards_as_after_an_import_in_the_studio() {
    let folder = Folder::new();
    fs::create_dir(folder.path("decks")).expect("a folder");
    folder.write("prompt.md", ENDS_FIRST);
    let import = ["import", "prompt.md", "-o", "decks/of_cli.json"];
    let studio = Studio::open(Options {
        folder: folder.path("decks"),
        file: None,
        store: Some(folder.path("store.sqlite")),
        listener: Arc::new(|_| {}),
        tokenizer: "estimate".to_owned(),
        mock_pause: Duration::ZERO,
    })
    .expect("a studio");
    // The studio has made the store: one that is named and missing is not created by an import.
    assert_eq!(folder.run(&import).status, 0);
    let bytes = ENDS_FIRST.as_bytes().to_vec();
    let source = studio.read_source("prompt.md", bytes).expect("a source");
    let content = NewRegistry::Source {
        number: source.number,
    };
    let of_studio = studio
        .new_registry(&content, "", "of_studio")
        .expect("created");
    let view = studio.view("of_cli.json").expect("a view");
    assert_eq!(view.order, ["prompt_endings", "base_context"]);
    assert_eq!(view, studio.view(&of_studio).expect("a view"));
    // Once its cards are laid out by hand, that stays.
    let by_hand = View {
        order: vec!["base_context".to_owned()],
        ..view
    };
    studio.save_view("of_cli.json", &by_hand).expect("saved");
    folder.write("prompt.md", format!("{ENDS_FIRST}Be brief.\n"));
    assert_eq!(folder.run(&[&import[..], &["--force"]].concat()).status, 0);
    assert_eq!(studio.view("of_cli.json").expect("a view"), by_hand);
}

#[test]
fn a_deck_is_imported_without_a_store_as_well() {
    let folder = Folder::new();
    folder.write("prompt.md", ENDS_FIRST);
    folder.write("store.sqlite", "This is the file of another program.");
    let run = folder.run(&["import", "prompt.md", "-o", "deck.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let note = "note: the studio will show the cards in canonical order";
    assert!(run.err.contains(note), "{run:?}");
    assert!(folder.read("deck.json").contains("Answer now."));
}

#[test]
fn a_text_that_looks_like_wildcards_or_a_template_is_reported() {
    let folder = Folder::new();
    for (text, kind) in [
        ("red\ndark blue\nburnt orange\ngreen\n", "wildcards"),
        ("a {red|blue} house\n", "template"),
        ("{# note #}You are {{ name }}.\n", "jinja"),
        ("---\nsample:\n  a: 1\n---\nsystem:\nBe kind.\n", "prompty"),
        (REGISTRY, "registry"),
        (
            "\u{feff}[{\"role\": \"user\", \"content\": \"Hi\"}]",
            "messages",
        ),
    ] {
        folder.write("colors.txt", text);
        let words = format!("looks like {kind}: use --from {kind}");
        let auto = folder.run(&["import", "colors.txt"]);
        assert!(auto.err.contains(&words), "{auto:?}");
        let plain_run = folder.run(&["import", "colors.txt", "--from", "plain"]);
        assert!(!plain_run.err.contains("looks like"), "{plain_run:?}");
    }
}

#[test]
fn a_plain_prompt_becomes_a_deck_that_prints_it() {
    let folder = Folder::new();
    let prompt = "You help {name}.\n\nRules:\n- be kind\n- be brief\n\n<tone>\ndry\n</tone>\n";
    folder.write("prompt.txt", prompt);
    let run = folder.run(&["import", "prompt.txt", "-o", "made.json"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
    assert!(
        run.err
            .contains("prompt.txt: line 1, column 10: converted: {name} is a template variable"),
        "{}",
        run.err
    );
    assert_eq!(
        folder.run(&["hydrate", "made.json", "--seed", "1"]).out,
        prompt
    );
    assert_eq!(folder.run(&["check", "made.json"]).status, 0);
    let piped = folder.run_with(&["import", "-"], prompt);
    assert_eq!(piped.out, folder.read("made.json"));
    let lost = folder.run_with(&["import", "-", "-o", "lost.json"], "a\n\n\n\nb\n");
    assert_eq!(lost.status, 0, "{lost:?}");
    let expected = "standard input: line 3, column 1: not supported: 3 blank lines become one";
    assert!(lost.err.contains(expected), "{}", lost.err);
}

#[test]
fn messages_become_a_call_document_with_its_registry() {
    let folder = Folder::new();
    let conversation = json!({"messages": [
        {"role": "system", "content": "Be kind.\n\nBe brief."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Bye"},
    ]});
    folder.write("chat.json", conversation.to_string());
    let run = folder.run(&["import", "chat.json", "-o", "made.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = folder.run(&["request", "made.json", "--format", "json"]);
    let request: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    let body = &request["body"];
    assert_eq!(body["messages"], conversation["messages"], "{request:#}");
}

#[test]
fn a_text_beside_a_tool_result_is_named_as_no_request_is_built_from_it() {
    let folder = Folder::new();
    let body = json!({
        "system": "You are a clerk.",
        "messages": [
            {"role": "user", "content": "Look this up"},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "find", "input": {"q": "x"}}
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "found 3"},
                {"type": "text", "text": "And now?"}
            ]},
        ],
        "tools": [{"name": "find", "input_schema": {"type": "object"}}],
    });
    folder.write("body.json", body.to_string());
    let import = folder.run(&["import", "body.json", "-o", "call.json"]);
    assert!(import.err.contains("beside a tool's result"), "{import:?}");
    let request = folder.run(&["request", "call.json"]);
    assert_eq!(request.status, 1, "{request:?}");
    assert!(
        request.err.contains("the assistant must speak"),
        "{request:?}"
    );
}

#[test]
fn a_card_becomes_a_deck() {
    let folder = Folder::new();
    let card = json!({"spec": "chara_card_v2", "data": {"name": "Mira", "description": "{{char}} waits."}});
    folder.write("mira.json", card.to_string());
    let run = folder.run(&["import", "mira.json", "-o", "made.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
    assert_eq!(prompt, "Mira waits.\n");
    folder.write("mira.png", b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtchara");
    let run = folder.run(&["import", "mira.png", "-o", "none.json"]);
    run.refuses(
        2,
        &["mira.png: the chunk tEXt at byte 8 says that it has 4294967295 bytes"],
    );
    assert!(!folder.path("none.json").exists());
}

#[test]
fn the_kind_can_be_given() {
    let folder = Folder::new();
    let text = "{\"a\": 1}";
    folder.write("a.json", text);
    folder
        .run(&["import", "a.json"])
        .refuses(2, &["a.json: line 1, column 1: not a registry"]);
    let run = folder.run(&["import", "a.json", "--from", "plain", "-o", "made.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
    assert_eq!(prompt, format!("{text}\n"));
    folder
        .run(&["import", "a.json", "--from", "messages"])
        .refuses(2, &["a.json: "]);
    folder.run(&["import", "a.json", "--from", "card"]);
    folder
        .run(&["import", "a.json", "--from", "nothing"])
        .refuses(2, &["possible values: auto, registry"]);
}

#[test]
fn prompt_files_become_decks() {
    let folder = Folder::new();
    for (file, text) in [
        (
            "a.prompt",
            "---\ninput:\n  default: {guest: Ada}\n---\nGreet {{guest}}.\n",
        ),
        (
            "a.prompty",
            "---\nsample:\n  guest: Ada\n---\nsystem:\nGreet {{guest}}.\n",
        ),
        ("a.j2", "Greet Ada.{# nobody else #}\n"),
    ] {
        folder.write(file, text);
        let run = folder.run(&["import", file, "-o", "made.json", "--force"]);
        assert_eq!(run.status, 0, "{run:?}");
        let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
        assert!(prompt.starts_with("Greet Ada."), "{file}: {prompt}");
    }
    folder.write("bomb.prompt", "---\na: &a [1]\nb: *a\n---\nx");
    let run = folder.run(&["import", "bomb.prompt", "-o", "none.json"]);
    run.refuses(2, &["bomb.prompt: line 3, column 4: /b: YAML aliases"]);
    assert!(!folder.path("none.json").exists());
}

#[test]
fn templates_find_their_wildcards_in_a_folder() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("cards")).expect("a folder");
    folder.write("cards/season.txt", "summer\n");
    folder.write("scene.txt", "__season__ {rain|rain}");
    let args = [
        "import",
        "scene.txt",
        "--from",
        "template",
        "--wildcards",
        "cards",
        "-o",
        "made.json",
        "--force",
    ];
    let run = folder.run(&args);
    assert_eq!(run.status, 0, "{run:?}");
    let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
    assert_eq!(prompt, "summer rain\n");
    folder.write("cards/season.txt", "__season__\n");
    folder.run(&args).refuses(
        2,
        &[
            "scene.txt: line 1, column 1: season.txt: line 1, column 1: the wildcard season includes \
             itself",
        ],
    );
    folder
        .run(&["import", "scene.txt", "--wildcards", "cards"])
        .refuses(2, &["--wildcards is for templates"]);
    let run = folder.run(&[
        "import",
        "scene.txt",
        "--from",
        "template",
        "--wildcards",
        "nowhere",
    ]);
    run.refuses(2, &["cannot read the folder nowhere: No such file"]);
    let run = folder.run(&["import", "cards/season.txt", "--from", "wildcards"]);
    run.refuses(2, &["the wildcard season includes itself"]);
}

#[test]
fn a_wildcard_file_that_cannot_be_read_is_left_out_with_its_reason() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("cards")).expect("a folder");
    folder.write("cards/season.txt", "\u{feff}summer\n");
    folder.write("cards/empty.txt", "");
    folder.write("cards/broken.yaml", "a: [b\n");
    std::fs::write(folder.path("cards/latin.txt"), b"caf\xe9\n").expect("written");
    folder.write("scene.txt", "__season__ {rain|rain}");
    let args = [
        "import",
        "scene.txt",
        "--from",
        "template",
        "--wildcards",
        "cards",
        "-o",
        "made.json",
    ];
    let run = folder.run(&args);
    assert_eq!(run.status, 0, "{run:?}");
    for file in ["empty.txt", "broken.yaml", "latin.txt"] {
        let message = run.err.lines().find(|line| line.contains(file));
        let message = message.unwrap_or_else(|| panic!("{file}: {run:?}"));
        assert!(message.ends_with("; this file is left out"), "{message}");
    }
    let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
    assert_eq!(prompt, "summer rain\n");
}

#[test]
fn neither_another_file_nor_the_document_is_lost() {
    let folder = Folder::new();
    folder.write("prompt.txt", "Greet the guest.\n");
    folder.write("deck.json", REGISTRY);
    folder
        .run(&["import", "prompt.txt", "-o", "deck.json"])
        .refuses(2, &["deck.json exists; replace it with --force"]);
    assert_eq!(folder.read("deck.json"), REGISTRY);
    let run = folder.run(&["import", "prompt.txt", "-o", "deck.json", "--force"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_ne!(folder.read("deck.json"), REGISTRY);
    let note = "note: what deck.json held before is in deck.replaced-1.json";
    assert!(run.err.contains(note), "{}", run.err);
    assert_eq!(folder.read("deck.replaced-1.json"), REGISTRY);
    let again = folder.run(&["import", "prompt.txt", "-o", "deck.json", "--force"]);
    assert!(
        !again.err.contains("held before"),
        "the same bytes: {again:?}"
    );
    folder
        .run(&["import", "prompt.txt", "-o", "./prompt.txt", "--force"])
        .refuses(2, &["./prompt.txt is the document that is read"]);
    assert_eq!(folder.read("prompt.txt"), "Greet the guest.\n");
}

#[test]
fn json_that_ends_early_is_said_to() {
    let folder = Folder::new();
    for (text, words) in [
        (
            "{\n \"a\": [1,\n  {\"b\": 2",
            "line 3, column 10: /a/1: the text ends in the middle of the object that begins at line \
             3, column 3: expected `,` or `}`",
        ),
        (
            "{\"a\": [1, 2\n",
            "line 2, column 1: /a: the text ends in the middle of the list that begins at line 1, \
             column 7: expected `,` or `]`",
        ),
        (
            "{\"a\": tr",
            "line 1, column 9: /a: the text ends in the middle of the object that begins at line 1, \
             column 1: expected `true`",
        ),
        (
            "{\"a\": \"Be ki\n",
            "line 1, column 7: /a: the text ends in the middle of this string: close it with a quote",
        ),
        ("", "line 1, column 1: the text is empty: expected a value"),
        (
            "[{\"role\": \"user\", \"content\": \"Hi\"}, {\"role\":",
            "line 1, column 45: /1/role: the text ends in the middle of the object that begins at \
             line 1, column 37: expected a value",
        ),
    ] {
        folder.write("cut.json", text);
        let run = folder.run(&["import", "cut.json"]);
        run.refuses(2, &[&format!("cut.json: {words}\n")]);
    }
}

#[test]
fn a_fault_of_a_jinja_template_has_its_line_and_column() {
    let folder = Folder::new();
    for (file, text, place) in [
        (
            "a.j2",
            "Hello\n  äh {% for x %}a{% endfor %}\n",
            "line 2, column 15: ",
        ),
        (
            "a.prompty",
            "---\nname: X\n---\nsystem:\nHi {% endfor %}\n",
            "line 5, column 7: ",
        ),
    ] {
        folder.write(file, text);
        let run = folder.run(&["import", file, "-o", "made.json", "--force"]);
        let words = format!("{file}: {place}not supported: the template is imported as written");
        assert!(run.err.contains(&words), "{}", run.err);
    }
}

#[test]
fn a_template_that_no_request_renders_is_reported() {
    let folder = Folder::new();
    let check = |template: &str, column: usize, why: &str| {
        folder.write("a.jinja", template);
        let import = ["import", "a.jinja", "--strict", "-o", "made.json"];
        let words = format!(
            "a.jinja: line 1, column {column}: not supported: the template is imported as written, \
             but it cannot be rendered: {why}"
        );
        folder.run(&import).refuses(1, &[&words]);
    };
    check("Hi {% include \"nope.txt\" %}", 7, "");
    check("{% extends \"base\" %}", 4, "");
    check("{{ [\"a\", \"b\"] | random }}", 17, "random gives another");
    check("{% if x %}{{ [\"a\"] | random }}{% endif %}", 22, "random");
    check("{% filter random %}a{% endfilter %}", 11, "random");
    folder.write("a.jinja", "{% autoescape false %}Hi{% endautoescape %}");
    let run = folder.run(&["import", "a.jinja", "--strict"]);
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn a_setting_with_a_wrong_value_is_left_out_for_its_value() {
    let folder = Folder::new();
    let messages = r#"{"messages": [{"role": "system", "content": "S"}], "temperature": "hot", "max_tokens": 1.5}"#;
    let prompty =
        "---\nname: a\nmodel:\n  parameters:\n    temperature: \"hot\"\n---\nsystem:\nHi\n";
    let dotprompt = "---\nconfig:\n  maxOutputTokens: -5\n---\nHi\n";
    for (file, text, words) in [
        (
            "a.json",
            messages,
            &[
                "temperature is not a number and is left out: \"hot\"",
                "max_tokens is not a whole number and is left out: 1.5",
            ][..],
        ),
        (
            "a.prompty",
            prompty,
            &["temperature is not a number and is left out: \"hot\""],
        ),
        (
            "a.prompt",
            dotprompt,
            &["maxOutputTokens is not a whole number and is left out: -5"],
        ),
    ] {
        folder.write(file, text);
        let run = folder.run(&["import", file, "--strict"]);
        for word in words {
            assert!(run.err.contains(word), "{}", run.err);
        }
        assert!(!run.err.contains("is not a setting"), "{}", run.err);
        assert_eq!(run.status, 1);
    }
}

#[test]
fn a_file_is_no_folder_of_wildcards() {
    let folder = Folder::new();
    folder.write("a.txt", "__c__");
    folder.write("c.txt", "red\n");
    folder
        .run(&[
            "import",
            "a.txt",
            "--from",
            "template",
            "--wildcards",
            "c.txt",
        ])
        .refuses(2, &["c.txt is a file; name its folder"]);
}
