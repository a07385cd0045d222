//! `impact`: compares two versions of a registry, or of a folder of registries, in the same rolls.

mod folder_report;
mod folders;
mod markdown;
mod renames;
mod text;
mod words;

use std::path::PathBuf;

use clap::ValueEnum;
use promptdeck_core::hydrate::{Engine, HydrateError, Seed, State};
use promptdeck_population::{
    Tokenizer,
    impact::{Change, Impact, ImpactOptions, ImpactPlan, Side},
};
use promptdeck_service::{diff::text as text_diff, population, wire::Part};
use serde::Serialize;

use crate::{
    failure::Failure,
    flags, input,
    output::{self, ExitStatus, Output},
    plots::{Ink, percent},
    state::StateArgs,
    tokenizer::{Counter, TokenizerArgs},
    verbs::profile::MOST_ROLLS,
    whole_number::whole_number,
};

/// Flags of `impact`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The old version: a JSON file, or a folder of registries.
    old: PathBuf,
    /// The new version: a JSON file, or a folder. Registries of two folders are matched by their
    /// relative paths, then as renamed.
    new: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Use this route of both registries instead of their assembly orders.
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    /// Use this route of the old version, to compare two routes.
    #[arg(long, value_name = "ROUTE")]
    old_route: Option<String>,
    /// Number of rolls, at most a million.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = whole_number::<u32>(1..=MOST_ROLLS))]
    rolls: u32,
    /// The first seed; the others follow it, and 0 follows 9007199254740991.
    #[arg(long, value_name = "N", default_value_t)]
    seed: Seed,
    /// Report the rolls that cross this many tokens.
    #[arg(long, value_name = "TOKENS", value_parser = whole_number::<u64>(0..=u64::MAX))]
    budget: Option<u64>,
    #[command(flatten)]
    tokenizer: TokenizerArgs,
    /// Exit with status 1 if more than this percentage of the rolls of a registry changes. Registries
    /// that are new, deleted or unreadable in the old version have no such rolls: they are named, and
    /// never counted.
    #[arg(long, value_name = "PERCENT", value_parser = percentage)]
    fail_over: Option<f64>,
    /// Format of the comparison.
    #[arg(long, value_enum, default_value_t)]
    format: ImpactFormat,
}

/// Output format of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ImpactFormat {
    /// Readable text with plots.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// Markdown for a comment on a pull request.
    Markdown,
}

/// A comparison as JSON.
#[derive(Serialize)]
struct Pair<'a> {
    #[serde(flatten)]
    impact: &'a Impact,
    /// By change: its words, unchanged, removed and added.
    diffs: Vec<Vec<Part>>,
}

/// A comparison of two files as JSON.
#[derive(Serialize)]
struct Report<'a> {
    old: &'a str,
    new: &'a str,
    #[serde(flatten)]
    pair: Pair<'a>,
}

impl<'a> Pair<'a> {
    fn of(impact: &'a Impact) -> Self {
        Self {
            impact,
            diffs: impact.changes.iter().map(diff).collect(),
        }
    }
}

/// The words of a change, unchanged, removed and added.
fn diff(change: &Change) -> Vec<Part> {
    text_diff::words(&change.before, &change.after)
}

/// Prints the comparison.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    out.ignore_closed_pipe();
    let counter = args.tokenizer.counter()?;
    match (args.old.is_dir(), args.new.is_dir()) {
        (false, false) => files(args, &counter, out),
        (true, true) => folders(args, &counter, out),
        (old_is_folder, _) => {
            let other = if old_is_folder { &args.new } else { &args.old };
            // A name that does not exist is the likelier fault.
            if !input::is_stdin(other) && !other.exists() {
                input::read(other)?;
            }
            Err(Failure::input(
                "usage",
                "one of the two is a folder; compare two files or two folders",
            ))
        }
    }
}

fn files(args: &Args, counter: &Counter, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut warnings = args.state.strict.warnings();
    let old = input::registry(&args.old, &mut warnings)?;
    let new = input::registry(&args.new, &mut warnings)?;
    let resolved = args.state.resolve(&mut warnings)?;
    for (parsed, path) in [(&old, &args.old), (&new, &args.new)] {
        let name = input::name_of(path);
        input::warn_of_defaults(parsed, &name, &resolved.state, &mut warnings)?;
    }
    resolved.check(&new.registry, &mut warnings)?;
    warnings.print();
    let (old, new) = (Engine::new(old.registry), Engine::new(new.registry));
    let old_route = args.old_route.as_deref().or(args.route.as_deref());
    let known = |engine: &Engine, route: Option<&str>, path: &PathBuf| {
        let state = State::default();
        let found = promptdeck_core::hydrate::Roller::new(engine, &state, route).map(|_| ());
        found.map_err(|error| Failure::from(error).in_file(path))
    };
    known(&old, old_route, &args.old)?;
    known(&new, args.route.as_deref(), &args.new)?;
    let comparer = Comparer {
        args,
        counter,
        state: &resolved.state,
    };
    let impact = comparer.compare((&old, &new))?;
    let names = (input::name_of(&args.old), input::name_of(&args.new));
    match args.format {
        ImpactFormat::Text => out.report(&text::report(&names, &impact, Ink::of_stdout()))?,
        ImpactFormat::Json => out.json(&Report {
            old: &names.0,
            new: &names.1,
            pair: Pair::of(&impact),
        })?,
        ImpactFormat::Markdown => out.verbatim(&markdown::comment(&names, &impact))?,
    }
    Ok(args.status(None, &impact))
}

fn folders(args: &Args, counter: &Counter, out: &mut Output) -> Result<ExitStatus, Failure> {
    let flag = args.state.first_flag().or(flags::first(&[
        (args.route.is_some(), "--route"),
        (args.old_route.is_some(), "--old-route"),
    ]));
    if let Some(flag) = flag {
        let message = format!("{flag} is about one registry; compare two files, not two folders");
        return Err(Failure::input("usage", message));
    }
    let comparer = Comparer {
        args,
        counter,
        state: &State::default(),
    };
    let comparison = folders::compare(&args.old, &args.new, &comparer)?;
    let names = (input::name_of(&args.old), input::name_of(&args.new));
    match args.format {
        ImpactFormat::Text => {
            for report in folder_report::text(&names, &comparison, Ink::of_stdout()) {
                out.report(&report)?;
            }
        }
        ImpactFormat::Json => out.json(&folder_report::json(&names, &comparison))?,
        ImpactFormat::Markdown => out.verbatim(&folder_report::comment(&comparison))?,
    }
    let mut worst = ExitStatus::Done;
    for (file, impact) in comparison.compared() {
        if args.status(Some(&file.file), impact) == ExitStatus::Problems {
            worst = ExitStatus::Problems;
        }
    }
    for error in &comparison.unread_before {
        output::warning(&format!(
            "the old version is not compared: {}",
            error.message
        ));
    }
    for error in comparison.unreadable() {
        output::error(&Failure::Input(Box::new(error.clone())));
        worst = ExitStatus::Unreadable;
    }
    Ok(worst)
}

impl Args {
    /// The status of one comparison, said if it is over the limit.
    fn status(&self, file: Option<&str>, impact: &Impact) -> ExitStatus {
        match self.fail_over {
            Some(limit) if impact.changed.share * 100.0 > limit => {
                let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
                output::note(&format!(
                    "{file}{} of the rolls change, over the limit of {limit} %",
                    percent(impact.changed.share)
                ));
                ExitStatus::Problems
            }
            _ => ExitStatus::Done,
        }
    }
}

/// What compares two versions of a registry.
struct Comparer<'a> {
    args: &'a Args,
    counter: &'a Counter,
    state: &'a State,
}

impl Comparer<'_> {
    fn compare(&self, (old, new): (&Engine, &Engine)) -> Result<Impact, HydrateError> {
        let args = self.args;
        let sides = (
            Side {
                engine: old,
                route: args.old_route.as_deref().or(args.route.as_deref()),
            },
            Side {
                engine: new,
                route: args.route.as_deref(),
            },
        );
        let options = ImpactOptions {
            rolls: u64::from(args.rolls),
            seed: args.seed,
            tokenizer: Some(self.counter as &dyn Tokenizer),
            budget: args.budget,
        };
        let plan = ImpactPlan::new(sides.0, sides.1, self.state, options)?;
        let threads = population::threads(options.rolls);
        plan.impact(population::survey(&plan, threads, &|_| true)?)
    }
}

fn percentage(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("write a percentage from 0 to 100".to_owned()),
    }
}
