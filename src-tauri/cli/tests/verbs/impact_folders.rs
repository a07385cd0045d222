//! `impact` of two folders.

use std::fs;

use serde_json::Value;

use crate::program::{Folder, REGISTRY, Run};

fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("old")).expect("made");
    fs::create_dir_all(folder.path("new")).expect("made");
    for (name, content) in files {
        let path = folder.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, content).expect("written");
    }
    folder
}

fn run(folder: &Folder, args: &[&str]) -> Run {
    let verb = ["impact", "old", "new", "--rolls", "200"];
    folder.run(&[&verb, args].concat())
}

fn edited() -> String {
    REGISTRY.replace("Hello", "Good day")
}

#[test]
fn registries_are_matched_by_path_and_then_as_renamed() {
    let edited = edited();
    let other = r#"{"assembly_order": ["a"], "a": {"items": [{"id": "x", "text": "Hello."}]}}"#;
    let folder = folder(&[
        ("old/same.json", REGISTRY),
        ("new/same.json", REGISTRY),
        ("old/sub/edited.json", REGISTRY),
        ("new/sub/edited.json", &edited),
        ("old/from.json", REGISTRY),
        ("new/to.json", &edited),
        ("old/gone.json", other),
        ("new/call.json", r#"{"assistant": {}, "task": "x"}"#),
        ("new/data.json", "[1, 2]"),
        ("new/same.checks.json", r#"{"checks": []}"#),
    ]);
    let json = run(&folder, &["--format", "json"]);
    assert_eq!((json.status, json.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["same"], 1);
    let files: Vec<(&str, &str, Option<&str>)> = json["registries"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| {
            (
                file["file"].as_str().expect("a name"),
                file["status"].as_str().expect("a status"),
                file["old_file"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        files,
        [
            ("gone.json", "deleted", None),
            ("sub/edited.json", "compared", None),
            ("to.json", "compared", Some("from.json")),
        ]
    );
    // The figures are those of a comparison of the two files.
    let pair = folder.run(&[
        "impact",
        "old/sub/edited.json",
        "new/sub/edited.json",
        "--rolls",
        "200",
        "--format",
        "json",
    ]);
    let pair: Value = serde_json::from_str(&pair.out).expect("JSON");
    assert_eq!(json["registries"][1]["changed"], pair["changed"]);
    assert_eq!(json["registries"][1]["diffs"], pair["diffs"]);
    let text = run(&folder, &[]);
    let first: Vec<&str> = text.out.lines().take(2).collect();
    assert_eq!(
        first,
        [
            "old to new: prompts change in 2 of 3 registries, 1 deleted, 1 renamed",
            "  deleted: gone.json",
        ]
    );
}

#[test]
fn a_rename_shares_most_of_the_texts_and_not_only_names() {
    let deck = |text: &str| {
        format!(
            r#"{{"version": 22, "assembly_order": ["base_context"],
               "base_context": {{"required": true, "items": [{{"id": "a", "text": "{text}"}}]}}}}"#
        )
    };
    let check = |old: &str, new: &str, summary: &str| {
        let folder = folder(&[("old/a.json", old), ("new/b.json", new)]);
        let run = run(&folder, &["--fail-over", "10"]);
        let first = run.out.lines().next();
        assert_eq!(first, Some(format!("old to new: {summary}").as_str()));
        run.status
    };
    let apart = "no registries compared, 1 new, 1 deleted";
    let french = deck("Translate the text to French.");
    let nurse = deck("You are a night nurse and speak to the caller.");
    assert_eq!(check(&french, &nurse, apart), 0);
    // Decks of the samples share the names of sections, not texts.
    let sample = |name: &str| {
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../registries");
        fs::read_to_string(format!("{samples}/{name}")).expect("a sample")
    };
    let (host, guide) = (sample("trivia_host.json"), sample("night_stream.json"));
    assert_eq!(check(&host, &guide, apart), 0);
    let renamed = "prompts change in 1 of 1 registry, 1 renamed";
    let german = deck("Translate the text to German.");
    assert_eq!(check(&french, &german, renamed), 1);
    let edited = host.replace("question", "riddle");
    assert_ne!(edited, host);
    assert_eq!(check(&host, &edited, renamed), 1);
    // One line or many: the layout is no content.
    let json: Value = serde_json::from_str(&host).expect("JSON");
    let same = "no prompt changes in 1 registry, 1 renamed";
    assert_eq!(check(&host, &json.to_string(), same), 0);
}

#[test]
fn the_comment_of_many_registries_stays_within_a_screen() {
    let edited = edited();
    let names: Vec<(String, String)> = (0..40)
        .map(|number| {
            (
                format!("old/{number:02}.json"),
                format!("new/{number:02}.json"),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .flat_map(|(old, new)| [(old.as_str(), REGISTRY), (new.as_str(), edited.as_str())])
        .collect();
    let folder = folder(&files);
    let comment = run(
        &folder,
        &["--format", "markdown", "--tokenizer", "estimate"],
    )
    .out;
    let mut depth = 0;
    let open: Vec<&str> = comment
        .lines()
        .filter(|line| {
            let begins = line.starts_with("<details>");
            depth += i32::from(begins);
            let is_open = depth == 0 || (begins && depth == 1);
            depth -= i32::from(*line == "</details>");
            is_open && !line.is_empty()
        })
        .collect();
    assert!(open.len() <= 20, "{open:#?}");
    assert_eq!(
        open[0],
        "**Promptdeck: prompts change in 40 of 40 registries**"
    );
    assert!(open.contains(&"| 28 more | | | |"), "{open:#?}");
    assert!(comment.len() < 65_536, "the most that a comment may have");
}

#[test]
fn a_limit_and_an_unreadable_registry_decide_the_status() {
    let folder = folder(&[("old/a.json", REGISTRY), ("new/a.json", &edited())]);
    let over = run(&folder, &["--fail-over", "5"]);
    assert_eq!(over.status, 1);
    assert!(
        over.err.contains("a.json: 100.0 % of the rolls change"),
        "{}",
        over.err
    );
    folder.write("new/a.json", "{");
    let broken = run(&folder, &["--fail-over", "5", "--format", "markdown"]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("a.json"), "{}", broken.err);
    assert!(broken.out.contains("unreadable"), "{}", broken.out);
    // A registry that was broken before is not new.
    folder.write("new/a.json", REGISTRY);
    folder.write("old/a.json", "{");
    let mended = run(&folder, &[]);
    assert_eq!(mended.status, 0);
    let warning = "warning: the old version is not compared: old/a.json: line 1";
    assert!(mended.err.starts_with(warning), "{}", mended.err);
    assert!(
        mended.out.contains("not compared: a.json"),
        "{}",
        mended.out
    );
    let comment = run(&folder, &["--format", "markdown"]).out;
    for words in [
        "no registries compared, 1 not compared**",
        "| <code>a.json</code> | not compared, old version unreadable: <code>old&#47;a.json&#58; line 1",
    ] {
        assert!(comment.contains(words), "no {words:?} in {comment}");
    }
    let json: Value = serde_json::from_str(&run(&folder, &["--format", "json"]).out).expect("JSON");
    assert_eq!(json["registries"][0]["status"], "not_compared");
    assert_eq!(json["registries"][0]["error"]["line"], 1);
}

#[test]
fn what_folders_cannot_have_is_refused() {
    let folder = folder(&[("old/a.json", REGISTRY), ("new/a.json", REGISTRY)]);
    folder
        .run(&["impact", "old", "registry.json"])
        .refuses(2, &["compare two files or two folders"]);
    run(&folder, &["--route", "short"]).refuses(2, &["--route", "two files"]);
    run(&folder, &["--random", "greeting"]).refuses(2, &["--random", "two files"]);
    let empty = folder.run(&["impact", "old", "missing"]);
    assert_eq!(empty.status, 2);
    let same = run(&folder, &["--format", "markdown"]);
    same.gives("**Promptdeck: no prompt changes in 1 registry**\n");
}

#[test]
fn a_folder_without_registries_is_no_comparison() {
    let gone = folder(&[("old/deck.json", REGISTRY)]);
    run(&gone, &[]).refuses(2, &["new: no registry in it"]);
    let first = folder(&[("new/deck.json", REGISTRY)]);
    let run = run(&first, &[]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.err.contains("old: no registry in it"), "{run:?}");
}
