//! Messages that no format can render, and the default family: errors, and the note if no family is
//! named.

use serde_json::{Value, json};

use crate::program::Folder;

fn saying(role: &str, content: Value) -> String {
    json!({"family": "QWEN_3_X", "messages": [{"role": role, "content": content}]}).to_string()
}

#[test]
fn an_unknown_role_is_refused_with_the_nearest() {
    let folder = Folder::new();
    let near = "did you mean \"user\"?";
    let pointer = "/messages/0/role: there is no role \"usr\"";
    folder.write("c.json", saying("usr", json!("Hi")));
    folder
        .run(&["chat", "render", "c.json"])
        .refuses(2, &["c.json: ", pointer, near]);
    let inspect = ["chat", "inspect", "--conversation", "c.json"];
    folder.run(&inspect).refuses(2, &["c.json", pointer, near]);
    folder.write(
        "h.json",
        json!({"messages": [{"role": "usr", "content": "Hi"}]}).to_string(),
    );
    folder
        .run(&["history", "h.json"])
        .refuses(2, &["h.json: message 1: there is no role \"usr\"", near]);
    folder.write(
        "call.json",
        json!({"history": [{"role": "usr", "content": "Hi"}]}).to_string(),
    );
    folder
        .run(&["request", "call.json"])
        .refuses(2, &["there is no role \"usr\"", near]);
    // A template may define roles of its own.
    folder.write(
        "t.jinja",
        "{% for m in messages %}{% if m.role == 'usr' %}{{ m.content }}{% endif %}{% endfor %}",
    );
    let run = folder.run(&["chat", "render", "c.json", "--template", "t.jinja"]);
    assert_eq!((run.out.as_str(), run.status), ("Hi", 0), "{}", run.err);
}

#[test]
fn a_content_that_is_no_text_is_refused() {
    let folder = Folder::new();
    for (content, found) in [(json!(7), "a number"), (json!(true), "true or false")] {
        folder.write("c.json", saying("user", content));
        let expected = format!(
            "c.json: /messages/0/content: expected a text, a list of parts or null, found {found}"
        );
        folder
            .run(&["chat", "render", "c.json"])
            .refuses(2, &[&expected]);
    }
    for content in [json!("Hi"), json!([{"type": "text", "text": "Hi"}])] {
        folder.write("c.json", saying("user", content));
        folder
            .run(&["chat", "render", "c.json"])
            .gives("<|im_start|>user\nHi<|im_end|>\n");
    }
}

#[test]
fn the_family_that_is_taken_when_none_is_named_is_said() {
    let folder = Folder::new();
    folder.write(
        "c.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    let note = |args: &[&str]| {
        let run = folder.run(args);
        assert_eq!(run.status, 0, "{run:?}");
        run.err
    };
    let expected = "note: neither a template nor a family is named: the format of GENERIC is used";
    let render = ["chat", "render", "c.json"];
    assert!(note(&render).starts_with(expected), "{}", note(&render));
    assert_eq!(note(&[&render[..], &["--family", "chatml"]].concat()), "");
    let inspect = ["chat", "inspect", "--conversation", "c.json"];
    assert!(note(&inspect).starts_with(expected), "{}", note(&inspect));
    assert_eq!(note(&[&inspect[..], &["--family", "chatml"]].concat()), "");
}

#[test]
fn a_generation_that_a_family_does_not_have_is_refused() {
    let folder = Folder::new();
    folder.write(
        "c.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    for name in ["LLAMA_9", "llama-9", "QWEN_9_X", "GEMMA_7"] {
        for verb in [
            &["chat", "render", "c.json"][..],
            &["chat", "inspect"],
            &["request", "call.json", "--target", "chat-template"],
        ] {
            folder.run(&[verb, &["--family", name]].concat()).refuses(
                2,
                &[&format!(
                    "there is no family {name:?}; known are QWEN_2_X, "
                )],
            );
        }
    }
}

#[test]
fn a_conversation_is_rendered_and_requested_with_the_same_thinking() {
    let folder = Folder::new();
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    let question = json!({"messages": [{"role": "user", "content": "Hi"}],
                          "add_generation_prompt": true});
    folder.write("c.json", question.to_string());
    folder.write(
        "t.jinja",
        "{{ enable_thinking is defined }} {{ enable_thinking }}",
    );
    for format in [["--family", "QWEN_3_X"], ["--template", "t.jinja"]] {
        for thinking in [None, Some("--thinking"), Some("--thinking=false")] {
            let text = |verb: &[&str]| {
                let run = folder.run(&[verb, &format, thinking.as_slice()].concat());
                assert_eq!(run.status, 0, "{run:?}");
                run.out.trim_end().to_owned()
            };
            assert_eq!(
                text(&["chat", "render", "c.json"]),
                text(&["request", "call.json", "--target", "chat-template"]),
                "{format:?} {thinking:?}"
            );
        }
    }
}

#[test]
fn an_error_line_goes_with_exit_status_1() {
    let folder = Folder::new();
    folder.write(
        "session.json",
        r#"{"turns": [{"type": "user_task", "instruction": "go"}],
        "templates": {"static.j2": "{{ 1 +", "dynamic.j2": "{{"}}"#,
    );
    folder.write(
        "call.json",
        r#"{"message": {"text": "Hi"},
        "layers": {"templates": {"static.j2": "{{ 1 +"}}}"#,
    );
    folder.write(
        "a.json",
        r#"{"now": "2026-01-15T10:30:00Z", "template": "{{ 1 +"}"#,
    );
    folder.write(
        "h.json",
        r#"{"messages": [{"role": "tool", "tool_call_id": "1"}]}"#,
    );
    let runs = [
        &["layers", "session.json"][..],
        &["request", "call.json", "--target", "gemini"],
        &["request", "call.json"],
        &["arguments", "a.json"],
        &["history", "h.json"],
        &["hydrate", "registry.json"],
    ];
    let mut errors = 0;
    for args in runs {
        let run = folder.run(args);
        let is_error = run.err.lines().any(|line| line.starts_with("error: "));
        assert!(!is_error || run.status == 1, "{args:?}: {run:?}");
        errors += usize::from(is_error);
        let json = folder.run(&[args, &["--format", "json"]].concat());
        assert_eq!(json.status, run.status, "{args:?}");
        let answer: Value = serde_json::from_str(&json.out).expect("JSON");
        let diagnostics = answer["diagnostics"].as_array().into_iter().flatten();
        let mut severities = diagnostics.map(|diagnostic| &diagnostic["severity"]);
        assert!(
            !severities.any(|severity| severity == "error") || json.status == 1,
            "{args:?}: {json:?}"
        );
    }
    assert!(errors >= 2, "{errors}");
    folder.write("turns.json", r#"{"turns": [{"type": "user_tsk"}]}"#);
    folder.run(&["layers", "turns.json"]).refuses(
        2,
        &[
            "turns.json: /turns/0/type: there is no turn of type \"user_tsk\"",
            "did you mean \"user_task\"?",
        ],
    );
}

#[test]
fn a_family_without_a_format_is_said_wherever_it_is_named_and_strict_refuses_it() {
    let folder = Folder::new();
    let messages = json!([{"role": "user", "content": "Hi"}]);
    folder.write("c.json", json!({"messages": messages}).to_string());
    let document = json!({"messages": messages, "family": "mistral"}).to_string();
    folder.write("named.json", &document);
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    folder.write("t.jinja", "{{ messages[0].content }}");
    let expected = "MISTRAL has no built-in format: the generic one is used; a chat template gives \
                    the exact text";
    for args in [
        &["chat", "render", "c.json", "--family", "mistral"][..],
        &["chat", "render", "named.json"],
        &["chat", "inspect", "--family", "mistral"],
        &["chat", "inspect", "--name", "Mistral-7B"],
        &["chat", "inspect", "--conversation", "named.json"],
        &[
            "request",
            "call.json",
            "--target",
            "chat-template",
            "--family",
            "mistral",
        ],
    ] {
        let run = folder.run(args);
        assert_eq!(
            (run.status, run.err.as_str()),
            (0, &*format!("warning: {expected}\n"))
        );
        folder
            .run(&[args, &["--strict"]].concat())
            .refuses(2, &[expected]);
    }
    let batch = ["chat", "render", "--batch"];
    let run = folder.run_with(&batch, &document);
    assert_eq!(run.err, format!("warning: line 1: {expected}\n"));
    let run = folder.run_with(&[&batch[..], &["--strict"]].concat(), &document);
    assert!(
        run.status == 1 && run.out.contains("no_builtin_format"),
        "{run:?}"
    );
    let template = folder.run(&["chat", "render", "named.json", "--template", "t.jinja"]);
    template.gives("Hi");
    folder
        .run(&["chat", "render", "c.json", "--family", "MISTRL"])
        .refuses(
            2,
            &["with a warning: LLAMA_4, ", "; did you mean \"MISTRAL\"?"],
        );
}

#[test]
fn the_flags_of_a_rendering_apply_to_each_line_of_a_batch() {
    let folder = Folder::new();
    let line = |text: &str| json!({"messages": [{"role": "user", "content": text}]}).to_string();
    let lines = format!("{}\n{}\n", line("one"), line("two"));
    folder.write("t.jinja", "{{ bos_token }}{{ messages[0].content }}");
    let outputs = |args: &[&str]| -> Vec<String> {
        let run = folder.run_with(&[&["chat", "render", "--batch"], args].concat(), &lines);
        assert_eq!(run.status, 0, "{run:?}");
        let answers = run
            .out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        answers
            .map(|answer| answer["output"].as_str().expect("a text").to_owned())
            .collect()
    };
    let template = ["--template", "t.jinja", "--bos", "<s>"];
    assert_eq!(outputs(&template), ["<s>one", "<s>two"]);
    let single = |text: &str| {
        folder.write("c.json", line(text));
        folder
            .run(&["chat", "render", "c.json", "--family", "QWEN_2_X"])
            .out
    };
    let expected = [single("one"), single("two")];
    assert_eq!(outputs(&["--family", "QWEN_2_X"]), expected);
    assert_eq!(outputs(&["--family", "QWEN_2_X", "--polyfill"]), expected);

    folder.write("broken.jinja", "{% if %}");
    for (args, words) in [
        (
            ["--template", "broken.jinja"],
            "broken.jinja: line 1, column ",
        ),
        (["--family", "bert"], "there is no family \"bert\""),
    ] {
        let run = folder.run_with(
            &[&["chat", "render", "--batch"], &args[..]].concat(),
            &lines,
        );
        run.refuses(2, &[words]);
    }
}
