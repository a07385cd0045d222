//! `run --request`: what is no body for the provider is not sent.

use serde_json::json;

use crate::program::{Folder, REGISTRY};

#[test]
fn what_is_no_body_for_the_provider_is_refused() {
    let folder = Folder::new();
    folder.write("registry.json", REGISTRY);
    let messages = json!({"messages": [{"role": "user", "content": "Hi"}]});
    let contents = json!({"contents": [{"parts": [{"text": "Hi"}]}]});
    let call = json!({"registry": "registry.json", "message": {"text": "Hi"}});
    let openai = "`promptdeck request CALL --target openai` builds one";
    let no_messages = "body.json: not a body for openai: it has no messages";
    let cases = [
        ("openai", json!({}), no_messages, openai),
        ("openai", json!({"messages": []}), no_messages, openai),
        (
            "openai",
            call,
            "no messages, but is a call document;",
            openai,
        ),
        (
            "openai",
            serde_json::from_str(REGISTRY).expect("JSON"),
            "no messages, but is a registry;",
            openai,
        ),
        (
            "ollama",
            contents.clone(),
            "not a body for ollama: it has no messages, but is a body for gemini;",
            openai,
        ),
        (
            "gemini",
            messages.clone(),
            "it has no contents, but is a body for openai or ollama;",
            "--target gemini",
        ),
        (
            "completions",
            messages,
            "no prompt, but",
            "--target chat-template",
        ),
        (
            "mock",
            json!({}),
            "it has no messages or contents or prompt;",
            openai,
        ),
    ];
    for (provider, body, words, way_out) in cases {
        folder.write("body.json", body.to_string());
        let mut args = vec!["run", "registry.json", "--request", "body.json"];
        args.extend(["--provider", provider]);
        if provider != "mock" {
            args.extend(["--base-url", "http://127.0.0.1:9"]);
        }
        let run = folder.run(&args);
        run.refuses(2, &[words, way_out]);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
}

#[test]
fn a_call_without_any_message_is_warned_about() {
    let folder = Folder::new();
    folder.write("call.json", "{}");
    let run = folder.run(&["request", "call.json"]);
    let words = "warning: call.json: the body has no message";
    assert!(run.err.contains(words) && run.status == 0, "{run:?}");
    let strict = folder.run(&["request", "call.json", "--strict"]);
    assert_eq!(strict.status, 2);
}

#[test]
fn a_body_with_an_error_is_not_ok() {
    let folder = Folder::new();
    let tool_call =
        json!({"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let history = json!([
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "tool_calls": [tool_call]},
        {"role": "tool", "tool_call_id": "1", "content": "{}"},
    ]);
    // Gemini 3 refuses a call in progress without its thought signature.
    let call = json!({"history": history, "layers": {"model": "gemini-3-pro-preview"}});
    folder.write("call.json", call.to_string());
    let args = ["request", "call.json", "--format", "json", "--target"];
    for (target, status) in [("gemini", 1), ("openai", 0)] {
        let run = folder.run(&[&args[..], &[target]].concat());
        let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!((&answer["ok"], run.status), (&json!(status == 0), status));
    }
}
