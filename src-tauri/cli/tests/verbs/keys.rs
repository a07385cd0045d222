//! Which host receives a key of the environment, and that no response leaks it.

use std::process::Command;

use base64::{Engine, engine::general_purpose::STANDARD};
use promptdeck_tests::{provider_fixture::PLANTED_KEY, servers::Canned};
use serde_json::{Value, json};

use crate::program::{Folder, Run};

const ANSWER: &str = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#;

/// Runs with a provider, a base URL and environment variables; checks that no message contains the
/// key.
fn run(provider: &str, address: &str, variables: &[(&str, &str)], more: &[&str]) -> Run {
    run_in(&Folder::new(), provider, address, variables, more)
}

fn run_in(
    folder: &Folder,
    provider: &str,
    address: &str,
    variables: &[(&str, &str)],
    more: &[&str],
) -> Run {
    let args = [
        "run",
        "registry.json",
        "--seed",
        "1",
        "--provider",
        provider,
    ];
    let args = [&args[..], &["--base-url", address, "--model", "m"], more].concat();
    let mut command = folder.command(&args);
    command.envs(variables.iter().copied());
    let run = finish(&mut command);
    assert!(!format!("{run:?}").contains(PLANTED_KEY), "{run:?}");
    run
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the program runs");
    Run {
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        status: output.status.code().expect("no signal ended it"),
    }
}

fn sent_keys(server: &Canned) -> usize {
    let requests = server.requests().into_iter();
    requests.filter(|head| head.contains(PLANTED_KEY)).count()
}

const KEY: (&str, &str) = ("PROMPTDECK_API_KEY_OPENAI", PLANTED_KEY);
const HOST: &str = "PROMPTDECK_API_KEY_OPENAI_HOST";

#[test]
fn a_key_of_the_environment_goes_to_its_own_host_only() {
    let mut cases = 0;
    let server = Canned::answering("200 OK", "", ANSWER);
    let port = server.address().rsplit(':').next().expect("a port");

    // A server on this machine does not receive the key of a service, which is noted.
    let local = run("openai", server.address(), &[KEY], &[]);
    assert_eq!((local.out.as_str(), local.status), ("ok\n", 0), "{local:?}");
    assert_eq!(sent_keys(&server), 0);
    let expect = "warning: PROMPTDECK_API_KEY_OPENAI is a key for api.openai.com and is not sent to \
                  127.0.0.1; set PROMPTDECK_API_KEY_OPENAI_HOST=127.0.0.1 to send it there, or \
                  unset PROMPTDECK_API_KEY_OPENAI\n";
    assert_eq!(local.err, expect);
    cases += 1;

    // Allowed by host, by host and port, and in a list.
    for host in ["127.0.0.1", &format!("a.example,127.0.0.1:{port}")] {
        let before = sent_keys(&server);
        run("openai", server.address(), &[KEY, (HOST, host)], &[]).gives("ok\n");
        assert_eq!(sent_keys(&server), before + 1, "{host}");
        cases += 1;
    }
    let before = sent_keys(&server);
    run(
        "openai",
        server.address(),
        &[KEY, (HOST, "127.0.0.1:1")],
        &[],
    );
    assert_eq!(sent_keys(&server), before);
    cases += 1;

    // A key named after a connection or a local provider is sent to this machine.
    let work = ("PROMPTDECK_API_KEY_WORK", PLANTED_KEY);
    let named = ["--connection", "work"];
    run("openai", server.address(), &[work], &named).gives("ok\n");
    assert_eq!(sent_keys(&server), before + 1);
    cases += 1;

    // For any other host the run is refused before anything is sent.
    for (provider, address, key, more) in [
        ("openai", "https://elsewhere.invalid/v1", KEY, &[][..]),
        ("openai", "http://api.openai.com/v1", KEY, &[]),
        ("openai", "https://api.openai.com.evil.invalid", KEY, &[]),
        (
            "completions",
            "http://192.0.2.1:8080",
            ("PROMPTDECK_API_KEY_COMPLETIONS", PLANTED_KEY),
            &[],
        ),
        (
            "gemini",
            "https://elsewhere.invalid",
            ("PROMPTDECK_API_KEY_GEMINI", PLANTED_KEY),
            &[],
        ),
    ] {
        let way_out = format!("set {}_HOST=", key.0);
        let refused = run(provider, address, &[key], more);
        refused.refuses(2, &["is not sent to", &way_out]);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
        cases += 1;
    }
    println!("{cases} ways of a key in the environment");
}

#[test]
fn redirects_never_carry_a_key() {
    let elsewhere = Canned::answering("200 OK", "", ANSWER);
    let mut cases = 0;
    for status in [
        "301 Moved",
        "302 Found",
        "303 Other",
        "307 Temporary",
        "308 Permanent",
    ] {
        for to in [elsewhere.address(), "/v2/chat/completions"] {
            let location = format!("Location: {to}?key={PLANTED_KEY}\r\n");
            let server = Canned::answering(status, &location, "");
            let variables = [KEY, (HOST, "127.0.0.1")];
            let run = run("openai", server.address(), &variables, &[]);
            run.refuses(
                2,
                &[
                    "the server redirects the request",
                    "as the base URL if you trust it",
                ],
            );
            assert_eq!(server.requests().len(), 1, "{status} {to}");
            cases += 1;
        }
    }
    assert_eq!(elsewhere.requests(), Vec::<String>::new());
    // Without a key, a limited number of redirects within the server is followed.
    let server = Canned::answering("307 Temporary", "Location: /v2\r\n", "");
    run("openai", server.address(), &[], &[]).refuses(2, &["the server redirects the request"]);
    assert!(server.requests().len() > 1);
    println!("{cases} redirects, none followed with a key");
}

#[test]
fn a_key_that_comes_back_is_hidden() {
    let hex: String = PLANTED_KEY
        .bytes()
        .map(|byte| format!("%{byte:02x}"))
        .collect();
    let header = STANDARD.encode(format!("Bearer {PLANTED_KEY}"));
    let user = STANDARD.encode(format!("user:{PLANTED_KEY}"));
    let forms = [
        format!("Incorrect API key: {PLANTED_KEY}."),
        format!("GET /v1/models?key={PLANTED_KEY}&page=2"),
        format!("no such path: %2Fv1%3Fkey%3D{hex}"),
        format!("Authorization: Basic {user}"),
        format!("headers {header}"),
    ];
    let mut cases = 0;
    let bare = |text: &str| {
        for hidden in [PLANTED_KEY, &hex, &user[8..], &header[10..20]] {
            assert!(!text.contains(hidden), "{hidden} in {text}");
        }
        assert!(text.contains("[key]"), "{text}");
    };
    let variables = [KEY, (HOST, "127.0.0.1")];
    for form in &forms {
        let bodies = [
            form.clone(),
            json!({"error": {"message": form}}).to_string(),
            json!({"message": form}).to_string(),
        ];
        for status in ["400 Bad", "401 No", "429 Slow", "200 OK"] {
            for body in &bodies[usize::from(status == "200 OK")..] {
                // In a successful response, a message is not an error.
                if status == "200 OK" && body.starts_with("{\"message") {
                    continue;
                }
                let server = Canned::answering(status, "Retry-After: 60\r\n", body);
                let run = run("openai", server.address(), &variables, &[]);
                assert_eq!(run.status, 2, "{run:?}");
                bare(&run.err);
                cases += 1;
            }
        }
        // An answer that contains the key, whole and in pieces, as text and as JSON.
        let answer = json!({"choices": [{"message": {"content": form}, "finish_reason": "stop"}],
                            "echo": {"headers": [form]}});
        let server = Canned::answering(
            "200 OK",
            "Content-Type: application/json\r\n",
            &answer.to_string(),
        );
        for more in [&[][..], &["--format", "json"]] {
            bare(&run("openai", server.address(), &variables, more).out);
            cases += 1;
        }
    }
    let pieces: Vec<String> = PLANTED_KEY
        .as_bytes()
        .chunks(3)
        .map(|piece| {
            let text = std::str::from_utf8(piece).expect("ASCII");
            let event: Value = json!({"choices": [{"delta": {"content": text}}]});
            format!("data: {event}\n\n")
        })
        .chain(["data: [DONE]\n\n".to_owned()])
        .collect();
    let server = Canned::answering(
        "200 OK",
        "Content-Type: text/event-stream\r\n",
        &pieces.concat(),
    );
    for more in [&["--stream"][..], &["--stream", "--format", "json"]] {
        bare(&run("openai", server.address(), &variables, more).out);
        cases += 1;
    }
    // In the path of the base URL.
    let server = Canned::answering("500 No", "", "");
    let path = format!("{}/{PLANTED_KEY}/v1", server.address());
    let failed = run("openai", &path, &variables, &[]);
    assert!(failed.err.contains("/[key]/v1"), "{}", failed.err);
    println!("{} answers with the key in them", cases + 1);
}

#[test]
fn servers_of_this_machine_are_asked_without_a_proxy() {
    let proxy = Canned::answering("200 OK", "", ANSWER);
    let names = [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
    ];
    let variables = names.map(|name| (name, proxy.address()));
    let mut cases = 0;
    let server = Canned::answering("200 OK", "", ANSWER);
    let port = server
        .address()
        .rsplit(':')
        .next()
        .expect("a port")
        .to_owned();
    for host in [
        "127.0.0.1",
        "localhost",
        "127.0.0.2",
        "0.0.0.0",
        "[::ffff:127.0.0.1]",
    ] {
        let before = server.requests().len();
        let address = format!("http://{host}:{port}");
        let run = run("openai", &address, &variables, &[]);
        // Whether a host name or another address reaches the server depends on the system.
        let is_asked = server.requests().len() > before;
        assert!(is_asked || run.status == 2, "{host}: {run:?}");
        assert_eq!(proxy.requests(), Vec::<String>::new(), "{host}");
        assert!(is_asked || host != "127.0.0.1");
        cases += 1;
    }
    // Other requests do.
    run("openai", "http://model.invalid", &variables, &[]).gives("ok\n");
    assert!(proxy.requests()[0].starts_with("POST http://model.invalid/v1/chat/completions "));
    run("openai", "http://localhost.invalid", &variables, &[]).gives("ok\n");
    assert_eq!(proxy.requests().len(), 2);
    println!("{cases} addresses of this machine asked past a proxy, 2 others through it");
}

#[test]
fn a_missing_key_names_the_variable_that_is_read_and_a_similar_one() {
    let server = Canned::answering("401 No", "", r#"{"error": {"message": "Who are you?"}}"#);
    let fault = "a key is required, and none was sent (401 Who are you?); set \
                 PROMPTDECK_API_KEY_OPENAI in the environment, or store a key for the connection";
    let missing = run("openai", server.address(), &[], &[]);
    missing.refuses(2, &[fault]);
    for name in ["OPENAI_APIKEY", "PROMPTDECK_APIKEY_OPENAI"] {
        let missing = run("openai", server.address(), &[(name, PLANTED_KEY)], &[]);
        missing.refuses(2, &[&format!("{fault}; {name} is set, but not read\n")]);
    }
    // A key that was sent was not accepted, and one that is for another host is said to be.
    let sent = [KEY, (HOST, "127.0.0.1")];
    run("openai", server.address(), &sent, &[]).refuses(2, &["the key was not accepted (401 "]);
    run("openai", server.address(), &[KEY], &[]).refuses(
        2,
        &["none was sent (401 Who are you?); PROMPTDECK_API_KEY_OPENAI is a key for "],
    );
}

#[test]
fn nothing_is_sent_to_a_public_host_without_a_key() {
    for (provider, host) in [
        ("openai", "api.openai.com"),
        ("gemini", "generativelanguage.googleapis.com"),
    ] {
        let variable = format!("PROMPTDECK_API_KEY_{}", provider.to_uppercase());
        let folder = Folder::new();
        let mut command = folder.command(&[
            "run",
            "registry.json",
            "--provider",
            provider,
            "--model",
            "m",
        ]);
        // A request that is sent would end here, with another message.
        command
            .env("HTTPS_PROXY", "http://127.0.0.1:9")
            .env_remove(&variable);
        let run = finish(&mut command);
        let fault = format!("error: {host} requires a key; set {variable} in the environment");
        run.refuses(2, &[&fault]);
    }
}
