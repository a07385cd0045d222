//! `profile`: measures many rolls of a registry and a state.

mod html;
mod text;
mod words;

use std::path::PathBuf;

use clap::ValueEnum;
use promptdeck_core::{
    hydrate::{self, Call, Engine, HydrateError, Seed},
    registry::Registry,
    run::RenderPrompt,
};
use promptdeck_population::{
    Tokenizer,
    profile::{Profile, ProfileOptions, ProfilePlan, Slot},
};
use promptdeck_service::population;
use serde::Serialize;

use crate::{
    call_file::CallFile,
    failure::Failure,
    input,
    output::{ExitStatus, Output},
    plots::Ink,
    rendering,
    state::{Deck, StateArgs},
    tokenizer::TokenizerArgs,
    whole_number::whole_number,
};

/// Maximum number of rolls per call.
pub const MOST_ROLLS: u64 = 1_000_000;

/// Flags of `profile`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Count texts that are Jinja templates as they are rendered with the arguments of this call
    /// document; its state, route and seed count where no flag sets them.
    #[arg(long = "call", value_name = "CALL", conflicts_with = "state")]
    document: Option<PathBuf>,
    /// Use this route of the registry instead of its assembly order.
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    /// Number of rolls, at most a million.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = whole_number::<u32>(1..=MOST_ROLLS))]
    rolls: u32,
    /// The first seed, 0 by default; the others follow it, and 0 follows 9007199254740991.
    #[arg(long, value_name = "N")]
    seed: Option<Seed>,
    /// Report the rolls over this many tokens, or characters with --no-tokens.
    #[arg(long, value_name = "TOKENS", value_parser = whole_number::<u64>(0..=u64::MAX))]
    budget: Option<u64>,
    #[command(flatten)]
    tokenizer: TokenizerArgs,
    /// Do not count tokens.
    #[arg(long, conflicts_with = "tokenizer")]
    no_tokens: bool,
    /// Count how often each combination of two sections is printed; `SECTION:slider` is the slider
    /// of a section.
    #[arg(long, value_name = "SECTION,SECTION", value_parser = pair)]
    pair: Vec<(Slot, Slot)>,
    /// Format of the profile.
    #[arg(long, value_enum, default_value_t)]
    format: ProfileFormat,
}

/// Output format of a profile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ProfileFormat {
    /// Readable text with plots.
    #[default]
    Text,
    /// JSON for programs.
    Json,
    /// One page of HTML without scripts.
    Html,
}

/// A profile as JSON.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    #[serde(flatten)]
    profile: &'a Profile,
}

/// Prints the profile.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let counter = match args.no_tokens {
        true => None,
        false => Some(args.tokenizer.counter()?),
    };
    let file = CallFile::given(args.document.as_deref(), args.state.strict)?;
    let Deck {
        parsed,
        state,
        mut warnings,
        ..
    } = args.state.open_for(&args.registry, file.as_ref())?;
    let name = input::name_of(&args.registry);
    let renderer = match &file {
        Some(file) => file.renderer(&parsed.registry)?,
        None => {
            rendering::warn_of_raw_template(&name, &parsed.registry, &mut warnings)?;
            None
        }
    };
    warnings.print();
    for (one, other) in &args.pair {
        check_slot(one, &parsed.registry)?;
        check_slot(other, &parsed.registry)?;
    }
    let engine = Engine::new(parsed.registry);
    let (route, seed) = match &file {
        Some(CallFile { call, .. }) => (call.route.as_deref(), call.seed),
        None => (None, None),
    };
    let call = Call {
        state: &state,
        route: args.route.as_deref().or(route),
        seed: args.seed.or(seed).unwrap_or_default(),
    };
    let options = ProfileOptions {
        rolls: u64::from(args.rolls),
        tokenizer: counter.as_ref().map(|counter| counter as &dyn Tokenizer),
        budget: args.budget,
        pairs: &args.pair,
        renderer: renderer
            .as_ref()
            .map(|renderer| renderer as &dyn RenderPrompt),
    };
    let profile = profile(&engine, &call, options)
        .map_err(|error| Failure::from(error).in_file(&args.registry))?;
    match args.format {
        ProfileFormat::Text => out.report(&text::report(&name, &profile, Ink::of_stdout()))?,
        ProfileFormat::Json => out.json(&Report {
            file: &name,
            profile: &profile,
        })?,
        ProfileFormat::Html => out.verbatim(&html::page(&name, &profile))?,
    }
    Ok(ExitStatus::Done)
}

fn profile(
    engine: &Engine,
    call: &Call<'_>,
    options: ProfileOptions<'_>,
) -> Result<Profile, HydrateError> {
    let plan = ProfilePlan::new(engine, call, options)?;
    let threads = population::threads(options.rolls);
    plan.profile(population::survey(&plan, threads, &|_| true)?, &|| false)
}

fn pair(text: &str) -> Result<(Slot, Slot), String> {
    let slot = |text: &str| match text.strip_suffix(":slider") {
        Some(section) => Slot::Slider {
            section: section.to_owned(),
        },
        None => Slot::Item {
            section: text.to_owned(),
        },
    };
    match text.split_once(',') {
        Some((one, other)) if !one.is_empty() && !other.is_empty() => Ok((slot(one), slot(other))),
        _ => Err("write SECTION,SECTION".to_owned()),
    }
}

fn check_slot(slot: &Slot, registry: &Registry) -> Result<(), Failure> {
    let name = slot.section();
    if let Some(section) = registry.section(name) {
        return match (slot, hydrate::without_slider(registry, section)) {
            (Slot::Slider { .. }, Some(reason)) => {
                let message = format!("--pair: {name:?} has no slider: {reason}");
                Err(Failure::input("unknown_slider", message))
            }
            _ => Ok(()),
        };
    }
    let known: Vec<&str> = registry.sections().keys().map(String::as_str).collect();
    Err(Failure::input(
        "unknown_section",
        format!(
            "--pair: there is no section {name:?}; known are {}",
            known.join(", ")
        ),
    ))
}
