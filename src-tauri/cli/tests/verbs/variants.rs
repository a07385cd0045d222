//! `variants` and `schema`.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader},
};

use serde_json::{Value, json};

use crate::program::Folder;

const ROLLED: [&str; 4] = ["--random", "greeting", "--mode", "lists.items=random:2"];

fn run(args: &[&str]) -> crate::program::Run {
    Folder::new().run(&[&["variants", "registry.json"], &ROLLED[..], args].concat())
}

#[test]
fn they_are_counted() {
    let told = "12, or 6 when the order of shuffled entries does not count\n";
    run(&[]).gives(told);
    run(&["--count"]).gives(told);
    let count: Value = serde_json::from_str(&run(&["--format", "json"]).out).expect("JSON");
    assert_eq!(
        count,
        json!({"ordered": "12", "unordered": "6", "exact": true})
    );
    Folder::new()
        .run(&["variants", "registry.json"])
        .gives("1\n");
}

#[test]
fn rolls_differ_and_each_seed_gives_its_prompt() {
    let rolled = run(&["--rolls", "5", "--seed", "1", "--format", "json"]);
    let rolls: Vec<Value> = rolled
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let texts: BTreeSet<&str> = rolls
        .iter()
        .filter_map(|roll| roll["text"].as_str())
        .collect();
    assert_eq!((rolls.len(), texts.len()), (5, 5));
    for roll in &rolls {
        let seed = roll["seed"].to_string();
        let args = [&["hydrate", "registry.json", "--seed", &seed], &ROLLED[..]].concat();
        assert_eq!(Folder::new().run(&args).out.trim_end(), roll["text"]);
    }
}

/// A registry with too many prompts to enumerate.
fn many() -> Folder {
    let folder = Folder::new();
    let section = || {
        let items =
            (0..40).map(|item| json!({"id": format!("i{item}"), "text": format!("t{item}")}));
        json!({"required": true, "section_random": true, "items": items.collect::<Vec<_>>()})
    };
    let sections = ["a", "b", "c", "d", "e"];
    let mut registry = json!({"version": 22, "assembly_order": sections});
    for name in sections {
        registry[name] = section();
    }
    folder.write("many.json", json!({"registry": registry}).to_string());
    folder
}

#[test]
fn rows_come_as_they_are_made_and_a_reader_that_leaves_ends_them() {
    let folder = many();
    for wanted in ["--rolls", "--enumerate"] {
        let args = [
            "variants",
            "many.json",
            wanted,
            "1000000",
            "--format",
            "json",
        ];
        let mut child = folder.command(&args).spawn().expect("the program starts");
        let mut rows = BufReader::new(child.stdout.take().expect("piped"));
        let mut row = String::new();
        rows.read_line(&mut row).expect("a row");
        assert!(serde_json::from_str::<Value>(&row).is_ok(), "{row:?}");
        assert_eq!(
            child.try_wait().expect("a child"),
            None,
            "it goes on after a row"
        );
        drop(rows);
        let left = child.wait_with_output().expect("the program ends");
        let said = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(
            (left.status.code(), said.as_str()),
            (Some(0), ""),
            "{wanted}"
        );
    }
}

#[test]
fn no_more_rolls_than_there_are_prompts() {
    let all = run(&["--rolls", "1000000", "--seed", "1", "--format", "json"]);
    assert_eq!((all.out.lines().count(), all.status), (12, 0));
    assert!(
        all.err.starts_with("note: 12 of 1000000 prompts: "),
        "{}",
        all.err
    );
    run(&["--rolls", "1000001"]).refuses(2, &["1000001 is not in 0..=1000000"]);
    run(&["--rolls", "18446744073709551615"]).refuses(2, &["--rolls"]);
}

#[test]
fn enumerating_gives_them_all_up_to_the_limit() {
    for (limit, expected) in [("100", 12), ("5", 5), ("0", 0)] {
        let lines = run(&["--enumerate", limit, "--format", "json"]).out;
        let texts: BTreeSet<&str> = lines.lines().collect();
        assert_eq!(texts.len(), expected, "up to {limit}");
    }
}

#[test]
fn only_one_thing_is_asked_at_once() {
    run(&["--count", "--rolls", "1"]).refuses(2, &["--rolls"]);
}

#[test]
fn the_schema_is_json_and_names_the_sections() {
    let run = Folder::new().run(&["schema"]);
    let schema: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(
        schema["$schema"]
            .as_str()
            .is_some_and(|draft| draft.contains("json-schema.org"))
    );
    assert_eq!((run.status, run.err.as_str()), (0, ""));
}
