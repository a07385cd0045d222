//! `test`: runs the checks of registries, `NAME.checks.json` beside `NAME.json`, and lints each
//! registry.

mod deck;
mod golden;
mod junit;
mod parallel;
mod text;
mod watch;

use std::{num::NonZero, path::PathBuf, thread};

use clap::ValueEnum;
use promptdeck_checks::{Outcome, Verdict};
use promptdeck_json::nearest::did_you_mean;
use promptdeck_service::checks::BuiltInTokenizers;
use serde::Serialize;

use crate::{
    failure::{ErrorReport, Failure},
    output::{self, ExitStatus, Output},
    registry_files::{Listing, SkippedFiles, Unread},
    whole_number::whole_number,
};
use deck::{Deck, Loaded, Problem};
use parallel::in_parallel;

/// Maximum number of threads.
const MAX_JOBS: u64 = 1024;

/// Flags of `test`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Registries, files of checks, or folders, which are searched recursively.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Run only the checks whose name contains this text, and no lint. Status 2 if there is none.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Treat the warnings of lint, as `check --strict` does, and those about files of checks as problems:
    /// exit status 1.
    #[arg(long)]
    strict: bool,
    /// Format of the report.
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Replace golden texts by the texts that were found, then run again.
    #[arg(long)]
    update: bool,
    /// Show each new golden text beside the old one and ask whether to replace it.
    #[arg(long, conflicts_with = "update")]
    review: bool,
    /// Keep running, and repeat what a changed file affects.
    #[arg(long, conflicts_with_all = ["update", "review"])]
    watch: bool,
    /// Number of threads; by default, one for each processor. The report is the same for any number.
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>(1..=MAX_JOBS))]
    jobs: Option<usize>,
}

/// Format of the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Readable text.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// JUnit XML for continuous integration.
    Junit,
}

/// The result of one registry.
#[derive(Debug, Serialize)]
struct Report {
    /// The registry.
    file: String,
    /// Its file of checks, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    checks_file: Option<String>,
    /// Whether everything was readable, lint found no problem and all checks hold.
    ok: bool,
    /// Why the registry or its checks could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<ErrorReport>,
    /// How many of the two files could not be read.
    #[serde(skip)]
    unreadable_files: usize,
    /// What is probably a mistake in the file of checks, or in the name of the registry, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// Whether the warnings are problems.
    #[serde(skip)]
    strict: bool,
    /// The errors that lint found, and with `--strict` the warnings; none with a filter.
    lint: Vec<Problem>,
    /// Whether the registry was linted.
    #[serde(skip)]
    linted: bool,
    /// The verdicts, in the order of the file.
    checks: Vec<Verdict>,
}

impl Report {
    /// Whether it has warnings that are problems.
    fn is_warned(&self) -> bool {
        self.strict && !self.warnings.is_empty()
    }

    fn unread(unread: &Unread) -> Self {
        Self {
            file: unread.name(),
            checks_file: None,
            ok: false,
            unreadable: vec![unread.failure.report()],
            unreadable_files: 1,
            warnings: Vec::new(),
            strict: false,
            lint: Vec::new(),
            linted: false,
            checks: Vec::new(),
        }
    }

    /// Of a file that was not read, which is worth a warning.
    fn warned(file: &Unread, strict: bool) -> Self {
        Self {
            ok: !strict,
            unreadable: Vec::new(),
            unreadable_files: 0,
            warnings: vec![file.failure.to_string()],
            strict,
            ..Self::unread(file)
        }
    }
}

/// Runs the checks. Status 1 if one does not hold or lint finds a problem, 2 if a file cannot be read, there
/// is no registry, or no check has the name of the filter.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.ignore_closed_pipe();
    if args.watch && args.format != ReportFormat::Text {
        let message = "--watch prints text as it goes; leave out --format";
        return Err(Failure::input("usage", message));
    }
    let tester = Tester::new(args);
    let (decks, Listing { unread, empty, .. }) = deck::find(&args.paths);
    if args.watch {
        for unread in &unread {
            output::error(&unread.failure);
        }
        return watch::run(&tester, args, &decks, out);
    }
    let (mut tested, mut skipped) = tester.test(&decks);
    skipped.empty = empty;
    if args.update || args.review {
        golden::replace(&tester, &mut tested, args.review, out)?;
    }
    let unmatched = args
        .filter
        .as_deref()
        .and_then(|filter| unmatched(filter, &tested));
    let mut reports: Vec<Report> = unread.iter().map(Report::unread).collect();
    reports.extend(tested.into_iter().map(|tested| tested.report));
    let left_out = skipped.left_out(&args.paths, !reports.is_empty());
    reports.extend(left_out.refused.iter().map(Report::unread));
    let warned = left_out.warned.iter();
    reports.extend(warned.map(|warned| Report::warned(warned, args.strict)));
    let unreadable = print(&reports, args.format, out)?;
    if let Some(failure) = unmatched {
        output::error(&failure);
        return Ok(ExitStatus::Unreadable);
    }
    Ok(status(&reports, unreadable))
}

/// A filter that left no check: a mistyped one would otherwise pass.
fn unmatched(filter: &str, tested: &[Tested]) -> Option<Failure> {
    if tested.iter().any(|tested| !tested.report.checks.is_empty()) {
        return None;
    }
    let documents = tested
        .iter()
        .filter_map(|tested| tested.loaded.checks.as_ref());
    let entries = documents.flat_map(|(document, _)| document.entries());
    let names: Vec<&str> = entries.map(|entry| entry.name.as_str()).collect();
    let suggestion = did_you_mean(filter, names);
    let message = format!("no name of a check contains {filter:?}{suggestion}");
    Some(Failure::input("no_match", message))
}

/// Prints reports and the closing line. Returns whether a file was unreadable.
fn print(reports: &[Report], format: ReportFormat, out: &mut Output) -> Result<bool, Failure> {
    match format {
        ReportFormat::Text => text::print(reports, out)?,
        ReportFormat::Json => out.json(&reports)?,
        ReportFormat::Junit => out.verbatim(&junit::document(reports)?)?,
    }
    for warning in reports.iter().flat_map(|report| &report.warnings) {
        output::warning(warning);
    }
    for fault in reports.iter().flat_map(|report| &report.unreadable) {
        output::error(&Failure::Input(Box::new(fault.clone())));
    }
    output::message(&text::summary(reports));
    Ok(reports.iter().any(|report| !report.unreadable.is_empty()))
}

fn status(reports: &[Report], unreadable: bool) -> ExitStatus {
    match (unreadable, reports.iter().all(|report| report.ok)) {
        (true, _) => ExitStatus::Unreadable,
        (false, true) => ExitStatus::Done,
        (false, false) => ExitStatus::Problems,
    }
}

/// What runs checks: the flags that matter for it, and the tokenizers.
struct Tester {
    filter: Option<String>,
    strict: bool,
    jobs: usize,
    tokenizers: BuiltInTokenizers,
}

/// A registry with its result.
struct Tested {
    deck: Deck,
    loaded: Loaded,
    report: Report,
}

impl Tester {
    fn new(args: &Args) -> Self {
        let processors = || thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            filter: args.filter.clone(),
            strict: args.strict,
            jobs: args.jobs.unwrap_or_else(processors),
            tokenizers: BuiltInTokenizers::default(),
        }
    }

    /// Reads, lints and checks registries; the results are in the order of the registries. Files that
    /// are no registry are skipped.
    fn test(&self, decks: &[Deck]) -> (Vec<Tested>, SkippedFiles) {
        let loaded = in_parallel(decks.len(), self.jobs, |index| {
            let deck = decks.get(index)?;
            Some(deck.load(self.filter.as_deref(), self.strict, &self.tokenizers))
        });
        let mut skipped = SkippedFiles::default();
        let mut readable: Vec<(&Deck, Loaded)> = Vec::new();
        for (deck, loaded) in decks.iter().zip(loaded) {
            match loaded {
                Some(Ok(loaded)) => readable.push((deck, loaded)),
                Some(Err(content)) => skipped.add(&deck.registry, content),
                None => {}
            }
        }
        let loaded = readable;
        let batches: Vec<(usize, usize)> = loaded
            .iter()
            .enumerate()
            .flat_map(|(index, (_, loaded))| (0..loaded.batches()).map(move |batch| (index, batch)))
            .collect();
        let verdicts = in_parallel(batches.len(), self.jobs, |index| {
            let (deck, batch) = *batches.get(index)?;
            Some((deck, loaded.get(deck)?.1.run(batch)))
        });
        let mut checks: Vec<Vec<Verdict>> = loaded.iter().map(|_| Vec::new()).collect();
        for (deck, verdicts) in verdicts.into_iter().flatten() {
            if let Some(checks) = checks.get_mut(deck) {
                checks.extend(verdicts);
            }
        }
        let tested = loaded.into_iter().zip(checks);
        let tested = tested.map(|((deck, loaded), mut checks)| {
            checks.sort_by_key(|verdict| verdict.index);
            let report = loaded.report(checks, self.strict);
            Tested {
                deck: deck.clone(),
                loaded,
                report,
            }
        });
        (tested.collect(), skipped)
    }
}

/// The counts of some reports.
#[derive(Debug, Default)]
struct Counts {
    hold: usize,
    fail: usize,
    invalid: usize,
    linted: usize,
    with_errors: usize,
    /// Whether warnings are problems.
    strict: bool,
    /// Files whose warnings are problems.
    warned: usize,
    /// Reasons why files could not be read.
    unreadable: usize,
    unreadable_files: usize,
}

impl Counts {
    fn of(reports: &[Report]) -> Self {
        let mut counts = Self::default();
        for report in reports {
            for verdict in &report.checks {
                match verdict.outcome {
                    Outcome::Passed => counts.hold += 1,
                    Outcome::Failed { .. } => counts.fail += 1,
                    Outcome::Invalid { .. } => counts.invalid += 1,
                }
            }
            counts.strict |= report.strict;
            counts.linted += usize::from(report.linted);
            counts.with_errors += usize::from(!report.lint.is_empty());
            counts.warned += usize::from(report.is_warned());
            counts.unreadable += report.unreadable.len();
            counts.unreadable_files += report.unreadable_files;
        }
        counts
    }
}
