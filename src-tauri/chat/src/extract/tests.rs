//! Answers taken apart: channels, thinking, calls of every format; and the work hostile ones take.

use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

fn harmony() -> Markers {
    Markers::in_template("x <|channel|>final y").expect("markers")
}

#[test]
fn the_final_channel_ends_at_the_earliest_marker() {
    let check = |raw: &str, expected: &str| {
        assert_eq!(final_channel(raw, &harmony()), expected, "{raw}");
    };
    check("<|channel|>final<|message|>Hi", "Hi");
    check("<|channel|>final<|message|>Hi<|end|>more", "Hi");
    check("<|channel|>final<|message|>Hi<|return|>", "Hi");
    check("<|channel|>final<|message|>a<|call|>b<|end|>", "a<|call|>b");
    check("<|channel|>final<|message|>Hi<|start|>x<|end|>", "Hi");
    check(
        "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final<|message|>A",
        "A",
    );
    check("<|channel|>analysis<|message|>only", "");
    check("plain", "");
    check("", "");
}

#[test]
fn channels_thinking_and_calls_are_taken_apart() {
    let raw = "<|channel|>analysis<|message|>I must look.<|end|>\
               <|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>\
               {\"city\": \"Paris\"}<|call|>";
    let found = extract(raw, Some(&harmony()));
    assert_eq!(found.content, "");
    assert_eq!(found.thinking.as_deref(), Some("I must look."));
    let names: Vec<&str> = found.channels.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["analysis", "commentary"]);
    assert_eq!(
        found.channels[1].recipient.as_deref(),
        Some("functions.get_weather")
    );
    let call = FoundCall {
        name: "get_weather".into(),
        arguments: json!({"city": "Paris"}),
    };
    assert_eq!(found.tool_calls, [call]);
    let after = "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>";
    assert_eq!(extract(after, Some(&harmony())).tool_calls[0].name, "f");
}

#[test]
fn without_channels_the_text_is_untouched() {
    let check = |raw: &str, thinking: Option<&str>| {
        let found = extract(raw, None);
        assert_eq!(found.content, raw);
        assert_eq!(found.thinking.as_deref(), thinking, "{raw}");
    };
    check("Hi", None);
    check("<think>\nHm.\n</think>\n\nHi", Some("Hm."));
    check("Hm.</think>Hi", Some("Hm."));
    check("<think>cut off", Some("cut off"));
    check("a <|channel|>final<|message|>b", None);
}

#[test]
fn calls_of_every_builtin_format_are_found() {
    let check = |raw: &str, expected: &[(&str, Json)]| {
        let found: Vec<(String, Json)> = extract(raw, None)
            .tool_calls
            .into_iter()
            .map(|call| (call.name, call.arguments))
            .collect();
        let expected: Vec<(String, Json)> = expected
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        assert_eq!(found, expected, "{raw}");
    };
    let a = json!({"a": 1});
    check(
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
        &[("f", a.clone())],
    );
    check(
        "Text.<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>\n<tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>",
        &[("f", a.clone()), ("g", json!({}))],
    );
    check(
        "<think>x</think><tool_call>{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 1}\"}</tool_call>",
        &[("f", a.clone())],
    );
    check(
        "<tool_call><function=f><parameter=a>\n1\n</parameter></function></tool_call>",
        &[("f", json!({"a": "1"}))],
    );
    check(
        "{\"name\": \"f\", \"parameters\": {\"a\": 1}}<|eot_id|>",
        &[("f", a.clone())],
    );
    check(
        "<|python_tag|>{\"name\": \"f\", \"parameters\": {\"a\": 1}}",
        &[("f", a.clone())],
    );
    check(
        "Looking.\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}<|eot_id|>",
        &[("f", a.clone())],
    );
    check(
        "Looking.\n\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}\n{\"name\": \"g\", \"parameters\": {}}<|observation|>",
        &[("f", a.clone()), ("g", json!({}))],
    );
    check(
        "{\"tool_calls\": [{\"name\": \"f\", \"arguments\": {\"a\": 1}}, {\"name\": \"g\", \"arguments\": {}, \"id\": \"1\"}]}",
        &[("f", a.clone()), ("g", json!({}))],
    );
    check(
        "Looking.\n{\"tool_calls\": [\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n]}<|im_end|>",
        &[("f", a.clone())],
    );
    check(
        "So:\n{not JSON\n{\"x\": 1}\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}",
        &[("f", a.clone())],
    );
    check(
        "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"a\": 1}, \"id\": \"x\"}]",
        &[("f", a)],
    );
    check("{\"name\": \"f\", \"parameters\": {\"a\": ", &[]);
    check("{\"no\": \"call\"}", &[]);
    check("The answer is {\"name\": 1}.", &[]);
    check("Say {\"name\": \"f\", \"parameters\": {\"a\": 1}}", &[]);
    check(
        "Say\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}\nand wait.",
        &[],
    );
    check(
        "```json\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}\n```",
        &[],
    );
    check("He is\n{\"name\": \"Bob\", \"parameters\": \"many\"}", &[]);
    check("I call\n{\"name\": \"f\", \"parameters\": {\"a\": ", &[]);
    check("{\"tool_calls\": []}", &[]);
    check("{\"tool_calls\": [{\"name\": \"f\"}]}", &[]);
    check("{\"tool_calls\": \"none\"}", &[]);
    check("", &[]);
}

#[test]
fn every_builtin_format_and_the_polyfill_write_calls_that_are_found_again() {
    use crate::{Capabilities, ChatFormat, Family, Request, builtin::Builtin, polyfill::polyfill};

    let call = |name: &str| {
        json!({"type": "function", "function":
            {"name": name, "arguments": {"city": "Oslo", "text": "a {\n{\"b\": 1}"}}})
    };
    let messages = vec![
        json!({"role": "user", "content": "?"}),
        json!({"role": "assistant", "content": "Looking.\nHere:",
               "tool_calls": [call("f"), call("g")]}),
    ];
    let names = |answer: &str| -> Vec<String> {
        let found = extract(answer, None).tool_calls.into_iter();
        found.map(|call| call.name).collect()
    };
    for family in [
        Family::Qwen2,
        Family::Qwen3,
        Family::Llama2,
        Family::Llama3,
        Family::Glm4,
    ] {
        let format: Builtin = crate::factory::builtin(&crate::detect::ModelConfig::of(family));
        let text = format
            .format_conversation(&Request::of(messages.clone()))
            .expect("a conversation");
        let (_, answer) = text.split_once("Looking.").expect("the answer");
        let answer = format!("Looking.{answer}");
        assert_eq!(names(&answer), ["f", "g"], "{family:?}: {answer}");
    }
    let written = polyfill(&Request::of(messages), &Capabilities::default(), &[]).request;
    let answer = written.messages[1]["content"].as_str().expect("a text");
    assert_eq!(names(answer), ["f", "g"], "{answer}");
}

/// What the markers of every family look like in an answer that is nothing else.
const REPEATED: [&str; 24] = [
    "<tool_call>",
    "<tool_call>{",
    "<tool_call>\n{\"name\": \"f\"",
    "<tool_call>{\"name\": \"f\", \"arguments\": {}}",
    "<tool_call></tool_call>",
    "</tool_call>",
    "<tool_call><function=f>",
    "<tool_call><function=f><parameter=a>",
    "<parameter=a></parameter>",
    "<|channel|>",
    "<|channel|>final",
    "<|channel|>final<|message|>",
    "<|channel|>analysis<|message|>b<|end|>",
    "<|start|>assistant to=f<|channel|>commentary<|message|>{}<|call|>",
    "<|message|>",
    "<|",
    "<think>",
    "</think>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][{",
    "<|python_tag|>{",
    "\n{",
    "\n{\"a\":",
    "\n{\"name\": \"f\", \"arguments\": {}}",
];

fn time_of(raw: &str, markers: Option<&Markers>) -> Duration {
    let start = Instant::now();
    std::hint::black_box(extract(raw, markers));
    start.elapsed()
}

#[test]
fn four_times_the_answer_is_not_sixteen_times_the_work() {
    const QUARTER: usize = 256 << 10;
    let harmony = harmony();
    let openings = ["", "<tool_call><function=f>"];
    for (opening, unit) in openings
        .iter()
        .flat_map(|opening| REPEATED.map(|unit| (opening, unit)))
    {
        for end in ["", " and so on"] {
            for markers in [None, Some(&harmony)] {
                let answer =
                    |bytes: usize| format!("{opening}{}{end}", unit.repeat(bytes / unit.len()));
                let (quarter, whole) = (answer(QUARTER), answer(4 * QUARTER));
                // What else the machine does can only make a time longer: one fair try is enough.
                let is_linear = (0..20).any(|_| {
                    let quarter = time_of(&quarter, markers);
                    time_of(&whole, markers) < 8 * quarter + Duration::from_millis(10)
                });
                assert!(is_linear, "{opening}{unit}...{end}, {markers:?}");
            }
        }
    }
}
