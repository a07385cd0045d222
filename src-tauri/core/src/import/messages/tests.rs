//! Conversations: the deck, the call around it, and the report.

use serde_json::{Value, json};

use super::import;
use crate::import::{Report, SourceFormat};

/// The call document made of a conversation, its prompt, and the report.
#[track_caller]
fn imported(conversation: &Value) -> (Value, String, Report) {
    let import =
        import(conversation.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let prompt = crate::import::deck::prompt_of(&import.text).expect("a prompt");
    let document = serde_json::from_str(&import.text).expect("JSON");
    (document, prompt, import.report)
}

fn lines(report: &Report) -> Vec<String> {
    let entries = report.entries.iter();
    entries
        .map(|entry| format!("{:?} {}", entry.status, entry.pointer))
        .collect()
}

#[test]
fn messages_of_openai_are_a_call_document() {
    let system = "You help.\n\nRules:\n- kind\n- brief";
    let (document, prompt, report) = imported(&json!({
        "model": "m",
        "temperature": 0.5,
        "max_completion_tokens": 9,
        "stop": ["x"],
        "messages": [
            {"role": "developer", "content": [{"type": "text", "text": system}]},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "1", "content": "ok"},
            {"role": "assistant", "content": "Done"},
            {"role": "user", "content": "Thanks {name}"},
        ],
        "tools": [{"type": "function", "function": {"name": "f"}}],
    }));
    assert_eq!(prompt, system);
    assert_eq!(report.format, SourceFormat::OpenAiMessages);
    assert_eq!(
        lines(&report),
        [
            "NotSupported /stop",
            "Converted /max_completion_tokens",
            "Converted /tools",
            "Converted /messages",
            "Converted /messages/0",
        ]
    );
    assert_eq!(document["message"], json!({"text": "Thanks {name}"}));
    assert_eq!(document["history"].as_array().expect("a list").len(), 4);
    assert_eq!(document["tools"][0]["function"]["name"], "f");
    let generation = json!({"model": "m", "temperature": 0.5, "max_tokens": 9});
    assert_eq!(document["registry"]["generation"], generation);
    assert_eq!(
        document["registry"]["assembly_order"],
        json!(["base_context", "rules"])
    );
}

#[test]
fn messages_of_anthropic_are_converted() {
    let (document, prompt, report) = imported(&json!({
        "model": "m",
        "max_tokens": 8,
        "system": [
            {"type": "text", "text": "One.", "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": "Two."},
        ],
        "tools": [{"name": "f", "description": "d", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "See"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}},
            ]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "ok"}]},
                {"type": "text", "text": "Well?"},
            ]},
        ],
    }));
    assert_eq!(prompt, "One.\n\nTwo.");
    assert_eq!(report.format, SourceFormat::AnthropicMessages);
    assert_eq!(
        lines(&report),
        [
            "NotSupported /system/0/cache_control",
            "NotSupported /messages/1/content/0",
            "NotSupported /system/1/text",
            "Converted /tools",
            "Converted /messages",
            "Converted /messages/2/content",
        ]
    );
    assert_eq!(
        document["history"],
        json!([
            {"role": "user", "content": [
                {"type": "text", "text": "See"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
            ]},
            {"role": "assistant", "content": "I look.", "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1}"}},
            ]},
            {"role": "tool", "tool_call_id": "t1", "content": "ok"},
        ])
    );
    assert_eq!(document["message"], json!({"text": "Well?"}));
    let function = json!({"name": "f", "description": "d", "parameters": {"type": "object"}});
    assert_eq!(
        document["tools"][0],
        json!({"type": "function", "function": function})
    );
}

#[test]
fn conversations_without_a_system_message_have_a_deck() {
    let (document, prompt, report) =
        imported(&json!([{"role": "user", "content": "# A\na\n\n# B\nb"}]));
    assert_eq!(prompt, "# A\na\n\n# B\nb");
    assert_eq!(lines(&report), ["Converted /0/content"]);
    assert_eq!(document.get("history"), None);
    let (document, prompt, _) = imported(&json!([
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
    ]));
    assert_eq!(prompt, "");
    assert_eq!(document["history"].as_array().expect("a list").len(), 2);
    assert!(document["registry"]["base_context"]["items"].is_array());
}

#[test]
fn what_is_no_conversation_is_refused_with_its_place() {
    for (text, expected) in [
        (
            "3",
            "line 1, column 1: a conversation is a list of messages, or an object with `messages`",
        ),
        (
            "[]",
            "line 1, column 1: the conversation has no messages: there is nothing to import",
        ),
        (
            "[3]",
            "line 1, column 2: /0: a message is an object with a role",
        ),
        (
            "[{\"role\": \"usr\"}]",
            "line 1, column 11: /0/role: there is no role \"usr\"; known are system, user, assistant, \
             tool, developer; did you mean \"user\"?",
        ),
        (
            "{\"messages\": [{\"role\": \"user\", \"content\": 3}]}",
            "line 1, column 43: /messages/0/content: `content` must be a text or a list of blocks",
        ),
        (
            "{\"messages\": 3}",
            "line 1, column 14: /messages: `messages` must be a list of messages",
        ),
    ] {
        let error = import(text.as_bytes()).expect_err("refused");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn entries_name_the_message_that_they_are_about() {
    let (_, prompt, report) = imported(&json!({"messages": [
        {"role": "system", "content": "You help.\nBe brief."},
        {"role": "developer", "content": "Be kind.\nGreet {x}.\n\n\n\nEnd."},
    ]}));
    assert_eq!(
        prompt,
        "You help.\nBe brief.\n\nBe kind.\nGreet {x}.\n\nEnd."
    );
    let found = |words: &str| {
        let mut entries = report.entries.iter();
        let entry = entries.find(|entry| entry.message.contains(words));
        let entry = entry.expect("an entry");
        format!("{}: {}", entry.pointer, entry.message)
    };
    let variable = found("template variable");
    let expected = "/messages/1/content: line 2 of the text: {x} is a template variable";
    assert!(variable.starts_with(expected), "{variable}");
    let blank = found("blank lines");
    let expected = "/messages/1/content: line 4 of the text: 3 blank lines become one";
    assert!(blank.starts_with(expected), "{blank}");
}
