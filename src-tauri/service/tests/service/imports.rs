//! Imports: what is made of a text, what is told, what is refused.

use std::fs;

use promptdeck_service::wire::{ImportDialect, ImportFate};
use serde_json::{Value, json};

use crate::home::{Home, group, set};

#[test]
fn an_import_makes_a_file_and_tells_what_it_changed() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let original = json!({
        "version": 2,
        "title": "Two",
        "assembly_order": ["base_context"],
        "base_context": {"items": [{"id": "a", "text": "In {place}.", "template_vars": ["place"]}]},
        "default_state": {"base_context": {"selected": "a"}},
    });
    let text = serde_json::to_string_pretty(&original).expect("text");
    let imported = studio
        .import_registry("deck.json", &text)
        .expect("imported");
    assert_eq!(imported.file, "deck_2.json", "no file is replaced");
    assert_eq!(imported.dialect, ImportDialect::Eight);
    assert!(
        imported
            .lines
            .iter()
            .all(|line| line.fate == ImportFate::Rewritten)
    );
    assert!(imported.lines.iter().any(|line| line.line.is_some()));
    let made = &home.read("deck_2.json")["registry"];
    assert_eq!(made["version"], 22);
    assert_eq!(made["base_context"]["selected"], "a");
    assert!(studio.open_document("deck_2.json").is_ok());
}

#[test]
fn what_is_no_registry_makes_no_file() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let before = fs::read_dir(home.path("")).expect("read").count();
    for (text, code, line) in [
        ("", "syntax", 1),
        ("[]", "wrong_type", 1),
        ("{\n\"version\": 3}", "unsupported_version", 2),
        (
            "{\"version\": 2,\n\"a\": {\"items\": [1]}}",
            "wrong_type",
            2,
        ),
    ] {
        let fault = studio.import_registry("x.json", text).expect_err("refused");
        let failure: Value =
            serde_json::to_value(promptdeck_service::wire::Failure::from(fault)).expect("JSON");
        assert_eq!(
            (&failure["code"], &failure["line"]),
            (&json!(code), &json!(line)),
            "{text}"
        );
    }
    let after = fs::read_dir(home.path("")).expect("read").count();
    assert_eq!(after, before);
}

#[test]
fn a_file_of_any_folder_is_imported_or_says_what_it_is_not() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let outside = tempfile::tempdir().expect("a folder");
    let path = |name: &str, bytes: &[u8]| {
        let path = outside.path().join(name);
        fs::write(&path, bytes).expect("written");
        path
    };
    let text = fs::read(home.path("deck.json")).expect("read");
    let imported = studio
        .import_file(&path("dropped.json", &text))
        .expect("imported");
    assert_eq!(imported.file, "dropped.json");
    assert!(studio.open_document("dropped.json").is_ok());
    for (name, bytes) in [
        ("words.txt", &b"plain words"[..]),
        ("picture.png", b"\x89PNG\xff"),
    ] {
        let fault = studio
            .import_file(&path(name, bytes))
            .expect_err("no registry");
        assert!(fault.to_string().starts_with(name), "{fault}");
    }
    let fault = studio.import_file(outside.path()).expect_err("a folder");
    assert!(!fault.to_string().is_empty());
}

#[test]
fn an_export_is_recognised_and_has_no_report() {
    let home = Home::new();
    let (studio, _) = home.open();
    let model = studio.model_json("deck.json").expect("a model").text;
    let imported = studio
        .import_registry("deck.json", &model)
        .expect("imported");
    assert_eq!(imported.dialect, ImportDialect::Canonical);
    assert_eq!(imported.lines, []);
}

#[test]
fn an_export_names_the_values_it_leaves_out() {
    let home = Home::new();
    let (studio, _) = home.open();
    let omitted = || studio.model_json("deck.json").expect("a model").omitted;
    assert_eq!(omitted(), [""; 0]);
    let values = json!({"base_context::place": "sea"});
    let edit = set(json!(["state", "template_vars"]), values);
    studio
        .apply("deck.json", &group(0, vec![edit]))
        .expect("applied");
    assert_eq!(omitted(), ["base_context::place"]);
}
