//! `chat inspect` of a conversation: the source of each byte, the changes by polyfills, the
//! comparison of two templates, token counts.

use serde_json::{Value, json};

use crate::program::Folder;

/// Marks the generated part, rejects system messages, and reads the thinking switch.
const TEMPLATE: &str = "{%- for m in messages %}\n{%- if m.role == 'system' %}\
    {{ raise_exception('no system') }}{% endif %}\n<|{{ m.role }}|>\n\
    {%- if m.role == 'assistant' %}\n{%- generation %}{{ m.content }}{% endgeneration %}\n\
    {%- else %}{{ m.content }}{% endif %}\n{%- endfor %}\n\
    {%- if add_generation_prompt %}<|assistant|>{% endif %}\n\
    {%- if enable_thinking %}<think>{% endif %}";

fn conversation() -> Value {
    json!({"messages": [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"},
        {"role": "assistant", "content": "Two."}, {"role": "user", "content": "Three?"},
    ], "add_generation_prompt": true})
}

/// A folder with the template and the conversation.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("t.jinja", TEMPLATE);
    folder.write("c.json", conversation().to_string());
    folder
}

/// A tokenizer with one token per word.
fn words() -> String {
    json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null,
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}})
    .to_string()
}

const ASKED: [&str; 5] = ["chat", "inspect", "t.jinja", "--conversation", "c.json"];

/// The report of a conversation as JSON.
#[track_caller]
fn report(folder: &Folder, more: &[&str]) -> Value {
    let run = folder.run(&[&ASKED[..], more, &["--format", "json"]].concat());
    assert_eq!((run.err.as_str(), run.status), ("", 0));
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn a_long_conversation_is_checked_as_far_as_the_budget_goes() {
    let folder = Folder::new();
    let message = |index: usize| {
        let role = if index.is_multiple_of(2) {
            "user"
        } else {
            "assistant"
        };
        json!({"role": role, "content": format!("message {index}")})
    };
    let messages: Vec<Value> = (0..3_000).map(message).collect();
    folder.write("c.json", json!({"messages": messages}).to_string());
    let each = "{% for m in messages %}<{{ m.role }}>{% for word in m.content.split(' ') %}\
                {{ word | upper }}{% endfor %}{% endfor %}";
    // A loop within a condition is rendered from the start for each message.
    folder.write(
        "t.jinja",
        format!("{{% if messages[-1] %}}{each}{{% endif %}}"),
    );
    let stability = &report(&folder, &[])["conversation"]["stability"];
    assert_eq!(stability["kind"], json!("partial"));
    assert_eq!(stability["messages"], json!(3_000));
    let checked = stability["checked"].as_u64().expect("a number");
    assert!((100..3_000).contains(&checked), "{checked}");
    let text = folder.run(&ASKED).out;
    let expected = format!("the first {checked} of 3000 messages only append text");
    assert!(text.contains(&expected), "{text}");
    // Each message only appends text, so all renderings are compared.
    folder.write("t.jinja", each);
    let stability = &report(&folder, &[])["conversation"]["stability"];
    assert_eq!(stability["kind"], json!("stable"));
}

#[test]
fn every_byte_of_a_conversation_is_told_its_message_and_place() {
    let report = report(&folder(), &[]);
    assert_eq!(report["capabilities"]["supports_system_role"], json!(false));
    let conversation = &report["conversation"];
    let output = conversation["output"].as_str().expect("a text");
    assert_eq!(
        output,
        "<|user|>Be brief.\n\nOne?<|assistant|>Two.<|user|>Three?<|assistant|>"
    );
    let spans = conversation["spans"].as_array().expect("spans");
    let number = |value: &Value| {
        let number = value.as_u64().expect("a number");
        usize::try_from(number).expect("small")
    };
    let text = |span: &Value| output[number(&span["start"])..number(&span["end"])].to_owned();
    let joined: String = spans.iter().map(text).collect();
    assert_eq!(joined, output);
    let of = |key: &str, value: Value| -> String {
        let spans = spans.iter().filter(|span| span[key] == value);
        spans.map(text).collect()
    };
    assert_eq!(of("message", json!(2)), "<|assistant|>Two.");
    assert_eq!(of("message", Value::Null), "<|assistant|>");
    assert_eq!(of("generated", json!(true)), "Two.");
    let answer = spans.iter().find(|span| span["generated"] == json!(true));
    assert_eq!(answer.map(|span| &span["place"]["line"]), Some(&json!(5)));
    let bytes = |message: usize| {
        let message_report = &conversation["messages"][message];
        (
            message_report["message"].clone(),
            number(&message_report["start"])..number(&message_report["end"]),
        )
    };
    assert_eq!(bytes(0), (json!(1), 0..23));
    assert_eq!(bytes(1), (json!(2), 23..40));
}

#[test]
fn polyfills_tell_what_they_changed_and_can_be_switched_off() {
    let folder = folder();
    let report = report(&folder, &[]);
    let polyfills = report["conversation"]["polyfills"].as_array().cloned();
    let step = polyfills
        .into_iter()
        .flatten()
        .find(|polyfill| polyfill["name"] == "system_into_user");
    let step = step.expect("needed");
    assert_eq!(step["on"], json!(true));
    let added = step["changes"][1]["parts"].to_string();
    assert!(added.contains("Be brief.\\\\n\\\\nOne?"), "{added}");

    let run = folder.run(&[&ASKED[..], &["--without", "system_into_user"]].concat());
    assert_eq!(run.status, 1);
    for words in [
        "the conversation cannot be rendered: no system",
        "polyfill system_into_user: switched off",
    ] {
        assert!(run.out.contains(words), "{}", run.out);
    }
    folder
        .run(&[&ASKED[..], &["--without", "magic"]].concat())
        .refuses(2, &["magic", "system_into_user"]);
}

#[test]
fn a_conversation_is_readable_by_people() {
    let text = folder().run(&ASKED).out;
    for words in [
        "text: 67 bytes, about ",
        "message 2, user: bytes 0..23, about ",
        ", changed by system_into_user\n",
        "  line 5:18    generated \"Two.\"\n",
        "generation prompt: bytes 54..67, about ",
        "polyfill system_into_user: changes 2 messages\n",
        "variable enable_thinking = true changes:\n    ",
        "+One?<|assistant|>Two.<|user|>Three?<|assistant|><think>\n",
        "each message of this conversation only appends text\n",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
}

#[test]
fn two_templates_are_compared_over_the_conversations() {
    let folder = folder();
    folder.write("same.jinja", TEMPLATE);
    folder.write("other.jinja", TEMPLATE.replace("<|user|>", "<|human|>"));
    let same = report(&folder, &["--against", "same.jinja"]);
    let trials = same["against"].as_array().expect("trials");
    assert_eq!(trials[0]["name"], json!("This conversation"));
    assert!(trials.len() > 8 && trials.iter().all(|trial| trial["same"] == json!(true)));
    // Without a conversation, only the test conversations are compared.
    let run = folder.run(&["chat", "inspect", "t.jinja", "--against", "builtin"]);
    assert_eq!((run.err.as_str(), run.status), ("", 0));
    let found = run
        .out
        .contains("One question: differs\n    -<|user|>Which river is longer?");
    assert!(found, "{}", run.out);
    assert!(
        run.out.contains("+user: Which river is longer?"),
        "{}",
        run.out
    );
    assert!(!run.out.contains("This conversation"), "{}", run.out);
}

#[test]
fn tokens_are_those_of_the_file_that_is_given_or_lies_beside() {
    let folder = folder();
    let counted = |report: &Value| {
        let conversation = &report["conversation"];
        (
            conversation["exact"].clone(),
            conversation["messages"][0]["tokens"].clone(),
        )
    };
    assert_eq!(counted(&report(&folder, &[])).0, json!(false));
    folder.write("words.json", words());
    let given = report(&folder, &["--tokenizer", "words.json"]);
    assert_eq!(counted(&given), (json!(true), json!(3)));
    folder.write("tokenizer.json", words());
    assert_eq!(counted(&report(&folder, &[])), (json!(true), json!(3)));
    // A name given on the command line overrides the file.
    let named = report(&folder, &["--tokenizer", "o200k_base"]);
    assert_eq!(named["conversation"]["tokenizer"], json!("o200k_base"));
    folder.write("tokenizer.json", "{}");
    let run = folder.run(&ASKED);
    assert_eq!(run.status, 0);
    assert!(run.err.contains("tokens are estimated: "), "{}", run.err);
    folder
        .run(&[&ASKED[..], &["--tokenizer", "absent.json"]].concat())
        .refuses(2, &["absent.json", "o200k_base"]);
}

#[test]
fn a_batch_tells_of_a_conversation_only_where_one_is_given() {
    let with = |more: Value| {
        let mut line = json!({"template": TEMPLATE});
        for (name, value) in more.as_object().into_iter().flatten() {
            line[name] = value.clone();
        }
        line.to_string()
    };
    let system = json!([{"role": "system", "content": "S"}]);
    let lines = [
        with(json!({"messages": null, "off": []})),
        with(json!({"messages": system})),
        with(json!({"messages": system, "off": ["system_into_user"]})),
        with(json!({"messages": system, "polyfill": false})),
        with(json!({"messages": system, "off": ["magic"]})),
        with(json!({"against": {"template": TEMPLATE}})),
        json!({"family": "LLAMA_3_X", "messages": system}).to_string(),
    ];
    let run = Folder::new().run_with(&["chat", "inspect", "--batch"], &lines.join("\n"));
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), lines.len(), "{}", run.err);
    assert_eq!(answers[0]["ok"], json!(true));
    assert!(answers[0].get("conversation").is_none() && answers[0].get("against").is_none());
    assert_eq!(answers[1]["conversation"]["output"], json!("<|user|>S"));
    for refused in &answers[2..4] {
        let conversation = &refused["conversation"];
        assert_eq!(
            conversation["problem"]["code"],
            json!("template_raised"),
            "{conversation}"
        );
        assert_eq!(conversation["output"], Value::Null);
    }
    assert_eq!(answers[4]["error"]["code"], json!("invalid_question"));
    let trials = answers[5]["against"].as_array().expect("trials");
    assert!(trials.iter().all(|trial| trial["same"] == json!(true)));
    assert_eq!(
        answers[6]["conversation"]["output"],
        json!("<|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>")
    );
}

#[test]
fn reasoning_keeps_its_one_name_where_that_is_asked() {
    let folder = Folder::new();
    folder.write("t.jinja", "{{ messages[0].keys() | join(' ') }}");
    let messages = json!([{"role": "assistant", "content": "A", "reasoning_content": "R"}]);
    folder.write("c.json", json!({"messages": messages}).to_string());
    let render = ["chat", "render", "c.json", "--template", "t.jinja"];
    assert_eq!(
        folder.run(&render).out,
        "thinking role content reasoning_content"
    );
    let alone = folder.run(&[&render[..], &["--no-alias-reasoning"]].concat());
    assert_eq!(alone.out, "role content reasoning_content");
    let report = report(&folder, &["--no-alias-reasoning"]);
    assert_eq!(
        report["conversation"]["output"],
        json!("role content reasoning_content")
    );
}

#[test]
fn a_template_is_found_in_the_same_files_by_every_verb() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("model")).expect("a folder");
    folder.write(
        "model/tokenizer_config.json",
        r#"{"bos_token": "<s>", "eos_token": "</s>", "chat_template": "{{ bos_token }}[{{ messages[0].content }}]{{ eos_token }}"}"#,
    );
    folder.write(
        "c.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    folder.write(
        "own.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}], "bos_token": "^"}"#,
    );
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    for template in ["model", "model/tokenizer_config.json"] {
        let render = ["chat", "render", "c.json", "--template", template];
        folder.run(&render).gives("<s>[Hi]</s>");
        folder
            .run(&[&render[..], &["--bos", "$"]].concat())
            .gives("$[Hi]</s>");
        folder
            .run(&["chat", "render", "own.json", "--template", template])
            .gives("^[Hi]</s>");
        let request = ["request", "call.json", "--target", "chat-template"];
        folder
            .run(&[&request[..], &["--template", template]].concat())
            .gives("<s>[Hi]</s>\n");
    }
    folder.write("other.json", r#"{"name": "x"}"#);
    folder.write("other.txt", r#"{"name": "x"}"#);
    for (file, words) in [
        ("other.json", "other.json has no chat template"),
        ("other.txt", "other.txt is JSON, not a chat template"),
    ] {
        folder
            .run(&["chat", "render", "c.json", "--template", file])
            .refuses(2, &[words]);
    }
}

#[test]
fn nothing_is_no_model() {
    let folder = Folder::new();
    folder
        .run_with(&["chat", "inspect", "-"], "")
        .refuses(2, &["not a model: the chat template is empty"]);
    let run = folder.run_with(
        &["chat", "inspect", "--batch"],
        "{}\n{\"template\": \"{{ 1 }}\"}\n",
    );
    assert_eq!(run.status, 1, "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(
        lines[0].contains("nothing names a model: give a"),
        "{run:?}"
    );
    assert!(lines[1].starts_with("{\"ok\":true"), "{run:?}");
}
