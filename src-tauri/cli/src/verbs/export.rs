//! `export`: the model JSON for a runtime, with the settings of a state applied to the sections.

use std::path::PathBuf;

use promptdeck_core::export;
use promptdeck_request::document::without_call;

use crate::{
    failure::Failure,
    output::{self, ExitStatus, Output},
    output_file::Destination,
    state::{Deck, StateArgs},
};

/// Flags of `export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Write to this file instead of standard output. An existing file is replaced as a whole; a
    /// device or a pipe is written to directly.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    if args.state.fills_variables() {
        return Err(Failure::input(
            "var_not_exported",
            "--var fills a variable for one call, and an export keeps variables open: put the text \
             into template_var_defaults of the section, or use `promptdeck hydrate`",
        ));
    }
    let destination = Destination::of(args.output.as_deref())?;
    let Deck { parsed, state, .. } = args.state.open(&args.registry)?;
    if !state.template_vars.is_empty() {
        output::warning(
            "the template_vars of the state stay out of an export, which keeps them open",
        );
    }
    let model = export::export(&without_call(&parsed.document), &state);
    destination.write(&model, out)?;
    Ok(ExitStatus::Done)
}
