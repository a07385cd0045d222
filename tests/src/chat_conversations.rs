//! Conversations for the comparison of chat templates with jinja2: tools, reasoning, parts, unusual
//! characters, wrong order, and other known difficulties.

use serde_json::{Value, json};

/// A conversation and its settings: the fields of a `chat render` question except the template.
pub struct Conversation {
    /// Name for failure messages.
    pub name: &'static str,
    /// The fields.
    pub question: Value,
}

fn user(content: &str) -> Value {
    json!({"role": "user", "content": content})
}

fn system(content: &str) -> Value {
    json!({"role": "system", "content": content})
}

fn assistant(content: &str) -> Value {
    json!({"role": "assistant", "content": content})
}

fn weather() -> Value {
    json!({"type": "function", "function": {
        "name": "get_weather",
        "description": "The weather at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where, e.g. \"Köln\"."},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "days": {"type": "integer", "default": 3},
                "items": {"type": "array", "items": {"type": "object", "properties": {
                    "keys": {"type": ["number", "null"]}}}}
            },
            "required": ["city"]
        },
        "return": {"type": "string", "description": "A sentence."}
    }})
}

fn clock() -> Value {
    json!({"type": "function", "function": {
        "name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}
    }})
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn calling(content: &Value, calls: &[Value]) -> Value {
    json!({"role": "assistant", "content": content, "tool_calls": calls})
}

fn answered(id: &str, name: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "name": name, "content": content})
}

fn long() -> Vec<Value> {
    (0..100)
        .map(|index| match index % 2 {
            0 => user(&format!("Question {index}?")),
            _ => assistant(&format!("Answer {index}.\n\nWith a second paragraph.")),
        })
        .collect()
}

fn with_tools(messages: &Value) -> Value {
    json!({
        "messages": messages, "tools": [weather(), clock()], "add_generation_prompt": true,
        "bos_token": "<s>", "eos_token": "</s>",
    })
}

fn plain(messages: &Value) -> Value {
    json!({
        "messages": messages, "add_generation_prompt": true,
        "bos_token": "<s>", "eos_token": "</s>",
    })
}

fn with(mut question: Value, name: &str, value: Value) -> Value {
    question[name] = value;
    question
}

/// All conversations.
#[must_use]
pub fn all() -> Vec<Conversation> {
    let paris = json!({"city": "Paris", "days": 2});
    let both = [
        call("abcdefghi", "get_weather", &paris),
        call("bcdefghij", "now", &json!({})),
    ];
    let looked_up = json!([
        system("Be brief."),
        user("What is the weather?"),
        calling(&Value::Null, &both[..1]),
        answered(
            "abcdefghi",
            "get_weather",
            "{\"sky\": \"clear\", \"t\": 21.5}"
        ),
        assistant("Clear."),
        user("Thanks!"),
    ]);
    let reasoned = json!([
        system("Think first."),
        user("2 + 2?"),
        {"role": "assistant", "content": "4", "reasoning_content": "Two and two.\nFour."},
        user("And 3 + 3?"),
        {"role": "assistant", "content": "<think>\nSix.\n</think>\n\n6"},
        user("Sure?"),
    ]);
    let turns = json!([
        system("You are helpful."),
        user("Hi"),
        assistant("Hello!"),
        user("Bye")
    ]);
    let named = |name, question| Conversation { name, question };
    vec![
        named("one user message", plain(&json!([user("Hi")]))),
        named("turns with a system message", plain(&turns)),
        named(
            "no generation prompt",
            with(plain(&turns), "add_generation_prompt", json!(false)),
        ),
        named(
            "no special tokens known",
            json!({"messages": turns, "add_generation_prompt": true}),
        ),
        named(
            "developer instead of system",
            plain(&json!([
            {"role": "developer", "content": "Be kind."}, user("Hi")])),
        ),
        named(
            "tools offered",
            with_tools(&json!([system("Be brief."), user("Weather?")])),
        ),
        named(
            "tools without a system message",
            with_tools(&json!([user("Weather?")])),
        ),
        named("a tool call answered", with_tools(&looked_up)),
        named(
            "parallel calls",
            with_tools(&json!([
                user("Both, please."),
                calling(&json!(""), &both),
                answered("abcdefghi", "get_weather", "sunny"),
                answered("bcdefghij", "now", "12:00"),
            ])),
        ),
        named(
            "arguments as a string",
            with_tools(&json!([
                user("Weather?"),
                calling(
                    &json!("Looking."),
                    &[call(
                        "abcdefghi",
                        "get_weather",
                        &json!("{\"city\": \"São Paulo\", \"days\": 1e3}")
                    )]
                ),
                answered("abcdefghi", "get_weather", "rain"),
            ])),
        ),
        named("reasoning", plain(&reasoned)),
        named(
            "reasoning with thinking on",
            with(
                plain(&reasoned),
                "extra",
                json!({"enable_thinking": true, "thinking": true}),
            ),
        ),
        named(
            "reasoning with thinking off",
            with(
                plain(&reasoned),
                "extra",
                json!({"enable_thinking": false, "reasoning_effort": "low"}),
            ),
        ),
        named(
            "reasoning and tools",
            with_tools(&json!([
                user("Weather?"),
                {"role": "assistant", "reasoning_content": "I must look.", "content": null,
                 "tool_calls": [call("abcdefghi", "get_weather", &paris)]},
                answered("abcdefghi", "get_weather", "sunny"),
            ])),
        ),
        named(
            "content in parts",
            plain(&json!([
            {"role": "system", "content": [{"type": "text", "text": "Look."}]},
            {"role": "user", "content": [
                {"type": "text", "text": "What is this?"}, {"type": "image"},
                {"type": "image_url", "image_url": {"url": "data:,"}}, {"type": "text", "text": "Well?"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
            {"role": "user", "content": [{"type": "text", "text": "Sure?"}]}])),
        ),
        named(
            "null content",
            plain(&json!([
            user("Hi"), {"role": "assistant", "content": null}, {"role": "user", "content": null}])),
        ),
        named(
            "odd characters",
            plain(&json!([
                system("Zürich 漢字 🦀 <b>&amp;</b> \"quoted\" 'single' \\ back"),
                user("tab\there\r\nCRLF\u{0}nul\u{7f}\u{85}\u{2028}line {{ x }} {% raw %}"),
                assistant("  spaces around  \n\n"),
                user("\u{feff}bom\u{200b}<|im_end|></s>")
            ])),
        ),
        named(
            "bad alternation",
            plain(&json!([
                user("One"),
                user("Two"),
                assistant("A"),
                assistant("B")
            ])),
        ),
        named(
            "assistant first",
            plain(&json!([assistant("Hello, I begin."), user("Oh.")])),
        ),
        named(
            "system in the middle",
            plain(&json!([
                user("Hi"),
                assistant("Yes?"),
                system("New rules."),
                user("Go")
            ])),
        ),
        named(
            "an unknown role",
            plain(&json!([user("Hi"), {"role": "critic", "content": "Meh."}])),
        ),
        named("no messages", plain(&json!([]))),
        named(
            "a continued final message",
            json!({
            "messages": [user("Count."), assistant("One, two,")], "continue_final_message": true,
            "bos_token": "<s>", "eos_token": "</s>"}),
        ),
        named(
            "a continued message that ends in space",
            json!({
            "messages": [system("x"), user("Count."), assistant("One, two, ")],
            "continue_final_message": true, "bos_token": "<s>", "eos_token": "</s>"}),
        ),
        named("a hundred messages", plain(&Value::Array(long()))),
        named(
            "documents",
            with(
                plain(&turns),
                "extra",
                json!({"documents": [
            {"title": "A", "text": "Text of A."}, {"title": "B", "text": "Text of \"B\"."}]}),
            ),
        ),
        named(
            "date and custom switches",
            with(
                plain(&turns),
                "extra",
                json!({
            "date_string": "26 Jul 2024", "tools_in_user_message": false,
            "reasoning_effort": "high", "builtin_tools": ["browser", "python"]}),
            ),
        ),
        named("only a system message", plain(&json!([system("Alone.")]))),
        named(
            "a tool answer in parts, ids missing",
            with_tools(&json!([
                user("Weather?"),
                {"role": "assistant", "tool_calls": [{"function": {"name": "now", "arguments": {}}}]},
                {"role": "tool", "content": [{"type": "text", "text": "noon"}]},
            ])),
        ),
        named(
            "nested and odd arguments",
            with_tools(&json!([
                user("Go"),
                calling(
                    &json!(null),
                    &[call(
                        "123456789",
                        "get_weather",
                        &json!({
                "city": "A \"B\" <c>", "deep": {"list": [1, 2.50, true, null, {"ü": []}]},
                "big": 123_456_789_012_345_678_901_u128.to_string(), "tiny": 1e-7, "text": "l1\nl2"})
                    )]
                ),
                answered("123456789", "get_weather", "{\"ok\": true}"),
            ])),
        ),
    ]
}
