//! `completions`: prints a shell's completion script, generated from the definition of the
//! arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{
    args::Cli,
    failure::Failure,
    output::{ExitStatus, Output},
};

/// Flags of `completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "promptdeck", &mut script);
    out.verbatim(&String::from_utf8_lossy(&script))?;
    Ok(ExitStatus::Done)
}
