//! Entries that are split, joined and pasted.

use promptdeck_core::hydrate::TextOrigin;
use promptdeck_core::prompt_edit::PromptEdit;
use serde_json::{Value, json};

use crate::session::{Session, at, place, registry, session, split_at};

#[test]
fn pasted_lines_become_entries() {
    let rules = |lines: &str, words: &str, at_end: bool| -> Result<Value, &'static str> {
        let before = session();
        let (segment, range) = place(&before.hydration(7), words);
        let at = if at_end { range.end } else { range.start };
        let edit = PromptEdit::Split { segment, at, lines };
        let (after, _) = before.edited(7, &edit).map_err(|reason| reason.code())?;
        Ok(at_pointer(&after))
    };
    // In the middle of an entry, at the end of one and at its start.
    assert_eq!(
        rules("ever\n- Do not\n", "explain", false),
        Ok(json!([
            "Be brief.",
            "Never ever",
            "Do not",
            "explain.",
            "End."
        ]))
    );
    assert_eq!(
        rules(" Always.\r\n\n2. Stay calm. \n* Wait.\n", "Be brief.", true),
        Ok(json!([
            "Be brief. Always.",
            "2. Stay calm.",
            "Wait.",
            "Never explain.",
            "End."
        ]))
    );
    assert_eq!(
        rules("- One.\n- Two.\n", "Be brief.", false),
        Ok(json!([
            "One.",
            "Two.",
            "Be brief.",
            "Never explain.",
            "End."
        ]))
    );
}

#[test]
fn pasted_nested_lines_stay_in_their_entry() {
    let pasted = |lines: &str| {
        let before = session();
        let (segment, range) = place(&before.hydration(7), "Be brief.");
        let edit = PromptEdit::Split {
            segment,
            at: range.end,
            lines,
        };
        let (after, caret) = before.edited(7, &edit).expect("pasted");
        let prompt = after.hydration(7).text;
        (at_pointer(&after), prompt[..caret].to_owned())
    };
    let (rules, prompt) = pasted("\n- Name the shelf.\n  - Sub-rule.\n2024. was a year");
    let shelf = "Name the shelf.\n  - Sub-rule.";
    assert_eq!(
        rules,
        json!([
            "Be brief.",
            shelf,
            "2024. was a year",
            "Never explain.",
            "End."
        ])
    );
    assert!(prompt.ends_with("- Name the shelf.\n  - Sub-rule.\n- 2024. was a year"));
    // Nested lines alone split nothing.
    let (rules, prompt) = pasted("\n  - Sub-rule.\n");
    assert_eq!(
        rules,
        json!(["Be brief.\n  - Sub-rule.", "Never explain.", "End."])
    );
    assert!(prompt.ends_with("- Be brief.\n  - Sub-rule."));
}

#[test]
fn pasted_lines_that_name_a_variable_print_its_value() {
    let deck = json!({
        "assembly_order": ["who.rules"],
        "who": {
            "required": true,
            "template_vars": ["name"],
            "items": [{"id": "dry", "rules": ["One.", "Two."]}],
        },
    });
    let before = Session::new(deck, json!({"template_vars": {"who::name": "Ada"}}));
    let (segment, range) = place(&before.hydration(7), "One.");
    let edit = PromptEdit::Split {
        segment,
        at: range.end,
        lines: "\nCall {name}.",
    };
    let (after, caret) = before.edited(7, &edit).expect("pasted");
    let prompt = "- One.\n- Call Ada.\n- Two.";
    assert_eq!((after.hydration(7).text.as_str(), caret), (prompt, 18));
    assert_eq!(at_pointer(&after), json!(["One.", "Call {name}.", "Two."]));
}

fn at_pointer(session: &Session) -> Value {
    at(session, "/registry/who/items/0/rules").clone()
}

#[test]
fn an_entry_is_split_and_joined() {
    let before = session();
    let hydration = before.hydration(7);
    let (segment, range) = place(&hydration, "explain");
    let split = split_at(segment, range.start);
    let (after, caret) = before.edited(7, &split).expect("split");
    assert_eq!(
        at(&after, "/registry/who/items/0/rules"),
        &json!(["Be brief.", "Never ", "explain.", "End."])
    );
    let hydration = after.hydration(7);
    assert!(hydration.text[caret..].starts_with("explain.\n- End."));
    let (segment, _) = place(&hydration, "explain");
    let (joined, caret) = after
        .edited(7, &PromptEdit::Join { segment })
        .expect("joined");
    assert_eq!(joined, before);
    assert!(joined.hydration(7).text[caret..].starts_with("explain."));
    let (segment, _) = place(&before.hydration(7), "Be brief.");
    let first = before.edited(7, &PromptEdit::Join { segment });
    assert_eq!(
        first.err().map(|reason| reason.code()),
        Some("prompt_first_entry")
    );
    let rolled = before.hydration(7);
    let source = |segment: &promptdeck_core::hydrate::Segment| {
        let source = segment.source.as_ref()?;
        (*source.field == *"nudges" && segment.origin != Some(TextOrigin::Bullet)).then_some(())
    };
    let segment = rolled
        .segments
        .iter()
        .position(|segment| source(segment).is_some())
        .expect("a nudge");
    let split = before.edited(7, &split_at(segment, 1));
    assert_eq!(split.err().map(|reason| reason.code()), Some("prompt_mode"));
}

#[test]
fn a_list_of_one_gets_its_bullets_and_loses_them() {
    let state = json!({"selections": {"who": "loud"}, "template_vars": {"scene::venue": "x"}});
    let before = Session::new(registry(), state);
    let (segment, _) = place(&before.hydration(7), "Shout.");
    let (after, caret) = before.edited(7, &split_at(segment, 6)).expect("split");
    let hydration = after.hydration(7);
    assert!(
        hydration.text[..caret].ends_with("- Shout.\n- "),
        "{}",
        hydration.text
    );
    // The new entry has no text yet; typing goes to its bullet.
    let bullet = hydration.segments.iter().rposition(|segment| {
        segment.origin == Some(TextOrigin::Bullet)
            && segment
                .source
                .as_ref()
                .is_some_and(|source| *source.field == *"rules")
    });
    let bullet = bullet.expect("a bullet");
    let typed = PromptEdit::Replace {
        segment: bullet,
        range: 2..2,
        text: "Sing.",
    };
    let (typed, caret) = after.edited(7, &typed).expect("typed");
    assert!(typed.hydration(7).text[..caret].ends_with("- Shout.\n- Sing."));
    let (joined, _) = after
        .edited(7, &PromptEdit::Join { segment: bullet })
        .expect("joined");
    assert_eq!(joined, before);
}

#[test]
fn entries_are_joined_above_an_injected_text_with_blank_lines() {
    let registry = json!({
        "assembly_order": ["a"],
        "a": {"items": [{"id": "x", "items": ["", " Wait."]}]},
        "runtime_injections": {
            "required": false,
            "selected": ["x"],
            "items": [{"id": "x", "text": "One.\n\n\n\nTwo.", "include_sections": ["a"]}],
        },
    });
    let before = Session::new(registry, json!({}));
    let (segment, _) = place(&before.hydration(7), "Wait.");
    let edit = PromptEdit::Join { segment };
    let (after, _) = before.edited(7, &edit).expect("joined");
    assert_eq!(after.hydration(7).text, "Wait.\n\nOne.\n\n\n\nTwo.");
}
