//! `history`: whether the messages of a conversation keep the rules, and which they break.

use promptdeck_core::{document::DocumentKind, request::answer};

use crate::{
    args::Format,
    failure::Failure,
    output::{Outcome, Output},
    question::{self, Answered, QuestionArgs},
};

/// Flags of `history`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    question: QuestionArgs,
    /// How the verdict is printed.
    #[arg(long, value_enum, default_value_t, conflicts_with = "batch")]
    format: Format,
}

/// Prints the verdict, or answers the batch; broken rules are exit status 1.
pub fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let kind = DocumentKind::History;
    let verdict = match question::answer(&args.question, kind, answer::history, out)? {
        Answered::One(verdict) => verdict,
        Answered::Batch(outcome) => return Ok(outcome),
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
        Outcome::Done
    } else {
        Outcome::Problems
    })
}
