//! The layers, row by row: order, what each holds, what a cache changes, and what can't be broken.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use promptdeck_core::registry::Severity;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Layered, Session, build, content_hash};

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
        .map(|diagnostic| diagnostic.code)
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
fn each_layer_tells_what_it_holds() {
    let holds = |document: &Value| -> Vec<String> {
        layered(document)
            .layers
            .iter()
            .map(|layer| {
                let held = layer.holds.iter();
                let words: Vec<_> = held
                    .map(|held| format!("{} {}", held.count, held.what))
                    .collect();
                words.join(", ")
            })
            .collect()
    };
    assert_eq!(
        holds(&full()),
        [
            "1 roles, 1 procedure, 1 constraints, 1 session_goal, 2 cached_turns",
            "1 file_references, 1 artifacts, 1 todos, 1 current_datetime",
            "3 turns, 1 signatures",
            "1 tool_response",
        ]
    );
    let asked = json!({"turns": [], "current_task": {"instruction": "Go"}});
    assert_eq!(holds(&asked), ["", "", "", "1 instruction"]);
    assert_eq!(holds(&json!({"turns": []})), ["", "", "", ""]);
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
    assert!(codes(&layered).contains(&"no-trigger"));
    assert_eq!(layered.layers[3].contents, Vec::<usize>::new());
}

#[test]
fn the_static_layer_holds_what_seldom_changes_and_the_turns_before_the_buffer() {
    insta::assert_snapshot!(text(&layered(&full()), 0));
}

#[test]
fn the_dynamic_layer_is_json() {
    let layered = layered(&full());
    let parsed: Value = serde_json::from_str(text(&layered, 1)).expect("JSON");
    assert_eq!(
        parsed,
        json!({
            "current_datetime": "2026-01-15T10:30:00Z",
            "file_references": [{"path": "plan.md", "content": "rows \"and\" more\n"}],
            "artifacts": [{"path": "out.md", "content": "x"}],
            "todos": [{"title": "weed", "checked": false}],
        })
    );
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
fn a_cache_of_exactly_this_stands_for_the_static_layer_and_the_tools() {
    let plain = layered(&full());
    let hash = plain.layers[0].content_hash.clone().expect("a hash");
    assert_eq!(
        hash,
        content_hash(text(&plain, 0), full()["tools"].as_array().expect("tools"))
    );
    let good = json!({"name": "cachedContents/abc", "model": "gemini-3-pro", "content_hash": hash, "expires": "2026-01-15T10:30:01Z"});
    let mut document = full();
    document["cache"] = good.clone();
    let hit = layered(&document);
    assert_eq!(hit.request["cachedContent"], json!("cachedContents/abc"));
    assert!(!hit.request.contains_key("tools"));
    assert_eq!(contents_of(&hit), [vec![], vec![0], vec![1, 2, 3], vec![4]]);
    assert!(hit.layers[0].cached);

    for (field, value, why) in [
        ("model", json!("gemini-2"), "model"),
        ("expires", json!("2026-01-15T10:30:00Z"), "expired"),
        ("expires", json!("soon"), "expires"),
        ("content_hash", json!("00"), "not what it was made of"),
        ("name", json!(""), "name"),
    ] {
        let mut document = full();
        document["cache"] = good.clone();
        document["cache"][field] = value;
        let miss = layered(&document);
        assert!(!miss.request.contains_key("cachedContent"), "{field}");
        assert!(miss.request.contains_key("tools"));
        assert_eq!(codes(&miss), ["cache-miss"]);
        assert!(
            miss.diagnostics[0].message.contains(why),
            "{}",
            miss.diagnostics[0].message
        );
    }
    for (field, value) in [
        ("tools", json!([])),
        ("roles", json!(["Other"])),
        ("cached_turn_count", json!(1)),
    ] {
        let mut document = full();
        document["cache"] = good.clone();
        document[field] = value;
        assert!(
            !layered(&document).request.contains_key("cachedContent"),
            "{field}"
        );
    }
}

#[test]
fn tools_and_generation_in_the_words_of_the_api() {
    let layered = layered(&full());
    assert_eq!(
        layered.request["tools"],
        json!([{"functionDeclarations": [{"name": "read_file", "description": "Reads", "parametersJsonSchema": {"type": "object"}}]}])
    );
    assert_eq!(
        layered.request["generationConfig"],
        json!({"temperature": 0.4, "maxOutputTokens": 100})
    );
}

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
    for (raw, why) in [
        (json!(null), "no raw_response"),
        (json!("{"), "no JSON"),
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
        assert_eq!(codes(&layered), ["signature-missing"], "{raw}");
        let message = &layered.diagnostics[0].message;
        assert!(
            message.starts_with("turn 1,") && message.contains(why),
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
fn templates_of_the_authors_own() {
    let mut document = full();
    document["templates"] = json!({
        "static.j2": "R={{ roles[0] }}, {{ cached_history|length }} turns",
        "dynamic.j2": "[{{ todos|tojson }}, {{ current_datetime|tojson }}]",
    });
    let own = layered(&document);
    assert_eq!(text(&own, 0), "R=You are a gardener, 2 turns");
    assert_eq!(
        text(&own, 1),
        r#"[[{"title": "weed", "checked": false}], "2026-01-15T10:30:00Z"]"#
    );

    document["templates"] = json!({"static.j2": "{{ roles", "dynamic.j2": "no {{ todos }}"});
    let broken = layered(&document);
    assert_eq!(codes(&broken), ["static-template", "dynamic-template"]);
    assert_eq!(text(&broken, 0), text(&layered(&full()), 0));
    assert!(serde_json::from_str::<Value>(text(&broken, 1)).is_ok());
}

#[test]
fn a_cache_is_planned_up_to_the_exchange_under_way() {
    let mut document = full();
    document["cached_turn_count"] = json!(0);
    document["usage"] = json!({"cached_tokens": 100, "prompt_tokens": 1100});
    document["cache_threshold"] = json!(500);
    let plan = layered(&document).plan.expect("a plan");
    assert!(plan.rebuild);
    assert_eq!(plan.cached_turn_count, 3);
    assert!(
        (1..=1000).contains(&plan.buffered_tokens),
        "the dynamic layer is not counted: {plan:?}"
    );
    assert_eq!(plan.saved_tokens, 3 + 3 + 4);

    document["cache_threshold"] = json!(5000);
    let plan = layered(&document).plan.expect("a plan");
    assert_eq!(
        (plan.rebuild, plan.cached_turn_count, plan.saved_tokens),
        (false, 0, 0)
    );
    document["usage"]["cached_tokens"] = json!(2000);
    assert_eq!(codes(&layered(&document)), ["bad-usage"]);
}

#[test]
fn a_session_of_the_wrong_shape_is_refused_with_its_place() {
    for (document, message) in [
        (json!({}), "/turns: expected a list of turns"),
        (json!({"turns": {}}), "/turns: expected a list"),
        (
            json!({"turns": [1]}),
            "/turns/0: expected a turn with a type",
        ),
        (
            json!({"turns": [{}]}),
            "/turns/0/type: expected the type of the turn",
        ),
        (
            json!({"turns": [{"type": "user_task", "instruction": 1}]}),
            "/turns/0/instruction: expected text",
        ),
        (
            json!({"turns": [], "cached_turn_count": -1}),
            "/cached_turn_count: expected a whole number, 0 or more",
        ),
        (
            json!({"turns": [], "cache": 1}),
            "/cache: expected an object",
        ),
        (
            json!({"turns": [], "now": "x"}),
            "/now: \"x\" is no date and time; write it like 2026-01-15T10:30:00Z",
        ),
    ] {
        let error = Session::read(document.as_object().expect("object")).expect_err("refused");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_turn_of_an_unknown_type_is_refused_with_the_nearest() {
    let turns = json!({"turns": [{"type": "user_task", "instruction": "q"}, {"type": "user_tsk"}]});
    let error = Session::read(turns.as_object().expect("object")).expect_err("refused");
    assert_eq!(error.code(), "unknown_turn");
    assert_eq!(
        error.to_string(),
        "/turns/1/type: there is no turn of type \"user_tsk\"; known are user_task, \
         model_response, function_calling, tool_response, compressed_history; did you mean \
         \"user_task\"?"
    );
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,20}",
        "[\\x00-\\x1f\"\\\\{}%<>\u{2028}]{0,20}",
        Just("{{ 1/0 }}{% endraw %}".to_owned()),
    ]
}

proptest! {
    /// Whatever files and todos hold, the dynamic layer parses and holds just that.
    #[test]
    fn the_dynamic_layer_is_always_json(path in any_text(), content in any_text(), title in any_text(), number in any::<f64>()) {
        let files = json!([{"path": path, "content": content}]);
        let todos = json!([{"title": title, "n": number}]);
        let document = json!({"turns": [], "file_references": files, "todos": todos});
        let layered = layered(&document);
        let parsed: Value = serde_json::from_str(text(&layered, 0)).expect("JSON");
        prop_assert_eq!(&parsed["file_references"], &files);
        prop_assert_eq!(&parsed["todos"][0]["title"], &json!(title));
    }

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

#[test]
fn a_blank_model_turn_is_said_and_not_sent() {
    let found = layered(&json!({"turns": [
        {"type": "user_task", "instruction": "q"},
        {"type": "model_response", "content": "", "raw_response": "{"},
        {"type": "user_task", "instruction": "go on"}
    ]}));
    assert_eq!(codes(&found), ["signature-missing"]);
    let message = &found.diagnostics[0].message;
    assert!(message.contains("is not sent"), "{message}");
    assert_eq!(contents_of(&found), [vec![], vec![0], vec![1], vec![2]]);
}

#[test]
fn turns_over_the_threshold_move_to_the_static_layer_and_it_is_said() {
    let mut document = full();
    document["cached_turn_count"] = json!(0);
    document["cache_threshold"] = json!(5);
    for usage in [
        json!(null),
        json!({"cached_tokens": 100, "prompt_tokens": 1100}),
    ] {
        document["usage"] = usage;
        let moved = layered(&document);
        let plan = moved.plan.as_ref().expect("a plan");
        assert!(plan.rebuild && plan.cached_turn_count == 3, "{plan:?}");
        assert_eq!(codes(&moved), ["cache-rebuild"]);
        let message = &moved.diagnostics[0].message;
        assert!(
            message.contains("turns 0 to 2") && message.contains("cached_turn_count to 3"),
            "{message}"
        );
        // The same as if the caller had counted them.
        let mut counted = full();
        counted["cached_turn_count"] = json!(3);
        assert_eq!(moved.request, layered(&counted).request);
        assert!(text(&moved, 0).contains("Much happened"));
    }
    document["cache_threshold"] = json!(5000);
    let below = layered(&document);
    assert_eq!(codes(&below), Vec::<&str>::new());
    assert_eq!(below.layers[2].contents.len(), 5);
}

#[test]
fn a_call_and_its_response_are_never_parted_by_the_cache() {
    let mut document = full();
    document["cached_turn_count"] = json!(5);
    let kept = layered(&document);
    document["cached_turn_count"] = json!(4);
    assert_eq!(kept.request, layered(&document).request);
    let last = kept.layers[3].contents[0];
    let response = &kept.request["contents"][last]["parts"][0]["functionResponse"];
    assert_eq!(response["name"], json!("read_file"));
}

#[test]
fn settings_the_api_does_not_have_are_left_out_and_each_is_said() {
    let mut document = full();
    document["generation"] = json!({
        "temperature": 0.4, "retries": 3, "timeout_ms": 1000, "repeat_penalty": 1.1,
        "a/b": 1, "top_k": null, "thinking_config": {"thinkingLevel": "low"},
    });
    let found = layered(&document);
    assert_eq!(
        found.request["generationConfig"],
        json!({"temperature": 0.4, "thinkingConfig": {"thinkingLevel": "low"}})
    );
    let said = found
        .diagnostics
        .iter()
        .map(|own| (own.code, own.severity, own.pointer.as_str()));
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            ("generation-key", Severity::Note, "/generation/retries"),
            ("generation-key", Severity::Note, "/generation/timeout_ms"),
            (
                "generation-key",
                Severity::Warning,
                "/generation/repeat_penalty"
            ),
            ("generation-key", Severity::Warning, "/generation/a~1b"),
        ]
    );
    document["generation"] = json!({"retries": 3});
    assert!(!layered(&document).request.contains_key("generationConfig"));
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
    let noted = turns(r#"{"name": "read_file", "args": {"path": "a"}}"#);
    assert_eq!(
        noted.request["contents"][2],
        json!({"role": "model", "parts": [{"functionCall": {"name": "read_file", "args": {"path": "a"}}}]})
    );
    assert_eq!(noted.request["contents"][3]["parts"], json!([answer]));
    assert_eq!(codes(&noted), ["signature-missing"]);
    let words = turns("read_file(a)");
    assert_eq!(
        words.request["contents"][2]["parts"],
        json!([{"text": "read_file(a)"}, {"functionCall": {"name": "read_file", "args": {}}}])
    );
    assert_eq!(words.request["contents"][3]["parts"], json!([answer]));
    assert_eq!(codes(&words), ["call-rebuilt", "signature-missing"]);
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
    assert_eq!(codes(&found), ["orphan-response"]);
    assert_eq!(text(&found, 2), r#"The tool f answered: {"n":1}"#);
    assert_eq!(contents_of(&found), [vec![], vec![0], vec![1], vec![2]]);
}
