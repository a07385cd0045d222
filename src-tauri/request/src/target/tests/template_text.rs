//! Calls as the text of a chat template: one of the plainest kind, a model's own, and a builtin format.

use promptdeck_core::registry::DataKey;
use promptdeck_jinja::Template;
use serde_json::{Value, json};

use super::{Plain, call, joined, model, with};
use crate::{
    cache_view::compare,
    target::{FamilyFormat, TargetInput, chat_template},
};

#[test]
fn a_chat_template_gets_the_same_messages() {
    let request = with(&call(), "Ada", |input| chat_template(input, &Plain)).expect("a request");
    let text = request.body["prompt"].as_str().expect("text");
    assert!(
        text.starts_with("<system>You forecast. Ada</><user>Weather?</>"),
        "{text}"
    );
    assert_eq!(joined(&request), text);
    let described: Vec<String> = request
        .spans
        .iter()
        .map(|span| span.origin.describe())
        .collect();
    assert_eq!(
        described[..4],
        [
            "the chat template",
            "section base_context, item ada, field context",
            "section personas, item ada, field context",
            "the chat template"
        ]
    );

    let mut document = call();
    document["tools"] = json!([{"name": "a"}, {"name": "b"}]);
    let refused =
        with(&document, "Ada", |input| chat_template(input, &Plain)).expect_err("refused");
    assert_eq!(
        (refused.code(), refused.to_string()),
        (
            "too_many_tools",
            "the chat template raised an error: one at most".to_owned()
        )
    );
}

#[test]
fn a_models_own_template_gets_tools_tokens_and_the_moment() {
    let template = Template::compile("{{ bos_token }}{{ strftime_now('%d %b %Y %H:%M') }}{% for t in tools or [] %}[{{ t.function.name }}]{% endfor %}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments }}{% endfor %}{% endfor %}{% if add_generation_prompt %}>{% endif %}").expect("a template");
    let request = with(&call(), "Ada", |input| {
        chat_template(input, &model(&template))
    })
    .expect("a request");
    assert_eq!(
        request.body["prompt"],
        json!(
            "<s>15 Jan 2026 12:00[weather]<system>You forecast. Ada<user>Weather?\
             <assistant>weather{\"city\": \"Rome\"}<tool>{\"sky\": \"blue\"}<assistant>Blue\
             <user>And tomorrow?>"
        )
    );

    let refusing = Template::compile("{{ raise_exception('no tools here') }}").expect("a template");
    let refused = with(&call(), "Ada", |input| {
        chat_template(input, &model(&refusing))
    })
    .expect_err("refused");
    assert!(refused.to_string().contains("no tools here"), "{refused}");
}

#[test]
fn what_a_models_template_cannot_show_is_said_in_words_it_can() {
    let template = Template::compile(
        "{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no tools') }}\
         {% endif %}<{{ m.role }}>{{ m.content }}</>{% endfor %}",
    )
    .expect("a template");
    let mut document = call();
    document["history"][3]["content"] =
        json!([{"type": "text", "text": "Blue"}, {"type": "text", "text": "and dry."}]);
    // A word of this message is a word of the description as well.
    document["history"][0]["content"] = json!("Looks up");
    let build = |document: &Value| {
        with(document, "Ada", |input| {
            chat_template(input, &model(&template))
        })
        .expect("a request")
    };
    let request = build(&document);
    let text = request.body["prompt"].as_str().expect("text");
    assert_eq!(joined(&request), text);
    let steps: Vec<&str> = request
        .diagnostics
        .iter()
        .filter(|own| own.code == "chat_polyfill")
        .filter_map(|own| own.data.text(DataKey::Step))
        .collect();
    assert_eq!(
        steps,
        [
            "flatten_content",
            "tools_into_system",
            "calls_as_content",
            "answers_as_user"
        ]
    );
    let of = |what: &str| -> Vec<&str> {
        let spans = request.spans.iter();
        spans
            .filter(|span| span.origin.describe() == what)
            .map(|span| span.text.as_str())
            .collect()
    };
    let tools = of("the tools");
    assert!(
        tools.len() == 1 && tools[0].contains(r#"{"name": "weather", "description": "Looks up""#),
        "{tools:?}"
    );
    assert_eq!(of("message 1 (user)"), ["Looks up"]);
    assert_eq!(of("message 3 (tool)"), [r#"{\"sky\": \"blue\"}"#]);
    assert_eq!(of("message 4 (assistant)"), ["Blue\nand dry."]);
    assert!(text.contains("<user>Looks up</>"), "{text}");
    assert!(
        text.contains(r#""name": "weather", "arguments": {"city": "Rome"}"#),
        "{text}"
    );

    let mut other = document.clone();
    other["tools"][0]["description"] = json!("Guesses");
    let view = compare(&request.spans, &build(&other).spans, &|text: &str| {
        text.len()
    });
    assert_eq!(view.first_change.expect("a change").source, "the tools");
}

#[test]
fn a_builtin_format_of_the_family_replaces_a_missing_template() {
    for (family, start, end) in [
        ("chatml", "<|im_start|>system\n", "<|im_start|>assistant\n"),
        (
            "LLAMA_3_X",
            "<|start_header_id|>system<|end_header_id|>\n\n",
            "<|end_header_id|>\n\n",
        ),
        ("glm4", "<|system|>\n", "<|assistant|>\n"),
    ] {
        let format = FamilyFormat::named(family).expect("a family");
        let request =
            with(&call(), "Ada", |input| chat_template(input, &format)).expect("a request");
        let text = request.body["prompt"].as_str().expect("text");
        assert!(
            text.starts_with(start) && text.ends_with(end),
            "{family}: {text}"
        );
        assert_eq!(joined(&request), text);
    }
    let unknown = FamilyFormat::named("bert").expect_err("refused");
    assert_eq!(unknown.code(), "unknown_family");
}

#[test]
fn a_family_that_thinks_closes_its_think_block_unless_the_call_lets_it_think() {
    let format = FamilyFormat::named("QWEN_3_X").expect("a family");
    let prompt = |thinking: Value| {
        let mut document = call();
        document["thinking"] = thinking;
        let request =
            with(&document, "Ada", |input| chat_template(input, &format)).expect("a request");
        request.body["prompt"].as_str().expect("text").to_owned()
    };
    let closed = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    assert!(prompt(json!(null)).ends_with(closed));
    assert!(prompt(json!(false)).ends_with(closed));
    assert!(prompt(json!(true)).ends_with("<|im_start|>assistant\n"));
}

#[test]
fn a_model_template_gets_the_thinking_switch_only_if_the_call_sets_it() {
    let source = "{{ enable_thinking if enable_thinking is defined else 'unset' }} \
                  {{ thinking if thinking is defined else 'unset' }}";
    let template = Template::compile(source).expect("a template");
    let prompt = |thinking: Value| {
        let mut document = call();
        document["thinking"] = thinking;
        let build = |input: &TargetInput<'_>| chat_template(input, &model(&template));
        with(&document, "Ada", build).expect("a request").body["prompt"].clone()
    };
    assert_eq!(prompt(json!(null)), json!("unset unset"));
    assert_eq!(prompt(json!(true)), json!("True True"));
    assert_eq!(prompt(json!(false)), json!("False False"));
}
