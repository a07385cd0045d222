//! The words of a profile, the same in text and in HTML: names of rows, reasons, notes, sameness.

use promptdeck_core::{
    hydrate::{Incompatibility, Relation},
    plural::plural,
    unprinted::only_routes,
};
use promptdeck_population::{
    Distinct, EndedBy, PrefixLevel, RowKind,
    profile::{Absence, CoverageRow, Note, Profile, SectionCoverage, Slot},
};

use crate::{
    plots::{grouped, percent},
    rendering::UNRENDERED,
};

/// The rows of a section with their names, rare and missing ones first.
pub fn named_rows(section: &SectionCoverage) -> Vec<(String, &CoverageRow)> {
    let mut item = String::new();
    let mut rows: Vec<(String, &CoverageRow)> = Vec::new();
    for row in &section.rows {
        let name = match &row.kind {
            RowKind::Item => {
                item.clone_from(&row.label);
                item.clone()
            }
            RowKind::Text { field } => format!("{item}.{field}"),
            RowKind::Entry { field, entry } => {
                format!("{item}.{field}[{entry}]: {}", row.label)
            }
            RowKind::Fragment { fragment } => {
                format!("{item}.fragments[{fragment}]: {}", row.label)
            }
            RowKind::Slider { value } => format!("slider at {value}"),
        };
        rows.push((name, row));
    }
    rows.sort_by_key(|(_, row)| row.rolls);
    rows
}

/// Why something is not printed.
pub fn reason(absence: &Absence) -> String {
    match absence {
        Absence::NotInAssembly {
            token: Some(token), ..
        } => {
            format!("no entry of the assembly order prints it; {token:?} would")
        }
        Absence::NotInAssembly { .. } => "no entry of the assembly order prints it".to_owned(),
        Absence::OtherRoute { routes } => only_routes(routes),
        Absence::Filtered { by } => {
            format!("left out by active injections: {}", by.join(", "))
        }
        Absence::Mode { mode } => format!("left out by the mode {mode:?} of its list"),
        Absence::Condition { variable } => {
            format!("the variable {variable:?} of its condition has no value")
        }
        Absence::Dropped { token, .. } => {
            format!("entry {} of the assembly order prints nothing", token + 1)
        }
        Absence::Replaced => {
            "another text is printed in its place, or nothing is left of it".to_owned()
        }
        Absence::NeverSelected => "its item is neither selected nor rolled".to_owned(),
        Absence::SameIdentity { item } => {
            format!(
                "item {} has the same identity and is chosen instead",
                item + 1
            )
        }
        Absence::Excluded { because } => format!(
            "cannot be rolled with what is always chosen: {}",
            causes(because)
        ),
        Absence::Weightless => "weight 0: it is rolled only where no other item can be".to_owned(),
        Absence::NotRolled => "possible, but not rolled in this sample".to_owned(),
        Absence::NotExamined => "reason not determined".to_owned(),
        _ => "not printed".to_owned(),
    }
}

/// The entries that forbid a combination.
pub fn causes(because: &[Incompatibility]) -> String {
    let causes: Vec<String> = because
        .iter()
        .map(|pair| {
            let item = pair
                .id
                .clone()
                .unwrap_or_else(|| format!("item {}", pair.item + 1));
            let relation = match pair.relation {
                Relation::Requires => "requires",
                Relation::Excludes => "excludes",
            };
            format!("{}.{item} {relation} {}", pair.section, pair.reference)
        })
        .collect();
    causes.join("; ")
}

/// A number of different things.
pub fn distinct(number: Distinct) -> String {
    match number.exact {
        true => grouped(number.estimate),
        false => format!(
            "about {} (at least {})",
            grouped(number.estimate),
            grouped(number.at_least)
        ),
    }
}

/// How many evaluations and texts there are, a line each.
pub fn sameness(profile: &Profile) -> Vec<String> {
    let sameness = &profile.sameness;
    let mut lines = Vec::new();
    if let Some(count) = &sameness.possible {
        let bound = if count.exact { "" } else { "at most " };
        lines.push(match count.ordered == count.unordered {
            true => format!("possible evaluations: {bound}{}", count.ordered),
            false => format!(
                "possible evaluations: {bound}{}, or {} when the order of shuffled entries does not count",
                count.ordered, count.unordered
            ),
        });
    }
    lines.push(format!(
        "evaluations in the sample: {}",
        distinct(sameness.evaluations)
    ));
    lines.push(format!("texts in the sample: {}", distinct(sameness.texts)));
    if let Some(same) = &sameness.same {
        let mut line = match same.evaluations {
            0 => "no two evaluations print the same text".to_owned(),
            number => format!(
                "{} evaluations print the same text as another: {}",
                grouped(number),
                plural(usize::try_from(same.texts).unwrap_or(usize::MAX), "text")
            ),
        };
        if let Some(seeds) = same.examples.first() {
            let seeds: Vec<String> = seeds.iter().map(ToString::to_string).collect();
            line.push_str(&format!(", such as seeds {}", seeds.join(", ")));
        }
        lines.push(line);
    }
    if let Some(most) = sameness.most_frequent.filter(|most| most.rolls > 1)
        && let Some(seed) = most.seed
    {
        lines.push(format!(
            "most frequent text: {} ({}), seed {seed}",
            plural(usize::try_from(most.rolls).unwrap_or(usize::MAX), "roll"),
            percent(most.share)
        ));
    }
    lines
}

/// What the profile could not do, and what is wrong with the rolls, a line each.
pub fn remarks(profile: &Profile) -> Vec<String> {
    let is_partly = |note: &Note| matches!(note, Note::NotRendered { .. });
    let unrendered = profile.rendered == Some(false) && !profile.notes.iter().any(is_partly);
    let unrendered = unrendered.then(|| UNRENDERED.to_owned());
    let mut lines: Vec<String> = unrendered.into_iter().collect();
    lines.extend(profile.notes.iter().map(note));
    if profile.empty.rolls > 0
        && profile.empty.rolls < profile.rolls
        && let Some(seed) = profile.empty.seed
    {
        lines.push(format!(
            "{} of the rolls print nothing, the first with seed {seed}",
            percent(profile.empty.share)
        ));
    }
    for conflict in &profile.conflicts {
        let seed = conflict
            .rolls
            .seed
            .map(|seed| seed.to_string())
            .unwrap_or_default();
        lines.push(format!(
            "in {} of the rolls no item of {:?} satisfies requires and excludes, the first with seed {seed}",
            percent(conflict.rolls.share),
            conflict.section
        ));
    }
    lines
}

fn note(note: &Note) -> String {
    match note {
        Note::NothingPrinted => "no roll prints anything: `promptdeck hydrate --explain` shows why".to_owned(),
        Note::EvaluationsBounded => {
            "there are too many evaluations to count exactly: their number is an upper bound".to_owned()
        }
        Note::EvaluationsNotCounted => "the possible evaluations were not counted".to_owned(),
        Note::TextsEstimated => {
            "there are too many different texts to count exactly: their number is an estimate".to_owned()
        }
        Note::SampleEvaluationsEstimated => {
            "there are too many different evaluations in the sample to count exactly: their number is an estimate".to_owned()
        }
        Note::AbsencesNotExamined { rows } => format!(
            "the reason was not determined for {} that no roll prints",
            plural(usize::try_from(*rows).unwrap_or(usize::MAX), "text")
        ),
        Note::PairsTooLarge { pairs, limit } => format!(
            "{} with more than {} combinations left out",
            plural(*pairs, "pair"),
            grouped(*limit as u64)
        ),
        Note::NotRendered { rolls, seed } => format!(
            "{} not rendered with the arguments of the call, the first with seed {seed}; counted as \
             templates",
            plural(usize::try_from(*rolls).unwrap_or(usize::MAX), "roll")
        ),
        _ => "something was left out".to_owned(),
    }
}

/// A slot by name.
pub fn slot(slot: &Slot) -> String {
    match slot {
        Slot::Item { section } => section.clone(),
        Slot::Slider { section } => format!("{section}:slider"),
    }
}

/// A level of the stable prefix.
pub fn level(level: &PrefixLevel) -> String {
    let mut text = format!("{} characters", grouped(level.characters));
    if let Some(tokens) = level.tokens {
        text = format!("{} tokens, {text}", grouped(tokens));
    }
    match &level.ended_by {
        Some(EndedBy { section, field }) => format!("{text}; then {section}.{field}"),
        None => format!("{text}; the whole prompt"),
    }
}
