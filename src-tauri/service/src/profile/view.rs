//! A profile as the page shows it.

use promptdeck_core::hydrate::{Call, Engine, Seed};
use promptdeck_core::registry::{Item, Section};
use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_population::profile::{self, Pair, SectionCoverage, Slot};
use promptdeck_population::{Distinct, PrefixLevel, RowKind, distribution};

use super::absence;
use crate::saturating::saturating_u32;
use crate::wire::{self, CoverageKind};

/// The deck of a profile, in which names are looked up.
pub(crate) struct ProfileContext<'a> {
    pub engine: &'a Engine,
    pub call: &'a Call<'a>,
    pub counter: &'a dyn TokenCounter,
}

impl ProfileContext<'_> {
    /// The entry of the assembly order in use at a position.
    pub(super) fn token(&self, position: usize) -> &str {
        let order = self.engine.registry().assembly_order_of(self.call.route);
        order.get(position).map_or("its entry", String::as_str)
    }

    fn section(&self, name: &str) -> Option<&Section> {
        self.engine.registry().section(name).map(AsRef::as_ref)
    }
}

/// A number with a sign, at the end of the range if it is beyond it.
pub(crate) fn signed(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// The bars of a histogram for the page.
pub(crate) fn bars(bars: &[distribution::Bar]) -> Vec<wire::ProfileBar> {
    let bar = |bar: &distribution::Bar| wire::ProfileBar {
        from: signed(bar.from),
        to: signed(bar.to),
        rolls: saturating_u32(bar.rolls),
    };
    bars.iter().map(bar).collect()
}

/// The profile for the page.
pub(crate) fn view(profile: profile::Profile, context: &ProfileContext<'_>) -> wire::Profile {
    let prefix = profile
        .prefix
        .as_ref()
        .map(|stable_prefix| prefix(stable_prefix, context));
    wire::Profile {
        seed: profile.seed.get(),
        rolls: saturating_u32(profile.rolls),
        complete: profile.complete,
        rendered: profile.rendered,
        tokenizer: context.counter.name().to_owned(),
        exact: profile.tokenizer.is_some_and(|tokenizer| tokenizer.exact),
        tokens: profile.tokens.as_ref().map(lengths),
        characters: profile.characters.as_ref().map(lengths),
        coverage: profile
            .coverage
            .iter()
            .map(|section| coverage(section, context))
            .collect(),
        pair: profile.pairs.into_iter().next().map(pair),
        prefix,
        texts: distinct(profile.sameness.texts),
        evaluations: distinct(profile.sameness.evaluations),
        same_text: profile
            .sameness
            .same
            .map(|same| saturating_u32(same.evaluations)),
        empty: saturating_u32(profile.empty.rolls),
        conflicts: profile
            .conflicts
            .into_iter()
            .map(|conflict| wire::ProfileConflict {
                section: conflict.section,
                rolls: saturating_u32(conflict.rolls.rolls),
                seed: conflict.rolls.seed.map(Seed::get),
            })
            .collect(),
    }
}

pub(crate) fn distinct(number: Distinct) -> wire::DistinctCount {
    wire::DistinctCount {
        count: saturating_u32(number.estimate),
        exact: number.exact,
    }
}

fn lengths(token_lengths: &distribution::Lengths) -> wire::ProfileLengths {
    // Lengths are never negative.
    let length = |number: i64| saturating_u32(number.max(0));
    let distribution = &token_lengths.distribution;
    wire::ProfileLengths {
        min: length(distribution.min),
        p5: length(distribution.p5),
        median: length(distribution.median),
        p95: length(distribution.p95),
        max: length(distribution.max),
        min_seed: token_lengths.min_seed.get(),
        max_seed: token_lengths.max_seed.get(),
        bars: bars(&distribution.bars),
        over_budget: token_lengths.over_budget.map(|over| wire::OverBudget {
            budget: saturating_u32(over.budget),
            rolls: saturating_u32(over.rolls),
            share: over.share,
        }),
    }
}

fn coverage(
    section_coverage: &SectionCoverage,
    context: &ProfileContext<'_>,
) -> wire::CoverageSection {
    let section = context.section(&section_coverage.section);
    let mut of_item = String::new();
    let row = |row: &profile::CoverageRow| {
        if row.kind == RowKind::Item {
            of_item.clone_from(&row.label);
        }
        let item = section.zip(row.item);
        let item = item.and_then(|(section, item)| section.items().get(item));
        wire::CoverageRow {
            kind: kind(&row.kind),
            item: row.item.map(saturating_u32),
            name: name(&row.kind, &of_item, item.map(AsRef::as_ref)),
            label: row.label.clone(),
            rolls: saturating_u32(row.rolls),
            share: row.share,
            low: row.low,
            high: row.high,
            chance: row.chance,
            absence: row
                .absence
                .as_ref()
                .map(|proven| absence::of(proven, context)),
        }
    };
    wire::CoverageSection {
        items: saturating_u32(section.map_or(0, |section| section.items().len())),
        rolled: section_coverage.rolled,
        rows: section_coverage.rows.iter().map(row).collect(),
        section: section_coverage.section.clone(),
    }
}

fn kind(kind: &RowKind) -> CoverageKind {
    match kind {
        RowKind::Item => CoverageKind::Item,
        RowKind::Text { field } => CoverageKind::Text {
            field: field.clone(),
        },
        RowKind::Entry { field, entry } => CoverageKind::Entry {
            field: field.clone(),
            entry: saturating_u32(*entry),
        },
        RowKind::Fragment { fragment } => CoverageKind::Fragment {
            fragment: saturating_u32(*fragment),
        },
        RowKind::Slider { value } => CoverageKind::Slider {
            value: u32::try_from(*value).unwrap_or_default(),
        },
    }
}

/// The name of a row, after the name of its item.
fn name(kind: &RowKind, of_item: &str, item: Option<&Item>) -> String {
    match kind {
        RowKind::Item => of_item.to_owned(),
        RowKind::Text { field } => format!("{of_item}.{field}"),
        RowKind::Entry { field, entry } => format!("{of_item}.{field}[{entry}]"),
        RowKind::Fragment { fragment } => {
            let fragment_of =
                |item: &Item| item.fragments().nth(*fragment)?.if_var.map(str::to_owned);
            match item.and_then(fragment_of) {
                Some(variable) => format!("{of_item}, if {variable}"),
                None => format!("{of_item}.fragments[{fragment}]"),
            }
        }
        RowKind::Slider { value } => format!("slider {value}"),
    }
}

fn slot(slot: &Slot) -> wire::ProfileSlot {
    wire::ProfileSlot {
        section: slot.section().to_owned(),
        slider: matches!(slot, Slot::Slider { .. }),
    }
}

fn pair(pair: Pair) -> wire::ProfilePair {
    let impossible = pair.impossible.iter().filter_map(|cell| {
        let first = cell.because.first()?;
        let words: Vec<String> = cell.because.iter().map(absence::cause).collect();
        Some(wire::ImpossiblePair {
            row: saturating_u32(cell.line),
            column: saturating_u32(cell.column),
            words: words.join("; "),
            section: first.section.clone(),
            item: saturating_u32(first.item),
        })
    });
    wire::ProfilePair {
        first: slot(&pair.first),
        second: slot(&pair.second),
        impossible: impossible.collect(),
        rows: pair.first_values,
        columns: pair.second_values,
        rolls: pair
            .rolls
            .iter()
            .map(|row| row.iter().copied().map(saturating_u32).collect())
            .collect(),
    }
}

fn prefix(
    stable_prefix: &promptdeck_population::StablePrefix,
    context: &ProfileContext<'_>,
) -> wire::StablePrefix {
    wire::StablePrefix {
        all: level(&stable_prefix.all),
        most: level(&stable_prefix.most),
        half: level(&stable_prefix.half),
        curve: stable_prefix
            .curve
            .iter()
            .map(|point| wire::PrefixPoint {
                tokens: saturating_u32(point.tokens.unwrap_or(point.characters)),
                share: point.share,
            })
            .collect(),
        sections: sections(stable_prefix, context),
    }
}

fn level(level: &PrefixLevel) -> wire::PrefixLevel {
    wire::PrefixLevel {
        tokens: saturating_u32(level.tokens.unwrap_or_default()),
        characters: saturating_u32(level.characters),
        section: level.ended_by.as_ref().map(|source| source.section.clone()),
        field: level.ended_by.as_ref().map(|source| source.field.clone()),
    }
}

/// The sections along the most common start, each with the tokens up to its end.
fn sections(
    stable_prefix: &promptdeck_population::StablePrefix,
    context: &ProfileContext<'_>,
) -> Vec<wire::PrefixSection> {
    let call = Call {
        seed: stable_prefix.seed,
        ..*context.call
    };
    let Ok(hydration) = context.engine.hydrate(&call) else {
        return Vec::new();
    };
    let mut ends: Vec<(&str, usize)> = Vec::new();
    let mut end = 0;
    for segment in &hydration.segments {
        end += segment.text.len();
        // Glue belongs to the section before it.
        let section = segment.source.as_ref().map(|source| &*source.section);
        match (ends.last_mut(), section) {
            (Some(last), None) => last.1 = end,
            (Some(last), Some(section)) if last.0 == section => last.1 = end,
            (_, Some(section)) => ends.push((section, end)),
            (None, None) => {}
        }
    }
    ends.into_iter()
        .map(|(section, end)| {
            let text = hydration.text.get(..end).unwrap_or(&hydration.text);
            wire::PrefixSection {
                section: section.to_owned(),
                tokens: saturating_u32(context.counter.count(text).tokens),
            }
        })
        .collect()
}
