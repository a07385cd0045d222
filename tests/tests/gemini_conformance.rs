//! Checks bodies of Gemini requests against the types of `google-genai`: they round-trip unchanged,
//! signatures byte for byte, whatever the form of the persisted response.

use promptdeck_request::gemini::{self, GENERATION_FIELDS};
use promptdeck_request::layers::{self, Session};
use promptdeck_tests::oracle;
use serde_json::{Value, json};

const SIGNATURE: &[u8] = &[0xfb, 0xff, 0xfe, 0x00, 0x3e, 0x3f, 0xff, 0x7f];

/// Base64 in any form, implemented independently of the codec under test.
fn base64(bytes: &[u8], url_safe: bool, padded: bool) -> String {
    let mut alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    alphabet.extend(if url_safe { ['-', '_'] } else { ['+', '/'] });
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let mut bits = 0_u32;
        for index in 0..3 {
            bits = bits << 8 | u32::from(group.get(index).copied().unwrap_or_default());
        }
        for index in 0..4 {
            if index <= group.len() {
                text.push(alphabet[(bits >> (18 - 6 * index) & 63) as usize]);
            } else if padded {
                text.push('=');
            }
        }
    }
    text
}

/// A model response in one of the forms in which it may be persisted.
fn raw(form: usize, calls: bool) -> Value {
    let (url_safe, padded, camel, chunks) =
        (form & 1 == 0, form & 2 == 0, form & 4 == 0, form >> 3);
    let signature = base64(SIGNATURE, url_safe, padded);
    let key = if camel {
        "thoughtSignature"
    } else {
        "thought_signature"
    };
    let call = if camel {
        "functionCall"
    } else {
        "function_call"
    };
    let mut parts = vec![
        json!({"text": "Let me see", "thought": true}),
        json!({"text": "It is "}),
        json!({"text": "so"}),
    ];
    if calls {
        parts.push(json!({call: {"id": "c1", "name": "read_file", "args": {"file_path": "a b"}}, key: signature}));
    } else {
        parts.push(json!({"text": ".", key: signature}));
    }
    let response = |parts: &[Value]| json!({"candidates": [{"content": {"parts": parts, "role": "model"}}], "usage_metadata": null});
    let list = match chunks {
        0 => json!([response(&parts)]),
        1 => parts
            .iter()
            .map(|part| response(std::slice::from_ref(part)))
            .collect(),
        _ => json!([response(&parts[..2]), response(&parts[2..])]),
    };
    if form & 1 == 0 {
        list
    } else {
        Value::from(list.to_string())
    }
}

fn session(form: usize, calls: bool, instruction: bool, tools: bool) -> Value {
    let mut turns = vec![
        json!({"type": "user_task", "instruction": "Old"}),
        json!({"type": "model_response", "content": "Older answer"}),
        json!({"type": "compressed_history", "content": "In short"}),
        json!({"type": "user_task", "instruction": "Read \u{1f331} \"it\""}),
    ];
    if calls {
        turns.push(json!({"type": "function_calling", "response": "read_file", "raw_response": raw(form, true)}));
        turns.push(json!({"type": "tool_response", "name": "read_file", "response": {"status": "succeeded", "message": "rows"}}));
    } else {
        turns.push(
            json!({"type": "model_response", "content": "so", "raw_response": raw(form, false)}),
        );
    }
    let mut session = json!({
        "model": "gemini-3-pro", "now": "2026-01-15T10:30:00Z",
        "roles": ["You are a gardener"], "constraints": ["No poison"],
        "file_references": [{"path": "a.md", "content": "{{ \"x\" }}\u{0}"}],
        "turns": turns, "cached_turn_count": 2,
        "generation": {"temperature": 0.5, "top_p": 0.25, "max_tokens": 64, "stop": "END"},
        "system_instruction": form.is_multiple_of(3),
    });
    if instruction || !calls {
        session["current_task"] = json!({"instruction": "Go on"});
    }
    if tools {
        session["tools"] = json!([
            {"type": "function", "function": {"name": "read_file", "description": "Reads", "strict": true, "parameters": {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}}},
            {"google_search": {}}
        ]);
    }
    session
}

#[test]
fn every_body_comes_back_unchanged() {
    let mut questions = Vec::new();
    for form in 0..24 {
        for (calls, instruction, tools) in [
            (false, true, false),
            (false, true, true),
            (true, false, true),
            (true, true, false),
            (true, false, false),
        ] {
            let mut document = session(form, calls, instruction, tools);
            for cached in [false, true] {
                let read = |document: &Value| {
                    let map = document.as_object().expect("an object");
                    layers::build(&Session::read(map).expect("a session"), &|text: &str| {
                        text.len()
                    })
                };
                if cached {
                    let hash = read(&document).layers[0].content_hash.clone();
                    document["cache"] = json!({"name": "cachedContents/abc", "model": "gemini-3-pro", "content_hash": hash, "expires": "2026-01-16T00:00:00Z"});
                }
                let layered = read(&document);
                assert!(layered.diagnostics.is_empty(), "{:?}", layered.diagnostics);
                assert_eq!(layered.request.contains_key("cachedContent"), cached);
                questions.push(json!({"body": layered.request}));
            }
        }
    }
    let answers = oracle::ask("gemini_oracle.py", &questions);
    let expected = SIGNATURE
        .iter()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    for (question, answer) in questions.iter().zip(&answers) {
        assert_eq!(
            answer["same"],
            json!(true),
            "\nours   {}\ntheirs {}",
            question["body"],
            answer["body"]
        );
        assert_eq!(answer["signatures"], json!([expected]), "{question}");
    }
    println!(
        "{} bodies read and given back unchanged by google-genai",
        answers.len()
    );
}

/// Images, audio and files of messages, as data in each form of base64.
#[test]
fn data_of_messages_comes_back_unchanged() {
    let mut questions = Vec::new();
    for form in 0..4 {
        let data = base64(SIGNATURE, form & 1 == 0, form & 2 == 0);
        let content = json!([
            {"type": "text", "text": "Look"},
            {"type": "text", "text": " here: "},
            {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{data}")}},
            {"type": "text", "text": " "},
            {"type": "file", "file": {"file_data": format!("data:application/pdf;name=a.pdf;base64,{data}")}},
            {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}},
        ]);
        let parts = gemini::parts(&content);
        let sent = base64(SIGNATURE, true, true);
        let inline = |kind: &str| json!({"inlineData": {"data": sent, "mimeType": kind}});
        let expected = [
            json!({"text": "Look here: "}),
            inline("image/png"),
            inline("application/pdf"),
            inline("audio/wav"),
        ];
        assert_eq!(parts, expected);
        let document = json!({
            "turns": [{"type": "user_task", "instruction": "Look here: ", "parts": parts}],
            "current_task": {"instruction": "Look here: ", "parts": parts},
        });
        let map = document.as_object().expect("an object");
        let session = Session::read(map).expect("a session");
        let layered = layers::build(&session, &|text: &str| text.len());
        assert!(layered.diagnostics.is_empty(), "{:?}", layered.diagnostics);
        let contents = layered.request["contents"].as_array().expect("contents");
        let of_user = json!({"role": "user", "parts": expected});
        assert_eq!(contents[contents.len() - 2..], [of_user.clone(), of_user]);
        questions.push(json!({"body": layered.request}));
    }
    for (question, answer) in questions
        .iter()
        .zip(oracle::ask("gemini_oracle.py", &questions))
    {
        assert_eq!(answer["same"], json!(true), "{question}\n{answer}");
    }
}

/// The settings that are sent are exactly those of the API.
#[test]
fn the_generation_settings_are_the_apis() {
    let answers = oracle::ask("gemini_oracle.py", &[json!({"fields": true})]);
    let names = |key: &str| -> Vec<String> {
        serde_json::from_value(answers[0][key].clone()).expect("a list of names")
    };
    let (config, request) = (names("config"), names("request"));
    for field in GENERATION_FIELDS {
        let known = config.iter().chain(&request).any(|name| name == field);
        assert!(known, "{field} is no setting of google-genai");
    }
    for name in &config {
        assert!(
            GENERATION_FIELDS.contains(&name.as_str()),
            "{name} is missing"
        );
    }
}

/// Calls without their persisted response, responses without a call, blank turns.
#[test]
fn bodies_of_sessions_that_lost_something_come_back_unchanged() {
    let answer = json!({"type": "tool_response", "name": "f", "response": {"n": 1}});
    let blank = json!({"type": "user_task", "instruction": ""});
    let questions: Vec<Value> = [
        json!([{"type": "function_calling", "response": "f(1)"}, answer, blank]),
        json!([{"type": "function_calling", "response": "{\"name\": \"f\", \"args\": {\"a\": 1}}"}, answer]),
        json!([answer, answer]),
        json!([{"type": "model_response", "content": ""}, answer, blank]),
    ]
    .into_iter()
    .map(|turns| {
        let document = json!({"turns": turns});
        let map = document.as_object().expect("an object");
        let session = Session::read(map).expect("a session");
        json!({"body": layers::build(&session, &|text: &str| text.len()).request})
    })
    .collect();
    let answers = oracle::ask("gemini_oracle.py", &questions);
    for (question, answer) in questions.iter().zip(&answers) {
        assert_eq!(answer["same"], json!(true), "{question}\n{answer}");
        for content in question["body"]["contents"].as_array().expect("contents") {
            let parts = content["parts"].as_array().expect("parts");
            let blank = |part: &Value| {
                part["text"]
                    .as_str()
                    .is_some_and(|text| text.trim().is_empty())
            };
            assert!(!parts.is_empty() && !parts.iter().any(blank), "{content}");
        }
    }
}
