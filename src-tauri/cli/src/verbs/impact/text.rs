//! A comparison as text with plots.

use promptdeck_population::impact::Impact;
use promptdeck_service::wire::PartKind;

use super::{diff, words};
use crate::{
    plots::{Ink, grouped, percent, rolls},
    report::{self, Report},
};

/// Columns of a bar.
const BAR: usize = 30;

/// Changes that are shown.
const MAX_CHANGES: usize = 3;

/// The comparison.
pub fn report((old, new): &(String, String), impact: &Impact, ink: Ink) -> Report {
    let mut report = Report::default();
    report.row(format_args!("{old} to {new}: {}", words::summary(impact)));
    for line in words::facts(impact) {
        report.row(format_args!("  {line}"));
    }
    for (mark, problems) in [
        ("new problem", &impact.problems.added),
        ("solved", &impact.problems.removed),
    ] {
        for problem in problems {
            report.row(format_args!("  {mark}: {}", problem.message));
        }
    }
    if !impact.sections.is_empty() {
        report.gap();
        report.row("changed rolls by section and field");
    }
    for section in &impact.sections {
        row(&mut report, &section.section, section.rolls.share, ink);
        for field in &section.fields {
            row(
                &mut report,
                &format!("  .{}", field.field),
                field.rolls.share,
                ink,
            );
        }
    }
    let changed = [
        ("tokens", &impact.tokens),
        ("characters", &impact.characters),
    ];
    for (unit, distribution) in changed {
        let Some(distribution) = distribution else {
            continue;
        };
        report.gap();
        let of = match &impact.tokenizer {
            Some(tokenizer) if unit == "tokens" => format!("tokens ({})", tokenizer.name),
            _ => unit.to_owned(),
        };
        report.row(format_args!(
            "change of the changed prompts in {of}: {}",
            words::changes(distribution)
        ));
        let most = distribution
            .bars
            .iter()
            .map(|bar| bar.rolls)
            .max()
            .unwrap_or_default()
            .max(1);
        for bar in &distribution.bars {
            let range = match bar.from == bar.to {
                true => words::signed(bar.from),
                false => format!("{} to {}", words::signed(bar.from), words::signed(bar.to)),
            };
            report.row(format_args!(
                "  {range:>16}  {}  {}",
                ink.bar(bar.rolls as f64 / most as f64, BAR),
                grouped(bar.rolls)
            ));
        }
    }
    for change in impact.changes.iter().take(MAX_CHANGES) {
        report.gap();
        let places: Vec<String> = change
            .places
            .iter()
            .map(|place| format!("{}.{}", place.section, place.field))
            .collect();
        report.row(format_args!(
            "seed {} ({}): {}",
            change.seed,
            rolls(change.rolls),
            if places.is_empty() {
                "order or whitespace".to_owned()
            } else {
                places.join(", ")
            }
        ));
        for line in word_diff(change) {
            report.row(format_args!("  {line}"));
        }
    }
    let listed = impact.changes.len().min(MAX_CHANGES) as u64;
    if impact.different_changes.at_least > listed {
        report.gap();
        let about = if impact.different_changes.exact {
            ""
        } else {
            "about "
        };
        report.row(format_args!(
            "{about}{} different changes, the largest shown; see --format json",
            grouped(impact.different_changes.estimate)
        ));
    }
    report
}

fn row(report: &mut Report, name: &str, share: f64, ink: Ink) {
    report.row(format_args!(
        "  {:>7}  {}  {}",
        percent(share),
        ink.bar(share, BAR),
        report::cell(name)
    ));
}

/// The lines of a change that differ, removed words in brackets and added ones in braces, as Git
/// marks them.
pub fn word_diff(change: &promptdeck_population::impact::Change) -> Vec<String> {
    let mut marked = String::new();
    for part in diff(change) {
        let (open, close) = match part.kind {
            PartKind::Same => ("", ""),
            PartKind::Removed => ("[-", "-]"),
            PartKind::Added => ("{+", "+}"),
        };
        for (at, line) in part.text.split('\n').enumerate() {
            if at > 0 {
                marked.push('\n');
            }
            if !line.is_empty() {
                marked.push_str(&format!("{open}{line}{close}"));
            } else if part.kind != PartKind::Same && at > 0 {
                // A line break alone is a change too.
                marked.push_str(&format!("{open}{close}"));
            }
        }
    }
    let changed = |line: &&str| line.contains("[-") || line.contains("{+");
    marked.lines().filter(changed).map(str::to_owned).collect()
}
