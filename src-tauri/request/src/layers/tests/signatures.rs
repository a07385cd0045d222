//! Thought signatures of model turns: restored from what was stored, and named when they are missing.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use promptdeck_core::registry::Severity;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{SIGNATURE, codes, contents_of, layered};

fn model_parts(raw: &Value) -> (Value, Vec<&'static str>) {
    let layered = layered(&json!({"turns": [
        {"type": "model_response", "content": "plain", "raw_response": raw},
        {"type": "user_task", "instruction": "go on"}
    ]}));
    let dynamic = 1;
    (
        layered.request["contents"][dynamic]["parts"].clone(),
        codes(&layered),
    )
}

#[test]
fn signatures_are_restored_whatever_they_were_stored_as() {
    let sent = URL_SAFE.encode(SIGNATURE);
    for stored in [
        STANDARD.encode(SIGNATURE),
        STANDARD_NO_PAD.encode(SIGNATURE),
        URL_SAFE.encode(SIGNATURE),
        URL_SAFE_NO_PAD.encode(SIGNATURE),
    ] {
        for key in ["thought_signature", "thoughtSignature"] {
            let chunk =
                json!({"candidates": [{"content": {"parts": [{"text": "a", key: stored}]}}]});
            for raw in [
                json!([chunk]),
                chunk.clone(),
                json!(json!([chunk]).to_string()),
                json!(chunk["candidates"][0]),
                json!([chunk["candidates"][0]["content"]]),
            ] {
                let (parts, codes) = model_parts(&raw);
                assert_eq!(
                    parts,
                    json!([{"text": "a", "thoughtSignature": sent}]),
                    "{raw}"
                );
                assert_eq!(codes, Vec::<&str>::new());
            }
        }
    }
}

#[test]
fn parts_of_several_chunks_are_joined_but_for_those_that_are_signed() {
    let chunk = |parts: Value| json!({"candidates": [{"content": {"parts": parts}}]});
    let signature = URL_SAFE.encode(SIGNATURE);
    let raw = json!([
        chunk(json!([{"text": "mulling", "thought": true}])),
        chunk(json!([{"text": "Hel", "thought": null, "function_call": null}])),
        chunk(json!([{"text": "lo "}, {"text": "you"}])),
        {"usage_metadata": {"total": 1}},
        chunk(json!([{"text": "!", "thought_signature": signature}])),
        chunk(json!([{"text": " And"}, {"text": " more"}])),
        chunk(json!([{"function_call": {"id": "c1", "name": "f", "args": {"snake_case": {"a_b": null}}}}])),
    ]);
    assert_eq!(
        model_parts(&raw).0,
        json!([
            {"text": "mulling", "thought": true},
            {"text": "Hello you"},
            {"text": "!", "thoughtSignature": signature},
            {"text": " And more"},
            {"functionCall": {"id": "c1", "name": "f", "args": {"snake_case": {"a_b": null}}}},
        ])
    );
}

#[test]
fn the_latest_model_turn_without_its_signature_is_sent_and_named() {
    for (raw, reason) in [
        (json!(null), "no raw_response"),
        (json!("{"), "not JSON"),
        (json!([]), "no parts"),
        (
            json!([{"parts": [{"text": "a"}]}]),
            "no part of its raw_response",
        ),
        (
            json!([{"parts": [{"text": "a", "thoughtSignature": "§§"}]}]),
            "no base64",
        ),
    ] {
        let layered = layered(&json!({"turns": [
            {"type": "user_task", "instruction": "q"},
            {"type": "model_response", "content": "a", "raw_response": raw},
            {"type": "user_task", "instruction": "go on"}
        ]}));
        assert_eq!(codes(&layered), ["signature_missing"], "{raw}");
        let message = &layered.diagnostics[0].message;
        assert!(
            message.starts_with("turn 2,") && message.contains(reason),
            "{message}"
        );
        assert_eq!(
            layered.request["contents"][2]["parts"],
            json!([{"text": "a"}])
        );
    }
}

#[test]
fn an_older_model_turn_needs_no_signature() {
    let signed =
        json!([{"parts": [{"text": "b", "thoughtSignature": STANDARD.encode(SIGNATURE)}]}]);
    let layered = layered(&json!({"turns": [
        {"type": "model_response", "content": "a"},
        {"type": "model_response", "content": "b", "raw_response": signed},
        {"type": "user_task", "instruction": "go on"}
    ]}));
    assert_eq!(codes(&layered), Vec::<&str>::new());
}

#[test]
fn a_blank_model_turn_is_said_and_not_sent() {
    let found = layered(&json!({"turns": [
        {"type": "user_task", "instruction": "q"},
        {"type": "model_response", "content": "", "raw_response": "{"},
        {"type": "user_task", "instruction": "go on"}
    ]}));
    assert_eq!(codes(&found), ["signature_missing"]);
    let message = &found.diagnostics[0].message;
    assert!(message.contains("is not sent"), "{message}");
    assert_eq!(contents_of(&found), [vec![], vec![0], vec![1], vec![2]]);
}

#[test]
fn only_a_call_that_the_api_refuses_without_a_signature_is_an_error() {
    let call = json!({"type": "function_calling", "response": "", "raw_response":
        [{"parts": [{"functionCall": {"name": "f", "args": {}}}]}]});
    let answer = json!({"type": "tool_response", "name": "f", "response": {}});
    let user_task = json!({"type": "user_task", "instruction": "go on"});
    let check = |model: &str, turns: Value, task: &str, expected: Severity| {
        let task = match task {
            "" => json!(null),
            task => json!({"instruction": task}),
        };
        let document = json!({"model": model, "turns": turns, "current_task": task});
        let found = layered(&document);
        let found = found
            .diagnostics
            .iter()
            .find(|found| found.code == "signature_missing");
        let severity = found.map(|found| found.severity);
        assert_eq!(severity, Some(expected), "{document}");
    };
    use Severity::{Error, Warning};
    for model in [
        "gemini-3-pro-preview",
        "models/gemini-3.1-flash",
        "gemini-4",
    ] {
        check(model, json!([call, answer]), "", Error);
        check(model, json!([call, answer, user_task]), "", Warning);
        check(model, json!([call, answer]), "go on", Warning);
        check(
            model,
            json!([{"type": "model_response", "content": "a"}]),
            "b",
            Warning,
        );
    }
    for model in ["gemini-2.5-flash", "gemini-flash-latest", ""] {
        check(model, json!([call, answer]), "", Warning);
    }
}

proptest! {
    /// A signature of any bytes comes out as it went in.
    #[test]
    fn any_signature_survives(bytes in prop::collection::vec(any::<u8>(), 1..40), form in 0..4) {
        let stored = match form {
            0 => STANDARD.encode(&bytes),
            1 => STANDARD_NO_PAD.encode(&bytes),
            2 => URL_SAFE.encode(&bytes),
            _ => URL_SAFE_NO_PAD.encode(&bytes),
        };
        let (parts, _) = model_parts(&json!([{"parts": [{"text": "", "thought_signature": stored}]}]));
        let sent = parts[0]["thoughtSignature"].as_str().expect("a signature");
        prop_assert_eq!(URL_SAFE.decode(sent).expect("base64"), bytes);
    }

}
