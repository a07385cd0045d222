//! `import`: converted registries of promptlibretto, and the report.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY};

fn version_two() -> Value {
    json!({
        "version": 2,
        "assembly_order": ["base_context"],
        "base_context": {"items": [{"id": "a", "text": "A."}]},
    })
}

#[test]
fn both_dialects_are_converted() {
    let folder = Folder::new();
    folder.write("two.json", version_two().to_string());
    for (file, text) in [("registry.json", "Hello you."), ("two.json", "A.")] {
        let run = folder.run(&["import", file]);
        assert_eq!(run.status, 0, "{run:?}");
        let made: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(made["registry"]["version"], json!(22));
        let written = folder.run(&["import", file, "-o", "made.json"]);
        assert_eq!((written.status, written.out.as_str()), (0, ""));
        assert_eq!(folder.read("made.json"), run.out);
        let prompt = folder.run(&["hydrate", "made.json", "--seed", "1"]).out;
        assert!(prompt.starts_with(text), "{prompt}");
    }
    let piped = folder.run_with(&["import", "-"], REGISTRY);
    assert_eq!(piped.out, folder.run(&["import", "registry.json"]).out);
}

#[test]
fn what_is_not_supported_is_reported_and_ends_with_1() {
    let folder = Folder::new();
    let mut registry = version_two();
    registry["base_context"]["items"][0]["name"] = json!("y");
    registry["base_context"]["items"][0]["label"] = json!("l");
    folder.write("two.json", registry.to_string());
    let run = folder.run(&["import", "two.json"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.err.contains("two.json: line 1, column "), "{}", run.err);
    assert!(run.err.contains("not supported: "), "{}", run.err);
    let run = folder.run(&["import", "two.json", "--format", "json"]);
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["report"]["dialect"], json!("eight"));
    assert_eq!(answer["report"]["lines"][0]["fate"], json!("differs"));
    assert!(
        answer["text"]
            .as_str()
            .is_some_and(|text| text.contains("\"A.\""))
    );
}

#[test]
fn what_cannot_be_imported_is_refused_with_its_place() {
    let folder = Folder::new();
    for (text, words) in [
        (
            "{\n \"version\": 3}",
            "two.json: line 2, column 13: /version: ",
        ),
        ("[]", "two.json: line 1, column 1: "),
        ("{}", "two.json: not a registry"),
    ] {
        folder.write("two.json", text);
        let run = folder.run(&["import", "two.json", "-o", "made.json"]);
        run.refuses(2, &[words]);
        assert!(!folder.path("made.json").exists());
    }
}
