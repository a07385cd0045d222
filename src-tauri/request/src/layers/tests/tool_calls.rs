//! Function calls and the responses to them.

use base64::{Engine as _, engine::general_purpose::URL_SAFE};
use serde_json::{Value, json};

use super::{SIGNATURE, codes, contents_of, layered, text};

#[test]
fn responses_to_parallel_calls_stand_together_with_their_ids() {
    let call = |id: &str| json!({"functionCall": {"id": id, "name": "f", "args": {}}});
    let layered = layered(&json!({"turns": [
        {"type": "function_calling", "response": "f, f", "raw_response": [{"parts": [
            {"text": "t", "thought": true, "thoughtSignature": URL_SAFE.encode(SIGNATURE)}, call("1"), call("2")]}]},
        {"type": "tool_response", "name": "f", "response": {"n": 1}},
        {"type": "tool_response", "name": "f", "response": "two"}
    ]}));
    assert_eq!(contents_of(&layered), [vec![], vec![0], vec![1], vec![2]]);
    assert_eq!(
        layered.request["contents"][2]["parts"],
        json!([
            {"functionResponse": {"id": "1", "name": "f", "response": {"n": 1}}},
            {"functionResponse": {"id": "2", "name": "f", "response": {"output": "two"}}},
        ])
    );
}

#[test]
fn a_call_without_its_raw_response_is_sent_as_a_call() {
    let turns = |response: &str| {
        layered(&json!({"turns": [
            {"type": "user_task", "instruction": "q"},
            {"type": "function_calling", "response": response},
            {"type": "tool_response", "name": "read_file", "response": {"rows": 3}}
        ]}))
    };
    let answer = json!({"functionResponse": {"name": "read_file", "response": {"rows": 3}}});
    let recorded = turns(r#"{"name": "read_file", "args": {"path": "a"}}"#);
    assert_eq!(
        recorded.request["contents"][2],
        json!({"role": "model", "parts": [{"functionCall": {"name": "read_file", "args": {"path": "a"}}}]})
    );
    assert_eq!(recorded.request["contents"][3]["parts"], json!([answer]));
    assert_eq!(codes(&recorded), ["signature_missing"]);
    let words = turns("read_file(a)");
    assert_eq!(
        words.request["contents"][2]["parts"],
        json!([{"text": "read_file(a)"}, {"functionCall": {"name": "read_file", "args": {}}}])
    );
    assert_eq!(words.request["contents"][3]["parts"], json!([answer]));
    assert_eq!(codes(&words), ["call_rebuilt", "signature_missing"]);
}

#[test]
fn each_of_several_calls_without_a_word_has_its_own_response() {
    let call = json!({"type": "function_calling", "response": ""});
    let answer = |name: &str| json!({"type": "tool_response", "name": name, "response": {}});
    let found = layered(&json!({"turns": [call, answer("a"), call, answer("b")]}));
    let names: Vec<&Value> = (1..5)
        .map(|at| &found.request["contents"][at]["parts"])
        .flat_map(|parts| {
            let parts = parts.as_array().expect("parts");
            parts
                .iter()
                .flat_map(|part| part.as_object().expect("a part").values())
        })
        .map(|part| &part["name"])
        .collect();
    assert_eq!(names, ["a", "a", "b", "b"]);
}

#[test]
fn a_response_to_no_call_is_sent_as_text_and_said() {
    let found = layered(&json!({"turns": [
        {"type": "user_task", "instruction": "q"},
        {"type": "tool_response", "name": "f", "response": {"n": 1}}
    ]}));
    assert_eq!(codes(&found), ["orphan_response"]);
    assert_eq!(text(&found, 2), r#"The tool f answered: {"n":1}"#);
    assert_eq!(contents_of(&found), [vec![], vec![0], vec![1], vec![2]]);
}
