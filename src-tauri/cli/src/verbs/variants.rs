//! `variants`: how many prompts a registry and a state can give, some of them rolled, all of them
//! in turn.

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
    /// How the result is printed; prompts as JSON are one line each.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The most prompts of one call: each new one is compared with all before it.
const MOST_ROLLS: i64 = 1_000_000;

/// What is wanted; the count when nothing is said.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Wanted {
    /// Count the distinct evaluations.
    #[arg(long)]
    count: bool,
    /// Roll this many different prompts, each with its seed, from the seed on: a million at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=MOST_ROLLS))]
    rolls: Option<u32>,
    /// Go through the evaluations in turn, up to this many.
    #[arg(long, value_name = "N")]
    enumerate: Option<usize>,
}

impl Wanted {
    /// Whether no prompt is printed.
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
    if !args.wanted.is_count() {
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
    if let Some(wanted) = args.wanted.rolls {
        let mut rolls = variants::rolls(&engine, &call, wanted as usize);
        for roll in rolls.by_ref() {
            let roll = roll.map_err(named)?;
            match args.format {
                Format::Json => out.json_line(&roll)?,
                Format::Text => out.verbatim(&format!("seed {}\n{}\n", roll.seed, roll.text))?,
            }
            // Each row when it is made; a reader that went away ends the work.
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
            Format::Text => out.row(told(&count))?,
        }
    }
    Ok(ExitStatus::Done)
}

fn told(count: &Count) -> String {
    let bound = if count.exact { "" } else { "at most " };
    if count.ordered == count.unordered {
        return format!("{bound}{}", count.ordered);
    }
    format!(
        "{bound}{}, or {} when the order of shuffled entries does not count",
        count.ordered, count.unordered
    )
}
