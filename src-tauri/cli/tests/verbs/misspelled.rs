//! Misspelled keys inside messages and misspelled names in templates: a warning with the name that is
//! meant, an error with `--strict`, and an entry in JSON results.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

/// Runs with a document in a file: the work is done with exactly these messages, and refused for the
/// first of them with `--strict`.
#[track_caller]
fn warns(args: &[&str], document: &Value, messages: &[&str]) -> Run {
    let folder = Folder::new();
    folder.write("doc.json", document.to_string());
    let run = folder.run(args);
    assert_eq!(run.status, 0, "{args:?}: {run:?}");
    let found: Vec<&str> = run.err.lines().collect();
    assert_eq!(found, messages, "{args:?}");
    let strict = folder.run(&[args, &["--strict"]].concat());
    let mut warnings = messages
        .iter()
        .filter_map(|line| line.strip_prefix("warning: "));
    match warnings.next() {
        Some(first) => strict.refuses(2, &[first]),
        None => assert_eq!(strict.status, 0, "{strict:?}"),
    }
    run
}

/// The codes in the diagnostics of a JSON result, with what they suggest.
fn suggestions(out: &str) -> Vec<(String, String)> {
    let answer: Value = serde_json::from_str(out).expect("JSON");
    let found = answer["diagnostics"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let found = found.iter();
    found
        .map(|found| (text(&found["code"]), text(&found["data"]["suggestion"])))
        .collect()
}

#[test]
fn keys_of_messages_in_a_call_document() {
    let call = json!({
        "history": [{"role": "user", "contnt": "Hi"}, {"role": "assistant", "content": "Yo"}],
        "message": {"txt": "Well?"},
    });
    let expected = [
        "warning: doc.json: line 1, column 28: message 1 (user): unknown key \"contnt\"; did you \
         mean \"content\"?",
        "warning: doc.json: line 1, column 91: message: unknown key \"txt\", which is ignored; did \
         you mean \"text\"?",
    ];
    warns(&["request", "doc.json"], &call, &expected);
    let folder = Folder::new();
    folder.write("doc.json", call.to_string());
    let run = folder.run(&["request", "doc.json", "--target", "gemini"]);
    assert!(
        expected.iter().all(|line| run.err.contains(line)),
        "{run:?}"
    );
    let of_template = ["--target", "chat-template", "--family", "chatml"];
    warns(
        &[&["request", "doc.json"], &of_template[..]].concat(),
        &call,
        &expected,
    );
}

#[test]
fn a_template_of_a_call_knows_its_own_keys() {
    let folder = Folder::new();
    folder.write(
        "template.jinja",
        "{% for m in messages %}{{ m.content }}{{ m.mood }}{% endfor %}",
    );
    let call = json!({"history": [{"role": "user", "content": "Hi", "mood": "calm", "moood": ""}]});
    folder.write("call.json", call.to_string());
    let run = folder.run(&[
        "request",
        "call.json",
        "--target",
        "chat-template",
        "--template",
        "template.jinja",
    ]);
    assert_eq!(
        run.err,
        "note: call.json: line 1, column 57: message 1 (user): unknown key \"moood\"\n"
    );
}

#[test]
fn keys_of_messages_in_a_history_and_a_conversation() {
    let messages = json!([
        {"role": "user", "contnt": "Hi"},
        {"role": "assistant", "content": null, "tool_cals": []},
        {"role": "user"},
        {"role": "user", "content": [{"type": "text", "txt": "Yo"}], "mood": "calm"},
    ]);
    let expected = [
        "warning: doc.json: message 1 (user): unknown key \"contnt\"; did you mean \"content\"?",
        "warning: doc.json: message 2 (assistant): unknown key \"tool_cals\"; did you mean \
         \"tool_calls\"?",
        "warning: doc.json: message 3 (user) says nothing: it has no content and no tool calls",
        "warning: doc.json: message 4 (user): unknown key \"txt\" in /content/0; did you mean \
         \"text\"?",
        "note: doc.json: message 4 (user): unknown key \"mood\"",
    ];
    let history = json!({"messages": messages});
    let run = warns(&["history", "doc.json"], &history, &expected);
    assert_eq!(run.out, "valid\n");
    let conversation = json!({"messages": messages, "family": "CHATML"});
    warns(&["chat", "render", "doc.json"], &conversation, &expected);
    for args in [
        &["history", "doc.json"][..],
        &["chat", "render", "doc.json"],
    ] {
        let run = warns(
            &[args, &["--format", "json"]].concat(),
            &conversation_of(args, &messages),
            &expected,
        );
        let found = suggestions(&run.out);
        let codes: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        assert_eq!(
            codes,
            ["call_key", "call_key", "no_content", "call_key", "call_key"]
        );
        assert_eq!((found[0].1.as_str(), found[4].1.as_str()), ("content", ""));
    }
}

/// A document of a verb with these messages.
fn conversation_of(args: &[&str], messages: &Value) -> Value {
    match args[0] {
        "history" => json!({"messages": messages}),
        _ => json!({"messages": messages, "family": "CHATML"}),
    }
}

#[test]
fn names_in_a_chat_template() {
    let messages = json!([{"role": "user", "content": "Hi", "mood": "calm"}]);
    let render = ["chat", "render", "doc.json"];
    let document = |template: &str| json!({"template": template, "messages": messages});
    warns(
        &render,
        &document("{% for m in mesages %}{{ m.mood }}{% endfor %}"),
        &[
            "warning: doc.json: the variable \"mesages\" of the template is unknown; did you mean \
           \"messages\"?",
        ],
    );
    let contnt = document("{% for m in messages %}{{ m.contnt }}{{ m.mood }}{% endfor %}");
    let suggestion =
        "the attribute \"contnt\" of the template is unknown; did you mean \"content\"?";
    let warning = format!("warning: doc.json: {suggestion}");
    warns(&render, &contnt, &[&warning]);
    let run = warns(
        &[&render[..], &["--format", "json"]].concat(),
        &contnt,
        &[&warning],
    );
    let expected = [("unknown_attribute".to_owned(), "content".to_owned())];
    assert_eq!(suggestions(&run.out), expected);
    let sound =
        document("{% for m in messages %}{{ m.content }}{{ m.mood }}{% endfor %}{{ flag }}");
    warns(&render, &sound, &[]);
    let lines = format!("{contnt}\n{sound}\n{contnt}\n");
    let folder = Folder::new();
    let run = folder.run_with(&["chat", "render", "--batch"], &lines);
    assert_eq!(
        run.err,
        format!("warning: line 1: {suggestion}\nwarning: 1 more line: {suggestion}\n")
    );
    assert_eq!(
        run.out.lines().map(suggestions).collect::<Vec<_>>(),
        [&expected[..], &[], &expected]
    );
    let run = folder.run_with(&["chat", "render", "--batch", "--strict"], &lines);
    assert_eq!(
        (run.status, run.out.matches("\"ok\":false").count()),
        (1, 2),
        "{run:?}"
    );
}

#[test]
fn variables_that_a_chat_template_does_not_read() {
    let messages = json!([{"role": "user", "content": "Hi"}]);
    let render = ["chat", "render", "doc.json"];
    let document = |template: &str, extra: Value| json!({"template": template, "messages": messages, "extra": extra});
    let thinks = "{{ 'off' if enable_thinking is false else 'on' }}{{ persona | default('') }}";
    let misspelled = "warning: doc.json: extra: the template reads no variable \"enable_thinkin\"; did \
                      you mean \"enable_thinking\"?";
    let extra = json!({"enable_thinkin": false, "persona": "Eve", "mood": "calm"});
    let run = warns(
        &render,
        &document(thinks, extra.clone()),
        &[
            misspelled,
            "note: doc.json: extra: the template reads no variable \"mood\"",
        ],
    );
    assert_eq!(run.out, "onEve");
    let run = warns(
        &render,
        &document(
            thinks,
            json!({"tools": [], "polyfill": true, "thinking": false}),
        ),
        &[
            "warning: doc.json: extra: the variable \"tools\" has no effect: the value of the \
             conversation or its model takes precedence; write \"tools\" beside \"extra\"",
            "warning: doc.json: extra: the template reads no variable \"polyfill\"; write \
             \"polyfill\" beside \"extra\"",
            "warning: doc.json: extra: the template reads no variable \"thinking\"; did you mean \
             \"enable_thinking\"?",
        ],
    );
    assert_eq!(run.out, "on");
    // The template itself may be what is misspelled, and either is reported once.
    let expected = "warning: doc.json: the variable \"persna\" of the template is unknown; did you mean \
                    \"persona\"?";
    let template = document("{{ persna }}.", json!({"persona": "Eve"}));
    warns(&render, &template, &[expected]);
    let family = json!({"family": "CHATML", "messages": messages, "extra": {"thinking": true}});
    let expected = "warning: doc.json: extra: the built-in format reads no variable \"thinking\"; write \
                    \"thinking\" beside \"extra\"";
    warns(&render, &family, &[expected]);
    // It is why a template fails.
    let folder = Folder::new();
    let failing = document("{{ persona.name }}", json!({"persna": {"name": "Eve"}}));
    folder.write("doc.json", failing.to_string());
    let run = folder.run(&render);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(
        run.err
            .starts_with("warning: doc.json: the variable \"persona\" of the template is unknown"),
        "{run:?}"
    );
    // In a batch and in JSON.
    let line = document(thinks, json!({"enable_thinkin": false}));
    let run = folder.run_with(&["chat", "render", "--batch"], &format!("{line}\n{line}\n"));
    assert_eq!(run.err.matches("\"enable_thinkin\"").count(), 2, "{run:?}");
    let found = suggestions(run.out.lines().next().expect("an answer"));
    let expected = ("unread_variable".to_owned(), "enable_thinking".to_owned());
    assert_eq!(found, [expected]);
    // A flag goes before a variable.
    folder.write("doc.json", document(thinks, extra).to_string());
    let run = folder.run(&[&render[..], &["--thinking=false", "--bos", "<s>"]].concat());
    assert!(run.out.starts_with("off"), "{run:?}");
    let inspected = folder.run(&["chat", "inspect", "--conversation", "doc.json"]);
    assert!(inspected.out.contains(&misspelled[26..]), "{inspected:?}");
}

#[test]
fn names_in_a_chat_template_of_a_request() {
    let folder = Folder::new();
    let call = json!({"message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let request = |template: &str| {
        folder.write("t.jinja", template);
        let target = ["--target", "chat-template", "--template", "t.jinja"];
        folder.run(&[&["request", "call.json"], &target[..]].concat())
    };
    let run = request("{% for m in mesages %}{{ m.content }}{% endfor %}x");
    let meant =
        "warning: the variable \"mesages\" of the template is unknown; did you mean \"messages\"?";
    assert!(run.err.contains(meant), "{run:?}");
    let run = request("{# nothing #}");
    let empty = "warning: the template prints nothing for this conversation";
    assert!(run.err.contains(empty), "{run:?}");
    let run = request("{% for m in messages %}{{ m.content }}{% endfor %}");
    assert!(!run.err.contains("warning"), "{run:?}");
}

#[test]
fn a_key_that_breaks_a_history_is_named() {
    let folder = Folder::new();
    let call = json!({"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let history = json!([
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": null, "tool_call": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "x"},
    ]);
    let document = json!({"history": history, "message": {"text": "Go on"}});
    folder.write("call.json", document.to_string());
    let run = folder.run(&["request", "call.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.err.contains("did you mean \"tool_calls\"?"), "{run:?}");
}

#[test]
fn keys_of_an_inspected_conversation() {
    let folder = Folder::new();
    let document = |key: &str| {
        let message = json!({"role": "user", key: "Hi"});
        json!({"template": "{{ messages | tojson }}", "messages": [message]}).to_string()
    };
    let inspect = ["chat", "inspect", "--conversation", "doc.json"];
    folder.write("doc.json", document("contnt"));
    let run = folder.run(&inspect);
    let expected = "message 1 (user): unknown key \"contnt\"; did you mean \"content\"?";
    assert!(run.out.contains(expected), "{run:?}");
    folder.write("doc.json", document("content"));
    assert!(!folder.run(&inspect).out.contains("unknown key"));
    folder.write("doc.json", r#"{"mesages": []}"#);
    let run = folder.run(&inspect);
    run.refuses(2, &["doc.json: /messages: expected a list, found nothing"]);
}

#[test]
fn names_in_a_template_of_arguments() {
    let document = json!({
        "now": "2026-01-15T10:30:00Z",
        "args": {"name": "Ada"},
        "assistant": {"nme": "Eve"},
        "template": "{{ args.nme }}|{{ nme }}|{{ x | default('-') }}{% for x in args.name %}{% endfor %}",
    });
    let expected = [
        "warning: doc.json: assistant: unknown key \"nme\", which is ignored; did you mean \"name\"?",
        "warning: doc.json: args.name is a text, and its loop goes over the letters: write a list, in \
         JSON, in args",
        "warning: doc.json: args.nme has no value and leaves a gap in the prompt: set it in args; \
         did you mean \"name\"?",
        "warning: doc.json: nme has no value and leaves a gap in the prompt: set it in args; did you \
         mean \"name\"?",
    ];
    let run = warns(&["arguments", "doc.json"], &document, &expected);
    assert_eq!(run.out, "||-\n");
    let run = warns(
        &["arguments", "doc.json", "--format", "json"],
        &document,
        &expected,
    );
    let codes: Vec<String> = suggestions(&run.out)
        .into_iter()
        .map(|(code, _)| code)
        .collect();
    assert_eq!(
        codes,
        [
            "call_key",
            "text_looped",
            "expression_gap",
            "expression_gap"
        ]
    );
    let folder = Folder::new();
    let run = folder.run_with(
        &["arguments", "--batch", "--strict"],
        &format!("{document}\n"),
    );
    assert!(run.out.contains("\"code\":\"call_key\""), "{run:?}");
}

#[test]
fn keys_of_a_call_document_in_a_check() {
    let folder = Folder::new();
    let call = json!({
        "registry": "registry.json",
        "histroy": [],
        "history": [{"role": "user", "contnt": "Hi"}],
        "message": {"txt": "Yo"},
    });
    folder.write(
        "call.json",
        serde_json::to_string_pretty(&call).expect("JSON"),
    );
    let run = folder.run(&["check", "call.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = reports[0]["diagnostics"].as_array().expect("findings");
    let found: Vec<(&str, u64)> = found
        .iter()
        .map(|found| {
            let key = found["data"]["key"].as_str().expect("a key");
            (key, found["line"].as_u64().expect("a line"))
        })
        .collect();
    assert_eq!(
        (run.status, found),
        (0, vec![("histroy", 3), ("contnt", 7), ("txt", 11)])
    );
    assert_eq!(folder.run(&["check", "call.json", "--strict"]).status, 1);
}

#[test]
fn tools_of_other_providers_that_nothing_converts() {
    let folder = Folder::new();
    let tool = json!({"name": "f", "description": "d", "input_schema": {"type": "object"}});
    let read = |template: &str| {
        let document = json!({
            "messages": [{"role": "user", "content": "Hi"}], "tools": [tool], "template": template,
        });
        folder.write("c.json", document.to_string());
        folder.run(&["chat", "render", "c.json"])
    };
    let words = "warning: c.json: tool 1 has \"input_schema\", and chat templates read the \
                 \"parameters\" of a \"function\"; write {\"type\": \"function\", ";
    let run = read("{{ tools | tojson }}");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.err.matches(words).count(), 1, "{}", run.err);
    folder
        .run(&["chat", "render", "c.json", "--strict"])
        .refuses(2, &["tool 1 has \"input_schema\""]);
    // It is why a template fails.
    let run = read("{{ tools[0].function.name }}");
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.err.starts_with(words), "{}", run.err);
    // A template of that provider's own shape.
    let run = read("{{ tools[0].input_schema | tojson }}");
    assert_eq!((run.status, run.err.as_str()), (0, ""));
}

#[test]
fn keys_of_tools_and_of_parts() {
    let function = json!({"name": "get", "descripton": "x", "strict": true,
        "parameters": {"type": "object", "proprties": {}}});
    let tools = json!([{"type": "function", "function": function}]);
    let call = json!({"message": {"text": "Hi"}, "tools": tools});
    let key = "unknown key \"descripton\" in /function; did you mean \"description\"?";
    let expected = format!("warning: doc.json: line 1, column 79: tool 1: {key}");
    warns(&["request", "doc.json"], &call, &[&expected]);
    let template = ["--target", "chat-template", "--family", "QWEN_3_X"];
    let request = [&["request", "doc.json"], &template[..]].concat();
    warns(&request, &call, &[&expected]);
    let messages = json!([{"role": "user", "content": "Hi"}]);
    let conversation = json!({"messages": messages, "tools": tools, "family": "QWEN_3_X"});
    let expected = format!("warning: doc.json: tool 1: {key}");
    warns(&["chat", "render", "doc.json"], &conversation, &[&expected]);
    let folder = Folder::new();
    let nameless = json!({"messages": messages, "tools": [{"nme": "x"}], "family": "QWEN_3_X"});
    folder.write("doc.json", nameless.to_string());
    let run = folder.run(&["chat", "render", "doc.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    for words in [
        "tool 1 has neither a function nor a type",
        "did you mean \"name\"?",
    ] {
        assert!(run.err.contains(words), "no {words:?} in {run:?}");
    }

    let part = json!({"type": "imge_url", "image_url": {"url": "x"}});
    let call = json!({"history": [{"role": "user", "content": [part]}]});
    let expected = "warning: doc.json: line 1, column 47: message 1 (user): unknown type \
                    \"imge_url\" in /content/0; did you mean \"image_url\"?";
    warns(&["request", "doc.json"], &call, &[expected]);
}

#[test]
fn keys_of_turns() {
    let session = json!({
        "turns": [{"type": "user_task", "instruction": "Hi"}, {"type": "user_task", "instructon": "x"}],
        "current_task": {"instruction": "Go on"},
    });
    let message = "turn 2 (user_task): unknown key \"instructon\"; did you mean \"instruction\"?";
    let expected = format!("warning: doc.json: {message}");
    let args = ["layers", "doc.json", "--tokenizer", "estimate"];
    warns(&args, &session, &[&expected]);
    let call = json!({"layers": session, "message": {"text": "Hi"}});
    let folder = Folder::new();
    folder.write("call.json", call.to_string());
    let run = folder.run(&["request", "call.json", "--target", "gemini", "--strict"]);
    run.refuses(2, &[message]);
}

#[test]
fn keys_of_a_request_body() {
    let body = json!({"modl": "x", "messages": [{"role": "user", "contnt": "x"}], "temprature": 3});
    let expected = [
        "warning: doc.json: line 1, column 2: unknown key \"modl\"; did you mean \"model\"?",
        "warning: doc.json: line 1, column 55: unknown key \"temprature\"; did you mean \
         \"temperature\"?",
        "warning: doc.json: line 1, column 40: message 1 (user): unknown key \"contnt\"; did you \
         mean \"content\"?",
    ];
    warns(
        &["run", "registry.json", "--request", "doc.json"],
        &body,
        &expected,
    );
}

#[test]
fn an_explanation_lists_the_warnings_too() {
    let folder = Folder::new();
    folder.write(
        "typo.json",
        r#"{"registry": {"assembly_ordr": ["a"], "a": {"requird": true, "items": [{"id": "x", "text": "Hi"}]}}}"#,
    );
    folder.write("state.json", r#"{"selectons": {}}"#);
    let args = [
        "hydrate",
        "typo.json",
        "--state",
        "state.json",
        "--explain",
        "--format",
        "json",
    ];
    let run = folder.run(&args);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let keys = |answer: &Value| {
        let found = answer["diagnostics"].as_array().expect("a list").iter();
        let found = found.filter(|found| found["code"] == "unknown_key");
        let keys = found.map(|found| {
            assert_eq!(found["severity"], "warning");
            found["data"]["key"].as_str().expect("a key").to_owned()
        });
        keys.collect::<Vec<String>>()
    };
    assert_eq!(keys(&answer), ["assembly_ordr", "requird", "selectons"]);
    let inside = folder.read("typo.json");
    let line = format!(r#"{{"registry": {inside}, "sed": 7}}"#);
    let args = ["hydrate", "--batch", "--explain"];
    let run = folder.run_with(&args, &format!("{line}\n{{\"seed\": 1}}\n"));
    let first = run.out.lines().next().expect("an answer");
    let answer: Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(keys(&answer), ["sed", "assembly_ordr", "requird"]);
    // The registry of all lines is named once on standard error, and in each answer that is made of it.
    let args = ["hydrate", "--batch", "--registry", "typo.json"];
    let inline_registry = REGISTRY.replace('\n', " ");
    let lines = format!("{{\"sed\": 7}}\n{{}}\n{{\"registry\": {inline_registry}}}\n");
    let run = folder.run_with(&[&args[..], &["--explain"]].concat(), &lines);
    let answers = run.out.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).expect("JSON");
        keys(&answer)
    });
    let of_registry = ["assembly_ordr", "requird"].map(str::to_owned);
    let with_own = [&of_registry[..], &["sed".to_owned()]].concat();
    assert_eq!(
        answers.collect::<Vec<_>>(),
        [with_own, of_registry.to_vec(), Vec::new()]
    );
    assert_eq!(run.err.matches("assembly_ordr").count(), 1, "{}", run.err);
    for explain in [&[][..], &["--explain"]] {
        let args = [&args[..], explain, &["--strict"]].concat();
        let run = folder.run_with(&args, "{}\n");
        run.refuses(2, &["typo.json: line 1", "\"assembly_ordr\""]);
        assert_eq!(run.out, "");
    }
}
