//! Every provider fault, plain and streamed, on every kind of server that can have it. One test
//! covers all of them: each ends in a clear error, can be cancelled, and keeps the text received.
//! Further tests check the parts of answers besides their text.

use std::{
    cell::Cell,
    net::TcpListener,
    time::{Duration, Instant},
};

use promptdeck_provider::{CallLimits, server::ServerKind, transport_retry::Retry};
use promptdeck_tests::{
    provider_fixture::{PLANTED_KEY, call, calls, limits_with_timeout, request, server},
    servers::{Canned, Untrusted, aimock},
};

/// The kinds that a mock server supports.
const CHATS: [ServerKind; 3] = [ServerKind::Ollama, ServerKind::Openai, ServerKind::Gemini];

/// Every fault of a call to a model server.
#[test]
fn provider_faults_are_clear_errors_and_lose_nothing() {
    let begun = calls();
    for (what, faults) in FAULTS {
        let before = calls();
        faults();
        println!("{what}: {} calls", calls() - before);
    }
    println!("{} kinds of fault, {} calls", FAULTS.len(), calls() - begun);
}

/// The faults, each with its test.
const FAULTS: [(&str, fn()); 12] = [
    (
        "errors, faults and silence of a mock server",
        answers_that_are_none,
    ),
    (
        "streams that break off",
        streams_that_break_off_keep_what_arrived,
    ),
    ("stops in the middle", a_stop_ends_a_call_at_once),
    (
        "stops before the call",
        a_stop_before_the_call_sends_nothing,
    ),
    (
        "refused connections, DNS, TLS",
        hosts_that_cannot_be_reached,
    ),
    ("huge answers", answers_without_end_are_not_kept),
    ("garbage", garbage),
    ("statuses", statuses_of_every_kind_of_server),
    ("cut streams", a_stream_that_is_cut_keeps_what_arrived),
    (
        "slow drips",
        a_stream_that_drips_too_slowly_is_given_up_and_can_be_stopped,
    ),
    (
        "silence",
        silence_is_given_up_and_can_be_stopped_before_anything_was_said,
    ),
    ("redirects", keys_never_follow_to_another_origin),
];

/// Checks both ways of calling: the text that must have arrived and the code.
fn check(address: &str, kinds: &[ServerKind], prompt: &str, text: &str, code: &str) {
    // Long enough for a busy machine, except in the test of the timeout.
    let timeout_ms = if code == "timeout" { 700 } else { 20_000 };
    for &kind in kinds {
        for streaming in [false, true] {
            let server = server(kind, address, Some(PLANTED_KEY));
            let outcome = call(
                &server,
                &request(prompt, 9, streaming),
                limits_with_timeout(timeout_ms),
            );
            let expect = (text.to_owned(), code);
            assert_eq!(
                outcome.text_and_code(),
                expect,
                "{kind} {prompt} streaming: {streaming}"
            );
        }
    }
}

fn answers_that_are_none() {
    let check = |prompt, text, code| check(aimock(), &CHATS, prompt, text, code);
    check("case:plain", "Good evening, everyone.", "ok");
    check("case:401", "", "unauthorized");
    check("case:429", "", "rate_limited");
    check("case:500", "", "server");
    check("case:malformed", "", "invalid_response");
    check("case:disconnect", "", "truncated");
    check("case:late", "", "timeout");
    check("case:nobody prepared this", "", "not_found");
}

/// Streams only: at least this many characters arrived, and they are the start of the text.
fn check_broken_off(prompt: &str, text: &str, least: usize, timeout_ms: u64, code: &str) {
    for kind in CHATS {
        let server = server(kind, aimock(), None);
        let outcome = call(
            &server,
            &request(prompt, 9, true),
            limits_with_timeout(timeout_ms),
        );
        let (arrived, found) = outcome.text_and_code();
        assert_eq!(found, code, "{kind} {prompt}");
        let is_beginning = text.starts_with(&arrived) && arrived.len() >= least;
        assert!(is_beginning, "{kind}: {arrived:?}");
    }
}

fn streams_that_break_off_keep_what_arrived() {
    check_broken_off("case:cut", "This one breaks off", 5, 5000, "truncated");
    // 200 ms between two pieces with 150 allowed; OpenAI's first piece has no text.
    check_broken_off("case:drip", "This one takes", 0, 5000, "timeout");
    // 100 ms between two pieces, but too slow as a whole.
    check_broken_off("case:slow", "This one takes for ever", 2, 900, "timeout");
}

#[test]
fn usage_and_finish_are_read() {
    // The mock's Ollama sends no counts.
    for kind in [ServerKind::Openai, ServerKind::Gemini] {
        for streaming in [false, true] {
            let server = server(kind, aimock(), None);
            let outcome = call(
                &server,
                &request("case:counted", 9, streaming),
                limits_with_timeout(2000),
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
        let outcome = call(
            &server,
            &request("case:plain", 9, streaming),
            limits_with_timeout(2000),
        );
        let answer = outcome.end.expect("an answer");
        assert!(
            answer.timing.total_ms > Some(0.0),
            "measured here: {:?}",
            answer.timing
        );
        assert_eq!(answer.timing.tokens_per_second(&answer.usage), None);
    }
}

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
            let limits = CallLimits {
                timeout: Duration::from_secs(30),
                is_stopped: &is_stopped,
            };
            let outcome = call(&server, &request(prompt, 9, streaming), limits);
            assert_eq!(outcome.text_and_code().1, "cancelled", "{kind} {prompt}");
            assert!(
                begun.elapsed() < Duration::from_secs(2),
                "{:?}",
                begun.elapsed()
            );
        }
    }
}

fn a_stop_before_the_call_sends_nothing() {
    let listener = Canned::answering("200 OK", "", "{}");
    let limits = CallLimits {
        timeout: Duration::from_secs(30),
        is_stopped: &|| true,
    };
    let server = server(ServerKind::Ollama, listener.address(), None);
    let outcome = call(&server, &request("hello", 1, false), limits);
    assert_eq!(outcome.text_and_code().1, "cancelled");
    assert_eq!(listener.requests(), Vec::<String>::new());
}

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

fn garbage() {
    let check = |kind: &str, body: &str, kinds: &[ServerKind]| {
        let head = format!("Content-Type: {kind}\r\n");
        let listener = Canned::answering("200 OK", &head, body);
        check(listener.address(), kinds, "hello", "", "invalid_response");
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

/// One piece of text in a server kind's stream format.
fn piece(kind: ServerKind, text: &str) -> String {
    match kind {
        ServerKind::Ollama => {
            format!("{{\"message\":{{\"content\":\"{text}\"}},\"done\":false}}\n")
        }
        ServerKind::Openai => {
            format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
        }
        ServerKind::Completions => format!("data: {{\"choices\":[{{\"text\":\"{text}\"}}]}}\n\n"),
        ServerKind::Gemini => format!(
            "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{{\"text\":\"{text}\"}}]}}}}]}}\n\n"
        ),
    }
}

fn streamed_as(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::Ollama => "application/x-ndjson",
        _ => "text/event-stream",
    }
}

fn statuses_of_every_kind_of_server() {
    let error_body = format!(r#"{{"error":{{"message":"Not with {PLANTED_KEY}"}}}}"#);
    for (status, headers, code, wait_ms) in [
        ("401 Unauthorized", "", "unauthorized", None),
        ("403 Forbidden", "", "unauthorized", None),
        ("404 Not Found", "", "not_found", None),
        ("400 Bad Request", "", "bad_request", None),
        (
            "429 Too Many",
            "Retry-After: 7\r\n",
            "rate_limited",
            Some(7000),
        ),
        ("500 Oh No", "", "server", None),
        ("503 Later", "Retry-After: 2\r\n", "server", Some(2000)),
    ] {
        let listener = Canned::answering(status, headers, &error_body);
        for kind in ServerKind::ALL {
            for streaming in [false, true] {
                let server = server(kind, listener.address(), Some(PLANTED_KEY));
                let outcome = call(
                    &server,
                    &request("hello", 9, streaming),
                    limits_with_timeout(20_000),
                );
                let fault = outcome.end.expect_err(status);
                let wait = fault.retry_after.map(|wait| wait.as_millis());
                assert_eq!((fault.code(), wait), (code, wait_ms), "{kind} {status}");
                let found = fault.to_string();
                assert!(found.contains("Not with [key]"), "{kind} {status}: {found}");
                assert!(found.contains("; "), "no way out: {found}");
            }
        }
    }
}

fn a_stream_that_is_cut_keeps_what_arrived() {
    for kind in ServerKind::ALL {
        let pieces = vec![piece(kind, "Half "), piece(kind, "a text")];
        let listener = Canned::dripping(streamed_as(kind), pieces, Duration::ZERO);
        let server = server(kind, listener.address(), None);
        let outcome = call(
            &server,
            &request("hello", 9, true),
            limits_with_timeout(20_000),
        );
        assert_eq!(
            outcome.text_and_code(),
            ("Half a text".to_owned(), "truncated"),
            "{kind}"
        );
    }
}

fn a_stream_that_drips_too_slowly_is_given_up_and_can_be_stopped() {
    for kind in ServerKind::ALL {
        let pieces = (0..500).map(|_| piece(kind, "x")).collect();
        let pause = Duration::from_millis(40);
        let listener = Canned::dripping(streamed_as(kind), pieces, pause);
        let server = server(kind, listener.address(), None);
        let outcome = call(
            &server,
            &request("hello", 9, true),
            limits_with_timeout(700),
        );
        let (arrived, code) = outcome.text_and_code();
        assert_eq!(code, "timeout", "{kind}");
        assert!(arrived.starts_with('x'), "{kind}: {arrived:?}");
        let begun = Instant::now();
        let is_stopped = || begun.elapsed() > Duration::from_millis(400);
        let limits = CallLimits {
            timeout: Duration::from_secs(30),
            is_stopped: &is_stopped,
        };
        let outcome = call(&server, &request("hello", 9, true), limits);
        assert_eq!(outcome.text_and_code().1, "cancelled", "{kind}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{kind}");
    }
}

fn silence_is_given_up_and_can_be_stopped_before_anything_was_said() {
    let silent = Canned::silent();
    let encrypted = silent.address().replace("http:", "https:");
    for kind in ServerKind::ALL {
        for address in [silent.address(), &encrypted] {
            for streaming in [false, true] {
                let server = server(kind, address, None);
                let asked = request("hello", 9, streaming);
                assert_eq!(
                    call(&server, &asked, limits_with_timeout(300))
                        .text_and_code()
                        .1,
                    "timeout",
                    "{kind}"
                );
                let begun = Instant::now();
                let is_stopped = || begun.elapsed() > Duration::from_millis(100);
                let limits = CallLimits {
                    timeout: Duration::from_secs(30),
                    is_stopped: &is_stopped,
                };
                assert_eq!(
                    call(&server, &asked, limits).text_and_code().1,
                    "cancelled",
                    "{kind}"
                );
                assert!(begun.elapsed() < Duration::from_secs(2), "{kind} {address}");
            }
        }
    }
}

/// Recorded from Ollama 0.5.
const OLLAMA: &str = concat!(
    r#"{"model":"llama3.2","created_at":"2024-12-05T14:02:11.217Z","message":{"role":"assistant","content":"The"},"done":false}"#,
    "\n",
    r#"{"model":"llama3.2","created_at":"2024-12-05T14:02:16.492Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"prompt_eval_duration":342546000,"eval_count":282,"eval_duration":4535599000}"#,
    "\n",
);

#[test]
fn ollamas_nanoseconds_arrive_as_milliseconds() {
    let listener = Canned::answering("200 OK", "Content-Type: application/x-ndjson\r\n", OLLAMA);
    let server = server(ServerKind::Ollama, listener.address(), None);
    let answer = call(
        &server,
        &request("hello", 9, true),
        limits_with_timeout(20_000),
    )
    .end;
    let answer = answer.expect("an answer");
    let timing = &answer.timing;
    let found = (
        timing.total_ms,
        timing.load_ms,
        timing.prompt_ms,
        timing.generation_ms,
    );
    let expect = (
        Some(4_883.583_458),
        Some(1.334_875),
        Some(342.546),
        Some(4535.599),
    );
    assert_eq!(found, expect);
    let speed = timing.tokens_per_second(&answer.usage).expect("a speed");
    assert!((speed - 62.175).abs() < 0.001, "{speed}");
}

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
        let (end, overcome) =
            Retry::default().run(&mut || 0.0, &|| false, &|| true, &mut |_, _, _| (), || {
                calls.set(calls.get() + 1);
                call(
                    &server,
                    &request(&prompt, 9, false),
                    limits_with_timeout(2000),
                )
                .end
            });
        assert_eq!(end.expect("an answer").text, "Here at last.");
        assert_eq!(overcome.len() + 1, calls.get(), "{kind}");
        if let Some(fault) = overcome.first() {
            assert_eq!(fault.code(), "rate_limited");
            assert!(begun.elapsed() >= Duration::from_secs(1));
        }
    }
}
