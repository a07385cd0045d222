//! `export`: the model JSON a runtime loads, with the settings of a state woven into the sections.

use std::path::PathBuf;

use promptdeck_core::registry::canonical;

use crate::{
    failure::Failure,
    input,
    output::{Outcome, Output},
    output_file::Destination,
    state::StateArgs,
};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Write to this file instead of standard output; an old one is replaced whole, a
    /// device or pipe is written into.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints or writes the model JSON.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let destination = Destination::of(args.output.as_deref())?;
    let parsed = input::registry(&args.registry)?;
    let model = canonical::export(&parsed.document, &args.state.state()?);
    destination.write(&model, out)?;
    Ok(Outcome::Done)
}
