//! `variants`: counts, samples or enumerates the prompts of a registry and a state.

use std::path::PathBuf;

use promptdeck_core::hydrate::{
    Call, Engine, HydrateError,
    variants::{self, Count, Variant},
};

use crate::{
    args::Format,
    failure::Failure,
    input,
    output::{self, ExitStatus, Output},
    rendering,
    state::{CallArgs, Deck, StateArgs},
};

mod sample;

/// Flags of `variants`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    #[command(flatten)]
    call: CallArgs,
    #[command(flatten)]
    wanted: Wanted,
    /// Sample in this mode, with --rolls N as the most rolls; the closing line counts them. Without
    /// it, --rolls leaves out equal prompts.
    #[arg(long, value_enum, value_name = "MODE", conflicts_with_all = ["count", "enumerate"])]
    sample: Option<sample::Mode>,
    /// Only part K of N equal parts of the sample. All parts together are the whole.
    #[arg(long, value_name = "K/N", requires = "sample")]
    shard: Option<sample::Shard>,
    /// Format of the result; prompts in JSON are one line each.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Maximum number of prompts per call: each new one is compared with all before it.
const MOST_ROLLS: i64 = 1_000_000;

/// What to print; the count by default.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Wanted {
    /// Count the distinct evaluations.
    #[arg(long)]
    count: bool,
    /// Roll this many different prompts, each with its seed, starting at the given seed; at most a
    /// million.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_ROLLS))]
    rolls: Option<u32>,
    /// Enumerate the evaluations in order, up to this many.
    #[arg(long, value_name = "N")]
    enumerate: Option<usize>,
}

impl Wanted {
    /// Whether the result is a count.
    fn is_count(&self) -> bool {
        self.rolls.is_none() && self.enumerate.is_none()
    }
}

/// Prints the count or the prompts.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let Deck {
        parsed,
        state,
        mut warnings,
    } = args.state.open(&args.registry)?;
    if args.sample.is_some() || !args.wanted.is_count() {
        let name = input::name_of(&args.registry);
        rendering::warn_of_raw_template(&name, &parsed.registry, &mut warnings)?;
        warnings.print();
    }
    let engine = Engine::new(parsed.registry);
    let route = args.call.route.as_deref();
    let call = Call {
        state: &state,
        route,
        seed: args.call.seed()?,
    };
    let named = |error: HydrateError| Failure::from(error).in_file(&args.registry);
    if let Some(mode) = args.sample {
        let sample = sample::Sample {
            mode,
            rolls: args.wanted.rolls,
            shard: args.shard,
            format: args.format,
        };
        let printed = sample.print(&engine, &call, out);
        printed.map_err(|failure| failure.in_file(&args.registry))?;
    } else if let Some(wanted) = args.wanted.rolls {
        let mut rolls = variants::rolls(&engine, &call, wanted as usize);
        for roll in rolls.by_ref() {
            let roll = roll.map_err(named)?;
            match args.format {
                Format::Json => out.json_line(&roll)?,
                Format::Text => out.verbatim(&format!("seed {}\n{}\n", roll.seed, roll.text))?,
            }
            // Flush every row, so that a closed pipe ends the work.
            out.flush()?;
        }
        let (found, seeds) = rolls.found();
        if found < wanted as usize {
            output::note(&format!(
                "{found} of {wanted} prompts: {seeds} seeds gave no more different ones"
            ));
        }
    } else if let Some(limit) = args.wanted.enumerate {
        for (number, variant) in variants::enumerate(&engine, &call, limit).enumerate() {
            let variant: Variant = variant.map_err(named)?;
            match args.format {
                Format::Json => out.json_line(&variant)?,
                Format::Text => {
                    out.verbatim(&format!("variant {}\n{}\n", number + 1, variant.text))?;
                }
            }
            out.flush()?;
        }
    } else {
        let count = variants::count(&engine, &call).map_err(named)?;
        match args.format {
            Format::Json => out.json(&count)?,
            Format::Text => out.row(count_text(&count))?,
        }
    }
    Ok(ExitStatus::Done)
}

fn count_text(count: &Count) -> String {
    let bound = if count.exact { "" } else { "at most " };
    if count.ordered == count.unordered {
        return format!("{bound}{}", count.ordered);
    }
    format!(
        "{bound}{}, or {} when the order of shuffled entries does not count",
        count.ordered, count.unordered
    )
}
