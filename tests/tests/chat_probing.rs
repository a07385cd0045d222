//! What probing finds of a template against the truth: the same questions asked of jinja2 with
//! conversations of other words, over every template there is.

use promptdeck_core::chat::jinja::Template;
use promptdeck_core::chat::{Capabilities, probe};
use promptdeck_tests::{chat_sources, oracle};
use serde_json::{Value, json};

const ID: &str = "truthid01";

fn says(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

fn tool() -> Value {
    json!([{"type": "function", "function": {
        "name": "truth_tool", "description": "It tells.",
        "parameters": {"type": "object", "properties": {
            "what": {"type": "string", "description": "Which."}}, "required": ["what"]},
    }}])
}

fn calling(arguments: &Value) -> Value {
    json!([
        says("user", "Ask."),
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": ID, "type": "function",
             "function": {"name": "truth_called", "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": ID, "name": "truth_called", "content": "TRUTH-ANSWER"},
        says("assistant", "So it is."),
    ])
}

/// The questions for one template, in the order `found` reads their answers.
fn questions(source: &str) -> Vec<Value> {
    let ask = |messages: Value, more: Value| {
        let mut question = json!({
            "template": source, "messages": messages, "bos_token": "<truth-bos>",
            "eos_token": "<truth-eos>",
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            question[name] = value.clone();
        }
        question
    };
    let plain = |messages: Value| ask(messages, json!({}));
    let with_tools = |messages: Value| ask(messages, json!({"tools": tool()}));
    let user = says("user", "TRUTH-USER");
    let thinking = |on: bool| {
        let extra = json!({"enable_thinking": on, "thinking": on});
        ask(
            json!([user]),
            json!({"add_generation_prompt": true, "extra": extra}),
        )
    };
    vec![
        plain(json!([user])),
        plain(json!([says("system", "TRUTH-SYSTEM"), user])),
        plain(json!([says("developer", "TRUTH-SYSTEM"), user])),
        plain(json!([user, user])),
        with_tools(json!([user])),
        with_tools(calling(&json!({"what": "TRUTH-ARGUMENT"}))),
        with_tools(calling(&json!("{\"what\": \"TRUTH-ARGUMENT\"}"))),
        plain(json!([{"role": "user", "content": [{"type": "text", "text": "TRUTH-USER"}]}])),
        plain(json!([user, {"role": "assistant", "content": null}, user])),
        thinking(true),
        thinking(false),
        plain(json!([user, {"role": "assistant", "content": "No.",
                            "reasoning_content": "TRUTH-REASON"}, user, says("assistant", "End.")])),
        plain(json!([
            user,
            says("assistant", "<think>\nTRUTH-REASON\n</think>\n\nNo."),
            user
        ])),
        ask(json!([user]), json!({"now": "2031-12-24T18:30:59"})),
        ask(json!([user]), json!({"add_generation_prompt": true})),
    ]
}

/// The answers read: the name of a capability, and whether it holds.
fn found(answers: &[Value]) -> Vec<(&'static str, bool)> {
    let text = |index: usize| answers[index]["output"].as_str();
    let shows = |index: usize, word: &str| text(index).is_some_and(|text| text.contains(word));
    let called = |index: usize| shows(index, "truth_called") && shows(index, "TRUTH-ARGUMENT");
    let response = match called(5) || !called(6) {
        true => 5,
        false => 6,
    };
    let list_shown = shows(7, "TRUTH-USER") && !shows(7, "'text'") && !shows(7, "\"text\"");
    vec![
        ("supports_system_role", shows(1, "TRUTH-SYSTEM")),
        ("supports_developer_role", shows(2, "TRUTH-SYSTEM")),
        (
            "requires_alternation",
            text(0).is_some() && text(3).is_none(),
        ),
        ("supports_tools", shows(4, "truth_tool")),
        ("supports_tool_calls", called(5) || called(6)),
        ("supports_tool_responses", shows(response, "TRUTH-ANSWER")),
        ("supports_tool_call_id", shows(response, ID)),
        ("requires_string_arguments", called(6) && !called(5)),
        ("supports_typed_content", list_shown),
        (
            "supports_null_content",
            text(8).is_some() && !shows(8, "None"),
        ),
        (
            "supports_thinking",
            text(9).is_some() && text(9) != text(10),
        ),
        ("keeps_reasoning", shows(11, "TRUTH-REASON")),
        (
            "strips_inline_think",
            shows(12, "No.") && !shows(12, "TRUTH-REASON"),
        ),
        ("writes_bos", shows(0, "<truth-bos>")),
        ("uses_clock", text(0).is_some() && text(0) != text(13)),
        (
            "writes_generation_prompt",
            text(14).is_some() && text(0) != text(14),
        ),
    ]
}

fn told(capabilities: &Capabilities) -> Value {
    serde_json::to_value(capabilities).expect("capabilities are JSON")
}

#[test]
fn probing_finds_what_jinja_shows() {
    let templates: Vec<(String, String)> = chat_sources::fetched()
        .into_iter()
        .chain(chat_sources::own())
        .collect();
    let all: Vec<Value> = templates
        .iter()
        .flat_map(|(_, source)| questions(source))
        .collect();
    let answers = oracle::ask("chat_oracle.py", &all);
    let each = all.len() / templates.len();
    let (mut checked, mut wrong) = (0, Vec::new());
    for ((name, source), answers) in templates.iter().zip(answers.chunks(each)) {
        let template = Template::compile(source).expect("a template that compiles");
        let (capabilities, proofs) = probe::probe(&template);
        let ours = told(&capabilities);
        for (capability, holds) in found(answers) {
            checked += 1;
            if ours[capability] != json!(holds) {
                let proof = proofs.iter().find(|proof| proof.capability == capability);
                wrong.push(format!("{name}: {capability} is {holds}; {proof:?}"));
            }
        }
        let prompt = match (
            answers[0]["output"].as_str(),
            answers[14]["output"].as_str(),
        ) {
            (Some(without), Some(with)) => with.strip_prefix(without).unwrap_or_default(),
            _ => "",
        };
        let base = promptdeck_core::chat::Request {
            bos_token: Some("<truth-bos>".into()),
            eos_token: Some("<truth-eos>".into()),
            now: probe::moment(),
            ..promptdeck_core::chat::Request::default()
        };
        checked += 1;
        let ours = probe::generation_prompt(&template, &base);
        if ours != prompt {
            wrong.push(format!(
                "{name}: the generation prompt is {prompt:?}, not {ours:?}"
            ));
        }
    }
    println!(
        "{} templates: {} of {checked} findings as jinja2 has them",
        templates.len(),
        checked - wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
