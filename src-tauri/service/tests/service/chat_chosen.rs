//! What is chosen for the *Chat* tab: templates, model folders and GGUF files, what they bring, and how
//! they are read again when they change on disk.

use std::fs;

use promptdeck_service::wire::{ChatModel, ChatSetup, ChatSlot, ChatTemplate, Event};
use serde_json::json;

use crate::chat::{message, text};
use crate::home::{Events, Home};

#[test]
fn a_chosen_folder_brings_its_template_and_tokenizer() {
    let home = Home::new();
    let (studio, _) = home.open();
    let folder = home.path("tiny-model");
    fs::create_dir(&folder).expect("made");
    let config = json!({"chat_template": "{% for m in messages %}<|im_start|>{{ m.content }}{% endfor %}",
        "bos_token": "<s>", "name_or_path": "Qwen3-tiny"});
    fs::write(folder.join("tokenizer_config.json"), config.to_string()).expect("written");
    let tokenizer = json!({"version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [{"id": 1, "content": "<|im_start|>", "single_word": false, "lstrip": false,
            "rstrip": false, "normalized": false, "special": true}],
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null,
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}});
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).expect("written");
    let model = studio
        .choose_chat_model("deck.json", ChatSlot::Model, &folder)
        .expect("read");
    assert_eq!(
        (model.source.as_str(), model.family.as_str()),
        ("tokenizer_config.json", "QWEN_3_X")
    );
    assert!(model.tokenizer);
    let begin = |slot| studio.chat_model_folder("deck.json", slot).expect("open");
    assert_eq!(begin(ChatSlot::Model).as_deref(), folder.parent());
    assert_eq!(begin(ChatSlot::Other), None);

    let setup = ChatSetup {
        template: ChatTemplate::Model,
        messages: vec![message("user", "one two", "")],
        ..ChatSetup::default()
    };
    let report = studio.render_chat("deck.json", &setup).expect("rendered");
    assert!(report.exact);
    assert_eq!(
        (report.blocks[1].tokens, report.tokenizer.as_str()),
        (3, "tiny-model tokenizer.json")
    );

    studio.save_chat("deck.json", &setup).expect("kept");
    drop(studio);
    let (studio, _) = home.studio();
    let opening = studio.chat("deck.json").expect("kept");
    assert_eq!((opening.setup, opening.model), (setup, Some(model)));
    assert!(
        opening
            .families
            .iter()
            .any(|choice| choice.family == "LLAMA_3_X")
    );
}

/// A template that begins with a word.
fn word(word: &str) -> String {
    let rest = "{% for own in messages %} {{ own.role + ' ' + own.content }}{% endfor %}";
    format!("{word}:{rest}")
}

/// The first event about the chosen file or folder for which `find` holds.
fn model_event(events: &Events, what: &str, find: impl Fn(&ChatModel) -> bool) -> ChatModel {
    events.wait(what, |event| match event {
        Event::ChatModel {
            document,
            slot: ChatSlot::Model,
            model,
        } if document == "deck.json" && find(model) => Some(model.clone()),
        _ => None,
    })
}

#[test]
fn a_chosen_file_is_read_again_when_it_changes_vanishes_and_comes_back() {
    let home = Home::new();
    let (studio, events) = home.open();
    fs::create_dir(home.path("templates")).expect("made");
    let path = home.path("templates/own.jinja");
    fs::write(&path, word("one")).expect("written");
    studio
        .choose_chat_model("deck.json", ChatSlot::Model, &path)
        .expect("read");
    let setup = ChatSetup {
        template: ChatTemplate::Model,
        ..ChatSetup::default()
    };
    let rendered_text = || {
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        let text = text(&report);
        text.split_once(':').map(|(word, _)| word.to_owned())
    };
    assert_eq!(rendered_text().as_deref(), Some("one"));
    let brings = |template: String| {
        move |model: &ChatModel| {
            model.problem.is_none() && model.template.as_deref() == Some(template.as_str())
        }
    };

    fs::write(&path, word("two")).expect("written");
    model_event(&events, "the new template", brings(word("two")));
    assert_eq!(rendered_text().as_deref(), Some("two"));

    // With its folder, as when another branch is checked out.
    fs::remove_dir_all(home.path("templates")).expect("removed");
    let gone = model_event(&events, "a problem", |model| model.problem.is_some());
    assert!(gone.problem.is_some_and(|why| why.contains("own.jinja")));
    assert_eq!(rendered_text().as_deref(), Some("two"));

    fs::create_dir(home.path("templates")).expect("made");
    fs::write(&path, word("three")).expect("written");
    model_event(&events, "the template again", brings(word("three")));
    fs::write(&path, word("four")).expect("written");
    model_event(&events, "a change after that", brings(word("four")));
    assert_eq!(rendered_text().as_deref(), Some("four"));

    // What changes while the studio is closed is seen when the tab is opened.
    drop(studio);
    fs::write(&path, word("five")).expect("written");
    let (studio, _) = home.studio();
    let opening = studio.chat("deck.json").expect("opened");
    assert!(
        opening
            .model
            .is_some_and(|model| brings(word("five"))(&model))
    );
}

#[test]
fn the_tokenizer_of_a_chosen_folder_is_read_again_when_it_changes() {
    let home = Home::new();
    let (studio, events) = home.open();
    let folder = home.path("tiny-model");
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("chat_template.jinja"), "a-b").expect("written");
    let tokenizer = |split: &str| {
        let tokenizer_json = json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
            "normalizer": null, "pre_tokenizer": {"type": split}, "post_processor": null,
            "decoder": null,
            "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}});
        fs::write(folder.join("tokenizer.json"), tokenizer_json.to_string()).expect("written");
    };
    tokenizer("WhitespaceSplit");
    studio
        .choose_chat_model("deck.json", ChatSlot::Model, &folder)
        .expect("read");
    let setup = ChatSetup {
        template: ChatTemplate::Model,
        ..ChatSetup::default()
    };
    let tokens = || {
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        assert!(report.exact);
        report.tokens
    };
    assert_eq!(tokens(), 1);
    tokenizer("Whitespace");
    model_event(&events, "the folder", |_| true);
    assert_eq!(tokens(), 3);
}

#[test]
fn the_tokenizer_beside_a_chosen_file_counts_its_tokens() {
    let home = Home::new();
    let (studio, events) = home.open();
    let folder = home.path("templates");
    fs::create_dir(&folder).expect("made");
    let template = folder.join("own.jinja");
    fs::write(&template, "one two-three").expect("written");
    let model = studio
        .choose_chat_model("deck.json", ChatSlot::Model, &template)
        .expect("read");
    assert!(!model.tokenizer);
    let setup = ChatSetup {
        template: ChatTemplate::Model,
        ..ChatSetup::default()
    };
    let counted = || {
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        (report.exact, report.tokens, report.tokenizer)
    };
    assert!(!counted().0);
    let tokenizer_json = json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null,
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}});
    fs::write(folder.join("tokenizer.json"), tokenizer_json.to_string()).expect("written");
    model_event(&events, "the tokenizer", |model| model.tokenizer);
    assert_eq!(counted(), (true, 2, "own.jinja tokenizer.json".to_owned()));
}

#[test]
fn an_unusable_tokenizer_is_reported_beside_the_estimate() {
    let home = Home::new();
    let (studio, _) = home.open();
    let folder = home.path("tiny-model");
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("chat_template.jinja"), "a-b").expect("written");
    fs::write(folder.join("tokenizer.json"), "{\"model\": {}}").expect("written");
    studio
        .choose_chat_model("deck.json", ChatSlot::Model, &folder)
        .expect("read");
    let remarks = |template: ChatTemplate| {
        let setup = ChatSetup {
            template,
            text: "{% if %}".to_owned(),
            ..ChatSetup::default()
        };
        let report = studio.render_chat("deck.json", &setup).expect("rendered");
        assert!(!report.exact);
        let remarks = report.remarks.into_iter();
        remarks
            .filter(|remark| remark.code == "tokenizer_unusable")
            .map(|remark| remark.message)
            .collect::<Vec<_>>()
    };
    for template in [ChatTemplate::Model, ChatTemplate::Own] {
        let remarks = remarks(template);
        assert!(
            remarks.len() == 1
                && remarks[0].contains("tokenizer.json: the tokenizer file cannot be read"),
            "{remarks:?}"
        );
    }
    let family = "QWEN_2_X".to_owned();
    assert_eq!(remarks(ChatTemplate::Family { family }), [""; 0]);
}

#[test]
fn damaged_files_are_refused_and_change_nothing() {
    let home = Home::new();
    let (studio, _) = home.studio();
    fs::write(home.path("bad.gguf"), "GGUF").expect("written");
    let refused = studio.choose_chat_model("deck.json", ChatSlot::Model, &home.path("bad.gguf"));
    assert_eq!(
        refused.map_err(|fault| fault.code()).err(),
        Some("gguf_damaged")
    );
    assert_eq!(studio.chat("deck.json").expect("kept").model, None);
}
