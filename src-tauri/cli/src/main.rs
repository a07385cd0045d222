//! `promptdeck`, the command line: arguments in, data on standard output, messages on standard
//! error, an exit status out. The work itself is done by the libraries; each verb has a file of
//! its own in `verbs`.

mod args;
mod batch;
mod caret;
mod chat_template;
mod difference;
mod document;
mod failure;
mod input;
mod object;
mod output;
mod output_file;
mod plain;
mod question;
mod rendering;
mod report;
mod state;
mod tokenizer;
mod usage;
mod verbs;
mod warnings;

use std::process::ExitCode;

use crate::output::Output;

fn main() -> ExitCode {
    let cli = usage::parse();
    let mut out = Output::stdout();
    let result = verbs::run(cli.verb, &mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => outcome.into(),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure);
            ExitCode::from(failure.status())
        }
    }
}
