//! Documents with values of the wrong type: the message has the JSON pointer, the expected type and
//! the actual one, and no name of a Rust type.

use serde_json::{Map, Value, json};

use crate::program::Folder;

/// Words of serde that mean nothing to the author of a document.
const INTERNAL: [&str; 8] = [
    "untagged",
    "did not match any variant",
    "invalid type",
    "invalid value",
    "missing field",
    "expected a sequence",
    "expected a map",
    "column 0",
];

/// Each kind of document with the verb that reads it and a valid example.
fn kinds() -> Vec<(&'static str, &'static [&'static str], Value)> {
    let messages = json!([{"role": "user", "content": "Hi"}]);
    vec![
        ("hydrate", &["hydrate", "--batch"], json!({})),
        ("policy", &["policy"], json!({"policy": {}, "text": ""})),
        ("history", &["history"], json!({"messages": messages})),
        (
            "arguments",
            &["arguments"],
            json!({"now": "2026-01-15T10:30:00Z"}),
        ),
        ("layers", &["layers"], json!({"turns": []})),
        ("call", &["request"], json!({})),
        ("state", &["hydrate", "registry.json", "--state"], json!({})),
        (
            "chat-render",
            &["chat", "render"],
            json!({"messages": messages}),
        ),
        (
            "chat-inspect",
            &["chat", "inspect"],
            json!({"messages": messages}),
        ),
        ("chat-extract", &["chat", "extract"], json!({"output": ""})),
    ]
}

/// The JSON pointers of all values that a schema describes.
fn pointers(schema: &Value, at: &str, found: &mut Vec<String>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        if key == "$schema" {
            continue;
        }
        let pointer = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        found.push(pointer.clone());
        pointers(property, &pointer, found);
    }
    if schema["additionalProperties"].is_object() {
        let pointer = format!("{at}/any");
        found.push(pointer.clone());
        pointers(&schema["additionalProperties"], &pointer, found);
    }
    if schema["items"].is_object() {
        let pointer = format!("{at}/0");
        found.push(pointer.clone());
        pointers(&schema["items"], &pointer, found);
    }
}

/// Sets a value in a document and creates missing parents.
fn put(document: &mut Value, pointer: &str, value: Value) {
    let mut slot = document;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        slot = match step.as_str() {
            "0" => {
                if !slot.is_array() {
                    *slot = json!([null]);
                }
                if slot.as_array().is_some_and(Vec::is_empty) {
                    *slot = json!([null]);
                }
                &mut slot[0]
            }
            step => {
                if !slot.is_object() {
                    *slot = Value::Object(Map::new());
                }
                &mut slot[step]
            }
        };
    }
    *slot = value;
}

fn values() -> [Value; 7] {
    [
        json!(null),
        json!(true),
        json!(1.5),
        json!(-1),
        json!("x"),
        json!([[7]]),
        json!({"x": [7]}),
    ]
}

/// Variants of a document in which one value has another type, for every value of the schema and
/// every type.
fn documents(folder: &Folder, kind: &str, right: &Value) -> Vec<String> {
    let schema = folder.run(&["schema", kind]).out;
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let mut all = Vec::new();
    pointers(&schema, "", &mut all);
    let mut documents = vec!["{}".to_owned()];
    for pointer in all {
        for value in values() {
            let mut document = right.clone();
            put(&mut document, &pointer, value);
            documents.push(document.to_string());
        }
    }
    documents
}

#[track_caller]
fn plain(message: &str, document: &str) {
    for word in INTERNAL {
        assert!(
            !message.contains(word),
            "{word:?} in {message:?} about {document}"
        );
    }
    assert!(
        !message.contains("panicked"),
        "{message:?} about {document}"
    );
}

#[test]
fn no_line_is_answered_with_the_types_it_is_read_into() {
    let folder = Folder::new();
    for (kind, verb, right) in kinds() {
        if matches!(kind, "call" | "state") {
            continue;
        }
        let documents = documents(&folder, kind, &right);
        let batch = match verb.contains(&"--batch") {
            true => verb.to_vec(),
            false => [verb, &["--batch"]].concat(),
        };
        let run = folder.run_with(&batch, &documents.join("\n"));
        let answers: Vec<&str> = run.out.lines().collect();
        assert_eq!(answers.len(), documents.len(), "{kind}: {}", run.err);
        for (answer, document) in answers.iter().zip(&documents) {
            plain(answer, document);
        }
    }
}

#[test]
fn no_file_is_refused_with_the_types_it_is_read_into() {
    let folder = Folder::new();
    for (kind, verb, right) in kinds() {
        if kind == "hydrate" {
            continue;
        }
        // One process per document, so only the type that is most often wrong is tested.
        let documents = documents(&folder, kind, &right);
        let documents = documents
            .iter()
            .filter(|document| document.contains("[[7]]"));
        for document in documents {
            folder.write("document.json", document);
            let file: &[&str] = match kind {
                "chat-inspect" => &["--conversation", "document.json"],
                _ => &["document.json"],
            };
            let run = folder.run(&[verb, file].concat());
            plain(&run.err, document);
        }
    }
}

#[test]
fn a_wrong_value_is_named_with_its_place_and_what_is_expected() {
    let folder = Folder::new();
    folder.write(
        "state.json",
        "{\"sliders\": {},\n \"selections\": {\"greeting\": {\"id\": 1}}}",
    );
    folder
        .run(&["hydrate", "registry.json", "--state", "state.json"])
        .refuses(
            2,
            &[
                "state.json: line 2, column 29: not the state of a call: /selections/greeting: \
               expected a text, a list or null, found an object\n",
            ],
        );
    folder.write("c.json", "{\"messages\": {}}");
    folder.run(&["chat", "render", "c.json"]).refuses(
        2,
        &[
            "c.json: line 1, column 14: ",
            "/messages: expected a list, found an object\n",
        ],
    );
    folder.write("call.json", r#"{"state": {"sliders": {"greeting": "7"}}}"#);
    folder.run(&["request", "call.json"]).refuses(
        2,
        &["call.json: line 1, column 36: /state/sliders/greeting: expected a number or null, found a text\n"],
    );
    let line = r#"{"seed": 7, "state": {"sliders": {"greeting": 1e400}}}"#;
    let batch = ["hydrate", "--batch", "--registry", "registry.json"];
    let run = folder.run_with(&batch, line);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    let error = &answer["error"];
    assert_eq!(error["pointer"], json!("/state/sliders/greeting"));
    let message = error["message"].as_str().expect("a text");
    assert!(
        message.ends_with(
            "column 47: /state/sliders/greeting: expected a number or null, found a number too \
             large for a double"
        ),
        "{message}"
    );
    folder.write("state.json", r#"{"sliders": {"greeting": 1e400}}"#);
    folder.write(
        "call.json",
        r#"{"state": {"sliders": {"greeting": 1e400}}}"#,
    );
    for (args, words) in [
        (
            &["hydrate", "registry.json", "--state", "state.json"][..],
            "state.json: line 1, column 26: not the state of a call: /sliders/greeting: ",
        ),
        (
            &["request", "call.json"],
            "call.json: line 1, column 36: /state/sliders/greeting: ",
        ),
    ] {
        let found = "expected a number or null, found a number too large for a double";
        folder.run(args).refuses(2, &[&format!("{words}{found}")]);
    }
    for number in ["1e400", "-1e400"] {
        let slider = format!("greeting={number}");
        folder
            .run(&["hydrate", "registry.json", "--slider", &slider])
            .refuses(
                2,
                &[&format!("{number:?} is a number too large for a double")],
            );
    }
    let run = folder.run_with(&["chat", "extract", "--batch"], r#"{"output": 1}"#);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["error"]["pointer"], json!("/output"));
    assert_eq!(
        answer["error"]["message"],
        json!("line 1: unreadable line: column 12: /output: expected a text, found a number")
    );
}

#[test]
fn a_misspelled_key_is_named_where_its_value_is_missing() {
    let folder = Folder::new();
    for (file, args) in [
        (r#"{"mesages": []}"#, &["chat", "render", "d.json"][..]),
        (r#"{"mesages": []}"#, &["history", "d.json"]),
        (r#"{"outptu": ""}"#, &["chat", "extract", "d.json"]),
    ] {
        folder.write("d.json", file);
        let run = folder.run(args);
        assert_eq!(run.status, 2, "{run:?}");
        let key = file.split('"').nth(1).unwrap_or_default();
        let warning = format!("warning: d.json: line 1, column 2: unknown key {key:?}");
        assert!(run.err.starts_with(&warning), "{}", run.err);
        assert!(run.err.contains("did you mean"), "{}", run.err);
        assert!(run.err.contains("\nerror: d.json: "), "{}", run.err);
    }
}

#[test]
fn a_document_of_another_kind_is_refused_where_nothing_of_it_would_be_read() {
    let folder = Folder::new();
    folder.write("bare.json", r#"{"assembly_order": [], "a": {"items": []}}"#);
    folder.write(
        "wrapped.json",
        r#"{"registry": {"assembly_order": [], "a": {"items": []}}}"#,
    );
    folder.write("x.checks.json", r#"{"checks": []}"#);
    folder.write("call.json", r#"{"message": {"text": "Hi"}}"#);
    folder.write("odd.json", r#"{"message": {"text": "Hi"}, "checks": []}"#);
    let bare = "bare.json: not a call document but a registry; `promptdeck hydrate` prints";
    let request = |file: &str| folder.run(&["request", file]);
    request("bare.json").refuses(2, &[bare]);
    request("x.checks.json").refuses(2, &["not a call document but a file of checks"]);
    for file in ["wrapped.json", "call.json", "odd.json"] {
        assert_eq!(request(file).status, 0, "{file}");
    }
    let state = |file: &str| folder.run(&["hydrate", "registry.json", "--state", file]);
    for (file, kind) in [
        ("bare.json", "a registry"),
        ("wrapped.json", "a registry"),
        ("x.checks.json", "a file of checks"),
        ("call.json", "a call document"),
    ] {
        state(file).refuses(2, &[&format!("{file}: not the state of a call but {kind}")]);
    }
    folder.write("state.json", r#"{"sliders": {}, "seed": 1}"#);
    assert_eq!(state("state.json").status, 0);
}
