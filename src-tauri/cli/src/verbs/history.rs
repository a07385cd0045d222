//! `history`: checks the messages of a conversation against the history rules.

use promptdeck_request::{answer, document::DocumentKind};

use crate::{
    args::Format,
    failure::Failure,
    json_query::{self, QueryArgs, QueryResult},
    output::{ExitStatus, Output},
};

/// Flags of `history`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: QueryArgs,
    /// Format of the verdict.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Prints the verdict, or answers the batch. Violations have exit status 1.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    let kind = DocumentKind::History;
    let verdict = match json_query::answer(&args.question, kind, answer::history, out)? {
        QueryResult::One(verdict, _) => verdict,
        QueryResult::Batch(outcome) => return Ok(outcome),
    };
    match args.format {
        Format::Json => out.json(&verdict)?,
        Format::Text if verdict.valid => out.row("valid")?,
        Format::Text => {
            for broken in &verdict.violations {
                out.row(format_args!("{}: {}", broken.rule.code(), broken.message))?;
            }
        }
    }
    Ok(if verdict.valid {
        ExitStatus::Done
    } else {
        ExitStatus::Problems
    })
}
