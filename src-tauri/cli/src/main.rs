//! `promptdeck`, the command line: arguments in, data on standard output, messages on standard
//! error, an exit status out. The work itself is done by the libraries; each verb has a file of
//! its own in `verbs`.

mod args;
mod batch;
mod chat_template;
mod difference;
mod document;
mod failure;
mod fast_json;
mod flags;
mod input;
mod json_query;
mod output;
mod output_file;
mod registry_files;
mod rendering;
mod report;
mod snippet;
mod state;
mod strict_object;
mod tokenizer;
mod usage;
mod verbs;
mod warnings;

use std::process::ExitCode;

use crate::{
    failure::Failure,
    output::{ExitStatus, Output},
    usage::Usage,
};

fn main() -> ExitCode {
    match run(&mut Output::stdout()) {
        Ok(outcome) => outcome.into(),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure);
            ExitCode::from(failure.status())
        }
    }
}

/// Does what the arguments ask for. All of it is written at the end, or it failed.
fn run(out: &mut Output) -> Result<ExitStatus, Failure> {
    let outcome = match usage::parse(out)? {
        Usage::Verb(cli) => verbs::run(cli.verb, out)?,
        Usage::Printed => ExitStatus::Done,
    };
    out.flush()?;
    Ok(outcome)
}
