//! Edits over several texts: each loses what is selected of it.

use serde_json::json;

use crate::session::{Session, at, passage_replaced, session};

/// Two sections, two lists and a heading.
fn deck() -> Session {
    let registry = json!({
        "assembly_order": ["top", "rules.items", "mid", "tail.items"],
        "top": {"template_vars": ["name"], "items": [{"id": "t", "text": "Hello {name} there."}]},
        "rules": {"items": [{"id": "r", "pre_context": "Rules:",
            "items": ["Be brief.", "Never explain.", "Stay calm.", "End well."]}]},
        "mid": {"items": [{"id": "m", "text": "In the middle."}]},
        "tail": {"items": [{"id": "l", "items": ["One last.", "Two last."]}]},
    });
    Session::new(
        registry,
        json!({"template_vars": {"top::name": "Ada Lovelace"}}),
    )
}

fn rules(session: &Session) -> Vec<String> {
    serde_json::from_value(at(session, "/registry/rules/items/0/items").clone()).expect("texts")
}

#[test]
fn a_range_within_one_list_joins_what_is_left_of_its_ends() {
    for (words, text, left) in [
        // Parts of two entries.
        (
            " brief.\n- Never",
            "",
            vec!["Be explain.", "Stay calm.", "End well."],
        ),
        (
            "brief.\n- Never",
            "quick and",
            vec!["Be quick and explain.", "Stay calm.", "End well."],
        ),
        // With one between.
        (
            "ief.\n- Never explain.\n- Stay c",
            "",
            vec!["Be bralm.", "End well."],
        ),
        // Whole entries, with or without their bullets and line breaks.
        (
            "Never explain.\n- Stay calm.",
            "",
            vec!["Be brief.", "End well."],
        ),
        (
            "- Never explain.\n- Stay calm.\n",
            "",
            vec!["Be brief.", "End well."],
        ),
        (
            "\n- Never explain.\n- Stay calm.",
            "",
            vec!["Be brief.", "End well."],
        ),
        (
            "- Never explain.",
            "",
            vec!["Be brief.", "Stay calm.", "End well."],
        ),
        (
            "\n- End well.",
            "",
            vec!["Be brief.", "Never explain.", "Stay calm."],
        ),
        (
            "Never explain.\n- Stay calm.",
            "Go.",
            vec!["Be brief.", "Go.", "End well."],
        ),
        // The line break and the bullet alone.
        (
            ".\n- ",
            ", ",
            vec!["Be brief, Never explain.", "Stay calm.", "End well."],
        ),
        // The head or the tail of the range is a whole entry.
        (
            "- Never explain.\n- Stay ",
            "",
            vec!["Be brief.", "calm.", "End well."],
        ),
        (
            " explain.\n- Stay calm.",
            "",
            vec!["Be brief.", "Never", "End well."],
        ),
        (
            "- Never ",
            "",
            vec!["Be brief.", "explain.", "Stay calm.", "End well."],
        ),
    ] {
        let before = deck();
        let after =
            passage_replaced(&before, words, text).unwrap_or_else(|why| panic!("{words:?}: {why}"));
        assert_eq!(rules(&after), left, "{words:?}");
        let list: Vec<String> = left.iter().map(|entry| format!("- {entry}")).collect();
        let printed = after.hydration(7).text;
        assert!(
            printed.contains(&format!("Rules:\n{}\n\nIn the", list.join("\n"))),
            "{words:?}: {printed}"
        );
    }
}

#[test]
fn a_range_over_several_fields_takes_its_part_from_each() {
    for (words, text, printed) in [
        (
            " there.\n\nRules:\n- Be brief.\n- Never",
            "",
            "Hello Ada Lovelace\n\n- explain.\n- Stay calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two last.",
        ),
        (
            "there.\n\nRules:\n- Be brief.\n- Never",
            "friend. No",
            "Hello Ada Lovelace friend. No\n\n- explain.\n- Stay calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two last.",
        ),
        (
            " Ada Lovelace there.\n\nRu",
            ".",
            "Hello.\n\nles:\n- Be brief.\n- Never explain.\n- Stay calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two last.",
        ),
        (
            "calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two",
            "",
            "Hello Ada Lovelace there.\n\nRules:\n- Be brief.\n- Never explain.\n- Stay\n- last.",
        ),
        (
            "\n- End well.\n\nIn the middle.",
            "",
            "Hello Ada Lovelace there.\n\nRules:\n- Be brief.\n- Never explain.\n- Stay calm.\n- One last.\n- Two last.",
        ),
        (
            "In the middle.\n\n- One last.\n- Two last.",
            "Bye.",
            "Hello Ada Lovelace there.\n\nRules:\n- Be brief.\n- Never explain.\n- Stay calm.\n- End well.\n\nBye.",
        ),
        (
            "Rules:\n- Be brief.\n- Never explain.\n- Stay calm.\n- End well.\n\n",
            "",
            "Hello Ada Lovelace there.\n\nIn the middle.\n\n- One last.\n- Two last.",
        ),
        (
            "Hello Ada Lovelace there.\n\nRules:\n- Be brief.\n- Never explain.\n- Stay calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two last.",
            "New.",
            "New.",
        ),
        (
            "Hello Ada Lovelace there.\n\nRules:\n- Be brief.\n- Never explain.\n- Stay calm.\n- End well.\n\nIn the middle.\n\n- One last.\n- Two last.",
            "",
            "",
        ),
    ] {
        let before = deck();
        let after =
            passage_replaced(&before, words, text).unwrap_or_else(|why| panic!("{words:?}: {why}"));
        assert_eq!(after.hydration(7).text, printed, "{words:?}");
    }
}

#[test]
fn the_last_entries_under_a_heading_leave_one_without_text() {
    let entries = "Be brief.\n- Never explain.\n- Stay calm.\n- End well.";
    let after = passage_replaced(&deck(), entries, "").expect("edited");
    assert_eq!(rules(&after), [""]);
    let printed = after.hydration(7).text;
    assert!(printed.contains("Rules:\n- \n\nIn the"), "{printed}");
    let words = format!("- {entries}\n\nIn the");
    let after = passage_replaced(&deck(), &words, "").expect("edited");
    assert_eq!(rules(&after), [""]);
    assert_eq!(at(&after, "/registry/mid/items/0/text"), "middle.");
}

#[test]
fn a_variable_leaves_whole_and_pieces_that_are_fixed_refuse() {
    let words = "The Lantern is full.\n\nYou are";
    let whole = passage_replaced(&session(), words, "It is").expect("edited");
    let fragment = "/registry/scene/items/0/fragments/0/text";
    assert_eq!(at(&whole, fragment), "It is");
    assert_eq!(at(&whole, "/registry/who/items/0/context"), "dry.");
    assert_eq!(at(&whole, "/state"), at(&session(), "/state"));
    for (words, code, message) in [
        (
            "Lantern is full.\n\nYou",
            "prompt_part_of_value",
            "the value of venue",
        ),
        (
            "End.\n\nOn a scale of 1-10, intensity is 8 on",
            "prompt_slider",
            "slider of mood",
        ),
        (
            "calm.\n- Nod.",
            "prompt_mode",
            "mode random:2 picks entries of nudges",
        ),
        ("\n\nGo on.\n", "prompt_glue", ""),
    ] {
        let words = words.trim_end_matches("Go on.\n");
        let why = passage_replaced(&session(), words, "").expect_err("refused");
        assert_eq!(why.code(), code, "{words:?}");
        assert!(why.to_string().contains(message), "{why}");
    }
}

#[test]
fn printed_json_and_ids_refuse() {
    let registry = json!({
        "assembly_order": ["a", "b.data", "c.id", "d"],
        "a": {"items": [{"id": "x", "text": "One."}]},
        "b": {"items": [{"id": "x", "data": {"k": 1}}]},
        "c": {"items": [{"id": "named", "text": ""}]},
        "d": {"items": [{"id": "x", "text": "Two."}]},
    });
    let before = Session::new(registry, json!({}));
    let printed = before.hydration(7).text;
    let (json, _) = printed.split_once("named").expect("the id");
    let why = passage_replaced(&before, json, "").expect_err("refused");
    assert_eq!(why.code(), "prompt_not_text");
    assert_eq!(why.to_string(), "data of b is JSON; edit it on its card");
    let why = passage_replaced(&before, "named\n\nTwo", "").expect_err("refused");
    assert_eq!(why.code(), "prompt_identity");
    // A range that only touches them belongs to the others.
    let json = json.trim_start_matches("One.");
    let after = passage_replaced(&before, &format!("One.{}", &json[..2]), "1").expect("edited");
    assert_eq!(at(&after, "/registry/a/items/0/text"), "1");
}

#[test]
fn a_text_that_is_printed_again_is_cut_there_as_well() {
    let registry = json!({
        "assembly_order": ["a", "b", "a", "c"],
        "a": {"items": [{"id": "x", "text": "Go on."}]},
        "b": {"items": [{"id": "x", "text": "Then stop."}]},
        "c": {"items": [{"id": "x", "text": "End."}]},
    });
    let before = Session::new(registry, json!({}));
    let after = passage_replaced(&before, " on.\n\nThen", "").expect("edited");
    assert_eq!(after.hydration(7).text, "Go\n\nstop.\n\nGo\n\nEnd.");
    let whole = "Go on.\n\nThen stop.\n\nGo on.";
    let after = passage_replaced(&before, whole, "").expect("edited");
    assert_eq!(after.hydration(7).text, "End.");
    for (words, text) in [(whole, "No."), (" on.\n\nThen stop.\n\nGo", "")] {
        let why = passage_replaced(&before, words, text).expect_err("refused");
        assert_eq!(why.code(), "prompt_other_text", "{words:?}");
    }
}

#[test]
fn entries_of_a_list_that_is_printed_twice_go_in_the_order_of_the_list() {
    let registry = json!({
        "assembly_order": ["a.items", "b", "a.items", "c"],
        "a": {"items": [{"id": "x", "items": ["One.", "Two.", "Three."]}]},
        "b": {"items": [{"id": "x", "text": "Then stop."}]},
        "c": {"items": [{"id": "x", "text": "End."}]},
    });
    let before = Session::new(registry, json!({}));
    // The last entry of the first print, then all of the second.
    let words = "Three.\n\nThen stop.\n\n- One.\n- Two.\n- Three.";
    let after = passage_replaced(&before, words, "").expect("edited");
    assert_eq!(after.hydration(7).text, "End.");
    assert_eq!(at(&after, "/registry/a/items/0/items"), &json!([]));
}

#[test]
fn space_typed_over_a_heading_and_its_only_entry_is_refused_where_it_does_not_print() {
    for (value, text, result) in [
        ("{v}", " ", "prompt_whitespace"),
        ("Ada", " x", "prompt_whitespace"),
        ("Ada", "x\n\n\n", "prompt_whitespace"),
        ("Ada", "x ", "x \n-"),
        ("Ada", "x", "x\n-"),
    ] {
        let registry = json!({"assembly_order": ["b"], "b": {"template_vars": ["v", "w"],
            "items": [{"id": "x", "pre_context": "{w}", "items": ["{w}"]}]}});
        let session = Session::new(registry, json!({"template_vars": {"b::w": value}}));
        let found = match passage_replaced(&session, &format!("{value}\n- {value}"), text) {
            Ok(after) => after.hydration(7).text,
            Err(why) => why.code().to_owned(),
        };
        assert_eq!(found, result, "{value:?} {text:?}");
    }
}
