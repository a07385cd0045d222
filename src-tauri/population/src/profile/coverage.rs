//! What the rolls of a sample print of each section.

use serde::Serialize;

use super::{Absence, ProfilePartial, ProfilePlan, absence::Absences};
use crate::{
    interval::wilson,
    rows::{Row, RowKind},
    tally::share,
};

/// What a sample prints of a section.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SectionCoverage {
    /// The section.
    pub section: String,
    /// Whether exactly one item is always chosen.
    pub required: bool,
    /// Whether its item is rolled.
    pub rolled: bool,
    /// Its items, texts, entries, fragments and slider positions, as authored. Blank ones are left
    /// out.
    pub rows: Vec<CoverageRow>,
}

/// Something that a roll prints or does not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverageRow {
    /// What it is.
    #[serde(flatten)]
    pub kind: RowKind,
    /// The item's position in its section; sliders have none.
    pub item: Option<usize>,
    /// The beginning of its text, or the item's identity.
    pub label: String,
    /// How many rolls print it.
    pub rolls: u64,
    /// What share of the rolls that is, from 0 to 1.
    pub share: f64,
    /// The lower end of the 99 % interval of the share.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The exact chance to be printed, where picks are independent of each other.
    pub chance: Option<f64>,
    /// Why no roll prints it.
    pub absence: Option<Absence>,
}

/// The coverage in canonical order of the sections, and how many reasons were not looked for.
pub(super) fn coverage(
    plan: &ProfilePlan<'_>,
    partial: &ProfilePartial,
    chances: &[Option<f64>],
) -> (Vec<SectionCoverage>, u64) {
    let registry = plan.engine.registry();
    let mut absences = Absences::new(plan, partial);
    let mut by_section: Vec<Vec<CoverageRow>> = vec![Vec::new(); registry.sections().len()];
    for (position, row) in plan.rows.all().iter().enumerate() {
        let Some(rows) = by_section.get_mut(row.section).filter(|_| !row.blank) else {
            continue;
        };
        let rolls = partial.printed.get(position).copied().unwrap_or_default();
        let chance = chances.get(position).copied().flatten();
        let absence = (rolls == 0).then(|| absences.of(row));
        rows.push(coverage_row(row, rolls, partial.rolls, chance, absence));
    }
    let sections = registry.canonical_sections().filter_map(|section| {
        let position = registry.sections().get_index_of(section.name())?;
        let settings = plan.engine.settings(section.name(), plan.state);
        Some(SectionCoverage {
            section: section.name().to_owned(),
            required: section.required(),
            rolled: settings.is_some_and(|settings| settings.rolled),
            rows: std::mem::take(by_section.get_mut(position)?),
        })
    });
    (sections.collect(), absences.not_examined)
}

fn coverage_row(
    row: &Row,
    rolls: u64,
    all: u64,
    chance: Option<f64>,
    absence: Option<Absence>,
) -> CoverageRow {
    let (low, high) = wilson(rolls, all);
    CoverageRow {
        kind: row.kind.clone(),
        item: row.item,
        label: row.label.clone(),
        rolls,
        share: share(rolls, all),
        low,
        high,
        chance,
        absence,
    }
}
