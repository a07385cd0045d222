//! `promptdeck`, the command line: data on standard output, messages on standard error, and an exit
//! status. The libraries do the work; each verb has a file in `verbs`.

mod args;
mod batch;
mod call_file;
mod chat_template;
mod difference;
mod document;
mod failure;
mod flags;
mod gaps;
mod input;
mod json_query;
mod output;
mod output_file;
mod plots;
mod registry_files;
mod rendering;
mod report;
mod snippet;
mod state;
mod strict_object;
mod suggestion;
mod tokenizer;
mod usage;
mod verbs;
mod warnings;
mod whole_number;

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

/// Runs the verb. Success means that all output was written.
fn run(out: &mut Output) -> Result<ExitStatus, Failure> {
    let outcome = match usage::parse(out)? {
        Usage::Verb(cli) => verbs::run(cli.verb, out)?,
        Usage::Printed => ExitStatus::Done,
    };
    out.flush()?;
    Ok(outcome)
}
