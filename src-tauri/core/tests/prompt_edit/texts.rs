//! Texts and values that are edited where they are printed.

use promptdeck_core::prompt_edit::PromptEdit;
use serde_json::json;

use crate::session::{Session, at, passage_replaced, place, replaced, session};

#[test]
fn a_text_an_entry_a_heading_and_a_sentence_are_edited_where_they_are_written() {
    for (words, text, pointer) in [
        ("dry", "dryer", "/registry/who/items/0/context"),
        ("Never", "Do not", "/registry/who/items/0/rules/1"),
        ("Live at", "Back at", "/registry/scene/items/0/text"),
        (
            "is full",
            "is packed",
            "/registry/scene/items/0/fragments/0/text",
        ),
        ("Go on.", "Go on now.", "/registry/end/items/0/text"),
        ("intensity is", "it is", "/registry/mood/scale_template"),
        ("calm", "calmness", "/registry/mood/items/0/scale_emotion"),
    ] {
        let before = session();
        let after = replaced(&before, words, text).unwrap_or_else(|why| panic!("{words}: {why}"));
        let value = at(&after, pointer).as_str().unwrap_or_default();
        assert!(value.contains(text), "{pointer}: {value}");
        let old = before.hydration(7).text;
        assert_eq!(after.hydration(7).text, old.replacen(words, text, 1));
    }
}

#[test]
fn the_value_of_a_variable_changes_wherever_it_prints() {
    let after = replaced(&session(), "Lantern", "Anchor").expect("edited");
    let text = after.hydration(7).text;
    assert!(
        text.starts_with("Live at The Anchor. Round 1. The Anchor is full."),
        "{text}"
    );
    assert_eq!(
        at(&after, "/state/template_vars/scene::venue"),
        "The Anchor"
    );
    // A default is overridden and not changed.
    let after = replaced(&session(), "1", "2").expect("edited");
    assert_eq!(at(&after, "/state/template_vars/scene::round"), "2");
    assert_eq!(
        at(&after, "/registry/scene/template_var_defaults/round"),
        "1"
    );
}

#[test]
fn what_the_prompt_would_print_otherwise_is_refused() {
    for (words, text, code) in [
        ("8", "9", "prompt_slider"),
        ("- ", "* ", "prompt_bullet"),
        ("\n\n", "\n", "prompt_glue"),
        ("dry.", "dry. {", ""),
        ("The Lantern", "", "prompt_empty"),
        ("1", "", "prompt_default_value"),
        ("Go on.", "Go on. ", "prompt_whitespace"),
        ("dry.", "dry.\n\n\nAnd", "prompt_whitespace"),
    ] {
        let result = replaced(&session(), words, text);
        let found = result.err().map_or("", |reason| reason.code());
        assert_eq!(found, code, "{words:?} to {text:?}");
    }
}

#[test]
fn a_name_in_braces_becomes_the_variable() {
    let before = session();
    for (words, text, printed) in [
        ("Live", "{round} Live", "1 Live"),
        ("Live", "Live {round", "Live {round"),
    ] {
        let after = replaced(&before, words, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let old = before.hydration(7).text;
        assert_eq!(after.hydration(7).text, old.replacen(words, printed, 1));
    }
    // The last letter of the name or its brace may be typed.
    let registry = json!({
        "assembly_order": ["a"],
        "a": {
            "template_vars": ["v", "w"],
            "items": [{"id": "x", "text": "By {v here, {v here."}],
        },
    });
    let before = Session::new(registry, json!({"template_vars": {"a::v": "Ada"}}));
    let typed = PromptEdit::Replace {
        segment: 0,
        range: 5..5,
        text: "}",
    };
    let (after, caret) = before.edited(7, &typed).expect("typed");
    let prompt = "By Ada here, {v here.";
    assert_eq!((after.hydration(7).text.as_str(), caret), (prompt, 6));
    assert_eq!(
        at(&after, "/registry/a/items/0/text"),
        "By {v} here, {v here."
    );
    // One without a value leaves a gap.
    let typed = PromptEdit::Replace {
        segment: 0,
        range: 3..5,
        text: "{w},",
    };
    let (after, caret) = before.edited(7, &typed).expect("typed");
    assert_eq!(
        (after.hydration(7).text.as_str(), caret),
        ("By , here, {v here.", 4)
    );
}

#[test]
fn a_variable_without_a_value_is_filled() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "At {v}, in {v}."}]},
    });
    let before = Session::new(registry, json!({"template_vars": {}}));
    let fill = PromptEdit::Fill { gap: 0, text: "it" };
    let (after, caret) = before.edited(7, &fill).expect("filled");
    assert_eq!(
        (after.hydration(7).text.as_str(), caret),
        ("At it, in it.", 5)
    );
}

#[test]
fn a_value_at_the_end_of_a_text_prints_the_space_before_it() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "{v} at {v}"}]},
    });
    let before = Session::new(registry, json!({"template_vars": {}}));
    let fill = PromptEdit::Fill { gap: 1, text: "it" };
    let (after, caret) = before.edited(7, &fill).expect("filled");
    assert_eq!((after.hydration(7).text.as_str(), caret), ("it at it", 8));
}

#[test]
fn the_last_letter_beside_a_variable_without_a_value_is_deleted() {
    for (text, words, printed, authored) in [
        ("At {v}x", "x", "At", "At {v}"),
        ("x{v} now", "x", "now", "{v} now"),
        ("A{v} x{w}", " x", "A", "A{v}{w}"),
    ] {
        let registry = json!({
            "assembly_order": ["a"],
            "a": {"template_vars": ["v", "w"], "items": [{"id": "x", "text": text}]},
        });
        let before = Session::new(registry, json!({"template_vars": {}}));
        let after = replaced(&before, words, "").expect("deleted");
        assert_eq!(after.hydration(7).text, printed, "{text}");
        assert_eq!(at(&after, "/registry/a/items/0/text"), authored);
    }
}

#[test]
fn an_emptied_text_takes_along_what_joined_it_to_others() {
    let before = session();
    for (words, joined, printed) in [
        ("Go on.", "\n\nGo on.", ""),
        ("You are dry.", "You are dry.\n", ""),
        ("Be brief.", "Be brief.", ""),
        ("Wait.", "Wait.", ""),
    ] {
        let after = replaced(&before, words, "").unwrap_or_else(|why| panic!("{words}: {why}"));
        let old = before.hydration(7).text;
        assert_eq!(after.hydration(7).text, old.replacen(joined, printed, 1));
    }
    let one = json!({
        "assembly_order": ["a.items"],
        "a": {"items": [{"id": "x", "items": ["Only."]}]},
    });
    let before = Session::new(one, json!({}));
    let after = replaced(&before, "Only.", "").expect("emptied");
    assert_eq!(after.hydration(7).text, "");
    assert_eq!(at(&after, "/registry/a/items/0/items"), &json!([""]));
}

/// A prompt has no third newline in a row: the one that ends a text shortens what joins it to the next.
#[test]
fn a_text_that_ends_with_a_newline_is_edited_at_its_end() {
    let registry = json!({
        "assembly_order": ["rules", "tone"],
        "rules": {"items": [{"id": "all", "text": "No spoilers.\nAt most 90 words.\n"}]},
        "tone": {"items": [{"id": "dry", "text": "Write dry and exact."}]},
    });
    let session = Session::new(registry, json!({}));
    let printed = |session: &Session| session.hydration(7).text;
    assert_eq!(
        printed(&session),
        "No spoilers.\nAt most 90 words.\n\nWrite dry and exact."
    );
    let (segment, range) = place(&session.hydration(7), "words.\n");
    let at_end = |text| PromptEdit::Replace {
        segment,
        range: range.end..range.end,
        text,
    };
    let (typed, caret) = session.edited(7, &at_end("No emoji.")).expect("an edit");
    assert_eq!(
        printed(&typed),
        "No spoilers.\nAt most 90 words.\nNo emoji.\n\nWrite dry and exact."
    );
    assert!(printed(&typed)[..caret].ends_with("No emoji."));
    for (words, text, expected) in [
        // The newline goes with the words before it, or alone.
        (
            " 90 words.\n",
            " ten words.",
            "No spoilers.\nAt most ten words.\n\nWrite dry and exact.",
        ),
        (
            "words.\n",
            "words.",
            "No spoilers.\nAt most 90 words.\n\nWrite dry and exact.",
        ),
    ] {
        let after = replaced(&session, words, text).expect("an edit");
        assert_eq!(printed(&after), expected);
    }
    // Over both texts.
    let after =
        passage_replaced(&session, "most 90 words.\n\nWrite dry and ", "").expect("an edit");
    assert_eq!(printed(&after), "No spoilers.\nAt\n\nexact.");
    let after = passage_replaced(&session, "90 words.\n\nWrite dry", "ten").expect("an edit");
    assert_eq!(printed(&after), "No spoilers.\nAt most ten\n\nand exact.");
}
