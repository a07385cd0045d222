//! The result of a profile.

use promptdeck_core::hydrate::{HydrateError, Roller, Seed, Segment, variants};
use serde::Serialize;

use super::{
    Pair, ProfilePartial, ProfilePlan, Sameness, SectionCoverage, coverage::coverage, exact,
    pairs::MAX_CELLS, rendering::Rendering, sameness::sameness,
};
use crate::{
    common_start::{CommonStart, EndedBy, StablePrefix},
    distribution::Lengths,
    tally::Occurrences,
    tokens::{NamedTokenizer, TokenMemo},
};

/// What a sample of a deck says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profile {
    /// The first seed.
    pub seed: Seed,
    /// How many rolls were made.
    pub rolls: u64,
    /// Whether these are all that were wanted.
    pub complete: bool,
    /// The route, or none for the registry's own assembly order.
    pub route: Option<String>,
    /// For texts that are Jinja templates: whether all rolls are counted as they are rendered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendered: Option<bool>,
    /// The tokenizer, if tokens were counted.
    pub tokenizer: Option<NamedTokenizer>,
    /// The lengths in Unicode scalar values; none of no rolls.
    pub characters: Option<Lengths>,
    /// The lengths in tokens, if they were counted.
    pub tokens: Option<Lengths>,
    /// What the rolls print of each section, in canonical order.
    pub coverage: Vec<SectionCoverage>,
    /// How often the values of two slots are printed together.
    pub pairs: Vec<Pair>,
    /// What the rolls share from the start; none of no rolls.
    pub prefix: Option<StablePrefix>,
    /// How many different evaluations and texts there are.
    pub sameness: Sameness,
    /// The rolls that print nothing.
    pub empty: Occurrences,
    /// The sections in which a roll found no item that satisfies `requires` and `excludes`.
    pub conflicts: Vec<Conflict>,
    /// What the profile could not do.
    pub notes: Vec<Note>,
}

/// A section in which rolls found no item that satisfies `requires` and `excludes`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conflict {
    /// The section.
    pub section: String,
    /// Which rolls.
    #[serde(flatten)]
    pub rolls: Occurrences,
}

/// What a profile could not do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// No roll prints anything.
    NothingPrinted,
    /// The number of all evaluations is an upper bound.
    EvaluationsBounded,
    /// The number of all evaluations was not counted, as counting was stopped.
    EvaluationsNotCounted,
    /// The number of different texts in the sample is estimated.
    TextsEstimated,
    /// The number of different evaluations in the sample is estimated.
    SampleEvaluationsEstimated,
    /// There are rows that no roll prints, of which the reason was not looked for.
    AbsencesNotExamined {
        /// How many.
        rows: u64,
    },
    /// Pairs with too many combinations were left out.
    PairsTooLarge {
        /// How many pairs.
        pairs: usize,
        /// How many combinations a pair may have.
        limit: usize,
    },
    /// There are rolls that do not render with the arguments given, which are counted unrendered.
    NotRendered {
        /// How many.
        rolls: u64,
        /// The first seed of them.
        seed: Seed,
    },
}

impl ProfilePlan<'_> {
    /// The profile of the rolls made. Counting all evaluations ends once `is_cancelled` returns true.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if the registry has no such route, or the prompt of a roll is too large.
    pub fn profile(
        &self,
        mut partial: ProfilePartial,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Profile, HydrateError> {
        std::mem::take(&mut partial.too_large).into_result()?;
        partial.texts.prune();
        partial.evaluations.prune();
        let mut roller = Roller::new(self.engine, self.state, self.route)?;
        let chances = exact::chances(self.engine, self.state, self.route, &self.rows, &mut roller);
        let (coverage, not_examined) = coverage(self, &partial, &chances);
        let mut memo = self.options.tokenizer.map(TokenMemo::new);
        let common_seed = self.start.seed(self.seed);
        let rendered = Rendering::of(self).and_then(|rendering| rendering.segments(common_seed));
        let roll = roller.roll(common_seed);
        let prefix =
            self.start.report(
                &partial.shared,
                self.seed,
                memo.as_mut(),
                |bytes| match &rendered {
                    Some(segments) => ended_by(segments, bytes),
                    None => {
                        CommonStart::ended_by(roll, bytes, |section| self.name(section).to_owned())
                    }
                },
            );
        let factors = variants::factors_unless(self.engine, &self.call(self.seed), is_cancelled)?;
        let possible = (!is_cancelled()).then(|| variants::product(&factors));
        let pairs = self.pairs.iter().zip(&partial.pairs);
        let pairs = pairs.map(|(pair, counts)| pair.report(counts, self.engine, &self.rows));
        let conflicts = partial.conflicts.iter().enumerate();
        let conflicts = conflicts.filter(|(_, tally)| tally.rolls > 0);
        let mut profile = Profile {
            seed: self.seed,
            rolls: partial.rolls,
            complete: partial.rolls >= self.options.rolls,
            route: self.route.map(str::to_owned),
            rendered: crate::rendered(self.engine.registry())
                .map(|_| self.options.renderer.is_some() && partial.unrendered.rolls == 0),
            tokenizer: self.options.tokenizer.map(NamedTokenizer::of),
            characters: partial.characters.lengths(self.seed),
            tokens: partial
                .tokens
                .as_ref()
                .and_then(|tokens| tokens.lengths(self.seed)),
            coverage,
            pairs: pairs.collect(),
            prefix,
            sameness: sameness(self, &partial, possible),
            empty: partial.empty.among(partial.rolls, self.seed),
            conflicts: conflicts
                .map(|(section, tally)| Conflict {
                    section: self.name(section).to_owned(),
                    rolls: tally.among(partial.rolls, self.seed),
                })
                .collect(),
            notes: Vec::new(),
        };
        let unrendered = partial.unrendered.among(partial.rolls, self.seed);
        profile.notes = self.notes(&profile, not_examined, unrendered);
        Ok(profile)
    }

    fn notes(&self, profile: &Profile, not_examined: u64, unrendered: Occurrences) -> Vec<Note> {
        let sameness = &profile.sameness;
        let left_out = self.options.pairs.len() - self.pairs.len();
        let bounded = sameness.possible.as_ref().is_some_and(|count| !count.exact);
        let notes = [
            (profile.rolls > 0 && profile.empty.rolls == profile.rolls)
                .then_some(Note::NothingPrinted),
            bounded.then_some(Note::EvaluationsBounded),
            sameness
                .possible
                .is_none()
                .then_some(Note::EvaluationsNotCounted),
            (!sameness.texts.exact).then_some(Note::TextsEstimated),
            (!sameness.evaluations.exact).then_some(Note::SampleEvaluationsEstimated),
            (not_examined > 0).then_some(Note::AbsencesNotExamined { rows: not_examined }),
            (left_out > 0).then_some(Note::PairsTooLarge {
                pairs: left_out,
                limit: MAX_CELLS,
            }),
            unrendered.seed.map(|seed| Note::NotRendered {
                rolls: unrendered.rolls,
                seed,
            }),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// The place that prints the text behind so many bytes of a rendered prompt.
fn ended_by(segments: &[Segment], bytes: usize) -> Option<EndedBy> {
    let mut end = 0;
    let source = segments.iter().find_map(|segment| {
        end += segment.text.len();
        segment.source.as_ref().filter(|_| end > bytes)
    })?;
    Some(EndedBy {
        section: source.section.to_string(),
        field: crate::impact::field_of(source.part, &source.field).to_owned(),
    })
}
