//! `check` of call documents: their registries, messages, tools and tool calls.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

#[test]
fn tools_and_tool_calls_of_a_call_document_are_checked_with_its_registry() {
    let folder = Folder::new();
    let made = json!([{"id": "1", "function": {"name": "", "arguments": "{bad"}}]);
    let registry = json!({"assembly_order": ["a"], "a": {"required": true, "items": [{"id": "x", "text": "A."}]}});
    let mut call = json!({
        "registry": registry,
        "history": [{"role": "assistant", "tool_calls": made},
            {"role": "tool", "tool_call_id": "1", "content": "-"}],
        "tools": ["find_room", {"google_search": {}}],
    });
    let codes = |call: &Value| {
        folder.write(
            "call.json",
            serde_json::to_string_pretty(call).expect("JSON"),
        );
        let run = folder.run(&["check", "call.json", "--format", "json"]);
        let reports: Value = serde_json::from_str(&run.out).expect("JSON");
        let found = reports[0]["diagnostics"]
            .as_array()
            .expect("findings")
            .clone();
        let codes: Vec<String> = found
            .iter()
            .map(|found| found["code"].to_string())
            .collect();
        assert!(
            found.iter().all(|found| found["line"].is_u64()),
            "{found:?}"
        );
        (run.status, codes.join(" "))
    };
    assert_eq!(
        codes(&call),
        (1, r#""tool_shape" "call_name" "call_arguments""#.to_owned())
    );
    for (target, status) in [("openai", 1), ("gemini", 2)] {
        let run = folder.run(&["request", "call.json", "--target", target]);
        let refuses = run.err.contains("are no JSON object");
        assert_eq!(
            (run.status, refuses),
            (status, true),
            "{target}: {}",
            run.err
        );
    }
    call["tools"] = json!(null);
    call["history"] = json!([]);
    assert_eq!(codes(&call), (0, String::new()));
}

#[test]
fn a_call_that_names_itself_is_noted_once() {
    let folder = Folder::new();
    let call = json!({"registry": "call.json", "message": {"text": "Hi"}});
    folder.write("call.json", call.to_string());
    let run = folder.run(&["check", "call.json"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert_eq!(run.err.matches("note: ").count(), 1, "{}", run.err);
}

#[test]
fn a_call_document_is_checked_with_the_registry_that_it_names() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("calls")).expect("a folder");
    let odd = REGISTRY.replace("\"moods\",\n", "\"modds\",\n");
    folder.write("odd.json", odd);
    let write = |registry: &str, tools: &Value| {
        let call = json!({"registry": registry, "tools": tools, "message": {"text": "Hi"}});
        let text = serde_json::to_string_pretty(&call).expect("JSON");
        folder.write("calls/call.json", text);
    };
    let check = |args: &[&str]| {
        let run = folder.run(&[&["check", "calls/call.json", "--format", "json"], args].concat());
        let reports: Value = serde_json::from_str(&run.out).expect("JSON");
        let reports = reports.as_array().expect("reports").iter().map(|report| {
            let found = report["diagnostics"].as_array().expect("findings");
            let codes = found.iter().map(|found| {
                assert!(found["line"].is_u64(), "{found}");
                found["code"].as_str().expect("a code")
            });
            let codes: Vec<&str> = codes.collect();
            format!(
                "{} {}",
                report["file"].as_str().expect("a name"),
                codes.join(" ")
            )
        });
        (run.status, reports.collect::<Vec<String>>())
    };
    let refused = json!([
        {"type": "function", "function": {"name": "my tool", "parameters": {"type": "objct"}}},
        {"type": "function", "function": {"name": "my tool"}},
    ]);
    write("../registry.json", &json!([]));
    let (status, clean) = check(&[]);
    assert_eq!(status, 0);
    assert_eq!(clean[0], "calls/call.json ");
    assert_eq!(clean.len(), 2, "{clean:?}");
    assert_eq!(clean[1].split(' ').next(), Some("calls/../registry.json"));
    write("../registry.json", &refused);
    let codes = "calls/call.json tool_name tool_parameters tool_name tool_duplicate";
    let (status, found) = check(&[]);
    assert_eq!((status, found[0].as_str()), (0, codes));
    assert_eq!(check(&["--strict"]).0, 1);
    for target in ["openai", "gemini"] {
        let run = folder.run(&["request", "calls/call.json", "--target", target]);
        assert_eq!(run.status, 0, "{run:?}");
        for words in [
            "calls/call.json: line 7, column 17: tool 1: providers refuse the name \"my tool\"",
            "tool 2: tool 1 is called \"my tool\" too",
            "\"objct\" is no type",
        ] {
            assert!(run.err.contains(words), "no {words:?} in {}", run.err);
        }
    }
    // A registry that is named as well is checked once.
    write("../odd.json", &json!([]));
    let (status, found) = check(&["odd.json"]);
    assert_eq!((status, found.len()), (1, 2), "{found:?}");
    assert!(
        found[1].starts_with("odd.json unknown_section"),
        "{found:?}"
    );
    assert_eq!(check(&[]).0, 1);
    let text = folder.run(&["check", "calls/call.json"]);
    assert!(text.out.contains("calls/../odd.json:6:7"), "{text:?}");
    let note = "its registry \"../odd.json\", messages, tools and tool calls are checked";
    assert!(text.err.contains(note), "{text:?}");
    write("call.json", &json!([]));
    let run = folder.run(&["check", "calls/call.json"]);
    assert_eq!(run.status, 2, "{run:?}");
    let why = "calls/call.json: /registry names the call document itself";
    assert!(run.err.contains(why), "{run:?}");
}

#[test]
fn the_registry_of_a_call_is_checked_with_its_state() {
    let folder = Folder::new();
    let deck = json!({
        "assembly_order": ["host", "guest"],
        "routes": {"short": {"assembly_order": ["host"]}},
        "host": {"items": [
            {"id": "a", "text": "Welcome."},
            {"id": "b", "text": "Meet {name}.", "runtime_variables": ["name"]},
        ], "template_vars": ["name"]},
        "guest": {"items": [{"id": "c", "text": "The guest is {who}."}], "template_vars": ["who"]},
    });
    folder.write("deck.json", deck.to_string());
    let check = |files: &[&str]| {
        let run = folder.run(&[&["check", "--format", "json"], files].concat());
        let reports: Value = serde_json::from_str(&run.out).expect("JSON");
        let reports = reports.as_array().expect("reports").iter().map(|report| {
            let found = report["diagnostics"].as_array().expect("findings").iter();
            let codes: Vec<&str> = found.filter_map(|each| each["code"].as_str()).collect();
            format!(
                "{}: {}",
                report["file"].as_str().expect("a name"),
                codes.join(" ")
            )
        });
        reports.collect::<Vec<String>>()
    };
    let call = |name: &str, registry: &Value, call: &Value| {
        let mut call = call.clone();
        call["registry"] = registry.clone();
        folder.write(name, call.to_string());
    };
    let file = json!("deck.json");
    let named = json!({"state": {"template_vars": {"host::name": "Ann", "guest::who": "Bo"}}});
    let unset = json!({"state": {"selections": {"host": "b"}}});
    let short = json!({"state": {"selections": {"host": "a"}}, "route": "short"});
    call("named.json", &file, &named);
    call("unset.json", &file, &unset);
    call("short.json", &file, &short);
    let unfilled = "runtime_variable_unfilled";
    assert_eq!(check(&["deck.json"]), [format!("deck.json: {unfilled}")]);
    assert_eq!(check(&["named.json"]), ["named.json: ", "deck.json: "]);
    assert_eq!(
        check(&["unset.json"]),
        [
            "unset.json: ".to_owned(),
            format!("deck.json: {unfilled} variable_gap variable_gap"),
        ]
    );
    assert_eq!(
        check(&["short.json"]),
        ["short.json: ".to_owned(), format!("deck.json: {unfilled}")]
    );
    // What is reported already is not reported again.
    assert_eq!(
        check(&["named.json", "unset.json", "deck.json"]),
        [
            "named.json: ".to_owned(),
            "unset.json: ".to_owned(),
            "deck.json: variable_gap variable_gap".to_owned(),
            format!("deck.json: {unfilled}"),
        ]
    );
    // What the registry does not have: a route, and names of the state.
    let odd = json!({"state": {"selections": {"hosst": "a"}, "template_vars": {"host::nam": "x"}}});
    call("odd.json", &file, &odd);
    assert_eq!(
        check(&["odd.json"])[0],
        "odd.json: state_unknown_section state_unknown_variable"
    );
    call("odd.json", &file, &json!({"route": "shrt"}));
    assert_eq!(check(&["odd.json"])[0], "odd.json: unknown_route");
    call("odd.json", &deck, &json!({"route": "shrt"}));
    let run = folder.run(&["check", "odd.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.out
            .contains("no route \"shrt\" in this registry; it has short"),
        "{run:?}"
    );
    // One inside the call document, and the names that a template reads.
    call("inside.json", &deck, &named);
    assert_eq!(check(&["inside.json"]), ["inside.json: "]);
    let template = json!({
        "template_engine": "jinja",
        "assembly_order": ["host"],
        "host": {"items": [{"id": "a", "text": "Meet {{ args.name }} of {{ town }}."}]},
    });
    folder.write("deck.json", template.to_string());
    call("named.json", &file, &json!({"args": {"town": "Rye"}}));
    let mut unset = check(&["deck.json"]);
    unset.extend(check(&["named.json"]));
    assert_eq!(
        unset,
        ["deck.json: argument_unset", "named.json: ", "deck.json: "]
    );
    // A text that a template loops over.
    let mut looped = template;
    looped["host"]["items"][0]["text"] = json!("{% for town in towns %}{{ town }}{% endfor %}");
    folder.write("deck.json", looped.to_string());
    call("named.json", &file, &json!({"args": {"towns": "Rye"}}));
    assert_eq!(
        check(&["named.json"]),
        ["named.json: ", "deck.json: text_looped"]
    );
    folder.write(
        "call.json",
        json!({"registry": looped, "args": {"towns": "Rye"}}).to_string(),
    );
    let warning = "towns of host is a text, and its loop goes over the letters: write a list, in JSON, in \
                   args of the call document";
    for verb in [
        &["check", "call.json"][..],
        &["request", "call.json"],
        &["hydrate", "deck.json", "--call", "named.json"],
    ] {
        let run = folder.run(verb);
        let said = format!("{}{}", run.out, run.err);
        assert_eq!(said.matches(warning).count(), 1, "{verb:?}: {run:?}");
    }
    let strict = folder.run(&["hydrate", "deck.json", "--call", "named.json", "--strict"]);
    assert_eq!(strict.status, 2, "{strict:?}");
    call("named.json", &file, &json!({"args": {"towns": ["Rye"]}}));
    assert_eq!(check(&["named.json"]), ["named.json: ", "deck.json: "]);
}

/// A call document around a registry, and one that names it, with these members beside.
fn both_ways(folder: &Folder, members: &Value) -> [&'static str; 2] {
    let registry = json!({"assembly_order": ["a"], "a": {"required": true, "items": [{"id": "x", "text": "Hi"}]}});
    folder.write("deck.json", registry.to_string());
    let write = |name: &str, registry: &Value| {
        let mut call = members.clone();
        call["registry"] = registry.clone();
        let text = serde_json::to_string_pretty(&call).expect("JSON");
        folder.write(name, text);
    };
    write("inside.json", &registry);
    write("naming.json", &json!("deck.json"));
    ["inside.json", "naming.json"]
}

/// Status, and severity and code of each finding in the first file, all with a place.
fn found(folder: &Folder, args: &[&str]) -> (i32, String) {
    let run = folder.run(&[&["check", "--format", "json"], args].concat());
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = reports[0]["diagnostics"].as_array().expect("findings");
    let found = found.iter().map(|found| {
        assert!(found["line"].is_u64(), "{found}");
        format!("{}[{}]", found["severity"], found["code"]).replace('"', "")
    });
    (run.status, found.collect::<Vec<String>>().join(" "))
}

#[test]
fn a_call_that_cannot_be_read_is_an_error_around_its_registry_too() {
    let folder = Folder::new();
    let wrong = [
        json!({"history": [{"role": "usr"}]}),
        json!({"history": "x"}),
        json!({"message": 3}),
        json!({"tools": "x"}),
        json!({"seed": -1}),
        json!({"now": "yesterday"}),
        json!({"args": 3}),
        json!({"state": []}),
        json!({"layers": 3}),
        json!({"assistant": {"name": ["Ada"]}}),
    ];
    for members in wrong {
        let files = both_ways(&folder, &members);
        for file in files {
            let run = folder.run(&["request", file]);
            assert_eq!(run.status, 2, "{members}: {run:?}");
            let expected = (2, "error[wrong_type]".to_owned());
            assert_eq!(found(&folder, &[file]), expected, "{file}: {members}");
        }
    }
    // Each wrong field is reported, and what else is wrong with the call and its registry.
    let many = json!({"mesage": {"text": "q"}, "message": 3, "seed": "x", "history": [{"role": "usr"}],
        "tools": [3]});
    for file in both_ways(&folder, &many) {
        let (status, codes) = found(&folder, &[file]);
        let wrong = "error[wrong_type]";
        assert_eq!(
            codes,
            format!("{wrong} {wrong} {wrong} warning[unknown_key] error[tool_shape]"),
            "{file}"
        );
        assert_eq!(status, 2);
    }
    let faulty = folder
        .read("inside.json")
        .replace("\"required\": true", "\"required\": 3");
    folder.write("inside.json", faulty);
    let (_, codes) = found(&folder, &["inside.json"]);
    assert_eq!(codes.matches("error[wrong_type]").count(), 4, "{codes}");
    // In a folder it may be the wrapper of another program.
    both_ways(&folder, &json!({"session": 3, "mesage": 1}));
    std::fs::remove_file(folder.path("naming.json")).expect("removed");
    std::fs::remove_file(folder.path("deck.json")).expect("removed");
    let run = folder.run(&["check", "."]);
    assert_eq!(run.status, 0, "{run:?}");
    let words = "warning[wrong_type]: `session` must be an object; `promptdeck request` refuses";
    assert!(run.out.contains(words), "{run:?}");
    assert_eq!(folder.run(&["check", ".", "--strict"]).status, 1);
}

#[test]
fn a_call_document_around_a_registry_without_sections_is_named_as_what_it_is() {
    let folder = Folder::new();
    let words = "inside.json: /registry: not a registry: it has no section";
    for registry in ["{}", r#"{"assembly_order": ["a"]}"#] {
        let call = format!(r#"{{"registry": {registry}, "message": {{"text": "q"}}}}"#);
        folder.write("inside.json", call);
        for verb in ["check", "request"] {
            folder.run(&[verb, "inside.json"]).refuses(2, &[words]);
        }
    }
}

#[test]
fn a_history_that_request_refuses_is_an_error() {
    let folder = Folder::new();
    let made = json!([{"id": "1", "function": {"name": "f", "arguments": "{}"}}]);
    let calls = json!({"role": "assistant", "content": "", "tool_calls": made});
    let result = json!({"role": "tool", "tool_call_id": "1", "content": "-"});
    let stray = json!({"role": "tool", "tool_call_id": "z", "content": "c"});
    let question = json!({"text": "q"});
    let cases = [
        (json!({"history": [stray]}), "orphan_tool_response"),
        (json!({"history": [calls]}), "tool_call_unanswered"),
        (
            json!({"history": [calls, result], "message": question}),
            "assistant_must_follow",
        ),
        (json!({"history": [calls, stray]}), "tool_id_mismatch"),
    ];
    for (members, rule) in &cases {
        for file in both_ways(&folder, members) {
            let run = folder.run(&["request", file]);
            assert_eq!(run.status, 1, "{members}: {run:?}");
            let (status, codes) = found(&folder, &[file]);
            assert_eq!(status, 1, "{file}: {members}: {codes}");
            assert!(codes.contains(&format!("error[{rule}]")), "{codes}");
        }
    }
    // The new message has its own place.
    both_ways(&folder, &cases[2].0);
    let run = folder.run(&["check", "naming.json"]);
    assert!(run.out.contains("naming.json:22:14"), "{}", run.out);
    let sound = json!({"history": [calls, result]});
    for file in both_ways(&folder, &sound) {
        assert_eq!(found(&folder, &[file]).0, 0, "{file}");
    }
}

/// The findings of `check` in a call document, each with its line, and the run.
fn findings_of_call(folder: &Folder, call: &Value) -> (Vec<String>, Run) {
    let text = serde_json::to_string_pretty(call).expect("JSON");
    folder.write("call.json", text);
    let run = folder.run(&["check", "call.json", "--format", "json"]);
    let reports: Value = serde_json::from_str(&run.out).expect("JSON");
    let found = reports[0]["diagnostics"].as_array().expect("findings");
    let found = found.iter().map(|found| {
        assert!(found["line"].is_u64(), "{found}");
        let text = |key: &str| found[key].as_str().expect("a text").to_owned();
        format!("{} {} {}", text("severity"), text("code"), text("pointer"))
    });
    (found.collect(), run)
}

#[test]
fn a_call_document_without_a_registry_is_checked() {
    let folder = Folder::new();
    let (found, run) = findings_of_call(&folder, &json!({"message": {"text": "Hi"}}));
    assert_eq!((run.status, found), (0, Vec::new()), "{}", run.err);
    let note = "note: call.json: a call document without a registry; its messages, tools and tool calls \
                are checked\n";
    assert_eq!(run.err, note);
    let call = json!({
        "message": {"txt": "Hi"},
        // Of a registry that is named elsewhere.
        "state": {"selections": {"personas": "host"}},
        "tools": [{"type": "function", "function": {"name": "my tool"}}],
    });
    let (found, run) = findings_of_call(&folder, &call);
    let expected = [
        "warning tool_name /tools/0/function/name",
        "warning call_key /message/txt",
    ];
    assert_eq!(
        (run.status, &found[..]),
        (0, &expected.map(str::to_owned)[..])
    );
    let (found, run) =
        findings_of_call(&folder, &json!({"registry": 1, "message": {"text": "Hi"}}));
    assert_eq!(
        (run.status, &found[..]),
        (2, &["error wrong_type /registry".to_owned()][..])
    );
    // In a folder it may be a document of any program.
    folder.write("call.json", json!({"message": {"txt": "Hi"}}).to_string());
    let run = folder.run(&["check", "."]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
}

#[test]
fn layers_are_checked_though_gemini_alone_reads_them() {
    let folder = Folder::new();
    let call = |layers: Value| json!({"message": {"text": "Hi"}, "layers": layers});
    let response = json!({"type": "tool_response", "name": "read", "response": "x"});
    let layers = json!({
        "turns": [{"type": "user_task", "instructon": "Hi"}, response],
        "tools": ["find"],
        "generation": {"temprature": 1},
        "templates": {"static.j2": "{{ x"},
        "cache": {"name": "cachedContents/x"},
    });
    let (found, run) = findings_of_call(&folder, &call(layers));
    let expected = [
        "warning call_key /layers/turns/0/instructon",
        "error static_template /layers/templates/static.j2",
        "warning orphan_response /layers/turns/1",
        "error tool_shape /layers/tools/0",
        "warning generation_key /layers/generation/temprature",
    ];
    assert_eq!(
        (run.status, &found[..]),
        (1, &expected.map(str::to_owned)[..])
    );
    let gemini = folder.run(&["request", "call.json", "--target", "gemini"]);
    assert_eq!(gemini.status, 1, "{gemini:?}");
    assert_eq!(folder.run(&["request", "call.json"]).status, 0);
    for (layers, expected) in [
        (
            json!({"turns": [{"type": "task"}]}),
            "error unknown_turn /layers/turns/0/type",
        ),
        (
            json!({"turns": [{}]}),
            "error wrong_type /layers/turns/0/type",
        ),
        (
            json!({"cached_turn_count": -1}),
            "error wrong_type /layers/cached_turn_count",
        ),
    ] {
        let (found, run) = findings_of_call(&folder, &call(layers));
        assert_eq!((run.status, &found[..]), (1, &[expected.to_owned()][..]));
        let gemini = folder.run(&["request", "call.json", "--target", "gemini"]);
        assert_eq!(gemini.status, 2, "{gemini:?}");
        assert_eq!(folder.run(&["request", "call.json"]).status, 0);
    }
}

#[test]
fn fix_says_where_the_entries_of_a_call_document_are_added() {
    let folder = Folder::new();
    let registry = json!({"version": 22, "assembly_order": ["a.x"],
        "a": {"required": true, "items": [{"id": "q", "x": "t", "y": "u"}]}});
    let call =
        |registry: Value| json!({"registry": registry, "message": {"text": "hi"}}).to_string();
    folder.write("around.json", call(registry.clone()));
    folder.write("call.json", call(json!("reg.json")));
    folder.write("reg.json", json!({"registry": registry}).to_string());
    let note = |file: &str| {
        let run = folder.run(&["check", "--fix", file]);
        let lines: Vec<String> = run.err.lines().map(str::to_owned).collect();
        lines
            .into_iter()
            .find(|line| line.contains("is not changed"))
    };
    assert_eq!(
        note("around.json").as_deref(),
        Some(
            "note: around.json is not changed: --fix writes no call document; add the entries to \
             the registry in it"
        )
    );
    assert_eq!(
        note("call.json").as_deref(),
        Some(
            "note: reg.json is not changed: it is only named by a call document; fix it with \
             `promptdeck check --fix reg.json`"
        )
    );
    assert_eq!(note("reg.json"), None);
    assert!(folder.read("reg.json").contains("\"a.y\""));
    assert_eq!(note("call.json"), None);
}
