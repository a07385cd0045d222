//! Times the rendering of chat templates: reads cases as JSON from the file named in
//! `PROMPTDECK_BENCH_CASES`, prints nanoseconds for each as JSON. Compares with nobody itself.

use std::hint::black_box;
use std::time::{Duration, Instant};

use promptdeck_core::chat::Request;
use promptdeck_core::chat::detect::ModelConfig;
use promptdeck_core::chat::incremental::Incremental;
use promptdeck_core::chat::inspect::inspect;
use promptdeck_core::chat::jinja::{Moment, Template};
use serde_json::{Value, json};

/// The median time of one call, in nanoseconds, over rounds of calls that fill a while.
fn timed(mut call: impl FnMut()) -> f64 {
    let round = Duration::from_millis(40);
    let mut samples: Vec<f64> = (0..9)
        .map(|_| {
            let begun = Instant::now();
            let mut calls = 0u32;
            while begun.elapsed() < round {
                call();
                calls += 1;
            }
            begun.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
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
        let whole = timed(|| {
            black_box(request.render(&template).expect("a rendering"));
        });
        let mut memory = Incremental::default();
        let mut shorter = request.clone();
        shorter.messages.pop();
        shorter.add_generation_prompt = false;
        let incremental = timed(|| {
            memory.add(&template, &shorter).expect("a rendering");
            black_box(memory.add(&template, &request).expect("a rendering"));
        });
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
                "name": case["name"], "whole": whole, "incremental": incremental / 2.0,
                "compile": compile, "inspect": inspected, "text": text,
            })
        );
    }
}
