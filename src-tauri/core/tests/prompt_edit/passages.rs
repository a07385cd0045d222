//! Passages: edits over several segments of one authored text.

use promptdeck_core::prompt_edit::{Position, PromptEdit};
use serde_json::json;

use crate::session::{Session, at, passage_replaced, session};

const SCENE: &str = "/registry/scene/items/0/text";

#[test]
fn a_passage_takes_the_variables_inside_it_along() {
    for (words, text, written) in [
        (
            "at The Lantern. Round",
            "now. Round",
            "Live now. Round {round}.",
        ),
        ("The Lantern. ", "", "Live at Round {round}."),
        (" at The Lantern", "", "Live. Round {round}."),
        ("The Lantern. Round 1.", "home.", "Live at home."),
        ("Live at The Lantern. Round 1", "Off", "Off."),
    ] {
        let before = session();
        let after =
            passage_replaced(&before, words, text).unwrap_or_else(|why| panic!("{words}: {why}"));
        assert_eq!(at(&after, SCENE), written);
        let old = before.hydration(7).text;
        assert_eq!(after.hydration(7).text, old.replacen(words, text, 1));
        assert_eq!(at(&after, "/state"), at(&before, "/state"), "values stay");
    }
}

#[test]
fn a_passage_that_is_no_single_text_is_refused() {
    for (words, text, code) in [
        ("at The Lan", "in ", "prompt_part_of_value"),
        ("tern. Round", "", "prompt_part_of_value"),
        ("intensity is 8", "", "prompt_slider"),
        ("\n\n", "", "prompt_glue"),
        ("The Lantern is full.", "It is full. ", "prompt_whitespace"),
    ] {
        let result = passage_replaced(&session(), words, text);
        let found = result.err().map_or("", |reason| reason.code());
        assert_eq!(found, code, "{words:?} to {text:?}");
    }
}

#[test]
fn positions_that_are_not_of_the_prompt_are_refused() {
    let position = |segment, offset| Position { segment, offset };
    for (from, to) in [
        (position(1, 0), position(0, 1)),
        (position(0, 99), position(1, 1)),
        (position(0, 0), position(1, 99)),
        (position(0, 0), position(99, 0)),
    ] {
        let text = "";
        let edit = PromptEdit::ReplacePassage { from, to, text };
        let reason = session().edited(7, &edit).expect_err("refused");
        assert_eq!(reason.code(), "prompt_stale");
    }
}

#[test]
fn a_text_that_is_printed_twice_changes_at_both_places() {
    let registry = json!({
        "assembly_order": ["a", "b", "a"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "Go to {v} and {v} now."}]},
        "b": {"items": [{"id": "y", "text": "Then:"}]},
    });
    let before = Session::new(registry, json!({"template_vars": {"a::v": "it"}}));
    let after = passage_replaced(&before, "to it and", "and").expect("edited");
    let once = "Go and it now.";
    assert_eq!(
        after.hydration(7).text,
        format!("{once}\n\nThen:\n\n{once}")
    );
    assert_eq!(at(&after, "/registry/a/items/0/text"), "Go and {v} now.");
}

#[test]
fn a_passage_takes_a_variable_without_a_value_along() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"template_vars": ["v", "w"], "items": [{"id": "x", "text": "Take calls. Note {v} and {w} softly. Bye."}]},
    });
    let before = Session::new(registry, json!({}));
    assert_eq!(
        before.hydration(7).text,
        "Take calls. Note  and  softly. Bye."
    );
    for (words, text, written) in [
        ("calls. Note  an", "X", "Take Xd {w} softly. Bye."),
        ("Note  and  softly", "Speak", "Take calls. Speak. Bye."),
        ("lls. Note  and  sof", "", "Take catly. Bye."),
    ] {
        let after =
            passage_replaced(&before, words, text).unwrap_or_else(|why| panic!("{words}: {why}"));
        assert_eq!(at(&after, "/registry/a/items/0/text"), written);
    }
}
