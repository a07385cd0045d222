//! The layers: their order and what each holds.

mod cache;
mod generation;
mod session_shape;
mod signatures;
mod templates;
mod tool_calls;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{Layered, Session, build};

/// Bytes whose base64 differs between the alphabets and needs padding.
const SIGNATURE: &[u8] = &[0xfb, 0xff, 0xfe, 0x00, 0x3e, 0x3f, 0xff];

fn layered(document: &Value) -> Layered {
    let session = Session::read(document.as_object().expect("an object")).expect("a session");
    build(&session, &|text: &str| text.chars().count().div_ceil(4))
}

fn full() -> Value {
    json!({
        "model": "gemini-3-pro", "now": "2026-01-15T10:30:00Z",
        "roles": ["You are a gardener"], "procedure": "Look, then dig", "constraints": ["No poison"], "session_goal": "A tidy bed",
        "file_references": [{"path": "plan.md", "content": "rows \"and\" more\n"}],
        "artifacts": [{"path": "out.md", "content": "x"}],
        "todos": [{"title": "weed", "checked": false}],
        "turns": [
            {"type": "user_task", "instruction": "Old question", "timestamp": "t"},
            {"type": "model_response", "content": "Old answer"},
            {"type": "compressed_history", "content": "Much happened", "original_turns_range": [1, 8]},
            {"type": "user_task", "instruction": "Read it"},
            {"type": "function_calling", "response": "read_file(plan.md)", "raw_response": [{"candidates": [{"content": {"parts": [
                {"text": "thinking", "thought": true},
                {"function_call": {"name": "read_file", "args": {"file_path": "plan.md"}}, "thought_signature": STANDARD.encode(SIGNATURE)}
            ], "role": "model"}}]}]},
            {"type": "tool_response", "name": "read_file", "response": {"status": "succeeded", "message": "rows"}}
        ],
        "cached_turn_count": 2,
        "tools": [{"type": "function", "function": {"name": "read_file", "description": "Reads", "parameters": {"type": "object"}}}],
        "generation": {"temperature": 0.4, "max_tokens": 100},
        "unknown": {"kept": true}
    })
}

fn text(layered: &Layered, content: usize) -> &str {
    layered.request["contents"][content]["parts"][0]["text"]
        .as_str()
        .expect("a text part")
}

fn codes(layered: &Layered) -> Vec<&'static str> {
    layered
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.as_str())
        .collect()
}

fn contents_of(layered: &Layered) -> Vec<Vec<usize>> {
    layered
        .layers
        .iter()
        .map(|layer| layer.contents.clone())
        .collect()
}

#[test]
fn four_layers_in_their_order_and_the_tool_response_last() {
    let layered = layered(&full());
    let names: Vec<_> = layered
        .layers
        .iter()
        .map(|layer| (layer.layer, layer.name, layer.cacheable))
        .collect();
    assert_eq!(
        names,
        [
            (1, "static", true),
            (2, "dynamic", false),
            (3, "buffered", false),
            (4, "trigger", false)
        ]
    );
    assert_eq!(
        contents_of(&layered),
        [vec![0], vec![1], vec![2, 3, 4], vec![5]]
    );
    assert_eq!(codes(&layered), Vec::<&str>::new());
    let roles: Vec<&str> = layered.request["contents"]
        .as_array()
        .expect("contents")
        .iter()
        .map(|c| c["role"].as_str().expect("role"))
        .collect();
    assert_eq!(roles, ["user", "user", "user", "user", "model", "user"]);
    assert_eq!(
        layered.request["contents"][5]["parts"][0]["functionResponse"],
        json!({"name": "read_file", "response": {"status": "succeeded", "message": "rows"}})
    );
    for layer in &layered.layers {
        assert!(layer.chars > 0 && layer.tokens > 0, "{layer:?}");
    }
}

#[test]
fn each_layer_counts_its_contents() {
    let contents = |document: &Value| -> Vec<String> {
        layered(document)
            .layers
            .iter()
            .map(|layer| {
                let counts = layer.holds.iter();
                let words: Vec<_> = counts
                    .map(|content| format!("{} {}", content.count, content.kind))
                    .collect();
                words.join(", ")
            })
            .collect()
    };
    assert_eq!(
        contents(&full()),
        [
            "1 roles, 1 procedure, 1 constraints, 1 session_goal, 2 cached_turns",
            "1 file_references, 1 artifacts, 1 todos, 1 current_datetime",
            "3 turns, 1 signatures",
            "1 tool_response",
        ]
    );
    let instruction = json!({"turns": [], "current_task": {"instruction": "Go"}});
    assert_eq!(contents(&instruction), ["", "", "", "1 instruction"]);
    assert_eq!(contents(&json!({"turns": []})), ["", "", "", ""]);
}

#[test]
fn an_instruction_is_the_trigger_when_there_is_one() {
    let mut document = full();
    document["current_task"] = json!({"instruction": "Now prune"});
    let layered = layered(&document);
    assert_eq!(
        contents_of(&layered),
        [vec![0], vec![1], vec![2, 3, 4, 5], vec![6]]
    );
    assert_eq!(text(&layered, 6), "Now prune");
}

#[test]
fn nothing_to_answer_is_said() {
    let layered = layered(
        &json!({"turns": [{"type": "model_response", "content": "hm", "raw_response": []}]}),
    );
    assert!(codes(&layered).contains(&"no_trigger"));
    assert_eq!(layered.layers[3].contents, Vec::<usize>::new());
}

#[test]
fn the_static_layer_holds_what_seldom_changes_and_the_turns_before_the_buffer() {
    insta::assert_snapshot!(text(&layered(&full()), 0));
}

#[test]
fn the_system_instruction_only_when_asked_for() {
    let mut document = full();
    assert!(!layered(&document).request.contains_key("systemInstruction"));
    document["system_instruction"] = json!(true);
    let layered = layered(&document);
    let instruction = layered.request["systemInstruction"]["parts"][0]["text"]
        .as_str()
        .expect("text");
    assert!(instruction.contains("gardener"));
    assert_eq!(layered.layers[0].contents, Vec::<usize>::new());
    assert_eq!(layered.layers[1].contents, [0]);
}

#[test]
fn a_blank_turn_is_not_sent_and_takes_no_trigger_away() {
    let mut document = full();
    let plain = layered(&document);
    for blank in [
        json!({"type": "user_task", "instruction": ""}),
        json!({"type": "user_task", "instruction": " \n"}),
        json!({"type": "user_task"}),
        json!({"type": "compressed_history", "content": ""}),
    ] {
        document["turns"] = full()["turns"].clone();
        let turns = document["turns"].as_array_mut().expect("turns");
        turns.push(blank.clone());
        let found = layered(&document);
        assert_eq!(found.request, plain.request, "{blank}");
        assert_eq!(contents_of(&found), contents_of(&plain), "{blank}");
        assert_eq!(codes(&found), Vec::<&str>::new(), "{blank}");
    }
    // Nor is one sent from the static layer.
    document["turns"]
        .as_array_mut()
        .expect("turns")
        .insert(0, json!({"type": "user_task", "instruction": ""}));
    document["cached_turn_count"] = json!(3);
    assert_eq!(text(&layered(&document), 0), text(&plain, 0));
}
