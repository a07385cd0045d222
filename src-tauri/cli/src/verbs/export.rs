//! `export`: the model JSON a runtime loads, with the settings of a state woven into the sections.

use std::path::PathBuf;

use promptdeck_core::registry::canonical;
use promptdeck_service::files;

use crate::{
    failure::Failure,
    input,
    output::{Outcome, Output},
    state::StateArgs,
};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Write to this file instead of standard output; an old one is replaced whole.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints or writes the model JSON.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let parsed = input::registry(&args.registry)?;
    let model = canonical::export(&parsed.document, &args.state.state()?);
    match &args.output {
        Some(path) if !input::is_stdin(path) => {
            files::replace(path, model.as_bytes())?;
        }
        _ => out.text(&model)?,
    }
    Ok(Outcome::Done)
}
