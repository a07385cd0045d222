//! Alternatives of what was rolled, and the choice of one.

use promptdeck_core::hydrate::Segment;
use promptdeck_core::prompt_edit::{AlternativeKind, PromptEdit, Refusal, alternatives};
use serde_json::json;

use crate::session::{place, session};

#[test]
fn the_items_of_a_rolled_section_are_alternatives_with_their_odds() {
    let mut session = session();
    session.0["registry"]["who"]["section_random"] = true.into();
    session.0["registry"]["who"]["items"][0]["weight"] = json!(3);
    let hydration = session.hydration(7);
    let of_who = |candidate: &Segment| {
        candidate
            .source
            .as_ref()
            .is_some_and(|source| *source.field == *"context")
    };
    let segment = hydration.segments.iter().position(of_who).expect("printed");
    let found = session.with(7, |engine, call| {
        alternatives(engine, call, &hydration, segment)
    });
    let found = found.expect("rolled");
    let kind = (found.kind, found.drawn, found.field.as_str());
    assert_eq!(kind, (AlternativeKind::Items, 1, "context"));
    let shares: Vec<_> = found.choices.iter().map(|choice| choice.share).collect();
    assert_eq!(shares, [Some(0.75), Some(0.25)]);
    assert_eq!(found.choices[1].text, "You are loud.");
    let other = 1 - found.current;
    let edit = PromptEdit::Choose {
        segment,
        choice: other,
    };
    let (after, _) = session.edited(7, &edit).expect("chosen");
    let printed = after.hydration(7).text;
    assert!(printed.contains(&found.choices[other].text), "{printed:?}");
    // It is selected, whatever is rolled.
    for seed in 0..8 {
        assert!(
            after
                .hydration(seed)
                .text
                .contains(&found.choices[other].text)
        );
    }
}

#[test]
fn an_item_without_an_id_is_not_chosen() {
    let mut session = session();
    session.0["registry"]["who"]["section_random"] = true.into();
    session.0["registry"]["who"]["items"][1] = json!({"context": "You are nobody."});
    let hydration = session.hydration(7);
    let (segment, _) = place(&hydration, "You are");
    let refused = session.edited(7, &PromptEdit::Choose { segment, choice: 1 });
    let reason = Refusal::NoId {
        section: "who".to_owned(),
        item: 1,
    };
    assert_eq!(refused.map(|(after, _)| after), Err(reason));
}
