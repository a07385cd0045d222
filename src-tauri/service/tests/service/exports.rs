//! Exports of prompt files: of the open document with a call document, and of snapshots.

use std::fs;

use promptdeck_service::wire::{PromptFileFormat, PromptFileSource};
use serde_json::json;

use crate::calls::{self, CALL};
use crate::home::{Home, group, set};

fn deck(call: Option<&str>) -> PromptFileSource {
    PromptFileSource::Document {
        document: "deck.json".into(),
        call: call.map(str::to_owned),
    }
}

#[test]
fn a_prompt_file_has_the_messages_of_the_call_and_names_what_it_does_not_say() {
    let home = calls::home();
    let (studio, _) = calls::open(&home);
    let dotprompt = PromptFileFormat::Dotprompt;
    let file = studio
        .prompt_file(&deck(Some(CALL)), dotprompt)
        .expect("a file");
    assert!(file.text.contains("You are at {{place}}."), "{}", file.text);
    assert!(file.text.contains("Nobody is there."), "{}", file.text);
    assert!(file.text.contains("Look again."), "{}", file.text);
    let left_out = "message 2 of the call: tool calls without text are not written";
    assert!(
        file.omissions.iter().any(|line| line == left_out),
        "{file:?}"
    );
    let without = studio.prompt_file(&deck(None), dotprompt).expect("a file");
    assert!(!without.text.contains("Look again."), "{}", without.text);
    assert!(!without.omissions.iter().any(|line| line == left_out));
}

#[test]
fn a_prompt_file_prints_the_prompt_of_the_window() {
    let home = Home::new();
    let (studio, _) = home.open();
    let edits = vec![
        set(json!(["state", "selections", "personas"]), json!("dry")),
        set(
            json!(["state", "template_vars"]),
            json!({"base_context::place": "sea"}),
        ),
    ];
    studio
        .apply("deck.json", &group(0, edits))
        .expect("applied");
    let prompty = PromptFileFormat::Prompty;
    let path = home.path("out.prompty");
    let exported = studio.export_prompt_file_to(&deck(None), prompty, &path);
    assert_eq!(exported.expect("written").path, path.display().to_string());
    let text = fs::read_to_string(path).expect("read");
    let file = studio.prompt_file(&deck(None), prompty).expect("a file");
    assert_eq!(text, file.text);
    assert!(text.contains("You are dry."), "{text}");
    assert!(text.contains("sea"), "{text}");
}

#[test]
fn a_snapshot_is_exported_as_it_was_taken() {
    let home = Home::new();
    let (studio, _) = home.open();
    let select = |base, id: &str| {
        let edit = set(json!(["state", "selections", "personas"]), json!(id));
        studio
            .apply("deck.json", &group(base, vec![edit]))
            .expect("applied");
    };
    select(0, "dry");
    let taken = studio
        .take_snapshot("deck.json", Some("Dry"))
        .expect("taken");
    select(1, "loud");
    let source = PromptFileSource::Snapshot { id: taken.id };
    let file = studio.prompt_file(&source, PromptFileFormat::Dotprompt);
    let text = file.expect("a file").text;
    assert!(text.contains("You are dry."), "{text}");
}
