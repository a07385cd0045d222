//! The result of a comparison.

use promptdeck_core::hydrate::{HydrateError, Roller, Seed};
use serde::Serialize;

use super::{
    Change, ChangedPlace, ImpactPartial, ImpactPlan, Problems, Side, parts::Versions, problems,
    worker::SideCounts,
};
use crate::{
    common_start::{CommonStart, StablePrefix},
    distinct::Distinct,
    distribution::{ChangeCounts, Distribution},
    tally::Occurrences,
    tokens::{NamedTokenizer, TokenMemo},
};

/// The bytes of the prompts listed, together, beyond the first change.
const MAX_LISTED_BYTES: usize = 2 << 20;

/// What changes between two versions in the same rolls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Impact {
    /// The first seed.
    pub seed: Seed,
    /// How many rolls were compared.
    pub rolls: u64,
    /// Whether these are all that were wanted.
    pub complete: bool,
    /// False if the texts of a version are Jinja templates, which are compared unrendered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rendered: Option<bool>,
    /// How many rolls have the same text in both.
    pub identical: u64,
    /// The rolls whose text changes.
    pub changed: Occurrences,
    /// The sections whose text changes, by falling share.
    pub sections: Vec<ChangedSection>,
    /// The rolls in which no text of a section changes, but the order or the white space.
    pub order_only: Occurrences,
    /// How the length of the changed prompts changes, in Unicode scalar values; none without any.
    pub characters: Option<Distribution>,
    /// How it changes in tokens, if they were counted.
    pub tokens: Option<Distribution>,
    /// The tokenizer, if tokens were counted.
    pub tokenizer: Option<NamedTokenizer>,
    /// The rolls that cross the budget, if one is set.
    pub budget: Option<BudgetCrossings>,
    /// Problems that appear and go.
    pub problems: Problems,
    /// The old version.
    pub before: SideReport,
    /// The new version.
    pub after: SideReport,
    /// How many different changes there are.
    pub different_changes: Distinct,
    /// The largest changes, most different first.
    pub changes: Vec<Change>,
}

/// A section whose text changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedSection {
    /// The section.
    pub section: String,
    /// In which rolls.
    #[serde(flatten)]
    pub rolls: Occurrences,
    /// Its fields whose text changes, by falling share.
    pub fields: Vec<ChangedField>,
}

/// A field whose text changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedField {
    /// The field; `fragments`, `scale` and `pre_context` for fragments, sliders and headings.
    pub field: String,
    /// In which rolls.
    #[serde(flatten)]
    pub rolls: Occurrences,
}

/// How many rolls change and how their length does: the part of an [`Impact`] that takes no time to
/// report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactSummary {
    /// How many rolls were compared.
    pub rolls: u64,
    /// The rolls whose text changes.
    pub changed: Occurrences,
    /// How the length of the changed prompts changes in tokens, if they were counted.
    pub tokens: Option<Distribution>,
}

/// Rolls that are over a budget in one version only.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetCrossings {
    /// The budget.
    pub budget: u64,
    /// Over it in the new version only.
    pub above: Occurrences,
    /// Over it in the old version only.
    pub below: Occurrences,
}

/// One of the versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideReport {
    /// The route, or none for the registry's own assembly order.
    pub route: Option<String>,
    /// What the rolls share from the start; none of no rolls.
    pub prefix: Option<StablePrefix>,
    /// The rolls that print nothing.
    pub empty: Occurrences,
    /// The rolls in which a section has no item that satisfies `requires` and `excludes`.
    pub conflicts: Occurrences,
}

impl ImpactPlan<'_> {
    /// The impact in the rolls made.
    ///
    /// # Errors
    ///
    /// [`HydrateError`] if a registry has no such route, or the prompt of a roll is too large.
    pub fn impact(&self, mut partial: ImpactPartial) -> Result<Impact, HydrateError> {
        std::mem::take(&mut partial.too_large).into_result()?;
        partial.different.prune();
        let seed = self.options.seed;
        let among = |tally: crate::tally::Tally| tally.among(partial.rolls, seed);
        Ok(Impact {
            seed,
            rolls: partial.rolls,
            complete: partial.rolls >= self.options.rolls,
            rendered: crate::rendered(self.old.engine.registry())
                .or_else(|| crate::rendered(self.new.engine.registry())),
            identical: partial.rolls - partial.changed.rolls,
            changed: among(partial.changed),
            sections: self.sections(&partial),
            order_only: among(partial.order),
            characters: partial.characters.distribution(),
            tokens: partial.tokens.as_ref().and_then(ChangeCounts::distribution),
            tokenizer: self.options.tokenizer.map(NamedTokenizer::of),
            budget: self.options.budget.map(|budget| BudgetCrossings {
                budget,
                above: among(partial.above),
                below: among(partial.below),
            }),
            problems: problems(self.old, self.new, self.state),
            before: self.side(&self.old, &self.old_start, &partial.old, partial.rolls)?,
            after: self.side(&self.new, &self.new_start, &partial.new, partial.rolls)?,
            different_changes: partial.different.distinct(),
            changes: self.changes(&partial)?,
        })
    }

    /// The summary of the rolls made.
    #[must_use]
    pub fn summary(&self, partial: &ImpactPartial) -> ImpactSummary {
        ImpactSummary {
            rolls: partial.rolls,
            changed: partial.changed.among(partial.rolls, self.options.seed),
            tokens: partial.tokens.as_ref().and_then(ChangeCounts::distribution),
        }
    }

    fn sections(&self, partial: &ImpactPartial) -> Vec<ChangedSection> {
        let among = |tally: crate::tally::Tally| tally.among(partial.rolls, self.options.seed);
        let changed = partial.sections.iter().enumerate();
        let changed = changed.filter(|(_, tally)| tally.rolls > 0);
        let mut sections: Vec<ChangedSection> = changed
            .map(|(position, tally)| {
                let section_fields = partial.fields.get(&position).into_iter().flatten();
                let mut fields: Vec<ChangedField> = section_fields
                    .map(|(field, tally)| ChangedField {
                        field: field.to_string(),
                        rolls: among(*tally),
                    })
                    .collect();
                fields.sort_by_key(|field| std::cmp::Reverse(field.rolls.rolls));
                ChangedSection {
                    section: self.name(position),
                    rolls: among(*tally),
                    fields,
                }
            })
            .collect();
        sections.sort_by_key(|section| std::cmp::Reverse(section.rolls.rolls));
        sections
    }

    fn name(&self, section: usize) -> String {
        self.sections
            .get(section)
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    fn side(
        &self,
        side: &Side<'_>,
        start: &CommonStart,
        counts: &SideCounts,
        rolls: u64,
    ) -> Result<SideReport, HydrateError> {
        let mut roller = Roller::new(side.engine, self.state, side.route)?;
        let mut memo = self.options.tokenizer.map(TokenMemo::new);
        let seed = self.options.seed;
        let name = |section: usize| {
            let section = side.engine.registry().sections().get_index(section);
            section.map_or_else(String::new, |(name, _)| name.clone())
        };
        let roll = roller.roll(start.seed(seed));
        Ok(SideReport {
            route: side.route.map(str::to_owned),
            prefix: start.report(&counts.shared, seed, memo.as_mut(), |bytes| {
                CommonStart::ended_by(roll, bytes, name)
            }),
            empty: counts.empty.among(rolls, seed),
            conflicts: counts.conflicts.among(rolls, seed),
        })
    }

    fn changes(&self, partial: &ImpactPartial) -> Result<Vec<Change>, HydrateError> {
        let mut old = Roller::new(self.old.engine, self.state, self.old.route)?;
        let mut new = Roller::new(self.new.engine, self.state, self.new.route)?;
        let mut versions = Versions::default();
        let mut changes = Vec::new();
        let mut bytes = 0;
        for (size, tally) in partial.changes.sorted() {
            let Some(first) = tally.first() else {
                continue;
            };
            let seed = self.options.seed.after(first);
            let (old, new) = (old.roll(seed), new.roll(seed));
            bytes += old.text.len() + new.text.len();
            if bytes > MAX_LISTED_BYTES && !changes.is_empty() {
                break;
            }
            let places = versions.differences(self.numbered(old, new));
            changes.push(Change {
                seed,
                rolls: tally.rolls,
                size,
                places: places
                    .map(|(section, field, _, _)| ChangedPlace {
                        section: self.name(section),
                        field: field.to_owned(),
                    })
                    .collect(),
                before: old.text.to_owned(),
                after: new.text.to_owned(),
            });
        }
        Ok(changes)
    }
}
