//! Any edit of any session: it prints as it was made or is refused, and is taken back.

use promptdeck_core::prompt_edit::PromptEdit;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::session::{Session, split_at};
use crate::splice::{
    next_entry, passage_prints, range_in, splice_prints, split_beside_joins,
    text_beside_variables_prints,
};

/// Texts of registries with everything that the assembly changes: white space, braces, newlines.
pub fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "B.", "é", "😀", " ", "  ", "\n", "\n\n", "\n\n\n", "\t", "{v}", "{w}", "{", "}",
        "{x}", "- ", "x", "Heading:",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => text().prop_map(Value::from),
        1 => Just(json!(7)),
        1 => Just(json!({"x": ["{v}"]})),
        1 => Just(Value::Null),
    ]
}

fn item() -> impl Strategy<Value = Value> {
    (
        (text(), value()),
        prop::collection::vec(value(), 0..4),
        prop::option::of(text()),
        prop::collection::vec((any::<bool>(), text()), 0..3),
    )
        .prop_map(|((text, extra), items, heading, fragments)| {
            let mut item = json!({"text": text, "extra": extra, "items": items});
            if let Some(heading) = heading {
                item["pre_context"] = heading.into();
            }
            if !fragments.is_empty() {
                let fragments = fragments.into_iter().map(|(condition, text)| {
                    if condition {
                        json!({"if_var": "v", "text": text})
                    } else {
                        json!({"text": text})
                    }
                });
                item["fragments"] = fragments.collect();
            }
            item
        })
}

/// The sentence of a slider.
fn sentence() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "{value}",
        "{emotion}",
        "Feel",
        " ",
        "/10",
        "1",
        "\n",
        "{v}",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

fn section() -> impl Strategy<Value = Value> {
    let mode = prop::sample::select(vec!["all", "random:2", "indices:1,0,1", "none"]);
    (
        prop::collection::vec(item(), 1..3),
        any::<[bool; 3]>(),
        mode,
        prop::option::of(sentence()),
        text(),
    )
        .prop_map(
            |(items, [required, slider, rolled], mode, scale, default)| {
                let items: Vec<Value> = items
                    .into_iter()
                    .zip(["x", "y"])
                    .map(|(mut item, id)| {
                        item["id"] = id.into();
                        item
                    })
                    .collect();
                let mut section = json!({
                    "required": required, "items": items, "template_vars": ["v", "w"],
                    "section_random": rolled, "array_modes": {"items": mode},
                    "template_var_defaults": {"w": default},
                });
                if slider {
                    section["slider"] = json!(3);
                    section["scale_template"] = json!(scale);
                }
                if !required {
                    section["selected"] = json!(["x", "y"]);
                }
                section
            },
        )
}

fn generated() -> impl Strategy<Value = Session> {
    let token = prop::sample::select(vec![
        "a",
        "a.text",
        "a.extra",
        "a.items",
        "a.scale",
        "a.id",
        "b",
        "b.items",
        "b[a]",
        "b.scale",
        "runtime_injections",
        "prompt_endings.items",
    ]);
    (
        prop::collection::vec(token, 1..6),
        [section(), section(), section(), section()],
        any::<bool>(),
        prop::collection::vec(text(), 2),
    )
        .prop_map(
            |(order, [a, b, mut injections, endings], injected, values)| {
                injections["required"] = false.into();
                injections["section_random"] = false.into();
                injections["selected"] = if injected { json!(["x"]) } else { json!([]) };
                injections["items"][0]["include_sections"] = json!(["a", "b"]);
                let registry = json!({
                    "assembly_order": order, "a": a, "b": b,
                    "runtime_injections": injections, "prompt_endings": endings,
                });
                let state = json!({"template_vars": {"a::v": values[0], "b::w": values[1]}});
                Session::new(registry, state)
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_splice_prints_as_it_was_made_or_is_refused(
        session in generated(),
        seed in 0..8_u64,
        segment in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
        inserted in prop_oneof![text(), Just(String::new()), "[a-z ]{1,3}"],
    ) {
        splice_prints(&session, seed, segment, ends, &inserted)?;
    }

    #[test]
    fn a_passage_prints_as_it_was_replaced_or_is_refused(
        session in generated(),
        seed in 0..8_u64,
        segment in any::<prop::sample::Index>(),
        more in 1..4_usize,
        ends in any::<[prop::sample::Index; 2]>(),
        inserted in prop_oneof![text(), Just(String::new()), "[a-z ]{1,3}"],
    ) {
        passage_prints(&session, seed, segment, more, ends, &inserted)?;
    }

    #[test]
    fn text_beside_a_variable_prints_there_or_is_refused(
        session in generated(),
        seed in 0..8_u64,
        inserted in prop_oneof![text(), "[a-z ]{1,3}"],
    ) {
        text_beside_variables_prints(&session, seed, &inserted)?;
    }

    #[test]
    fn a_split_beside_a_variable_is_taken_back_by_a_join(
        session in generated(),
        seed in 0..8_u64,
    ) {
        split_beside_joins(&session, seed)?;
    }

    /// An entry that is split and joined again is as it was, prompt and document.
    #[test]
    fn a_split_is_taken_back_by_a_join(
        session in generated(),
        seed in 0..8_u64,
        segment in any::<prop::sample::Index>(),
        ends in any::<[prop::sample::Index; 2]>(),
    ) {
        let hydration = session.hydration(seed);
        prop_assume!(!hydration.segments.is_empty());
        let index = segment.index(hydration.segments.len());
        let at = range_in(&hydration.segments[index].text, ends).start;
        let Ok((after, _)) = session.edited(seed, &split_at(index, at)) else {
            return Ok(());
        };
        let source = hydration.segments[index].source.as_ref().expect("an entry");
        let next = next_entry(&after.hydration(seed), source).expect("the new entry");
        let (joined, _) = after.edited(seed, &PromptEdit::Join { segment: next }).expect("joined");
        prop_assert_eq!(joined, session);
    }
}
