//! The providers against a real llama.cpp server.

use std::sync::OnceLock;

use promptdeck_provider::server::{Server, ServerKind};
use promptdeck_tests::{
    asking::{PLANTED_KEY, call, request, server, within},
    servers::Llama,
};

/// The two calls of OpenAI that it answers.
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
        let plain = call(&server, &request("hello", 12, false), within(20_000));
        let streamed = call(&server, &request("hello", 12, true), within(20_000));
        assert_eq!(plain.told(), streamed.told(), "{kind}");
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
        let outcome = call(server, &request(prompt, 1, streaming), within(20_000));
        assert_eq!(outcome.told().1, code, "{server:?}");
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
            .call(&request("hello", 450, true), within(20_000), &mut |_| {
                pieces += 1;
                if pieces == 3 {
                    llama.kill();
                }
            })
            .expect_err("its end never came");
        assert_eq!((fault.code(), pieces >= 3), ("cut", true), "{fault}");
        check_fault(&server, "hello", "refused");
    }
}

#[test]
fn models_are_listed() {
    let models = with_key(ServerKind::Openai).models(within(5_000));
    assert_eq!(models, Ok(vec!["tiny".to_owned()]));
    let refused = server(ServerKind::Openai, address(), None).models(within(5_000));
    assert_eq!(refused.map_err(|fault| fault.code()), Err("unauthorized"));
}
