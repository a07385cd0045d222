//! The bytes of every builtin format, written out by hand; the tool instructions as snapshots.

use serde_json::json;

use super::*;

fn all() -> Vec<Builtin> {
    vec![
        Builtin::chatml(),
        Builtin::qwen3(false),
        Builtin::qwen3(true),
        Builtin::llama2(),
        Builtin::llama3(),
        Builtin::glm4(),
        Builtin::plain(),
    ]
}

fn message(format: &Builtin, role: &str, expected: &str) {
    let text = format
        .format_message(&Message::new(role, "TEXT"))
        .expect("no template to fail");
    assert_eq!(text, expected, "{:?} {role}", format.kind);
}

#[test]
fn messages() {
    for chatml in [
        Builtin::chatml(),
        Builtin::qwen3(false),
        Builtin::qwen3(true),
    ] {
        message(&chatml, "system", "<|im_start|>system\nTEXT<|im_end|>\n");
        message(&chatml, "user", "<|im_start|>user\nTEXT<|im_end|>\n");
        message(
            &chatml,
            "assistant",
            "<|im_start|>assistant\nTEXT<|im_end|>\n",
        );
        message(&chatml, "tool", "<|im_start|>tool\nTEXT<|im_end|>\n");
    }
    let llama2 = Builtin::llama2();
    message(&llama2, "system", "<s>[INST] <<SYS>>\nTEXT\n<</SYS>>\n\n");
    message(&llama2, "user", "[INST] TEXT [/INST]");
    message(&llama2, "assistant", "TEXT</s>");
    let llama3 = Builtin::llama3();
    message(
        &llama3,
        "system",
        "<|start_header_id|>system<|end_header_id|>\n\nTEXT<|eot_id|>",
    );
    message(
        &llama3,
        "user",
        "<|start_header_id|>user<|end_header_id|>\n\nTEXT<|eot_id|>",
    );
    message(
        &llama3,
        "assistant",
        "<|start_header_id|>assistant<|end_header_id|>\n\nTEXT<|eot_id|>",
    );
    message(
        &llama3,
        "tool",
        "<|start_header_id|>ipython<|end_header_id|>\n\nTEXT<|eot_id|>",
    );
    let glm4 = Builtin::glm4();
    message(&glm4, "system", "<|system|>\nTEXT");
    message(&glm4, "user", "<|user|>\nTEXT");
    message(&glm4, "assistant", "<|assistant|>\nTEXT");
    message(&glm4, "tool", "<|observation|>\nTEXT");
    message(&Builtin::plain(), "user", "user: TEXT\n\n");
}

#[test]
fn families_prompts_and_ends() {
    let check = |format: Builtin, family: &str, prompt: &str, end: &str| {
        assert_eq!(format.family().name(), family);
        assert_eq!(format.generation_prompt(), prompt, "{family}");
        assert_eq!(format.assistant_end_tag(), end, "{family}");
    };
    check(
        Builtin::chatml(),
        "QWEN_2_X",
        "<|im_start|>assistant\n",
        "<|im_end|>\n",
    );
    check(
        Builtin::qwen3(false),
        "QWEN_3_X",
        "<|im_start|>assistant\n<think>\n\n</think>\n\n",
        "<|im_end|>\n",
    );
    check(
        Builtin::qwen3(true),
        "QWEN_3_X",
        "<|im_start|>assistant\n",
        "<|im_end|>\n",
    );
    check(Builtin::llama2(), "LLAMA_2_X", "", "</s>");
    let header = "<|start_header_id|>assistant<|end_header_id|>\n\n";
    check(Builtin::llama3(), "LLAMA_3_X", header, "<|eot_id|>");
    check(Builtin::glm4(), "GLM_4", "<|assistant|>\n", "");
}

fn conversation(format: &Builtin, messages: Json, expected: &str) {
    let request = Request {
        add_generation_prompt: true,
        ..Request::of(messages.as_array().cloned().unwrap_or_default())
    };
    let text = format
        .format_conversation(&request)
        .expect("no template to fail");
    assert_eq!(text, expected, "{:?}", format.kind);
}

#[test]
fn conversations() {
    let messages = json!([
        {"role": "system", "content": "S"}, {"role": "user", "content": "A"},
        {"role": "assistant", "content": "B"}, {"role": "user", "content": "C"},
    ]);
    conversation(
        &Builtin::chatml(),
        messages.clone(),
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nA<|im_end|>\n\
         <|im_start|>assistant\nB<|im_end|>\n<|im_start|>user\nC<|im_end|>\n\
         <|im_start|>assistant\n",
    );
    conversation(
        &Builtin::llama2(),
        messages.clone(),
        "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\nA [/INST]B</s>[INST] C [/INST]",
    );
    conversation(
        &Builtin::glm4(),
        messages,
        "<|system|>\nS<|user|>\nA<|assistant|>\nB<|user|>\nC<|assistant|>\n",
    );
    // A generation prompt follows a user or a tool only.
    conversation(
        &Builtin::llama3(),
        json!([{"role": "assistant", "content": "B"}]),
        "<|start_header_id|>assistant<|end_header_id|>\n\nB<|eot_id|>",
    );
    conversation(
        &Builtin::llama3(),
        json!([{"role": "tool", "content": "B"}]),
        "<|start_header_id|>ipython<|end_header_id|>\n\nB<|eot_id|>\
         <|start_header_id|>assistant<|end_header_id|>\n\n",
    );
}

#[test]
fn llama2_puts_every_system_text_into_the_question_behind_it() {
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let check = |messages: Vec<Json>, expected: &str| {
        conversation(&Builtin::llama2(), Json::Array(messages), expected);
    };
    check(
        vec![
            message("user", "A"),
            message("assistant", "B"),
            message("system", "S"),
            message("user", "C"),
        ],
        "[INST] A [/INST]B</s><s>[INST] <<SYS>>\nS\n<</SYS>>\n\nC [/INST]",
    );
    check(
        vec![
            message("system", "S"),
            message("developer", "D"),
            message("user", "A"),
        ],
        "<s>[INST] <<SYS>>\nS\n\nD\n<</SYS>>\n\nA [/INST]",
    );
    check(
        vec![message("system", "S"), message("assistant", "B")],
        "<s>[INST] <<SYS>>\nS\n<</SYS>>\n\n[/INST]B</s>",
    );
    check(
        vec![message("user", "A"), message("system", "S")],
        "[INST] A [/INST]<s>[INST] <<SYS>>\nS\n<</SYS>>\n\n[/INST]",
    );
}

#[test]
fn glm4_says_who_it_is_when_nobody_does() {
    let glm4 = Builtin::glm4();
    let default = glm4
        .format_system_message("", &[])
        .expect("no template to fail");
    assert!(default.starts_with("<|system|>\n你是"), "{default}");
    conversation(
        &glm4,
        json!([{"role": "user", "content": "A"}]),
        &format!("{default}<|user|>\nA<|assistant|>\n"),
    );
    conversation(
        &glm4,
        json!([{"role": "system", "content": "S"}, {"role": "user", "content": "A"}]),
        "<|system|>\nS<|user|>\nA<|assistant|>\n",
    );
}

#[test]
fn calls_stand_behind_the_content() {
    let messages = json!([{"role": "assistant", "content": "Looking.", "tool_calls": [
        {"function": {"name": "f", "arguments": "{\"a\": 1}"}}]}]);
    conversation(
        &Builtin::chatml(),
        messages.clone(),
        "<|im_start|>assistant\nLooking.\n<tool_call>\n\
         {\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call><|im_end|>\n",
    );
    let after_system = json!([{"role": "system", "content": "S"}, messages[0]]);
    conversation(
        &Builtin::glm4(),
        after_system,
        "<|system|>\nS<|assistant|>\nLooking.\n{\"name\": \"f\", \"parameters\": {\"a\": 1}}",
    );
}

#[test]
fn what_a_message_adds_is_the_message() {
    for format in all().into_iter().filter(|one| one.kind != Kind::Llama2) {
        let request = Request {
            add_generation_prompt: true,
            ..Request::of(vec![
                json!({"role": "system", "content": "S"}),
                json!({"role": "user", "content": "A"}),
            ])
        };
        let added = format
            .format_message_incremental(&request)
            .expect("no template to fail");
        let message = format
            .format_message(&Message::new("user", "A"))
            .expect("no template");
        assert!(added.is_prefix);
        assert_eq!(added.new_text(), message + &format.generation_prompt());
    }
}

#[test]
fn words_about_tools() {
    let tools = Tool::all(Some(&json!([
        {"type": "function", "function": {"name": "get_weather", "description": "The weather.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
                           "required": ["city"]}}},
        {"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}},
    ])));
    for format in all() {
        let name = format!("tools_of_{}", format.family().name().to_lowercase());
        if matches!(format.kind, Kind::Qwen3 { thinking: true }) {
            continue;
        }
        let text = format
            .format_system_message("Be brief.", &tools)
            .expect("no template to fail");
        insta::assert_snapshot!(name, text);
    }
    let nobody = Builtin::glm4()
        .format_system_message("", &[])
        .expect("no template to fail");
    insta::assert_snapshot!("glm4_when_nobody_says", nobody);
}

#[test]
fn what_a_message_adds_is_what_two_whole_texts_differ_in() {
    let message = |role: &str, text: &str| json!({"role": role, "content": text});
    let orders = [
        "sua", "ua", "sssua", "usua", "sasu", "uus", "s", "", "su", "dsu", "uat",
    ];
    let role = |letter: char| match letter {
        's' => "system",
        'd' => "developer",
        'a' => "assistant",
        't' => "tool",
        _ => "user",
    };
    let tools = Tool::all(Some(&json!([{"name": "f", "description": "d"}])));
    for (format, order) in all()
        .iter()
        .flat_map(|builtin| orders.map(|order| (builtin, order)))
    {
        for tools in [&tools[..], &[]] {
            let messages = order.chars().enumerate();
            let messages: Vec<Json> = messages
                .map(|(index, letter)| message(role(letter), &format!("é{index}")))
                .collect();
            for (index, grown) in format.growth(&messages, tools).enumerate() {
                let before = format.written(&messages[..index], tools);
                let whole = format.written(&messages[..=index], tools);
                let added = RenderDelta::between(&before, whole.clone());
                let context = format!("{:?} {order} {index}", format.kind);
                assert_eq!(grown.from, added.from, "{context}");
                assert_eq!(grown.is_prefix, added.is_prefix, "{context}");
                assert_eq!(grown.added, whole[added.from..], "{context}");
            }
        }
    }
}
