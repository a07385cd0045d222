//! One call for all receivers, and the cache view between two requests of each.

mod gemini_layers;
mod template_text;

use std::time::Duration;

use promptdeck_chat::timestamp::Moment;
use promptdeck_core::hydrate::{Part, Segment, Source};
use promptdeck_core::registry::Severity;
use promptdeck_jinja::{self as jinja, Template};
use serde_json::{Map, Value, json};

use super::{
    Conversation, FamilyFormat, ModelTemplate, RenderChat, RenderedChat, Request, TargetError,
    TargetInput, chat_template, gemini, openai,
};
use crate::{
    cache_view::compare,
    call::Call,
    pipeline::{self, StageClock},
    prompt::Prompt,
};

struct Still;

impl StageClock for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A chat template of the plainest kind.
struct Plain;

impl RenderChat for Plain {
    fn render(&self, conversation: &Conversation<'_>) -> Result<RenderedChat, TargetError> {
        if conversation.tools.len() > 1 {
            return Err(TargetError::Chat {
                code: "too_many_tools",
                message: "one at most".to_owned(),
            });
        }
        let mut text = String::new();
        for message in conversation.messages {
            let part = |name: &str| message[name].as_str().unwrap_or_default();
            text += &["<", part("role"), ">", part("content"), "</>"].concat();
        }
        Ok(text.into())
    }
}

/// A model's template where the clock on the wall is an hour and a half ahead.
fn model(template: &Template) -> ModelTemplate<'_> {
    ModelTemplate {
        template,
        bos_token: Some("<s>".to_owned()),
        eos_token: None,
        alias_reasoning: true,
        off: Vec::new(),
        to_local: &|moment, offset| {
            let seconds = moment.seconds() - i64::from(offset) + 5400;
            jinja::Moment::from_seconds(seconds, 0).unwrap_or_default()
        },
    }
}

fn segment(text: &str, section: &str) -> Segment {
    Segment {
        text: text.to_owned(),
        source: Some(Source {
            token: Some(0),
            section: section.into(),
            item: 0,
            id: Some("ada".into()),
            field: "context".into(),
            part: Part::Text,
            entry: None,
            fragment: None,
            variable: None,
        }),
        origin: None,
    }
}

fn call() -> Value {
    json!({
        "history": [
            {"role": "user", "content": "Weather?", "language": "en"},
            {"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Rome\"}"}}]},
            {"role": "tool", "tool_call_id": "t1", "content": "{\"sky\": \"blue\"}"},
            {"role": "assistant", "content": "Blue", "tool_calls": []}
        ],
        "message": {"text": "And tomorrow?", "language": "en"},
        "tools": [{"name": "weather", "description": "Looks up"}],
        "layers": {"procedure": "Be brief"}
    })
}

fn with<T>(document: &Value, persona: &str, build: impl Fn(&TargetInput<'_>) -> T) -> T {
    let call = Call::from_map(document.as_object().expect("an object")).expect("a call");
    let now = Moment::parse("2026-01-15T10:30:00Z").expect("a moment");
    let prepared = pipeline::request(&call, now, &Still).expect("prepared");
    let prompt = Prompt::plain(&[
        segment("You forecast. ", "base_context"),
        segment(persona, "personas"),
    ]);
    let generation = json!({"provider": "ollama", "model": "m1", "temperature": 0.5, "max_tokens": 99, "top_p": null, "retries": 3});
    build(&TargetInput {
        call: &call,
        prepared: &prepared,
        prompt: &prompt,
        generation: generation.as_object().unwrap_or(&Map::new()),
        now,
        counter: &|text: &str| text.len().div_ceil(4),
    })
}

fn joined(request: &Request) -> String {
    request
        .spans
        .iter()
        .map(|span| span.text.as_str())
        .collect()
}

#[test]
fn openai_gets_the_prompt_before_the_messages_and_nothing_of_ours() {
    let request = with(&call(), "Ada", openai);
    assert_eq!(
        request.body,
        json!({
            "model": "m1", "temperature": 0.5, "max_tokens": 99,
            "messages": [
                {"role": "system", "content": "You forecast. Ada"},
                {"role": "user", "content": "Weather?"},
                {"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Rome\"}"}}]},
                {"role": "tool", "tool_call_id": "t1", "content": "{\"sky\": \"blue\"}"},
                {"role": "assistant", "content": "Blue"},
                {"role": "user", "content": "And tomorrow?"}
            ],
            "tools": [{"type": "function", "function": {"name": "weather", "description": "Looks up"}}]
        })
    );
}

#[test]
fn the_cache_view_names_a_changed_persona_for_every_target() {
    type Build = fn(&TargetInput<'_>) -> Request;
    let targets: [(&str, Build); 3] = [
        ("openai", openai),
        ("gemini", |input| gemini(input).expect("a request")),
        ("chat template", |input| {
            chat_template(input, &Plain).expect("a request")
        }),
    ];
    for (name, build) in targets {
        let (before, after) = (with(&call(), "Ada", build), with(&call(), "Bob", build));
        let view = compare(&before.spans, &after.spans, &|text: &str| text.len());
        let change = view.first_change.expect("a change");
        assert_eq!(
            change.source, "section personas, item ada, field context",
            "{name}"
        );
        assert!(
            change.before.starts_with("Ada") && change.after.starts_with("Bob"),
            "{name}"
        );
        assert!(view.share_chars > 0.0 && view.share_chars < 1.0, "{name}");

        let mut longer = call();
        longer["message"]["text"] = json!("And tomorrow? And then?");
        let view = compare(
            &before.spans,
            &with(&longer, "Ada", build).spans,
            &|text: &str| text.len(),
        );
        let source = view.first_change.expect("a change").source;
        assert!(
            ["message 5 (user)", "the trigger layer", "the chat template"]
                .contains(&source.as_str()),
            "{name}: {source}"
        );
    }
}

/// A call with an image and a file in its history.
fn call_with_parts() -> Value {
    let mut document = call();
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let file = json!({"type": "file", "file": {}});
    document["history"][0]["content"] = json!([{"type": "text", "text": "Weather?"}, image, file]);
    document
}

/// Places and messages of the diagnostics with a code.
fn said(request: &Request, code: &str) -> Vec<(String, String)> {
    let own = request.diagnostics.iter().filter(|own| own.code == code);
    own.map(|own| (own.pointer.clone(), own.message.clone()))
        .collect()
}

#[test]
fn a_part_that_a_target_leaves_out_is_said_with_its_place() {
    let document = call_with_parts();
    let text_only = Template::compile(
        "{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}\
         {% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}{% endfor %}",
    )
    .expect("a template");
    let shows_images = Template::compile(
        "{% for m in messages %}<{{ m.role }}>{% if m.content is string %}{{ m.content }}\
         {% else %}{% for p in m.content %}{{ '[image]' if p.type == 'image_url' else p.text }}\
         {% endfor %}{% endif %}{% endfor %}",
    )
    .expect("a template");
    let family = FamilyFormat::named("chatml").expect("a family");
    let (image, file) = ("/history/0/content/1", "/history/0/content/2");
    let of_template = |template: &Template| {
        with(&document, "Ada", |input| {
            chat_template(input, &model(template))
        })
        .expect("a request")
    };
    for (name, request, places) in [
        ("openai", with(&document, "Ada", openai), vec![]),
        (
            "gemini",
            with(&document, "Ada", gemini).expect("a request"),
            vec![file],
        ),
        (
            "a family",
            with(&document, "Ada", |input| chat_template(input, &family)).expect("a request"),
            vec![image, file],
        ),
        (
            "a template of texts",
            of_template(&text_only),
            vec![image, file],
        ),
        (
            "a template with images",
            of_template(&shows_images),
            vec![file],
        ),
    ] {
        let found = said(&request, "part_left_out");
        let found: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(found, places, "{name}");
    }
    let request = with(&document, "Ada", gemini).expect("a request");
    assert_eq!(
        said(&request, "part_left_out")[0].1,
        "message 1 (user): part 3, of type \"file\", is left out: Promptdeck sends Gemini texts, and \
         images, audio and files of the user that hold their data in base64 (a URL such as \
         data:image/png;base64,iVBORw...); describe it in words, or choose the target OpenAI"
    );
    assert_eq!(
        request.body["contents"]
            .as_array()
            .and_then(|all| all.last()),
        Some(&json!({"role": "user", "parts": [{"text": "And tomorrow?"}]}))
    );
}

#[test]
fn arguments_that_are_no_object_are_never_replaced() {
    let mut document = call();
    document["history"][1]["tool_calls"][0]["function"]["arguments"] = json!("{\"a\":1");
    let refused = with(&document, "Ada", gemini).expect_err("refused");
    assert_eq!(
        (refused.code(), refused.to_string()),
        (
            "call_arguments",
            "/history/1/tool_calls/0/function/arguments: the arguments of the call of \"weather\" \
             are no JSON object (EOF while parsing an object at line 1 column 6); write one, such as \
             {\"city\": \"Rome\"}"
                .to_owned()
        )
    );
    let plain = with(&document, "Ada", |input| chat_template(input, &Plain)).expect("a request");
    for request in [with(&document, "Ada", openai), plain] {
        let found = said(&request, "call_arguments");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, "/history/1/tool_calls/0/function/arguments");
        let of_gemini = refused.to_string();
        let (_, sentence) = of_gemini.split_once(": ").expect("a place");
        assert_eq!(found[0].1, format!("message 2: {sentence}"));
        let severity = request.diagnostics.iter().map(|found| found.severity).max();
        assert_eq!(severity, Some(Severity::Error));
    }
    // What the model sent is sent back as it was.
    document["history"][1]["raw_response"] = json!([{"candidates": [{"content": {"parts": [
        {"functionCall": {"name": "weather", "args": {"a": 1}}}]}}]}]);
    assert!(with(&document, "Ada", gemini).is_ok());
}

#[test]
fn tools_that_no_server_takes_are_errors_of_every_target() {
    let mut document = call();
    document["tools"] = json!([{"name": "weather", "input_schema": {"type": "object"}}, 5]);
    document["history"][1]["tool_calls"][0]["function"]["name"] = json!("");
    let plain = with(&document, "Ada", |input| chat_template(input, &Plain));
    let of_gemini = with(&document, "Ada", gemini).expect("a request");
    assert!(plain.is_err(), "the template takes one tool");
    for request in [with(&document, "Ada", openai), of_gemini.clone()] {
        let places = |code| said(&request, code).into_iter().map(|(place, _)| place);
        let found: Vec<String> = ["tool_converted", "tool_shape", "call_name"]
            .into_iter()
            .flat_map(places)
            .collect();
        let name = "/history/1/tool_calls/0/function/name";
        assert_eq!(found, ["/tools/0", "/tools/1", name]);
    }
    assert_eq!(
        of_gemini.body["tools"],
        json!([{"functionDeclarations": [{"name": "weather", "parametersJsonSchema": {"type": "object"}}]}])
    );
    // Those of `layers` are sent instead.
    document["layers"]["tools"] = json!([{"google_search": {}}, "x"]);
    let request = with(&document, "Ada", gemini).expect("a request");
    let found = said(&request, "tool_shape");
    assert_eq!((found.len(), found[0].0.as_str()), (1, "/layers/tools/1"));
}
