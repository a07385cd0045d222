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
    let expected = "12, or 6 when the order of shuffled entries does not count\n";
    run(&[]).gives(expected);
    run(&["--count"]).gives(expected);
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
        let stderr = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(
            (left.status.code(), stderr.as_str()),
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
    run(&["--rolls", "1000001"]).refuses(2, &["--sample random"]);
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
    run(&["--sample", "random", "--count"]).refuses(2, &["--count"]);
    run(&["--sample", "random", "--enumerate", "3"]).refuses(2, &["--enumerate"]);
}

/// Three rolled sections; `c.2` excludes `a.0`, and `b.0` is ten times as likely as each other.
fn dice() -> Folder {
    let folder = Folder::new();
    let section = |name: &str, sides: usize| {
        let items =
            (0..sides).map(|side| json!({"id": side.to_string(), "text": format!("{name}{side}")}));
        json!({"required": true, "section_random": true, "items": items.collect::<Vec<_>>()})
    };
    let mut registry = json!({"version": 22, "assembly_order": ["a", "b", "c"],
        "a": section("a", 4), "b": section("b", 3), "c": section("c", 3)});
    registry["c"]["items"][2]["excludes"] = json!(["a.0"]);
    registry["b"]["items"][0]["weight"] = json!(10);
    folder.write("dice.json", json!({"registry": registry}).to_string());
    folder
}

fn sample(mode: &str, more: &[&str]) -> (Vec<Value>, String) {
    let args = [
        "variants",
        "dice.json",
        "--format",
        "json",
        "--sample",
        mode,
    ];
    let seed: &[&str] = match mode {
        "exhaustive" => &[],
        _ => &["--seed", "5"],
    };
    let run = dice().run(&[&args, seed, more].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let rows = run
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (rows.collect(), run.err)
}

#[test]
fn a_random_sample_has_a_roll_for_each_seed() {
    let (rows, notes) = sample("random", &["--rolls", "100"]);
    assert_eq!((rows.len(), notes.as_str()), (100, "note: 100 rolls\n"));
    let folder = dice();
    for row in rows.iter().take(5) {
        let seed = row["seed"].to_string();
        let run = folder.run(&["hydrate", "dice.json", "--seed", &seed]);
        assert_eq!(run.out.trim_end(), row["text"]);
    }
    let heavy = rows
        .iter()
        .filter(|row| row["text"].as_str().is_some_and(|text| text.contains("b0")));
    assert!(heavy.count() > 70);
    dice()
        .run(&["variants", "dice.json", "--sample", "random"])
        .refuses(2, &["--rolls N"]);
    dice()
        .run(&["variants", "dice.json", "--sample", "shuffle"])
        .refuses(2, &["--rolls N"]);
}

#[test]
fn seed_0_follows_the_largest_wherever_rolls_follow_one_another() {
    let folder = dice();
    let last = "9007199254740991";
    let text = |seed: &str| {
        let run = folder.run(&["hydrate", "dice.json", "--seed", seed]);
        run.out.trim_end().to_owned()
    };
    let expected = [(last, text(last)), ("0", text("0")), ("1", text("1"))];
    for (args, seed, prompt) in [
        (
            &["--sample", "random", "--format", "json"][..],
            "seed",
            "text",
        ),
        (&["--format", "prompts"], "custom_id", "prompt"),
    ] {
        let args = [
            &["variants", "dice.json", "--rolls", "3", "--seed", last],
            args,
        ]
        .concat();
        let run = folder.run(&args);
        let rows = run.out.lines().map(|line| {
            let row: Value = serde_json::from_str(line).expect("JSON");
            let seed = row[seed]
                .as_str()
                .map_or_else(|| row[seed].to_string(), str::to_owned);
            (seed, row[prompt].as_str().expect("a text").to_owned())
        });
        let rows: Vec<(String, String)> = rows.collect();
        let rows: Vec<(&str, String)> = rows
            .iter()
            .map(|(id, text)| (&**id, text.clone()))
            .collect();
        assert_eq!(rows, expected, "{args:?}");
    }
    let different = folder.run(&["variants", "dice.json", "--rolls", "30", "--seed", last]);
    assert!(different.out.contains("seed 0\n"), "{}", different.out);
    let run = folder.run(&["run", "dice.json", "--repeat", "2", "--seed", last]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("--- seed 0\n"), "{}", run.out);
    let profile = [
        "profile",
        "dice.json",
        "--rolls",
        "3",
        "--seed",
        last,
        "--format",
        "json",
    ];
    let profile = folder.run(&profile);
    let profile: Value = serde_json::from_str(&profile.out).expect("JSON");
    assert_eq!(profile["rolls"], json!(3));
    let given = json!({"rolls": 3, "seed": 9_007_199_254_740_991_u64});
    let check = json!({"name": "n", "given": given, "expect": [{"not_contains": text("1")}]});
    folder.write("dice.checks.json", json!({"checks": [check]}).to_string());
    let tested = folder.run(&["test", "dice.json"]);
    assert_eq!(tested.status, 1, "{}", tested.err);
    assert!(tested.out.contains("seed 1"), "{}", tested.out);
}

#[test]
fn the_parts_of_a_sample_are_of_one_without_a_seed() {
    let folder = dice();
    for mode in ["random", "shuffle", "pairwise", "exhaustive"] {
        for format in ["text", "json"] {
            let args = ["variants", "dice.json", "--format", format, "--rolls", "9"];
            let args = [&args[..], &["--sample", mode]].concat();
            let whole = folder.run(&args).out;
            let part = |part| folder.run(&[&args[..], &["--shard", part]].concat()).out;
            let parts = ["1/3", "2/3", "3/3"].map(part).concat();
            assert_eq!(parts, whole, "{mode}");
            if mode != "exhaustive" {
                let seed_0 = folder.run(&[&args[..], &["--seed", "0"]].concat()).out;
                assert_eq!(seed_0, whole, "{mode}");
            }
        }
    }
    let different = ["variants", "dice.json", "--rolls", "9"];
    let seed_0 = [&different[..], &["--seed", "0"]].concat();
    assert_eq!(folder.run(&different).out, folder.run(&seed_0).out);
}

#[test]
fn a_seed_is_refused_where_nothing_is_rolled() {
    for args in [
        &[][..],
        &["--count"],
        &["--enumerate", "2"],
        &["--sample", "exhaustive"],
    ] {
        let args = [&["variants", "dice.json", "--seed", "3"], args].concat();
        dice()
            .run(&args)
            .refuses(2, &["--seed has no effect", "--rolls N"]);
    }
}

#[test]
fn a_shuffled_sample_takes_every_item_before_any_comes_again() {
    let (rows, _) = sample("shuffle", &["--rolls", "36"]);
    for (slot, sides) in [(0, 4), (1, 3)] {
        let items: Vec<u64> = rows
            .iter()
            .filter_map(|row| row["items"][slot][1].as_u64())
            .collect();
        for round in items.chunks(sides) {
            assert_eq!(
                round.iter().collect::<BTreeSet<_>>().len(),
                sides,
                "{items:?}"
            );
        }
    }
}

#[test]
fn a_sample_of_pairs_has_all_that_are_possible_and_its_states_repeat_it() {
    let (rows, notes) = sample("pairwise", &[]);
    let pairs: BTreeSet<(usize, u64, usize, u64)> = rows
        .iter()
        .flat_map(|row| {
            let item = |slot: usize| row["items"][slot][1].as_u64().expect("an item");
            [(0, 1), (0, 2), (1, 2)].map(|(one, two)| (one, item(one), two, item(two)))
        })
        .collect();
    assert_eq!(pairs.len(), 12 + 11 + 9);
    assert!(!pairs.contains(&(0, 0, 2, 2)));
    assert_eq!(rows.len(), 12, "the least there can be");
    let expected = "note: 12 rolls with all 32 pairs of values; 1 more is impossible under requires and \
                excludes\n";
    assert_eq!(notes, expected);
    let folder = dice();
    for row in &rows {
        folder.write("state.json", row["state"].to_string());
        let seed = row["seed"].to_string();
        let args = [
            "hydrate",
            "dice.json",
            "--state",
            "state.json",
            "--seed",
            &seed,
        ];
        assert_eq!(folder.run(&args).out.trim_end(), row["text"]);
    }
    let (rows, notes) = sample("pairwise", &["--rolls", "5"]);
    assert_eq!(rows.len(), 5);
    let pairs = rows.iter().flat_map(|row| {
        let item = |slot: usize| row["items"][slot][1].as_u64();
        [(0, 1), (0, 2), (1, 2)].map(|(one, two)| (one, item(one), two, item(two)))
    });
    let pairs = pairs.collect::<BTreeSet<_>>().len();
    let expected = format!(
        "note: 5 rolls with {pairs} of the 32 pairs of values, and 12 rolls have all of them;"
    );
    assert!(notes.starts_with(&expected), "{notes}");
    let (_, notes) = sample("pairwise", &["--rolls", "5", "--shard", "1/5"]);
    let expected = format!(
        "note: 1 roll of 5, part 1 of 5: number 1; all 5 have {pairs} of the 32 pairs of values, \
         and 12 rolls have all of them;"
    );
    assert!(notes.starts_with(&expected), "{notes}");
}

#[test]
fn an_exhaustive_sample_has_every_evaluation_once() {
    let (rows, notes) = sample("exhaustive", &[]);
    let texts: BTreeSet<String> = rows.iter().map(|row| row["text"].to_string()).collect();
    // c takes its third item unless a has its first.
    assert_eq!((rows.len(), texts.len()), (3 * 3 * 3 + 3 * 2, 33));
    assert_eq!(notes, "note: 33 rolls\n");
    assert_eq!(sample("exhaustive", &["--rolls", "4"]).0, rows[..4]);
}

#[test]
fn the_parts_of_a_sample_are_the_whole() {
    for (mode, rolls) in [
        ("random", "50"),
        ("shuffle", "50"),
        ("pairwise", "50"),
        ("exhaustive", "1000"),
    ] {
        let (whole, _) = sample(mode, &["--rolls", rolls]);
        let mut parts = Vec::new();
        for shard in ["1/3", "2/3", "3/3"] {
            let (part, notes) = sample(mode, &["--rolls", rolls, "--shard", shard]);
            assert!(
                notes.contains(&format!("part {} of 3: numbers ", &shard[..1])),
                "{notes}"
            );
            assert!(!part.is_empty());
            parts.extend(part);
        }
        assert_eq!(parts, whole, "{mode}");
    }
    run(&["--sample", "random", "--rolls", "5", "--shard", "4/3"]).refuses(2, &["K/N"]);
    run(&["--rolls", "5", "--shard", "1/3"]).refuses(2, &["--sample"]);
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
