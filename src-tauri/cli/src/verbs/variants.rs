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
    output::{Outcome, Output},
    state::{CallArgs, StateArgs},
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

/// What is wanted; the count when nothing is said.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Wanted {
    /// Count the distinct evaluations.
    #[arg(long)]
    count: bool,
    /// Roll this many different prompts, each with its seed, from the seed on.
    #[arg(long, value_name = "N")]
    rolls: Option<usize>,
    /// Go through the evaluations in turn, up to this many.
    #[arg(long, value_name = "N")]
    enumerate: Option<usize>,
}

/// Prints the count or the prompts.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let engine = Engine::new(input::registry(&args.registry)?.registry);
    let state = args.state.state_for(engine.registry())?;
    let route = args.call.route.as_deref();
    let call = Call {
        state: &state,
        route,
        seed: args.call.seed()?,
    };
    let named = |error: HydrateError| Failure::from(error).in_file(&args.registry);
    if let Some(wanted) = args.wanted.rolls {
        for roll in variants::rolls(&engine, &call, wanted).map_err(named)? {
            match args.format {
                Format::Json => out.json_line(&roll)?,
                Format::Text => out.verbatim(&format!("seed {}\n{}\n", roll.seed, roll.text))?,
            }
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
        }
    } else {
        let count = variants::count(&engine, &call).map_err(named)?;
        match args.format {
            Format::Json => out.json(&count)?,
            Format::Text => out.row(told(&count))?,
        }
    }
    Ok(Outcome::Done)
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
