//! The help texts and their promises: schemas with examples, families, environment variables, verbs
//! and flags.

use serde_json::{Value, json};

use crate::program::Folder;

/// Kinds of documents, and the verb whose help has an example of each.
const KINDS: [(&str, &[&str]); 9] = [
    ("checks", &["test"]),
    ("policy", &["policy"]),
    ("history", &["history"]),
    ("arguments", &["arguments"]),
    ("layers", &["layers"]),
    ("call", &["request"]),
    ("chat-render", &["chat", "render"]),
    ("chat-inspect", &["chat", "inspect"]),
    ("chat-extract", &["chat", "extract"]),
];

#[test]
fn help_has_help_as_every_verb_has() {
    let folder = Folder::new();
    let help = folder.run(&["help", "help"]).out;
    assert!(help.contains("Usage: promptdeck help"), "{help}");
    for args in [&["help", "--help"][..], &["help", "-h"]] {
        folder.run(args).gives(&help);
    }
    for args in [["chat", "help", "--help"], ["snapshot", "help", "-h"]] {
        let run = folder.run(&args);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{args:?}");
        assert!(run.out.contains(" help [COMMAND]"), "{}", run.out);
    }
    // A file of that name is one.
    let fmt = folder.run(&["fmt", "help", "--help"]).out;
    assert!(fmt.contains("Usage: promptdeck fmt"), "{fmt}");
}

#[test]
fn every_document_has_a_schema_and_an_example_that_works() {
    let folder = Folder::new();
    for (kind, verb) in KINDS {
        let run = folder.run(&["schema", kind]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{kind}");
        let schema: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(schema["additionalProperties"], json!(false), "{kind}");
        assert!(schema["title"].is_string(), "{kind}");
        let help = folder.run(&[verb, &["--help"]].concat()).out;
        assert!(
            help.contains(&format!("promptdeck schema {kind}")),
            "{help}"
        );
        if ["call", "checks"].contains(&kind) {
            continue;
        }
        let (_, example) = help.split_once("Example document:").expect("an example");
        let (example, _) = example.split_once("Its JSON Schema").expect("its schema");
        let example = example.split_whitespace().collect::<Vec<_>>().join(" ");
        let document: Value = serde_json::from_str(&example).expect(&example);
        folder.write("doc.json", document.to_string());
        let args = match kind {
            "chat-inspect" => vec!["chat", "inspect", "--conversation", "doc.json"],
            _ => [verb, &["doc.json"]].concat(),
        };
        let run = folder.run(&[&args[..], &["--strict"]].concat());
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{kind}");
        assert!(
            !run.out.trim().is_empty(),
            "the example of {kind} shows nothing"
        );
    }
    let registry = folder.run(&["schema"]).out;
    assert_eq!(folder.run(&["schema", "registry"]).out, registry);
    for kind in ["state", "hydrate"] {
        assert_eq!(folder.run(&["schema", kind]).status, 0);
    }
    folder.run(&["schema", "polcy"]).refuses(2, &["policy"]);
}

#[test]
fn the_help_names_every_verb_and_the_environment() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).out;
    for word in [
        "\n  import ",
        "\n  completions ",
        "\n  man ",
        "\n  help ",
        "PROMPTDECK_STORE",
        "PROMPTDECK_API_KEY_",
    ] {
        assert!(help.contains(word), "{word:?} in {help}");
    }
    for verb in [&["snapshot"][..], &["doctor"]] {
        let help = folder.run(&[verb, &["--help"]].concat()).out;
        assert!(help.contains("PROMPTDECK_STORE"), "{help}");
    }
    let verb_help = folder.run(&["help", "hydrate"]);
    assert_eq!(verb_help.out, folder.run(&["hydrate", "--help"]).out);
    for verb in [&["chat", "render"][..], &["chat", "inspect"], &["request"]] {
        let help = folder.run(&[verb, &["--help"]].concat()).out;
        let words: Vec<&str> = help.split_whitespace().collect();
        for family in ["QWEN_3_X,", "GENERIC,", "GPT_OSS,", "MISTRAL,", "KIMI_K2."] {
            assert!(words.contains(&family), "{family} in {help}");
        }
        let help = words.join(" ");
        let mark = "without a built-in format, so that the one of GENERIC is used with a warning: ";
        let (_, without) = help.split_once(mark).expect("a mark");
        assert!(without.starts_with("LLAMA_4, GPT_OSS, "), "{without}");
        assert!(help.contains("--strict refuses a family without a format"));
        for flag in [
            "--bos",
            "--eos",
            "--without",
            "--thinking",
            "--no-alias-reasoning",
        ] {
            assert!(help.contains(flag), "{flag} in {help}");
        }
    }
}

#[test]
fn flags_that_would_be_ignored_are_refused() {
    let folder = Folder::new();
    folder.write("call.json", "{}");
    folder.write("c.json", r#"{"messages": []}"#);
    for args in [
        &["hydrate", "registry.json", "--registry", "registry.json"][..],
        &["hydrate", "--registry", "registry.json"],
        &["export", "registry.json", "--var", "greeting::name=x"],
        &["request", "call.json", "--bos", "<s>"],
        &[
            "request",
            "call.json",
            "--family",
            "chatml",
            "--without",
            "flatten_content",
        ],
        &["chat", "inspect", "--family", "chatml", "--thinking"],
        &["chat", "render", "c.json", "--without", "flatten_content"],
        &["chat", "render", "c.json", "--bos", "<s>"],
        &[
            "chat",
            "render",
            "c.json",
            "--family",
            "LLAMA_3_X",
            "--eos",
            "<s>",
        ],
        &[
            "chat",
            "render",
            "c.json",
            "--family",
            "LLAMA_3_X",
            "--thinking",
        ],
        &[
            "chat",
            "render",
            "c.json",
            "--family",
            "chatml",
            "--polyfill",
        ],
        &[
            "chat",
            "inspect",
            "--conversation",
            "c.json",
            "--bos",
            "<s>",
        ],
        &[
            "request",
            "call.json",
            "--target",
            "chat-template",
            "--family",
            "LLAMA_3_X",
            "--thinking",
        ],
        &["chat", "inspect", "--batch", "--bos", "<s>"],
        &[
            "chat",
            "inspect",
            "--family",
            "chatml",
            "--tokenizer",
            "estimate",
        ],
        &["request", "call.json", "--family", "chatml"],
        &[
            "request",
            "call.json",
            "--target",
            "gemini",
            "--template",
            "t.jinja",
        ],
        &["request", "call.json", "--tokenizer", "o200k_base"],
        &["run", "registry.json", "--thinking"],
        &["run", "registry.json", "--base-url", "http://localhost"],
        &["run", "registry.json", "--connection", "home"],
        &["run", "registry.json", "--max-requests", "3"],
        &["run", "registry.json", "--chat-template", "t.jinja"],
        &[
            "run",
            "registry.json",
            "--provider",
            "openai",
            "--chat-template",
            "t.jinja",
        ],
        &[
            "run",
            "registry.json",
            "--request",
            "call.json",
            "--select",
            "greeting=bye",
        ],
        &[
            "run",
            "registry.json",
            "--request",
            "call.json",
            "--state",
            "s.json",
        ],
    ] {
        folder.run(args).refuses(2, &["--"]);
    }
    let run = folder.run(&["export", "registry.json", "--var", "greeting::name=x"]);
    run.refuses(2, &["--var", "template_var_defaults"]);
}

#[test]
fn rendering_flags_mean_the_same_on_every_verb() {
    let folder = Folder::new();
    let template = "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}\
                    {{ eos_token }} {{ enable_thinking }} {{ thinking }}";
    folder.write("t.jinja", template);
    let messages = json!([{"role": "user", "content": "Hi"}]);
    folder.write("c.json", json!({"messages": messages}).to_string());
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    let flags = [
        "--bos",
        "<s>",
        "--eos",
        "</s>",
        "--thinking=false",
        "--without",
        "flatten_content",
    ];
    let run = |args: &[&str]| {
        let run = folder.run(&[args, &flags].concat());
        assert_eq!(run.status, 0, "{args:?}: {run:?}");
        run.out
    };
    let expected = "<s>Hi</s> False False";
    let render = [
        "chat",
        "render",
        "c.json",
        "--template",
        "t.jinja",
        "--polyfill",
    ];
    assert_eq!(run(&render), expected);
    let inspect = [
        "chat",
        "inspect",
        "t.jinja",
        "--conversation",
        "c.json",
        "--format",
        "json",
    ];
    let report: Value = serde_json::from_str(&run(&inspect)).expect("JSON");
    assert_eq!(report["conversation"]["output"], json!(expected));
    let request = [
        "request",
        "call.json",
        "--target",
        "chat-template",
        "--template",
        "t.jinja",
    ];
    assert_eq!(run(&request).trim_end(), expected);
}

#[test]
fn a_model_of_a_document_is_a_file_or_a_known_name() {
    let folder = Folder::new();
    folder.write("list.json", "[]");
    folder.write("t.jinja", "{{ messages }}");
    let line = |document: serde_json::Value| {
        let run = folder.run_with(&["chat", "inspect", "--batch"], &document.to_string());
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        (answer, run.err)
    };
    for (path, code, word) in [
        ("nope", "unknown_model", "no such file"),
        ("-", "unknown_model", "no such file"),
        ("list.json", "no_model", "not a model"),
        (".", "no_model", "not a model"),
    ] {
        let messages = json!([{"role": "user", "content": "Hi"}]);
        folder.write(
            "call.json",
            json!({"model_path": path, "messages": messages}).to_string(),
        );
        folder
            .run(&["chat", "inspect", "--conversation", "call.json"])
            .refuses(2, &[path, word]);
        let against = json!({"template": "x", "against": {"model_path": path}});
        for document in [json!({ "model_path": path }), against] {
            let (answer, _) = line(document);
            assert_eq!(answer["error"]["code"], code, "{answer}");
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(message.contains(path) && message.contains(word), "{answer}");
        }
    }
    for (path, family) in [
        ("models/qwen3", "QWEN_3_X"),
        ("t.jinja", "GENERIC"),
        ("builtin", "GENERIC"),
    ] {
        let template = (path == "builtin").then_some("x");
        let (answer, err) = line(json!({"model_path": path, "template": template}));
        assert_eq!(answer["family"], family, "{answer}");
        let warning = "model_path \"builtin\" is neither a file nor the name of a known model";
        assert_eq!(err.contains(warning), path == "builtin", "{err}");
    }
}

#[test]
fn a_model_must_exist_and_a_name_is_given_as_one() {
    let folder = Folder::new();
    folder.write("list.json", "[]");
    folder.write("list.txt", "[]");
    folder.write("empty.jinja", " \n");
    std::fs::create_dir(folder.path("qwen3")).expect("a folder");
    for (path, word) in [
        ("gpt-oss-20b", "--name"),
        ("models/none", "--name"),
        ("list.json", "not a model"),
        ("list.txt", "not a chat template"),
        ("registry.json", "not a model"),
        ("empty.jinja", "empty"),
        ("qwen3", "not a model"),
    ] {
        folder
            .run(&["chat", "inspect", path])
            .refuses(2, &[path, word]);
        let against = ["chat", "inspect", "--family", "chatml", "--against", path];
        folder.run(&against).refuses(2, &[path, word]);
    }
    let family = |args: &[&str]| {
        let run = folder.run(&[&["chat", "inspect", "--format", "json"], args].concat());
        let report: Value = serde_json::from_str(&run.out).unwrap_or_default();
        report["family"].as_str().map(str::to_owned)
    };
    for (args, expected) in [
        (["--name", "gpt-oss-20b"], "GPT_OSS"),
        (["--family", "gpt-oss-20b"], "GPT_OSS"),
        (["--family", "GPT_OSS"], "GPT_OSS"),
        (["--name", "mistral"], "MISTRAL"),
        (["--family", "mistral"], "MISTRAL"),
        (["--name", "Qwen3-8B"], "QWEN_3_X"),
        (["--family", "generic"], "GENERIC"),
    ] {
        assert_eq!(family(&args).as_deref(), Some(expected), "{args:?}");
    }
    for args in [["--name", "bert"], ["--family", "bert"]] {
        let run = folder.run(&[&["chat", "inspect"], &args[..]].concat());
        run.refuses(2, &["\"bert\""]);
    }
    folder
        .run(&["chat", "inspect", "--family", "MISTRL"])
        .refuses(2, &["did you mean \"MISTRAL\"?", "QWEN_3_X"]);
    folder.write("c.json", r#"{"messages": []}"#);
    folder
        .run(&["chat", "render", "c.json", "--family", "GRANIT"])
        .refuses(2, &["did you mean \"GRANITE\"?", "QWEN_3_X"]);
    folder.write("call.json", "{}");
    folder
        .run(&[
            "request",
            "call.json",
            "--target",
            "chat-template",
            "--family",
            "GRANIT",
        ])
        .refuses(2, &["did you mean \"GRANITE\"?", "QWEN_3_X"]);
}

#[test]
fn a_tip_names_what_the_command_has() {
    let folder = Folder::new();
    folder.write("--odd.json", "{}");
    let tip = |args: &[&str]| -> String {
        let run = folder.run(args);
        assert_eq!(run.status, 2, "{run:?}");
        let tips = run
            .err
            .lines()
            .filter_map(|line| line.trim().strip_prefix("tip: "));
        tips.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        tip(&["chat", "render", "--conversation", "x.json"]),
        "'promptdeck chat inspect' has '--conversation'"
    );
    assert_eq!(
        tip(&["export", "registry.json", "--format", "prompty"]),
        "'prompty' is a value of '--to'"
    );
    assert_eq!(
        tip(&["export", "--format=prompty"]),
        "'prompty' is a value of '--to'"
    );
    assert_eq!(tip(&["export", "registry.json", "--format", "x"]), "");
    assert_eq!(
        tip(&["hydrate", "--vars", "x"]),
        "a similar argument exists: '--var'"
    );
    assert_eq!(
        tip(&["hydrate", "--explian"]),
        "a similar argument exists: '--explain'"
    );
    assert_eq!(tip(&["hydrate", "--conversation", "x"]), "");
    assert_eq!(tip(&["check", "--seed", "3"]), "");
    assert_eq!(
        tip(&["fmt", "--odd.json"]),
        "to pass '--odd.json' as a value, use '-- --odd.json'"
    );
    assert_eq!(tip(&["hydrat"]), "a similar subcommand exists: 'hydrate'");
    assert_eq!(tip(&["render"]), "");
}
