//! Tests the providers with a real llama.cpp server.

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::OnceLock,
};

use promptdeck_chat as chat;
use promptdeck_jinja::Template;
use promptdeck_provider::server::{Server, ServerKind};
use promptdeck_tests::{
    provider_fixture::{PLANTED_KEY, call, limits_with_timeout, request, server},
    servers::Llama,
};
use serde_json::{Value, json};

/// The two OpenAI calls that the server supports.
const KINDS: [ServerKind; 2] = [ServerKind::Openai, ServerKind::Completions];

fn address() -> &'static str {
    static SHARED: OnceLock<Llama> = OnceLock::new();
    SHARED
        .get_or_init(|| Llama::start(Some(PLANTED_KEY)))
        .address()
}

fn with_key(kind: ServerKind) -> Server {
    server(kind, address(), Some(PLANTED_KEY))
}

#[test]
fn plain_and_streamed_answers_agree() {
    for kind in KINDS {
        let server = with_key(kind);
        let plain = call(
            &server,
            &request("hello", 12, false),
            limits_with_timeout(20_000),
        );
        let streamed = call(
            &server,
            &request("hello", 12, true),
            limits_with_timeout(20_000),
        );
        assert_eq!(plain.text_and_code(), streamed.text_and_code(), "{kind}");
        assert!(streamed.pieces.len() > 6, "{kind}: {:?}", streamed.pieces);
        for answer in [plain.end, streamed.end] {
            let answer = answer.expect("an answer");
            let usage = &answer.usage;
            assert_eq!(usage.completion_tokens, Some(12), "{kind}");
            assert!(usage.prompt_tokens > Some(1), "{kind}");
            assert_eq!(answer.finish.as_deref(), Some("length"));
            let timing = &answer.timing;
            for ms in [timing.total_ms, timing.prompt_ms, timing.generation_ms] {
                assert!(ms > Some(0.0), "{kind}: {timing:?}");
            }
        }
    }
}

fn check_fault(server: &Server, prompt: &str, code: &str) {
    for streaming in [false, true] {
        let outcome = call(
            server,
            &request(prompt, 1, streaming),
            limits_with_timeout(20_000),
        );
        assert_eq!(outcome.text_and_code().1, code, "{server:?}");
    }
}

#[test]
fn refusals() {
    for kind in KINDS {
        check_fault(
            &server(kind, address(), Some("wrong")),
            "hello",
            "unauthorized",
        );
        check_fault(&server(kind, address(), None), "hello", "unauthorized");
        check_fault(
            &with_key(kind),
            &"red sun ".repeat(3000),
            "context_overflow",
        );
        check_fault(&with_key(kind), "", "ok");
    }
    check_fault(&with_key(ServerKind::Ollama), "hello", "not_found");
}

#[test]
fn a_server_killed_in_the_middle_is_a_cut() {
    for kind in KINDS {
        let mut llama = Llama::start(None);
        let server = server(kind, llama.address(), None);
        let mut pieces = 0;
        let fault = server
            .call(
                &request("hello", 450, true),
                limits_with_timeout(20_000),
                &mut |_| {
                    pieces += 1;
                    if pieces == 3 {
                        llama.kill();
                    }
                },
            )
            .expect_err("its end never came");
        assert_eq!((fault.code(), pieces >= 3), ("truncated", true), "{fault}");
        check_fault(&server, "hello", "refused");
    }
}

#[test]
fn models_are_listed() {
    let models = with_key(ServerKind::Openai).models(limits_with_timeout(5_000));
    assert_eq!(models, Ok(vec!["tiny".to_owned()]));
    let refused = server(ServerKind::Openai, address(), None).models(limits_with_timeout(5_000));
    assert_eq!(refused.map_err(|fault| fault.code()), Err("unauthorized"));
}

/// The server's answer at a path that no provider uses.
fn asked(method: &str, path: &str, body: &Value) -> Value {
    let host = address().trim_start_matches("http://");
    let body = body.to_string();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {PLANTED_KEY}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it hears");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (_, body) = answer.split_once("\r\n\r\n").expect("head and body");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn its_chat_template_renders_alike_here_and_there() {
    let props = asked("GET", "/props", &json!({}));
    let source = props["chat_template"].as_str().expect("a template");
    let template = Template::compile(source).expect("it compiles");
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    for messages in [
        vec![message("user", "Hello")],
        vec![
            message("system", "Be brief."),
            message("user", "Hi {{ x }} <|im_end|>"),
        ],
        vec![
            message("user", "One\n\ntwo"),
            message("assistant", "Three é 🂡"),
            message("user", "  "),
        ],
    ] {
        let theirs = asked("POST", "/apply-template", &json!({"messages": messages}));
        let request = chat::Request {
            add_generation_prompt: true,
            ..chat::Request::of(messages.clone())
        };
        let ours = request.render(&template).expect("it renders");
        assert_eq!(
            Some(ours.as_str()),
            theirs["prompt"].as_str(),
            "{messages:?}"
        );
    }
}
