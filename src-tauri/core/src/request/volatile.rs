//! What in a registry's own prompt changes from call to call and stands before text that doesn't:
//! a provider's cache ends where the first of it begins. Says which section, and how much moving
//! it to the end would keep cacheable.

use serde::Serialize;

use super::prompt::PromptSpan;
use crate::hydrate::{Evaluation, Origin, Source};

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

/// A section that stands in the way of the cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Volatile {
    /// The section.
    pub section: String,
    /// Why it changes.
    pub cause: Cause,
    /// Unicode scalar values before its first piece that changes.
    pub at: usize,
    /// Unicode scalar values that would stay cacheable if the section stood last, beyond those
    /// that do now.
    pub gain: usize,
}

/// The sections that change before text that doesn't, in the order of the prompt.
#[must_use]
pub fn early(spans: &[PromptSpan], evaluation: &Evaluation) -> Vec<Volatile> {
    let pieces: Vec<Piece<'_>> = spans
        .iter()
        .map(|span| Piece {
            section: span.source.as_ref().map(|source| source.section.as_str()),
            chars: span.text.chars().count(),
            cause: cause(span, evaluation),
        })
        .collect();
    let now = cacheable(pieces.iter());
    let mut found: Vec<Volatile> = Vec::new();
    let mut at = 0;
    for piece in &pieces {
        if let (Some(cause), Some(section)) = (piece.cause, piece.section)
            && found.iter().all(|earlier| earlier.section != section)
        {
            // The stable start with this section, and every one that came before it in the prompt
            // and changes, out of the way.
            let moved: Vec<&str> = found
                .iter()
                .map(|earlier| earlier.section.as_str())
                .chain([section])
                .collect();
            let rest = pieces
                .iter()
                .filter(|piece| piece.section.is_none_or(|name| !moved.contains(&name)));
            let gained = cacheable(rest).saturating_sub(now);
            let earlier: usize = found.iter().map(|earlier| earlier.gain).sum();
            found.push(Volatile {
                section: section.to_owned(),
                cause,
                at,
                gain: gained.saturating_sub(earlier),
            });
        }
        at += piece.chars;
    }
    found.retain(|volatile| volatile.gain > 0);
    found
}

struct Piece<'a> {
    section: Option<&'a str>,
    chars: usize,
    cause: Option<Cause>,
}

fn cacheable<'a>(pieces: impl Iterator<Item = &'a Piece<'a>>) -> usize {
    pieces
        .take_while(|piece| piece.cause.is_none())
        .map(|piece| piece.chars)
        .sum()
}

fn cause(span: &PromptSpan, evaluation: &Evaluation) -> Option<Cause> {
    let source = span.source.as_ref()?;
    if span.expression.is_some() {
        Some(Cause::Expression)
    } else if source.variable.is_some() {
        Some(Cause::Variable)
    } else {
        rolled(source, evaluation).then_some(Cause::Random)
    }
}

fn rolled(source: &Source, evaluation: &Evaluation) -> bool {
    let section = evaluation.sections.get(&source.section);
    section.is_some_and(|section| section.origin == Origin::Random)
        || (source.part == crate::hydrate::Part::Scale
            && section.is_some_and(|section| section.slider.origin == Origin::Random))
        || evaluation.arrays.iter().any(|array| {
            array.origin == Origin::Random
                && array.section == source.section
                && array.item == source.item
                && array.field == source.field
        })
}

#[cfg(test)]
mod tests;
