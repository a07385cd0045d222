//! A profile as text with plots.

use promptdeck_population::{
    distribution::Lengths,
    profile::{Pair, Profile, SectionCoverage},
};

use super::words;
use crate::{
    plots::{Ink, grouped, percent, rolls},
    report::{self, Report},
};

/// Columns of a bar of the histogram, and of a coverage.
const BAR: usize = 40;
const SHARE_BAR: usize = 10;

/// Rows of a section that are listed.
const MAX_ROWS: usize = 40;

/// Values of a pair that fit a line.
const MAX_COLUMNS: usize = 8;

/// The profile.
pub fn report(name: &str, profile: &Profile, ink: Ink) -> Report {
    let mut report = Report::default();
    report.row(format_args!(
        "{name}: {}, {}{}",
        rolls(profile.rolls),
        profile.seed.range_in_words(profile.rolls),
        profile
            .route
            .as_ref()
            .map_or(String::new(), |route| format!(", route {route}"))
    ));
    for line in words::remarks(profile) {
        report.row(format_args!("note: {line}"));
    }
    if let (Some(tokens), Some(tokenizer)) = (&profile.tokens, &profile.tokenizer) {
        let exactness = if tokenizer.exact { "" } else { ", not exact" };
        lengths(
            &mut report,
            &format!("tokens ({}{exactness})", tokenizer.name),
            "tokens",
            tokens,
            ink,
        );
    }
    if let Some(characters) = &profile.characters {
        lengths(&mut report, "characters", "characters", characters, ink);
    }
    if let Some(prefix) = &profile.prefix {
        report.gap();
        report.row("stable prefix");
        for (who, level) in [
            ("all rolls ", &prefix.all),
            ("95 %      ", &prefix.most),
            ("half      ", &prefix.half),
        ] {
            report.row(format_args!("  {who}  {}", words::level(level)));
        }
    }
    report.gap();
    report.row("sameness");
    for line in words::sameness(profile) {
        report.row(format_args!("  {line}"));
    }
    for section in &profile.coverage {
        coverage(&mut report, section, ink);
    }
    for pair in &profile.pairs {
        self::pair(&mut report, pair);
    }
    report
}

fn lengths(report: &mut Report, title: &str, unit: &str, lengths: &Lengths, ink: Ink) {
    let distribution = &lengths.distribution;
    report.gap();
    report.row(format_args!(
        "{title}: min {} (seed {}), 5 % {}, median {}, 95 % {}, max {} (seed {})",
        distribution.min,
        lengths.min_seed,
        distribution.p5,
        distribution.median,
        distribution.p95,
        distribution.max,
        lengths.max_seed
    ));
    if let Some(over) = &lengths.over_budget {
        report.row(format_args!(
            "{} of rolls are over {} {unit}",
            percent(over.share),
            grouped(over.budget)
        ));
    }
    let most = distribution
        .bars
        .iter()
        .map(|bar| bar.rolls)
        .max()
        .unwrap_or_default()
        .max(1);
    let budget = lengths
        .over_budget
        .and_then(|over| i64::try_from(over.budget).ok());
    let range = |from: i64, to: i64| match from == to {
        true => from.to_string(),
        false => format!("{from}-{to}"),
    };
    let width = distribution
        .bars
        .iter()
        .map(|bar| range(bar.from, bar.to).len())
        .max()
        .unwrap_or_default();
    for bar in &distribution.bars {
        let mark = match budget {
            Some(budget) if (bar.from..=bar.to).contains(&budget) => "  budget",
            _ => "",
        };
        report.row(format_args!(
            "  {:>width$}  {}  {}{mark}",
            range(bar.from, bar.to),
            ink.bar(bar.rolls as f64 / most as f64, BAR),
            grouped(bar.rolls)
        ));
    }
}

fn coverage(report: &mut Report, section: &SectionCoverage, ink: Ink) {
    if section.rows.is_empty() {
        return;
    }
    report.gap();
    let kind = if section.required {
        "required"
    } else {
        "optional"
    };
    let rolled = if section.rolled { ", rolled" } else { "" };
    report.row(format_args!("{} ({kind}{rolled})", section.section));
    let rows = words::named_rows(section);
    for (name, row) in rows.iter().take(MAX_ROWS) {
        let tail = match (&row.absence, row.chance) {
            (Some(absence), _) => format!("{}: {}", report::cell(name), words::reason(absence)),
            (None, Some(chance)) if row.share < 1.0 => {
                format!("{} (exact {})", report::cell(name), percent(chance))
            }
            (None, _) => report::cell(name),
        };
        report.row(format_args!(
            "  {:>7}  {}  {:>7}-{:<7}  {tail}",
            percent(row.share),
            ink.bar(row.share, SHARE_BAR),
            percent(row.low),
            percent(row.high)
        ));
    }
    if rows.len() > MAX_ROWS {
        report.row(format_args!(
            "  and {} more, see --format json",
            rows.len() - MAX_ROWS
        ));
    }
}

fn pair(report: &mut Report, pair: &Pair) {
    report.gap();
    report.row(format_args!(
        "{} and {} (impossible combinations are marked x)",
        words::slot(&pair.first),
        words::slot(&pair.second)
    ));
    let impossible = |line: usize, column: usize| {
        let mut cells = pair.impossible.iter();
        cells.any(|cell| (cell.line, cell.column) == (line, column))
    };
    let listed = pair.second_values.len().min(MAX_COLUMNS);
    let names: Vec<String> = pair.first_values.iter().map(|value| short(value)).collect();
    let lead = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or_default();
    let header: Vec<String> = pair
        .second_values
        .iter()
        .take(listed)
        .map(|value| short(value))
        .collect();
    let widths: Vec<usize> = header
        .iter()
        .map(|name| name.chars().count().max(9))
        .collect();
    let cells = |cells: &[String]| {
        let cells = cells.iter().zip(&widths);
        cells
            .map(|(cell, width)| format!("  {cell:>width$}"))
            .collect::<String>()
    };
    report.row(format_args!("  {:lead$}{}", "", cells(&header)));
    for (line, (name, counts)) in names.iter().zip(&pair.rolls).enumerate() {
        let numbers: Vec<String> = counts
            .iter()
            .enumerate()
            .map(|(column, rolls)| match impossible(line, column) {
                true if *rolls == 0 => "x".to_owned(),
                true => format!("x {}", grouped(*rolls)),
                false => grouped(*rolls),
            })
            .collect();
        report.row(format_args!("  {name:lead$}{}", cells(&numbers)));
    }
    if pair.second_values.len() > listed {
        report.row(format_args!(
            "  and {} more columns, see --format json",
            pair.second_values.len() - listed
        ));
    }
    for cell in &pair.impossible {
        let name = |values: &[String], at: usize| {
            values.get(at).map_or(String::new(), |value| short(value))
        };
        report.row(format_args!(
            "  {} with {}: {}",
            name(&pair.first_values, cell.line),
            name(&pair.second_values, cell.column),
            words::causes(&cell.because)
        ));
    }
}

/// A value short enough for a column.
fn short(value: &str) -> String {
    const MAX: usize = 24;
    let value = report::cell(value);
    match value.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}~", &value[..end]),
        None => value,
    }
}
