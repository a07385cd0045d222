//! `export`: the registry with a state applied.

use serde_json::{Value, json};

use crate::program::Folder;

#[test]
fn the_state_is_written_in_and_the_export_gives_the_same_prompt() {
    let folder = Folder::new();
    let choices = [
        "--select",
        "moods=brief",
        "--select",
        "greeting=bye",
        "--mode",
        "lists.items=index:0",
    ];
    folder
        .run(
            &[
                &["export", "registry.json", "-o", "model.json"],
                &choices[..],
            ]
            .concat(),
        )
        .gives("");
    let model: Value = serde_json::from_str(&folder.read("model.json")).expect("JSON");
    assert_eq!(model["registry"]["greeting"]["selected"], "bye");
    assert_eq!(model["registry"]["moods"]["selected"], "brief");
    assert_eq!(
        model["registry"]["lists"]["array_modes"],
        json!({"items": "index:0"})
    );

    let prompt = folder
        .run(&[&["hydrate", "registry.json"], &choices[..]].concat())
        .out;
    folder.run(&["hydrate", "model.json"]).gives(&prompt);
    folder
        .run(&["export", "model.json"])
        .gives(&folder.read("model.json"));
}

#[test]
fn without_a_file_it_goes_to_standard_output() {
    let folder = Folder::new();
    let run = folder.run(&["export", "registry.json"]);
    run.gives(&folder.read("registry.json"));
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    folder
        .run(&["export", "registry.json", "-o", "none/model.json"])
        .refuses(2, &["none/model.json"]);
}

#[test]
fn the_registry_is_not_replaced_by_its_export() {
    let folder = Folder::new();
    let before = folder.read("registry.json");
    for to in ["model", "dotprompt", "prompty"] {
        folder
            .run(&[
                "export",
                "registry.json",
                "--to",
                to,
                "-o",
                "./registry.json",
            ])
            .refuses(2, &["./registry.json is the document that is read"]);
    }
    assert_eq!(folder.read("registry.json"), before);
}

#[test]
fn what_an_exported_file_held_is_kept_beside_it() {
    let folder = Folder::new();
    let export = || folder.run(&["export", "registry.json", "-o", "model.json"]);
    assert_eq!(export().err, "");
    folder.write("model.json", "mine");
    let note = "what model.json held before is in model.replaced-1.json";
    assert!(export().err.contains(note));
    assert_eq!(folder.read("model.replaced-1.json"), "mine");
    assert_eq!(export().err, "", "it holds this already");
    assert!(!folder.path("model.replaced-2.json").exists());
}

#[test]
fn prompt_files_print_the_same_when_they_are_imported() {
    let folder = Folder::new();
    let prompt = folder.run(&["hydrate", "registry.json", "--seed", "1"]).out;
    for (to, file) in [("dotprompt", "out.prompt"), ("prompty", "out.prompty")] {
        let run = folder.run(&[
            "export",
            "registry.json",
            "--to",
            to,
            "--seed",
            "1",
            "-o",
            file,
        ]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.err.contains("not in the file: routes"), "{}", run.err);
        let run = folder.run(&["import", file, "-o", "again.json", "--force"]);
        assert_eq!(run.status, 0, "{run:?}");
        folder.run(&["hydrate", "again.json"]).gives(&prompt);
    }
    folder
        .run(&["export", "registry.json", "--seed", "1"])
        .refuses(
            2,
            &["--seed is for prompt files; give --to dotprompt or --to prompty"],
        );
}

#[test]
fn with_strict_nothing_is_written_that_leaves_something_out() {
    let folder = Folder::new();
    let state = json!({"template_vars": {"greeting::name": "Ada"}});
    folder.write("state.json", state.to_string());
    for (args, left_out) in [
        (
            &["--to", "dotprompt", "--seed", "1"][..],
            "not in the file: routes",
        ),
        (
            &["--state", "state.json"],
            "the template_vars of the state stay out",
        ),
    ] {
        let args = [&["export", "registry.json", "-o", "out"], args].concat();
        let strict = folder.run(&[&args[..], &["--strict"]].concat());
        strict.refuses(
            1,
            &[
                left_out,
                "error: nothing was written: 1 thing would be left out",
            ],
        );
        assert!(!folder.path("out").exists());
        let run = folder.run(&args);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.err.contains(left_out), "{run:?}");
        std::fs::remove_file(folder.path("out")).expect("it was written");
    }
}

#[test]
fn without_a_kind_the_name_of_the_output_decides() {
    let folder = Folder::new();
    for (args, begins) in [
        (&["-o", "out.prompt", "--seed", "1"][..], "---\ninput:"),
        (&["-o", "out.prompty", "--seed", "1"], "---\n"),
        (&["-o", "out.json"], "{"),
        (&["-o", "out.prompt", "--to", "model"], "{"),
    ] {
        let run = folder.run(&[&["export", "registry.json"], args].concat());
        assert_eq!(run.status, 0, "{run:?}");
        let text = std::fs::read_to_string(folder.path(args[1])).expect("written");
        assert!(text.starts_with(begins), "{args:?}: {text}");
    }
    let prompty = std::fs::read_to_string(folder.path("out.prompty")).expect("written");
    assert!(prompty.contains("\nsystem:\n"), "{prompty}");
}

#[test]
fn messages_are_written_from_the_file_or_a_call_document() {
    let folder = Folder::new();
    let deck = json!({
        "registry": {"assembly_order": ["a"], "a": {"items": [{"id": "a", "text": "Help."}]}},
        "message": {"text": "Why?"},
        "tools": [{"type": "function", "function": {"name": "f"}}],
    });
    folder.write("deck.json", deck.to_string());
    let call = json!({"registry": "deck.json", "message": {"text": "How?"}});
    folder.write("call.json", call.to_string());
    let export =
        |more: &[&str]| folder.run(&[&["export", "deck.json", "--to", "prompty"], more].concat());
    let run = export(&[]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.err.contains("not in the file: 1 tool of the call"),
        "{}",
        run.err
    );
    assert!(
        run.out.ends_with("system:\nHelp.\n\nuser:\nWhy?\n"),
        "{}",
        run.out
    );
    assert!(
        !run.err.contains("only the registry is read"),
        "{}",
        run.err
    );
    let mut stated = deck.clone();
    stated["registry"]["a"]["items"] =
        json!([{"id": "a", "text": "Help."}, {"id": "b", "text": "Hinder."}]);
    stated["state"] = json!({"selections": {"a": "b"}});
    folder.write("stated.json", stated.to_string());
    let run = folder.run(&["export", "stated.json", "--to", "dotprompt"]);
    assert!(run.out.contains("Hinder."), "{}", run.out);
    let run = folder.run(&[
        "export",
        "stated.json",
        "--to",
        "dotprompt",
        "--select",
        "a=a",
    ]);
    assert!(run.out.contains("Help."), "{}", run.out);
    let run = export(&["--call", "call.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    // The messages of its own give way to those of the call document.
    assert!(run.err.contains("only the registry is read"), "{}", run.err);
    assert!(
        run.out.ends_with("system:\nHelp.\n\nuser:\nHow?\n"),
        "{}",
        run.out
    );
    folder
        .run(&["export", "deck.json", "--call", "call.json"])
        .refuses(
            2,
            &["--call is for prompt files; give --to dotprompt or --to prompty"],
        );
}

#[test]
fn the_help_names_the_flags_that_only_prompt_files_take() {
    let folder = Folder::new();
    let help = folder.run(&["export", "--help"]).out;
    let note = help
        .lines()
        .find(|line| line.contains("are for prompt files"));
    let note = note.expect("a note");
    for flag in ["--var", "--route", "--seed", "--call"] {
        assert!(note.contains(flag), "{note}");
    }
    for flag in [&["--seed", "1"][..], &["--var", "greeting::name=x"]] {
        let run = folder.run(&[&["export", "registry.json"], flag].concat());
        assert_eq!(run.status, 2, "{run:?}");
    }
}
