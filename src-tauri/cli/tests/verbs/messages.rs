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
        .refuses(2, &["h.json: message 0: there is no role \"usr\"", near]);
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
        let mut severities = diagnostics.map(|own| &own["severity"]);
        assert!(
            !severities.any(|own| own == "error") || json.status == 1,
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
