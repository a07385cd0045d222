//! Writes the generated cases of the conformance tests as JSON lines, for tests in other languages:
//! `conformance_cases KIND` with `hydrate`, `policy` or `chat`. Compares nothing itself.

use std::io::{self, BufWriter, Write as _};

use promptdeck_tests::{chat_conversations, chat_sources, hydrate_cases, policy_cases};
use serde_json::{Value, json};

/// The seeds and the numbers of cases of the tests in Rust.
const SEED: u64 = 22;
const HYDRATE_CASES: usize = 8_000;
const POLICY_CASES: usize = 6_000;

fn hydrate() -> Vec<Value> {
    let mut cases = hydrate_cases::Cases::new(SEED);
    (0..HYDRATE_CASES)
        .map(|_| cases.next_case().question())
        .collect()
}

fn policies() -> Vec<Value> {
    let mut cases = policy_cases::Cases::new(SEED);
    (0..POLICY_CASES)
        .map(|_| cases.next_case())
        .map(|case| json!({"policy": case.policy, "text": case.text}))
        .collect()
}

fn chats() -> Vec<Value> {
    let templates = chat_sources::fetched().into_iter();
    let conversations = chat_conversations::all();
    let mut questions = Vec::new();
    for (_, source) in templates.chain(chat_sources::repository_templates()) {
        for conversation in &conversations {
            let mut question = conversation.question.clone();
            question["template"] = json!(source);
            questions.push(question);
        }
    }
    questions
}

fn main() -> io::Result<()> {
    let kind = std::env::args().nth(1).unwrap_or_default();
    let cases = match kind.as_str() {
        "hydrate" => hydrate(),
        "policy" => policies(),
        "chat" => chats(),
        _ => return Err(io::Error::other("name the cases: hydrate, policy or chat")),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for case in cases {
        writeln!(out, "{case}")?;
    }
    out.flush()
}
