//! Text beside the number of a slider: it goes into the sentence, digits are refused.

use promptdeck_core::hydrate::{Segment, TextOrigin};
use promptdeck_core::prompt_edit::{PromptEdit, Refusal};
use serde_json::{Value, json};

use crate::session::{Session, at, replaced, session};

/// The sentence after text is typed at an offset of the number that prints as 8.
fn typed_at_number(sentence: &str, at: usize, text: &str) -> Result<Value, Refusal> {
    let mut session = session();
    session.0["registry"]["mood"]["scale_template"] = sentence.into();
    let hydration = session.hydration(7);
    let is_number = |candidate: &Segment| candidate.origin == Some(TextOrigin::Slider);
    let segment = hydration
        .segments
        .iter()
        .position(is_number)
        .expect("a number");
    let edit = PromptEdit::Replace {
        segment,
        range: at..at,
        text,
    };
    let (after, caret) = session.edited(7, &edit)?;
    assert!(after.hydration(7).text[..caret].ends_with(text));
    Ok(at_sentence(&after))
}

fn at_sentence(session: &Session) -> Value {
    at(session, "/registry/mood/scale_template").clone()
}

#[test]
fn text_beside_a_number_goes_into_the_sentence() {
    assert_eq!(
        typed_at_number("{value} on {emotion}", 0, "At "),
        Ok(json!("At {value} on {emotion}"))
    );
    assert_eq!(
        typed_at_number("{value} on {emotion}", 1, "/10"),
        Ok(json!("{value}/10 on {emotion}"))
    );
    assert_eq!(
        typed_at_number("Feel {emotion}: {value}", 1, "!"),
        Ok(json!("Feel {emotion}: {value}!"))
    );
    assert_eq!(
        typed_at_number("{emotion}{value}", 0, " is "),
        Ok(json!("{emotion} is {value}"))
    );
}

#[test]
fn digits_beside_a_number_are_refused_as_the_number_is() {
    let number = Err(Refusal::Slider {
        section: "mood".to_owned(),
        value: "8".to_owned(),
    });
    assert_eq!(typed_at_number("{value} on {emotion}", 0, "1"), number);
    assert_eq!(typed_at_number("{value} on {emotion}", 1, "0"), number);
    let mut session = session();
    session.0["registry"]["mood"]["scale_template"] = "Feel {value} of 10".into();
    assert_eq!(
        replaced(&session, " of 10", "0 of 10").map(|_| Value::Null),
        number
    );
    assert_eq!(
        replaced(&session, "Feel ", "Feel 1").map(|_| Value::Null),
        number
    );
    assert_eq!(
        at_sentence(&replaced(&session, " of 10", " of 100").expect("an edit")),
        "Feel {value} of 100"
    );
}
