//! Tests of templates and wildcards: the texts of their sections with their frequency.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Wildcards, import_template, import_wildcards};
use crate::{
    hydrate::{Call, Engine, Seed, State},
    import::Import,
    registry::parse,
};

fn wildcards(files: &[(&str, &str)]) -> Wildcards {
    let mut wildcards = Wildcards::default();
    for (name, text) in files {
        wildcards.add(name, text.as_bytes()).expect("wildcards");
    }
    wildcards
}

/// What the report says, in order.
fn messages(import: &Import) -> Vec<&str> {
    let entries = import.report.entries.iter();
    entries.map(|entry| entry.message.as_str()).collect()
}

/// Every text of the first section with its weight.
fn texts(import: &Import) -> BTreeMap<String, usize> {
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    let items = registry["registry"]["base_context"]["items"]
        .as_array()
        .expect("items");
    let mut texts = BTreeMap::new();
    for item in items {
        *texts
            .entry(item["text"].as_str().expect("a text").to_owned())
            .or_default() += item["weight"].as_u64().unwrap_or(1) as usize;
    }
    texts
}

fn prompt(import: &Import, seed: u64) -> String {
    let engine = Engine::new(parse(import.text.as_bytes()).expect("a registry").registry);
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(seed),
    };
    engine.hydrate_text(&call).expect("a prompt")
}

#[track_caller]
fn check(template: &str, expected: &[(&str, usize)]) {
    let season_files = wildcards(&[
        (
            "season.txt",
            "# a comment\nsummer\n{autumn|fall}\n\nwinter\n",
        ),
        ("colours-cold.txt", "blue"),
        ("colours-warm.txt", "red\nyellow"),
        (
            "world.yaml",
            "people:\n  asia: [Thai, Lao]\n  count: 3\nall: [__people/asia__, Maya]",
        ),
    ]);
    let import = import_template(template.as_bytes(), &season_files).expect("a deck");
    let expected: BTreeMap<String, usize> = expected
        .iter()
        .map(|(text, count)| ((*text).to_owned(), *count))
        .collect();
    assert_eq!(texts(&import), expected, "{template}");
    assert_eq!(import.report.entries, [], "{template}");
    for seed in 0..20 {
        assert!(expected.contains_key(&prompt(&import, seed)), "{template}");
    }
}

#[test]
fn choices_become_items() {
    check("plain", &[("plain", 1)]);
    check("a {red|blue} car", &[("a red car", 1), ("a blue car", 1)]);
    check("{a|b}{c|d}", &[("ac", 1), ("ad", 1), ("bc", 1), ("bd", 1)]);
    check("{3::a|1::b}", &[("a", 3), ("b", 1)]);
    check("{0.5::a|0.25::b|0.25::c}", &[("a", 2), ("b", 1), ("c", 1)]);
    check("{a|{b|c}}", &[("a", 2), ("b", 1), ("c", 1)]);
    check("{2$$a|b}", &[("a, b", 1), ("b, a", 1)]);
    check(
        "{1-2$$ and $$a|b}",
        &[("a", 1), ("b", 1), ("a and b", 1), ("b and a", 1)],
    );
    check("{9$$a|b}", &[("a, b", 1), ("b, a", 1)]);
    check("# comment\n{a|}b", &[("ab", 1), ("b", 1)]);
    check("open a_b __c", &[("open a_b __c", 1)]);
    check("{~a|b}", &[("a", 1), ("b", 1)]);
}

#[test]
fn wildcards_are_looked_up() {
    check(
        "__season__!",
        &[("summer!", 2), ("autumn!", 1), ("fall!", 1), ("winter!", 2)],
    );
    check("__~colours-warm__", &[("red", 1), ("yellow", 1)]);
    check("__bold text!__", &[("__bold text!__", 1)]);
    check("__colours*__", &[("blue", 1), ("red", 1), ("yellow", 1)]);
    check(
        "{2$$__colours-warm__}",
        &[("red, yellow", 1), ("yellow, red", 1)],
    );
    check("__all__", &[("Thai", 1), ("Lao", 1), ("Maya", 2)]);
}

#[test]
fn braces_and_samplers_that_are_not_read_are_reported() {
    let color_file = wildcards(&[("color.txt", "red\nblue")]);
    for (template, printed, message) in [
        ("{a|b", "{a|b", "{ is not closed and prints as written"),
        (
            "{2$$ and $$a|b",
            "{2$$ and $$a|b",
            "{ is not closed and prints as written",
        ),
        ("a|b}", "a|b}", "} closes nothing and prints as written"),
        ("{a|a}}", "a}", "} closes nothing and prints as written"),
        ("${x", "${x", "{ is not closed and prints as written"),
        (
            "{@red|red}",
            "red",
            "@, the cyclical sampler, is not supported: the seed picks at random",
        ),
        (
            "{!2$$ and $$red|red}",
            "red and red",
            "!, the combinatorial sampler, is not supported: the seed picks at random",
        ),
        (
            "__@nope__",
            "__@nope__",
            "there is no wildcard nope: __@nope__ prints as written",
        ),
        ("__nope~x__", "__nope~x__", "__nope~x__ prints as written"),
        ("__c?lor__", "__c?lor__", "__c?lor__ prints as written"),
    ] {
        let import = import_template(template.as_bytes(), &color_file).expect("a deck");
        let found = messages(&import);
        assert!(found.contains(&message), "{template}: {found:?}");
        assert_eq!(prompt(&import, 1), printed, "{template}");
    }
}

#[test]
fn what_is_not_read_prints_as_written() {
    let import =
        import_template(b"${x=1} __none__ __a(b=c)__", &Wildcards::default()).expect("a deck");
    assert_eq!(prompt(&import, 1), "${x=1} __none__ __a(b=c)__");
    assert_eq!(
        messages(&import),
        [
            "${x=1} prints as written",
            "__a(b=c)__ prints as written",
            "there is no wildcard none: __none__ prints as written",
        ]
    );
}

#[test]
fn too_many_combinations_become_template_variables() {
    let many = (0..40)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join("|");
    let template = format!("a {{{many}}} b {{{many}}}\n\nend");
    let import = import_template(template.as_bytes(), &Wildcards::default()).expect("a deck");
    assert_eq!(prompt(&import, 1), "a 0 b 0\n\nend");
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    let item = json!("a {choice} b {choice_2}");
    assert_eq!(
        registry["registry"]["base_context"]["items"][0]["text"],
        item
    );
    assert_eq!(
        registry["registry"]["choice_2"]["items"]
            .as_array()
            .expect("items")
            .len(),
        40
    );
    let [entry] = &import.report.entries[..] else {
        panic!("{:?}", import.report.entries);
    };
    for words in ["at most 1000", "nothing rolls", "shorten the lists"] {
        assert!(entry.message.contains(words), "{}", entry.message);
    }
}

#[test]
fn wildcards_become_sections() {
    let import = import_wildcards("season.txt", b"summer\nautumn\n").expect("a deck");
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    assert_eq!(registry["registry"]["assembly_order"], json!(["season"]));
    assert_eq!(
        registry["registry"]["season"]["section_random"],
        json!(true)
    );
    assert_eq!(
        registry["registry"]["season"]["items"][1],
        json!({"id": "autumn", "text": "autumn"})
    );
    let import = import_wildcards("w.yaml", b"a:\n  b: [x, y]\n  n: 5\nc: [z]\n").expect("a deck");
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    assert_eq!(registry["registry"]["assembly_order"], json!(["a_b", "c"]));
    assert_eq!(import.report.entries[0].pointer, "/a/n");
}

/// The items of a section as id, text and weight.
fn items(import: &Import, section: &str) -> Value {
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    let items = registry["registry"][section]["items"]
        .as_array()
        .expect("items");
    items
        .iter()
        .map(|item| json!([item["text"], item["weight"]]))
        .collect()
}

#[test]
fn weights_of_values_become_weights_of_items() {
    let lists = "a: [3::red, 1.5::dark blue, green, 0::never, \"2001::\", x::y, \"7::{b|c}\"]\n\
                 b: [{text: one, weight: 2}, {content: two}, {text: bad, weight: many}, [nested]]\n";
    let import = import_wildcards("w.yaml", lists.as_bytes()).expect("a deck");
    assert_eq!(
        items(&import, "a"),
        json!([
            ["red", 6],
            ["dark blue", 3],
            ["green", 2],
            ["never", 0],
            ["2001::", 2],
            ["x::y", 2],
            ["b", 7],
            ["c", 7],
        ])
    );
    assert_eq!(items(&import, "b"), json!([["one", 2], ["two", null]]));
    let ignored: Vec<&str> = import
        .report
        .entries
        .iter()
        .map(|entry| entry.pointer.as_str())
        .collect();
    assert_eq!(ignored, ["/b/2", "/b/3"]);
}

#[test]
fn weights_in_a_text_file_are_read_and_reported() {
    let import = import_wildcards("colours.txt", b"3::red\nblue\n").expect("a deck");
    assert_eq!(
        items(&import, "colours"),
        json!([["red", 3], ["blue", null]])
    );
    assert_eq!(
        messages(&import),
        [
            "section \"colours\": numbers before :: in the lines of colours are read as weights; \
             sd-dynamic-prompts reads weights in YAML and JSON files only and prints these"
        ]
    );
    // A pasted list has no name of its own.
    let pasted = import_wildcards("", b"3::red\n__shade__\n").expect("a deck");
    assert_eq!(
        messages(&pasted),
        [
            "section \"wildcard\": there is no wildcard shade: __shade__ prints as written",
            "section \"wildcard\": numbers before :: in the lines of wildcard are read as weights; \
             sd-dynamic-prompts reads weights in YAML and JSON files only and prints these"
        ]
    );
    let colours_file = wildcards(&[("colours.txt", "3::red\nblue")]);
    let import = import_template(b"a __colours__ car", &colours_file).expect("a deck");
    assert_eq!(
        texts(&import),
        BTreeMap::from([("a red car".to_owned(), 3), ("a blue car".to_owned(), 1)])
    );
    assert_eq!(import.report.entries.len(), 1);
    let plain = import_wildcards("c.txt", b"red\nblue\nred\n").expect("a deck");
    assert_eq!(plain.report.entries, []);
}

#[test]
fn weights_beyond_whole_numbers_stay_in_proportion() {
    let import =
        import_wildcards("w.yaml", b"a: [1::x, 3.1417::y, 1000000000::z]").expect("a deck");
    assert_eq!(
        items(&import, "a"),
        json!([["x", null], ["y", 3.1417], ["z", 1_000_000_000]])
    );
}

/// The texts of the items of a section.
fn section(import: &Import, name: &str) -> Vec<String> {
    let registry: Value = serde_json::from_str(&import.text).expect("JSON");
    let items = registry["registry"][name]["items"]
        .as_array()
        .expect("items");
    let texts = items.iter().map(|item| item["text"].as_str());
    texts.map(|text| text.expect("a text").to_owned()).collect()
}

#[test]
fn options_are_as_long_as_they_fit_together() {
    let long = "x".repeat(5000);
    let template = format!("Say {{{long}|short}} now.");
    check(
        &template,
        &[(&format!("Say {long} now."), 1), ("Say short now.", 1)],
    );
}

#[test]
fn options_that_are_too_many_to_combine_are_values_as_written() {
    let numbers: String = (0..1200).map(|number| format!("n{number}\n")).collect();
    let numbers_file = wildcards(&[("numbers.txt", &numbers)]);
    let template = "Say {5$$a|b|c|{d|e}|f|g|h|0::i}, __numbers__.";
    let import = import_template(template.as_bytes(), &numbers_file).expect("a deck");
    assert_eq!(prompt(&import, 0), "Say a, n0.");
    let options = ["a", "b", "c", "{d|e}", "f", "g", "h"];
    assert_eq!(section(&import, "choice"), options);
    assert_eq!(section(&import, "numbers").len(), 1000);
    let messages = messages(&import);
    assert_eq!(
        messages[..2],
        [
            "a choice has too many combinations: its values print as written",
            "numbers has too many combinations: its values print as written; 200 of 1200 do not fit \
             and are left out",
        ]
    );
    assert!(messages[2].contains("each with its first value as default"));
}

#[test]
fn input_out_of_bounds_is_refused() {
    let refused_message = |template: &str, files: &[(&str, &str)]| {
        let error = import_template(template.as_bytes(), &wildcards(files));
        error.expect_err("refused").to_string()
    };
    assert_eq!(
        refused_message(
            "x\n\n__a__",
            &[("a.txt", "1\n__b__"), ("b.txt", "{__a__|2}")]
        ),
        "line 3, column 1: b.txt: line 1, column 2: the wildcard a includes itself (a, b, a); remove \
         one of the references"
    );
    let nested = format!("{}a{}", "{".repeat(50), "}".repeat(50));
    assert!(refused_message(&nested, &[]).contains("choices nest deeper than 32 levels"));
    let message = import_wildcards("a.txt", b"__a__")
        .expect_err("refused")
        .to_string();
    assert!(
        message.contains("the wildcard a includes itself"),
        "{message}"
    );
    let message = import_wildcards("a.txt", b"# nothing")
        .expect_err("refused")
        .to_string();
    assert!(message.contains("no wildcard has a value"), "{message}");
    // Each includes the one before it ten times.
    let mut bomb = Wildcards::default();
    bomb.add("w0.txt", b"a\nb").expect("wildcards");
    for level in 1..12 {
        let text = format!("__w{}__\n", level - 1).repeat(10);
        bomb.add(&format!("w{level}.txt"), text.as_bytes())
            .expect("wildcards");
    }
    let import = import_template(b"__w11__", &bomb).expect("a deck");
    assert_eq!(import.report.entries.len(), 2);
    let many = "{a|b}".repeat(100_000);
    let import = import_template(many.as_bytes(), &bomb).expect("a deck");
    assert_eq!(prompt(&import, 0), many);
    assert_eq!(
        refused_message(&"a\n\n".repeat(1001), &[]),
        "1001 paragraphs; the limit is 1000: import a part of it"
    );
    let lists: String = (0..1001).map(|list| format!("l{list}: [v]\n")).collect();
    let message = import_wildcards("a.yaml", lists.as_bytes())
        .expect_err("refused")
        .to_string();
    assert_eq!(
        message,
        "1001 lists; the limit is 1000: import a part of it"
    );
    let braces = "{".repeat(1 << 20);
    assert_eq!(
        prompt(
            &import_template(braces.as_bytes(), &bomb).expect("a deck"),
            0
        ),
        braces
    );
}

#[test]
fn long_names_around_many_values_take_little_memory() {
    let around = |values: &str| {
        let key = "k".repeat(1000);
        let (open, close) = (format!("{{\"{key}\":").repeat(3), "}".repeat(3));
        import_wildcards("w.json", format!("{open}{values}{close}").as_bytes())
    };
    let import = around(&format!("[\"a\"{}]", ",[]".repeat(4000))).expect("a deck");
    let pointers = import
        .report
        .entries
        .iter()
        .map(|entry| entry.pointer.len());
    assert!(pointers.sum::<usize>() < 16 << 20);
    let last = messages(&import).pop().expect("a message").to_owned();
    assert!(last.starts_with("not listed here: 1"), "{last}");
    let lists: String = (0..4000)
        .map(|list| format!(",\"{list}\":[\"a\"]"))
        .collect();
    let refusal = around(&format!("{{\"a\":[\"a\"]{lists}}}")).expect_err("refused");
    assert!(
        refusal.message.contains("names of the wildcards"),
        "{refusal}"
    );
    let key = "k".repeat(5000);
    let refusal = import_wildcards("w.json", format!("{{\"{key}\":[\"a\"]}}").as_bytes());
    let refusal = refusal.expect_err("refused").to_string();
    assert!(refusal.contains("longer than 4096 bytes"), "{refusal}");
}

#[test]
fn a_number_that_is_no_weight_is_reported() {
    let import = import_template(b"{-1::a|nan::b|2::c}", &Wildcards::default()).expect("a deck");
    assert_eq!(
        messages(&import),
        [
            "-1:: is not a weight, which is a number from 0, and prints as written",
            "nan:: is not a weight, which is a number from 0, and prints as written",
        ]
    );
    assert!(texts(&import).contains_key("-1::a"));
}

#[test]
fn columns_within_long_lines_are_counted_in_characters() {
    let long = "är ".repeat(5000);
    let template = format!("{long}\n{long}${{x}} __numbers__");
    let value = format!("  2:: {long}${{y}}");
    let numbers_file = wildcards(&[("numbers.txt", &value)]);
    let import = import_template(template.as_bytes(), &numbers_file).expect("a deck");
    let found: Vec<_> = import
        .report
        .entries
        .iter()
        .map(|entry| {
            let place = entry.place.expect("a place");
            (place.line, place.column, entry.message.as_str())
        })
        .collect();
    let of_value = "numbers.txt: line 1, column 15007: ${y} prints as written";
    assert_eq!(found[0], (2, 15_001, "${x} prints as written"));
    assert!(found.contains(&(2, 15_006, of_value)), "{found:?}");
}

/// What the report says, each after its line and column in the file that is imported.
fn placed(import: &Import) -> Vec<String> {
    let entries = import.report.entries.iter();
    let placed = entries.map(|entry| {
        let place = entry.place.expect("a place");
        format!("{}:{}: {}", place.line, place.column, entry.message)
    });
    placed.collect()
}

#[test]
fn a_fault_is_where_its_author_wrote_it() {
    let colours_file = wildcards(&[
        ("colours.txt", "# cold\nblue\n  {dark|3::deep ${x}} red\n"),
        (
            "lists.yaml",
            "lists:\n  a:\n    - one\n    - __none__ two\n",
        ),
        (
            "deep.txt",
            &format!("a\nb {}c{}", "{".repeat(50), "}".repeat(50)),
        ),
    ]);
    let template =
        "# note\n\n\n# another\nfirst line\nthen __missing__\n\nä __colours__\n\n__lists/a__";
    let import = import_template(template.as_bytes(), &colours_file).expect("a deck");
    assert_eq!(
        placed(&import),
        [
            "6:6: there is no wildcard missing: __missing__ prints as written",
            "8:3: colours.txt: line 3, column 17: ${x} prints as written",
            "10:1: lists.yaml: line 4, column 7: there is no wildcard none: __none__ prints as written",
        ]
    );
    let error = import_template(b"a\n\nb __deep__", &colours_file).expect_err("refused");
    let place = error.place.expect("a place");
    assert_eq!((place.line, place.column), (3, 3));
    let expected = "deep.txt: line 2, column 36: choices nest deeper than 32 levels";
    assert_eq!(error.message, expected);

    // A file of wildcards is itself what is imported.
    let import = import_wildcards("w.txt", b"red\n# no\nnot ${x}\n3::{-1::a|b}\n").expect("a deck");
    assert_eq!(
        placed(&import),
        [
            "3:5: section \"w\": ${x} prints as written",
            "4:5: section \"w\": -1:: is not a weight, which is a number from 0, and prints as written",
            "4:4: section \"w\": numbers before :: in the lines of w are read as weights; \
             sd-dynamic-prompts reads weights in YAML and JSON files only and prints these",
        ]
    );
    let import = import_wildcards("w.json", b"{\n\"a\": [\"x\",\n  []]}").expect("a deck");
    assert_eq!(placed(&import), ["3:3: no text with a weight"]);
}
