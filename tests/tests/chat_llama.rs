//! Compares the text of conversations with that of a real llama.cpp server, which applies the same
//! template.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;

use promptdeck_chat::Request;
use promptdeck_jinja::Template;
use promptdeck_tests::servers::Llama;
use serde_json::{Value, json};

/// Posts a JSON document and returns the server's answer.
fn post(address: &str, path: &str, document: &Value) -> Value {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).expect("the server listens");
    let body = document.to_string();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .expect("a request is taken");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn conversations() -> Vec<Value> {
    let user = |content: &str| json!({"role": "user", "content": content});
    let assistant = |content: &str| json!({"role": "assistant", "content": content});
    let system = json!({"role": "system", "content": "You are terse. «Ja»"});
    vec![
        json!([user("Hi")]),
        json!([system, user("Hi")]),
        json!([
            system,
            user("Hi"),
            assistant("Hello."),
            user("And  now?\n\nTwo lines.")
        ]),
        json!([
            user("1"),
            assistant("2"),
            user("3"),
            assistant("4"),
            user("5 🦀 {{ no }} </s>")
        ]),
    ]
}

/// Compares our rendering of one of the repository's templates with the server's.
fn check(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("chat-templates")
        .join(name);
    let source = std::fs::read_to_string(&path).expect("a template");
    let template = Template::compile(&source).expect("a template that compiles");
    let server = Llama::with_template(&path);
    for messages in conversations() {
        let document = json!({"messages": messages});
        let theirs = post(server.address(), "/apply-template", &document);
        let request = Request {
            messages: messages.as_array().cloned().unwrap_or_default(),
            // The server passes an empty list of tools where transformers passes none.
            tools: Some(json!([])),
            add_generation_prompt: true,
            bos_token: Some("<s>".into()),
            eos_token: Some("</s>".into()),
            ..Request::default()
        };
        let ours = request.render(&template).expect("a rendering");
        // The tokenizer adds the BOS token, so the server removes it from the text.
        let ours = ours.strip_prefix("<s>").unwrap_or(&ours);
        assert_eq!(theirs["prompt"].as_str(), Some(ours), "{name}: {theirs}");
    }
}

#[test]
fn chatml_is_written_as_llama_cpp_writes_it() {
    check("chatml.jinja");
}

#[test]
fn qwen_3_is_written_as_llama_cpp_writes_it() {
    check("qwen3.jinja");
}

#[test]
fn mistral_is_written_as_llama_cpp_writes_it() {
    check("mistral.jinja");
}
