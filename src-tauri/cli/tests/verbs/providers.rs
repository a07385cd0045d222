//! `run` against servers: requests, output, and that no key is printed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use promptdeck_tests::{
    provider_fixture::PLANTED_KEY,
    servers::{Canned, Untrusted, aimock},
};
use serde_json::{Value, json};

use crate::program::{Folder, Run};

/// A folder with a registry that has this prompt, and a model unless `generation` names one.
fn folder(prompt: &str, policy: &Value, generation: &Value) -> Folder {
    let folder = Folder::new();
    let mut generation = generation.clone();
    if generation["model"].is_null() {
        generation["model"] = json!("m");
    }
    let registry = json!({
        "assembly_order": ["greeting"],
        "greeting": {"required": true, "items": [{"id": "hello", "text": prompt}]},
        "output_policy": policy,
        "generation": generation,
    });
    folder.write("registry.json", registry.to_string());
    folder
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the program runs");
    Run {
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        status: output.status.code().expect("no signal ended it"),
    }
}

/// Runs the registry with a provider at a base URL, with a key in the environment that is allowed
/// for servers on this machine.
fn run(folder: &Folder, provider: &str, address: &str, more: &[&str]) -> Run {
    let mut args = vec!["run", "registry.json"];
    if !more.contains(&"--request") {
        args.extend(["--seed", "1"]);
    }
    args.extend(["--provider", provider, "--base-url", address]);
    args.extend(more);
    let variable = format!("PROMPTDECK_API_KEY_{}", provider.to_uppercase());
    let run = finish(
        folder
            .command(&args)
            .env(format!("{variable}_HOST"), "127.0.0.1")
            .env(variable, PLANTED_KEY),
    );
    assert!(!format!("{run:?}").contains(PLANTED_KEY), "{run:?}");
    run
}

const CHATS: [&str; 3] = ["ollama", "openai", "gemini"];

#[test]
fn texts_are_printed_plain_and_streamed() {
    let folder = folder("case:plain", &json!({}), &json!({}));
    for provider in CHATS {
        for more in [&[][..], &["--stream"]] {
            run(&folder, provider, aimock(), more).gives("Good evening, everyone.\n");
        }
    }
}

#[test]
fn pieces_and_result_as_lines_of_json() {
    let folder = folder(
        "case:plain",
        &json!({"strip_prefixes": ["good "]}),
        &json!({}),
    );
    let more = ["--stream", "--format", "json", "--model", "m"];
    let run = run(&folder, "openai", aimock(), &more);
    let lines: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (result, pieces) = lines.split_last().expect("lines");
    let heard: String = pieces
        .iter()
        .filter_map(|piece| piece["delta"].as_str())
        .collect();
    assert_eq!(heard, "Good evening, everyone.");
    assert_eq!(result["text"], json!("evening, everyone."));
    assert_eq!(result["attempts"][0]["raw"], json!(heard));
    assert_eq!(result["attempts"][0]["finish"], json!("stop"));
}

#[test]
fn a_rejected_text_ends_with_1() {
    let folder = folder(
        "case:plain",
        &json!({"max_length": 500, "min_length": 400}),
        &json!({"retries": 2}),
    );
    let run = run(&folder, "gemini", aimock(), &[]);
    assert_eq!(
        (run.out.as_str(), run.status),
        ("Good evening, everyone.\n", 1)
    );
    assert!(
        run.err.starts_with("rejected after 2 attempts: too short"),
        "{}",
        run.err
    );
}

#[test]
fn faults_end_with_2_and_one_line() {
    for (case, words) in [
        (
            "case:401",
            [
                "401 Incorrect API key provided: [key]",
                "set the connection's key",
            ],
        ),
        ("case:429", ["429 Slow down", "asks to wait 7 s"]),
        ("case:cut", ["broke off", "run it again"]),
        (
            "case:malformed",
            ["cannot be understood", "provider's kind"],
        ),
    ] {
        for provider in CHATS {
            let folder = folder(case, &json!({}), &json!({"timeout_ms": 20_000}));
            // The server demands a wait of 7 s twice, which is too long for a test.
            let more: &[&str] = if case == "case:cut" {
                &["--stream"]
            } else {
                &[]
            };
            if case == "case:429" && provider != "ollama" {
                continue;
            }
            let run = run(&folder, provider, aimock(), more);
            assert_eq!(run.status, 2, "{provider} {case}: {run:?}");
            let last = run.err.lines().last().unwrap_or_default();
            for word in words {
                assert!(last.contains(word), "{provider} {case}: {}", run.err);
            }
        }
    }
}

#[test]
fn seeds_are_run_one_after_the_other() {
    let folder = folder("case:plain", &json!({}), &json!({}));
    let run = run(
        &folder,
        "openai",
        aimock(),
        &["--repeat", "3", "--format", "json"],
    );
    let seeds: Vec<_> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["seed"].clone())
        .collect();
    assert_eq!(seeds, [json!(1), json!(2), json!(3)]);
}

#[test]
fn the_request_is_what_the_registry_says() {
    let listener = Canned::answering(
        "200 OK",
        "",
        r#"{"choices":[{"text":"ok","finish_reason":"stop"}]}"#,
    );
    let folder = folder(
        "Hello",
        &json!({}),
        &json!({"temperature": 0.25, "max_tokens": 7}),
    );
    folder.write("template.jinja", "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}");
    let more = ["--chat-template", "template.jinja", "--model", "tiny"];
    run(&folder, "completions", listener.address(), &more).gives("ok\n");
    let request = listener.requests().pop().expect("a request");
    let (head, body) = request.split_once("\r\n\r\n").expect("head and body");
    assert!(
        head.starts_with("POST /v1/completions HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(
        head.contains(&format!("authorization: Bearer {PLANTED_KEY}")),
        "{head}"
    );
    assert_eq!(
        serde_json::from_str::<Value>(body).expect("JSON"),
        json!({
            "prompt": "<user>Hello<assistant>",
            "model": "tiny",
            "stream": false,
            "temperature": 0.25,
            "max_tokens": 7,
        })
    );
}

/// Path of a template in `tests/chat-templates`.
fn template(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/chat-templates");
    folder.join(format!("{name}.jinja"))
}

/// The prompt sent from this time zone.
fn completed(folder: &Folder, zone: &str, more: &[&str]) -> String {
    let listener = Canned::answering(
        "200 OK",
        "",
        r#"{"choices":[{"text":"ok","finish_reason":"stop"}]}"#,
    );
    let mut args = vec!["run", "registry.json", "--provider", "completions"];
    args.extend(["--base-url", listener.address()]);
    args.extend(more);
    finish(folder.command(&args).env("TZ", zone)).gives("ok\n");
    let request = listener.requests().pop().expect("a request");
    let (_, body) = request.split_once("\r\n\r\n").expect("head and body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    body["prompt"].as_str().expect("a text").to_owned()
}

#[test]
fn a_template_gets_the_local_time_and_the_tokens_of_its_model() {
    let folder = folder("Hello", &json!({}), &json!({}));
    let today = |zone: &str, more: &[&str]| {
        let prompt = completed(&folder, zone, more);
        let (before, after) = prompt.split_once("Today Date: ").expect("a date");
        let (date, after) = after.split_once("\n\n").expect("an end");
        (before.to_owned(), date.to_owned(), after.to_owned())
    };
    let file = template("llama31");
    let alone = ["--chat-template", file.to_str().expect("a path")];
    // The dates in these two zones always differ.
    let (head, east, rest) = today("AAA-14", &alone);
    let (_, west, _) = today("BBB12", &alone);
    assert_ne!(east, west);
    assert!(
        head.starts_with("<|start_header_id|>system<|end_header_id|>\n\nCutting"),
        "{head}"
    );
    assert_eq!(
        rest,
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nHello<|eot_id|>\
         <|start_header_id|>assistant<|end_header_id|>\n\n"
    );

    fs::create_dir(folder.path("model")).expect("made");
    fs::copy(&file, folder.path("model/chat_template.jinja")).expect("copied");
    folder.write(
        "model/tokenizer_config.json",
        r#"{"bos_token": {"content": "<|begin_of_text|>"}}"#,
    );
    let model = ["--chat-template", "model"];
    let (head, ..) = today("UTC", &model);
    assert!(head.starts_with("<|begin_of_text|><|start"), "{head}");
    let (head, ..) = today("UTC", &[&model[..], &["--bos", "<s>"]].concat());
    assert!(head.starts_with("<s><|start"), "{head}");

    let qwen = template("qwen3");
    let more = ["--chat-template", qwen.to_str().expect("a path")];
    assert_eq!(
        completed(&folder, "UTC", &more),
        "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
    );
    assert_eq!(
        completed(&folder, "UTC", &[&more[..], &["--thinking=false"]].concat()),
        "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    );
}

#[test]
fn what_brings_no_template_is_refused() {
    let folder = folder("Hello", &json!({}), &json!({}));
    fs::create_dir(folder.path("model")).expect("made");
    folder.write("bad.jinja", b"{{ '\xff' }}");
    for (named, words) in [
        ("absent.jinja", "cannot read absent.jinja"),
        ("model", "model has no chat template"),
        ("bad.jinja", "is not UTF-8 text"),
    ] {
        let more = ["--chat-template", named];
        run(&folder, "completions", "http://model.invalid", &more).refuses(2, &[words]);
    }
}

/// Runs a raw completion through a template and returns how its answer is reported.
#[track_caller]
fn answered(template: &str, completion: &str, more: &[&str]) -> Run {
    let answer = json!({"choices": [{"text": completion, "finish_reason": "stop"}]}).to_string();
    let listener = Canned::answering("200 OK", "", &answer);
    let folder = folder("Hello", &json!({"min_length": 3}), &json!({"retries": 0}));
    folder.write("t.jinja", template);
    let more = [&["--chat-template", "t.jinja"], more].concat();
    run(&folder, "completions", listener.address(), &more)
}

/// A text that is too short for the policy of [`answered`].
const FINAL: &str = "<|start|>assistant<|channel|>final<|message|>No<|return|>";

#[test]
fn the_answer_of_a_raw_completion_is_taken_apart() {
    let channels = "{{ messages[0].content }}{# <|channel|>final #}";
    let completion = "<|channel|>analysis<|message|>Which?<|end|><|start|>assistant\
                <|channel|>final<|message|>Good evening.<|return|>";
    answered(channels, completion, &[]).gives("Good evening.\n");
    let run = answered(channels, completion, &["--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    let attempt = &report["attempts"][0];
    assert_eq!(attempt["raw"], json!(completion));
    assert_eq!(attempt["extracted"]["thinking"], json!("Which?"));

    // A tool call alone is no text to judge, as in the answer of a chat.
    let calling = "<|channel|>commentary to=functions.f<|message|>{\"a\": 1}<|call|>";
    let run = answered(channels, calling, &[]);
    assert_eq!((run.out.as_str(), run.status), ("\n", 0));
    let notes = "note: the answer calls f with {\"a\":1}\n\
                 note: the output policy judges texts: an answer of tool calls alone is not judged\n";
    assert_eq!(run.err, notes);
    // A final channel is a text, also beside a call.
    let run = answered(channels, &format!("{calling}{FINAL}"), &[]);
    assert_eq!((run.out.as_str(), run.status), ("No\n", 1));

    // A server that omits special tokens still yields a text.
    answered(channels, "Good evening.", &[]).gives("Good evening.\n");
    // Without channels the text is unchanged and thinking is reported beside it.
    let plain = "{{ messages[0].content }}";
    let run = answered(plain, "<think>Hm.</think>Yes.", &["--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["text"], json!("<think>Hm.</think>Yes."));
    assert_eq!(report["attempts"][0]["extracted"]["thinking"], json!("Hm."));
}

#[test]
fn an_empty_answer_is_accepted_with_a_warning_and_a_call_is_no_empty_answer() {
    let folder = folder("Hello", &json!({}), &json!({}));
    let tool_calls = |message: Value| {
        let answer = json!({"message": message, "done": true}).to_string();
        let listener = Canned::answering("200 OK", "", &answer);
        run(&folder, "ollama", listener.address(), &[])
    };
    let empty = tool_calls(json!({"content": ""}));
    assert_eq!(empty.status, 0);
    assert_eq!(
        empty.err,
        "warning: the model answered nothing; no rule of the output policy rejects that\n"
    );
    let call = json!({"function": {"name": "weather", "arguments": {"city": "Rome"}}});
    let calling = tool_calls(json!({"content": "", "tool_calls": [call]}));
    assert_eq!((calling.status, calling.err.lines().count()), (0, 1));
    assert!(
        calling
            .err
            .starts_with("note: the answer calls weather with {"),
        "{}",
        calling.err
    );
}

/// The path and body sent for a given request body.
fn sent(provider: &str, answer: &str, body: &Value, more: &[&str]) -> (String, Value) {
    let listener = Canned::answering("200 OK", "Content-Type: application/json\r\n", answer);
    let settings = json!({"temperature": 0.25, "max_tokens": 7, "model": "m"});
    let folder = folder("Hello", &json!({}), &settings);
    folder.write("body.json", body.to_string());
    let mut args = vec!["--request", "body.json"];
    args.extend(more);
    run(&folder, provider, listener.address(), &args).gives("ok\n");
    let request = listener.requests().pop().expect("a request");
    let (head, body) = request.split_once("\r\n\r\n").expect("head and body");
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    (path, serde_json::from_str(body).expect("JSON"))
}

#[test]
fn a_layered_body_is_sent_as_it_is_with_its_cached_content() {
    let layered = json!({
        "contents": [
            {"role": "user", "parts": [{"text": "{\"todos\":[]}"}]},
            {"role": "model", "parts": [{"text": "Yes.", "thoughtSignature": "AAE="}]},
            {"role": "user", "parts": [{"text": "Go on."}]},
        ],
        "cachedContent": "cachedContents/abc",
        "generationConfig": {"temperature": 0.9},
    });
    let answer = r#"{"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}]}"#;
    let mut expect = layered.clone();
    expect["generationConfig"]["maxOutputTokens"] = json!(7);
    let (path, body) = sent("gemini", answer, &layered, &["--model", "g-2"]);
    assert_eq!(
        (path.as_str(), body),
        ("/v1beta/models/g-2:generateContent", expect.clone())
    );
    let (path, body) = sent("gemini", answer, &layered, &["--stream"]);
    let streamed = "/v1beta/models/m:streamGenerateContent?alt=sse";
    assert_eq!((path.as_str(), body), (streamed, expect));
}

#[test]
fn a_conversation_is_sent_with_the_registrys_settings() {
    let messages =
        json!([{"role": "system", "content": "Hello"}, {"role": "user", "content": "?"}]);
    let given = json!({"model": "other", "messages": messages, "temperature": 0.5});
    let answer = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#;
    let (path, body) = sent("openai", answer, &given, &["--model", "named"]);
    let expect = json!({
        "model": "named", "messages": messages, "temperature": 0.5, "stream": false, "max_tokens": 7,
    });
    assert_eq!((path.as_str(), body), ("/v1/chat/completions", expect));
}

#[test]
fn a_body_that_is_too_long_is_not_sent() {
    let listener = Canned::answering("200 OK", "", "{}");
    let folder = folder("Hello", &json!({}), &json!({"max_prompt_chars": 20}));
    folder.write(
        "body.json",
        json!({"messages": [{"content": "x".repeat(21)}]}).to_string(),
    );
    run(
        &folder,
        "openai",
        listener.address(),
        &["--request", "body.json"],
    )
    .refuses(2, &["21 characters", "max_prompt_chars allows 20"]);
    folder.write("body.json", "[]");
    run(
        &folder,
        "openai",
        listener.address(),
        &["--request", "body.json"],
    )
    .refuses(2, &["a request body"]);
    assert_eq!(listener.requests(), Vec::<String>::new());
}

#[test]
fn proxies_of_the_environment_are_used() {
    let folder = folder("case:plain", &json!({}), &json!({}));
    let args = [
        "run",
        "registry.json",
        "--provider",
        "openai",
        "--base-url",
        "http://model.invalid",
    ];
    finish(folder.command(&args).env("http_proxy", aimock())).gives("Good evening, everyone.\n");
}

#[test]
fn a_certificate_that_is_trusted_here_is_accepted() {
    let server = Untrusted::start();
    let address = server.address();
    let folder = folder("Hello", &json!({}), &json!({"timeout_ms": 4000}));
    let args = [
        "run",
        "registry.json",
        "--provider",
        "ollama",
        "--base-url",
        &address,
    ];
    finish(&mut folder.command(&args)).refuses(2, &["the TLS connection is not trusted"]);
    // Its page is not a model's answer, but it arrived.
    let trusting = finish(
        folder
            .command(&args)
            .env("SSL_CERT_FILE", server.certificate()),
    );
    assert!(!trusting.err.contains("no trusted"), "{}", trusting.err);
}

#[test]
fn no_key_stays_behind() {
    let folder = folder("case:401", &json!({}), &json!({}));
    for provider in CHATS {
        run(&folder, provider, aimock(), &["--stream"]);
    }
    let store = folder.path("store.sqlite");
    assert_eq!(folder.run(&["snapshot", "save", "registry.json"]).status, 0);
    assert!(store.exists());
    for entry in fs::read_dir(store.parent().expect("a folder")).expect("readable") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).unwrap_or_default();
        let found = bytes
            .windows(PLANTED_KEY.len())
            .any(|window| window == PLANTED_KEY.as_bytes());
        assert!(!found, "{}", path.display());
    }
}

#[test]
fn a_key_in_the_base_url_is_refused_and_not_repeated() {
    let folder = folder("Hello", &json!({}), &json!({}));
    for address in [
        format!("https://me:{PLANTED_KEY}@host.invalid/v1"),
        format!("https://host.invalid/v1?key={PLANTED_KEY}"),
    ] {
        run(&folder, "openai", &address, &[]).refuses(2, &["store keys in the keyring"]);
    }
}
