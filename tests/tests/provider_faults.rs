//! Every fault of a provider, plain and streamed, on every kind of server that can have it.

use std::{
    cell::Cell,
    net::TcpListener,
    time::{Duration, Instant},
};

use promptdeck_provider::{Watch, retry::Retry, server::ServerKind};
use promptdeck_tests::{
    asking::{PLANTED_KEY, call, request, server, within},
    servers::{Canned, Untrusted, aimock},
};

/// The kinds that a mock server speaks.
const CHATS: [ServerKind; 3] = [ServerKind::Ollama, ServerKind::Openai, ServerKind::Gemini];

/// Both ways of calling; the text that must have arrived and the code.
fn check(address: &str, kinds: &[ServerKind], prompt: &str, text: &str, code: &str) {
    // Long enough for a busy machine, but for the one case that is about time.
    let timeout_ms = if code == "timeout" { 700 } else { 20_000 };
    for &kind in kinds {
        for streaming in [false, true] {
            let server = server(kind, address, Some(PLANTED_KEY));
            let outcome = call(&server, &request(prompt, 9, streaming), within(timeout_ms));
            let expect = (text.to_owned(), code);
            assert_eq!(
                outcome.told(),
                expect,
                "{kind} {prompt} streaming: {streaming}"
            );
        }
    }
}

#[test]
fn answers_that_are_none() {
    let check = |prompt, text, code| check(aimock(), &CHATS, prompt, text, code);
    check("case:plain", "Good evening, everyone.", "ok");
    check("case:401", "", "unauthorized");
    check("case:429", "", "rate_limited");
    check("case:500", "", "server");
    check("case:malformed", "", "garbage");
    check("case:disconnect", "", "cut");
    check("case:late", "", "timeout");
    check("case:nobody prepared this", "", "not_found");
}

/// Streams only: so many characters at least arrived, and they are the beginning of the text.
fn check_broken_off(prompt: &str, text: &str, least: usize, timeout_ms: u64, code: &str) {
    for kind in CHATS {
        let server = server(kind, aimock(), None);
        let outcome = call(&server, &request(prompt, 9, true), within(timeout_ms));
        let (arrived, told) = outcome.told();
        assert_eq!(told, code, "{kind} {prompt}");
        let is_beginning = text.starts_with(&arrived) && arrived.len() >= least;
        assert!(is_beginning, "{kind}: {arrived:?}");
    }
}

#[test]
fn streams_that_break_off_keep_what_arrived() {
    check_broken_off("case:cut", "This one breaks off", 5, 5000, "cut");
    // 200 ms between two pieces, of which 150 are allowed; OpenAI's first one has no text.
    check_broken_off("case:drip", "This one takes", 0, 5000, "timeout");
    // 100 ms between two pieces, but never done in time.
    check_broken_off("case:slow", "This one takes for ever", 2, 900, "timeout");
}

#[test]
fn usage_and_finish_are_read() {
    // The mock's Ollama counts nothing.
    for kind in [ServerKind::Openai, ServerKind::Gemini] {
        for streaming in [false, true] {
            let server = server(kind, aimock(), None);
            let outcome = call(
                &server,
                &request("case:counted", 9, streaming),
                within(2000),
            );
            let answer = outcome.end.expect("an answer");
            let usage = &answer.usage;
            let counts = (usage.prompt_tokens, usage.completion_tokens);
            assert_eq!(counts, (Some(11), Some(3)), "{kind} streaming: {streaming}");
            assert!(answer.finish.is_some());
        }
    }
}

#[test]
fn timings_of_zero_are_no_timings() {
    for streaming in [false, true] {
        let server = server(ServerKind::Ollama, aimock(), None);
        let outcome = call(&server, &request("case:plain", 9, streaming), within(2000));
        let answer = outcome.end.expect("an answer");
        assert!(
            answer.timing.total_ms > Some(0.0),
            "measured here: {:?}",
            answer.timing
        );
        assert_eq!(answer.timing.tokens_per_second(&answer.usage), None);
    }
}

#[test]
fn a_stop_ends_a_call_at_once() {
    for kind in CHATS {
        for (prompt, streaming) in [
            ("case:late", false),
            ("case:late", true),
            ("case:slow", true),
        ] {
            let server = server(kind, aimock(), None);
            let begun = Instant::now();
            let is_stopped = || begun.elapsed() > Duration::from_millis(250);
            let watch = Watch {
                timeout: Duration::from_secs(30),
                is_stopped: &is_stopped,
            };
            let outcome = call(&server, &request(prompt, 9, streaming), watch);
            assert_eq!(outcome.told().1, "cancelled", "{kind} {prompt}");
            assert!(
                begun.elapsed() < Duration::from_secs(2),
                "{:?}",
                begun.elapsed()
            );
        }
    }
}

#[test]
fn a_stop_before_the_call_sends_nothing() {
    let listener = Canned::answering("200 OK", "", "{}");
    let watch = Watch {
        timeout: Duration::from_secs(30),
        is_stopped: &|| true,
    };
    let server = server(ServerKind::Ollama, listener.address(), None);
    let outcome = call(&server, &request("hello", 1, false), watch);
    assert_eq!(outcome.told().1, "cancelled");
    assert_eq!(listener.requests(), Vec::<String>::new());
}

#[test]
fn hosts_that_cannot_be_reached() {
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let closed = format!("http://{}", closed.expect("a port that was free"));
    check(&closed, &ServerKind::ALL, "hello", "", "refused");
    check(
        "http://nobody.invalid:1",
        &ServerKind::ALL,
        "hello",
        "",
        "dns",
    );
    check(
        &Untrusted::start().address(),
        &ServerKind::ALL,
        "hello",
        "",
        "tls",
    );
    let not_encrypted = aimock().replace("http:", "https:");
    check(&not_encrypted, &ServerKind::ALL, "hello", "", "tls");
}

#[test]
fn answers_without_end_are_not_kept() {
    let check_kinds = |kind, piece, kinds: &[ServerKind]| {
        check(
            Canned::endless(kind, piece).address(),
            kinds,
            "hello",
            "",
            "too_large",
        );
    };
    let others = [
        ServerKind::Openai,
        ServerKind::Completions,
        ServerKind::Gemini,
    ];
    check_kinds("application/json", "[[[[[[[[", &others);
    check_kinds("text/event-stream", "data: x", &others);
    check_kinds("text/event-stream", "data: x\n", &others);
    check_kinds("text/event-stream", ": nothing but comments\n\n", &others);
    check_kinds("application/x-ndjson", "[[[[[[[[", &[ServerKind::Ollama]);
    check_kinds("application/x-ndjson", "\n\n\n\n", &[ServerKind::Ollama]);
}

#[test]
fn garbage() {
    let check = |kind: &str, body: &str, kinds: &[ServerKind]| {
        let head = format!("Content-Type: {kind}\r\n");
        let listener = Canned::answering("200 OK", &head, body);
        check(listener.address(), kinds, "hello", "", "garbage");
    };
    check("text/html", "<html>Log in, please</html>", &ServerKind::ALL);
    check("application/json", "[]", &ServerKind::ALL);
    check(
        "application/json",
        r#"{"choices": "many"}"#,
        &ServerKind::ALL,
    );
    check("application/json", "\"\u{fffd}\"", &ServerKind::ALL);
}

#[test]
fn keys_never_follow_to_another_origin() {
    let elsewhere = Canned::answering("200 OK", "", "{}");
    for kind in ServerKind::ALL {
        for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
            let location = format!("Location: {}/?secret=1\r\n", elsewhere.address());
            let listener = Canned::answering(status, &location, "");
            check(listener.address(), &[kind], "hello", "", "redirected");
            let sent = listener.requests();
            assert!(sent.iter().all(|head| head.contains(PLANTED_KEY)), "{kind}");
        }
    }
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
}

#[test]
fn a_busy_server_is_tried_again_after_the_time_it_asks_for() {
    for kind in CHATS {
        let prompt = format!("case:busy for {kind}");
        let server = server(kind, aimock(), None);
        let begun = Instant::now();
        let calls = Cell::new(0);
        let (end, overcome) = Retry::default().run(&mut || 0.0, &|| false, &|| true, || {
            calls.set(calls.get() + 1);
            call(&server, &request(&prompt, 9, false), within(2000)).end
        });
        assert_eq!(end.expect("an answer").text, "Here at last.");
        assert_eq!(overcome.len() + 1, calls.get(), "{kind}");
        if let Some(fault) = overcome.first() {
            assert_eq!(fault.code(), "rate_limited");
            assert!(begun.elapsed() >= Duration::from_secs(1));
        }
    }
}
