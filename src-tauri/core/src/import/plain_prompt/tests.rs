//! Splits and what their registries print.

use proptest::prelude::*;
use serde_json::Value;

use super::{
    MAX_PARTS, NoEffect, PartKind, Split, SplitPart, SplitPoint, SplitPoints, import, import_split,
    outline, propose, propose_at, without_effect,
};
use crate::{
    hydrate::{Call, Engine, Seed, State},
    import::{
        ConversionStatus, Import,
        deck::Variables,
        fidelity,
        text_input::{self, MAX_TEXT},
    },
    lint,
    registry::{DataKey, Diagnostic, Severity, parse},
};

fn prompt(import: &Import) -> String {
    let parsed = parse(import.text.as_bytes()).expect("a registry");
    let call = Call {
        state: &State::default(),
        route: None,
        seed: Seed::from_bits(7),
    };
    Engine::new(parsed.registry)
        .hydrate_text(&call)
        .expect("a prompt")
}

/// The parts proposed: line, name, and `*` for a list; the registry prints the text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let split = propose(text).expect("a split").split;
    let found: Vec<String> = split
        .parts
        .iter()
        .map(|part| {
            let list = if part.kind == PartKind::List { "*" } else { "" };
            format!("{} {}{list}", part.line, part.name)
        })
        .collect();
    assert_eq!(found, expected, "{text}");
    let imported = import(text.as_bytes()).expect("a registry");
    let expected = text.trim().replace("\r\n", "\n");
    assert_eq!(prompt(&imported), expected, "{}", imported.text);
    let unsupported = imported.report.has(ConversionStatus::NotSupported);
    assert!(!unsupported, "{:?}", imported.report);
}

#[test]
fn paragraphs_split_where_nothing_else_does() {
    check("One line.", &["1 base_context"]);
    check(
        "Be kind.\n\nBe brief.\n",
        &["1 base_context", "3 paragraph"],
    );
    check(
        "Rules:\n- one\n- two\n  and a half\n\nLimits:\n- none",
        &["1 rules*", "6 limits*"],
    );
    check("Rules:\n\nBe kind.\n\nEnd.", &["1 rules", "5 paragraph"]);
    check("- a\n- b\n\nText", &["1 base_context*", "4 paragraph"]);
    check(
        "You help.\nYou really do.\nAlways:\n- a\n- b",
        &["1 base_context", "3 always*"],
    );
    check(
        "1. one\n2. two\n\n* a\n* b",
        &["1 base_context", "4 paragraph"],
    );
    check("```\na\n\nb\n```\n\nc", &["1 base_context", "7 paragraph"]);
}

#[test]
fn headings_and_tags_split() {
    check(
        "# Title\nIntro.\n\n## Task\n\nDo it.\n\n## Output format\n- JSON\n- no prose\n",
        &["1 title_text", "4 task", "8 output_format*"],
    );
    check(
        "Title\n=====\nText.\n\nOther\n-----\nMore.",
        &["1 title_text", "5 other"],
    );
    check(
        "Intro.\n<rules>\nBe kind.\n\nBe brief.\n</rules>\n<tone level=\"2\">dry</tone>\nEnd.",
        &["1 base_context", "2 rules", "7 tone", "8 paragraph"],
    );
    check("# A\n```\n# no heading\n```\n# B\nb", &["1 a", "5 b"]);
    check("<a>\n<a>\n</a>\n</a>\n\n<b>\nopen", &["1 a", "6 paragraph"]);
}

#[test]
fn a_list_that_ends_a_section_becomes_its_entries() {
    check("# A\nBe kind.\n\n# B\n\n- one\n- two", &["1 a", "4 b*"]);
    check(
        "## Rules\nKeep to them.\n- one\n- two\n\n## Style\nDry.",
        &["1 rules", "3 list*", "6 style"],
    );
    check(
        "## Rules\nAlways:\n- one\n- two\n\n## Style\nDry.",
        &["1 rules", "2 always*", "6 style"],
    );
    check(
        "## Rules\n\nThese:\n- one\n- two\n\n## Style\n\n- dry\n\nEnd.",
        &["1 rules", "4 list*", "7 style"],
    );
    check(
        "Rules\n-----\n- one\n- two\n\nStyle\n-----\nDry.",
        &["1 rules", "3 list*", "6 style"],
    );
    // The entries of a list of a registry begin with "- ".
    check(
        "## Rules\n1. one\n2. two\n\n## Style\n* dry",
        &["1 rules", "5 style"],
    );
    let imported = import(b"# A\nText.\n- one\n- two\n\n# B\nEnd.").expect("a registry");
    let registry: Value = serde_json::from_str(&imported.text).expect("JSON");
    assert_eq!(
        registry["registry"]["a"]["items"][0]["items"],
        serde_json::json!(["one", "two"]),
        "{}",
        imported.text
    );
}

#[test]
fn lists_that_would_merge_stay_apart() {
    check("A:\n- 1\n\n- 2\n- 3", &["1 a*", "4 list"]);
    check("A:\n- 1\n\nA:\n- 2", &["1 a*", "4 a_2"]);
    check("A:\n- 1\n\nB:\n- 2", &["1 a*", "4 b*"]);
}

#[test]
fn other_line_breaks_and_blank_lines_are_printed() {
    check(
        "a\r\n\r\nb\r\n- c\r\n- d\r\ne",
        &["1 base_context", "3 paragraph"],
    );
    check(
        "a\n \nb\n\t\n\nc",
        &["1 base_context", "3 paragraph", "6 paragraph_2"],
    );
}

#[test]
fn names_in_braces_become_variables_that_print_as_written() {
    let text = "Hello {name}.\n\nJSON: {\"a\": {b}} {{c}} {open";
    check(text, &["1 base_context", "3 paragraph"]);
    let imported = import(text.as_bytes()).expect("a registry");
    let message = &imported.report.entries[0].message;
    let expected = "{name} is a template variable of \"base_context\"; it prints as written until it has a value";
    assert_eq!(message, expected);
    let registry: Value = serde_json::from_str(&imported.text).expect("JSON");
    let section = &registry["registry"]["base_context"];
    assert_eq!(section["template_vars"], serde_json::json!(["name"]));
    assert_eq!(section["template_var_defaults"]["name"], "{name}");
    let parsed = parse(imported.text.as_bytes()).expect("a registry");
    let state: State = serde_json::from_str(r#"{"template_vars": {"base_context::name": "Ada"}}"#)
        .expect("a state");
    let engine = Engine::new(parsed.registry);
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::from_bits(0),
    };
    let filled = engine.hydrate_text(&call).expect("a prompt");
    assert!(filled.starts_with("Hello Ada."), "{filled}");
    // Beside other braces they may be variables as well as text.
    let mut undeclared = lint::lint(&engine, &call);
    undeclared.retain(|found| found.code == "variable_undeclared");
    let found = |found: &Diagnostic| {
        (
            found.severity,
            found.data.text(DataKey::Found).map(str::to_owned),
        )
    };
    assert_eq!(
        undeclared.iter().map(found).collect::<Vec<_>>(),
        ["{b}", "{{c}}"].map(|name| (Severity::Warning, Some(name.to_owned())))
    );
}

#[test]
fn bytes_that_are_not_printed_are_reported() {
    let imported = import(b" \n a\n\n\n\nb \n\n").expect("a registry");
    let found: Vec<String> = imported
        .report
        .entries
        .iter()
        .map(|entry| {
            let place = entry.place.expect("a place");
            let status = entry.status;
            format!(
                "{status:?} {}:{} {}",
                place.line, place.column, entry.message
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "NotSupported 1:1 3 bytes of whitespace before the prompt: a prompt is trimmed",
            "NotSupported 4:1 3 blank lines become one",
            "NotSupported 6:2 3 bytes of whitespace after the prompt: a prompt is trimmed",
        ]
    );
    assert_eq!(prompt(&imported), "a\n\nb");
    let imported = import(b"a\n").expect("a registry");
    assert!(!imported.report.has(ConversionStatus::NotSupported));
}

#[test]
fn texts_out_of_bounds_are_refused_with_their_place() {
    let message = |bytes: &[u8]| import(bytes).expect_err("refused").to_string();
    assert_eq!(
        message(b"a\nb\xff"),
        "line 2, column 2: this is not UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        message(b"a\n\0\x01"),
        "line 2, column 1: this is not a text: it has a NUL character; choose another file"
    );
    assert_eq!(
        message(b" \n"),
        "the text is empty: there is nothing to import"
    );
    let large = vec![b'a'; MAX_TEXT + 1];
    assert!(message(&large).contains("the limit is 16 MiB"), "too large");
}

#[test]
fn large_texts_have_a_bounded_number_of_parts() {
    for piece in [
        "a\n\n",
        "- a\n",
        "<a>\n",
        "# a\n",
        "</a>\n",
        "a:\n- b\n\n",
        "```\n",
        "\n",
    ] {
        let size = if piece == "a\n\n" { 10 << 20 } else { 1 << 20 };
        let mut text = piece.repeat(size / piece.len());
        text.push('x');
        let split = propose(&text).expect("a split").split;
        assert!(split.parts.len() <= super::MAX_PARTS, "{piece:?}");
        let imported = import(text.as_bytes()).expect("a registry");
        assert_eq!(prompt(&imported), fidelity::printable(&text), "{piece:?}");
    }
}

#[test]
fn a_report_says_that_a_split_is_full() {
    let paragraphs = |count: usize| vec!["Be kind."; count].join("\n\n");
    let full = |text: &str| {
        let entries = import(text.as_bytes()).expect("a registry").report.entries;
        let capped = entries.into_iter().filter(|it| it.message.contains("500"));
        capped
            .map(|it| (it.message, it.place.map(|at| at.line)))
            .collect::<Vec<_>>()
    };
    assert_eq!(full(&paragraphs(MAX_PARTS)), []);
    assert_eq!(
        full(&paragraphs(700)),
        [(
            "the text could be split into 700 parts; a split has at most 500, so the last part holds \
             the rest"
                .to_owned(),
            Some(999)
        )]
    );
}

#[test]
fn kinds_of_places_that_change_nothing_are_named_with_the_reason() {
    use NoEffect::{Absent, Redundant, Structured};
    use SplitPoint::{BlankLines, Headings, Lists, Tags};
    #[track_caller]
    fn check(text: &str, points: SplitPoints, expected: &[(SplitPoint, NoEffect)]) {
        assert_eq!(without_effect(text, points).expect("a text"), expected);
        let proposed = propose_at(text, points).expect("a split").split;
        for point in SplitPoint::ALL {
            let other = propose_at(text, points.toggled(point))
                .expect("a split")
                .split;
            let ineffective = expected
                .iter()
                .any(|(ineffective, _)| *ineffective == point);
            assert_eq!(proposed == other, ineffective, "{point:?} in {text:?}");
        }
    }
    let all = SplitPoints::default();
    let headed = "You help.\n\n## Rules\nBe kind.\n\nBe brief.\n\n## Style\nDry.";
    check(
        headed,
        all,
        &[(Tags, Absent), (BlankLines, Structured), (Lists, Absent)],
    );
    // A list that other text follows stays a part of it.
    check(
        "## Rules\nThese.\nKeep:\n- one\n- two\nSo be it.\n\n## Style\nDry.",
        all,
        &[
            (Tags, Absent),
            (BlankLines, Structured),
            (Lists, Structured),
        ],
    );
    // Without headings the blank lines split again.
    let points = all.toggled(Headings);
    check(headed, points, &[(Tags, Absent), (Lists, Absent)]);
    let points = SplitPoints {
        lists: false,
        ..points
    };
    check(headed, points, &[(Tags, Absent), (Lists, Absent)]);
    // A part that is a list becomes a text.
    let listed = "## Rules\n- one\n- two\n\n## Style\nDry.";
    let ineffective = [
        (Headings, Redundant),
        (Tags, Absent),
        (BlankLines, Structured),
    ];
    check(listed, all, &ineffective);
    check(listed, all.toggled(Lists), &ineffective);
    check(
        "a\n\nb",
        all,
        &[(Headings, Absent), (Tags, Absent), (Lists, Absent)],
    );
    check(
        "You help.\n\n<tone>\nDry.\n\nKind.\n</tone>",
        all,
        &[
            (Headings, Absent),
            (BlankLines, Structured),
            (Lists, Absent),
        ],
    );
}

fn split(parts: &[(&str, u32)]) -> Split {
    let part = |&(name, line): &(&str, u32)| SplitPart {
        name: name.to_owned(),
        line,
        kind: PartKind::List,
    };
    Split {
        parts: parts.iter().map(part).collect(),
    }
}

#[test]
fn a_split_of_the_author_is_followed() {
    let text = "a\nb\n\nc\n- d\n- e\n";
    let requested_split = split(&[("one", 1), ("two", 2), ("three", 4), ("list", 5)]);
    let imported = import_split(text.as_bytes(), &requested_split).expect("a registry");
    assert_eq!(prompt(&imported), text.trim_end());
    let registry: Value = serde_json::from_str(&imported.text).expect("JSON");
    let order = serde_json::json!(["one.text", "one.two", "three.text", "three.items"]);
    assert_eq!(registry["registry"]["assembly_order"], order);
    let item = serde_json::json!({"id": "three", "text": "c", "items": ["d", "e"]});
    assert_eq!(registry["registry"]["three"]["items"][0], item);
}

#[test]
fn splits_that_do_not_fit_are_refused() {
    let text = "\na\n\nb\n";
    let code = |parts: &[(&str, u32)]| outline(text, &split(parts)).expect_err("refused").code();
    assert_eq!(code(&[]), "split_no_parts");
    assert_eq!(code(&[("a", 3)]), "split_uncovered");
    assert_eq!(code(&[("a", 1), ("b", 1)]), "split_wrong_line");
    assert_eq!(code(&[("a", 1), ("b", 9)]), "split_wrong_line");
    assert_eq!(code(&[("a", 1), ("b", 2)]), "split_empty_part");
    assert_eq!(code(&[("a", 1), ("b", 5)]), "split_empty_part");
    assert_eq!(code(&[("a b", 1)]), "split_name");
    assert_eq!(code(&[("items", 1)]), "split_name_taken");
    assert_eq!(code(&[("a", 1), ("a", 4)]), "split_name_twice");
    let fault = import_split(text.as_bytes(), &split(&[("a", 1), ("b", 5)])).expect_err("refused");
    assert_eq!((fault.line(), fault.column()), (Some(5), Some(1)));
}

#[test]
fn parts_are_moved_merged_divided_and_renamed() {
    let mut edited_split = split(&[("a", 1), ("b", 4)]);
    edited_split.move_start(1, 3);
    edited_split.divide(2, "c");
    edited_split.rename(0, "first");
    assert_eq!(
        edited_split
            .parts
            .iter()
            .map(|part| (&*part.name, part.line))
            .collect::<Vec<_>>(),
        [("first", 1), ("c", 2), ("b", 3)]
    );
    edited_split.merge(1);
    assert_eq!(edited_split.parts.len(), 2);
    assert_eq!(edited_split.parts[0].kind, PartKind::Text);
}

/// Pieces of prompts, in any order.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "Rules:",
        "- ",
        "- x\n",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "\t",
        "# H\n",
        "## H\n",
        "<t>",
        "</t>",
        "<t>\n",
        "\n</t>\n",
        "```\n",
        "{v}",
        "{{v}}",
        "{",
        "}",
        "**B:**",
        "===\n",
        "1. ",
        "\u{1c}",
        "\u{a0}",
        "\u{85}",
        "é",
        "\0",
        "items",
        "Persona\n---\n",
        "# H\n\n",
        "- y\n- z\n",
    ]);
    prop::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

fn points() -> impl Strategy<Value = SplitPoints> {
    any::<[bool; 4]>().prop_map(|[headings, tags, blank_lines, lists]| SplitPoints {
        headings,
        tags,
        blank_lines,
        lists,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_kind_of_place_changes_nothing_exactly_if_it_is_named(text in text(), points in points()) {
        if let Ok(proposed) = propose_at(&text, points) {
            let ineffective = without_effect(&text, points).expect("a text");
            for point in SplitPoint::ALL {
                let other = propose_at(&text, points.toggled(point)).expect("a split");
                let named = ineffective.iter().any(|(ineffective, _)| *ineffective == point);
                prop_assert_eq!(proposed == other, named, "{:?}", point);
            }
        }
    }

    #[test]
    fn every_text_is_printed_but_for_what_the_report_says(text in text()) {
        if let Ok(imported) = import(text.as_bytes()) {
            let text = text_input::with_newlines(&text);
            let expected = fidelity::printable(&text);
            prop_assert_eq!(prompt(&imported), &*expected);
            let whole = *expected == *text || *format!("{expected}\n") == *text;
            prop_assert_eq!(!imported.report.has(ConversionStatus::NotSupported), whole);
        } else {
            prop_assert!(text.contains('\0') || fidelity::printable(&text).is_empty());
        }
    }

    #[test]
    fn every_split_that_fits_prints_the_text(text in text(), lines in prop::collection::btree_set(1_u32..20, 1..6), list in any::<bool>()) {
        let parts = lines.iter().map(|line| SplitPart {
            name: format!("p{line}"),
            line: *line,
            kind: if list { PartKind::List } else { PartKind::Text },
        });
        let requested = Split { parts: parts.collect() };
        if let Ok(parts) = outline(&text, &requested) {
            // Laid out as the split says, and not as a whole.
            let deck = super::assemble::deck(&text, &parts, &Variables::new());
            prop_assert_eq!(deck.prompt().expect("a prompt"), fidelity::printable(&text));
        }
    }

    #[test]
    fn every_proposal_is_printed_as_it_is_split(text in text()) {
        if let Ok(proposed) = propose(&text) {
            let parts = outline(&text, &proposed.split).expect("an outline");
            let deck = super::assemble::deck(&text, &parts, &Variables::new());
            prop_assert_eq!(deck.prompt().expect("a prompt"), fidelity::printable(&text));
        }
    }
}

#[test]
fn large_texts_of_anything_cost_no_square() {
    const SIZE: usize = 2 << 20;
    let names: String = (0..100_000)
        .map(|number| format!("{{n{number}}}\n"))
        .collect();
    for text in [
        "{".repeat(SIZE),
        "<a>\n".repeat(SIZE / 4),
        "- entry\n".repeat(SIZE / 8),
        "# Heading\n\n".repeat(SIZE / 11),
        "word ".repeat(SIZE / 5),
        "\n\n\n.".repeat(SIZE / 4),
        names,
    ] {
        let imported = import(text.as_bytes()).expect("a registry");
        assert_eq!(prompt(&imported), fidelity::printable(&text));
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_prompt() {
    let import = super::import("\u{feff}Greet the guest.\n".as_bytes()).expect("imported");
    assert!(import.text.contains("Greet the guest."));
    assert!(!import.text.contains('\u{feff}'));
}
