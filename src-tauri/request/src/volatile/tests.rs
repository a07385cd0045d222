//! Which sections prevent caching, and what moving them gains.

use promptdeck_core::hydrate::{
    ArrayEvaluation, Evaluation, Origin, Part, SectionEvaluation, SliderEvaluation, Source,
};

use super::{Cause, early};
use crate::prompt::PromptSpan;

fn span(text: &str, section: &str) -> PromptSpan {
    PromptSpan {
        text: text.to_owned(),
        source: Some(Source {
            token: Some(0),
            section: section.into(),
            item: 0,
            id: None,
            field: "items".into(),
            part: Part::Entry,
            entry: None,
            fragment: None,
            variable: None,
        }),
        expression: None,
        arguments: Vec::new(),
    }
}

fn evaluation(random: &[&str]) -> Evaluation {
    let mut evaluation = Evaluation::default();
    for section in ["a", "b", "c"] {
        let origin = if random.contains(&section) {
            Origin::Random
        } else {
            Origin::Default
        };
        evaluation.sections.insert(
            section.to_owned(),
            SectionEvaluation {
                items: Vec::new(),
                origin,
                slider: SliderEvaluation {
                    value: 5.0,
                    origin: Origin::Default,
                },
                filtered: false,
            },
        );
    }
    evaluation
}

fn check(spans: &[PromptSpan], evaluation: &Evaluation, expected: &[(&str, Cause, usize, usize)]) {
    let found = early(spans, evaluation);
    let found: Vec<_> = found
        .iter()
        .map(|v| (v.section.as_str(), v.cause, v.at, v.gain))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_rolled_section_before_stable_text() {
    let spans = [span("aaaa", "a"), span("bb", "b"), span("cccccc", "c")];
    check(&spans, &evaluation(&[]), &[]);
    check(&spans, &evaluation(&["c"]), &[]);
    check(&spans, &evaluation(&["b"]), &[("b", Cause::Random, 4, 6)]);
    check(&spans, &evaluation(&["a"]), &[("a", Cause::Random, 0, 8)]);
    // Moving `a` alone gains nothing while `b` precedes the rest.
    check(
        &spans,
        &evaluation(&["a", "b"]),
        &[("b", Cause::Random, 4, 6)],
    );
}

#[test]
fn variables_expressions_and_rolled_entries_count_as_well() {
    let mut variable = span("v", "a");
    variable.source.as_mut().expect("a source").variable = Some("name".into());
    check(
        &[variable, span("bb", "b")],
        &evaluation(&[]),
        &[("a", Cause::Variable, 0, 2)],
    );

    let mut expression = span("now", "a");
    expression.expression = Some("system.current_time".to_owned());
    check(
        &[expression, span("bb", "b")],
        &evaluation(&[]),
        &[("a", Cause::Expression, 0, 2)],
    );

    let mut rolled = evaluation(&[]);
    rolled.arrays.push(ArrayEvaluation {
        section: "a".to_owned(),
        item: 0,
        id: None,
        field: "items".to_owned(),
        mode: "random:2".to_owned(),
        origin: Origin::Random,
        selected: vec![1],
        total: 3,
    });
    check(
        &[span("x", "a"), span("bb", "b")],
        &rolled,
        &[("a", Cause::Random, 0, 2)],
    );
}
