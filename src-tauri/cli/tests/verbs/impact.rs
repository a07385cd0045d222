//! `impact`.

use serde_json::{Value, json};

use crate::program::{Folder, REGISTRY, Run};

/// A folder with the registry and an edited version of it.
fn folder(edit: impl Fn(&str) -> String) -> Folder {
    let folder = Folder::new();
    folder.write("new.json", edit(REGISTRY));
    folder
}

fn goodbye() -> Folder {
    folder(|text| text.replace("Goodbye {name}.", "Farewell, dear {name}."))
}

fn run(folder: &Folder, args: &[&str]) -> Run {
    let verb = [
        "impact",
        "registry.json",
        "new.json",
        "--random",
        "greeting",
    ];
    folder.run(&[&verb, args].concat())
}

#[test]
fn an_edit_of_nothing_says_so() {
    let folder = folder(|text| text.replace("  ", " "));
    let impact = run(&folder, &["--rolls", "2000"]);
    let expected = "registry.json to new.json: 2,000 of 2,000 rolls identical";
    assert_eq!(impact.out.lines().next(), Some(expected));
    let strict = run(&folder, &["--rolls", "100", "--fail-over", "0"]);
    assert_eq!((strict.status, strict.err.as_str()), (0, ""));
}

#[test]
fn an_edit_changes_the_rolls_that_print_it() {
    let folder = goodbye();
    let report = run(
        &folder,
        &[
            "--rolls",
            "300",
            "--format",
            "json",
            "--tokenizer",
            "o200k_base",
        ],
    );
    assert_eq!((report.status, report.err.as_str()), (0, ""));
    let impact: Value = serde_json::from_str(&report.out).expect("JSON");
    let printing = (0..300_u32)
        .filter(|seed| {
            let seed = seed.to_string();
            let args = [
                "hydrate",
                "registry.json",
                "--random",
                "greeting",
                "--seed",
                &seed,
            ];
            folder.run(&args).out.contains("Goodbye")
        })
        .count();
    assert_eq!(impact["changed"]["rolls"], printing);
    assert_eq!(impact["identical"], 300 - printing);
    assert_eq!(impact["sections"][0]["section"], "greeting");
    assert_eq!(impact["sections"][0]["fields"][0]["field"], "text");
    assert_eq!(impact["sections"].as_array().map(Vec::len), Some(1));
    assert_eq!(impact["changes"][0]["rolls"], printing);
    let side = |name: &str| impact["changes"][0][name].as_str().expect("a text");
    assert!(side("before").starts_with("Goodbye you."));
    assert!(side("after").starts_with("Farewell, dear you."));
    let parts = impact["diffs"][0].as_array().expect("parts");
    let joined = |without: &str| -> String {
        let parts = parts.iter().filter(|part| part["kind"] != without);
        parts
            .map(|part| part["text"].as_str().expect("a text"))
            .collect()
    };
    assert_eq!(
        (joined("added").as_str(), joined("removed").as_str()),
        (side("before"), side("after"))
    );
}

#[test]
fn text_shows_words() {
    let text = run(&goodbye(), &["--rolls", "1000"]).out;
    for words in [
        "registry.json to new.json: changes 46.9 % of rolls (469 of 1,000), median +2 tokens\n",
        "changed rolls by section and field\n",
        "  .text",
        "[-Goodbye-]{+Farewell, dear+} you.",
    ] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn too_much_change_is_a_problem() {
    let folder = goodbye();
    let over = run(&folder, &["--rolls", "1000", "--fail-over", "10"]);
    assert_eq!(over.status, 1);
    assert!(
        over.err
            .contains("of the rolls change, over the limit of 10 %"),
        "{}",
        over.err
    );
    assert_eq!(
        run(&folder, &["--rolls", "1000", "--fail-over", "90"]).status,
        0
    );
    run(&folder, &["--fail-over", "101"]).refuses(2, &["a percentage from 0 to 100"]);
}

#[test]
fn problems_that_appear_and_go_are_listed() {
    let folder = folder(|text| text.replace("\"moods\",\n", "\"mods\",\n"));
    let forward = run(&folder, &["--rolls", "10", "--format", "json"]);
    let impact: Value = serde_json::from_str(&forward.out).expect("JSON");
    let added = impact["problems"]["added"].to_string();
    assert!(added.contains("mods"), "{added}");
    let back = folder.run(&[
        "impact",
        "new.json",
        "registry.json",
        "--rolls",
        "10",
        "--format",
        "json",
    ]);
    let impact: Value = serde_json::from_str(&back.out).expect("JSON");
    assert!(impact["problems"]["removed"].to_string().contains("mods"));
}

#[test]
fn routes_can_be_compared() {
    let folder = Folder::new();
    let args = [
        "impact",
        "registry.json",
        "registry.json",
        "--rolls",
        "50",
        "--route",
        "short",
    ];
    let same = folder.run(&args);
    assert!(
        same.out.contains("50 of 50 rolls identical"),
        "{}",
        same.out
    );
    folder
        .run(&[
            "impact",
            "registry.json",
            "registry.json",
            "--route",
            "none",
        ])
        .refuses(2, &["none", "short"]);
}

#[test]
fn markdown_fits_a_screen_and_is_inert() {
    let hostile = "x|`</details><img src=x onerror=alert(1)>@someone [a](http://b) ``` \u{202e}";
    let section = |text: &str| {
        let items = (0..30).map(|item| json!({"id": format!("i{item}"), "text": format!("{text} {item} ```` {hostile}\nsecond\nthird")}));
        json!({"section_random": true, "items": items.collect::<Vec<_>>()})
    };
    let registry = |text: &str| {
        let mut registry = json!({});
        let names: Vec<String> = (0..20).map(|name| format!("{hostile}{name}")).collect();
        for name in &names {
            registry[name] = section(text);
        }
        registry["assembly_order"] = json!(names);
        registry.to_string()
    };
    let folder = Folder::new();
    folder.write("old.json", registry("old"));
    folder.write("new.json", registry("new"));
    let run = folder.run(&[
        "impact", "old.json", "new.json", "--rolls", "200", "--format", "markdown",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    let comment = run.out;
    assert!(
        comment.starts_with(
            "**<code>old.json</code> → <code>new.json</code>: changes 100.0 % of rolls"
        ),
        "{comment}"
    );
    // Without what is folded.
    let mut visible = Vec::new();
    let mut fence = None;
    for line in comment.lines() {
        let ticks = line.chars().take_while(|char| *char == '`').count();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => {}
            None => visible.push(line),
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    assert!(visible.len() <= 40, "{}", visible.len());
    let visible = visible.join("\n");
    for word in ["<img", "onerror=", "@someone", "](", "\u{202e}"] {
        assert!(!visible.contains(word), "{word} in {visible}");
    }
    assert!(!comment.contains('\u{202e}'));
    assert_eq!(visible.matches("<details>").count(), 3);
    assert_eq!(visible.matches("</details>").count(), 3);
    assert!(comment.len() < 16_000, "{}", comment.len());
}
