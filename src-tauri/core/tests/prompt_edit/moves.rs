//! Words that are moved within one authored text.

use promptdeck_core::prompt_edit::{PromptEdit, Refusal};
use serde_json::{Value, json};

use crate::session::{Session, at, beside, session};

/// Moves words of the prompt before others.
fn moved(session: &Session, words: &str, before: &str) -> Result<Session, Refusal> {
    let hydration = session.hydration(7);
    let find = |words: &str| {
        let found = hydration.text.find(words);
        found.unwrap_or_else(|| panic!("{words:?} is not printed"))
    };
    let start = find(words);
    // The sentence of the scene ends where it is asked for no words.
    let target = match before {
        "" => beside(&hydration, find("Round 1.") + "Round 1".len(), true),
        before => beside(&hydration, find(before), false),
    };
    let edit = PromptEdit::Move {
        from: beside(&hydration, start, false),
        to: beside(&hydration, start + words.len() - 1, true),
        target,
    };
    let (after, caret) = session.edited(7, &edit)?;
    let printed = after.hydration(7).text;
    assert!(
        printed[..caret].trim_end().ends_with(words.trim()),
        "{words:?} to {before:?}"
    );
    Ok(after)
}

const SCENE: &str = "/registry/scene/items/0/text";

#[test]
fn variables_move_with_the_words_around_them() {
    for (words, before, written) in [
        ("Live at ", "1", "{venue}. Round Live at {round}."),
        ("at The Lantern", "Live", "at {venue}Live . Round {round}."),
        ("Round 1", "at The", "Live Round {round}at {venue}. ."),
        ("Live", "1", " at {venue}. Round Live{round}."),
        ("The Lantern", "1", "Live at . Round {venue}{round}."),
    ] {
        let before_move = session();
        let after =
            moved(&before_move, words, before).unwrap_or_else(|why| panic!("{words}: {why}"));
        assert_eq!(at(&after, SCENE), written.trim_start());
        assert_eq!(at(&after, "/state"), at(&before_move, "/state"));
    }
}

#[test]
fn whitespace_that_comes_to_an_end_of_the_text_is_left_out() {
    let after = moved(&session(), "Live at ", "").expect("moved");
    assert_eq!(at(&after, SCENE), "{venue}. Round {round}.Live at");
    let after = moved(&session(), " Round", "Live").expect("moved");
    assert_eq!(at(&after, SCENE), "RoundLive at {venue}. {round}.");
}

/// The sentence of the slider, which prints 8, after a move.
fn sentence_moved(sentence: &str, words: &str, before: &str) -> Result<Value, Refusal> {
    let mut session = session();
    session.0["registry"]["mood"]["scale_template"] = sentence.into();
    let after = moved(&session, words, before)?;
    Ok(at(&after, "/registry/mood/scale_template").clone())
}

#[test]
fn words_move_past_the_number_of_a_slider_but_no_digit_moves_beside_it() {
    assert_eq!(
        sentence_moved("On 1-10, it is {value}, {emotion}.", "On ", "8,"),
        Ok(json!("1-10, it is On {value}, {emotion}."))
    );
    assert_eq!(
        sentence_moved("On 1-10, it is {value}, {emotion}.", "it is 8", "On"),
        Ok(json!("it is {value}On 1-10, , {emotion}."))
    );
    let refused = sentence_moved("On 1-10, it is {value}, {emotion}.", "10", "8,");
    assert_eq!(refused.expect_err("refused").code(), "prompt_slider");
}

#[test]
fn a_move_that_is_no_part_of_one_text_is_refused() {
    for (words, before, code) in [
        ("The Lan", "Live", "prompt_part_of_value"),
        ("Live", "Lantern", "prompt_part_of_value"),
        ("Live", "You are dry", "prompt_other_text"),
        ("brief", "explain", "prompt_other_text"),
    ] {
        let reason = moved(&session(), words, before).expect_err("refused");
        assert_eq!(reason.code(), code, "{words:?} to {before:?}");
    }
}

#[test]
fn a_text_that_is_printed_twice_changes_at_both_places() {
    let registry = json!({
        "assembly_order": ["a", "b", "a"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "Go to {v} and {v} now."}]},
        "b": {"items": [{"id": "y", "text": "Then:"}]},
    });
    let before = Session::new(registry, json!({"template_vars": {"a::v": "Rome"}}));
    let after = moved(&before, "Go to Rome ", "now").expect("moved");
    assert_eq!(
        after
            .hydration(7)
            .text
            .matches("and Rome Go to Rome now.")
            .count(),
        2
    );
}
