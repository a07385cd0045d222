//! Each rule by name, and every short history against a second implementation of the rules.

use serde_json::{Value, json};

use super::{Rule, validate};

fn user() -> Value {
    json!({"role": "user", "content": "hi"})
}

fn assistant(ids: &[&str]) -> Value {
    let calls: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}))
        .collect();
    json!({"role": "assistant", "content": "", "tool_calls": calls})
}

fn tool(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "ok"})
}

fn check(messages: &[Value], follow_up: bool, expected: &[(Rule, usize)]) {
    let violations = validate(messages, follow_up).expect("messages that can be judged");
    let found: Vec<_> = violations.iter().map(|v| (v.rule, v.index)).collect();
    assert_eq!(found, expected, "{violations:#?}");
    for violation in violations {
        let named = format!("message {}:", violation.index + 1);
        assert!(
            violation.message.starts_with(&named),
            "{}",
            violation.message
        );
        for id in violation.ids {
            assert!(violation.message.contains(&id), "{}", violation.message);
        }
    }
}

#[test]
fn validate_history_sequence_accepts_a_plain_talk() {
    check(&[], false, &[]);
    check(&[user(), assistant(&[]), user()], false, &[]);
    check(
        &[
            json!({"role": "system"}),
            user(),
            json!({"role": "assistant", "tool_calls": null}),
        ],
        false,
        &[],
    );
}

#[test]
fn validate_history_sequence_accepts_answered_calls_in_any_order() {
    check(
        &[user(), assistant(&["a"]), tool("a"), assistant(&[])],
        false,
        &[],
    );
    check(
        &[
            user(),
            assistant(&["a", "b"]),
            tool("b"),
            tool("a"),
            assistant(&["c"]),
            tool("c"),
        ],
        false,
        &[],
    );
}

#[test]
fn validate_history_sequence_wants_responses_at_once() {
    check(
        &[assistant(&["a"]), user()],
        false,
        &[(Rule::ToolCallUnanswered, 0)],
    );
    check(
        &[assistant(&["a"]), assistant(&["b"]), tool("b")],
        false,
        &[(Rule::ToolCallUnanswered, 0)],
    );
    check(
        &[user(), assistant(&["a", "b"])],
        false,
        &[(Rule::ToolCallUnanswered, 1)],
    );
}

#[test]
fn validate_history_sequence_lets_a_follow_up_end_in_a_call() {
    check(&[user(), assistant(&["a", "b"])], true, &[]);
    check(
        &[assistant(&["a"]), user()],
        true,
        &[(Rule::ToolCallUnanswered, 0)],
    );
}

#[test]
fn validate_tool_id_match_wants_exactly_the_called_ids() {
    check(
        &[assistant(&["a"]), tool("x")],
        false,
        &[(Rule::ToolIdMismatch, 0), (Rule::ToolIdMismatch, 1)],
    );
    check(
        &[assistant(&["a", "b"]), tool("a")],
        false,
        &[(Rule::ToolIdMismatch, 0)],
    );
    check(
        &[assistant(&["a"]), tool("a"), tool("a")],
        false,
        &[(Rule::ToolIdMismatch, 2)],
    );
    check(
        &[assistant(&[""]), tool("")],
        false,
        &[(Rule::ToolIdMismatch, 0), (Rule::ToolIdMismatch, 1)],
    );
}

#[test]
fn validate_history_sequence_refuses_an_orphan_response() {
    check(&[tool("a")], false, &[(Rule::OrphanToolResponse, 0)]);
    check(
        &[user(), tool("a"), tool("b"), assistant(&[])],
        false,
        &[(Rule::OrphanToolResponse, 1), (Rule::OrphanToolResponse, 2)],
    );
    check(
        &[assistant(&[]), tool("a")],
        false,
        &[(Rule::OrphanToolResponse, 1)],
    );
}

#[test]
fn validate_history_sequence_wants_the_assistant_after_responses() {
    check(
        &[assistant(&["a"]), tool("a"), user()],
        false,
        &[(Rule::AssistantMustFollow, 2)],
    );
    check(
        &[assistant(&["a"]), tool("a"), json!({"role": "system"})],
        false,
        &[(Rule::AssistantMustFollow, 2)],
    );
}

#[test]
fn messages_that_are_none_are_refused() {
    for (message, code) in [
        (json!(1), "not_a_message"),
        (json!({"content": "x"}), "not_a_message"),
        (json!({"role": 1}), "not_a_message"),
        (
            json!({"role": "assistant", "tool_calls": "x"}),
            "bad_tool_calls",
        ),
        (
            json!({"role": "assistant", "tool_calls": [1]}),
            "bad_tool_calls",
        ),
    ] {
        let error = validate(&[user(), message.clone()], false).expect_err("refused");
        assert_eq!(error.code(), code, "{message}");
        assert!(error.to_string().starts_with("message 2:"), "{error}");
    }
}

/// The letters of the exhaustive test.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Letter {
    User,
    Assistant,
    OneCall,
    TwoCalls,
    ToolOk,
    ToolWrong,
}

const LETTERS: [Letter; 6] = [
    Letter::User,
    Letter::Assistant,
    Letter::OneCall,
    Letter::TwoCalls,
    Letter::ToolOk,
    Letter::ToolWrong,
];

/// Spells a word out: a response that is right answers the next open call of the latest message
/// that called, or calls itself `none` when there is nothing left to answer.
fn spelled(letters: &[Letter]) -> Vec<Value> {
    let mut open: Vec<String> = Vec::new();
    let mut messages = Vec::new();
    for (index, letter) in letters.iter().enumerate() {
        let calls = match letter {
            Letter::OneCall => vec![format!("{index}a")],
            Letter::TwoCalls => vec![format!("{index}a"), format!("{index}b")],
            _ => Vec::new(),
        };
        match letter {
            Letter::User => messages.push(user()),
            Letter::ToolWrong => messages.push(tool("wrong")),
            Letter::ToolOk => {
                // From the back: calls may be answered in any order.
                let id = open.pop().unwrap_or_else(|| "none".to_owned());
                messages.push(tool(&id));
            }
            _ => {
                let ids: Vec<&str> = calls.iter().map(String::as_str).collect();
                messages.push(assistant(&ids));
                open = calls;
            }
        }
    }
    messages
}

/// The rules as a grammar: a history is a row of blocks, and a block is a lone message or an
/// assistant's calls with as many right responses as it made, followed by the end or an
/// assistant. Read from left to right by what may come next, without looking at any id.
fn allowed(letters: &[Letter], follow_up: bool) -> bool {
    #[derive(PartialEq)]
    enum Next {
        Anything,
        Responses(usize, bool),
        Assistant,
    }
    let mut next = Next::Anything;
    for letter in letters {
        next = match (next, letter) {
            (Next::Anything, Letter::User)
            | (Next::Anything | Next::Assistant, Letter::Assistant) => Next::Anything,
            (Next::Anything | Next::Assistant, Letter::OneCall) => Next::Responses(1, false),
            (Next::Anything | Next::Assistant, Letter::TwoCalls) => Next::Responses(2, false),
            (Next::Responses(1, _), Letter::ToolOk) => Next::Assistant,
            (Next::Responses(left, _), Letter::ToolOk) => Next::Responses(left - 1, true),
            _ => return false,
        };
    }
    match next {
        Next::Responses(_, begun) => follow_up && !begun,
        _ => true,
    }
}

#[test]
fn every_history_of_up_to_six_messages() {
    let mut words: Vec<Vec<Letter>> = vec![Vec::new()];
    let mut level = words.clone();
    for _ in 0..6 {
        level = level
            .iter()
            .flat_map(|letters| {
                LETTERS.iter().map(move |letter| {
                    let mut longer = letters.clone();
                    longer.push(*letter);
                    longer
                })
            })
            .collect();
        words.extend(level.iter().cloned());
    }
    let (mut judged, mut valid) = (0, 0);
    for letters in &words {
        let messages = spelled(letters);
        for follow_up in [false, true] {
            let violations = validate(&messages, follow_up).expect("messages");
            let expected = allowed(letters, follow_up);
            assert_eq!(
                violations.is_empty(),
                expected,
                "{letters:?} follow_up={follow_up}: {violations:?}"
            );
            judged += 1;
            valid += usize::from(expected);
        }
    }
    println!("{judged} histories judged, {valid} of them valid");
    assert_eq!(words.len(), 55_987);
}
