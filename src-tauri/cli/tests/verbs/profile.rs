//! `profile`.

use serde_json::{Value, json};

use crate::program::Folder;

const ROLLED: [&str; 6] = [
    "--random",
    "greeting",
    "--mode",
    "lists.items=random:2",
    "--select",
    "moods=calm",
];

fn run(args: &[&str]) -> crate::program::Run {
    Folder::new().run(&[&["profile", "registry.json"], &ROLLED[..], args].concat())
}

fn json_of(args: &[&str]) -> Value {
    let run = run(&[args, &["--format", "json"]].concat());
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    serde_json::from_str(&run.out).expect("JSON")
}

#[test]
fn it_counts_what_hydrate_prints() {
    let profile = json_of(&["--rolls", "60", "--seed", "7", "--pair", "greeting,lists"]);
    assert_eq!(profile["file"], "registry.json");
    assert_eq!(
        (&profile["rolls"], &profile["seed"]),
        (&json!(60), &json!(7))
    );
    let folder = Folder::new();
    let texts: Vec<String> = (7..67)
        .map(|seed: u32| {
            let seed = seed.to_string();
            let args = [&["hydrate", "registry.json", "--seed", &seed], &ROLLED[..]].concat();
            folder.run(&args).out.trim_end().to_owned()
        })
        .collect();
    let rows = |section: &str| {
        let sections = profile["coverage"].as_array().expect("sections").iter();
        let mut sections = sections.filter(|coverage| coverage["section"] == section);
        sections.next().expect("the section")["rows"]
            .as_array()
            .expect("rows")
            .clone()
    };
    let containing = |words: &str| texts.iter().filter(|text| text.contains(words)).count();
    let row = |section: &str, kind: &str, label: &str| {
        let rows = rows(section).into_iter();
        let mut rows = rows.filter(|row| row["kind"] == kind && row["label"] == label);
        rows.next().unwrap_or_else(|| panic!("no {label}"))
    };
    assert_eq!(
        row("greeting", "item", "hello")["rolls"],
        containing("Hello you.")
    );
    assert_eq!(row("greeting", "item", "bye")["chance"], 0.5);
    for colour in ["red", "green", "blue"] {
        let entry = row("lists", "entry", colour);
        assert_eq!(entry["rolls"], containing(colour), "{colour}");
        let chance = entry["chance"].as_f64().expect("a chance");
        assert!((chance - 2.0 / 3.0).abs() < 1e-9);
    }
    assert_eq!(
        row("moods", "item", "brief")["absence"]["reason"],
        "never_selected"
    );
    let mut lengths: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
    lengths.sort_unstable();
    assert_eq!(profile["characters"]["min"], lengths[0]);
    assert_eq!(profile["characters"]["median"], lengths[29]);
    assert_eq!(profile["characters"]["max"], lengths[59]);
    texts.iter().zip(7..).for_each(|(text, seed)| {
        if profile["characters"]["min_seed"] == seed {
            assert_eq!(profile["characters"]["min"], text.chars().count());
        }
    });
    assert_eq!(profile["sameness"]["possible"]["ordered"], "12");
    assert_eq!(profile["pairs"][0]["first_values"], json!(["hello", "bye"]));
}

#[test]
fn a_weight_is_no_text_that_is_never_printed() {
    let folder = Folder::new();
    let registry = json!({"registry": {
        "assembly_order": ["tone"],
        "tone": {"required": true, "items": [
            {"id": "calm", "text": "Calm.", "weight": 3}, {"id": "loud", "text": "Loud."}
        ]},
    }});
    folder.write("tone.json", registry.to_string());
    let args = ["profile", "tone.json", "--random", "tone", "--rolls", "50"];
    let run = folder.run(&args);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("calm.text"), "{}", run.out);
    assert!(!run.out.contains("weight"), "{}", run.out);
}

#[test]
fn tokens_are_those_of_the_tokenizer() {
    let exact = json_of(&[
        "--rolls",
        "100",
        "--tokenizer",
        "o200k_base",
        "--budget",
        "1",
    ]);
    assert_eq!(
        exact["tokenizer"],
        json!({"name": "o200k_base", "exact": true})
    );
    assert_eq!(exact["tokens"]["over_budget"]["rolls"], 100);
    let near = json_of(&["--rolls", "100"]);
    assert_eq!(
        near["tokenizer"],
        json!({"name": "estimate", "exact": false})
    );
    let without = json_of(&["--rolls", "100", "--no-tokens", "--budget", "1"]);
    assert_eq!(
        (&without["tokens"], &without["tokenizer"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(without["characters"]["over_budget"]["rolls"], 100);
}

#[test]
fn the_same_for_every_run_and_seed_0_by_default() {
    let one = run(&["--rolls", "5000", "--format", "json"]);
    let other = run(&["--rolls", "5000", "--format", "json", "--seed", "0"]);
    assert_eq!(one.out, other.out);
}

#[test]
fn the_range_of_seeds_names_seeds_that_exist() {
    for (rolls, words) in [
        ("1", "1 roll, seed 9007199254740991"),
        ("100", "100 rolls, seeds 9007199254740991, then 0 to 98"),
    ] {
        for format in ["text", "html"] {
            let args = ["--rolls", rolls, "--seed", "9007199254740991"];
            let out = run(&[&args[..], &["--format", format]].concat()).out;
            assert!(out.contains(words), "no {words:?} in {out}");
        }
    }
}

#[test]
fn text_is_plain_in_a_pipe() {
    let text = run(&["--rolls", "2000", "--budget", "20"]).out;
    for words in [
        "registry.json: 2,000 rolls, seeds 0 to 1999\n",
        "tokens (estimate, not exact): min ",
        "of rolls are over 20 tokens",
        "stable prefix\n  all rolls   0 tokens, 0 characters; then greeting.text\n",
        "possible evaluations: 12, or 6 when the order",
        "texts in the sample: 12\n",
        "greeting (required, rolled)\n",
        "(exact 50.0 %)",
        "brief: its item is neither selected nor rolled",
        "####",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn a_page_loads_nothing_and_escapes_everything() {
    let folder = Folder::new();
    let hostile = "</style><script>alert(1)</script>\"'&\u{202e}";
    let registry = json!({
        "assembly_order": [hostile, "b"],
        hostile: {"section_random": true, "items": [{"id": hostile, "text": hostile}, {"id": "b", "text": "b"}]},
        "b": {"items": [{"id": hostile, "text": "a", hostile: "c"}]},
    });
    folder.write("hostile.json", registry.to_string());
    let pair = format!("{hostile},b");
    let run = folder.run(&[
        "profile",
        "hostile.json",
        "--format",
        "html",
        "--rolls",
        "100",
        "--pair",
        &pair,
    ]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let page = run.out;
    assert!(page.starts_with("<!doctype html>"));
    assert!(
        page.contains("default-src 'none'; style-src 'sha256-"),
        "{page}"
    );
    assert!(
        !page.contains("<script") && !page.contains('\u{202e}'),
        "{page}"
    );
    assert_eq!(page.matches("</style>").count(), 1);
    for word in [
        " style=", "src=", "href=", "http:", "https:", "url(", "@import",
    ] {
        assert!(!page.contains(word), "{word} in {page}");
    }
    assert!(page.contains("&lt;/style&gt;&lt;script&gt;"), "{page}");
    // Every plot of numbers has a table, and every element is closed.
    assert_eq!(
        page.matches("role=\"img\"").count(),
        page.matches("<summary>Table").count()
    );
    for element in [
        "svg", "table", "tr", "td", "th", "details", "h2", "h3", "p", "ul", "li", "main",
    ] {
        let opened = page.matches(&format!("<{element}>")).count()
            + page.matches(&format!("<{element} ")).count();
        assert_eq!(
            opened,
            page.matches(&format!("</{element}>")).count(),
            "{element}"
        );
    }
}

#[test]
fn what_it_cannot_do_is_said() {
    let folder = Folder::new();
    folder.write(
        "empty.json",
        json!({"assembly_order": [], "a": {"items": [{"text": "A"}]}}).to_string(),
    );
    let run = folder.run(&["profile", "empty.json", "--rolls", "10"]);
    assert_eq!(run.status, 0);
    assert!(
        run.out.contains("note: no roll prints anything"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("no entry of the assembly order prints it; \"a\" would"),
        "{}",
        run.out
    );

    // 40^20 evaluations: more different texts than are counted exactly.
    let names: Vec<String> = (0..20).map(|name| format!("s{name}")).collect();
    let mut registry = json!({"assembly_order": names});
    for name in &names {
        let entries: Vec<String> = (0..40).map(|entry| format!("t{entry}")).collect();
        registry[name] =
            json!({"items": [{"id": "i", "items": entries}], "array_modes": {"items": "random:1"}});
    }
    folder.write("many.json", registry.to_string());
    let run = folder.run(&["profile", "many.json", "--rolls", "20000", "--no-tokens"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    for words in [
        "texts in the sample: about ",
        " (at least 12,289)\n",
        "possible evaluations: 109951162777600000000000000000000\n",
        "note: there are too many different texts to count exactly",
    ] {
        assert!(run.out.contains(words), "no {words:?} in {}", run.out);
    }

    let item = |item: u32| json!({"id": format!("i{item}"), "text": format!("t{item}")});
    let items: Vec<Value> = (0..5_000).map(item).collect();
    let section = json!({"section_random": true, "items": items});
    let large = json!({"assembly_order": ["s"], "s": section});
    folder.write("large.json", large.to_string());
    let run = folder.run(&["profile", "large.json", "--rolls", "40", "--no-tokens"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(
        run.out.contains("and 9960 more, see --format json"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("possible, but not rolled in this sample"),
        "{}",
        run.out
    );
}

#[test]
fn wrong_usage_is_refused() {
    run(&["--rolls", "0"]).refuses(2, &["write a whole number from 1 to 1000000"]);
    run(&["--rolls", "1000001"]).refuses(2, &["write a whole number from 1 to 1000000"]);
    run(&["--route", "none"]).refuses(2, &["registry.json", "none", "short"]);
    run(&["--tokenizer", "none"]).refuses(2, &["o200k_base"]);
    run(&["--no-tokens", "--tokenizer", "estimate"]).refuses(2, &["--tokenizer"]);
    run(&["--pair", "greeting"]).refuses(2, &["SECTION,SECTION"]);
    run(&["--pair", "greeting,none"]).refuses(2, &["\"none\"", "moods"]);
    run(&["--pair", "greeting:slider,moods"]).refuses(
        2,
        &[
            "\"greeting\" has no slider",
            "no entry prints \"greeting.scale\"",
        ],
    );
}
