//! Random picks before stable text: a provider's prefix cache ends at the first of them.

use std::collections::BTreeMap;

use super::{Findings, Order};
use crate::hydrate::{Call, Engine, Evaluation, Hydration, Origin, Part, Segment};

pub(super) fn check(
    engine: &Engine,
    call: &Call<'_>,
    orders: &[Order<'_>],
    findings: &mut Findings,
) {
    for order in orders {
        let call = Call {
            route: order.route,
            ..*call
        };
        if let Ok(hydration) = engine.hydrate(&call) {
            check_order(&hydration, order, findings);
        }
    }
}

fn check_order(hydration: &Hydration, order: &Order<'_>, findings: &mut Findings) {
    let rolls = Rolls::of(&hydration.evaluation);
    let rolled: Vec<Option<&str>> = hydration
        .segments
        .iter()
        .map(|segment| rolls.section(segment))
        .collect();
    let mut done: Vec<&str> = Vec::new();
    for (position, section) in rolled.iter().enumerate() {
        let Some(section) = section.filter(|section| !done.contains(section)) else {
            continue;
        };
        done.push(section);
        // Up to the next pick of another section: from there on nothing is cacheable anyway.
        let kept: usize = hydration.segments[position..]
            .iter()
            .zip(&rolled[position..])
            .take_while(|(_, other)| other.is_none_or(|other| other == section))
            .filter(|(segment, other)| other.is_none() && segment.source.is_some())
            .map(|(segment, _)| segment.text.chars().count())
            .sum();
        if kept == 0 {
            continue;
        }
        let source = hydration.segments[position].source.as_ref();
        let pointer = match source.and_then(|source| source.token) {
            Some(token) => order.pointer.index(token),
            None => order.pointer.clone(),
        };
        let message = format!(
            "{section:?} is rolled before stable text, which ends a provider's prefix cache; \
             moving it behind that text would keep {kept} more characters cacheable"
        );
        findings.note("random_before_stable", &pointer, message);
    }
}

/// What of an evaluation was rolled.
struct Rolls<'e> {
    evaluation: &'e Evaluation,
    arrays: BTreeMap<(&'e str, usize, &'e str), bool>,
}

impl<'e> Rolls<'e> {
    fn of(evaluation: &'e Evaluation) -> Self {
        let arrays = evaluation
            .arrays
            .iter()
            .map(|array| {
                let key = (array.section.as_str(), array.item, array.field.as_str());
                (key, array.origin == Origin::Random)
            })
            .collect();
        Self { evaluation, arrays }
    }

    /// The section whose roll decides over a segment, when one does.
    fn section<'s>(&self, segment: &'s Segment) -> Option<&'s str> {
        let source = segment.source.as_ref()?;
        let section = self.evaluation.sections.get(&source.section)?;
        let array = (source.section.as_str(), source.item, source.field.as_str());
        let random = section.origin == Origin::Random
            || (source.part == Part::Scale && section.slider.origin == Origin::Random)
            || (source.part == Part::Entry && self.arrays.get(&array) == Some(&true));
        random.then_some(source.section.as_str())
    }
}
