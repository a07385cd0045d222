//! `chat render|inspect|extract`: single documents, and the batch contracts of other programs.

use serde_json::{Value, json};

use crate::program::Folder;

const CHATML: &str = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + \
                      '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}\
                      {{ '<|im_start|>assistant\n' }}{% endif %}";

/// The answers of a batch, one per line.
#[track_caller]
fn batch(verb: &str, lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let run = Folder::new().run_with(&["chat", verb, "--batch"], &lines.join("\n"));
    let answers: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let failed = answers.iter().any(|answer| answer["ok"] == json!(false));
    assert_eq!((run.err.as_str(), run.status), ("", i32::from(failed)));
    assert_eq!(answers.len(), lines.len(), "one answer for each line");
    answers
}

/// Checks the output of `chat render --batch` for a question.
#[track_caller]
fn renders(question: Value, output: &str) {
    let answer = &batch("render", &[question])[0];
    assert_eq!(answer, &json!({"ok": true, "output": output}));
}

/// Checks the error for a question.
#[track_caller]
fn refuses(verb: &str, question: Value, code: &str, words: &str) {
    let answer = &batch(verb, &[question])[0];
    assert_eq!(answer["ok"], json!(false), "{answer}");
    assert_eq!(answer["error"]["code"], json!(code), "{answer}");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains(words), "{answer}");
}

fn hi() -> Value {
    json!([{"role": "user", "content": "Hi"}])
}

fn printing(template: &str, more: &Value) -> Value {
    let mut question = json!({"template": template, "messages": hi()});
    for (name, value) in more.as_object().into_iter().flatten() {
        question[name] = value.clone();
    }
    question
}

#[test]
fn a_template_renders() {
    renders(
        json!({"template": CHATML, "messages": hi(), "add_generation_prompt": true}),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    );
    renders(
        json!({"template": CHATML, "messages": hi()}),
        "<|im_start|>user\nHi<|im_end|>\n",
    );
}

#[test]
fn a_family_renders_and_neither_is_generic() {
    renders(
        json!({"family": "QWEN_2_X", "messages": hi(), "add_generation_prompt": true}),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    );
    renders(
        json!({"family": "qwen3", "messages": hi(), "add_generation_prompt": true}),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n",
    );
    renders(
        json!({"family": "QWEN_3_X", "messages": hi(), "add_generation_prompt": true,
               "extra": {"enable_thinking": true}}),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    );
    let document = json!({"messages": hi()}).to_string();
    let run = Folder::new().run_with(&["chat", "render", "--batch"], &document);
    assert!(run.out.contains(r#""user: Hi\n\n""#), "{run:?}");
}

#[test]
fn a_template_sees_what_transformers_gives_it() {
    let names = "{{ tools is defined }} {{ tools is none }} {{ documents is defined }} \
                 {{ documents is none }} {{ add_generation_prompt }} {{ bos_token is defined }} \
                 {{ eos_token is defined }} {{ enable_thinking is defined }}";
    renders(
        printing(names, &json!({})),
        "True True True True False False False False",
    );
    renders(
        printing(
            names,
            &json!({"tools": null, "bos_token": null, "eos_token": null}),
        ),
        "True True True True False False False False",
    );
    renders(
        printing(
            names,
            &json!({"tools": [], "bos_token": "<s>", "eos_token": "</s>",
                    "extra": {"enable_thinking": false, "documents": []}}),
        ),
        "True False True False False True True True",
    );
    renders(
        printing(
            "{{ bos_token }}{{ extra_text }}{{ tools[0].function.name }}",
            &json!({"bos_token": "<s>", "extra": {"extra_text": "é"},
                    "tools": [{"type": "function", "function": {"name": "f"}}]}),
        ),
        "<s>éf",
    );
}

#[test]
fn the_clock_is_the_question_s() {
    let date = "{{ strftime_now('%Y-%m-%d %H:%M:%S') }}";
    renders(
        printing(date, &json!({"now": "2024-07-26T09:05:03"})),
        "2024-07-26 09:05:03",
    );
    refuses(
        "render",
        printing(date, &json!({"now": "yesterday"})),
        "invalid_question",
        "ISO 8601",
    );
}

#[test]
fn a_final_message_is_continued() {
    let messages =
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "He"}]);
    renders(
        json!({"template": CHATML, "messages": messages, "continue_final_message": true}),
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHe",
    );
    refuses(
        "render",
        json!({"template": CHATML, "messages": messages, "continue_final_message": true,
               "add_generation_prompt": true}),
        "cannot_continue",
        "use only one",
    );
}

#[test]
fn polyfills_are_taken_when_asked_for() {
    let messages = json!([{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]);
    let strict = "{% for m in messages %}{% if m.role == 'system' %}\
                  {{ raise_exception('no system role') }}{% endif %}{{ m.role }}: {{ m.content }}\n\
                  {% endfor %}";
    refuses(
        "render",
        json!({"template": strict, "messages": messages}),
        "template_raised",
        "no system role",
    );
    renders(
        json!({"template": strict, "messages": messages, "polyfill": true}),
        "user: S\n\nU\n",
    );
}

#[test]
fn errors_say_what_and_where_and_end_nothing() {
    let lines = [
        json!({"template": "a\n{{ messages[0].content.nope.more }}", "messages": hi()}),
        json!({"template": "{% for %}", "messages": hi()}),
        json!({"template": CHATML}),
        json!([]),
        json!({"template": "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
               "messages": []}),
        json!({"template": CHATML, "messages": ["no object"]}),
        json!({"family": "NO_SUCH", "messages": hi()}),
        json!({"template": CHATML, "messages": hi()}),
    ];
    let answers = batch("render", &lines);
    let codes: Vec<&str> = answers
        .iter()
        .map(|answer| answer["error"]["code"].as_str().unwrap_or("ok"))
        .collect();
    assert_eq!(codes[0], "template_undefined");
    assert_eq!(codes[1], "template_syntax");
    assert_eq!(
        codes[4..],
        ["template_limit", "not_a_message", "invalid_question", "ok"]
    );
    for answer in &answers[..7] {
        assert_eq!(answer["ok"], json!(false), "{answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty() && !message.contains('\n'), "{answer}");
    }
    let error = &answers[0]["error"];
    assert_eq!(
        (&error["line"], &error["source_line"]),
        (&json!(2), &json!("{{ messages[0].content.nope.more }}"))
    );
    assert_eq!(answers[7]["error"], Value::Null);
}

#[test]
fn a_single_question_is_told_where_the_template_fails() {
    let folder = Folder::new();
    let fails = "a\n  {{ messages[0].zzz.y }}\n";
    folder.write("t.jinja", fails);
    folder.write("q.json", json!({"messages": hi()}).to_string());
    let run = folder.run(&["chat", "render", "q.json", "--template", "t.jinja"]);
    run.refuses(2, &["error: t.jinja: line 2, column "]);
    let lines: Vec<&str> = run.err.lines().collect();
    assert!(lines[0].ends_with("has no attribute 'zzz'"), "{}", run.err);
    let after_column = lines[0].split_once("column ").map_or("", |(_, rest)| rest);
    let column: usize = after_column
        .split(':')
        .next()
        .and_then(|number| number.parse().ok())
        .expect("a column");
    let snippet = lines
        .iter()
        .find_map(|line| line.strip_prefix("2 | "))
        .expect("the line");
    assert_eq!(snippet, "  {{ messages[0].zzz.y }}");
    let caret = lines
        .iter()
        .find_map(|line| line.strip_prefix("  | ")?.find('^'));
    assert_eq!(caret, Some(column - 1), "{}", run.err);

    let asked = json!({"messages": hi(), "template": fails});
    folder.write("q.json", asked.to_string());
    let run = folder.run(&["chat", "render", "q.json"]);
    run.refuses(
        2,
        &["q.json: /template: line 2, column ", "messages[0].zzz.y"],
    );

    // Of a very long line, the part around the position is printed.
    let long = format!("{}{{% for %}}{}", "x".repeat(5000), "y".repeat(5000));
    folder.write("t.jinja", long);
    let run = folder.run(&["chat", "inspect", "t.jinja"]);
    run.refuses(2, &["t.jinja: line 1, column 50", "x{% for %}y"]);
    assert!(run.err.len() < 1500, "{}", run.err);
    let request = ["request", "call.json", "--target", "chat-template"];
    folder.write("call.json", r#"{"message": {"text": "go"}}"#);
    let run = folder.run(&[&request[..], &["--template", "t.jinja"]].concat());
    run.refuses(2, &["t.jinja: line 1, column 50", "x{% for %}y"]);
}

#[test]
fn reasoning_is_given_under_one_name_where_that_is_asked() {
    let messages = json!([{"role": "assistant", "content": "A", "reasoning_content": "R"}]);
    let names = "{{ messages[0].keys() | join(' ') }}";
    let asked = json!({"template": names, "messages": messages});
    renders(asked.clone(), "thinking role content reasoning_content");
    let mut alone = asked;
    alone["alias_reasoning"] = json!(false);
    renders(alone, "role content reasoning_content");
}

#[test]
fn what_a_template_raises_is_told_word_for_word() {
    refuses(
        "render",
        printing("{{ raise_exception('Roles must alternate!') }}", &json!({})),
        "template_raised",
        "Roles must alternate!",
    );
    let answer = &batch(
        "render",
        &[printing(
            "{{ raise_exception('Roles must alternate!') }}",
            &json!({}),
        )],
    )[0];
    assert_eq!(answer["error"]["message"], json!("Roles must alternate!"));
}

#[test]
fn a_template_is_inspected() {
    let answers = batch(
        "inspect",
        &[
            json!({"template": CHATML}),
            json!({"config": {"chat_template": CHATML, "model_type": "qwen3"}}),
            json!({"model_path": "Llama-3.1-8B-Instruct"}),
            json!({"template": "x <|channel|>final<|message|> <|channel|> Valid channels: "}),
            json!({"template": "{% if %}"}),
        ],
    );
    let summary = |answer: &Value| {
        (
            answer["ok"].clone(),
            answer["family"].clone(),
            answer["generation_prompt"].clone(),
        )
    };
    let prompt = json!("<|im_start|>assistant\n");
    assert_eq!(
        summary(&answers[0]),
        (json!(true), json!("QWEN_2_X"), prompt.clone())
    );
    assert_eq!(
        summary(&answers[1]),
        (json!(true), json!("QWEN_3_X"), prompt)
    );
    assert_eq!(answers[2]["family"], json!("LLAMA_3_X"));
    let seed = [
        "supports_tools",
        "supports_tool_calls",
        "supports_tool_responses",
        "supports_system_role",
        "has_channels",
        "channel_extract_marker",
        "channel_end_marker",
    ];
    for name in seed {
        assert!(!answers[0]["capabilities"][name].is_null(), "{name}");
    }
    let capabilities = &answers[0]["capabilities"];
    assert_eq!(capabilities["supports_system_role"], json!(true));
    assert_eq!(capabilities["supports_tools"], json!(false));
    let channels = &answers[3]["capabilities"];
    assert_eq!(channels["has_channels"], json!(true));
    assert_eq!(
        channels["channel_extract_marker"],
        json!("<|channel|>final<|message|>")
    );
    assert_eq!(channels["channel_end_marker"], json!("<|end|>"));
    assert_eq!(answers[4]["error"]["code"], json!("template_syntax"));
}

#[test]
fn a_misspelled_variable_of_a_template_is_named_with_the_one_that_is_meant() {
    let folder = Folder::new();
    folder.write(
        "template.jinja",
        "{% for m in mesages %}{{ m.content }}{% endfor %}",
    );
    let text = folder.run(&["chat", "inspect", "template.jinja"]).out;
    let suggestion =
        "the variable \"mesages\" of the template is unknown; did you mean \"messages\"?";
    assert!(text.contains(suggestion), "{text}");
}

#[test]
fn what_cannot_be_known_of_a_template_is_not_called_stable() {
    let raising = "{{ raise_exception('No such talk.') }}";
    let answers = batch(
        "inspect",
        &[json!({"template": CHATML}), json!({"template": raising})],
    );
    let summary = |answer: &Value| (answer["ok"].clone(), answer["stability"].clone());
    assert_eq!(summary(&answers[0]), (json!(true), json!("stable")));
    assert_eq!(summary(&answers[1]), (json!(true), json!("unknown")));
    let error = &answers[1]["stability_error"];
    assert_eq!(error["code"], json!("template_raised"));
    let folder = Folder::new();
    folder.write("template.jinja", raising);
    let text = folder.run(&["chat", "inspect", "template.jinja"]).out;
    assert!(!text.contains("each message only appends text\n"), "{text}");
    let expected = "prefix stability is unknown: No such talk.";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn an_answer_is_taken_apart() {
    let answers = batch(
        "extract",
        &[
            json!({"output": "plain"}),
            json!({"template": "<|channel|>final<|message|>",
                   "output": "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>"}),
            json!({"markers": {"channel_extract_marker": "<<", "channel_end_marker": ">>"},
                   "output": "a<<b>>c"}),
            json!({"template": "<|channel|>final<|message|>",
                   "output": "<|channel|>commentary to=functions.f<|message|>{\"a\": 1}<|call|>"}),
            json!({"output": "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"}),
            json!({"output": "<think>Hm.</think>Yes."}),
            json!({"markers": {"end": "x"}, "output": ""}),
        ],
    );
    let contents: Vec<&str> = answers
        .iter()
        .map(|answer| answer["content"].as_str().unwrap_or("refused"))
        .collect();
    assert_eq!(
        contents,
        [
            "plain",
            "Yes.",
            "b",
            "",
            "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>",
            "<think>Hm.</think>Yes.",
            "refused",
        ]
    );
    assert_eq!(answers[0]["channels"], json!([]));
    assert_eq!(answers[0]["tool_calls"], json!([]));
    assert_eq!(answers[1]["channels"][0]["name"], json!("analysis"));
    let call = json!([{"name": "f", "arguments": {"a": 1}}]);
    assert_eq!(answers[3]["tool_calls"], call);
    assert_eq!(answers[4]["tool_calls"], call);
    assert_eq!(answers[5]["thinking"], json!("Hm."));
    assert_eq!(answers[6]["error"]["code"], json!("invalid_question"));
}

#[test]
fn the_text_of_an_answer_is_its_final_channel_or_all_of_it_without_channels() {
    let folder = Folder::new();
    let channels = "<|channel|>final<|message|>";
    for (question, printed) in [
        (
            json!({"output": "<think>Hm.</think>Yes."}),
            "<think>Hm.</think>Yes.\n",
        ),
        (
            json!({"template": "{{ messages }}", "output": "Yes."}),
            "Yes.\n",
        ),
        (
            json!({"template": channels, "output": format!("<|channel|>analysis<|message|>Hm.<|end|>{channels}Yes.<|return|>")}),
            "Yes.\n",
        ),
        (
            json!({"template": channels, "output": "<|channel|>commentary to=f<|message|>{}<|call|>"}),
            "\n",
        ),
    ] {
        folder.write("answer.json", question.to_string());
        folder
            .run(&["chat", "extract", "answer.json"])
            .gives(printed);
    }
}

#[test]
fn one_question_is_a_file() {
    let folder = Folder::new();
    let question = json!({"messages": hi(), "add_generation_prompt": true});
    folder.write("question.json", question.to_string());
    folder.write("template.jinja", CHATML);
    let exact = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
    folder
        .run(&[
            "chat",
            "render",
            "question.json",
            "--template",
            "template.jinja",
        ])
        .gives(exact);
    folder
        .run(&["chat", "render", "question.json", "--family", "QWEN_2_X"])
        .gives(exact);
    let plain = folder.run_with(&["chat", "render", "-"], &question.to_string());
    assert_eq!(plain.out, "user: Hi\n\nassistant: ");
    let json = folder.run(&["chat", "inspect", "template.jinja", "--format", "json"]);
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((&report["family"], json.status), (&json!("QWEN_2_X"), 0));
    let text = folder.run(&["chat", "inspect", "template.jinja"]);
    assert!(text.out.starts_with("family: QWEN_2_X\n"), "{}", text.out);
    folder
        .run(&["chat", "render", "absent.json"])
        .refuses(2, &["absent.json"]);
    folder.run(&["chat", "render"]).refuses(2, &["<DOCUMENT>"]);
}

#[test]
fn thinking_is_switched_by_a_flag_and_by_a_field() {
    let folder = Folder::new();
    let messages = json!([{"role": "user", "content": "hi"}]);
    let question = |more: Value| {
        let mut question = json!({"messages": messages, "add_generation_prompt": true});
        let more = more.as_object().cloned().unwrap_or_default();
        question.as_object_mut().expect("an object").extend(more);
        question
    };
    let render = |args: &[&str], more: Value| {
        let args = [&["chat", "render", "-"], args].concat();
        folder.run_with(&args, &question(more).to_string())
    };
    let family = ["--family", "QWEN_3_X"];
    let closed = "<think>\n\n</think>\n\n";
    assert!(render(&family, json!({})).out.ends_with(closed));
    let open = "<|im_start|>assistant\n";
    assert!(
        render(&[&family[..], &["--thinking"]].concat(), json!({}))
            .out
            .ends_with(open)
    );
    assert!(
        render(&family, json!({"thinking": true}))
            .out
            .ends_with(open)
    );
    let extra = json!({"thinking": true, "extra": {"enable_thinking": false}});
    assert!(render(&family, extra).out.ends_with(closed));
    let template = json!({"template": "{{ enable_thinking is defined }}", "thinking": false});
    assert_eq!(render(&[], template).out, "True");

    // The flag overrides every setting of the question.
    let flag = [&family[..], &["--thinking"]].concat();
    let extra = json!({"thinking": false, "extra": {"enable_thinking": false}});
    assert!(render(&flag, extra).out.ends_with(open));

    let misspelt = render(&family, json!({"thinkng": true}));
    assert!(misspelt.status == 0 && misspelt.out.ends_with(closed));
    assert!(
        misspelt.err.contains("did you mean \"thinking\"?"),
        "{}",
        misspelt.err
    );
    render(
        &[&family[..], &["--strict"]].concat(),
        json!({"thinkng": true}),
    )
    .refuses(2, &["unknown key \"thinkng\""]);

    folder.write(
        "q.json",
        question(json!({"family": "QWEN_3_X", "off": []})).to_string(),
    );
    let inspect = [
        "chat",
        "inspect",
        "--conversation",
        "q.json",
        "--format",
        "json",
    ];
    let output = |args: &[&str]| {
        let run = folder.run(args);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        answer["conversation"]["output"]
            .as_str()
            .expect("a text")
            .to_owned()
    };
    assert!(output(&inspect).ends_with(closed));
    assert!(output(&[&inspect[..], &["--thinking"]].concat()).ends_with(open));
    assert!(output(&[&inspect[..], &["--thinking=false"]].concat()).ends_with(closed));
}

#[test]
fn a_template_that_prints_nothing_is_reported() {
    let folder = Folder::new();
    folder.write("empty.jinja", "");
    folder.write(
        "c.json",
        r#"{"messages": [{"role": "user", "content": "Hi"}]}"#,
    );
    let render = ["chat", "render", "c.json", "--template", "empty.jinja"];
    let run = folder.run(&render);
    let words = "c.json: the template prints nothing for this conversation";
    assert_eq!((run.out.as_str(), run.status), ("", 0));
    assert_eq!(run.err, format!("warning: {words}\n"));
    folder
        .run(&[&render[..], &["--strict"]].concat())
        .refuses(2, &[words]);
}

#[test]
fn malformed_markers_are_refused() {
    let folder = Folder::new();
    for (markers, words) in [
        (
            json!(["a", "b", "c"]),
            "a list of markers is a pair of texts",
        ),
        (json!(["a"]), "a list of markers is a pair of texts"),
        (json!(["a", 1]), "a list of markers is a pair of texts"),
        (
            json!({"extract": "a", "ned": "b"}),
            "markers have no \"ned\": they are channel_extract_marker and channel_end_marker; did you mean",
        ),
        (
            json!({"extract": "a", "end": 1}),
            "end of the markers is a text",
        ),
    ] {
        let question = json!({"output": "xaYb", "markers": markers}).to_string();
        folder.write("q.json", question);
        folder
            .run(&["chat", "extract", "q.json"])
            .refuses(2, &[words]);
    }
    for markers in [json!(["a", "b"]), json!({"start": "a", "stop": "b"})] {
        folder.write(
            "q.json",
            json!({"output": "xaYb", "markers": markers}).to_string(),
        );
        folder.run(&["chat", "extract", "q.json"]).gives("Y\n");
    }
}
