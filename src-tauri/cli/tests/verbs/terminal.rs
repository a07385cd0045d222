//! Output that reaches a terminal: foreign names, errors and reasons are escaped in every message,
//! row and table, also in a pipe. Only prompts and files are verbatim.

use std::process::Command;

use promptdeck_tests::servers::Canned;
use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

/// A name that sets a colour, forges a row, clears the screen by a C1 control, changes the text
/// direction and deletes.
const HOSTILE: &str = "\u{1b}[31mred\nforged\rrow\u{9b}2J\u{202e}dne\u{2028}\u{7f}";

/// The part of it that JSON allows unescaped, and that a line of a file can contain.
const IN_A_FILE: &str = "red\u{9b}2J\u{202e}dne\u{2028}\u{7f}";

/// The outputs checked so far, and their faults.
#[derive(Default)]
struct Places {
    count: u32,
    problems: Vec<String>,
}

impl Places {
    /// Checks that a run printed the name without any terminal control.
    fn check(&mut self, place: &str, run: &Run) {
        let printed = format!("{}{}", run.out, run.err);
        let controls = |char: char| {
            char != '\n' && char.is_control() || "\u{202e}\u{2028}\u{2066}".contains(char)
        };
        let names = ["\\u{9b}", "\\u009b", "\\x9b"];
        let problem = if printed.contains(controls) {
            "controls the terminal"
        } else if printed.lines().any(|line| line.starts_with("forged")) {
            "has a forged row"
        } else if !names.iter().any(|name| printed.contains(name)) {
            "does not print the name"
        } else if printed.contains("panicked") {
            "panicked"
        } else {
            ""
        };
        if !problem.is_empty() {
            self.problems
                .push(format!("{place} {problem}: {printed:?}"));
        }
        self.count += 1;
    }

    /// Runs and checks.
    fn run(&mut self, folder: &Folder, args: &[&str]) {
        let run = folder.run(args);
        self.check(
            &args[..args.len().min(3)].join(" ").replace(HOSTILE, "…"),
            &run,
        );
    }

    /// The same with a document on standard input.
    fn given(&mut self, folder: &Folder, args: &[&str], document: &Value) {
        let run = folder.run_with(args, &document.to_string());
        self.check(&args.join(" ").replace(HOSTILE, "…"), &run);
    }
}

/// A registry whose sections, items and settings have the name.
fn registry() -> Value {
    json!({"registry": {
        "version": 22,
        "assembly_order": [HOSTILE, "greeting", format!("no.{HOSTILE}")],
        HOSTILE: {
            "required": true,
            "items": [{"id": HOSTILE, "text": "a"}, {"id": "b", "text": format!("b {HOSTILE}")}],
        },
        "greeting": {"required": true, "items": [{"id": "hello", "text": "Hello {nobody}."}]},
        "routes": {HOSTILE: {"assembly_order": ["greeting"]}},
        "output_policy": {"forbidden_substrings": ["mock"], "require_patterns": [HOSTILE]},
    }})
}

/// A folder with that registry, the usual one, and the usual one under that name.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("hostile.json", registry().to_string());
    folder.write(HOSTILE, REGISTRY);
    folder
}

#[test]
fn names_errors_and_reasons_are_escaped_in_every_place() {
    let mut places = Places::default();
    let hostile_file = format!("{HOSTILE}.json");
    let file = hostile_file.as_str();

    // Arguments and file names.
    let folder = folder();
    places.run(&folder, &["hydrate", file]);
    places.run(&folder, &["hydrate", "registry.json", "--route", HOSTILE]);
    places.run(&folder, &["hydrate", "hostile.json", "--route", "none"]);
    places.run(&folder, &["hydrate", "registry.json", HOSTILE]);
    places.run(&folder, &["hydrate", "registry.json", "--seed", HOSTILE]);
    places.run(&folder, &["hydrate", "registry.json", "--format", HOSTILE]);
    let slider = format!("moods={HOSTILE}");
    places.run(&folder, &["hydrate", "registry.json", "--slider", &slider]);
    places.run(&folder, &[HOSTILE]);
    places.run(&folder, &["hydrate", "registry.json", "--state", file]);
    folder.write("state.json", json!({"sliders": {HOSTILE: "x"}}).to_string());
    places.run(
        &folder,
        &["hydrate", "registry.json", "--state", "state.json"],
    );
    let select = format!("greeting={HOSTILE}");
    places.run(&folder, &["hydrate", "registry.json", "--select", &select]);
    let section = format!("{HOSTILE}=x");
    places.run(&folder, &["hydrate", "registry.json", "--select", &section]);
    let mode = format!("lists.items={HOSTILE}");
    places.run(&folder, &["hydrate", "registry.json", "--mode", &mode]);
    let selected = format!("{HOSTILE}={HOSTILE}");
    // The prompt itself is verbatim.
    let explained = folder.run(&[
        "hydrate",
        "hostile.json",
        "--explain",
        "--select",
        &selected,
    ]);
    assert!(explained.out.starts_with("a\n"), "{explained:?}");
    places.check("hydrate --explain", &explained);
    let args = ["hydrate", "hostile.json", "--explain", "--format", "json"];
    places.run(&folder, &args);
    places.run(&folder, &["variants", file]);
    for format in ["text", "json", "html"] {
        let profile = [
            "profile",
            "hostile.json",
            "--rolls",
            "20",
            "--format",
            format,
        ];
        places.run(&folder, &profile);
    }
    for format in ["text", "json", "markdown"] {
        let impact = [
            "impact",
            "hostile.json",
            "registry.json",
            "--rolls",
            "20",
            "--format",
            format,
        ];
        places.run(&folder, &impact);
    }
    places.run(
        &folder,
        &["export", "registry.json", "-o", &format!("no/{file}")],
    );
    places.run(&folder, &["export", file]);

    // Findings with their line of the file.
    places.run(&folder, &["check", "hostile.json"]);
    places.run(&folder, &["check", "hostile.json", "--format", "json"]);
    folder.write(file, format!("{{\"version\": 22, \"{IN_A_FILE}\": [}}"));
    places.run(&folder, &["check", file]);
    folder.write(
        "raw.json",
        format!("{{\"version\": 22, \u{1b}\"{IN_A_FILE}\u{1b}\": [}}"),
    );
    places.run(&folder, &["check", "raw.json"]);
    places.run(&folder, &["check", &format!("no {HOSTILE}")]);
    places.run(&folder, &["fmt", file]);
    folder.write(file, REGISTRY.replace("  ", " "));
    places.run(&folder, &["fmt", "--check", file]);
    places.run(&folder, &["doctor", HOSTILE]);
    folder.write(file, REGISTRY.replace("22", "99"));
    places.run(&folder, &["doctor", "."]);
    places.run(&folder, &["doctor", ".", "--format", "json"]);

    snapshots(&mut places);
    policies_and_runs(&mut places);
    requests(&mut places);
    chats(&mut places);
    assert!(places.problems.is_empty(), "{}", places.problems.join("\n"));
    println!(
        "{} places print a foreign name, and none as it is",
        places.count
    );
}

fn snapshots(places: &mut Places) {
    let folder = folder();
    let save = |file: &str, name: &str, note: &str| {
        let args = ["snapshot", "save", file, "--name", name, "--note", note];
        assert_eq!(folder.run(&args).status, 0);
    };
    save("registry.json", HOSTILE, "");
    places.run(&folder, &["snapshot", "list"]);
    let listed = folder.run(&["snapshot", "list"]).out;
    assert_eq!(listed.lines().count(), 1, "{listed}");
    places.run(&folder, &["snapshot", "list", "--format", "json"]);
    save("registry.json", "noted", HOSTILE);
    places.run(&folder, &["snapshot", "list", "--find", "noted"]);
    save(HOSTILE, "filed", "");
    places.run(&folder, &["snapshot", "list", "--find", "filed"]);
    places.run(&folder, &["snapshot", "show", &format!("no {HOSTILE}")]);
    save("hostile.json", "first", "");
    let args = [
        "snapshot",
        "save",
        "hostile.json",
        "--name",
        "second",
        "--select",
    ];
    folder.run(&[&args[..], &[&format!("{HOSTILE}=b")]].concat());
    places.run(&folder, &["snapshot", "diff", "first", "second"]);
    places.run(&folder, &["snapshot", "diff", "first", HOSTILE]);
    places.run(
        &folder,
        &["snapshot", "diff", "first", "second", "--format", "json"],
    );
    folder.write(HOSTILE, registry().to_string());
    places.run(&folder, &["snapshot", "restore", "filed"]);
    save("registry.json", HOSTILE, "");
    places.run(&folder, &["snapshot", "show", HOSTILE]);
    places.run(&folder, &["snapshot", "--store", HOSTILE, "show", HOSTILE]);
    std::fs::create_dir(folder.path("no\u{9b}\n")).expect("made");
    places.run(&folder, &["snapshot", "--store", "no\u{9b}\n", "list"]);
}

fn policies_and_runs(places: &mut Places) {
    let folder = folder();
    let policy = |rule: Value| json!({"policy": rule, "text": "text"});
    places.given(&folder, &["policy", "-"], &policy(json!({HOSTILE: 1})));
    places.given(
        &folder,
        &["policy", "-"],
        &policy(json!({"require_patterns": [HOSTILE]})),
    );
    let broken = format!("({HOSTILE}");
    places.given(
        &folder,
        &["policy", "-"],
        &policy(json!({"require_patterns": [broken]})),
    );
    places.run(&folder, &["run", "hostile.json", "--seed", "1"]);

    let served = |status: &str, headers: &str, body: &Value, more: &[&str]| {
        let server = Canned::answering(status, headers, &body.to_string());
        let run = [
            "run",
            "registry.json",
            "--provider",
            "completions",
            "--base-url",
        ];
        folder.run(&[&run[..], &[server.address()], more].concat())
    };
    let error = json!({"error": {"message": IN_A_FILE}});
    let faulty = served("400 Bad", "", &error, &[]);
    // One line without terminal controls; it need not contain the name.
    assert!(
        !faulty.err.contains(['\u{9b}', '\u{202e}', '\u{7f}']),
        "{faulty:?}"
    );
    let location = "Location: http://elsewhere.invalid/\u{9b}\r\n";
    let moved = served("302 Found", location, &json!({}), &[]);
    assert!(!moved.err.contains(['\u{9b}', '\u{1b}']), "{moved:?}");
    let url = format!("ftp://{HOSTILE}");
    let run = ["run", "registry.json", "--provider", "openai"];
    let missing = format!("no {HOSTILE}");
    places.run(&folder, &[&run[..], &["--base-url", &url]].concat());
    places.run(
        &folder,
        &[
            "run",
            "registry.json",
            "--provider",
            "completions",
            "--chat-template",
            &missing,
        ],
    );
    places.run(&folder, &[&run[..], &["--request", &missing]].concat());

    folder.write("t.jinja", "{{ messages[0].content }}{# <|channel|>final #}");
    let call = format!("<|channel|>commentary to=functions.{IN_A_FILE}<|message|>{{}}<|call|>");
    let answer = json!({"choices": [{"text": call, "finish_reason": "stop"}]});
    let called = served("200 OK", "", &answer, &["--chat-template", "t.jinja"]);
    places.check("run: a call", &called);
    folder.write(
        "raise.jinja",
        format!("{{{{ raise_exception('{IN_A_FILE}') }}}}"),
    );
    let raised = served("200 OK", "", &answer, &["--chat-template", "raise.jinja"]);
    assert!(
        !raised.err.contains(['\u{9b}', '\u{202e}', '\u{7f}']),
        "{raised:?}"
    );
}

fn requests(places: &mut Places) {
    let folder = folder();
    let call = |text: &str| {
        json!({
            "registry": {"template_engine": "jinja", "assembly_order": ["a"],
                         "a": {"items": [{"id": "a", "text": text}]}},
            "now": "2026-01-15T10:30:00Z", "args": {}, "message": {"text": format!("go {text}")},
        })
    };
    let unknown = format!("{{% include '{HOSTILE}' %}}");
    folder.write("call.json", call(&unknown).to_string());
    places.run(&folder, &["request", "call.json"]);
    folder.write("one.json", call("one").to_string());
    folder.write("two.json", call(IN_A_FILE).to_string());
    places.run(&folder, &["request", "one.json", "--against", "two.json"]);
    places.run(&folder, &["request", "two.json"]);
    let chat = ["--target", "chat-template", "--family", HOSTILE];
    places.run(&folder, &[&["request", "one.json"], &chat[..]].concat());
    let counts = ["--format", "json", "--tokenizer", HOSTILE];
    places.run(&folder, &[&["request", "one.json"], &counts[..]].concat());
    let missing = format!("no {HOSTILE}");
    places.run(&folder, &["request", &missing]);
    places.run(
        &folder,
        &[
            "request",
            "one.json",
            "--target",
            "chat-template",
            "--template",
            &missing,
        ],
    );
    let history = json!({"messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "tool_calls": [{"id": HOSTILE}]},
    ]});
    places.given(&folder, &["history", "-"], &history);
    places.given(&folder, &["history", "-", "--format", "json"], &history);
    let mut broken = call("one");
    broken["history"] = history["messages"].clone();
    places.given(&folder, &["request", "-"], &broken);
    let template = json!({"now": "2026-03-04T05:06:07Z", "template": format!("{{{{ {IN_A_FILE}")});
    let run = folder.run_with(&["arguments", "-"], &template.to_string());
    let message = "the template is printed as it is: line 1, column 7: syntax error";
    assert!(run.err.starts_with(message), "{run:?}");
    assert!(!run.err.contains(['\u{9b}', '\u{202e}']), "{run:?}");
    let unknown = json!({"model": "m", HOSTILE: 1, "roles": [1]});
    let layers = folder.run_with(&["layers", "-"], &unknown.to_string());
    assert!(
        !layers.err.contains(['\u{9b}', '\u{1b}', '\u{202e}']),
        "{layers:?}"
    );
}

fn chats(places: &mut Places) {
    let folder = folder();
    let messages = json!({"messages": [{"role": "user", "content": format!("One {HOSTILE}")}]});
    folder.write("call.json", messages.to_string());
    let raises = format!(
        "{{{{ '{IN_A_FILE}' }}}}{{% if messages[0].role != '' %}}\
         {{{{ raise_exception(messages[0].content + '{IN_A_FILE}') }}}}{{% endif %}}"
    );
    folder.write("raise.jinja", raises);
    let render = ["chat", "render", "call.json", "--template"];
    places.run(&folder, &[&render[..], &["raise.jinja"]].concat());
    folder.write("broken.jinja", format!("{{% for {IN_A_FILE} %}}\u{1b}[2J"));
    places.run(&folder, &[&render[..], &["broken.jinja"]].concat());
    places.run(&folder, &[&render[..], &[HOSTILE, HOSTILE]].concat());
    places.run(
        &folder,
        &["chat", "render", "call.json", "--family", HOSTILE],
    );
    let inspect = ["chat", "inspect"];
    places.run(&folder, &[&inspect[..], &["broken.jinja"]].concat());
    places.run(
        &folder,
        &[
            &inspect[..],
            &["raise.jinja", "--conversation", "call.json"],
        ]
        .concat(),
    );
    let plain = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
    folder.write("plain.jinja", plain);
    let asked = ["plain.jinja", "--conversation", "call.json"];
    places.run(&folder, &[&inspect[..], &asked].concat());
    folder.write(
        "other.jinja",
        plain.replace("<{{", &format!("{IN_A_FILE}\u{1b}<{{{{")),
    );
    let against = [&asked[..], &["--against", "other.jinja"]].concat();
    places.run(&folder, &[&inspect[..], &against].concat());
    let tokenizer = [&asked[..], &["--tokenizer", HOSTILE]].concat();
    places.run(&folder, &[&inspect[..], &tokenizer].concat());
    let without = [&asked[..], &["--without", HOSTILE]].concat();
    places.run(&folder, &[&inspect[..], &without].concat());
}

/// Standard output and error of a command on a terminal.
pub fn on_a_terminal(folder: &Folder, line: &str) -> String {
    let program = env!("CARGO_BIN_EXE_promptdeck");
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command"]);
    script.arg(format!("'{program}' {line}")).arg("/dev/null");
    script.current_dir(folder.path(""));
    script
        .env("PROMPTDECK_STORE", folder.path("store.sqlite"))
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    let output = script.output().expect("util-linux has `script`");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_model_does_not_control_the_terminal_it_answers_to() {
    let folder = Folder::new();
    let answer_text = "one\ntwo \u{1b}[2J\u{9b}2J\u{202e}";
    let answer = json!({"choices": [{"text": answer_text, "finish_reason": "stop"}]}).to_string();
    let server = Canned::answering("200 OK", "", &answer);
    let line = format!(
        "run registry.json --provider completions --model m --base-url {}",
        server.address()
    );
    let piped: Vec<&str> = line.split(' ').collect();
    assert_eq!(folder.run(&piped).out, format!("{answer_text}\n"));
    let screen = on_a_terminal(&folder, &line);
    assert_eq!(screen, "one\r\ntwo \\u{1b}[2J\\u{9b}2J\\u{202e}\r\n");
    folder.write(
        "policy.json",
        json!({"policy": {}, "text": answer_text}).to_string(),
    );
    let screen = on_a_terminal(&folder, "policy policy.json");
    assert_eq!(screen, "one\r\ntwo \\u{1b}[2J\\u{9b}2J\\u{202e}\r\n");
    // The only colours are ours.
    folder.write("\u{1b}[7mx", "{");
    let screen = on_a_terminal(&folder, "hydrate *x");
    assert!(
        screen.contains("error\u{1b}[0m: \\u{1b}[7mx: line 1"),
        "{screen:?}"
    );
    let screen = on_a_terminal(&folder, "check *x");
    assert!(
        !screen.contains("\u{1b}[7m") && screen.contains("\\u{1b}[7mx"),
        "{screen:?}"
    );
}

#[test]
fn prompts_and_files_are_verbatim() {
    let folder = Folder::new();
    let name = "a\u{1b}[1m\u{9b}\u{202e}\r\tb";
    let args = [
        "hydrate",
        "registry.json",
        "--route",
        "short",
        "--seed",
        "1",
        "--var",
    ];
    let prompt = folder.run(&[&args[..], &[&format!("greeting::name={name}")]].concat());
    assert_eq!(prompt.out, format!("Hello {name}.\n"));
}
