//! Compares the results of probing with the truth: jinja2 answers the same questions with other
//! conversations, for every template.

use promptdeck_chat::{Capabilities, probe};
use promptdeck_jinja::Template;
use promptdeck_tests::{chat_sources, oracle};
use serde_json::{Value, json};

const IDS: [&str; 2] = ["truthid01", "truthid02"];

/// Whether a template shows plain text content, and whether it shows text parts.
#[derive(Clone, Copy)]
struct Form {
    text: bool,
    parts: bool,
}

impl Form {
    fn needs_parts(self) -> bool {
        self.parts && !self.text
    }

    /// A message in the form that the template shows.
    fn message(self, role: &str, content: &str) -> Value {
        message(role, content, self.needs_parts())
    }
}

fn message(role: &str, content: &str, in_parts: bool) -> Value {
    match in_parts {
        true => json!({"role": role, "content": [{"type": "text", "text": content}]}),
        false => json!({"role": role, "content": content}),
    }
}

fn tool() -> Value {
    json!([{"type": "function", "function": {
        "name": "truth_tool", "description": "It tells.",
        "parameters": {"type": "object", "properties": {
            "what": {"type": "string", "description": "Which."}}, "required": ["what"]},
    }}])
}

/// A tool call, optionally with name and parsed arguments at the top level as well.
fn call(index: usize, name: &str, arguments: &Value, on_top: bool) -> Value {
    let mut call = json!({"id": IDS[index], "type": "function",
        "function": {"name": name, "arguments": arguments}});
    if on_top {
        call["name"] = json!(name);
        let parsed = arguments
            .as_str()
            .and_then(|text| serde_json::from_str(text).ok());
        call["arguments"] = parsed.unwrap_or_else(|| arguments.clone());
    }
    call
}

/// A conversation with these calls, each with a response.
fn calling(form: Form, calls: &[Value]) -> Value {
    let mut asked = form.message("assistant", "");
    asked["tool_calls"] = json!(calls);
    let mut messages = vec![form.message("user", "Ask."), asked];
    for call in calls {
        let mut answer = form.message("tool", "TRUTH-ANSWER");
        answer["tool_call_id"] = call["id"].clone();
        answer["name"] = call["function"]["name"].clone();
        messages.push(answer);
    }
    messages.push(form.message("assistant", "So it is."));
    Value::Array(messages)
}

fn question(source: &str, messages: &Value, more: &Value) -> Value {
    let mut question = json!({
        "template": source, "messages": messages, "bos_token": "<truth-bos>",
        "eos_token": "<truth-eos>",
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        question[name] = value.clone();
    }
    question
}

/// The forms in which templates show content. They are determined first, since the other questions
/// use them.
fn forms(templates: &[(String, String)]) -> Vec<Form> {
    let asked: Vec<Value> = templates
        .iter()
        .flat_map(|(_, source)| {
            let ask = |in_parts| {
                let messages = json!([message("user", "TRUTH-USER", in_parts)]);
                question(source, &messages, &json!({}))
            };
            [ask(false), ask(true)]
        })
        .collect();
    let answers = oracle::ask("chat_oracle.py", &asked);
    let prints_needle = |answer: &Value| {
        answer["output"].as_str().is_some_and(|text| {
            text.contains("TRUTH-USER") && !text.contains("'text'") && !text.contains("\"text\"")
        })
    };
    let pairs = answers.chunks(2);
    pairs
        .map(|pair| Form {
            text: prints_needle(&pair[0]),
            parts: prints_needle(&pair[1]),
        })
        .collect()
}

/// The questions for one template, in the order in which `found` reads the answers.
fn questions(source: &str, form: Form) -> Vec<Value> {
    let ask = |messages: Value, more: Value| question(source, &messages, &more);
    let plain = |messages: Value| ask(messages, json!({}));
    let with_tools = |messages: Value| ask(messages, json!({"tools": tool()}));
    let user = form.message("user", "TRUTH-USER");
    let thinking = |on: bool| {
        let extra = json!({"enable_thinking": on, "thinking": on});
        ask(
            json!([user]),
            json!({"add_generation_prompt": true, "extra": extra}),
        )
    };
    let object = json!({"what": "TRUTH-ARGUMENT"});
    let text = Value::String(object.to_string());
    let one = |arguments: &Value, on_top| {
        let call = call(0, "truth_called", arguments, on_top);
        with_tools(calling(form, &[call]))
    };
    let two = |arguments: &Value| {
        let calls = [
            call(0, "truth_first", arguments, false),
            call(1, "truth_second", arguments, false),
        ];
        with_tools(calling(form, &calls))
    };
    let mut reasoned = form.message("assistant", "No.");
    reasoned["reasoning_content"] = json!("TRUTH-REASON");
    vec![
        plain(json!([user])),
        plain(json!([form.message("system", "TRUTH-SYSTEM"), user])),
        plain(json!([form.message("developer", "TRUTH-SYSTEM"), user])),
        plain(json!([user, user])),
        with_tools(json!([user])),
        one(&object, false),
        one(&text, false),
        one(&text, true),
        plain(json!([user, {"role": "assistant", "content": null}, user])),
        thinking(true),
        thinking(false),
        plain(json!([
            user,
            reasoned,
            user,
            form.message("assistant", "End.")
        ])),
        plain(json!([
            user,
            form.message("assistant", "<think>\nTRUTH-REASON\n</think>\n\nNo."),
            user
        ])),
        ask(json!([user]), json!({"now": "2031-12-24T18:30:59"})),
        ask(json!([user]), json!({"add_generation_prompt": true})),
        two(&object),
        two(&text),
        plain(json!([
            form.message("system", "TRUTH-SYSTEM"),
            user,
            form.message("assistant", "So it is.")
        ])),
    ]
}

/// Interprets the answers: name of a capability, and whether the template has it.
fn found(answers: &[Value], form: Form) -> Vec<(&'static str, bool)> {
    let text = |index: usize| answers[index]["output"].as_str();
    let shows = |index: usize, word: &str| text(index).is_some_and(|text| text.contains(word));
    let called = |index: usize| shows(index, "truth_called") && shows(index, "TRUTH-ARGUMENT");
    // A text encoded as JSON twice has escaped quotes.
    let as_written = |index: usize| called(index) && !shows(index, "\\\"what");
    let (response, both) = match called(5) || !called(6) {
        true => (5, 15),
        false => (6, 16),
    };
    vec![
        ("supports_system_role", shows(1, "TRUTH-SYSTEM")),
        (
            "drops_system_text",
            shows(1, "TRUTH-SYSTEM") && shows(17, "So it is.") && !shows(17, "TRUTH-SYSTEM"),
        ),
        ("supports_developer_role", shows(2, "TRUTH-SYSTEM")),
        (
            "requires_alternation",
            text(0).is_some() && text(3).is_none(),
        ),
        ("supports_tools", shows(4, "truth_tool")),
        ("supports_tool_calls", called(5) || called(6) || called(7)),
        ("supports_tool_responses", shows(response, "TRUTH-ANSWER")),
        ("supports_tool_call_id", shows(response, IDS[0])),
        (
            "supports_parallel_tool_calls",
            shows(both, "truth_first") && shows(both, "truth_second"),
        ),
        ("requires_object_arguments", as_written(5) && !as_written(7)),
        ("requires_string_arguments", called(6) && !called(5)),
        ("supports_typed_content", form.parts),
        ("requires_typed_content", form.needs_parts()),
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

fn as_json(capabilities: &Capabilities) -> Value {
    serde_json::to_value(capabilities).expect("capabilities are JSON")
}

#[test]
fn probing_finds_what_jinja_shows() {
    let templates: Vec<(String, String)> = chat_sources::fetched()
        .into_iter()
        .chain(chat_sources::repository_templates())
        .collect();
    let forms = forms(&templates);
    let all: Vec<Value> = templates
        .iter()
        .zip(&forms)
        .flat_map(|((_, source), form)| questions(source, *form))
        .collect();
    let answers = oracle::ask("chat_oracle.py", &all);
    let each = all.len() / templates.len();
    let (mut checked, mut wrong) = (0, Vec::new());
    let asked = templates.iter().zip(&forms).zip(answers.chunks(each));
    for (((name, source), form), answers) in asked {
        let template = Template::compile(source).expect("a template that compiles");
        let (capabilities, proofs) = probe::probe(&template);
        let ours = as_json(&capabilities);
        for (capability, holds) in found(answers, *form) {
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
        let base = promptdeck_chat::Request {
            bos_token: Some("<truth-bos>".into()),
            eos_token: Some("<truth-eos>".into()),
            now: probe::moment(),
            ..promptdeck_chat::Request::default()
        };
        checked += 1;
        let ours = probe::generation_prompt(&template, &capabilities, &base);
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
