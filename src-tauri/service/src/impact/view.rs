//! An impact as the page shows it.

use std::time::Duration;

use promptdeck_core::hydrate::{Engine, Entries as _, Seed, entry_fault};
use promptdeck_model::tokenizer::TokenCounter;
use promptdeck_population::distribution::Distribution;
use promptdeck_population::impact::{self, SideReport};

use super::{NamedEngine, RolledCall, rolled_route};
use crate::analysis::note;
use crate::diff::text;
use crate::profile::{bars, distinct, signed};
use crate::rolled::picks;
use crate::saturating::saturating_u32;
use crate::snapshots::Contents;
use crate::wire::{self, DiagnosticNote, SnapshotChange};

fn tokens(text: &str, counter: &dyn TokenCounter) -> u32 {
    saturating_u32(counter.count(text).tokens)
}

/// The impact for the page.
pub(crate) fn view(
    impact: impact::Impact,
    [before, after]: [&NamedEngine; 2],
    call: &RolledCall,
    counter: &dyn TokenCounter,
    elapsed: Duration,
) -> wire::Impact {
    let problems = |found: Vec<_>| -> Vec<DiagnosticNote> {
        found.into_iter().map(|each| note(each, None)).collect()
    };
    let sections = impact.sections.into_iter().map(|section| {
        let fields = section.fields.into_iter().map(|field| wire::ImpactField {
            field: field.field,
            rolls: saturating_u32(field.rolls.rolls),
            share: field.rolls.share,
        });
        wire::ImpactSection {
            section: section.section,
            rolls: saturating_u32(section.rolls.rolls),
            share: section.rolls.share,
            fields: fields.collect(),
        }
    });
    let changes = impact
        .changes
        .iter()
        .map(|changed| change(changed, after, &call.of_version(after), counter));
    wire::Impact {
        route: rolled_route([before, after]),
        seed: impact.seed.get(),
        rolls: saturating_u32(impact.rolls),
        complete: impact.complete,
        elapsed: saturating_u32(elapsed.as_millis()),
        tokenizer: counter.name().to_owned(),
        exact: impact.tokenizer.is_some_and(|tokenizer| tokenizer.exact),
        identical: saturating_u32(impact.identical),
        changed: saturating_u32(impact.changed.rolls),
        share: impact.changed.share,
        sections: sections.collect(),
        order_only: saturating_u32(impact.order_only.rolls),
        tokens: impact.tokens.as_ref().map(length_change),
        budget: impact.budget.map(|crossing| wire::BudgetCrossing {
            budget: saturating_u32(crossing.budget),
            above: saturating_u32(crossing.above.rolls),
            above_seed: crossing.above.seed.map(Seed::get),
            below: saturating_u32(crossing.below.rolls),
            below_seed: crossing.below.seed.map(Seed::get),
        }),
        added: problems(impact.problems.added),
        removed: problems(impact.problems.removed),
        before: version(before, &impact.before),
        after: version(after, &impact.after),
        different_changes: distinct(impact.different_changes),
        changes: changes.collect(),
    }
}

fn length_change(distribution: &Distribution) -> wire::LengthChange {
    wire::LengthChange {
        min: signed(distribution.min),
        p5: signed(distribution.p5),
        median: signed(distribution.median),
        p95: signed(distribution.p95),
        max: signed(distribution.max),
        bars: bars(&distribution.bars),
    }
}

fn version(version: &NamedEngine, report: &SideReport) -> wire::ImpactVersion {
    let prefix = report.prefix.as_ref();
    wire::ImpactVersion {
        name: version.name.clone(),
        prefix: prefix.map(|prefix| saturating_u32(prefix.all.tokens.unwrap_or_default())),
        empty: saturating_u32(report.empty.rolls),
        conflicts: saturating_u32(report.conflicts.rolls),
    }
}

fn change(
    prompt_change: &impact::Change,
    after: &NamedEngine,
    call: &RolledCall,
    counter: &dyn TokenCounter,
) -> wire::ImpactChange {
    let places = prompt_change.places.iter().map(|place| wire::ImpactPlace {
        section: place.section.clone(),
        field: place.field.clone(),
    });
    wire::ImpactChange {
        seed: prompt_change.seed.get(),
        rolls: saturating_u32(prompt_change.rolls),
        size: saturating_u32(prompt_change.size),
        places: places.collect(),
        picks: picks(&after.engine, &call.with_seed(prompt_change.seed)),
        before: tokens(&prompt_change.before, counter),
        after: tokens(&prompt_change.after, counter),
    }
}

/// What the edited registry makes of a snapshot; `None` if it prints the same. The diff is left out
/// unless it is wanted.
pub(crate) fn snapshot(
    contents: &Contents,
    saved: &Engine,
    edited: &Engine,
    counter: &dyn TokenCounter,
    with_diff: bool,
) -> Option<SnapshotChange> {
    let call = RolledCall {
        state: contents.state.clone(),
        route: contents.route.clone(),
    };
    let call = call.with_seed(contents.seed);
    let before = saved.hydrate_text(&call).unwrap_or_default();
    let row = |problem, after: Option<u32>, parts| SnapshotChange {
        id: saturating_u32(contents.summary.id),
        name: contents.summary.name.clone(),
        problem,
        before: tokens(&before, counter),
        after,
        parts,
    };
    let after = match edited.hydrate_text(&call) {
        Ok(after) => after,
        Err(fault) => return Some(row(Some(fault.to_string()), None, Vec::new())),
    };
    // What the snapshot sets is gone, which its own registry had.
    let lost = contents.state.entries().find_map(|entry| {
        let known = entry_fault(saved.registry(), entry).is_none();
        let fault = entry_fault(edited.registry(), entry)?;
        known.then_some(fault.message)
    });
    if let Some(problem) = lost {
        return Some(row(Some(problem), None, Vec::new()));
    }
    if after == before {
        return None;
    }
    let parts = with_diff.then(|| text::words(&before, &after));
    let after = tokens(&after, counter);
    Some(row(None, Some(after), parts.unwrap_or_default()))
}
