//! Random picks before stable text: a provider's prefix cache ends at the first of them.

use super::{Findings, Order};
use crate::hydrate::{Call, Engine, Hydration, Piece, Rolls, early};

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
    let pieces: Vec<Piece<'_>> = hydration
        .segments
        .iter()
        .map(|segment| Piece {
            section: segment
                .source
                .as_ref()
                .map(|source| source.section.as_str()),
            chars: segment.text.chars().count(),
            changes: segment
                .source
                .as_ref()
                .is_some_and(|source| rolls.decide(source)),
        })
        .collect();
    for early in early(&pieces) {
        let source = hydration.segments[early.piece].source.as_ref();
        let pointer = match source.and_then(|source| source.token) {
            Some(token) => order.pointer.index(token),
            None => order.pointer.clone(),
        };
        let message = format!(
            "{:?} is rolled before stable text, which ends a provider's prefix cache; moving it \
             behind that text would keep {} more characters cacheable",
            early.section, early.gain
        );
        findings.note("random_before_stable", &pointer, message);
    }
}
