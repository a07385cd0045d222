//! `snapshot show`, `diff` and `export`: the contents of a snapshot as text and JSON.

use std::path::PathBuf;

use promptdeck_core::export;
use promptdeck_core::{
    hydrate::{Call, Engine},
    registry::{self, Document, Registry},
};
use promptdeck_service::{
    diff::{
        tree,
        versions::{self, Version},
    },
    snapshots::{self, Contents},
    store::Store,
    wire::{Comparison, Granularity, SnapshotSummary},
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    args::Format,
    difference::{self, Lines},
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    output_file::Destination,
    rendering,
    report::Report,
    verbs::export::{Target, warn_of_omissions},
    warnings::Warnings,
};

/// Flags of `snapshot show`.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    #[arg(help = super::WHICH)]
    snapshot: String,
    /// Format: the prompt alone, or the whole snapshot.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The whole snapshot and its prompt.
#[derive(Serialize)]
struct SnapshotDetails<'a> {
    snapshot: SnapshotSummary,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<bool>,
    state: &'a promptdeck_core::hydrate::State,
    registry: &'a serde_json::Map<String, serde_json::Value>,
}

pub fn show(store: &Store, args: &ShowArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let contents = super::find(store, &args.snapshot)?;
    let call = Call {
        state: &contents.state,
        route: contents.route.as_deref(),
        seed: contents.seed,
    };
    let registry = registry_of(&contents)?;
    let rendered = rendering::is_rendered(&registry, false);
    warn_of_raw_template(&contents.summary.name, &registry)?;
    let text = Engine::new(registry).hydrate_text(&call)?;
    match args.format {
        Format::Text => out.verbatim(&text)?,
        Format::Json => out.json(&SnapshotDetails {
            snapshot: snapshots::summary(contents.summary.clone()),
            text,
            rendered,
            state: &contents.state,
            registry: &contents.registry,
        })?,
    }
    Ok(ExitStatus::Done)
}

/// Flags of `snapshot export`.
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    #[arg(help = super::WHICH)]
    snapshot: String,
    /// Write to this file instead of standard output; a prompt file if its name ends in .prompt or
    /// .prompty. An existing file is replaced as a whole, and what it held is kept beside it as
    /// NAME.replaced-1.json; a device or a pipe is written to directly.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn export(store: &Store, args: &ExportArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let destination = Destination::of(args.output.as_deref())?;
    let contents = super::find(store, &args.snapshot)?;
    if let Some(format) = Target::of(args.output.as_deref()).prompt_file() {
        let engine = Engine::new(registry_of(&contents)?);
        let call = Call {
            state: &contents.state,
            route: contents.route.as_deref(),
            seed: contents.seed,
        };
        let file = export::prompt_file::prompt_file(&engine, &call, &Map::new(), format)?;
        warn_of_omissions(&file);
        destination.write(&file.text, out)?;
        return Ok(ExitStatus::Done);
    }
    let document = Document {
        registry: contents.registry,
        wrapper: None,
    };
    let model = export::export(&document, &contents.state);
    destination.write(&model, out)?;
    Ok(ExitStatus::Done)
}

/// Flags of `snapshot diff`.
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    #[arg(help = super::WHICH)]
    left: String,
    /// The snapshot on the right; by default the current file of the left one.
    right: Option<String>,
    /// Format of the differences.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints the differences; status 1 if there are any.
pub fn diff(store: &Store, args: &DiffArgs, out: &mut Output) -> Result<ExitStatus, Failure> {
    let left = super::find(store, &args.left)?;
    let (right, other) = match &args.right {
        Some(word) => {
            let right = super::find(store, word)?;
            let registry = right.registry.clone();
            (version(right)?, registry)
        }
        None => now(&left)?,
    };
    let edited = tree::differing_keys(&left.registry, &other);
    let left = version(left)?;
    for side in [&left, &right] {
        if let Some(problem) = side.problem() {
            let failure = Failure::input(problem.code.clone(), problem.message.clone());
            return Err(failure.of_input(side.name()));
        }
    }
    let mut found = versions::compare(&left, &right, Granularity::Lines);
    found.edited = edited;
    let same_prompt = found.settings.is_empty() && found.added == 0 && found.removed == 0;
    let equal = same_prompt && found.edited.is_empty();
    match args.format {
        Format::Json => out.json(&found)?,
        Format::Text if equal => output::message(&format!(
            "{} and {} have the same registry, the same settings and the same prompt",
            found.left.name, found.right.name
        )),
        Format::Text if same_prompt => output::message(&format!(
            "{} and {} have the same settings and the same prompt; their registries differ in {}",
            found.left.name,
            found.right.name,
            found.edited.join(", ")
        )),
        Format::Text => out.report(&report(&found))?,
    }
    Ok(if equal {
        ExitStatus::Done
    } else {
        ExitStatus::Problems
    })
}

/// As `hydrate` does: a snapshot has no call document to render the texts with.
fn warn_of_raw_template(name: &str, registry: &Registry) -> Result<(), Failure> {
    let mut warnings = Warnings::default();
    rendering::warn_of_raw_template(name, registry, &mut warnings)?;
    warnings.print();
    Ok(())
}

fn registry_of(contents: &Contents) -> Result<Registry, Failure> {
    Registry::from_map(&contents.registry)
        .map_err(|error| Failure::registry(&contents.summary.name, &error))
}

fn version(contents: Contents) -> Result<Version, Failure> {
    let registry = registry_of(&contents)?;
    warn_of_raw_template(&contents.summary.name, &registry)?;
    let Contents {
        summary,
        state,
        route,
        seed,
        ..
    } = contents;
    Ok(Version::new(summary.name, registry, state, route, seed))
}

/// The current file of a snapshot with the snapshot's call, and its registry as it is written.
fn now(contents: &Contents) -> Result<(Version, Map<String, Value>), Failure> {
    let file = &contents.summary.file;
    let parsed = registry::parse(&input::read(&snapshots::path(file))?)
        .map_err(|error| Failure::registry(file, &error))?;
    warn_of_raw_template(file, &parsed.registry)?;
    let (state, route) = (contents.state.clone(), contents.route.clone());
    let version = Version::new(file.clone(), parsed.registry, state, route, contents.seed);
    Ok((version, parsed.document.registry))
}

fn report(found: &Comparison) -> Report {
    let mut report = Report::default();
    report.row(format_args!("--- {}", found.left.name));
    report.row(format_args!("+++ {}", found.right.name));
    if !found.edited.is_empty() {
        report.row(format_args!("registry: {}", found.edited.join(", ")));
    }
    for setting in &found.settings {
        let section = setting
            .section
            .as_ref()
            .map_or(String::new(), |name| format!("{name} "));
        let value = |value: &str| {
            if value.is_empty() {
                "none".to_owned()
            } else {
                value.to_owned()
            }
        };
        let (old, new) = (value(&setting.left), value(&setting.right));
        report.row(format_args!("{section}{}: {old} -> {new}", setting.name));
    }
    report.gap();
    difference::lines(&mut report, &found.prompt, Lines::All, "");
    report
}
