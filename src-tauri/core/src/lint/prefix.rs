//! Random picks before stable text: a provider's prefix cache ends at the first pick.

use super::{DataKey, DiagnosticData, Findings, Order, codes};
use crate::hydrate::{
    Call, Engine, Evaluation, Hydration, PromptPiece, SeedDependence, early_changes,
};

/// Characters that a better order must make cacheable to be worth a note. OpenAI caches prefixes in
/// steps of 128 tokens, about 512 characters of English. Less has no effect on cost, and a local
/// model server reads it in milliseconds. Every registry with a roll has some stable characters
/// after it, so a note about each would hide the other findings.
const WORTH_A_NOTE: usize = 512;

/// Checks the order in use and reports one note. Other orders are checked when their route is in
/// use.
pub(super) fn check(
    engine: &Engine,
    call: &Call<'_>,
    used: &Evaluation,
    order: &Order<'_>,
    findings: &mut Findings,
) {
    // Where nothing is rolled, the segments would take their room for nothing.
    if used.is_rolled()
        && let Ok(hydration) = engine.hydrate(call)
    {
        check_order(&hydration, order, findings);
    }
}

fn check_order(hydration: &Hydration, order: &Order<'_>, findings: &mut Findings) {
    let rolled = SeedDependence::of(&hydration.evaluation);
    let pieces: Vec<PromptPiece<'_>> = hydration
        .segments
        .iter()
        .map(|segment| PromptPiece {
            section: segment.source.as_ref().map(|source| &*source.section),
            chars: segment.text.chars().count(),
            changes: segment
                .source
                .as_ref()
                .is_some_and(|source| rolled.affects(source)),
        })
        .collect();
    let early = early_changes(&pieces);
    let gain: usize = early.iter().map(|early| early.gain).sum();
    let (Some(first), true) = (early.first(), gain >= WORTH_A_NOTE) else {
        return;
    };
    let source = hydration.segments[first.piece].source.as_ref();
    let pointer = match source.and_then(|source| source.token) {
        Some(token) => order.pointer.index(token),
        None => order.pointer.clone(),
    };
    let names: Vec<&str> = early.iter().map(|early| early.section).collect();
    let message = format!(
        "rolled text comes before {gain} stable characters: moving {} down keeps a longer prefix \
         cacheable",
        names.join(", ")
    );
    let data = DiagnosticData::of(DataKey::Sections, &*names).with(DataKey::Characters, gain);
    findings.note(codes::RANDOM_BEFORE_STABLE, &pointer, message, data);
}
