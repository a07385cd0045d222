//! `history`, `arguments`, `layers` and `request`: single documents and batches.

use serde_json::{Value, json};

use crate::program::{Folder, Run};

/// The answers to lines, one per line.
#[track_caller]
fn batch(verb: &str, lines: &[&str]) -> Vec<Value> {
    let run = Folder::new().run_with(&[verb, "--batch"], &format!("{}\n", lines.join("\n")));
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let failed = answers.iter().any(|answer| answer["ok"] == json!(false));
    assert_eq!(
        (run.status, run.err.as_str()),
        (i32::from(failed), ""),
        "{run:?}"
    );
    assert_eq!(answers.len(), lines.len());
    answers
}

fn single(args: &[&str], document: &Value) -> Run {
    Folder::new().run_with(args, &document.to_string())
}

const UNANSWERED: &str = r#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"t1"}]}]}"#;

#[test]
fn histories_are_judged_line_by_line() {
    let follow_up = UNANSWERED.replace("]}]}", r#"]}],"follow_up":true}"#);
    let answers = batch(
        "history",
        &[
            UNANSWERED,
            "[]",
            r#"{"messages":[]}"#,
            &follow_up,
            r#"{"messages":[1]}"#,
        ],
    );
    assert_eq!(
        answers[0],
        json!({"ok": true, "valid": false, "violations": [{
            "rule": "tool_call_unanswered", "index": 1,
            "message": "message 2: no result follows tool call \"t1\"; add a tool message for each, directly after",
        }]})
    );
    assert_eq!(answers[1]["error"]["code"], json!("invalid_line"));
    assert_eq!(
        answers[2],
        json!({"ok": true, "valid": true, "violations": []})
    );
    assert_eq!(
        answers[3],
        json!({"ok": true, "valid": true, "violations": []})
    );
    assert_eq!(answers[4]["error"]["code"], json!("not_a_message"));
}

#[test]
fn a_refused_history_is_exit_status_1() {
    let document: Value = serde_json::from_str(UNANSWERED).expect("JSON");
    let run = single(&["history", "-"], &document);
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            1,
            "tool_call_unanswered: message 2: no result follows tool call \"t1\"; add a tool message for each, directly after\n"
        )
    );
    let run = single(&["history", "-"], &json!({"messages": []}));
    assert_eq!((run.status, run.out.as_str()), (0, "valid\n"));
    assert_eq!(single(&["history", "-"], &json!({})).status, 2);
}

#[test]
fn arguments_are_built_and_templates_rendered_line_by_line() {
    let answers = batch(
        "arguments",
        &[
            r#"{"now":"2026-03-04T05:06:07Z","assistant":{"id":42},"args":{"name":"Bob"},"defaults":{"tone":"warm"}}"#,
            r#"{"now":"2026-03-04T05:06:07Z","args":{"name":"{{ x }}"},"template":"{{ name }} {% autoescape on %}{{ lt }}{% endautoescape %}","defaults":{"lt":"<"}}"#,
            r#"{"now":"2026-03-04T05:06:07Z","template":"a\n{{ x|nosuch }}"}"#,
            r#"{"args":{}}"#,
        ],
    );
    let context = &answers[0]["context"];
    assert_eq!(
        context["system"]["date_rfc1123"],
        json!("Wed, 04 Mar 2026 05:06:07 UTC")
    );
    assert_eq!(context["assistant"], json!({"id": "42"}));
    assert_eq!(
        (&context["name"], &context["args"]["name"], &context["tone"]),
        (&json!("Bob"), &json!("Bob"), &json!("warm"))
    );
    assert_eq!(
        answers[1],
        json!({"ok": true, "output": "{{ x }} &lt;", "error": null})
    );
    assert_eq!(answers[2]["output"], json!("a\n{{ x|nosuch }}"));
    let error = &answers[2]["error"];
    assert_eq!(
        (&error["kind"], &error["line"], &error["column"]),
        (&json!("unknown_filter"), &json!(2), &json!(6))
    );
    assert_eq!(answers[3]["error"]["code"], json!("wrong_type"));
    let hidden = "{\"now\":\"2026-03-04T05:06:07Z\",\"args\":{\"system\":1}}\n";
    let run = Folder::new().run_with(&["arguments", "--batch"], hidden);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["diagnostics"][0]["code"], json!("argument_hidden"));
    let warning = "warning: line 1: the argument \"system\" has the name of a namespace";
    assert!(run.err.starts_with(warning), "{run:?}");
}

#[test]
fn a_template_that_fails_is_printed_as_it_is() {
    let run = single(
        &["arguments", "-"],
        &json!({"now": "2026-03-04", "template": "{{ x"}),
    );
    assert_eq!((run.status, run.out.as_str()), (1, "{{ x\n"));
    assert!(run.err.contains("line 1, column"), "{}", run.err);
}

#[test]
fn sessions_are_layered_line_by_line() {
    let answers = batch(
        "layers",
        &[
            r#"{"model":"gemini-3-pro","now":"2026-01-15T10:30:00Z","roles":["You dig"],"turns":[{"type":"user_task","instruction":"dig"}]}"#,
            r#"{"model":"gemini-3-pro"}"#,
        ],
    );
    let (answer, layers) = (&answers[0], &answers[0]["layers"]);
    assert_eq!(answer["ok"], json!(true));
    assert_eq!(answer["diagnostics"], json!([]));
    let names: Vec<&Value> = (0..4).map(|index| &layers[index]["name"]).collect();
    assert_eq!(names, ["static", "dynamic", "buffered", "trigger"]);
    assert_eq!(layers[0]["contents"], json!([0]));
    assert_eq!(layers[3]["contents"], json!([2]));
    assert_eq!(
        answer["request"]["contents"][2],
        json!({"role": "user", "parts": [{"text": "dig"}]})
    );
    assert_eq!(answers[1]["error"]["code"], json!("wrong_type"));
}

const CALL: &str = r#"{"registry": {"template_engine": "jinja", "assembly_order": ["base_context"], "base_context": {"items": [{"id": "a", "text": "You help {{ args.name }}."}]}, "generation": {"model": "m"}},
 "now": "2026-01-15T10:30:00Z", "args": {"name": "Bob"}, "history": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}], "message": {"text": "go"}}"#;

#[test]
fn a_call_makes_a_request_for_each_receiver() {
    let folder = Folder::new();
    folder.write("call.json", CALL);
    folder.write(
        "plain.jinja",
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ eos_token }}",
    );

    let run = folder.run(&["request", "call.json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let body: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        body,
        json!({"model": "m", "messages": [
        {"role": "system", "content": "You help Bob."}, {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "ho"}, {"role": "user", "content": "go"}]})
    );

    let run = folder.run(&[
        "request",
        "call.json",
        "--target",
        "gemini",
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["layers"].as_array().map(Vec::len), Some(4));
    assert_eq!(answer["trace"][2]["stage"], json!("validate_history"));

    let run = folder.run(&[
        "request",
        "call.json",
        "--target",
        "chat-template",
        "--template",
        "plain.jinja",
        "--eos",
        "</s>",
    ]);
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            0,
            "<system>You help Bob.<user>hi<assistant>ho<user>go</s>\n"
        )
    );
    let chat = ["request", "call.json", "--target", "chat-template"];
    let run = folder.run(&[&chat[..], &["--family", "chatml"]].concat());
    assert_eq!(
        (run.status, run.out.as_str()),
        (
            0,
            "<|im_start|>system\nYou help Bob.<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n\
             <|im_start|>assistant\nho<|im_end|>\n<|im_start|>user\ngo<|im_end|>\n\
             <|im_start|>assistant\n"
        )
    );
    folder.write(
        "call.json",
        CALL.replacen('{', r#"{"tools": [{"name": "read_score"}], "#, 1),
    );
    let run = folder.run(&[&chat[..], &["--template", "plain.jinja"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        run.out.starts_with("<system>You help Bob.\n\nYou can call")
            && run.out.contains(r#"{"name": "read_score""#),
        "{}",
        run.out
    );
    assert!(
        run.err.starts_with("note: ") && run.err.contains("(tools_into_system)"),
        "{}",
        run.err
    );

    folder.write(
        "clock.jinja",
        "{{ bos_token }}{{ strftime_now('%d %b %Y %H:%M') }}",
    );
    folder.write(
        "tokenizer_config.json",
        r#"{"bos_token": "<s>", "chat_template": "{{ bos_token }}{{ strftime_now('%H:%M') }}"}"#,
    );
    let local = |template: &str| {
        let mut command = folder.command(&[&chat[..], &["--template", template]].concat());
        let output = command.env("TZ", "AAA-14").output().expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert_eq!(local("clock.jinja"), "16 Jan 2026 00:30\n");
    assert_eq!(local("."), "<s>00:30\n");

    let nowhere = folder.run(&chat);
    assert_eq!(nowhere.status, 2);
    assert!(nowhere.err.contains("--family"), "{}", nowhere.err);
}

#[test]
fn the_chat_template_is_given_reasoning_under_its_one_name_where_that_is_asked() {
    let folder = Folder::new();
    folder.write(
        "t.jinja",
        "{% for m in messages %}{{ m.keys() | join(' ') }};{% endfor %}",
    );
    let answer = r#"{"role": "assistant", "content": "ho"}"#;
    assert!(CALL.contains(answer), "the call has an answer");
    let reasoned = r#"{"role": "assistant", "content": "ho", "reasoning_content": "R"}"#;
    folder.write("call.json", CALL.replace(answer, reasoned));
    let chat = ["request", "call.json", "--target", "chat-template"];
    let template = [&chat[..], &["--template", "t.jinja"]].concat();
    let aliased = folder.run(&template).out;
    assert!(
        aliased.contains("thinking role content reasoning_content;"),
        "{aliased}"
    );
    let alone = folder
        .run(&[&template[..], &["--no-alias-reasoning"]].concat())
        .out;
    assert_eq!(alone, aliased.replace("thinking ", ""));
    // A built-in format finds reasoning itself, so the flag has no effect and is rejected.
    let family = ["--family", "chatml", "--no-alias-reasoning"];
    assert_eq!(folder.run(&[&chat[..], &family].concat()).status, 2);
}

#[test]
fn the_cache_view_names_the_argument_that_changed() {
    let folder = Folder::new();
    folder.write("call.json", CALL);
    folder.write("other.json", CALL.replace("Bob", "Eve"));
    let run = folder.run(&[
        "request",
        "other.json",
        "--against",
        "call.json",
        "--format",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let view = &answer["cache_view"];
    assert_eq!(view["shared_chars"], json!("You help ".len()));
    assert_eq!(
        view["first_change"]["source"],
        json!("{{ args.name }} in section base_context, item a, field text")
    );
    assert_eq!(
        view["first_change"]["origin"]["expression"],
        json!("args.name")
    );
}

#[test]
fn a_template_without_end_is_stopped_in_plain_words() {
    let nested = "{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}";
    let document = json!({"now": "2026-01-15T10:30:00Z", "template": nested});
    let run = single(&["arguments", "-"], &document);
    assert_eq!(run.status, 1, "{}", run.err);
    let expected = "the template takes too many steps and was stopped";
    assert!(run.err.contains(expected), "{}", run.err);
}

#[test]
fn two_calls_are_compared_in_the_same_roll() {
    let folder = Folder::new();
    let items: Vec<Value> = (0..100)
        .map(|id| json!({"id": id.to_string(), "text": format!("Item {id}.")}))
        .collect();
    let registry = json!({"assembly_order": ["a"], "a": {"section_random": true, "items": items}});
    let call = json!({"registry": registry, "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let run = folder.run(&["request", "call.json", "--against", "call.json"]);
    assert!(run.err.contains("nothing changed"), "{run:?}");
    let mut seeded = call;
    seeded["seed"] = json!(7);
    folder.write("seeded.json", seeded.to_string());
    let run = folder.run(&["request", "seeded.json", "--against", "call.json"]);
    assert!(run.err.contains("nothing changed"), "{run:?}");
}

#[test]
fn a_follow_up_sends_the_responses_of_tools_for_the_same_message() {
    let folder = Folder::new();
    folder.write("call.json", CALL);
    let turn = |id: &str| {
        json!({"messages": [
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": id, "content": "nobody"},
        ]})
    };
    let run = |id: &str| {
        folder.write("turn.json", turn(id).to_string());
        folder.run(&["request", "call.json", "--follow-up", "turn.json"])
    };
    let first: Value =
        serde_json::from_str(&folder.run(&["request", "call.json"]).out).expect("JSON");
    let sent = run("t1");
    assert_eq!((sent.status, sent.err.as_str()), (0, ""));
    let body: Value = serde_json::from_str(&sent.out).expect("JSON");
    let messages = body["messages"].as_array().expect("messages");
    let before = first["messages"].as_array().expect("messages");
    assert_eq!(messages[..before.len()], before[..]);
    assert_eq!(json!(messages[before.len()..]), turn("t1")["messages"]);

    let refused = run("t2");
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("t1"), "{}", refused.err);

    folder.write("turn.json", r#"{"messages": []}"#);
    let empty = folder.run(&["request", "call.json", "--follow-up", "turn.json"]);
    assert_eq!(empty.status, 2);
    assert!(
        empty
            .err
            .contains("turn.json: there is no message to send back"),
        "{}",
        empty.err
    );
}

#[test]
fn a_call_that_cannot_be_sent_says_why() {
    let folder = Folder::new();
    folder.write(
        "call.json",
        CALL.replace(
            r#"{"role": "assistant", "content": "ho"}"#,
            r#"{"role": "tool", "tool_call_id": "t1"}"#,
        ),
    );
    let run = folder.run(&["request", "call.json"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("call.json: message 2: ") && !run.err.contains("validate_history"),
        "{}",
        run.err
    );

    folder.write("call.json", CALL.replace("{{ args.name }}", "{{ args.name"));
    let run = folder.run(&["request", "call.json"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(
        run.err.contains("call.json: the prompt is not rendered: "),
        "{}",
        run.err
    );

    folder.write("call.json", "{\"args\": []}");
    let run = folder.run(&["request", "call.json"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("call.json: line 1, column 10: /args"),
        "{}",
        run.err
    );
}

/// Every document with a `now` accepts the same notations.
#[test]
fn now_is_read_alike_everywhere() {
    let folder = Folder::new();
    for (now, known) in [
        ("2026-01-15T10:30:00Z", true),
        ("2026-01-15T10:30:00+02:00", true),
        ("2026-01-15T10:30:00+0200", true),
        ("2026-01-15T10:30:00,5Z", true),
        ("2026-01-15 10:30", true),
        ("2026-01-15", true),
        ("20260115T103000Z", true),
        ("2026-13-15", false),
        ("yesterday", false),
        ("", false),
    ] {
        for (args, document) in [
            (&["chat", "render"][..], json!({"messages": [], "now": now})),
            (&["arguments"], json!({"now": now})),
            (&["layers"], json!({"turns": [], "now": now})),
            (&["request"], json!({"now": now})),
        ] {
            folder.write("doc.json", document.to_string());
            let run = folder.run(&[args, &["doc.json"]].concat());
            assert_eq!(run.status == 0, known, "{args:?} {now:?}: {run:?}");
            if !known {
                run.refuses(2, &["doc.json: ", "/now: ", "is not a date and time"]);
            }
        }
    }
}

#[test]
fn an_error_in_a_request_is_exit_status_1() {
    // Gemini 3 refuses a call in progress without the signature that came with it.
    let folder = Folder::new();
    let call = json!({"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let history = json!([
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "{}"},
    ]);
    let document = |model: &str| {
        let layers = json!({"model": model});
        let document = json!({"history": history, "layers": layers});
        serde_json::to_string_pretty(&document).expect("JSON")
    };
    let gemini = ["request", "call.json", "--target", "gemini"];
    folder.write("call.json", document("gemini-3-pro-preview"));
    let run = folder.run(&gemini);
    assert_eq!(run.status, 1, "{}", run.err);
    let expected = "error: call.json: line 7, column 5: message 2, the latest of the model's, is sent \
                    without its thought signature: ";
    assert!(run.err.starts_with(expected), "{}", run.err);
    assert!(run.out.contains("\"contents\""), "{}", run.out);
    assert_eq!(folder.run(&["request", "call.json"]).status, 0);
    let report = folder
        .run(&[&gemini[..], &["--format", "json"]].concat())
        .out;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let found = &report["diagnostics"][0];
    assert_eq!(
        (&found["pointer"], &found["place"]["line"]),
        (&json!("/history/1"), &json!(7)),
        "{report}"
    );
    // An older model takes it, and each takes an answer in words.
    folder.write("call.json", document("gemini-2.5-flash"));
    let run = folder.run(&gemini);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        run.err.starts_with("warning: call.json: line 7, "),
        "{}",
        run.err
    );
    folder.write("call.json", CALL);
    let run = folder.run(&gemini);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        run.err
            .starts_with("warning: call.json: line 2, column 105: message 2, "),
        "{}",
        run.err
    );

    let session = json!({"model": "gemini-3-pro-preview", "turns": [
        {"type": "function_calling", "response": "f()"},
        {"type": "tool_response", "name": "f", "response": {}}
    ]});
    for format in ["text", "json"] {
        let run = single(&["layers", "-", "--format", format], &session);
        assert_eq!(run.status, 1, "{}", run.err);
    }
    let plain = json!({"turns": [{"type": "user_task", "instruction": "go"}]});
    assert_eq!(single(&["layers", "-"], &plain).status, 0);
}

#[test]
fn the_shipped_call_documents_make_clean_requests() {
    let calls = concat!(env!("CARGO_MANIFEST_DIR"), "/../../registries/calls");
    for name in ["quiz_night.json", "concierge.json"] {
        for target in ["openai", "gemini"] {
            let path = format!("{calls}/{name}");
            let run = Folder::new().run(&["request", &path, "--target", target]);
            assert_eq!(run.status, 0, "{name} {target}: {}", run.err);
            let odd = run.err.lines().find(|line| !line.starts_with("note: "));
            assert_eq!(odd, None, "{name} {target}");
        }
    }
}

#[test]
fn a_family_that_thinks_closes_its_think_block_until_it_is_let_think() {
    let folder = Folder::new();
    folder.write("call.json", CALL);
    let closed = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    let request = ["request", "call.json", "--target", "chat-template"];
    let family = ["--family", "QWEN_3_X"];
    let ends = |args: &[&str], end: &str| {
        let run = folder.run(args);
        assert!(run.status == 0 && run.out.ends_with(end), "{run:?}");
    };
    ends(&[&request[..], &family].concat(), closed);
    let open = "<|im_start|>assistant\n";
    ends(&[&request[..], &family, &["--thinking"]].concat(), open);
    folder.write("call.json", CALL.replacen('{', "{\"thinking\": true, ", 1));
    ends(&[&request[..], &family].concat(), open);
    folder.write("think.jinja", "{{ enable_thinking }}");
    ends(
        &[&request[..], &["--template", "think.jinja"]].concat(),
        "True\n",
    );
    folder.write("call.json", CALL.replacen('{', "{\"thinking\": 1, ", 1));
    assert_eq!(folder.run(&request).status, 2);
}
