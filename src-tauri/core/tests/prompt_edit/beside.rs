//! Text typed, and entries split, before and after variables.

use promptdeck_core::hydrate::{Hydration, TextOrigin};
use promptdeck_core::prompt_edit::{PromptEdit, VariablePrint, plan};
use serde_json::{Value, json};

use crate::session::{Session, at, place, split_at};

/// A text with variables without a value, and with `set` and `wide`, which has spaces at its ends.
fn session(text: &str) -> Session {
    let names = ["v", "w", "set", "wide"];
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"template_vars": names, "items": [{"id": "x", "text": text}]},
    });
    let state = json!({"template_vars": {"a::set": "Ada", "a::wide": " Bo "}});
    Session::new(registry, state)
}

/// The prompt after an edit, with `|` as the caret, or why it is refused.
fn edited(before: &Session, edit: &PromptEdit<'_>) -> String {
    let found = before.edited(7, edit).map(|(after, caret)| {
        let mut printed = after.hydration(7).text;
        printed.insert(caret.min(printed.len()), '|');
        printed
    });
    found.unwrap_or_else(|refusal| refusal.code().to_owned())
}

fn typed_beside(before: &Session, variable: VariablePrint, after: bool, text: &str) -> String {
    let edit = PromptEdit::Beside {
        variable,
        after,
        text,
    };
    edited(before, &edit)
}

/// Types beside each gap of a text: the prompts, with `|` as the caret, or why it is refused.
#[track_caller]
fn beside(text: &str, typed: &str, expected: &[(usize, bool, &str)]) {
    let before = session(text);
    for &(gap, after, prompt) in expected {
        let found = typed_beside(&before, VariablePrint::Gap(gap), after, typed);
        assert_eq!(found, prompt, "{typed:?} at {gap} {after} of {text:?}");
    }
}

#[test]
fn text_is_typed_before_and_after_a_variable_without_a_value() {
    beside("At {v}", "x", &[(0, true, "At x|"), (0, false, "At x|")]);
    beside("{v} now", "x", &[(0, true, "x| now"), (0, false, "x| now")]);
    beside(
        "A{v}{w}B",
        "x",
        &[(0, true, "Ax|B"), (1, false, "Ax|B"), (1, true, "Ax|B")],
    );
    beside(
        "A {v} {w}",
        "x",
        &[(0, true, "A x|"), (1, false, "A  x|"), (1, true, "A  x|")],
    );
    beside("{v}, {v}!", "x", &[(0, true, "x|, !"), (1, true, ", x|!")]);
    beside("{set}{v}", "x", &[(0, false, "Adax|"), (0, true, "Adax|")]);
    beside("{v}{set}", "x", &[(0, true, "x|Ada")]);
    beside("At {v}", " ", &[(0, true, "prompt_whitespace")]);
    beside("At {v}", " x", &[(0, true, "At  x|")]);
    beside("At {v}", "{w}", &[(0, true, "At|")]);
}

#[test]
fn whitespace_between_words_and_a_variable_is_kept_for_its_value() {
    for (text, after, typed, authored, printed) in [
        ("{v}now", true, " x ", "{v} x now", "x |now"),
        ("{v}now", true, "\n\nx", "{v}\n\nxnow", "x|now"),
        ("At{v}", false, " x ", "At x {v}", "At x|"),
        ("{v} now", false, "x ", "x {v} now", "x | now"),
    ] {
        let before = session(text);
        let edit = PromptEdit::Beside {
            variable: VariablePrint::Gap(0),
            after,
            text: typed,
        };
        let (changed, _) = before.edited(7, &edit).expect("typed");
        assert_eq!(at(&changed, "/registry/a/items/0/text"), authored);
        assert_eq!(edited(&before, &edit), printed);
    }
}

/// The values that a prompt prints.
fn values(hydration: &Hydration) -> Vec<VariablePrint> {
    let segments = hydration.segments.iter().enumerate();
    let values = segments.filter(|(_, segment)| segment.origin == Some(TextOrigin::Variable));
    values
        .map(|(index, _)| VariablePrint::Value(index))
        .collect()
}

/// Types beside each value of a text.
#[track_caller]
fn beside_value(text: &str, typed: &str, expected: &[(usize, bool, &str)]) {
    let before = session(text);
    let values = values(&before.hydration(7));
    for &(value, after, prompt) in expected {
        let found = typed_beside(&before, values[value], after, typed);
        assert_eq!(found, prompt, "{typed:?} at {value} {after} of {text:?}");
    }
}

#[test]
fn text_is_typed_before_and_after_a_value() {
    beside_value("{set}", "x", &[(0, true, "Adax|"), (0, false, "x|Ada")]);
    beside_value(
        "At {set}, {set}!",
        "x",
        &[(0, true, "At Adax|, Ada!"), (1, false, "At Ada, x|Ada!")],
    );
    beside_value(
        "{set}{wide}{v}",
        "x",
        &[
            (0, true, "Adax| Bo"),
            (1, false, "Adax| Bo"),
            (1, true, "Ada Bo x|"),
        ],
    );
    beside_value("{wide}", "x", &[(0, false, "x| Bo"), (0, true, "Bo x|")]);
    beside_value("{set}", " ", &[(0, true, "prompt_whitespace")]);
    beside_value("{set}", "{v}", &[(0, true, "Ada|")]);
    beside_value("{set}", " {set}", &[(0, true, "Ada Ada|")]);
}

#[test]
fn text_beside_a_value_changes_that_text_alone() {
    let before = session("{set}{set}");
    let [_, second] = values(&before.hydration(7))[..] else {
        panic!("two values");
    };
    let edit = PromptEdit::Beside {
        variable: second,
        after: false,
        text: "-",
    };
    let (after, _) = before.edited(7, &edit).expect("typed");
    assert_eq!(at(&after, "/registry/a/items/0/text"), "{set}-{set}");
    assert_eq!(at(&after, "/state"), at(&before, "/state"));
}

#[test]
fn text_is_typed_behind_a_gap_that_ends_an_entry_a_fragment_or_a_heading() {
    let registry = json!({
        "assembly_order": ["a", "b.items", "c"],
        "a": {"template_vars": ["v"], "items": [{"id": "x", "text": "Base.",
            "fragments": [{"text": "At {v}"}]}]},
        "b": {"template_vars": ["w"], "items": [{"id": "x", "pre_context": "For {w}",
            "items": ["Ask {w}", "Smile."]}]},
        "c": {"items": [{"id": "x", "text": "End."}]},
    });
    let session = Session::new(registry, json!({"template_vars": {}}));
    let gaps = session.hydration(7).gaps;
    for (gap, gap_source) in gaps.iter().enumerate() {
        let edit = PromptEdit::Beside {
            variable: VariablePrint::Gap(gap),
            after: true,
            text: "x",
        };
        let (after, caret) = session.edited(7, &edit).expect("typed");
        let printed = after.hydration(7).text;
        let line = printed[..caret].lines().last();
        let expected = match (gap_source.source.fragment, gap_source.source.entry) {
            (Some(_), _) => "Base. At x",
            (_, Some(_)) => "- Ask x",
            _ => "For x",
        };
        assert_eq!(line, Some(expected), "{gap_source:?}");
    }
    assert_eq!(gaps.len(), 3);
}

/// Lists of entries with a variable without a value, `v`, and one with, `set`.
fn lists(entries: &[&str], bulleted: bool) -> Session {
    let mut item = json!({"id": "x", "items": entries});
    if bulleted {
        item["pre_context"] = "Do:".into();
    }
    let registry = json!({
        "assembly_order": ["a.items", "end"],
        "a": {"template_vars": ["v", "set"], "items": [item]},
        "end": {"items": [{"id": "x", "text": "End."}]},
    });
    Session::new(registry, json!({"template_vars": {"a::set": "Ada"}}))
}

fn entries(session: &Session) -> Value {
    at(session, "/registry/a/items/0/items").clone()
}

/// Splits the only entry of a list before and after its first variable without a value.
#[track_caller]
fn split(entry: &str, lines: &str, before: &[&str], after: &[&str]) {
    for is_bulleted in [true, false] {
        let session = lists(&[entry], is_bulleted);
        for (is_after, expected) in [(false, before), (true, after)] {
            let edit = PromptEdit::SplitBeside {
                variable: VariablePrint::Gap(0),
                after: is_after,
                lines,
            };
            let (split, caret) = session.edited(7, &edit).expect(entry);
            assert_eq!(entries(&split), json!(expected), "{entry} {is_after}");
            let printed = split.hydration(7).text;
            assert!(printed[..caret].ends_with("\n- "), "{printed} {caret}");
        }
    }
}

#[test]
fn an_entry_is_split_before_and_after_a_variable_without_a_value() {
    split(
        "Ask {v} now",
        "",
        &["Ask ", "{v} now"],
        &["Ask {v}", " now"],
    );
    split("{v} now", "", &["", "{v} now"], &["{v}", " now"]);
    split("Ask {v}", "", &["Ask ", "{v}"], &["Ask {v}", ""]);
    split("{v}{v}.", "", &["", "{v}{v}."], &["{v}", "{v}."]);
}

#[test]
fn lines_pasted_beside_a_variable_without_a_value_become_entries() {
    let session = lists(&["Ask {v} now", "Wait."], false);
    let edit = PromptEdit::SplitBeside {
        variable: VariablePrint::Gap(0),
        after: true,
        lines: " first\n- Then\n",
    };
    let (after, _) = session.edited(7, &edit).expect("split");
    let expected = json!(["Ask {v} first", "Then", " now", "Wait."]);
    assert_eq!(entries(&after), expected);
}

#[test]
fn an_entry_is_split_at_the_edge_of_a_value_and_between_two() {
    let session = lists(&["Ask {v}{set}{set}.", "Tell {set}."], true);
    let values = values(&session.hydration(7));
    let VariablePrint::Value(first) = values[0] else {
        panic!("a value");
    };
    for edit in [
        PromptEdit::SplitBeside {
            variable: values[0],
            after: false,
            lines: "",
        },
        split_at(first, 0),
    ] {
        let (after, _) = session.edited(7, &edit).expect("split");
        let expected = json!(["Ask {v}", "{set}{set}.", "Tell {set}."]);
        assert_eq!(entries(&after), expected);
    }
    let edit = PromptEdit::SplitBeside {
        variable: values[0],
        after: true,
        lines: "",
    };
    let (after, _) = session.edited(7, &edit).expect("split");
    let expected = json!(["Ask {v}{set}", "{set}.", "Tell {set}."]);
    assert_eq!(entries(&after), expected);
    let within = session.edited(7, &split_at(first, 1));
    assert_eq!(
        within.err().map(|reason| reason.code()),
        Some("prompt_in_value")
    );
}

/// What is replaced at the end of `typed` by `text`: the variable that the caret then stands behind.
fn behind(text: &str, typed: &str, added: &str) -> Option<String> {
    let before = session(text);
    let hydration = before.hydration(7);
    let (segment, range) = place(&hydration, typed);
    let edit = PromptEdit::Replace {
        segment,
        range: range.end..range.end,
        text: added,
    };
    let plan = before.with(7, |engine, call| plan(engine, call, &hydration, &edit));
    plan.expect("a plan").behind().map(str::to_owned)
}

#[test]
fn the_caret_is_behind_a_variable_without_a_value_that_was_written() {
    for (text, typed, added, expected) in [
        ("Ask {v", "{v", "}", Some("v")),
        ("Ask {v now", "{v", "}", Some("v")),
        ("Ask ", "Ask", " end {v}", Some("v")),
        ("Ask ", "Ask", " {v}{w}", Some("w")),
        ("Ask ", "Ask", " {w}{v}", Some("v")),
        ("Ask ", "Ask", " {v} now", None),
        ("Ask {set", "{set", "}", None),
        ("Ask {x", "{x", "}", None),
        ("Ask {v}", "Ask", "x", None),
    ] {
        let found = behind(text, typed, added);
        assert_eq!(found.as_deref(), expected, "{added:?} in {text:?}");
    }
}
