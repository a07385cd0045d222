//! The report of `test` for people: a row for each check; under a failing one what was expected, what
//! was there and where it came from.

use anstyle::{AnsiColor, Style};
use promptdeck_checks::{Failure as CheckFailure, Fault, Outcome, Verdict, source_label};
use promptdeck_core::{
    plural::plural,
    registry::{Position, Severity},
};
use promptdeck_service::diff;

use super::{Counts, Report};
use crate::{
    difference::{self, Lines},
    failure::Failure,
    output::Output,
    report::{self, cell},
};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Prints the reports.
pub fn print(reports: &[Report], out: &mut Output) -> Result<(), Failure> {
    for report in reports {
        out.report(&of(report))?;
    }
    Ok(())
}

/// The closing line.
pub fn summary(reports: &[Report]) -> String {
    let Counts {
        hold,
        fail,
        invalid,
        linted,
        with_errors,
        strict,
        warned,
        unreadable_files,
        ..
    } = Counts::of(reports);
    let mut summary = plural(hold + fail + invalid, "check");
    let verb = |count: usize, verb: &str| match count {
        1 => format!("1 {verb}s"),
        _ => format!("{count} {verb}"),
    };
    summary.push_str(&format!(": {}, {}", verb(hold, "hold"), verb(fail, "fail")));
    if invalid > 0 {
        summary.push_str(&format!(", {invalid} cannot run"));
    }
    if linted > 0 {
        let linted = plural(linted, "registry");
        let problems = if strict {
            "errors or warnings"
        } else {
            "errors"
        };
        summary.push_str(&format!("; {linted} linted, {with_errors} with {problems}"));
    }
    if warned > 0 {
        let files = plural(warned, "file");
        summary.push_str(&format!("; {files} with warnings"));
    }
    if unreadable_files > 0 {
        let files = plural(unreadable_files, "file");
        summary.push_str(&format!("; {files} unreadable"));
    }
    summary
}

fn of(report: &Report) -> report::Report {
    let mut rows = report::Report::default();
    rows.row(&report.file);
    if !report.unreadable.is_empty() {
        rows.drawn(&format!("  {BAD}FAIL{BAD:#}  unreadable"));
    }
    if report.linted {
        let count = |severity: Severity| {
            let problems = report.lint.iter();
            problems
                .filter(|problem| problem.severity() == severity)
                .count()
        };
        let counts = [
            (count(Severity::Error), "error"),
            (count(Severity::Warning), "warning"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, word)| plural(count, word)).collect();
        match counts.is_empty() {
            true => rows.drawn(&format!("  {GOOD}ok{GOOD:#}    lint")),
            false => rows.drawn(&format!("  {BAD}FAIL{BAD:#}  lint: {}", counts.join(", "))),
        }
        for problem in &report.lint {
            rows.drawn(&problem.drawn);
        }
    }
    if report.is_warned() {
        let warnings = plural(report.warnings.len(), "warning");
        rows.drawn(&format!("  {BAD}FAIL{BAD:#}  {warnings}"));
    }
    let file = report.checks_file.as_deref().unwrap_or_default();
    for verdict in &report.checks {
        verdict_rows(&mut rows, file, verdict);
    }
    rows
}

fn verdict_rows(rows: &mut report::Report, file: &str, verdict: &Verdict) {
    let name = cell(&verdict.name);
    let rolls = match verdict.rolls {
        Some(2..) => format!(" ({} rolls)", verdict.rolls.unwrap_or_default()),
        _ => String::new(),
    };
    match &verdict.outcome {
        Outcome::Passed => rows.drawn(&format!("  {GOOD}ok{GOOD:#}    {name}{rolls}")),
        Outcome::Invalid { faults } => {
            rows.drawn(&format!("  {BAD}ERROR{BAD:#} {name}: cannot run"));
            for fault in faults {
                rows.row(format_args!("        {}", fault_line(file, fault)));
            }
        }
        Outcome::Failed { failures } => {
            rows.drawn(&format!("  {BAD}FAIL{BAD:#}  {name}{rolls}"));
            for failure in failures {
                rows.row(format_args!("        {}", sentence(failure)));
                rows.row(format_args!("          {}", at(file, failure.place)));
                if let Some(origin) = origin(failure) {
                    rows.row(format_args!("          {origin}"));
                }
                if let (Some(golden), Some(actual)) = (&failure.golden, &failure.actual) {
                    let parts = diff::text::lines(golden, actual);
                    difference::lines(rows, &parts, Lines::Changed, "          ");
                }
            }
        }
    }
}

/// What was expected and what was there.
pub fn sentence(failure: &CheckFailure) -> String {
    let seed = failure.seed.map(|seed| format!(", seed {seed}"));
    format!(
        "{}{}: expected {}, found {}",
        failure.expectation,
        seed.unwrap_or_default(),
        failure.expected,
        failure.found
    )
}

/// Why a check cannot run, and where.
pub fn fault_line(file: &str, fault: &Fault) -> String {
    format!("{}: {}", at(file, fault.place), fault.message)
}

/// Where it came from.
pub fn origin(failure: &CheckFailure) -> Option<String> {
    let labels: Vec<String> = failure.sources.iter().map(source_label).collect();
    (!labels.is_empty()).then(|| format!("from {}", labels.join(", ")))
}

/// A position in a file, as editors and terminals link it.
pub fn at(file: &str, place: Option<Position>) -> String {
    match place {
        Some(Position { line, column }) => format!("{file}:{line}:{column}"),
        None => file.to_owned(),
    }
}
