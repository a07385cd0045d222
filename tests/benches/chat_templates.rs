//! Times the rendering of chat templates: reads cases as JSON from the file in
//! `PROMPTDECK_BENCH_CASES` and prints nanoseconds per case as JSON. The comparison happens
//! elsewhere.

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptdeck_chat::Request;
use promptdeck_chat::detect::ModelConfig;
use promptdeck_chat::incremental::Incremental;
use promptdeck_chat::inspect::inspect;
use promptdeck_jinja::{self as jinja, Moment, Template};
use serde_json::{Value, json};

/// Nanoseconds per call in the fastest of many short rounds, which is the least disturbed one.
fn timed(mut call: impl FnMut()) -> f64 {
    let round = Duration::from_millis(8);
    let rounds = (0..60).map(|_| {
        let begun = Instant::now();
        let mut calls = 0u32;
        while begun.elapsed() < round {
            call();
            calls += 1;
        }
        begun.elapsed().as_nanos() as f64 / f64::from(calls)
    });
    rounds.fold(f64::MAX, f64::min)
}

/// Number of messages appended one by one to measure the cost of each.
const ADDED: usize = 20;

/// The cost of one more message in a conversation that is rendered after each message: nanoseconds
/// for the last messages, and the number of messages not rendered again.
fn added(template: &Template, request: &Request) -> (f64, usize) {
    let begin = request.messages.len().saturating_sub(ADDED);
    let parts: Vec<Request> = (begin..=request.messages.len())
        .map(|count| Request {
            messages: request.messages[..count].to_vec(),
            ..request.clone()
        })
        .collect();
    let (first, rest) = parts.split_first().expect("parts");
    let mut best = f64::MAX;
    let mut reused = 0;
    for _ in 0..40 {
        let mut memory = Incremental::default();
        memory.add(template, first).expect("a rendering");
        let begun = Instant::now();
        for part in rest {
            reused = black_box(memory.add(template, part).expect("a rendering")).reused_messages;
        }
        best = best.min(begun.elapsed().as_nanos() as f64 / rest.len() as f64);
    }
    (best, reused)
}

fn request(case: &Value) -> Request {
    let text = |name: &str| case[name].as_str().map(str::to_owned);
    Request {
        messages: case["messages"].as_array().cloned().unwrap_or_default(),
        tools: case.get("tools").filter(|tools| !tools.is_null()).cloned(),
        add_generation_prompt: true,
        bos_token: text("bos_token"),
        eos_token: text("eos_token"),
        now: Moment::parse("2024-07-26T09:05:03").map(|(moment, _)| moment),
        ..Request::default()
    }
}

/// The messages as values, as `jinja2` is given dictionaries.
fn values(request: &Request) -> Vec<jinja::Value> {
    let fields = request.messages.iter().map(|message| message.as_object());
    let values = fields.map(|fields| request.value_of(fields.expect("an object")));
    values.collect::<Result<_, _>>().expect("values")
}

fn main() {
    let Ok(path) = std::env::var("PROMPTDECK_BENCH_CASES") else {
        println!("PROMPTDECK_BENCH_CASES names no file: run scripts/bench/chat.mjs");
        return;
    };
    let cases = std::fs::read(path).expect("a file of cases");
    let cases: Vec<Value> = serde_json::from_slice(&cases).expect("cases in JSON");
    for case in &cases {
        let source = case["template"].as_str().expect("a template");
        let template = Template::compile(source).expect("a template that compiles");
        let request = request(case);
        let text = request.render(&template).expect("a rendering");
        let values = values(&request);
        let rendered = timed(|| {
            let messages = values.clone();
            black_box(request.render_values(&template, messages)).expect("a rendering");
        });
        let json = case["messages"].to_string();
        let around = Request {
            messages: Vec::new(),
            ..request.clone()
        };
        let parsed = timed(|| {
            let messages = serde_json::from_str(&json).expect("messages");
            let request = Request {
                messages,
                ..around.clone()
            };
            black_box(request.render(&template)).expect("a rendering");
        });
        let whole = timed(|| {
            black_box(request.render(&template).expect("a rendering"));
        });
        let (incremental, reused) = added(&template, &request);
        let compile = timed(|| {
            black_box(Template::compile(source).expect("a template"));
        });
        let config = ModelConfig::detect(Some(source), "");
        let inspected = timed(|| {
            black_box(inspect(Some(source), &config, Some("<s>"), Some("</s>")).expect("a report"));
        });
        println!(
            "{}",
            json!({
                "name": case["name"], "rendered": rendered, "parsed": parsed, "whole": whole,
                "incremental": incremental, "kept": reused,
                "messages": request.messages.len(),
                "compile": compile, "inspect": inspected, "text": text,
            })
        );
    }
}
