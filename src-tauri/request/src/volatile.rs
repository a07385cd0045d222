//! Finds text of the registry's prompt that changes between calls and precedes text that does not:
//! a provider's cache ends there. Reports the section, and how much moving it to the end would keep
//! cacheable.

use promptdeck_core::hydrate::{self, Evaluation, PromptPiece, SeedDependence};
use serde::Serialize;

use super::prompt::PromptSpan;

/// Why a piece may be another one next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// An item, a slider or the entries of a list are rolled.
    Random,
    /// A template variable, set by each call.
    Variable,
    /// An expression, computed for each call.
    Expression,
}

/// A section that prevents caching.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Volatile {
    /// The section.
    pub section: String,
    /// Why it changes.
    pub cause: Cause,
    /// Unicode scalar values before its first piece that changes.
    pub at: usize,
    /// Unicode scalar values of authored text that would stay cacheable if the section came last,
    /// as those before it in this list do, beyond those that do now.
    pub gain: usize,
}

/// The sections that change before text that doesn't, in the order of the prompt.
#[must_use]
pub fn early(spans: &[PromptSpan], evaluation: &Evaluation) -> Vec<Volatile> {
    let rolled = SeedDependence::of(evaluation);
    let causes: Vec<Option<Cause>> = spans.iter().map(|span| cause(span, &rolled)).collect();
    let pieces: Vec<PromptPiece<'_>> = spans
        .iter()
        .zip(&causes)
        .map(|(span, cause)| PromptPiece {
            section: span.source.as_ref().map(|source| &*source.section),
            chars: span.text.chars().count(),
            changes: cause.is_some(),
        })
        .collect();
    hydrate::early_changes(&pieces)
        .into_iter()
        .filter_map(|early| {
            Some(Volatile {
                section: early.section.to_owned(),
                cause: causes[early.piece]?,
                at: early.at,
                gain: early.gain,
            })
        })
        .collect()
}

fn cause(span: &PromptSpan, rolled: &SeedDependence<'_>) -> Option<Cause> {
    let source = span.source.as_ref()?;
    if span.expression.is_some() {
        Some(Cause::Expression)
    } else if source.variable.is_some() {
        Some(Cause::Variable)
    } else {
        rolled.affects(source).then_some(Cause::Random)
    }
}

#[cfg(test)]
mod tests;
